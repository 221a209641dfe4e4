/* SPDX-License-Identifier: MIT */
#include "bench/campaign/orchestration.h"

#include <string.h>

#include "bench/campaign/orchestration_internal.h"

/* ---- helpers ---- */

static bool is_word(const struct chip_machine *m, const char *word)
{
    const struct chip_token *t = chip_token(m);
    return t->kind == CT_WORD && !strcmp(t->text, word);
}

static bool take_word(struct chip_machine *m, const char *word)
{
    bool is = is_word(m, word);
    m->at += is;
    return is;
}

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), k = strlen(end);
    return n >= k && !strcmp(text + n - k, end);
}

static bool is_mark_at(const struct chip_machine *m, int at, const char *mark)
{
    const struct chip_token *t = &m->tokens.items[at];
    return t->kind == CT_MARK && !strcmp(t->text, mark);
}

static bool statement(struct chip_machine *m);

/* Behind a statement that does not run, up to its else. */
static void skip_part(struct chip_machine *m)
{
    for (; chip_token(m)->kind != CT_END; m->at++) {
        const struct chip_token *t = chip_token(m);
        bool block = is_mark_at(m, m->at, "{");
        if (t->partner > m->at)
            m->at = t->partner;
        if (block || is_mark_at(m, m->at, ";")) {
            m->at++;
            return;
        }
    }
}

static void skip_statement(struct chip_machine *m)
{
    do
        skip_part(m);
    while (take_word(m, "else"));
}

/* Variables of a block end with it. */
static bool block(struct chip_machine *m)
{
    size_t outside = m->variables.len;
    const struct chip_token *open = chip_token(m);
    if (!chip_expect(m, "{"))
        return false;
    int end = open->partner;
    if (end < 0)
        return chip_stop(m, open->span, "nothing closes this bracket");
    while (m->at < end)
        if (!statement(m))
            return false;
    m->at = end + 1;
    m->variables.len = outside;
    return true;
}

/* ---- scopes, loops, branches ---- */

/* SIMPLER_SCOPE() {...}, PTO2_SCOPE(PTO2ScopeMode::MANUAL) {...} */
static bool scope(struct chip_machine *m)
{
    bool manual = false;
    m->at++;
    const struct chip_token *open = chip_token(m);
    if (!chip_expect(m, "("))
        return false;
    for (; m->at < open->partner; m->at++)
        manual |= is_word(m, "MANUAL");
    m->manual += manual;
    bool ok = chip_expect(m, ")") && block(m);
    m->manual -= manual;
    return ok;
}

static bool condition(struct chip_machine *m, bool *out)
{
    struct chip_number n;
    struct span at = chip_token(m)->span;
    if (!chip_integer(m, &n) || !chip_needed(m, &n, at, "a condition"))
        return false;
    *out = n.n != 0;
    return true;
}

static bool declaration_or_change(struct chip_machine *m);

static bool loop(struct chip_machine *m)
{
    size_t outside = m->variables.len;
    m->at++;
    const struct chip_token *open = chip_token(m);
    if (!chip_expect(m, "(") || !declaration_or_change(m) || !chip_expect(m, ";"))
        return false;
    int test = m->at, close = open->partner, step = test;
    while (step < close && !is_mark_at(m, step, ";"))
        step++;
    if (close < 0 || step >= close)
        return chip_stop(m, open->span, "expected a loop of three parts");
    for (;;) {
        bool goes_on;
        m->at = test;
        if (!condition(m, &goes_on) || !chip_step(m))
            return false;
        m->at = close + 1;
        if (!goes_on)
            break;
        if (!statement(m))
            return false;
        m->at = step + 1;
        if (!declaration_or_change(m))
            return false;
    }
    skip_statement(m);
    m->variables.len = outside;
    return true;
}

static bool branch(struct chip_machine *m)
{
    bool taken;
    m->at++;
    if (!chip_expect(m, "(") || !condition(m, &taken) || !chip_expect(m, ")"))
        return false;
    if (!taken) {
        skip_part(m);
        return !take_word(m, "else") || statement(m);
    }
    if (!statement(m))
        return false;
    if (take_word(m, "else"))
        skip_statement(m);
    return true;
}

/* ---- declarations ---- */

/* Whether a declaration stands here; *name: the token of its name, *type: of its type's last word. */
static bool is_declaration(const struct chip_machine *m, int *type, int *name)
{
    int at = m->at;
    const struct chip_token *t = m->tokens.items;
    at += !strcmp(t[at].text, "const");
    if (t[at].kind != CT_WORD)
        return false;
    *type = at++;
    while (is_mark_at(m, at, "::") && t[at + 1].kind == CT_WORD) {
        *type = at + 1;
        at += 2;
    }
    if (is_mark_at(m, at, "<"))
        while (t[at].kind != CT_END && !is_mark_at(m, at++, ">"))
            ;
    at += is_mark_at(m, at, "&");
    *name = at;
    return t[at].kind == CT_WORD;
}

