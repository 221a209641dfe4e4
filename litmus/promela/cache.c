/* SPDX-License-Identifier: MIT */
/* Caches and fabric as Promela: copies of lines, what fills and cleans them, messages. */
#include <inttypes.h>

#include "litmus/promela/internal.h"

static const struct pml_line *line_at(const struct pml *p, int line)
{
    return &p->lines.items[line];
}

static uint64_t all_words(const struct pml *p, int line)
{
    return ((uint64_t)2 << (line_at(p, line)->count - 1)) - 1;
}

/* "P0_x_at1": the copy of a word, and the stem of the names of its line's state. */
static const char *copy_of(const struct pml *p, int core, const char *name)
{
    return arena_printf(p->arena, "%s_%s", p->cores[core], name);
}

static const char *stem(const struct pml *p, int core, int line)
{
    return copy_of(p, core, line_at(p, line)->name);
}

static const char *word_copy(const struct pml *p, int core, int line, int bit)
{
    return copy_of(p, core, p->words.items[line_at(p, line)->first + bit].name);
}

bool pml_has_copy(const struct pml *p, int core, int line)
{
    const struct pml_copy *y = pml_copy_of(p, core, line);
    return !p->contract->coherent && (y->loads || y->delta);
}

#define foreach_bit(bit, mask)                                                                     \
    for (int bit = 0; bit < PML_WORDS_OF_LINE; bit++)                                              \
        if ((mask) >> bit & 1)

/* ---- variables ---- */

static void print_variables(struct strbuf *b, const struct pml *p, int core, int line)
{
    const struct pml_copy *y = pml_copy_of(p, core, line);
    const char *flag = p->masked ? "int" : "bool", *s = stem(p, core, line);
    if (y->loads)
        strbuf_addf(b, "%s %s_valid;\n", flag, s);
    if (y->stored)
        strbuf_addf(b, "%s %s_dirty;\n", flag, s);
    if (y->delta)
        strbuf_addf(b, "%s %s_pending;\n", flag, s);
    foreach_bit(bit, pml_carried(p, core, line))
        strbuf_addf(b, "%s %s;\n", p->word_type, word_copy(p, core, line, bit));
    foreach_bit(bit, y->delta)
        strbuf_addf(b, "%s %s_delta;\n", p->word_type, word_copy(p, core, line, bit));
}

/* ---- filling ---- */

static void print_have(struct strbuf *b, const struct pml *p, int core, int line)
{
    const char *s = stem(p, core, line);
    strbuf_addf(b, "inline %s_have(%s) {\n    if\n", s, p->masked ? "m" : "");
    strbuf_addf(b, p->masked ? "    :: !(%s_valid & (m)) ->\n" : "    :: !%s_valid ->\n", s);
    foreach_bit(bit, pml_carried(p, core, line))
    {
        const char *w = word_copy(p, core, line, bit);
        const char *from = p->words.items[line_at(p, line)->first + bit].name;
        if (p->masked)
            strbuf_addf(b, "       %s = (%s_valid & %" PRIu64 " -> %s : gm_%s);\n", w, s,
                        (uint64_t)1 << bit, w, from);
        else
            strbuf_addf(b, "       %s = gm_%s;\n", w, from);
    }
    if (p->masked)
        strbuf_addf(b, "       %s_valid = %" PRIu64 ";\n", s, all_words(p, line));
    else
        strbuf_addf(b, "       %s_valid = true;\n", s);
    strbuf_add(b, "    :: else\n    fi\n}\n");
}

const char *pml_have(const struct pml *p, int core, int word)
{
    const struct pml_word *w = &p->words.items[word];
    const char *s = stem(p, core, w->line);
    return p->masked ? arena_printf(p->arena, "%s_have(%" PRIu64 ")", s, (uint64_t)1 << w->bit)
                     : arena_printf(p->arena, "%s_have()", s);
}

/* The words from the cell on, or the whole line, were dropped; a prefetch may have been faster. */
const char *pml_refill(const struct pml *p, int core, int word)
{
    const struct pml_word *w = &p->words.items[word];
    const char *s = stem(p, core, w->line), *have = pml_have(p, core, word);
    if (!p->masked)
        return arena_printf(p->arena, "%s_valid = false; %s", s, have);
    uint64_t kept = p->contract->dcci_unaligned == DCCI_TAIL_ONLY ? ((uint64_t)1 << w->bit) - 1 : 0;
    return arena_printf(p->arena, "%s_valid = %s_valid & %" PRIu64 "; %s", s, s, kept, have);
}

