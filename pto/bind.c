/* SPDX-License-Identifier: MIT */
/*
 * What a file's arguments are (pto-facts 4): recognised by type, place and use, or given from
 * outside; and the memory behind them.
 */
#include <inttypes.h>
#include <string.h>

#include "base/strbuf.h"
#include "pto/lower.h"

/* ---- looking through a function ---- */

enum { MAX_CALLS = 16 };

struct use_visit {
    struct lower *l;
    int depth; /* of calls */
};

typedef void visitor(void *ctx, const struct pto_op *op);

static bool is(const struct pto_op *op, const char *name)
{
    return op && !strcmp(op->name, name);
}

static void visit(struct use_visit *v, const struct pto_op *op, visitor *fn, void *ctx);

static void visit_regions(struct use_visit *v, const struct pto_op *op, visitor *fn, void *ctx)
{
    vec_foreach (struct pto_region *, r, &op->regions)
        vec_foreach (struct pto_block *, b, &(*r)->blocks)
            vec_foreach (struct pto_op *, inner, &(*b)->ops)
                visit(v, *inner, fn, ctx);
}

/* What the called function does with what it is handed. */
static void visit_called(struct use_visit *v, const struct pto_op *call, visitor *fn, void *ctx)
{
    const struct pto_op *f = lower_callee(v->l, call);
    if (!f || v->depth >= MAX_CALLS)
        return;
    const struct pto_block *b = f->regions.items[0]->blocks.items[0];
    for (size_t i = 0; i < b->args.len && i < call->operands.len; i++)
        map_put(&v->l->handed, b->args.items[i], (void *)call->operands.items[i].value);
    v->depth++;
    visit_regions(v, f, fn, ctx);
    v->depth--;
}

static void visit(struct use_visit *v, const struct pto_op *op, visitor *fn, void *ctx)
{
    fn(ctx, op);
    visit_regions(v, op, fn, ctx);
    if (is(op, "func.call"))
        visit_called(v, op, fn, ctx);
}

/* What stands for the argument of a called function. */
static const struct pto_value *outer_value(const struct lower *l, const struct pto_value *v)
{
    for (int depth = 0; v && !v->def && depth < MAX_CALLS; depth++) {
        const struct pto_value *handed = map_get(&l->handed, v);
        if (!handed)
            break;
        v = handed;
    }
    return v;
}

static const struct pto_value *first_operand(const struct pto_op *op)
{
    return op && op->operands.len ? op->operands.items[0].value : NULL;
}

/* The argument that a pointer or view comes from. */
static const struct pto_value *root_of(const struct lower *l, const struct pto_value *v)
{
    v = outer_value(l, v);
    while (v && v->def &&
           (is(v->def, "pto.make_tensor_view") || is(v->def, "pto.partition_view") ||
            is(v->def, "pto.addptr")))
        v = outer_value(l, first_operand(v->def));
    return v;
}

/* The pointer that a number was loaded through, through the arithmetic of a peer's address. */
static const struct pto_value *loaded_from(const struct lower *l, const struct pto_value *v)
{
    v = outer_value(l, v);
    for (int steps = 0; v && v->def && steps < 16; steps++) {
        if (is(v->def, "pto.load_scalar"))
            return first_operand(v->def);
        v = outer_value(l, first_operand(v->def));
    }
    return NULL;
}

/* Of the lane in hand. */
static struct pto_arg *arg_of(struct lower *l, const struct pto_value *v)
{
    v = outer_value(l, v);
    for (size_t i = l->own_first; v && !v->def && i < l->own_end; i++)
        if (l->args.items[i].value == v)
            return &l->args.items[i];
    return NULL;
}

/* A number that stands in the text. */
static bool known_number(const struct lower *l, const struct pto_operand *o, int64_t *out)
{
    const struct pto_value *v = outer_value(l, o->value);
    const struct pto_op *def = v ? v->def : NULL;
    *out = o->number;
    if (!o->value)
        return true;
    if (!is(def, "arith.constant") || !def->attrs.len || def->attrs.items[0].kind != PTO_INT)
        return false;
    *out = def->attrs.items[0].number;
    return true;
}

/* ---- what the uses say ---- */

static void note_read(struct pto_arg *a)
{
    a->read_first |= !a->written;
    a->read = true;
}

static void note_access(struct lower *l, const struct pto_op *op, const struct pto_value *v,
                        bool read, bool write)
{
    struct pto_arg *a = arg_of(l, root_of(l, v));
    if (!a)
        return;
    if (read)
        note_read(a);
    a->written |= write;
    a->writes = a->writes || !write ? a->writes : op;
}