/* {a, b} */
static bool initial_list(struct chip_machine *m, struct chip_list *l)
{
    if (!chip_expect(m, "{"))
        return false;
    for (size_t i = 0; !chip_take(m, "}"); i++) {
        struct chip_value v;
        if (!chip_expression(m, &v))
            return false;
        if (i < l->items.len)
            l->items.items[i] = v;
        else
            vec_push(m->arena, &l->items, v);
        if (!chip_take(m, ",") && !is_mark_at(m, m->at, "}"))
            return chip_expect(m, "}");
    }
    return true;
}

/* uint32_t x[2] = {1, 2}; TaskId deps[4]; MixedKernels x = {1, 2, 2} */
static bool declare_list(struct chip_machine *m, const char *type, const char *name)
{
    struct chip_list *l = arena_new(m->arena, struct chip_list);
    struct chip_value empty = chip_of_number(chip_known(0));
    struct chip_number n = chip_known(0);
    struct span at = chip_token(m)->span;
    bool sized = chip_take(m, "[");
    if (ends_with(type, "TaskId"))
        empty = (struct chip_value){.kind = CHIP_TASK, .number = chip_known(-1)};
    l->task = -1;
    if (sized && (!chip_integer(m, &n) || !chip_expect(m, "]") ||
                  !chip_needed(m, &n, at, "the length of a list")))
        return false;
    if (n.n < 0 || n.n > RUN_MAX_TASKS)
        return chip_stop(m, at, "a list of %lld elements", (long long)n.n);
    for (int64_t i = 0; i < n.n; i++)
        vec_push(m->arena, &l->items, empty);
    chip_declare(m, name, (struct chip_value){.kind = CHIP_LIST, .list = l});
    return !chip_take(m, "=") || initial_list(m, l);
}

/* TensorCreateInfo x(shapes, 2, DataType::FLOAT32, true) */
static bool declare_info(struct chip_machine *m, const char *name)
{
    struct chip_info *info = arena_new(m->arena, struct chip_info);
    struct chip_value shape;
    struct chip_number ndims, manual = chip_known(0);
    struct span at = chip_token(m)->span;
    if (!chip_expect(m, "(") || !chip_expression(m, &shape) || !chip_expect(m, ",") ||
        !chip_integer(m, &ndims) || !chip_expect(m, ","))
        return false;
    take_word(m, "DataType");
    chip_take(m, "::");
    info->tensor.elem_bytes = host_element_bytes(chip_token(m)->text);
    if (!info->tensor.elem_bytes)
        return chip_stop(m, chip_token(m)->span, "the element type '%s' is not known",
                         chip_token(m)->text);
    m->at++;
    if (chip_take(m, ",") && !chip_integer(m, &manual))
        return false;
    if (shape.kind != CHIP_LIST || shape.list->items.len > PTO_MAX_DIMS || !ndims.known ||
        ndims.n != (int64_t)shape.list->items.len)
        return chip_stop(m, at, "expected a list of at most %d extents, and their number",
                         PTO_MAX_DIMS);
    info->manual = manual.n != 0;
    info->tensor.ndims = (int)ndims.n;
    for (int i = 0; i < info->tensor.ndims; i++)
        info->tensor.shape[i] = shape.list->items.items[i].number;
    chip_declare(m, name, (struct chip_value){.kind = CHIP_INFO, .info = info});
    return chip_expect(m, ")");
}

/* int64_t x = ...; const Tensor& x = ...; TaskId x = ... */
static bool declare_value(struct chip_machine *m, const char *type, const char *name)
{
    struct chip_value v = chip_of_number(chip_unknown("it has no value yet", chip_token(m)->span));
    if (ends_with(type, "TaskId"))
        v = (struct chip_value){.kind = CHIP_TASK, .number = chip_known(-1)};
    if (chip_take(m, "=")) {
        struct span at = chip_token(m)->span;
        if (!chip_expression(m, &v))
            return false;
        if (v.kind == CHIP_NUMBER)
            v.number = chip_convert(v.number, type);
        if (v.kind == CHIP_NUMBER && !v.number.known && !v.number.at.line)
            v.number.at = at;
    }
    chip_declare(m, name, v);
    return true;
}