const char *pml_may_access(const struct pml *p, int core, int word)
{
    const struct pml_word *w = &p->words.items[word];
    if (!pml_counted(p, core, PATH_SCALAR, w->line))
        return NULL;
    const char *s = stem(p, core, w->line), *n = pml_counter(p, core, PATH_SCALAR, w->line);
    return p->masked ? arena_printf(p->arena, "(%s_valid & %" PRIu64 ") || %s == 0", s,
                                    (uint64_t)1 << w->bit, n)
                     : arena_printf(p->arena, "%s_valid || %s == 0", s, n);
}

/* ---- messages ---- */

static void add_sent(struct strbuf *b, const struct pml *p, const struct pml_form *f, int path)
{
    if (pml_counted(p, f->core, path, f->line))
        strbuf_addf(b, "; %s++", pml_counter(p, f->core, path, f->line));
}

/* channel!form, mask, then the values, then zeros up to the channel's width. */
static void begin_send(struct strbuf *b, const struct pml *p, const struct pml_form *f,
                       const char *mask)
{
    const struct pml_channel *c = &p->channels.items[f->channel];
    strbuf_addf(b, "%s!%s", c->name, f->name);
    if (c->masked)
        strbuf_addf(b, ", %s", mask);
}

static void fill_up(struct strbuf *b, const struct pml *p, const struct pml_form *f, int values,
                    const char *with)
{
    for (; values < p->channels.items[f->channel].values; values++)
        strbuf_addf(b, ", %s", with);
}

const char *pml_send(const struct pml *p, int core, enum pml_kind kind, int word, const char *value)
{
    struct strbuf b = strbuf_make(p->arena);
    const struct pml_form *f = pml_form_of(p, core, kind, word);
    begin_send(&b, p, f, "0");
    strbuf_addf(&b, ", %s", value);
    fill_up(&b, p, f, 1, "0");
    add_sent(&b, p, f, kind == PML_DEV ? PATH_SCALAR : PATH_DMA);
    return b.text;
}

/* ---- cleaning ---- */

static void print_clean_deltas(struct strbuf *b, const struct pml *p, int core, int line)
{
    const struct pml_copy *y = pml_copy_of(p, core, line);
    const struct pml_form *f = pml_form_of(p, core, PML_DELTA, line);
    const char *s = stem(p, core, line);
    strbuf_addf(b,
                p->masked ? "    if\n    :: %s_pending & (m) ->\n       "
                          : "    if\n    :: %s_pending ->\n       ",
                s);
    begin_send(b, p, f, "0");
    int n = 0;
    foreach_bit(bit, y->delta)
    {
        const char *w = word_copy(p, core, line, bit);
        if (p->masked)
            strbuf_addf(b, ", ((m) & %" PRIu64 " -> %s_delta : 0)", (uint64_t)1 << bit, w);
        else
            strbuf_addf(b, ", %s_delta", w);
        n++;
    }
    fill_up(b, p, f, n, "0");
    add_sent(b, p, f, PATH_SCALAR);
    strbuf_add(b, ";\n");
    foreach_bit(bit, y->delta)
    {
        const char *w = word_copy(p, core, line, bit);
        if (p->masked)
            strbuf_addf(b, "       %s_delta = ((m) & %" PRIu64 " -> 0 : %s_delta);\n", w,
                        (uint64_t)1 << bit, w);
        else
            strbuf_addf(b, "       %s_delta = 0;\n", w);
    }
    if (p->masked)
        strbuf_addf(b, "       %s_pending = %s_pending & ~(m)\n", s, s);
    else
        strbuf_addf(b, "       %s_pending = false\n", s);
    strbuf_add(b, "    :: else\n    fi");
}

static void print_clean_dirty(struct strbuf *b, const struct pml *p, int core, int line)
{
    const struct pml_form *f = pml_form_of(p, core, PML_LINE, line);
    const char *s = stem(p, core, line);
    const char *goes = arena_printf(p->arena, "%s_%s & (m)", s,
                                    p->contract->writeback == WRITEBACK_WORD ? "dirty" : "valid");
    strbuf_addf(b,
                p->masked ? "    if\n    :: %s_dirty & (m) ->\n       "
                          : "    if\n    :: %s_dirty ->\n       ",
                s);
    begin_send(b, p, f, goes);
    for (int bit = 0; bit < line_at(p, line)->count; bit++) {
        const char *w = word_copy(p, core, line, bit);
        if (p->masked)
            strbuf_addf(b, ", (%s & %" PRIu64 " -> %s : 0)", goes, (uint64_t)1 << bit, w);
        else
            strbuf_addf(b, ", %s", w);
    }
    fill_up(b, p, f, line_at(p, line)->count, "0");
    add_sent(b, p, f, PATH_SCALAR);
    if (p->masked)
        strbuf_addf(b, ";\n       %s_dirty = %s_dirty & ~(m)\n", s, s);
    else
        strbuf_addf(b, ";\n       %s_dirty = false\n", s);
    strbuf_add(b, "    :: else\n    fi");
}

