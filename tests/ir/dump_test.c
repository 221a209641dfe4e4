/* SPDX-License-Identifier: MIT */
/* What only dumps and printed programs spell (pypto-facts 1.4, 1.6), beside the cases dump_* of
 * tests/cases/parse. */
#include <string.h>

#include "base/strbuf.h"
#include "tests/ir/helpers.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* ---- what is refused ---- */

static const struct {
    const char *name, *body, *error;
} errors[] = {
    {"recorded call without a name", "pl._dump.call(1, [], pl.Ptr)\n",
     "3:19: expected the name of an operator as a string, or a function, found '1'"},
    {"recorded call of no operator", "pl._dump.call('a b', [], pl.Ptr)\n",
     "3:19: expected the name of an operator such as 'tensor.view'"},
    {"recorded call of a dump form", "pl._dump.call('_dump.window_buffer', [], pl.Ptr)\n",
     "3:19: expected the name of an operator such as 'tensor.view'"},
    {"recorded call without arguments", "pl._dump.call('a.b', pl.Ptr)\n",
     "3:26: expected the list of arguments, found 'pl'"},
    {"recorded call without a type", "pl._dump.call('a.b', [], 1)\n",
     "3:30: expected a type, found '1'"},
    {"recorded call with another field", "pl._dump.call('a.b', [], pl.Ptr, type=1)\n",
     "3:38: expected kwargs= or attrs=, found 'type'"},
    {"keywords that are no dict", "pl._dump.call('a.b', [], pl.Ptr, kwargs=[1])\n",
     "3:45: expected a dict such as {\"key\": value}"},
    {"recorded call with too many arguments",
     "pl._dump.call('tensor.view', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], pl.Ptr)\n",
     "3:34: tensor.view takes no more than 9 arguments, found 10"},
    {"bits that are none", "y = pl._dump.float64(\"nan\")\n",
     "3:26: pl._dump.float64 expects 16 hexadecimal digits in a string"},
    {"xor of one", "y = pl._dump.logical_xor(n)\n",
     "3:9: pl._dump.logical_xor expects 2 arguments, found 1"},
    {"label that is none",
     "y: pld.DistributedTensor[[4], pl.FP32, pl._dump.window_ref(w)] = pl.m()\n",
     "3:64: expected the label of a window, found 'w'"},
    {"explicit name of an allocation", "w = pld.tensor.alloc_window_buffer(16, name='b')\n",
     "3:44: pld.tensor.alloc_window_buffer takes its name from the variable it is assigned to; "
     "drop name= [alloc-explicit-name]"},
    {"a statement behind a yield in a scope",
     "for j, (a,) in pl.range(2, init_values=(n,)):\n    with pl.scope():\n        r = "
     "pl.yield_(a)\n    y = 1\n",
     "6:9: pl.yield_ must be the last statement of its block"},
    {"task without a name", "with pl.at(level=1) as 2:\n    pass\n",
     "3:28: expected the name of the task, found '2'"},
    {"lanes with state", "for j, (a,) in pl.spmd(2, init_values=(n,)):\n    pass\n",
     "3:20: unknown loop 'pl.spmd', expected pl.range(...)"},
    {"wrong number of results of a launch", "y, z, t = pl.submit(f, x)\n",
     "5:5: 3 names on the left, but 2 values on the right"},
};

Test(dump, errors)
{
    for (size_t i = 0; i < COUNT(errors); i++) {
        struct arena a = {0};
        const char *error, *text = kernel_text(&a, errors[i].body);
        if (strstr(errors[i].body, "(f, x)")) /* f stands before its caller */
            text = arena_printf(&a, "def f(x: pl.Ptr) -> pl.Ptr:\n    return x\n%s", text);
        parse_text(&a, text, &error);
        cr_assert(error, "%s: parses", errors[i].name);
        expect_text(errors[i].name, short_error(&a, error), errors[i].error);
        arena_free(&a);
    }
}