/* Operations that read and write memory by their operands: which operand of a group (-1: all), how. */
static const struct {
    const char *name, *group;
    int n;
    bool read, write;
} accesses[] = {
    {"pto.tload", "ins", 0, true, false},        {"pto.tprefetch", "ins", 0, true, false},
    {"pto.tstore", "outs", 0, false, true},      {"pto.load_scalar", "", 0, true, false},
    {"pto.store_scalar", "", 1, false, true},    {"pto.comm.tput", "", 1, true, false},
    {"pto.comm.tput", "", 0, false, true},       {"pto.comm.tget", "", 1, true, false},
    {"pto.comm.tget", "", 0, false, true},       {"pto.comm.tnotify", "", 0, true, true},
    {"pto.comm.twait", "", 0, true, false},      {"pto.comm.ttest", "", 0, true, false},
    {"pto.tstore.fp", "outs", 0, false, true},   {"pto.tprint", "ins", 0, true, false},
    {"pto.comm.tbroadcast", "", 0, true, false}, {"pto.comm.tbroadcast", "group", -1, false, true},
    {"pto.comm.tscatter", "", 0, true, false},   {"pto.comm.tscatter", "group", -1, false, true},
    {"pto.comm.tgather", "", 0, false, true},    {"pto.comm.tgather", "group", -1, true, false},
    {"pto.mgather", "ins", 0, true, false},      {"pto.mgather", "ins", 1, true, false},
    {"pto.mgather", "ins", 2, false, true},      {"pto.mscatter", "outs", 0, false, true},
    {"pto.comm.treduce", "", 0, false, true},    {"pto.comm.treduce", "group", -1, true, false},
};

static void note_accesses(void *ctx, const struct pto_op *op)
{
    struct lower *l = ((struct use_visit *)ctx)->l;
    for (size_t i = 0; i < sizeof accesses / sizeof *accesses; i++) {
        bool all = accesses[i].n < 0;
        int n = is(op, accesses[i].name) ? all ? pto_count_operands(op, accesses[i].group) : 1 : 0;
        for (int k = 0; k < n; k++) {
            const struct pto_operand *o =
                pto_find_operand(op, accesses[i].group, all ? k : accesses[i].n);
            if (o && o->value)
                note_access(l, op, o->value, accesses[i].read, accesses[i].write);
        }
    }
}

/* A pointer to 64-bit integers that is only read by scalar loads, or not at all, is a context. */
static void note_views(void *ctx, const struct pto_op *op)
{
    struct lower *l = ((struct use_visit *)ctx)->l;
    bool names = is(op, "pto.make_tensor_view") || is(op, "pto.addptr") ||
                 is(op, "pto.store_scalar") || is(op, "pto.cmo.cacheinvalid") ||
                 is(op, "pto.set_ffts");
    for (size_t i = 0; names && i < op->operands.len; i++) {
        struct pto_arg *a = arg_of(l, op->operands.items[i].value);
        if (a && a->role == ROLE_CTX)
            a->role = ROLE_TENSOR;
    }
}

static void note_dims(void *ctx, const struct pto_op *op)
{
    struct lower *l = ((struct use_visit *)ctx)->l;
    if (!is(op, "pto.make_tensor_view"))
        return;
    vec_foreach (const struct pto_operand, o, &op->operands) {
        struct pto_arg *a = strcmp(o->group, "shape") ? NULL : arg_of(l, o->value);
        if (a && a->role == ROLE_SCALAR)
            a->role = ROLE_DIM;
    }
}

/* The end of a part of a view, where that is a constant, says how far a dimension reaches. */
static void note_parts(void *ctx, const struct pto_op *op)
{
    struct lower *l = ((struct use_visit *)ctx)->l;
    const struct pto_value *view = is(op, "pto.partition_view") ? first_operand(op) : NULL;
    if (!view || !is(view->def, "pto.make_tensor_view"))
        return;
    for (int i = 0; i < pto_count_operands(op, "sizes"); i++) {
        const struct pto_operand *extent = pto_find_operand(view->def, "shape", i),
                                 *at = pto_find_operand(op, "offsets", i);
        struct pto_arg *a = extent ? arg_of(l, extent->value) : NULL;
        int64_t first = 0, size = 0;
        if (!a || a->role != ROLE_DIM || !known_number(l, pto_find_operand(op, "sizes", i), &size))
            continue;
        if (!at || !known_number(l, at, &first))
            first = 0;
        if (first >= 0 && size > 0 && first < MAX_MEMORY && size < MAX_MEMORY &&
            first + size > a->at_least)
            a->at_least = first + size;
    }
}

/* What shows a window: its pointer moved by a difference that a context gives; a wait or a notify
 * names it. */
static void note_windows(void *ctx, const struct pto_op *op)
{
    struct lower *l = ((struct use_visit *)ctx)->l;
    bool signal =
        is(op, "pto.comm.twait") || is(op, "pto.comm.tnotify") || is(op, "pto.comm.ttest");
    if (signal) {
        struct pto_arg *a = arg_of(l, root_of(l, first_operand(op)));
        if (a && a->role == ROLE_TENSOR)
            a->role = ROLE_WINDOW;
    }
    if (!is(op, "pto.addptr") || op->operands.len < 2)
        return;
    struct pto_arg *a = arg_of(l, root_of(l, first_operand(op))),
                   *c = arg_of(l, loaded_from(l, op->operands.items[1].value));
    if (!a || !c || c->role != ROLE_CTX || (a->role != ROLE_TENSOR && a->role != ROLE_WINDOW))
        return;
    a->role = ROLE_WINDOW;
    c->window = (int)(a - l->args.items);
}

/* Where cores count arrivals, and the slots of pipes. */
static void note_cross(void *ctx, const struct pto_op *op)
{
    struct lower *l = ((struct use_visit *)ctx)->l;
    struct pto_arg *a = is(op, "pto.syncall") ? arg_of(l, root_of(l, first_operand(op))) : NULL;
    if (a && a->role == ROLE_TENSOR)
        a->counts = a->read = true;
    const struct pto_operand *slots = pto_find_operand(op, "gm_slot_buffer", 0);
    a = slots ? arg_of(l, root_of(l, slots->value)) : NULL;
    if (a && a->role == ROLE_TENSOR)
        a->role = ROLE_RING;
}

