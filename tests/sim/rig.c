/* SPDX-License-Identifier: MIT */
#include "tests/sim/rig.h"

#include <stdlib.h>

#include "base/strbuf.h"
#include "sim/internal.h"

/* ---- life ---- */

void rig_open_program(struct rig *r, const struct program *p, const char *model,
                      const struct key *keys, bool oracle)
{
    struct diag d = {.arena = &r->arena};
    const struct contract *c = contract_load(&r->arena, "models", model, &d);
    cr_assert(c, "%s", diag_text(&d, &r->arena));
    r->contract = *c;
    for (int k = 0; keys && k < ROW_KEYS && keys[k].size; k++)
        memcpy((char *)&r->contract + keys[k].offset, &keys[k].value, keys[k].size);
    r->program = p;
    r->oracle = oracle ? oracle_new(p) : NULL;
    struct machine_options o = {.oracle = r->oracle, .kernel = oracle};
    r->machine = machine_new(p, &r->contract, o);
    machine_reset(r->machine);
}

void rig_open(struct rig *r, void (*build)(struct builder *b), const char *model,
              const struct key *keys, bool oracle)
{
    *r = (struct rig){0};
    struct builder b = {.arena = &r->arena};
    build(&b);
    rig_open_program(r, built(&b), model, keys, oracle);
}

void rig_close(struct rig *r)
{
    machine_free(r->machine);
    oracle_free(r->oracle);
    arena_free(&r->arena);
}

/* ---- schedules ---- */

struct script {
    struct rig *rig;
    const char *name, *token;
    const char *p; /* in the token, what is not yet read */
    bool failed;
};

static void fail(struct script *s, const char *why)
{
    if (!s->failed)
        cr_expect(false, "%s: at '%s': %s", s->name, s->token, why);
    s->failed = true;
}

static long number(struct script *s)
{
    char *end;
    long n = strtol(s->p, &end, 10);
    if (end == s->p)
        fail(s, "expected a number");
    s->p = end;
    return n;
}

static bool eat(struct script *s, const char *text)
{
    if (strncmp(s->p, text, strlen(text)))
        return false;
    s->p += strlen(text);
    return true;
}

static uint64_t location(struct script *s)
{
    const struct program *p = s->rig->program;
    size_t n = strcspn(s->p, "[@:=~");
    for (int i = 0; i < p->nregions; i++) {
        const struct region *g = &p->regions[i];
        if (strlen(g->name) != n || strncmp(g->name, s->p, n))
            continue;
        s->p += n;
        uint64_t offset = g->offset;
        if (eat(s, "["))
            offset += (uint64_t)number(s) * 4, eat(s, "]");
        return gm_addr(eat(s, "@") ? (int)number(s) : 0, offset);
    }
    fail(s, "no such variable");
    return 0;
}

static bool message_matches(const struct machine *m, const struct message *msg, int core, int path,
                            int rank, const uint64_t *addr)
{
    return msg->core == core && msg->path == path && !msg->ended && gm_rank(msg->addr) == rank &&
           (!addr || (*addr >= msg->addr && *addr < msg->addr + msg->len)) &&
           m->channels[msg->channel].head == msg;
}

/* Transition of "0>1:x" after "sc." or "dma."; NULL when no such message can be delivered. */
static bool find_message(struct script *s, int path, struct transition *t)
{
    const struct machine *m = s->rig->machine;
    int core = (int)number(s);
    if (!eat(s, ">"))
        fail(s, "expected '>'");
    int rank = (int)number(s);
    uint64_t addr, *at = NULL;
    if (eat(s, ":")) {
        addr = location(s);
        at = &addr;
    }
    for (int i = 0; i < m->nactive; i++) {
        const struct message *msg = m->channels[m->active[i]].head;
        if (message_matches(m, msg, core, path, rank, at)) {
            *t = (struct transition){.kind = T_DELIVER, .core = core, .index = m->active[i]};
            return true;
        }
    }
    return false;
}