/* ---- whole programs ---- */

static const char *without_comments(struct arena *a, const char *text)
{
    struct strbuf b = strbuf_make(a);
    for (const char *end; *text; text = end) {
        end = text + strcspn(text, "\n");
        end += *end == '\n';
        size_t blank = strspn(text, " ");
        bool header = strncmp(text, "# pypto.program:", 16) == 0;
        if (header || (text[blank] != '#' && text[blank] != '\n'))
            strbuf_addn(&b, text, (size_t)(end - text));
    }
    return b.text;
}

/* Programs in the compiler's form print as they were written. */
Test(dump, printed_programs_print_again)
{
    static const char *const paths[] = {"tests/cases/parse/program_host_before.before.py",
                                        "tests/cases/parse/program_host_after.before.py",
                                        "tests/cases/parse/program_comm_domains.before.py"};
    for (size_t i = 0; i < COUNT(paths); i++) {
        struct arena a = {0};
        struct diag d = {.arena = &a};
        const struct source *src = source_read(&a, paths[i], &d);
        cr_assert(src, "%s", diag_text(&d, &a));
        struct ir_program *p = parse_good(&a, paths[i], src->text);
        expect_text(paths[i], ir_print(&a, p), without_comments(&a, src->text));
        arena_free(&a);
    }
}

/* The text without the annotations of assignments. */
static const char *without_annotations(struct arena *a, const char *text)
{
    struct strbuf b = strbuf_make(a);
    for (const char *line = text; *line;) {
        size_t len = strcspn(line, "\n"), indent = strspn(line, " ");
        size_t name = indent + strcspn(line + indent, ":\n (=");
        const char *equals = strstr(line, " = ");
        bool annotated = equals && equals < line + len && strncmp(line + name, ": ", 2) == 0;
        strbuf_addn(&b, line, annotated ? name : len);
        if (annotated)
            strbuf_addn(&b, equals, len - (size_t)(equals - line));
        strbuf_add(&b, "\n");
        line += len + (line[len] == '\n');
    }
    return b.text;
}

static void add_types(struct arena *a, struct strbuf *out, const ir_block *block)
{
    vec_foreach (struct ir_stmt *, it, block) {
        const struct ir_stmt *s = *it;
        if (s->kind == IR_ASSIGN && s->assign.value->type)
            strbuf_addf(out, "%s: %s\n", s->assign.targets.items[0]->name,
                        ir_print_type(a, s->assign.value->type));
        if (s->kind == IR_SCOPE)
            add_types(a, out, &s->scope.body);
        if (s->kind == IR_FOR)
            add_types(a, out, &s->for_.body);
    }
}

static const char *value_types(struct arena *a, const char *name, const char *text)
{
    struct strbuf b = strbuf_make(a);
    const struct ir_program *p = parse_good(a, name, text);
    vec_foreach (struct ir_func *, f, &p->funcs)
        add_types(a, &b, &(*f)->body);
    return b.text;
}

/* A reader that gives calls no type from the left side has the same ones. */
Test(dump, calls_keep_their_types_without_annotations)
{
    static const char *const paths[] = {"tests/cases/parse/program_host_after.before.py",
                                        "tests/cases/parse/program_comm_domains.before.py"};
    for (size_t i = 0; i < COUNT(paths); i++) {
        struct arena a = {0};
        struct diag d = {.arena = &a};
        const struct source *src = source_read(&a, paths[i], &d);
        cr_assert(src, "%s", diag_text(&d, &a));
        const char *printed = ir_print(&a, parse_good(&a, paths[i], src->text)),
                   *types = value_types(&a, paths[i], printed);
        cr_expect(strstr(types, "window_ref"), "%s", types);
        expect_text(paths[i], value_types(&a, paths[i], without_annotations(&a, printed)), types);
        arena_free(&a);
    }
}