/* ---- roles ---- */

static bool is_hidden(const struct pto_value *v)
{
    return !strncmp(v->name, "%__pypto_spmd_", strlen("%__pypto_spmd_"));
}

static enum pto_role role_by_type(const struct pto_value *v)
{
    if (is_hidden(v))
        return ROLE_BLOCK;
    if (v->type->kind == PTO_TILE)
        return ROLE_TILE;
    if (v->type->kind == PTO_VIEW || v->type->kind == PTO_PARTITION)
        return ROLE_TENSOR;
    if (v->type->kind != PTO_POINTER)
        return ROLE_SCALAR;
    return !strcmp(v->type->elem, "i64") ? ROLE_CTX : ROLE_TENSOR;
}

/* Product of the extents that are known; 0: it does not fit. */
static int64_t known_elements(const struct pto_type *t)
{
    int64_t n = 1;
    for (int i = 0; i < t->ndims; i++) {
        if (t->dims[i] == PTO_DYNAMIC)
            continue;
        if (t->dims[i] < 1 || t->dims[i] > MAX_MEMORY || n > MAX_MEMORY)
            return 0;
        n *= t->dims[i];
    }
    return n;
}

static bool is_view(const struct pto_type *t)
{
    return t->kind == PTO_VIEW || t->kind == PTO_PARTITION;
}

static bool is_bound(struct lower *l, const struct pto_value *v)
{
    const struct pto_type *t = v->type;
    bool known = t->kind == PTO_POINTER || t->kind == PTO_SCALAR || t->kind == PTO_TILE;
    if (known || is_view(t))
        return true;
    const char *why =
        !strncmp(t->text, "memref<", 7)   ? "a memref belongs to a later stage of the assembler"
        : !strncmp(t->text, "vector<", 7) ? "a vector is of the micro-ISA"
                                          : "expected a pointer, a view, a tile or a scalar";
    return lower_error(l, v->span, "an argument of type %s is not run: %s", t->text, why);
}

/* A view that is an argument stands for dense memory: its elements, or 0 where one extent follows from
 * the size that is said. */
static bool view_elements(struct lower *l, const struct pto_value *v, int64_t *out)
{
    const struct pto_type *t = v->type;
    int64_t known = known_elements(t);
    int open = 0;
    for (int i = 0; i < t->ndims; i++)
        open += t->dims[i] == PTO_DYNAMIC;
    *out = open ? 0 : known;
    return (known > 0 && open < 2) ||
           lower_error(l, v->span,
                       "an argument of type %s is not run: its extents must be known, but for one",
                       t->text);
}

static bool add_args(struct lower *l, int lane)
{
    const struct pto_block *b = l->lanes.items[lane].func->regions.items[0]->blocks.items[0];
    l->lanes.items[lane].first_arg = l->args.len;
    l->lanes.items[lane].nargs = b->args.len;
    for (size_t i = 0; i < b->args.len; i++) {
        struct pto_value *v = b->args.items[i];
        struct pto_arg a = {.value = v,
                            .lane = lane,
                            .twin = -1,
                            .joined = -1,
                            .role = role_by_type(v),
                            .number = v->name + 1,
                            .name = v->name + 1,
                            .region = -1,
                            .window = -1};
        if (!is_bound(l, v) || (is_view(v->type) && !view_elements(l, v, &a.elems)))
            return false;
        if (v->type->kind == PTO_POINTER && strcmp(v->type->space, "gm"))
            return lower_error(l, v->span, "an argument that points into %s is not run",
                               v->type->space);
        if (!lower_need_elem(l, v->type->elem, v->span, &a.elem))
            return false;
        a.part = a.elem;
        vec_push(l->arena, &l->args, a);
    }
    return true;
}

static bool is_pointer(const struct pto_arg *a)
{
    return a->role == ROLE_TENSOR || a->role == ROLE_WINDOW || a->role == ROLE_RING;
}

static bool has_ctx(const struct lower *l, int arg)
{
    vec_foreach (const struct pto_arg, c, &l->args)
        if (c->role == ROLE_CTX && c->window == arg)
            return true;
    return false;
}

/* Contexts stand in the order of their windows: between those of its neighbours lies the window of
 * one that nothing else tells; sure ones first. */
static void pair_by_order(struct lower *l, int lane, bool sure)
{
    int low = -1;
    for (size_t i = 0; i < l->args.len; i++) {
        struct pto_arg *c = &l->args.items[i];
        if (c->lane != lane || c->role != ROLE_CTX)
            continue;
        if (c->window >= 0) {
            low = c->window;
            continue;
        }
        int high = (int)l->args.len;
        for (size_t k = i + 1; k < l->args.len; k++)
            if (l->args.items[k].lane == lane && l->args.items[k].role == ROLE_CTX &&
                l->args.items[k].window >= 0) {
                high = l->args.items[k].window;
                break;
            }
        for (int t = low + 1; t < high && c->window < 0; t++) {
            struct pto_arg *a = &l->args.items[t];
            if (a->lane == lane && is_pointer(a) && a->role != ROLE_RING && !a->local &&
                !has_ctx(l, t) && (!sure || a->role == ROLE_WINDOW)) {
                a->role = ROLE_WINDOW;
                c->window = t;
                low = t;
            }
        }
    }
}

