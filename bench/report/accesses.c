/* SPDX-License-Identifier: MIT */
#include "bench/report/accesses.h"

#include <inttypes.h>
#include <string.h>

#include "base/strbuf.h"
#include "bench/report/trace.h"

enum { VALUES_SHOWN = 4, MAKERS_SHOWN = 3, WORD_BYTES = 4 };

const char *touch_name(enum touch_kind k)
{
    static const char *const names[] = {TOUCHES(NAME_ROW)};
    return names[k];
}

/* ---- values ---- */

/* The first elements of bytes that stand at addr, as its region has them. */
static const char *values_text(struct arena *a, const struct program *p, uint64_t addr,
                               uint64_t len, const uint8_t *bytes)
{
    const struct region *g = program_region_at(p, gm_offset(addr));
    enum elem e = g ? g->elem : ELEM_I32;
    uint64_t size = (uint64_t)elem_size(e), n = len / size;
    if (!n) {
        e = ELEM_U8;
        size = 1;
        n = len;
    }
    struct strbuf b = strbuf_make(a);
    for (uint64_t i = 0; i < n && i < VALUES_SHOWN; i++) {
        strbuf_add(&b, i ? ", " : "");
        if (elem_is_float(e))
            strbuf_addf(&b, "%.9g", elem_value(bytes + i * size, e));
        else
            strbuf_addf(&b, "%" PRId64, elem_load(bytes + i * size, e));
    }
    strbuf_add(&b, n > VALUES_SHOWN ? ", ..." : "");
    return b.text;
}

static const uint8_t *memory_at(const struct machine *m, uint64_t addr)
{
    return m->gm[gm_rank(addr)] + gm_offset(addr);
}

static uint32_t memory_node(const struct machine *m, uint64_t addr)
{
    return m->oracle ? node_map_get(&m->prov[gm_rank(addr)], gm_offset(addr) / (uint64_t)m->grain)
                     : NODE_INIT;
}

/* ---- touches ---- */

static void add_touch(struct access_watch *w, const struct machine *m, struct touch t,
                      const uint8_t *bytes)
{
    t.words = program_words(m->program, t.addr, t.addr + t.len, &w->arena);
    t.value = bytes ? values_text(&w->arena, m->program, t.addr, t.len, bytes) : NULL;
    vec_push(&w->arena, &w->seen.touches, t);
}

/* Bytes of memory, split where they come from another write. */
static void add_memory(struct access_watch *w, const struct machine *m, struct touch t)
{
    uint64_t end = t.addr + t.len, grain = (uint64_t)m->grain;
    while (t.addr < end) {
        t.node = memory_node(m, t.addr);
        uint64_t to = t.addr + grain;
        while (to < end && memory_node(m, to) == t.node)
            to += grain;
        t.len = (to < end ? to : end) - t.addr;
        add_touch(w, m, t, memory_at(m, t.addr));
        t.addr += t.len;
    }
}

/* The node of word number i of a line that is on its way. */
static uint32_t word_node(const struct machine *m, const struct message *msg, int i)
{
    return !m->oracle ? NODE_INIT : msg->prov[msg->add ? i : i * (WORD_BYTES / m->grain)];
}

static void add_line(struct access_watch *w, const struct machine *m, enum touch_kind kind,
                     const struct message *msg)
{
    for (int i = 0, to; i < m->words; i = to) {
        to = i + 1;
        if (!(msg->mask >> i & 1))
            continue;
        bool own = msg->own >> i & 1;
        uint32_t node = word_node(m, msg, i);
        while (to < m->words && (msg->mask >> to & 1) && (msg->own >> to & 1) == own &&
               word_node(m, msg, to) == node)
            to++;
        add_touch(w, m,
                  (struct touch){.kind = kind,
                                 .add = msg->add,
                                 .carried = !own,
                                 .addr = msg->addr + (uint64_t)i * WORD_BYTES,
                                 .len = (uint64_t)(to - i) * WORD_BYTES,
                                 .node = node},
                  msg->data + (size_t)i * WORD_BYTES);
    }
}

static void add_message(struct access_watch *w, const struct machine *m, enum touch_kind kind,
                        const struct message *msg)
{
    if (msg->ended)
        return;
    if (msg->masked)
        add_line(w, m, kind, msg);
    else
        add_touch(w, m,
                  (struct touch){.kind = kind,
                                 .add = msg->add,
                                 .addr = msg->addr,
                                 .len = msg->len,
                                 .node = m->oracle ? msg->node : NODE_INIT},
                  msg->data);
}

/* Those that the step has posted, the oldest first. */
static void add_posted(struct access_watch *w, const struct machine *m, int core)
{
    uint64_t n = m->stats[core].messages - w->posted;
    const struct message *msg = m->cores[core].newest;
    if (!n || m->contract->coherent)
        return;
    for (uint64_t i = 1; i < n && msg->older; i++)
        msg = msg->older;
    for (; msg; msg = msg->newer)
        add_message(w, m, TOUCH_POST, msg);
}

/* ---- what kinds of instructions do ---- */

