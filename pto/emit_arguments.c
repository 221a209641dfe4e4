/* SPDX-License-Identifier: MIT */
/* The arguments of a run, which its lanes share, and the directives that bind them. */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "pto/emit_internal.h"

/* ---- names ---- */

/* The reader cuts a name at two underscores, and takes none that is there already. */
static const char *plain_name(struct emitter *e, const char *name)
{
    struct strbuf b = strbuf_make(e->arena);
    for (const char *c = name; *c; c++) {
        bool letter = isalnum((unsigned char)*c);
        if (letter || (b.len && b.text[b.len - 1] != '_'))
            strbuf_addf(&b, "%c", letter ? *c : '_');
    }
    return b.len && !isdigit((unsigned char)*b.text)
               ? b.text
               : arena_printf(e->arena, "m%s", b.len ? b.text : "");
}

static bool is_taken(const char *const *names, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(names[i], name))
            return true;
    return false;
}

const char *emitter_unused_name(struct emitter *e, const char *const *taken, size_t n,
                                const char *name)
{
    const char *plain = plain_name(e, name), *shown = plain;
    for (int k = 2; is_taken(taken, n, shown); k++)
        shown = arena_printf(e->arena, "%s_%d", plain, k);
    return shown;
}

void emitter_name_regions(struct emitter *e)
{
    e->region_names = arena_array(e->arena, const char *, (size_t)e->p->nregions + 1);
    for (int i = 0; i < e->p->nregions; i++)
        e->region_names[i] =
            emitter_unused_name(e, e->region_names, (size_t)i, e->p->regions[i].name);
}

/* ---- arguments ---- */

int emitter_code_end(const struct emitter *e, int first)
{
    int end = first + 1;
    while (end < (int)e->b->code.len && !insn_any(&e->b->code.items[end], CLASS_TASK))
        end++;
    return end;
}

int emitter_code_of(const struct emitter *e, const struct run_lane *lane)
{
    int at = 0;
    while (e->b->code.items[at].op != I_TASK || e->b->code.items[at].imm != lane->task)
        at++;
    return at;
}

static void note_operand(bool *used, struct operand o)
{
    if (o.reg != NO_REG)
        used[o.reg] = true;
}

/* Registers that an instruction reads. */
static void note_reads(const struct emitter *e, const struct insn *i, bool *used)
{
    if (insn_kind(i)->reads & REG_RA)
        note_operand(used, (struct operand){i->ra, 0});
    if (insn_kind(i)->reads & REG_RB)
        note_operand(used, (struct operand){i->rb, 0});
    if (insn_any(i, CLASS_DMA)) {
        const struct dma *d = &e->b->dmas.items[i->aux];
        const struct operand all[] = {d->address, d->rows, d->cols};
        for (size_t k = 0; k < sizeof all / sizeof *all; k++)
            note_operand(used, all[k]);
        if (d->placed || d->immediate)
            note_operand(used, d->value);
    }
    if (i->op == I_TILE_OP) {
        const struct tile_op *t = &e->b->tile_ops.items[i->aux];
        unsigned takes = tile_op_rows[t->kind].takes;
        note_operand(used, t->scalar);
        if (takes & (TAKES_EXTENTS | TAKES_PLACE)) {
            note_operand(used, t->rows);
            note_operand(used, t->cols);
        }
    }
}

/* What the lane's code needs of its starts; a function that stands alone has all. */
bool *emitter_used(struct emitter *e, const struct run_lane *lane)
{
    bool *used = arena_array(e->arena, bool, e->b->reg_names.len + 1);
    int first = emitter_code_of(e, lane), end = emitter_code_end(e, first);
    for (int i = first; i < end; i++)
        note_reads(e, &e->b->code.items[i], used);
    bool alone = e->b->runs.len == 1 && e->run->lanes.len == 1;
    vec_foreach (const struct start, s, &lane->starts)
        used[s->reg] |= alone && (s->kind == START_POINTER || s->kind == START_NUMBER);
    return used;
}

bool emitter_in_operation(const struct emitter *e, int at)
{
    vec_foreach (const struct operation_code, o, &e->b->operations)
        if (at >= o->first && at < o->end)
            return true;
    return false;
}

bool *emitter_needed(struct emitter *e, int first, int end)
{
    bool *needed = arena_array(e->arena, bool, e->b->reg_names.len + 1);
    for (int at = first; at < end; at++)
        if (!emitter_in_operation(e, at))
            note_reads(e, &e->b->code.items[at], needed);
    return needed;
}