/* Of "fin.0": the report of the end of a task of that core. */
static bool find_report(struct script *s, struct transition *t)
{
    const struct machine *m = s->rig->machine;
    int core = (int)number(s);
    for (int i = 0; i < m->nactive; i++) {
        const struct message *msg = m->channels[m->active[i]].head;
        *t = (struct transition){.kind = T_DELIVER, .core = core, .index = m->active[i]};
        if (msg->core == core && msg->ended)
            return true;
    }
    return false;
}

static bool find_line(struct script *s, enum transition_kind kind, struct transition *t)
{
    const struct machine *m = s->rig->machine;
    *t = (struct transition){.kind = kind, .core = (int)number(s)};
    if (!eat(s, ":"))
        fail(s, "expected ':'");
    uint64_t line = location(s) & ~(uint64_t)(m->contract->line - 1);
    if (kind == T_EVICT) {
        t->index = cache_find(m, t->core, line);
        return t->index != NO_SLOT;
    }
    for (t->index = 0; t->index < m->named[t->core].count; t->index++)
        if (m->named[t->core].items[t->index] == line)
            return true;
    return false;
}

/* The transition that the text names; false when there is none in this state. */
static bool find_step(struct script *s, struct transition *t)
{
    if (eat(s, "sc."))
        return find_message(s, PATH_SCALAR, t);
    if (eat(s, "dma."))
        return find_message(s, PATH_DMA, t);
    if (eat(s, "fin."))
        return find_report(s, t);
    if (eat(s, "evict."))
        return find_line(s, T_EVICT, t);
    if (eat(s, "fill."))
        return find_line(s, T_PREFETCH, t);
    for (int p = 0; p < PIPE_COUNT; p++) {
        size_t n = strlen(pipe_name((enum pipe)p));
        if (!strncmp(s->p, pipe_name((enum pipe)p), n) && s->p[n] == '.') {
            s->p += n + 1;
            *t = (struct transition){.kind = T_PIPE, .pipe = (uint8_t)p, .core = (int)number(s)};
            return true;
        }
    }
    if (!eat(s, "s"))
        fail(s, "expected a step or a check");
    *t = (struct transition){.kind = T_SCALAR, .core = (int)number(s)};
    return true;
}

static bool same(struct transition x, struct transition y)
{
    return x.kind == y.kind && x.pipe == y.pipe && x.core == y.core && x.index == y.index;
}

static void take_step(struct script *s, bool wanted, bool fires)
{
    struct transition t, enabled[256];
    struct machine *m = s->rig->machine;
    bool found = find_step(s, &t) && transition_enabled(m, t), listed = false;
    int n = machine_enabled(m, enabled, 256);
    for (int i = 0; i < n; i++)
        listed |= same(enabled[i], t);
    if (found != wanted)
        fail(s, found ? "is enabled" : "is not enabled");
    else if (wanted && !listed)
        fail(s, "machine_enabled does not list it");
    else if (fires && !s->failed)
        machine_fire(m, t);
}

static void check_cache(struct script *s, int core, uint64_t addr)
{
    const struct machine *m = s->rig->machine;
    int slot = cache_find(m, core, addr);
    const char *state = "absent";
    if (slot != NO_SLOT) {
        const struct cache_line *l = &m->cores[core].cache.lines[slot];
        uint64_t bit = (uint64_t)1 << (addr - l->tag) / 4;
        state = l->dirty & bit ? "dirty" : l->delta & bit ? "delta" : l->valid ? "clean" : "none";
    }
    if (strcmp(s->p, state))
        fail(s, arena_printf(&s->rig->arena, "the word is %s", state));
}

static void expect_number(struct script *s, int64_t actual)
{
    long expected = number(s);
    if (actual != expected)
        fail(s, arena_printf(&s->rig->arena, "holds %ld", (long)actual));
}