static bool declaration(struct chip_machine *m, int type_at, int name_at)
{
    const char *type = m->tokens.items[type_at].text, *name = m->tokens.items[name_at].text;
    m->at = name_at + 1;
    if (!strcmp(type, "TensorCreateInfo"))
        return declare_info(m, name);
    if (!strcmp(type, "CoreTaskArgs")) {
        struct chip_launch *l = arena_new(m->arena, struct chip_launch);
        l->blocks = chip_known(1);
        chip_declare(m, name, (struct chip_value){.kind = CHIP_LAUNCH, .launch = l});
        return true;
    }
    if (is_mark_at(m, m->at, "[") || !strcmp(type, "MixedKernels"))
        return declare_list(m, type, name);
    if (!is_mark_at(m, m->at, "=") && !is_mark_at(m, m->at, ";"))
        return chip_stop(m, chip_token(m)->span, "the declaration of '%s' is not read", name);
    return declare_value(m, type, name);
}

/* ---- calls of methods ---- */

static bool add_tensor(struct chip_machine *m, struct chip_launch *l, enum chip_way way)
{
    struct chip_value v;
    struct span at = chip_token(m)->span;
    const char *name = chip_token(m)->text;
    if (!chip_expression(m, &v))
        return false;
    if (v.kind == CHIP_INFO) { /* the runtime allocates it */
        v = (struct chip_value){.kind = CHIP_TENSOR, .tensor = chip_create(m, v.info, name)};
        vec_push(m->arena, &l->created, v);
    }
    if (v.kind != CHIP_TENSOR)
        return chip_stop(m, at, "expected a tensor at '%s'", name);
    vec_push(m->arena, &l->args, ((struct chip_argument){*v.tensor, way}));
    return true;
}

static bool add_scalar(struct chip_machine *m, struct chip_launch *l)
{
    struct chip_number n;
    struct span at = chip_token(m)->span;
    if (!chip_integer(m, &n))
        return false;
    if (!n.known && !n.at.line)
        n.at = at;
    vec_push(m->arena, &l->scalars, n);
    return true;
}

/* (ids, count) */
static bool set_dependencies(struct chip_machine *m, struct chip_launch *l)
{
    struct chip_value v;
    struct chip_number n;
    struct span at = chip_token(m)->span;
    if (!chip_expression(m, &v) || !chip_expect(m, ",") || !chip_integer(m, &n) ||
        !chip_needed(m, &n, at, "the number of dependences"))
        return false;
    if (v.kind != CHIP_LIST || n.n < 0 || n.n > (int64_t)v.list->items.len)
        return chip_stop(m, at, "expected a list of tasks and how many they are");
    for (int64_t i = 0; i < n.n; i++) {
        const struct chip_value *id = &v.list->items.items[i];
        if (id->kind != CHIP_TASK || id->number.n < 0)
            return chip_stop(m, at, "dependence %lld is no task", (long long)i);
        vec_push(m->arena, &l->deps, (int)id->number.n);
    }
    return true;
}

/* What a task is started with, behind the dot. */
static bool launch_method(struct chip_machine *m, struct chip_launch *l)
{
    static const struct {
        const char *name;
        enum chip_way way;
    } tensors[] = {{"add_input", CHIP_INPUT},
                   {"add_output", CHIP_OUTPUT},
                   {"add_inout", CHIP_INOUT},
                   {"add_no_dep", CHIP_NO_DEP}};
    if (take_word(m, "launch_spec"))
        chip_take(m, ".");
    const struct chip_token *t = chip_token(m);
    const char *name = t->text;
    m->at++;
    if (!chip_expect(m, "("))
        return false;
    bool blocks = !strcmp(name, "set_block_num") || !strcmp(name, "set_core_num"),
         hint = !strcmp(name, "set_allow_early_resolve") || !strcmp(name, "set_require_sync_start"),
         ok = false, known = true;
    struct chip_number n;
    for (size_t i = 0; i < sizeof tensors / sizeof *tensors; i++)
        if (!strcmp(name, tensors[i].name))
            return add_tensor(m, l, tensors[i].way) && chip_expect(m, ")");
    if (!strcmp(name, "add_scalar"))
        ok = add_scalar(m, l);
    else if (!strcmp(name, "set_dependencies"))
        ok = set_dependencies(m, l);
    else if (blocks || hint)
        ok = chip_integer(m, &n);
    else
        known = false;
    if (!known)
        return chip_stop(m, t->span, "'%s' of a task's arguments is not read", name);
    if (ok && blocks)
        l->blocks = n;
    return ok && chip_expect(m, ")");
}

/* ---- statements ---- */