Test(dump, older_spellings_of_windows)
{
    struct arena a = {0};
    struct diag d = {.arena = &a};
    const struct source *src =
        source_read(&a, "tests/cases/parse/program_comm_domains_legacy.before.py", &d);
    cr_assert(src, "%s", diag_text(&d, &a));
    struct ir_program *p = parse_good(&a, "legacy", src->text);
    const struct ir_stmt *scope = p->funcs.items[0]->body.items[0];
    const ir_block *body = &scope->scope.body;
    struct ir_expr *slots = ir_kwarg_find(&scope->scope.call->call.kwargs, "slots");
    struct ir_window_buffer *w = slots->items.items[0]->type->window;
    cr_expect(w->base == body->items[0]->assign.targets.items[0], "the base is found by name");
    cr_expect(body->items[1]->assign.targets.items[0]->type->window == w, "the id means the slot");
    cr_expect(body->items[1]->assign.value->type->window == w, "and the call has it too");
    expect_text("name", w->name, "buf");
    const ir_block *marked = &p->funcs.items[1]->body;
    cr_expect(marked->len == 2 && !marked->items[1]->assign.targets.items[0]->type->window,
              "the marker carries no reference and the comment no scope");
    arena_free(&a);
}

Test(dump, abstract_functions)
{
    struct arena a = {0};
    const char *error;
    struct ir_program *p = parse_good(&a, "abstract", "def f():\n    \"\"\"doc\"\"\"\n    ...\n");
    cr_expect(p->funcs.items[0]->is_abstract && p->funcs.items[0]->body.len == 0);
    expect_round_trip("abstract", p);
    parse_text(&a, "def f():\n    ...\n    pass\n", &error);
    cr_assert(error);
    expect_text("more", short_error(&a, error),
                "3:5: expected the end of a body that is '...', found 'pass'");
    arena_free(&a);
}

Test(dump, launches_have_the_type_of_their_results)
{
    struct arena a = {0};
    struct ir_program *p =
        parse_good(&a, "launch",
                   "def f(x: pl.Ptr) -> tuple[pl.Ptr, pl.Scalar[pl.INT32]]:\n    return x, 1\n"
                   "def g(x: pl.Ptr):\n    a, b, t = pl.submit(f, x)\n    u = pl.submit(g, x)\n");
    const ir_block *body = &p->funcs.items[1]->body;
    const ir_vars *targets = &body->items[0]->assign.targets;
    expect_text("first", ir_print_type(&a, targets->items[0]->type), "pl.Ptr");
    expect_text("second", ir_print_type(&a, targets->items[1]->type), "pl.Scalar[pl.INT32]");
    expect_text("task", ir_print_type(&a, targets->items[2]->type), "pl.Scalar[pl.TASK_ID]");
    cr_expect(body->items[1]->assign.targets.items[0]->type == NULL, "nothing declared");
    arena_free(&a);
}

/* Whether the last view under the name `w` is a variable of its own (pypto-facts 1.5). */
static const struct {
    const char *name, *body;
    bool fresh;
} views[] = {
    {"one after the other", "w = V(a)\nw = V(b)\n", true},
    {"in two loops", "for r in pl.range(2):\n    w = V(a)\nfor r in pl.range(2):\n    w = V(b)\n",
     true},
    {"behind a parameter", "w = V(b)\nw = V(b)\n", true},
    {"in a branch", "w = V(a)\nif True:\n    w = V(b)\n", false},
    {"in a while loop", "w = V(a)\nwhile True:\n    w = V(b)\n", false},
    {"read earlier in its loop", "w = V(a)\nfor r in pl.range(2):\n    pl.m(w)\n    w = V(b)\n",
     false},
    {"read later in its loop", "w = V(a)\nfor r in pl.range(2):\n    w = V(b)\n    pl.m(w)\n",
     true},
    {"read before its loop", "w = V(a)\npl.m(w)\nfor r in pl.range(2):\n    w = V(b)\n", true},
    {"recorded",
     "w = V(a)\nw = pl._dump.call('pld.tensor.window', [b, [4]], "
     "pld.DistributedTensor[[4], pl.FP32], kwargs={\"dtype\": pl.FP32})\n",
     false},
    {"no view", "w = pl.m(a)\nw = pl.m(b)\n", false},
};

