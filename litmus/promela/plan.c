/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "litmus/promela/internal.h"

enum { NAME_MAX_CHARS = 40, PML_MASK_BITS = 31, PML_MOST = 255 };

/* ---- what instructions access ---- */

static bool is_scalar_access(const struct insn *i)
{
    return insn_any(i, CLASS_LOAD | CLASS_STORE) && !insn_any(i, CLASS_DMA);
}

/* Address of the word that an instruction accesses. dcci accesses none: it only names a line. */
static bool word_address(const struct code *c, const struct insn *i, uint64_t *addr)
{
    if (is_scalar_access(i))
        *addr = (uint64_t)i->imm;
    else if (pml_dma(i))
        *addr = (uint64_t)c->dmas[i->aux].address.imm;
    else
        return false;
    return true;
}

/* ---- words and lines ---- */

static int by_address(const void *x, const void *y)
{
    uint64_t a = ((const struct pml_word *)x)->addr, b = ((const struct pml_word *)y)->addr;
    return (a > b) - (a < b);
}

static void add_word(struct pml *p, uint64_t addr)
{
    vec_foreach (const struct pml_word, w, &p->words)
        if (w->addr == addr)
            return;
    int32_t initial;
    memcpy(&initial, p->program->gm_init[gm_rank(addr)] + gm_offset(addr), sizeof initial);
    vec_push(p->arena, &p->words, (struct pml_word){.addr = addr, .initial = initial});
}

static void collect_words(struct pml *p)
{
    uint64_t addr;
    for (int c = 0; c < p->program->ncores; c++) {
        const struct code *code = p->program->cores[c].code;
        for (int i = 0; i < code->count; i++)
            if (pml_active(&code->insns[i]) && word_address(code, &code->insns[i], &addr))
                add_word(p, addr);
    }
    vec_foreach (const struct litmus_cond *, c, &p->test->observed)
        if ((*c)->kind == LITMUS_MEM)
            add_word(p, (*c)->addr);
    if (p->words.len)
        qsort(p->words.items, p->words.len, sizeof *p->words.items, by_address);
}

/* x[3] of rank 1 is "x_3_at1", a name of one word "x_at1". Names that differ only in characters
 * that Promela does not have, or behind the first ones, are told apart by a number. */
static void name_word(struct pml *p, struct pml_word *w)
{
    const struct region *r = program_region_at(p->program, gm_offset(w->addr));
    int index = (int)((gm_offset(w->addr) - r->offset) / sizeof(int32_t));
    char *base = arena_strndup(p->arena, r->name, strnlen(r->name, NAME_MAX_CHARS));
    for (char *c = base; *c; c++)
        *c = isalnum((unsigned char)*c) ? *c : '_';
    const char *at = r->size > sizeof(int32_t) ? arena_printf(p->arena, "_%d", index) : "";
    w->name = arena_printf(p->arena, "%s%s_at%d", base, at, gm_rank(w->addr));
    for (struct pml_word *other = p->words.items; other < w; other++)
        if (!strcmp(other->name, w->name))
            w->name = arena_printf(p->arena, "w%d_%s", (int)(w - p->words.items), w->name);
}

static bool make_lines(struct pml *p, struct diag *d)
{
    collect_words(p);
    vec_foreach (struct pml_word, w, &p->words) {
        name_word(p, w);
        uint64_t number = w->addr / (uint64_t)p->contract->line;
        struct pml_line *last = p->lines.len ? &p->lines.items[p->lines.len - 1] : NULL;
        if (!last || last->number != number) {
            vec_push(p->arena, &p->lines,
                     (struct pml_line){.number = number,
                                       .rank = gm_rank(w->addr),
                                       .name = w->name,
                                       .first = (int)(w - p->words.items)});
            last = &p->lines.items[p->lines.len - 1];
        }
        w->line = (int)p->lines.len - 1;
        w->bit = last->count++;
        if (p->masked && last->count > PML_MASK_BITS)
            return diag_error(d, p->test->source, (struct span){0},
                              "the Promela model of %s: more than %d words of one line",
                              p->test->name, PML_MASK_BITS);
    }
    return true;
}

int pml_word_at(const struct pml *p, uint64_t addr)
{
    for (size_t i = 0; i < p->words.len; i++)
        if (p->words.items[i].addr == addr)
            return (int)i;
    return -1;
}

/* ---- copies: what a cache can hold ---- */

static void note_access(struct pml_copy *y, const struct pml_word *w, const struct insn *i,
                        bool used)
{
    uint64_t bit = (uint64_t)1 << w->bit;
    switch (i->op) {
    case I_LD:
        y->loads = y->prefetched = true;
        y->loaded |= used ? bit : 0;
        break;
    case I_ST:
        y->loads = true;
        y->stored |= bit;
        y->stores++;
        break;
    case I_ST_ATOMIC:
        y->delta |= bit;
        y->atomics++;
        break;
    case I_POLL:
        y->polled = true;
        break;
    default:
        break;
    }
}