static bool is_slots(const struct emitter *e, int region)
{
    vec_foreach (const struct operation_code, o, &e->b->operations)
        if (o->kind == OPERATION_PIPE && o->region == region)
            return true;
    return false;
}

static bool same_everywhere(const struct emitter *e, const int64_t *values)
{
    for (int r = 1; r < e->p->nranks; r++)
        if (values[r] != values[0])
            return false;
    return true;
}

static bool is_context(const struct emitter *e, const struct start *s)
{
    return s->kind == START_POINTER && e->p->regions[s->region].kind == REGION_CTX;
}

static bool is_number(const struct emitter *e, const struct start *s)
{
    return s->kind == START_NUMBER || (s->kind == START_POINTER && !same_everywhere(e, s->values));
}

/* The argument that the start needs of that kind is there. */
static struct argument *find_argument(struct emitter *e, enum argument_kind kind,
                                      const struct start *s)
{
    vec_foreach (struct argument, a, &e->args)
        if (a->kind == kind &&
            (kind == ARGUMENT_NUMBER ? a->start->reg == s->reg : a->region == s->region))
            return a;
    return NULL;
}

static void add_argument(struct emitter *e, enum argument_kind kind, const struct start *s)
{
    if (find_argument(e, kind, s))
        return;
    const char *type =
        kind == ARGUMENT_CONTEXT ? "!pto.ptr<i64>"
        : kind == ARGUMENT_SLOTS ? "!pto.ptr<f32>"
        : kind == ARGUMENT_TENSOR
            ? arena_printf(e->arena, "!pto.ptr<%s>", emitter_elem(e->p->regions[s->region].elem))
        : s->kind == START_NUMBER && s->elem == ELEM_F32 ? "f32"
                                                         : "index";
    struct argument a = {kind, kind == ARGUMENT_NUMBER ? -1 : s->region, s, type,
                         arena_printf(e->arena, "%%arg%zu", e->args.len)};
    vec_push(e->arena, &e->args, a);
}

/* Tensors, then scalars, then contexts (pto-facts 1.3), of all lanes in one list. */
void emitter_arguments(struct emitter *e)
{
    e->args.len = 0;
    for (int kind = ARGUMENT_TENSOR; kind <= ARGUMENT_CONTEXT; kind++)
        vec_foreach (const struct run_lane, lane, &e->run->lanes) {
            const bool *used = emitter_used(e, lane);
            vec_foreach (const struct start, s, &lane->starts) {
                bool pointer = s->kind == START_POINTER && !is_context(e, s),
                     slots = pointer && is_slots(e, s->region);
                bool wanted = kind == ARGUMENT_TENSOR   ? pointer && !slots
                              : kind == ARGUMENT_SLOTS  ? slots
                              : kind == ARGUMENT_NUMBER ? is_number(e, s)
                                                        : is_context(e, s);
                if (wanted && used[s->reg])
                    add_argument(e, (enum argument_kind)kind, s);
            }
        }
}

static const char *const hidden_names[] = {[START_BLOCK] = "%__pypto_spmd_block_idx",
                                           [START_BLOCKS] = "%__pypto_spmd_block_num",
                                           [START_VECTOR] = "%__pypto_spmd_subblock_idx"};

bool emitter_is_hidden(const struct start *s)
{
    return s->kind == START_BLOCK || s->kind == START_BLOCKS || s->kind == START_VECTOR;
}

static struct value pointer_of(struct emitter *e, const struct start *s)
{
    enum argument_kind kind = is_context(e, s)         ? ARGUMENT_CONTEXT
                              : is_slots(e, s->region) ? ARGUMENT_SLOTS
                                                       : ARGUMENT_TENSOR;
    const struct argument *a = find_argument(e, kind, s), *moved;
    struct value v = {.kind = a ? VALUE_POINTER : VALUE_NONE, .region = s->region};
    if (!a)
        return v;
    v.base = a->name;
    v.n = s->values[0];
    if (!is_number(e, s) || !(moved = find_argument(e, ARGUMENT_NUMBER, s)))
        return v;
    v.n = 0;
    v.name = emitter_new(e);
    emitter_line(e, "%s = arith.muli %s, %s : index", v.name, moved->name,
                 emitter_constant(e, elem_size(e->p->regions[s->region].elem), "index"));
    return v;
}