/* Text with V(x) for a view of x, as the body of a host function. */
static const char *host_text(struct arena *a, const char *body)
{
    struct strbuf b = strbuf_make(a);
    strbuf_add(&b, "def main(a: pl.Ptr, b: pl.Ptr):\n    ");
    for (; *body; body++) {
        bool view = strncmp(body, "V(", 2) == 0;
        if (view)
            strbuf_addf(&b, "pld.window(%c, [4], dtype=pl.FP32)", body[2]);
        else
            strbuf_addf(&b, *body == '\n' && body[1] ? "%c    " : "%c", *body);
        body += view ? 3 : 0;
    }
    return b.text;
}

static const struct ir_var *last_target(const ir_block *block)
{
    const struct ir_var *found = NULL;
    vec_foreach (struct ir_stmt *, s, block) {
        const ir_block *inner = (*s)->kind == IR_FOR     ? &(*s)->for_.body
                                : (*s)->kind == IR_WHILE ? &(*s)->while_.body
                                : (*s)->kind == IR_IF    ? &(*s)->if_.then_body
                                                         : NULL;
        const struct ir_var *v = (*s)->kind == IR_ASSIGN ? (*s)->assign.targets.items[0]
                                 : inner                 ? last_target(inner)
                                                         : NULL;
        found = v ? v : found;
    }
    return found;
}

Test(dump, views_of_windows_are_variables_of_their_own)
{
    for (size_t i = 0; i < COUNT(views); i++) {
        struct arena a = {0};
        struct ir_program *p = parse_good(&a, views[i].name, host_text(&a, views[i].body));
        const ir_block *body = &p->funcs.items[0]->body;
        const ir_block first = {.items = body->items, .len = 1};
        cr_expect((last_target(body) != last_target(&first)) == views[i].fresh, "%s",
                  views[i].name);
        expect_round_trip(views[i].name, p);
        arena_free(&a);
    }
}

Test(dump, sizes_of_element_types)
{
    struct arena a = {0};
    struct ir_program *p = parse_good(
        &a, "sizes",
        kernel_text(&a, "y = i * pl.FP32.get_byte()\nz = pl.INT4.get_byte() + pl.BF16.get_bit()\n"
                        "pl.m(pl.FP33.get_byte())\n"));
    expect_text("sizes", printed_body(&a, p),
                "y: pl.Scalar[pl.INDEX] = i * 4\nz: pl.Scalar[pl.INDEX] = 1 + 16\n"
                "pl.m(pl.FP33.get_byte())\n");
    arena_free(&a);
}

/* A string that is a statement says nothing; only at the start of a body is it kept. */
Test(dump, strings_as_statements)
{
    struct arena a = {0};
    struct ir_program *p = parse_good(
        &a, "strings", "def f():\n    'one' \"two\"\n    pl.m()\n    'three'\n    pl.n()\n");
    expect_text("docstring", p->funcs.items[0]->doc, "onetwo");
    cr_expect(p->funcs.items[0]->body.len == 2);
    expect_round_trip("strings", p);
    arena_free(&a);
}

/* Older dumps number the windows of each function from zero. */
Test(dump, labels_of_two_functions)
{
    static const char text[] =
        "def %s():\n"
        "    with pl._dump.comm_domain(slots=[pl._dump.window_buffer(0, base=\"b\", size=%d)]):\n"
        "        b = pld.tensor.alloc_window_buffer(%d)\n"
        "        w: pld.DistributedTensor[[4], pl.FP32, pl._dump.window_ref(0)] = pl.m(b)\n";
    struct arena a = {0};
    struct ir_program *p = parse_good(&a, "two",
                                      arena_printf(&a, "%s%s", arena_printf(&a, text, "f", 16, 16),
                                                   arena_printf(&a, text, "g", 32, 32)));
    for (int f = 0; f < 2; f++) {
        const struct ir_stmt *scope = p->funcs.items[f]->body.items[0];
        struct ir_var *base = scope->scope.body.items[0]->assign.targets.items[0];
        struct ir_var *view = scope->scope.body.items[1]->assign.targets.items[0];
        cr_expect(view->type->window->base == base);
        cr_expect(view->type->window->size->integer.value == 16 * (f + 1));
    }
    expect_round_trip("two", p);
    arena_free(&a);
}