static void make_copies(struct pml *p)
{
    p->copies =
        arena_array(p->arena, struct pml_copy, (size_t)p->program->ncores * p->lines.len + 1);
    for (int c = 0; c < p->program->ncores; c++) {
        const struct code *code = p->program->cores[c].code;
        for (int n = 0; n < code->count; n++) {
            const struct insn *i = &code->insns[n];
            if (!pml_active(i) || !is_scalar_access(i))
                continue;
            const struct pml_word *w = &p->words.items[pml_word_at(p, (uint64_t)i->imm)];
            note_access(pml_copy_of(p, c, w->line), w, i,
                        i->op == I_LD && pml_register_used(p, c, i->rd));
        }
    }
}

/* A line that is stored to goes back whole, so all of its words are carried along. */
uint64_t pml_carried(const struct pml *p, int core, int line)
{
    const struct pml_copy *y = pml_copy_of(p, core, line);
    uint64_t all = ((uint64_t)2 << (p->lines.items[line].count - 1)) - 1;
    return y->stored ? all : y->loaded;
}

/* ---- messages and their channels ---- */

static const struct {
    const char *name;
    int path;
    bool of_line;
} kinds[PML_KINDS] = {[PML_LINE] = {"line", PATH_SCALAR, true},
                      [PML_DELTA] = {"delta", PATH_SCALAR, true},
                      [PML_DEV] = {"dev", PATH_SCALAR, false},
                      [PML_PUT] = {"put", PATH_DMA, false},
                      [PML_ADD] = {"add", PATH_DMA, false}};

/* As a path of a channel, that of register writes. Counters have none of it: dsb and misses wait
 * for st.dev as for others of the scalar path. */
enum { PATH_REGISTER = PATH_COUNT };

static int path_of(const struct pml *p, enum pml_kind kind)
{
    bool apart = kind == PML_DEV && p->contract->st_dev == ST_DEV_REGISTER;
    return apart ? PATH_REGISTER : kinds[kind].path;
}

/* What stays in order (docs/machine.md, deliver): (core, path, destination), (core, destination),
 * or (core, path, line); with dma_chunk_order = any, DMA stays in order per line only. */
static struct pml_channel channel_key(const struct pml *p, int core, int path, int line)
{
    int dest = p->lines.items[line].rank;
    bool dma_any = p->contract->dma_chunk_order == CHUNKS_ANY && path == PATH_DMA;
    switch (p->contract->fabric) {
    case FABRIC_PER_PATH:
        return (struct pml_channel){
            .core = core, .path = path, .dest = dest, .line = dma_any ? line : -1};
    case FABRIC_PER_PAIR:
        return (struct pml_channel){
            .core = core, .path = path == PATH_REGISTER ? path : -1, .dest = dest, .line = -1};
    default:
        return (struct pml_channel){.core = core, .path = path, .dest = dest, .line = line};
    }
}

static const char *channel_name(const struct pml *p, const struct pml_channel *c)
{
    static const char *const paths[] = {
        [PATH_SCALAR] = "_scalar", [PATH_DMA] = "_dma", [PATH_REGISTER] = "_register"};
    ROW_EACH(paths, PATH_REGISTER + 1);
    return c->line >= 0
               ? arena_printf(p->arena, "%s%s_line_%s", p->cores[c->core],
                              c->path >= 0 ? paths[c->path] : "", p->lines.items[c->line].name)
               : arena_printf(p->arena, "%s%s_to%d", p->cores[c->core],
                              c->path >= 0 ? paths[c->path] : "", c->dest);
}

static int channel_of(struct pml *p, int core, int path, int line)
{
    struct pml_channel key = channel_key(p, core, path, line);
    for (size_t i = 0; i < p->channels.len; i++) {
        const struct pml_channel *c = &p->channels.items[i];
        if (c->core == key.core && c->path == key.path && c->dest == key.dest &&
            c->line == key.line)
            return (int)i;
    }
    key.name = channel_name(p, &key);
    vec_push(p->arena, &p->channels, key);
    return (int)p->channels.len - 1;
}

const struct pml_form *pml_form_of(const struct pml *p, int core, enum pml_kind kind, int target)
{
    vec_foreach (const struct pml_form, f, &p->forms)
        if (f->core == core && f->kind == kind &&
            (kinds[kind].of_line ? f->line : f->word) == target)
            return f;
    return NULL;
}

/* One more message of that kind may be in flight. */
static void add_message(struct pml *p, int core, enum pml_kind kind, int word)
{
    int line = p->words.items[word].line, target = kinds[kind].of_line ? line : word;
    const struct pml_form *f = pml_form_of(p, core, kind, target);
    int channel = f ? f->channel : channel_of(p, core, path_of(p, kind), line);
    struct pml_channel *c = &p->channels.items[channel];
    const char *of = kinds[kind].of_line ? p->lines.items[line].name : p->words.items[word].name;
    int values = kind == PML_LINE    ? p->lines.items[line].count
                 : kind == PML_DELTA ? __builtin_popcountll(pml_copy_of(p, core, line)->delta)
                                     : 1;
    c->capacity++;
    c->values = values > c->values ? values : c->values;
    c->dma |= kinds[kind].path == PATH_DMA;
    c->masked |= p->masked && kind == PML_LINE;
    if (!f)
        vec_push(p->arena, &p->forms,
                 (struct pml_form){.kind = kind,
                                   .core = core,
                                   .line = line,
                                   .word = word,
                                   .channel = channel,
                                   .name = arena_printf(p->arena, "%s_%s", kinds[kind].name, of)});
}