/* Adds before the write of a line (docs/machine.md); dropped data is zeroed, so that equal caches
 * are equal states. */
static void print_clean(struct strbuf *b, const struct pml *p, int core, int line)
{
    const struct pml_copy *y = pml_copy_of(p, core, line);
    const char *s = stem(p, core, line);
    strbuf_addf(b, "inline %s_clean(%s) {\n", s, p->masked ? "m" : "");
    if (y->delta)
        print_clean_deltas(b, p, core, line);
    strbuf_add(b, y->delta && y->loads ? ";\n" : y->delta ? "\n" : "");
    if (y->stored) {
        print_clean_dirty(b, p, core, line);
        strbuf_add(b, ";\n");
    }
    foreach_bit(bit, pml_carried(p, core, line))
    {
        const char *w = word_copy(p, core, line, bit);
        if (p->masked)
            strbuf_addf(b, "    %s = ((m) & %" PRIu64 " -> 0 : %s);\n", w, (uint64_t)1 << bit, w);
        else
            strbuf_addf(b, "    %s = 0;\n", w);
    }
    if (y->loads && p->masked)
        strbuf_addf(b, "    %s_valid = %s_valid & ~(m)\n", s, s);
    else if (y->loads)
        strbuf_addf(b, "    %s_valid = false\n", s);
    strbuf_add(b, "}\n");
}

const char *pml_clean(const struct pml *p, int core, int line, uint64_t mask)
{
    if (!pml_has_copy(p, core, line) || !mask)
        return NULL;
    const char *s = stem(p, core, line);
    return p->masked ? arena_printf(p->arena, "%s_clean(%" PRIu64 ")", s, mask)
                     : arena_printf(p->arena, "%s_clean()", s);
}

void pml_print_copies(struct strbuf *b, const struct pml *p, int core)
{
    for (int line = 0; line < (int)p->lines.len && !p->contract->coherent; line++) {
        for (int path = 0; path < PATH_COUNT; path++)
            if (pml_counted(p, core, path, line))
                strbuf_addf(b, "byte %s;\n", pml_counter(p, core, path, line));
        if (!pml_has_copy(p, core, line))
            continue;
        print_variables(b, p, core, line);
        if (pml_copy_of(p, core, line)->loads)
            print_have(b, p, core, line);
        print_clean(b, p, core, line);
    }
}

/* ---- fabric ---- */

static void add_memory_words(struct strbuf *b, const struct pml *p, const struct pml_form *f)
{
    const struct pml_line *l = line_at(p, f->line);
    int n = l->count;
    if (f->kind == PML_LINE)
        for (int i = 0; i < n; i++)
            strbuf_addf(b, ", gm_%s", p->words.items[l->first + i].name);
    else
        strbuf_addf(b, ", gm_%s", p->words.items[f->word].name), n = 1;
    fill_up(b, p, f, n, "_");
}

/* Values land in hidden variables first, and are added or chosen by the mask. */
static void add_combined(struct strbuf *b, const struct pml *p, const struct pml_form *f)
{
    const struct pml_line *l = line_at(p, f->line);
    uint64_t words = f->kind == PML_ADD     ? (uint64_t)1 << p->words.items[f->word].bit
                     : f->kind == PML_DELTA ? pml_copy_of(p, f->core, f->line)->delta
                                            : all_words(p, f->line);
    struct strbuf effect = strbuf_make(p->arena);
    int n = 0;
    foreach_bit(bit, words)
    {
        const char *w = p->words.items[l->first + bit].name;
        strbuf_addf(b, ", v%d", n);
        if (f->kind == PML_LINE)
            strbuf_addf(&effect, "; gm_%s = (carried & %" PRIu64 " -> v%d : gm_%s)", w,
                        (uint64_t)1 << bit, n, w);
        else
            strbuf_addf(&effect, "; gm_%s = gm_%s + v%d", w, w, n);
        n++;
    }
    fill_up(b, p, f, n, "_");
    strbuf_add(b, effect.text);
}