static void add_transfer(struct access_watch *w, const struct machine *m, const struct insn *i)
{
    const struct core *c = &m->cores[w->seen.at.core];
    const struct dma *d = &c->code->dmas[i->aux];
    const struct pipe_op *op = &w->op;
    bool load = insn_any(i, CLASS_LOAD);
    int64_t row = (int64_t)op->cols * elem_size(d->elem);
    uint32_t rows = op->rows;
    if (d->immediate) {
        row = elem_size(d->elem);
        rows = 1;
    } else if (rows > 1 && d->gm_stride == row) {
        row *= rows;
        rows = 1;
    }
    for (uint32_t r = 0; r < rows && row; r++) {
        struct touch t = {.kind = load ? TOUCH_READ : TOUCH_WRITE,
                          .add = op->add,
                          .addr = op->addr + (uint64_t)((int64_t)r * d->gm_stride),
                          .len = (uint64_t)row,
                          .node = m->oracle ? op->node : NODE_INIT};
        if (load || m->contract->coherent)
            add_memory(w, m, t);
        else /* its values are those of what it posts */
            add_touch(w, m, t, NULL);
    }
}

/* A word that the core's cache has, or without a copy memory. */
static void add_cached(struct access_watch *w, const struct machine *m, struct touch t)
{
    int core = w->seen.at.core,
        slot = m->contract->coherent ? NO_SLOT : cache_find(m, core, t.addr);
    if (slot == NO_SLOT) {
        add_memory(w, m, t);
        return;
    }
    const struct cache *c = &m->cores[core].cache;
    uint64_t in_line = t.addr % (uint64_t)m->contract->line;
    if (m->oracle)
        t.node = c->prov[(size_t)slot * (size_t)m->units + in_line / (uint64_t)m->grain];
    add_touch(w, m, t, c->data + (size_t)slot * (size_t)m->contract->line + in_line);
}

/* A store's own value, and its node where the bytes went: into a message, or a line of the cache, or
 * what such a line adds. */
static void add_store(struct access_watch *w, const struct machine *m, const struct insn *i,
                      struct touch t)
{
    const struct core *c = &m->cores[w->seen.at.core];
    bool cached = !m->contract->coherent && i->op != I_ST_DEV;
    int slot = cached ? cache_find(m, w->seen.at.core, t.addr) : NO_SLOT;
    uint64_t in_line = t.addr % (uint64_t)m->contract->line;
    t.kind = TOUCH_WRITE;
    t.add = i->op == I_ST_ATOMIC;
    uint8_t bytes[sizeof(int64_t)];
    elem_store(bytes, (enum elem)i->elem, w->value);
    if (!m->oracle)
        t.node = NODE_INIT;
    else if (m->contract->coherent)
        t.node = memory_node(m, t.addr);
    else if (slot == NO_SLOT)
        t.node = c->newest ? c->newest->node : NODE_INIT;
    else if (t.add)
        t.node = c->cache.delta_prov[(size_t)slot * (size_t)m->words + in_line / WORD_BYTES];
    else
        t.node = c->cache.prov[(size_t)slot * (size_t)m->units + in_line / (uint64_t)m->grain];
    if (m->oracle && t.add)
        oracle_makers(m->oracle, t.node, &t.node, 1);
    add_touch(w, m, t, bytes);
}

/* The first half of a wait only drops the line that it will look at. */
static bool poll_looked(const struct access_watch *w, const struct machine *m, const struct insn *i)
{
    return i->op == I_POLL_DEV || m->contract->coherent || w->poll_phase == POLL_READ;
}

static void add_scalar(struct access_watch *w, const struct machine *m, const struct insn *i)
{
    struct touch t = {
        .kind = TOUCH_READ, .addr = w->addr, .len = (uint64_t)elem_size((enum elem)i->elem)};
    switch (insn_acts(i)) {
    case I_LD:
        add_cached(w, m, t);
        break;
    case I_LD_DEV:
        add_memory(w, m, t);
        break;
    case I_ST:
    case I_ST_DEV:
    case I_ST_ATOMIC:
        add_store(w, m, i, t);
        break;
    case I_POLL:
    case I_POLL_DEV:
        t.len = WORD_BYTES;
        if (poll_looked(w, m, i))
            add_memory(w, m, t);
        break;
    case I_MTE2:
    case I_MTE3:
    case I_FIX:
        if (m->contract->coherent) /* else it is queued, and performed by its pipe */
            add_transfer(w, m, i);
        break;
    default:
        break;
    }
}

/* ---- before the effect ---- */

static const struct insn *insn_of(const struct machine *m, struct place at)
{
    return at.insn < 0 ? NULL : &m->cores[at.core].code->insns[at.insn];
}

static int64_t value_of(const struct core *c, struct operand o)
{
    return o.reg == NO_REG ? o.imm : c->regs[o.reg];
}