/* ---- lanes of one task ---- */

/* They have the same arguments, but for hidden ones. */
static bool same_arguments(const struct lower *l, const struct task_lane *x,
                           const struct task_lane *y)
{
    const struct pto_arg *a = &l->args.items[x->first_arg], *b = &l->args.items[y->first_arg];
    size_t n = x->nargs < y->nargs ? x->nargs : y->nargs;
    for (size_t i = 0; i < x->nargs || i < y->nargs; i++) {
        bool hidden = (i >= x->nargs || a[i].role == ROLE_BLOCK) &&
                      (i >= y->nargs || b[i].role == ROLE_BLOCK);
        if (!hidden && (i >= n || strcmp(a[i].value->type->text, b[i].value->type->text) != 0))
            return false;
    }
    return true;
}

/* What is known of one is known of the other. */
static void merge(struct pto_arg *a, struct pto_arg *b, size_t distance)
{
    static const uint8_t weight[] = {
        [ROLE_CTX] = 0, [ROLE_SCALAR] = 0, [ROLE_BLOCK] = 0, [ROLE_TENSOR] = 1,
        [ROLE_DIM] = 1, [ROLE_WINDOW] = 2, [ROLE_RING] = 2,  [ROLE_TILE] = 1};
    a->role = b->role = weight[a->role] >= weight[b->role] ? a->role : b->role;
    a->window = a->window >= 0 ? a->window : b->window >= 0 ? b->window - (int)distance : -1;
    b->window = a->window >= 0 ? a->window + (int)distance : -1;
    a->read_first = b->read_first = a->read_first || b->read_first;
    a->read = b->read = a->read || b->read;
    a->written = b->written = a->written || b->written;
    a->writes = b->writes = a->writes ? a->writes : b->writes;
    a->counts = b->counts = a->counts || b->counts;
    a->at_least = b->at_least = a->at_least > b->at_least ? a->at_least : b->at_least;
}

/* A task has one list of arguments, which its lanes share (pypto-ops-facts 3.1). */
static void merge_lanes(struct lower *l, const struct task *t)
{
    const struct task_lane *first = &l->lanes.items[t->first_lane];
    for (int k = 1; k < t->nlanes; k++) {
        const struct task_lane *other = first + k;
        if (!same_arguments(l, first, other))
            continue;
        for (size_t i = 0; i < first->nargs && i < other->nargs; i++) {
            struct pto_arg *a = &l->args.items[first->first_arg + i],
                           *b = &l->args.items[other->first_arg + i];
            b->twin = (int)(first->first_arg + i);
            if (a->role != ROLE_BLOCK)
                merge(a, b, other->first_arg - first->first_arg);
        }
    }
}

/* ---- all of it ---- */

/* One by one: a role may rest on what an earlier visit has found. */
static void look_through(struct lower *l, int lane)
{
    static visitor *const visitors[] = {note_views,   note_dims,     note_parts,
                                        note_windows, note_accesses, note_cross};
    struct use_visit v = {.l = l};
    tasks_enter(l, lane);
    for (size_t i = 0; i < sizeof visitors / sizeof *visitors; i++)
        visit(&v, l->func, visitors[i], &v);
}

/* One that nobody reads may be anything. */
static bool contexts_are_paired(struct lower *l)
{
    vec_foreach (struct pto_arg, a, &l->args) {
        if (a->role == ROLE_CTX && a->window < 0 && !a->read)
            a->role = ROLE_TENSOR;
        if (a->role == ROLE_CTX && a->window < 0)
            return lower_error(
                l, a->value->span,
                "no window belongs to the context '%s': there are more contexts than "
                "pointers that could be windows",
                a->value->name);
    }
    return true;
}

bool bind_recognise(struct lower *l, int task)
{
    const struct task *t = &l->launches.items[task];
    size_t first = l->args.len;
    for (int k = t->first_lane; k < t->first_lane + t->nlanes; k++) {
        if (!add_args(l, k) || !recorded_arguments(l, k))
            return false;
        look_through(l, k);
    }
    merge_lanes(l, t);
    return said_roles(l, first);
}

bool bind_contexts(struct lower *l)
{
    recorded_windows(l);
    if (!said_joins(l))
        return false;
    for (int k = 0; k < (int)l->lanes.len; k++) {
        pair_by_order(l, k, true);
        pair_by_order(l, k, false);
    }
    return contexts_are_paired(l) && said_fits(l);
}

/* ---- values from outside ---- */

struct uses {
    const struct pto_value *of;
    struct strbuf text;
    int n;
};

static void note_use(void *ctx, const struct pto_op *op)
{
    struct uses *u = ctx;
    vec_foreach (const struct pto_operand, o, &op->operands)
        if (o->value == u->of && u->n++ < 4)
            strbuf_addf(&u->text, "%s%s on line %d", u->n > 1 ? ", " : "", op->spelled,
                        op->span.line);
}

static const char *uses_of(struct lower *l, const struct pto_arg *a)
{
    struct uses u = {.of = a->value, .text = strbuf_make(l->arena)};
    struct use_visit v = {.l = l, .depth = MAX_CALLS};
    visit(&v, l->lanes.items[a->lane].func, note_use, &u);
    return u.n ? u.text.text : "nothing";
}