/* ---- sizes that would explode ---- */

static const struct {
    const char *name, *head, *step, *tail;
    const char *error; /* NULL: it parses, and prints in a moment */
} growing[] = {
    {"tuples of tuples", "def f():\n    a0 = (1, 1)\n", "    a%d = (a%d, a%d)\n", "", NULL},
    {"constants of constants", "A0 = [1, 1]\n", "A%d = [A%d, A%d]\n", "def f():\n    pass\n",
     "6:6: a module-level constant of more than 100 parts"},
};

Test(dump, doubling_is_bounded)
{
    for (size_t i = 0; i < COUNT(growing); i++) {
        struct arena a = {0};
        const char *error, *text = growing[i].head;
        for (int n = 1; n < 60; n++) {
            const char *step = arena_printf(&a, growing[i].step, n, n - 1, n - 1);
            text = arena_printf(&a, "%s%s", text, step);
        }
        struct ir_program *p =
            parse_text(&a, arena_printf(&a, "%s%s", text, growing[i].tail), &error);
        if (growing[i].error)
            expect_text(growing[i].name, error ? short_error(&a, error) : "parses",
                        growing[i].error);
        else
            expect_reads_back(growing[i].name, p);
        arena_free(&a);
    }
}

/* `head`, then `part` so often, then `tail`. */
static const struct {
    const char *name, *head, *part, *tail;
    int times;
    const char *error; /* NULL: it parses */
} limits[] = {
    {"keywords at the limit", "def f():\n    pl.m(", "k%d=1, ", ")\n", 1000, NULL},
    {"keywords beyond it", "def f():\n    pl.m(", "k%d=1, ", ")\n", 1001,
     "2:7900: error: a call of more than 1000 keywords"},
    {"shapes that repeat shapes", "def f(x: pl.Tensor[[4], pl.FP32]):\n    y = ",
     "pl.load(x, [0], [", "1", 60, "the statement has more than 2000 operators"},
    {"few of them", "def f(x: pl.Tensor[[4], pl.FP32]):\n    y = ", "pl.load(x, [0], [", "1", 8,
     NULL},
    {"shapes that repeat nothing",
     "def f(x: pl.Tensor[[4], pl.FP32]):\n    y = ", "pl.tile.load(x, [0], [1], [", "1", 60, NULL},
};

Test(dump, limits)
{
    for (size_t i = 0; i < COUNT(limits); i++) {
        struct arena a = {0};
        struct strbuf b = strbuf_make(&a);
        const char *error;
        bool brackets = strstr(limits[i].part, "load(") != NULL;
        strbuf_add(&b, limits[i].head);
        for (int n = 0; n < limits[i].times; n++)
            strbuf_add(&b, arena_printf(&a, limits[i].part, n));
        strbuf_add(&b, limits[i].tail);
        for (int n = 0; brackets && n < limits[i].times; n++)
            strbuf_add(&b, "])");
        strbuf_add(&b, "\n");
        struct ir_program *p = parse_text(&a, b.text, &error);
        if (limits[i].error)
            cr_expect(error && strstr(error, limits[i].error), "%s: %s", limits[i].name,
                      error ? error : "parses");
        else if (p)
            expect_round_trip(limits[i].name, p);
        else
            cr_expect(p, "%s: %s", limits[i].name, error);
        arena_free(&a);
    }
}