static void note_scalar(struct access_watch *w, const struct machine *m, const struct insn *i)
{
    const struct core *c = &m->cores[w->seen.at.core];
    const struct insn_kind *k = insn_kind(i);
    if (k->address == ADDRESS_WORD) {
        w->addr = machine_effective_address(m, w->seen.at.core);
        w->value = i->rb == NO_REG ? i->imm2 : c->regs[i->rb];
    } else if (k->address == ADDRESS_DMA) {
        const struct dma *d = &c->code->dmas[i->aux];
        w->op = (struct pipe_op){.addr = (uint64_t)value_of(c, d->address),
                                 .rows = (uint32_t)value_of(c, d->rows),
                                 .cols = (uint32_t)value_of(c, d->cols),
                                 .add = insn_any(i, CLASS_STORE) && (d->atomic_add || c->adds)};
    }
    w->poll_phase = c->poll_phase;
}

static void note_before(struct access_watch *w, const struct machine *m, const struct step *s)
{
    const struct insn *i = insn_of(m, w->seen.at);
    w->posted = m->stats[s->t.core].messages;
    if (s->t.kind == T_SCALAR && i)
        note_scalar(w, m, i);
    else if (s->t.kind == T_PIPE)
        w->op = *machine_head(m, s->t.core, s->t.pipe);
    else if (s->t.kind == T_DELIVER)
        add_message(w, m, TOUCH_DELIVER, m->channels[s->t.index].head);
}

/* ---- after it ---- */

static void note_after(struct access_watch *w, const struct machine *m)
{
    struct seen_step *s = &w->seen;
    const struct insn *i = insn_of(m, s->at);
    if (m->stop != STOP_NONE)
        return;
    bool transfer = s->step.t.kind == T_PIPE && i && insn_any(i, CLASS_DMA);
    if (transfer)
        add_transfer(w, m, i);
    else if (s->step.t.kind == T_SCALAR && i)
        add_scalar(w, m, i);
    s->ordered = m->oracle && (s->step.t.kind == T_SCALAR || transfer);
    if (s->ordered)
        s->epoch = transfer ? oracle_access_epoch(m->oracle, w->op.node)
                            : oracle_epoch(m->oracle, s->at.core);
    if (s->step.t.kind != T_DELIVER)
        add_posted(w, m, s->step.t.core);
}

/* Found behind the last step, it may be about the end of the run. */
static bool found_at_end(const struct finding *f)
{
    return f->verdict == V_LOST_WRITE || f->verdict == V_DEADLOCK || f->verdict == V_HANG ||
           f->verdict == V_WRONG_RESULT;
}

/* The new findings; of the last step without those that came up only at the end. */
static void take_findings(struct access_watch *w, const struct machine *m, bool last)
{
    int n = 0;
    const struct finding *f = m->oracle ? oracle_findings(m->oracle, &n) : NULL;
    int to = w->findings;
    while (to < n && !(last && found_at_end(&f[to])))
        to++;
    w->seen.findings = f ? f + w->findings : NULL;
    w->seen.nfindings = to - w->findings;
    w->findings = to;
}

static void finish(struct access_watch *w, const struct machine *m, bool last)
{
    if (!w->pending)
        return;
    w->pending = false;
    note_after(w, m);
    take_findings(w, m, last);
    w->fn(w->ctx, m, &w->seen);
    arena_free(&w->arena);
    w->arena = (struct arena){0};
}

void access_watch_step(void *ctx, const struct machine *m, const struct step *s)
{
    struct access_watch *w = ctx;
    finish(w, m, false);
    w->pending = true;
    w->seen =
        (struct seen_step){.step = *s, .number = w->steps++, .at = {s->t.core, s->insn, NULL}};
    w->seen.text = trace_describe(&w->arena, m, s);
    note_before(w, m, s);
}

void access_watch_end(struct access_watch *w, const struct machine *m)
{
    finish(w, m, true);
    w->seen = (struct seen_step){.number = -1, .text = "end of the run", .at = NOWHERE};
    take_findings(w, m, false);
    if (w->seen.nfindings)
        w->fn(w->ctx, m, &w->seen);
}

/* ---- words ---- */

const char *touch_text(struct arena *a, const struct touch *t)
{
    return arena_printf(a, "%s %s%s%s%s%s", touch_name(t->kind), t->words,
                        !t->value                         ? ""
                        : t->add && t->kind != TOUCH_READ ? " += "
                                                          : " = ",
                        t->value ? t->value : "", t->carried ? " (carried along)" : "",
                        t->add && !t->value ? " by adding" : "");
}

const char *touch_source(struct arena *a, const struct machine *m, uint32_t node)
{
    uint32_t makers[MAKERS_SHOWN];
    size_t n = m->oracle ? oracle_makers(m->oracle, node, makers, MAKERS_SHOWN) : 0;
    if (!n)
        return "the initial value";
    struct strbuf b = strbuf_make(a);
    for (size_t i = 0; i < n && i < MAKERS_SHOWN; i++) {
        struct place at = oracle_place(m->oracle, makers[i]);
        int line = at.insn < 0 ? 0 : m->cores[at.core].code->insns[at.insn].span.line;
        strbuf_addf(&b, "%s%s", i ? " and " : "", program_core_phrase(m->program, at.core, a));
        if (line)
            strbuf_addf(&b, ", %s", source_line_words(a, m->program->source, line));
    }
    strbuf_add(&b, n > MAKERS_SHOWN ? " and others" : "");
    return b.text;
}