/* With its task in front where there are several, or its function where that has a name with a dot. */
static const char *asked_name(const struct lower *l, const struct pto_arg *a)
{
    const struct task_lane *lane = &l->lanes.items[a->lane];
    const char *owner = l->launches.items[lane->task].name;
    if (l->launches.len == 1)
        return a->number;
    return arena_printf(l->arena, "%s.%s", strchr(owner, '.') ? lane->func->symbol : owner,
                        a->number);
}

/* One error for all scalars that nobody gives. */
static bool report_unknown(struct lower *l, const bool *unknown)
{
    struct strbuf b = strbuf_make(l->arena);
    const struct pto_arg *first = NULL;
    for (size_t i = 0; i < l->args.len; i++) {
        const struct pto_arg *a = &l->args.items[i];
        if (!unknown[i] || a->twin >= 0)
            continue;
        strbuf_addf(&b, "%s%s (%s; used by %s)", first ? ", " : "", asked_name(l, a),
                    a->value->type->text, uses_of(l, a));
        first = first ? first : a;
    }
    return !first ||
           lower_error(l, first->value->span,
                       "no value for %s; give --arg %s=EXPRESSION or a line '// fencebench: "
                       "arg %s=EXPRESSION'",
                       b.text, asked_name(l, first), asked_name(l, first));
}

static bool recorded_scalar(struct lower *l, const struct pto_arg *a, int rank, bool *found,
                            int64_t *out)
{
    const struct task_lane *lane = &l->lanes.items[a->lane];
    if (!l->o->recorded || a->role != ROLE_SCALAR || elem_is_float(a->elem))
        return true;
    int arg = (int)(a - l->args.items) - (int)lane->first_arg;
    enum pto_answer answer =
        l->o->recorded(l->o->ctx, lane->task, arg, asked_name(l, a), rank, out, l->d);
    *found = answer == PTO_GIVEN;
    return answer != PTO_WRONG;
}

/* A dimension is the number of ranks unless it is given: that is what a program's dimensions mostly
 * are that the compiler does not know. A part of it that is known shows that it is no less. */
static bool bind_scalar(struct lower *l, struct pto_arg *a, int reg, int64_t **values,
                        bool *unknown)
{
    bool is_float = elem_is_float(a->elem), found = false;
    a->constant = a->role == ROLE_DIM;
    for (int r = 0; r < l->o->nranks; r++) {
        int64_t x;
        if (!said_value(l, a, "dim ", r, &found, &x) ||
            (!found && !said_value(l, a, "", r, &found, &x)) ||
            (!found && !recorded_scalar(l, a, r, &found, &x)))
            return false;
        if (!found)
            x = a->recorded ? a->recorded : l->o->nranks > a->at_least ? l->o->nranks : a->at_least;
        *unknown = !found && a->role == ROLE_SCALAR;
        if (r && x != a->fixed && a->role == ROLE_DIM)
            return lower_error(l, a->value->span,
                               "'%s' is a dimension: it must be the same on every rank", a->number);
        a->fixed = x;
        if (reg >= 0)
            values[r][reg] = is_float ? alu_eval(ALU_CVT, x, 0, ELEM_I64, a->elem) : x;
    }
    return true;
}

/* ---- sizes ---- */

/* A number that needs no run: constants, dimensions, and arithmetic on them. */
static bool evaluate(struct lower *l, const struct pto_operand *o, int depth, int64_t *out)
{
    *out = o->number;
    if (!o->value)
        return true;
    const struct pto_arg *a = arg_of(l, o->value);
    const struct pto_value *v = outer_value(l, o->value);
    const struct pto_op *def = v ? v->def : NULL;
    if (a) {
        *out = a->fixed;
        return a->constant;
    }
    if (!def || depth > 32)
        return false;
    if (is(def, "arith.constant") && def->attrs.len) {
        *out = def->attrs.items[0].number;
        return def->attrs.items[0].kind == PTO_INT;
    }
    static const struct {
        const char *name;
        enum alu op;
    } known[] = {{"arith.addi", ALU_ADD},       {"arith.subi", ALU_SUB},  {"arith.muli", ALU_MUL},
                 {"arith.divsi", ALU_TRUNCDIV}, {"arith.maxsi", ALU_MAX}, {"arith.minsi", ALU_MIN}};
    int64_t x, y;
    if (is(def, "arith.index_cast"))
        return evaluate(l, &def->operands.items[0], depth + 1, out);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (is(def, known[i].name) && def->operands.len == 2 &&
            evaluate(l, &def->operands.items[0], depth + 1, &x) &&
            evaluate(l, &def->operands.items[1], depth + 1, &y)) {
            *out = alu_eval(known[i].op, x, y, ELEM_I64, ELEM_I64);
            return true;
        }
    return false;
}

/* The name that the compiler gave the view of a tensor, without what it put behind. */
static const char *shown_name(struct arena *a, const char *view)
{
    const char *end = strstr(view + 1, "__");
    const char *tail = strstr(view + 1, "_view");
    if (!end && (!tail || tail[5]))
        return NULL;
    end = end ? end : tail;
    return end > view + 1 ? arena_strndup(a, view + 1, (size_t)(end - view - 1)) : NULL;
}