/* x = ..., x += ..., ++x, list[n] = ..., tensor.shapes[n] = ... */
static bool change(struct chip_machine *m)
{
    static const char *const ops[] = {"+=", "-=", "*=", "/="};
    struct chip_number *number, right;
    bool before = chip_take(m, "++");
    struct span at = chip_token(m)->span;
    struct chip_value *place = chip_place(m, &number), v;
    if (!place)
        return false;
    if (before || chip_take(m, "++")) {
        if (!number)
            return chip_stop(m, at, "expected a number to count up");
        *number = chip_compute("+", *number, chip_known(1), at);
        return true;
    }
    if (chip_take(m, "=")) {
        if (!chip_expression(m, &v))
            return false;
        if (number && v.kind == CHIP_NUMBER)
            *number = v.number;
        else
            *place = v;
        return true;
    }
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (number && chip_take(m, ops[i])) {
            if (!chip_integer(m, &right))
                return false;
            *number = chip_compute(ops[i], *number, right, at);
            return true;
        }
    return chip_stop(m, at, "the statement at '%s' is not read", m->tokens.items[m->at - 1].text);
}

static bool declaration_or_change(struct chip_machine *m)
{
    int type, name;
    return is_declaration(m, &type, &name) ? declaration(m, type, name) : change(m);
}

/* rt_submit_aiv_task(1, x) without its outputs, x.add_input(y), x_ci.set_initial_value(0) */
static bool call_statement(struct chip_machine *m)
{
    const struct chip_token *t = chip_token(m);
    struct chip_variable *v = chip_find(m, t->text);
    struct chip_value unused;
    if (v && v->value.kind == CHIP_LAUNCH && is_mark_at(m, m->at + 1, ".")) {
        m->at += 2;
        return launch_method(m, v->value.launch);
    }
    bool filled = v && v->value.kind == CHIP_INFO && is_mark_at(m, m->at + 1, ".") &&
                  !strcmp(m->tokens.items[m->at + 2].text, "set_initial_value");
    if (filled && m->tokens.items[m->at + 3].partner > m->at) {
        m->at = m->tokens.items[m->at + 3].partner + 1;
        return true;
    }
    if (!v && !strncmp(t->text, "rt_submit_", strlen("rt_submit_")))
        return chip_expression(m, &unused);
    return change(m);
}

static bool simple_statement(struct chip_machine *m)
{
    int type, name;
    if (is_declaration(m, &type, &name))
        return declaration(m, type, name);
    return is_mark_at(m, m->at, "++") ? change(m) : call_statement(m);
}

static bool statement(struct chip_machine *m)
{
    const struct chip_token *t = chip_token(m);
    bool ok;
    if (++m->depth > CHIP_MAX_DEPTH)
        return chip_stop(m, t->span, "it is nested too deeply");
    if (!chip_step(m))
        return false;
    if (is_mark_at(m, m->at, "{"))
        ok = block(m);
    else if (t->kind == CT_WORD && ends_with(t->text, "_SCOPE"))
        ok = scope(m);
    else if (is_word(m, "for"))
        ok = loop(m);
    else if (is_word(m, "if"))
        ok = branch(m);
    else if (is_mark_at(m, m->at, ";"))
        ok = chip_take(m, ";");
    else if (t->kind != CT_WORD && !is_mark_at(m, m->at, "++"))
        ok = chip_stop(m, t->span, "the statement at '%s' is not read", t->text);
    else
        ok = simple_statement(m) && chip_expect(m, ";");
    m->depth--;
    return ok;
}

/* The body of void aicpu_orchestration_entry(const ChipTaskArgs& orch_args). */
static bool find_body(struct chip_machine *m)
{
    const struct chip_token *t = m->tokens.items;
    for (; chip_token(m)->kind != CT_END; m->at++) {
        int open = m->at + 1;
        if (!is_word(m, "aicpu_orchestration_entry") || !is_mark_at(m, open, "(") ||
            t[open].partner < open + 1)
            continue;
        const char *args = t[t[open].partner - 1].text;
        chip_declare(m, args, (struct chip_value){.kind = CHIP_HOST});
        m->at = t[open].partner + 1;
        return is_mark_at(m, m->at, "{") ||
               chip_stop(m, chip_token(m)->span, "expected the body of the function");
    }
    return chip_stop(m, (struct span){0}, "it has no function aicpu_orchestration_entry");
}

struct chip_run *orchestration_run(struct arena *a, const struct source *chip,
                                   const struct host_program *host, const chip_extents *known,
                                   int rank, int nranks)
{
    struct chip_run *run = arena_new(a, struct chip_run);
    struct chip_machine m = {.arena = a,
                             .host = host,
                             .known = known,
                             .run = run,
                             .rank = rank,
                             .nranks = nranks,
                             .tokens = chip_lex(a, chip)};
    if (find_body(&m))
        block(&m);
    return run;
}