void emitter_bind(struct emitter *e, const bool *used)
{
    vec_foreach (const struct start, s, &e->lane->starts) {
        const struct argument *a = find_argument(e, ARGUMENT_NUMBER, s);
        if (emitter_is_hidden(s) && used[s->reg]) {
            const char *n = emitter_new(e);
            emitter_line(e, "%s = arith.index_cast %s : i32 to index", n, hidden_names[s->kind]);
            e->regs[s->reg] = emitter_number(n, VALUE_INDEX);
        } else if (s->kind == START_POINTER) {
            e->regs[s->reg] = pointer_of(e, s);
        } else if (a) {
            e->regs[s->reg] =
                emitter_number(a->name, s->elem == ELEM_F32 ? VALUE_F32 : VALUE_INDEX);
        }
    }
}

void emitter_signature(struct emitter *e, const bool *used, struct strbuf *out)
{
    bool any = false;
    vec_foreach (const struct argument, a, &e->args) {
        strbuf_addf(out, "%s%s: %s", any ? ", " : "", a->name, a->type);
        any = true;
    }
    vec_foreach (const struct start, s, &e->lane->starts)
        if (emitter_is_hidden(s) && (used[s->reg] || s->kind == START_VECTOR)) {
            strbuf_addf(out, "%s%s: i32", any ? ", " : "", hidden_names[s->kind]);
            any = true;
        }
}

/* ---- directives ---- */

/* What the argument is given: a whole number, or elements of a pointer's move. */
static bool given_value(struct emitter *e, const struct start *s, int rank, int64_t *out)
{
    *out = s->values[rank];
    if (s->kind == START_POINTER)
        *out /= elem_size(e->p->regions[s->region].elem);
    if (s->kind == START_POINTER || s->elem != ELEM_F32)
        return true;
    uint32_t bits = (uint32_t)*out;
    float x;
    memcpy(&x, &bits, sizeof x);
    *out = fabsf(x) < 1e9f ? (int64_t)x : 0;
    return (float)*out == x ||
           emitter_error(e, "a scalar argument that is no whole number is not said in a .pto file");
}

/* One expression for all ranks. */
static const char *expression(struct emitter *e, const struct start *s)
{
    bool linear = true;
    int64_t first = 0, step = 0, x;
    struct strbuf b = strbuf_make(e->arena);
    for (int r = 0; r < e->p->nranks; r++) {
        if (!given_value(e, s, r, &x))
            return NULL;
        first = r ? first : x;
        step = r == 1 ? x - first : step;
        linear &= x == first + r * step;
        strbuf_addf(&b, "%s%" PRId64 "*(rank==%d)", r ? "+" : "", x, r);
    }
    if (!linear)
        return b.text;
    const char *by = step == 1 ? "rank" : arena_printf(e->arena, "rank*%" PRId64, step);
    return !step    ? arena_printf(e->arena, "%" PRId64, first)
           : !first ? by
                    : arena_printf(e->arena, "%s+%" PRId64, by, first);
}

static bool is_written(const struct emitter *e, int region)
{
    vec_foreach (const struct insn, i, &e->b->code)
        if (insn_any(i, CLASS_STORE) && (i->region == region || i->region < 0))
            return true;
    return false;
}

/* What the tensor holds at first, and whether it is compared in the end; NULL: as its uses tell. */
static const char *direction_of(const struct emitter *e, int region)
{
    const struct region *r = &e->p->regions[region];
    if (r->kind == REGION_WINDOW)
        return NULL;
    if (r->output)
        return r->uninitialised ? "out" : "inout";
    return r->uninitialised || is_written(e, region) ? NULL : "in";
}

bool emitter_directives(struct emitter *e, struct strbuf *out)
{
    const char *lead = e->b->runs.len > 1 ? arena_printf(e->arena, "%s.", e->task) : "";
    vec_foreach (const struct argument, a, &e->args) {
        const struct region *r = a->region < 0 ? NULL : &e->p->regions[a->region];
        const char *name = arena_printf(e->arena, "%s%s", lead, a->name + 1);
        const char *value = a->kind == ARGUMENT_NUMBER ? expression(e, a->start) : "";
        if (!value)
            return false;
        if (a->kind == ARGUMENT_NUMBER)
            strbuf_addf(out, "// fencebench: arg %s=%s\n", name, value);
        if (a->kind != ARGUMENT_TENSOR)
            continue;
        const char *direction = direction_of(e, a->region);
        strbuf_addf(out, "// fencebench: %s %s\n// fencebench: size %s=%" PRIu64 "\n",
                    r->kind == REGION_WINDOW ? "window" : "local", name, name,
                    r->size / (uint64_t)elem_size(r->elem));
        if (direction)
            strbuf_addf(out, "// fencebench: %s %s\n", direction, name);
    }
    return true;
}