/* Elements up to the last one of a view, or of a scalar access. */
static void note_size(void *ctx, const struct pto_op *op)
{
    struct lower *l = ((struct use_visit *)ctx)->l;
    bool view = is(op, "pto.make_tensor_view"), load = is(op, "pto.load_scalar"),
         store = is(op, "pto.store_scalar");
    if (!view && !load && !store)
        return;
    const struct pto_operand *base = pto_find_operand(op, "", store ? 1 : 0);
    struct pto_arg *a = base ? arg_of(l, root_of(l, base->value)) : NULL;
    if (!a || !is_pointer(a))
        return;
    int64_t last = 0, n, stride;
    for (int i = 0; view && i < pto_count_operands(op, "shape"); i++) {
        const struct pto_operand *s = pto_find_operand(op, "strides", i);
        if (!s || !evaluate(l, pto_find_operand(op, "shape", i), 0, &n) ||
            !evaluate(l, s, 0, &stride) || n < 1 || stride < 0 || n > MAX_MEMORY ||
            stride > MAX_MEMORY)
            return;
        last += (n - 1) * stride;
    }
    const struct pto_operand *index = pto_find_operand(op, "index", 0);
    if (!view && (!index || !evaluate(l, index, 0, &last) || last < 0 || last > MAX_MEMORY))
        return;
    a->elems = last + 1 > a->elems ? last + 1 : a->elems;
    const char *name = view && op->results.len && base->value == a->value
                           ? shown_name(l->arena, op->results.items[0]->name)
                           : NULL;
    a->name = name ? name : a->name;
}

/* The slots of the pipes that it holds, for each block. */
static void note_slots(void *ctx, const struct pto_op *op)
{
    struct lower *l = ((struct use_visit *)ctx)->l;
    const struct pto_operand *o = pto_find_operand(op, "gm_slot_buffer", 0);
    struct pto_arg *a = o ? arg_of(l, root_of(l, o->value)) : NULL;
    const struct task_pipe *p = a ? cross_find(l, op) : NULL;
    if (p)
        a->elems = ring_bytes(&p->ring) * lower_task(l)->blocks / elem_size(a->elem);
    bool pushes = !strncmp(op->name, "pto.tpush_to_", strlen("pto.tpush_to_"));
    const struct pto_value *tile = pushes ? first_operand(op) : NULL;
    enum elem elem;
    if (!tile || tile->type->kind != PTO_TILE || !lower_elem(tile->type->elem, &elem))
        return;
    for (size_t i = l->own_first; i < l->own_end; i++) {
        struct pto_arg *slots = &l->args.items[i];
        if (slots->role == ROLE_RING && elem_size(elem) < elem_size(slots->part))
            slots->part = elem;
    }
}

/* The lanes of a task have one size and name for what they share. */
static void share_sizes(struct lower *l)
{
    vec_foreach (struct pto_arg, b, &l->args) {
        if (b->twin < 0)
            continue;
        struct pto_arg *a = &l->args.items[b->twin];
        bool named = strcmp(a->name, a->number) != 0;
        a->elems = b->elems > a->elems ? b->elems : a->elems;
        a->name = named ? a->name : b->name;
        a->part = elem_size(b->part) < elem_size(a->part) ? b->part : a->part;
    }
}

static bool find_size(struct lower *l, struct pto_arg *a)
{
    bool found;
    int64_t n;
    if (!said_value(l, a, "size ", 0, &found, &n))
        return false;
    if (found)
        a->elems = n;
    else if (a->tensor)
        a->elems = a->tensor->bytes / elem_size(a->elem);
    if (a->elems == 0 && !a->read && !a->written)
        a->elems =
            is_view(a->value->type) ? known_elements(a->value->type) : 1; /* nobody asks for more */
    if (a->elems < 1 || a->elems > MAX_MEMORY / elem_size(a->elem))
        return lower_error(l, a->value->span,
                           a->elems ? "the size of '%s' does not fit the machine's memory"
                                    : "nothing says how large the tensor '%s' is; give a line '// "
                                      "fencebench: size %s=ELEMENTS'",
                           a->number, asked_name(l, a));
    if (is_view(a->value->type) && a->elems % known_elements(a->value->type))
        return lower_error(l, a->value->span, "%lld elements are no whole number of rows of '%s'",
                           (long long)a->elems, a->number);
    return true;
}

/* ---- regions ---- */

static int region_named(const struct lower *l, const char *name)
{
    for (size_t i = 0; i < l->regions.len; i++)
        if (!strcmp(l->regions.items[i].name, name))
            return (int)i;
    return -1;
}

static const char *unused_name(const struct lower *l, const char *name)
{
    const char *shown = name;
    for (int k = 2; region_named(l, shown) >= 0; k++)
        shown = arena_printf(l->arena, "%s.%d", name, k);
    return shown;
}

