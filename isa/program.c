/* SPDX-License-Identifier: MIT */
#include "isa/program.h"

#include <inttypes.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/table.h"

static const char *const pipe_names[] = {
    [PIPE_V] = "v", [PIPE_MTE1] = "mte1", [PIPE_MTE2] = "mte2", [PIPE_MTE3] = "mte3",
    [PIPE_M] = "m", [PIPE_FIX] = "fix",   [PIPE_S] = "s",       [PIPE_ALL] = "all",
};
ROW_EACH(pipe_names, PIPE_ALL + 1);

const char *pipe_name(enum pipe p)
{
    return pipe_names[p];
}

const struct insn_kind insn_kinds[] = {
#define INSN(id, name, reads, writes, address, unit, classes)                                      \
    [I_##id] = {name, reads, writes, address, unit, classes},
#include "isa/insns.h"
#undef INSN
};
ROW_EACH(insn_kinds, I_OP_COUNT);

const char *insn_op_name(enum insn_op op)
{
    return insn_kinds[op].name;
}

int insn_pipe(const struct code *code, const struct insn *i)
{
    int unit = insn_kind(i)->unit;
    return unit == UNIT_PA        ? i->pa
           : unit == UNIT_PB      ? i->pb
           : unit == UNIT_TILE_OP ? (int)code->tile_ops[i->aux].pipe
                                  : unit;
}

static const char *const origin_names[] = {ORIGINS(NAME_ROW)};

const char *origin_name(enum origin_kind k)
{
    return origin_names[k];
}

static const char *const lane_names[] = {CORE_LANES(NAME_ROW)};

const char *lane_name(enum lane l)
{
    return lane_names[l];
}

static const char *const cmp_names[] = {COMPARISONS(NAME_ROW)};

const char *cmp_name(enum cmp c)
{
    return cmp_names[c];
}

bool cmp_holds(enum cmp c, int32_t memory, int32_t expected)
{
    switch (c) {
    case CMP_GE:
        return memory >= expected;
    case CMP_GEU:
        return (uint32_t)memory >= (uint32_t)expected;
    case CMP_NE:
        return memory != expected;
    case CMP_LT:
        return memory < expected;
    case CMP_LE:
        return memory <= expected;
    default:
        return memory == expected;
    }
}

const char *core_desc_name(const struct core_desc *c, struct arena *a)
{
    if (c->lane == LANE_NONE)
        return c->index ? arena_printf(a, "%d.%d", c->rank, c->index)
                        : arena_printf(a, "%d", c->rank);
    return c->cluster ? arena_printf(a, "%d.%d.%s", c->rank, c->cluster, lane_name(c->lane))
                      : arena_printf(a, "%d.%s", c->rank, lane_name(c->lane));
}

const char *program_core_name(const struct program *p, int core, struct arena *a)
{
    return core_desc_name(&p->cores[core], a);
}

const char *program_core_phrase(const struct program *p, int core, struct arena *a)
{
    const struct core_desc *c = &p->cores[core];
    return c->lane == LANE_NONE ? arena_printf(a, "rank %d", c->rank)
                                : arena_printf(a, "core %s", core_desc_name(c, a));
}

bool origin_is_rule(enum origin_kind k)
{
    return k == ORIGIN_W1 || k == ORIGIN_W2 || k == ORIGIN_W3 || k == ORIGIN_R1;
}

const struct region *program_region_at(const struct program *p, uint64_t offset)
{
    for (int i = 0; i < p->nregions; i++)
        if (offset >= p->regions[i].offset && offset < p->regions[i].offset + p->regions[i].size)
            return &p->regions[i];
    return NULL;
}

const char *program_where(const struct program *p, uint64_t addr, struct arena *a)
{
    const struct region *g = program_region_at(p, gm_offset(addr));
    if (!g)
        return arena_printf(a, "0x%" PRIx64 "@%d", gm_offset(addr), gm_rank(addr));
    return arena_printf(a, "%s[%" PRIu64 "]@%d", g->name,
                        (gm_offset(addr) - g->offset) / (uint64_t)elem_size(g->elem),
                        gm_rank(addr));
}

const char *program_words(const struct program *p, uint64_t addr, uint64_t end, struct arena *a)
{
    const struct region *g = program_region_at(p, gm_offset(addr));
    uint64_t size = g ? (uint64_t)elem_size(g->elem) : 1, from = g ? g->offset : 0;
    uint64_t first = (gm_offset(addr) - from) / size;
    uint64_t last = end > addr ? (gm_offset(end - 1) - from) / size : first;
    if (!g || last <= first)
        return program_where(p, addr, a);
    return arena_printf(a, "%s[%" PRIu64 "..%" PRIu64 "]@%d", g->name, first, last, gm_rank(addr));
}

/* Which element of g an address is, counted from its first one. */
static int64_t element_of(const struct region *g, uint64_t addr, int *rank)
{
    int64_t offset, size = elem_size(g->elem);
    *rank = gm_home(addr, &offset);
    offset -= (int64_t)g->offset;
    return (offset - (offset < 0 ? size - 1 : 0)) / size;
}

const char *program_element(const struct region *g, uint64_t addr, struct arena *a)
{
    int rank;
    int64_t at = element_of(g, addr, &rank);
    return arena_printf(a, "%s[%" PRId64 "]@%d", g->name, at, rank);
}

const char *program_index(const struct region *g, uint64_t addr, struct arena *a)
{
    int rank;
    int64_t at = element_of(g, addr, &rank), whole = (int64_t)g->size / elem_size(g->elem), inner;
    if (g->ndims < 2)
        return arena_printf(a, "index %" PRId64 " of %s, whose extent is %" PRId64, at, g->name,
                            g->ndims ? g->shape[0] : whole);
    struct strbuf index = strbuf_make(a), extent = strbuf_make(a);
    inner = whole;
    for (int d = 0; d < g->ndims; d++) {
        inner = g->shape[d] ? inner / g->shape[d] : 1;
        inner = inner ? inner : 1;
        int64_t i = (at - (at < 0 ? inner - 1 : 0)) / inner;
        at -= i * inner;
        strbuf_addf(&index, "%s%" PRId64, d ? ", " : "", i);
        strbuf_addf(&extent, "%s%" PRId64, d ? ", " : "", g->shape[d]);
    }
    return arena_printf(a, "index [%s] of %s, whose extent is [%s]", index.text, g->name,
                        extent.text);
}

/* ---- text ---- */

static void add_reg(struct strbuf *b, const struct code *c, int reg)
{
    if (c->reg_names && c->reg_names[reg])
        strbuf_addf(b, "r%d(%s)", reg, c->reg_names[reg]);
    else
        strbuf_addf(b, "r%d", reg);
}

static void add_operand(struct strbuf *b, const struct code *c, int reg, int64_t imm)
{
    if (reg == NO_REG)
        strbuf_addf(b, "%" PRId64, imm);
    else
        add_reg(b, c, reg);
}

static void add_address(struct strbuf *b, const struct program *p, const struct code *c,
                        const struct insn *i)
{
    strbuf_add(b, "[");
    if (i->ra == NO_REG) {
        strbuf_add(b, program_where(p, (uint64_t)i->imm, b->arena));
    } else {
        add_reg(b, c, i->ra);
        if (i->imm)
            strbuf_addf(b, " + %" PRId64, i->imm);
    }
    strbuf_add(b, "]");
    if (i->region >= 0 && i->ra != NO_REG)
        strbuf_addf(b, " of %s", p->regions[i->region].name);
}

static void add_dma(struct strbuf *b, const struct program *p, const struct code *c,
                    const struct insn *i)
{
    const struct dma *d = &c->dmas[i->aux];
    bool load = insn_any(i, CLASS_LOAD);
    strbuf_addf(b, "%s%s %s, ", insn_op_name((enum insn_op)i->op), d->atomic_add ? ".add" : "",
                load ? c->tiles[d->tile].name : "");
    if (!load)
        b->len -= 2, b->text[b->len] = '\0';
    strbuf_add(b, "[");
    if (d->address.reg == NO_REG)
        strbuf_add(b, program_where(p, (uint64_t)d->address.imm, b->arena));
    else
        add_operand(b, c, d->address.reg, d->address.imm);
    strbuf_add(b, "]");
    if (i->region >= 0 && d->address.reg != NO_REG)
        strbuf_addf(b, " of %s", p->regions[i->region].name);
    if (!load)
        strbuf_add(b, ", ");
    if (d->immediate) {
        add_operand(b, c, d->value.reg, d->value.imm);
        return;
    }
    if (!load)
        strbuf_add(b, c->tiles[d->tile].name);
    if (d->placed) {
        strbuf_add(b, " from byte ");
        add_operand(b, c, d->value.reg, d->value.imm);
    }
    strbuf_add(b, d->turned ? ", turned " : ", ");
    add_operand(b, c, d->rows.reg, d->rows.imm);
    strbuf_add(b, " x ");
    add_operand(b, c, d->cols.reg, d->cols.imm);
    strbuf_addf(b, " %s", elem_name(d->elem));
}

static void add_tile_op(struct strbuf *b, const struct code *c, const struct insn *i)
{
    const struct tile_op *t = &c->tile_ops[i->aux];
    strbuf_addf(b, "%s.%s %s", pipe_name(t->pipe),
                tile_op_rows[t->kind].form == FORM_OPAQUE ? t->name : tile_op_rows[t->kind].name,
                c->tiles[t->dst].name);
    for (int s = 0; s < t->nsrc; s++)
        strbuf_addf(b, ", %s", c->tiles[t->src[s]].name);
    unsigned takes = tile_op_rows[t->kind].takes;
    if (takes & (TAKES_PLACE | TAKES_EXTENTS)) {
        strbuf_add(b, takes & TAKES_PLACE ? ", from " : ", ");
        add_operand(b, c, t->rows.reg, t->rows.imm);
        strbuf_add(b, takes & TAKES_PLACE ? ", " : " x ");
        add_operand(b, c, t->cols.reg, t->cols.imm);
    }
    if (takes & TAKES_SCALAR) {
        strbuf_add(b, ", ");
        add_operand(b, c, t->scalar.reg, t->scalar.imm);
    }
}

static void add_alu(struct strbuf *b, const struct code *c, const struct insn *i)
{
    strbuf_addf(b, "%s ", alu_name((enum alu)i->sub));
    add_reg(b, c, i->rd);
    strbuf_add(b, ", ");
    add_operand(b, c, i->ra, i->imm2);
    if (i->sub == ALU_CVT) {
        strbuf_addf(b, ", %s -> %s", elem_name((enum elem)i->elem), elem_name((enum elem)i->elem2));
        return;
    }
    strbuf_add(b, ", ");
    add_operand(b, c, i->rb, i->imm);
}

static void add_memory(struct strbuf *b, const struct program *p, const struct code *c,
                       const struct insn *i)
{
    const struct insn_kind *row = &insn_kinds[i->op];
    strbuf_addf(b, "%s ", row->name);
    if (row->writes) {
        add_reg(b, c, i->rd);
        strbuf_add(b, ", ");
    }
    add_address(b, p, c, i);
    if (row->classes & CLASS_ORDER)
        strbuf_addf(b, " %s ", cmp_name((enum cmp)i->sub));
    else if (row->reads & REG_RB)
        strbuf_add(b, ", ");
    if (row->reads & REG_RB)
        add_operand(b, c, i->rb, i->imm2);
}

static void add_tile_access(struct strbuf *b, const struct code *c, const struct insn *i)
{
    const struct insn_kind *row = &insn_kinds[i->op];
    strbuf_addf(b, "%s ", row->name);
    add_operand(b, c, row->writes ? i->rd : i->rb, i->imm2);
    strbuf_addf(b, ", %s[", c->tiles[i->aux].name);
    add_operand(b, c, i->ra, i->imm);
    strbuf_add(b, "]");
}

/* Without memory or transfer: the registers and numbers that it has. */
static void add_plain(struct strbuf *b, const struct program *p, const struct code *c,
                      const struct insn *i)
{
    const struct insn_kind *row = &insn_kinds[i->op];
    const char *between = " ";
    strbuf_add(b, row->name);
    if (row->writes) {
        strbuf_add(b, between);
        add_reg(b, c, i->rd);
        between = ", ";
    }
    if (row->reads & REG_RA) {
        strbuf_add(b, between);
        add_reg(b, c, i->ra);
        between = ", ";
    }
    if (i->op == I_LI || (row->classes & CLASS_BRANCH))
        strbuf_addf(b, "%s%" PRId64, between, i->imm);
    if (i->op == I_BARRIER)
        strbuf_addf(b, " %s", pipe_name((enum pipe)i->pa));
    if (row->classes & CLASS_FLAG)
        strbuf_addf(b, " %s, %s, %" PRId64, pipe_name((enum pipe)i->pa),
                    pipe_name((enum pipe)i->pb), i->imm);
    if (i->op == I_SET_ATOMIC)
        strbuf_add(b, i->imm ? " add" : " none");
    if (i->op == I_SET_CROSS)
        strbuf_addf(b, " %s, mode %d,", pipe_name((enum pipe)i->pa), i->sub);
    if (row->classes & CLASS_CROSS)
        strbuf_addf(b, " %" PRId64, i->imm);
    if (i->op == I_TASK)
        strbuf_addf(b, " %s", p->tasks[i->imm]);
}

static void add_insn(struct strbuf *b, const struct program *p, const struct code *c,
                     const struct insn *i)
{
    switch (insn_kinds[i->op].address) {
    case ADDRESS_WORD:
    case ADDRESS_LINE:
        add_memory(b, p, c, i);
        break;
    case ADDRESS_TILE:
        add_tile_access(b, c, i);
        break;
    case ADDRESS_DMA:
        add_dma(b, p, c, i);
        break;
    default:
        if (i->op == I_TILE_OP)
            add_tile_op(b, c, i);
        else if (i->op == I_ALU)
            add_alu(b, c, i);
        else
            add_plain(b, p, c, i);
    }
}

const char *insn_text(const struct program *p, const struct code *c, const struct insn *i,
                      struct arena *a)
{
    struct strbuf b = strbuf_make(a);
    add_insn(&b, p, c, i);
    return b.text;
}

static void add_code(struct strbuf *b, const struct program *p, const struct code *c)
{
    for (int n = 0; n < c->count; n++) {
        const struct insn *i = &c->insns[n];
        size_t start = b->len;
        strbuf_addf(b, "%5d  ", n);
        add_insn(b, p, c, i);
        size_t width = b->len - start;
        strbuf_pad(b, ' ', width < 56 ? 56 - width : 1);
        strbuf_addf(b, "; %-9s", origin_name((enum origin_kind)i->origin));
        if (i->span.line)
            strbuf_addf(b, " %s", source_line_words(b->arena, p->source, i->span.line));
        if (i->what)
            strbuf_addf(b, " %s", i->what);
        if (i->site >= 0)
            strbuf_addf(b, " [site %d]", i->site);
        strbuf_add(b, "\n");
    }
}

/* "0.0": a core that is no lane has its index even where it is the first. */
static const char *core_heading(const struct program *p, int core, struct arena *a)
{
    const struct core_desc *c = &p->cores[core];
    return c->lane == LANE_NONE ? arena_printf(a, "%d.%d", c->rank, c->index)
                                : program_core_name(p, core, a);
}

char *program_print(const struct program *p, struct arena *a)
{
    struct strbuf b = strbuf_make(a);
    strbuf_addf(&b, "; program %s, %d ranks, %" PRIu64 " bytes of memory per rank\n", p->name,
                p->nranks, p->gm_bytes);
    static const char *const kinds[] = {
        [REGION_WINDOW] = "window", [REGION_LOCAL] = "local", [REGION_CTX] = "context"};
    ROW_EACH(kinds, REGION_KIND_COUNT);
    for (int i = 0; i < p->nregions; i++) {
        const struct region *g = &p->regions[i];
        strbuf_addf(&b, "; %-7s %-20s offset %6" PRIu64 ", %6" PRIu64 " bytes of %s\n",
                    kinds[g->kind], g->name, g->offset, g->size, elem_name(g->elem));
    }
    for (const char *line = p->plan; line && *line; line += strcspn(line, "\n") + 1)
        strbuf_addf(&b, "; %.*s\n", (int)strcspn(line, "\n"), line);
    const struct code *last = NULL;
    for (int c = 0; c < p->ncores; c++) {
        if (p->cores[c].code == last)
            continue;
        last = p->cores[c].code;
        int end = c;
        while (end + 1 < p->ncores && p->cores[end + 1].code == last)
            end++;
        if (end > c)
            strbuf_addf(&b, "; cores of ranks %d to %d\n", p->cores[c].rank, p->cores[end].rank);
        else
            strbuf_addf(&b, "; core %s\n", core_heading(p, c, a));
        add_code(&b, p, last);
    }
    return b.text;
}

struct program *program_without(const struct program *p, const bool *removed, struct arena *a)
{
    struct program *copy = arena_dup(a, p, sizeof *p);
    copy->cores = arena_dup(a, p->cores, sizeof *p->cores * (size_t)p->ncores);
    const struct code *from = NULL, *to = NULL;
    for (int c = 0; c < p->ncores; c++) {
        if (p->cores[c].code != from) {
            from = p->cores[c].code;
            struct code *code = arena_dup(a, from, sizeof *from);
            code->insns = arena_dup(a, from->insns, sizeof *from->insns * (size_t)from->count);
            for (int i = 0; i < code->count; i++)
                if (code->insns[i].site >= 0 && removed[code->insns[i].site])
                    code->insns[i].flags |= INSN_REMOVED;
            to = code;
        }
        copy->cores[c].code = to;
    }
    return copy;
}