static void print_delivery(struct strbuf *b, const struct pml *p, const struct pml_form *f)
{
    const struct pml_channel *c = &p->channels.items[f->channel];
    bool masked_line = p->masked && f->kind == PML_LINE;
    int path = f->kind == PML_PUT || f->kind == PML_ADD ? PATH_DMA : PATH_SCALAR;
    strbuf_addf(b, "    :: d_step { %s?%s", c->name, f->name);
    if (c->masked)
        strbuf_add(b, masked_line ? ", carried" : ", _");
    if (masked_line || f->kind == PML_ADD || f->kind == PML_DELTA)
        add_combined(b, p, f);
    else
        add_memory_words(b, p, f);
    if (pml_counted(p, f->core, path, f->line))
        strbuf_addf(b, "; %s--", pml_counter(p, f->core, path, f->line));
    strbuf_add(b, " }\n");
}

void pml_print_fabric(struct strbuf *b, const struct pml *p)
{
    if (!p->forms.len)
        return;
    strbuf_add(b, "/* The oldest message of a channel is applied to memory, and acknowledged. */\n"
                  "active proctype fabric() {\n    do\n");
    vec_foreach (const struct pml_form, f, &p->forms)
        print_delivery(b, p, f);
    strbuf_add(b, "    od\n}\n\n");
}

/* ---- spontaneous steps ---- */

/* "P0_x_at1_valid || P0_x_at1_pending": what the copy has. */
static const char *either(const struct pml *p, const char *s, bool x, const char *x_name, bool y,
                          const char *y_name)
{
    return arena_printf(p->arena, "%s%s%s%s%s", x ? s : "", x ? x_name : "", x && y ? " || " : "",
                        y ? s : "", y ? y_name : "");
}

/* A clean copy of a core that has ended is of no use: whether it leaves makes no difference. */
static void print_eviction(struct strbuf *b, const struct pml *p, int core, int line)
{
    const struct pml_copy *y = pml_copy_of(p, core, line);
    const char *s = stem(p, core, line);
    bool writes = y->stored || y->delta;
    strbuf_addf(b, "    :: d_step { ((!%s_ended && (%s))", p->cores[core],
                either(p, s, y->loads, "_valid", y->delta, "_pending"));
    if (writes)
        strbuf_addf(b, " || %s", either(p, s, y->stored, "_dirty", y->delta, "_pending"));
    strbuf_addf(b, "); over = ENDED; %s }\n", pml_clean(p, core, line, all_words(p, line)));
}

static void print_prefetch(struct strbuf *b, const struct pml *p, int core, int line)
{
    const char *s = stem(p, core, line);
    strbuf_addf(b, "    :: d_step { (!%s_ended && !%s_valid", p->cores[core], s);
    if (pml_counted(p, core, PATH_SCALAR, line))
        strbuf_addf(b, " && %s == 0", pml_counter(p, core, PATH_SCALAR, line));
    strbuf_addf(b, "); %s }\n", pml_have(p, core, line_at(p, line)->first));
}

void pml_print_spontaneous(struct strbuf *b, const struct pml *p, int core)
{
    struct strbuf options = strbuf_make(p->arena);
    for (int line = 0; line < (int)p->lines.len && p->spontaneous; line++) {
        if (!pml_has_copy(p, core, line))
            continue;
        if (p->contract->eviction == EVICTION_SPONTANEOUS)
            print_eviction(&options, p, core, line);
        if (p->contract->prefetch == PREFETCH_SPONTANEOUS && pml_copy_of(p, core, line)->prefetched)
            print_prefetch(&options, p, core, line);
    }
    if (options.len)
        strbuf_addf(b,
                    "/* Lines leave the cache of %s, and come, on their own. */\n"
                    "active proctype %s_cache() {\n    do\n%s    od\n}\n\n",
                    p->cores[core], p->cores[core], options.text);
}

void pml_add_all_clean(struct strbuf *b, const struct pml *p)
{
    if (p->contract->eviction != EVICTION_SPONTANEOUS)
        return;
    for (int core = 0; core < p->program->ncores; core++)
        for (int line = 0; line < (int)p->lines.len; line++) {
            const struct pml_copy *y = pml_copy_of(p, core, line);
            if (y->stored || y->delta)
                strbuf_addf(
                    b, " && !(%s)",
                    either(p, stem(p, core, line), y->stored, "_dirty", y->delta, "_pending"));
        }
}