/* Functions that use the same name share the memory. */
static bool add_region(struct lower *l, struct pto_arg *a)
{
    bool window = a->role == ROLE_WINDOW;
    if (a->twin >= 0) {
        a->region = l->args.items[a->twin].region;
        return true;
    }
    if (a->joined >= 0) {
        a->region = l->args.items[a->joined].region;
        struct region *r = &l->regions.items[a->region];
        uint64_t bytes = (uint64_t)a->elems * (uint64_t)elem_size(a->elem);
        r->output |= a->written;
        r->size = bytes > r->size ? bytes : r->size;
        return true;
    }
    const struct pto_arg *same = recorded_peer(l, a);
    if (same) {
        uint64_t bytes = (uint64_t)a->tensor->bytes;
        a->region = same->region;
        struct region *r = &l->regions.items[a->region];
        r->output |= a->written;
        r->size = bytes > r->size ? bytes : r->size;
        return true;
    }
    if (a->role == ROLE_RING)
        a->name =
            arena_printf(l->arena, "%s.pipe", l->launches.items[l->lanes.items[a->lane].task].name);
    uint64_t size = (uint64_t)a->elems * (uint64_t)elem_size(a->elem);
    if (a->tensor) /* other memory of that name is another buffer */
        a->name = unused_name(l, a->name);
    a->region = region_named(l, a->name);
    bool own = a->region >= 0 && l->regions.items[a->region].elem != a->elem;
    vec_foreach (const struct pto_arg, other, &l->args)
        own |= other != a && other->lane == a->lane && other->region >= 0 &&
               other->region == a->region;
    if (own) { /* two of one name in a function, or of different elements */
        a->name = arena_printf(l->arena, "%s.%s", a->name, a->number);
        a->region = region_named(l, a->name);
    }
    if (a->region >= 0) {
        struct region *r = &l->regions.items[a->region];
        r->size = size > r->size ? size : r->size;
        r->output |= a->written;
        return (r->kind == REGION_WINDOW) == window ||
               lower_error(l, a->value->span, "'%s' is a window in one function and not in another",
                           a->name);
    }
    struct region r = {.name = a->name,
                       .kind = window ? REGION_WINDOW : REGION_LOCAL,
                       .size = size,
                       .elem = a->part,
                       .uninitialised =
                           a->role == ROLE_RING || (!window && a->written && !a->read_first),
                       .output = window || a->written};
    a->region = (int)l->regions.len;
    vec_push(l->arena, &l->regions, r);
    return true;
}

/* What is given contents has a value before it is written. */
static bool has_contents(struct lower *l)
{
    vec_foreach (const struct pto_arg, a, &l->args) {
        const char *name = NULL;
        if (a->role == ROLE_TENSOR && a->twin < 0 && !said_contents(l, a, &name))
            return false;
        if (name)
            l->regions.items[a->region].uninitialised = false;
    }
    return true;
}

static int window_count(const struct lower *l)
{
    int n = 0;
    vec_foreach (const struct region, r, &l->regions)
        n += r->kind == REGION_WINDOW;
    return n;
}

/* Windows, their contexts right behind them, then local tensors. */
static bool add_regions(struct lower *l)
{
    vec_foreach (struct pto_arg, a, &l->args)
        if (a->role == ROLE_WINDOW && !add_region(l, a))
            return false;
    int windows = window_count(l);
    for (int w = 0; w < windows; w++) {
        struct region ctx = {.name = arena_printf(l->arena, "%s_ctx", l->regions.items[w].name),
                             .kind = REGION_CTX,
                             .size = CTX_WINDOWS + 8 * (uint64_t)l->o->nranks,
                             .elem = ELEM_I64};
        vec_push(l->arena, &l->regions, ctx);
    }
    vec_foreach (struct pto_arg, a, &l->args)
        if (a->role == ROLE_CTX)
            a->region = windows + l->args.items[a->window].region;
    vec_foreach (struct pto_arg, a, &l->args)
        if ((a->role == ROLE_TENSOR || a->role == ROLE_RING) && !add_region(l, a))
            return false;
    return true;
}

static bool lay_out(struct lower *l, uint64_t *bytes)
{
    bool recorded = false;
    vec_foreach (const struct pto_arg, a, &l->args)
        recorded |= a->tensor != NULL;
    uint64_t used = recorded && !l->o->window_align
                        ? recorded_lay_out(l)
                        : build_lay_out(l->regions.items, l->regions.len, l->o->window_align);
    return build_memory_bytes(used, l->o->nranks, l->file->source, bytes, l->d);
}

/* ---- contents ---- */

static bool fill_contents(struct lower *l, const struct pto_arg *a, uint8_t *const *memory)
{
    const struct region *r = &l->regions.items[a->region];
    uint64_t size = (uint64_t)elem_size(a->elem), at = a->tensor ? (uint64_t)a->tensor->at : 0;
    int64_t count = (int64_t)((r->size - at) / size);
    const char *name;
    if (!said_contents(l, a, &name))
        return false;
    for (int rank = 0; rank < l->o->nranks && name; rank++)
        for (int64_t i = 0; i < count; i++) {
            int64_t x;
            if (l->o->element(l->o->ctx, name, rank, i, &x, l->d) == PTO_WRONG)
                return false;
            if (elem_is_float(a->elem))
                x = alu_eval(ALU_CVT, x, 0, ELEM_I64, a->elem);
            memcpy(memory[rank] + r->offset + at + (uint64_t)i * size, &x, size);
        }
    return true;
}

bool bind_contents(struct lower *l, uint8_t *const *memory)
{
    vec_foreach (const struct pto_arg, a, &l->args)
        if ((a->role == ROLE_TENSOR || a->role == ROLE_WINDOW) && a->twin < 0 &&
            !fill_contents(l, a, memory))
            return false;
    return true;
}

/* ---- all of it ---- */