static void check_memory(struct script *s)
{
    uint64_t addr = location(s);
    int32_t *cell = (int32_t *)(void *)gm_write(s->rig->machine, addr, sizeof *cell);
    if (eat(s, ":="))
        *cell = (int32_t)number(s);
    else if (eat(s, "="))
        expect_number(s, *cell);
    else
        fail(s, "expected '=' or ':='");
}

static void check_core(struct script *s)
{
    int core = (int)number(s);
    eat(s, ":");
    if (*s->p == 'r' && s->p[1] >= '0' && s->p[1] <= '9') {
        eat(s, "r");
        long reg = number(s);
        eat(s, "=");
        expect_number(s, s->rig->machine->cores[core].regs[reg]);
        return;
    }
    uint64_t addr = location(s);
    eat(s, "~");
    check_cache(s, core, addr);
}

static void run_rest(struct script *s)
{
    struct transition t[256];
    struct machine *m = s->rig->machine;
    for (int n; (n = machine_enabled(m, t, 256)) > 0;) {
        int i = 0;
        while (i < n && (t[i].kind == T_EVICT || t[i].kind == T_PREFETCH))
            i++;
        if (i == n)
            return;
        machine_fire(m, t[i]);
    }
}

static void run_token(struct script *s)
{
    bool memory = strpbrk(s->p, "=") && !(*s->p >= '0' && *s->p <= '9');
    if (!strcmp(s->p, "end") || !strcmp(s->p, "!end")) {
        if (machine_at_end(s->rig->machine) != (*s->p == 'e'))
            fail(s, "the run is over or not, as not expected");
    } else if (!strcmp(s->p, "run")) {
        run_rest(s);
    } else if (*s->p >= '0' && *s->p <= '9') {
        check_core(s);
    } else if (memory) {
        check_memory(s);
    } else {
        bool wanted = !eat(s, "!");
        bool only_asked = eat(s, "?");
        take_step(s, wanted, wanted && !only_asked);
    }
}

bool rig_script(struct rig *r, const char *name, const char *script)
{
    struct script s = {.rig = r, .name = name};
    for (const char *p = script + strspn(script, " "); *p && !s.failed; p += strspn(p, " ")) {
        size_t n = strcspn(p, " ");
        s.token = s.p = arena_strndup(&r->arena, p, n);
        run_token(&s);
        p += n;
    }
    return !s.failed;
}

void keep_state(const struct pack_buffer *from, struct pack_buffer *to)
{
    to->len = 0;
    pack_bytes(to, from->data, from->len);
}

struct transition rig_find(struct rig *r, const char *name, const char *step)
{
    struct script s = {.rig = r, .name = name, .token = step, .p = step};
    struct transition t = {0};
    cr_assert(find_step(&s, &t) && transition_enabled(r->machine, t), "%s: '%s' is not enabled",
              name, step);
    return t;
}

void run_rows(const struct row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct rig r;
        rig_open(&r, rows[i].build, "a2a3", rows[i].keys, false);
        rig_script(&r, rows[i].name, rows[i].script);
        rig_close(&r);
    }
}

/* ---- outcomes and findings ---- */

void text_set_add(struct text_set *s, const char *text)
{
    size_t at = 0;
    while (at < s->items.len && strcmp(s->items.items[at], text) < 0)
        at++;
    if (at < s->items.len && !strcmp(s->items.items[at], text))
        return;
    vec_push(s->arena, &s->items, NULL);
    memmove(s->items.items + at + 1, s->items.items + at,
            (s->items.len - 1 - at) * sizeof *s->items.items);
    s->items.items[at] = arena_strdup(s->arena, text);
}

bool text_set_has(const struct text_set *s, const char *text)
{
    for (size_t i = 0; i < s->items.len; i++)
        if (!strcmp(s->items.items[i], text))
            return true;
    return false;
}