/* A line is dirty, or has deltas, only after another store to it: each store allows one message. */
static void make_messages(struct pml *p)
{
    uint64_t addr;
    for (int c = 0; c < p->program->ncores; c++) {
        const struct code *code = p->program->cores[c].code;
        for (int n = 0; n < code->count; n++) {
            const struct insn *i = &code->insns[n];
            if (!pml_active(i) || !word_address(code, i, &addr))
                continue;
            int w = pml_word_at(p, addr);
            if (i->op == I_ST)
                add_message(p, c, PML_LINE, w);
            else if (i->op == I_ST_ATOMIC)
                add_message(p, c, PML_DELTA, w);
            else if (i->op == I_ST_DEV)
                add_message(p, c, PML_DEV, w);
            else if (insn_all(i, CLASS_STORE | CLASS_DMA))
                add_message(p, c, pml_adds(p, c, n) ? PML_ADD : PML_PUT, w);
        }
    }
}

/* ---- counters ---- */

static bool has_dsb(const struct pml *p, int core)
{
    const struct code *code = p->program->cores[core].code;
    for (int i = 0; i < code->count; i++)
        if (pml_active(&code->insns[i]) && code->insns[i].op == I_DSB)
            return true;
    return false;
}

static bool sends(const struct pml *p, int core, int path, int line)
{
    vec_foreach (const struct pml_form, f, &p->forms)
        if (f->core == core && f->line == line && kinds[f->kind].path == path)
            return true;
    return false;
}

bool pml_dsb_counts(const struct pml *p, int core, int path, int line)
{
    bool own = p->lines.items[line].rank == p->program->cores[core].rank;
    return (path == PATH_SCALAR || p->contract->dsb_waits != DSB_SCALAR) &&
           (own || p->contract->ack == ACK_DESTINATION) && sends(p, core, path, line);
}

bool pml_counted(const struct pml *p, int core, int path, int line)
{
    const struct pml_copy *y = pml_copy_of(p, core, line);
    bool misses = path == PATH_SCALAR && (y->loads || y->polled) && sends(p, core, path, line);
    return misses || pml_cross_counts(p, core, path, line) ||
           (has_dsb(p, core) && pml_dsb_counts(p, core, path, line));
}

const char *pml_counter(const struct pml *p, int core, int path, int line)
{
    return arena_printf(p->arena, "%s_%s_%s", p->cores[core], p->lines.items[line].name,
                        path == PATH_SCALAR ? "flying" : "dma_flying");
}

/* ---- everything ---- */

static void name_cores(struct pml *p)
{
    p->cores = arena_array(p->arena, const char *, (size_t)p->program->ncores + 1);
    for (int c = 0; c < p->program->ncores; c++) {
        const struct core_desc *x = &p->program->cores[c];
        p->cores[c] =
            x->lane ? arena_printf(p->arena, "P%d_%d_%s", x->rank, x->cluster, lane_name(x->lane))
            : x->index ? arena_printf(p->arena, "P%d_%d", x->rank, x->index)
                       : arena_printf(p->arena, "P%d", x->rank);
    }
}

/* Promela numbers processes and message names in a byte. */
static bool fits(const struct pml *p, struct diag *d)
{
    int processes = 2, messages = 0;
    for (int c = 0; c < p->program->ncores; c++) {
        processes += 1 + p->spontaneous;
        for (int pipe = 0; pipe < PIPE_COUNT; pipe++)
            processes += pml_pipe_used(p, c, pipe);
    }
    messages = (int)p->forms.len;
    int most = processes > messages ? processes : messages;
    if (most <= PML_MOST)
        return true;
    return diag_error(d, p->test->source, (struct span){0},
                      "the Promela model of %s: %d processes and %d kinds of messages, at most %d "
                      "of each are possible",
                      p->test->name, processes, messages, PML_MOST);
}

bool pml_plan(struct pml *p, struct diag *d)
{
    const struct contract *k = p->contract;
    p->masked = k->writeback == WRITEBACK_WORD || k->dcci_unaligned == DCCI_TAIL_ONLY;
    p->evicts = !k->coherent && k->eviction == EVICTION_SPONTANEOUS;
    p->spontaneous = p->evicts || (!k->coherent && k->prefetch == PREFETCH_SPONTANEOUS);
    name_cores(p);
    if (!make_lines(p, d))
        return false;
    if (!pml_cross_known(p, d))
        return false;
    make_copies(p);
    if (!k->coherent)
        make_messages(p);
    p->word_type = pml_word_type(p);
    return fits(p, d);
}