/* A register for each region's address, then one for each scalar that a run must know. */
static bool bind_registers(struct lower *l, int64_t **values)
{
    for (size_t i = 0; i < l->regions.len; i++) {
        int reg = build_reg(&l->build, l->regions.items[i].name);
        for (int r = 0; r < l->o->nranks; r++)
            values[r][reg] = (int64_t)gm_addr(r, l->regions.items[i].offset);
    }
    bool *unknown = arena_array(l->arena, bool, l->args.len + 1);
    for (size_t i = 0; i < l->args.len; i++) {
        struct pto_arg *a = &l->args.items[i];
        if (a->role != ROLE_SCALAR)
            continue;
        if (a->twin >= 0) {
            a->region = l->args.items[a->twin].region;
            continue;
        }
        a->region = build_reg(&l->build, a->number);
        if (!bind_scalar(l, a, a->region, values, &unknown[i]))
            return false;
    }
    return report_unknown(l, unknown);
}

struct pipe_visit {
    struct use_visit visit;
    bool ok;
};

static void note_pipe(void *ctx, const struct pto_op *op)
{
    struct pipe_visit *v = ctx;
    if (is(op, "pto.aic_initialize_pipe") || is(op, "pto.aiv_initialize_pipe"))
        v->ok &= cross_note_pipe(v->visit.l, op);
}

static void find_sizes(struct lower *l)
{
    struct use_visit v = {.l = l};
    for (int k = 0; k < (int)l->lanes.len; k++) {
        tasks_enter(l, k);
        visit(&v, l->func, note_size, &v);
        visit(&v, l->func, note_slots, &v);
    }
    share_sizes(l);
}

static bool note_pipes(struct lower *l)
{
    struct pipe_visit v = {{.l = l}, true};
    for (int k = 0; k < (int)l->lanes.len; k++) {
        tasks_enter(l, k);
        visit(&v.visit, l->func, note_pipe, &v);
    }
    return v.ok;
}

static void note_recorded_dims(void *ctx, const struct pto_op *op)
{
    struct lower *l = ((struct use_visit *)ctx)->l;
    const struct pto_arg *a =
        is(op, "pto.make_tensor_view") ? arg_of(l, root_of(l, first_operand(op))) : NULL;
    if (a && a->tensor)
        recorded_dims(l, a, op, arg_of);
}

static void find_recorded_dims(struct lower *l)
{
    struct use_visit v = {.l = l};
    for (int k = 0; k < (int)l->lanes.len; k++) {
        tasks_enter(l, k);
        visit(&v, l->func, note_recorded_dims, &v);
    }
}

bool bind_arguments(struct lower *l, uint64_t *bytes, int64_t **values)
{
    bool unused;
    find_recorded_dims(l);
    for (size_t i = 0; i < l->args.len; i++)
        if (l->args.items[i].role == ROLE_DIM &&
            !bind_scalar(l, &l->args.items[i], -1, values, &unused))
            return false;
    if (!note_pipes(l))
        return false;
    find_sizes(l);
    vec_foreach (struct pto_arg, a, &l->args)
        if (is_pointer(a) && a->twin < 0 && !find_size(l, a))
            return false;
    return add_regions(l) && has_contents(l) && lay_out(l, bytes) && bind_registers(l, values);
}

/* The rows of a view that is an argument lie one behind the other. */
static void dense_view(struct slot *s, const struct pto_type *t, int64_t elems)
{
    int64_t stride = 1;
    s->kind = SLOT_VIEW;
    s->ndims = t->ndims;
    for (int i = t->ndims - 1; i >= 0; i--) {
        int64_t extent = t->dims[i] == PTO_DYNAMIC ? elems / known_elements(t) : t->dims[i];
        s->extent[i] = imm_operand(extent);
        s->stride[i] = imm_operand(stride);
        stride *= extent;
    }
}

struct operand bind_block(const struct lower *l, const char *name)
{
    int blocks = lower_task(l)->blocks;
    bool vector = strstr(name, "subblock") != NULL, dual = l->lane->dual;
    if (strstr(name, "_num"))
        return imm_operand(!vector ? blocks : dual ? 2 : 1);
    bool several = vector ? dual : blocks > 1;
    return several ? reg_operand(l->block_reg + (vector ? 2 : 0)) : imm_operand(0);
}

bool bind_lane(struct lower *l)
{
    for (size_t i = l->own_first; i < l->own_end; i++) {
        const struct pto_arg *a = &l->args.items[i];
        struct slot *s = lower_new(l, a->value);
        s->elem = a->elem;
        s->region = -1;
        s->use.root = NO_REG;
        if (is_pointer(a) || a->role == ROLE_CTX) {
            *s = (struct slot){.kind = SLOT_POINTER,
                               .op = {a->region, a->tensor ? a->tensor->at : 0},
                               .elem = a->elem,
                               .region = a->region,
                               .use = {a->role == ROLE_CTX ? NO_REG : a->region, false}};
            if (is_view(a->value->type))
                dense_view(s, a->value->type, a->elems);
            continue;
        }
        if (a->role == ROLE_TILE) {
            if (!tiles_argument(l, a->value, s))
                return false;
            continue;
        }
        s->kind = SLOT_NUMBER;
        s->op = a->role == ROLE_SCALAR  ? reg_operand(a->region)
                : a->role == ROLE_BLOCK ? bind_block(l, a->number)
                                        : imm_operand(a->fixed);
    }
    return true;
}