const char *text_set_join(const struct text_set *s)
{
    struct strbuf b = strbuf_make(s->arena);
    for (size_t i = 0; i < s->items.len; i++)
        strbuf_addf(&b, "%s%s", i ? "; " : "", s->items.items[i]);
    return b.len ? b.text : "-";
}

static void add_word(struct strbuf *b, const struct rig *r, uint64_t addr)
{
    int32_t value;
    memcpy(&value, r->machine->gm[gm_rank(addr)] + gm_offset(addr), sizeof value);
    if (value)
        strbuf_addf(b, "%s=%d ", program_where(r->program, addr, b->arena), value);
}

const char *rig_outcome(const struct rig *r, struct arena *a)
{
    struct strbuf b = strbuf_make(a);
    for (int c = 0; c < r->program->ncores; c++)
        for (int reg = 0; reg < r->machine->cores[c].code->nregs; reg++)
            if (r->machine->cores[c].regs[reg])
                strbuf_addf(&b, "%d:r%d=%ld ", c, reg, (long)r->machine->cores[c].regs[reg]);
    for (int rank = 0; rank < r->program->nranks; rank++)
        for (int g = 0; g < r->program->nregions; g++)
            for (uint64_t at = 0; at < r->program->regions[g].size; at += 4)
                add_word(&b, r, gm_addr(rank, r->program->regions[g].offset + at));
    if (!machine_at_end(r->machine))
        strbuf_add(&b, "blocked");
    return b.text;
}

const char *rig_place(const struct rig *r, struct place p, struct arena *a)
{
    if (p.core < 0)
        return "-";
    const struct core_desc *c = &r->program->cores[p.core];
    if (p.insn < 0)
        return p.insn == BY_PREFETCH ? "a prefetch" : "an eviction";
    return arena_printf(a, "P%d%s %s", c->rank, c->index ? ".1" : "", c->code->insns[p.insn].what);
}

const char *finding_text(const struct rig *r, const struct finding *f, struct arena *a)
{
    const struct {
        const char *name;
        struct place at;
    } places[] = {{"by", f->reader},
                  {"of", f->producer},
                  {"after", f->wait},
                  {"erased by", f->culprit},
                  {"got", f->got}};
    struct strbuf b = strbuf_make(a);
    const char *tile =
        f->tile < 0 ? NULL : r->program->cores[f->reader.core].code->tiles[f->tile].name;
    strbuf_addf(&b, tile ? "%s of tile %s" : "%s at %s", verdict_name(f->verdict),
                tile             ? tile
                : f->region >= 0 ? program_element(&r->program->regions[f->region], f->addr, a)
                                 : program_words(r->program, f->addr, f->end, a));
    strbuf_add(&b, f->more ? " and other words" : "");
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (places[i].at.core >= 0)
            strbuf_addf(&b, ", %s '%s'", places[i].name, rig_place(r, places[i].at, a));
    if (f->where != W_NONE)
        strbuf_addf(&b, ": %s", where_name(f->where));
    if (f->note)
        strbuf_addf(&b, " (%s)", f->note);
    return b.text;
}

const char *rig_findings(const struct rig *r, struct arena *a)
{
    struct text_set lines = {.arena = a};
    int n;
    const struct finding *f = oracle_findings(r->oracle, &n);
    for (int i = 0; i < n; i++)
        text_set_add(&lines, arena_printf(a, "%s\n", finding_text(r, &f[i], a)));
    struct strbuf b = strbuf_make(a);
    for (size_t i = 0; i < lines.items.len; i++)
        strbuf_add(&b, lines.items.items[i]);
    return b.text;
}

void rig_verdicts(const struct rig *r, struct text_set *out)
{
    int n;
    const struct finding *f = oracle_findings(r->oracle, &n);
    for (int i = 0; i < n; i++) {
        const char *where = f[i].where == W_NONE ? "" : where_name(f[i].where);
        text_set_add(out, arena_printf(out->arena, *where ? "%s (%s)" : "%s",
                                       verdict_name(f[i].verdict), where));
    }
}
