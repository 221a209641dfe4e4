/* SPDX-License-Identifier: MIT */
/*
 * Tasks that a generated orchestration submits: their kernels and blocks, scalars and what they wait for.
 * Which tasks wait for which is what recorded runs have (pto-facts 4, edges of deps.json): a reader or updater
 * waits for all writers of an overlapping part since the last update of all of it; a task that only writes waits for
 * none.
 *
 * A task is written NUMBER[/VECTOR/VECTOR]xBLOCKS(SCALARS)<TASKS; a scalar that is not known, and blocks, as ?.
 */
#include <criterion/criterion.h>

#include "base/strbuf.h"
#include "bench/campaign/orchestration.h"

static void show_number(struct strbuf *b, const struct chip_number *n)
{
    if (n->known)
        strbuf_addf(b, "%lld", (long long)n->n);
    else
        strbuf_add(b, "?");
}

static void show_task(struct strbuf *b, const struct chip_task *t)
{
    const int *k = t->kernels;
    bool mixed = k[0] >= 0 && k[1] >= 0;
    if (mixed || k[2] >= 0)
        strbuf_addf(b, "%d/%d/%d", k[0], k[1], k[2]);
    else
        strbuf_addf(b, "%d", k[0] >= 0 ? k[0] : k[1]);
    strbuf_add(b, "x");
    show_number(b, &t->blocks);
    for (size_t i = 0; i < t->scalars.len; i++) {
        strbuf_add(b, i ? "," : "(");
        show_number(b, &t->scalars.items[i]);
    }
    strbuf_add(b, t->scalars.len ? ")" : "");
    for (size_t i = 0; i < t->preds.len; i++)
        strbuf_addf(b, "%s%d", i ? "," : "<", t->preds.items[i]);
}

static const char *shown(struct arena *a, const struct chip_run *run)
{
    struct strbuf b = strbuf_make(a);
    strbuf_add(&b, "");
    vec_foreach (const struct chip_task, t, &run->tasks) {
        strbuf_add(&b, t == run->tasks.items ? "" : " ");
        show_task(&b, t);
    }
    if (run->stopped)
        strbuf_addf(&b, "%s!%d:%d %s", run->tasks.len ? " " : "", run->at.line, run->at.col,
                    run->why);
    return b.text;
}

/* Tensors t (4 x 64, of the host) and u (8 x 64, created). */
#define HEAD                                                                                       \
    "void aicpu_orchestration_entry(const ChipTaskArgs& args) { SIMPLER_SCOPE() {"                 \
    " const Tensor& t = args.tensor(0).ref(); uint32_t us[2] = {8, 64};"                           \
    " TensorCreateInfo u_ci(us, 2, DataType::FLOAT32); TaskOutputTensors o = alloc_tensors(u_ci);" \
    " const Tensor& u = o.get_ref(0);\n"
#define TAIL "\n}}\n"
/* Two tasks; how each is handed which tensor. */
#define TWO(way1, tensor1, way2, tensor2)                                                          \
    "CoreTaskArgs a; a." way1 "(" tensor1 "); rt_submit_aiv_task(1, a);"                           \
    "CoreTaskArgs b; b." way2 "(" tensor2 "); rt_submit_aiv_task(2, b);"
#define PART(name, rows, from)                                                                     \
    "uint32_t " name "_s[2] = {" rows ", 64}; uint32_t " name "_o[2] = {" from                     \
    ", 0}; Tensor " name " = u.view(" name "_s, " name "_o);"
#define COLUMNS(name, from)                                                                        \
    "uint32_t " name "_s[2] = {8, 32}; uint32_t " name "_o[2] = {0, " from "}; Tensor " name       \
    " = u.view(" name "_s, " name "_o);"
#define NUMBER(expr) "CoreTaskArgs a; a.add_scalar(" expr "); rt_submit_aiv_task(1, a);"

static const struct {
    const char *name, *body, *shows;
} cases[] = {
    {"nothing", "", ""},
    {"a reader waits for a writer", TWO("add_output", "u", "add_input", "u"), "1x1 2x1<0"},
    {"an updater waits for a writer", TWO("add_output", "u", "add_inout", "u"), "1x1 2x1<0"},
    {"a writer does not", TWO("add_output", "u", "add_output", "u"), "1x1 2x1"},
    {"nor for a reader", TWO("add_input", "u", "add_output", "u"), "1x1 2x1"},
    {"nobody waits for a reader", TWO("add_input", "u", "add_inout", "u"), "1x1 2x1"},
    {"another tensor", TWO("add_output", "u", "add_input", "t"), "1x1 2x1"},
    {"an argument without dependences", TWO("add_output", "u", "add_no_dep", "u"), "1x1 2x1"},
    {"parts that overlap",
     PART("p", "4", "0") PART("q", "4", "3") TWO("add_output", "p", "add_input", "q"), "1x1 2x1<0"},
    {"parts that do not",
     PART("p", "4", "0") PART("q", "4", "4") TWO("add_output", "p", "add_input", "q"), "1x1 2x1"},
    {"columns side by side",
     COLUMNS("p", "0") COLUMNS("q", "32") TWO("add_output", "p", "add_input", "q"), "1x1 2x1"},
    {"columns that overlap",
     COLUMNS("p", "0") COLUMNS("q", "31") TWO("add_output", "p", "add_input", "q"), "1x1 2x1<0"},
    {"the same memory in another shape",
     "uint32_t s[1] = {512}; Tensor p = u.reshape(s, 1);" TWO("add_output", "u", "add_input", "p"),
     "1x1 2x1<0"},
    {"turned", "Tensor p = u.transpose(0, 1);" TWO("add_output", "p", "add_input", "u"),
     "1x1 2x1<0"},
    {"an updater of all stands for the writers before it",
     "CoreTaskArgs a; a.add_output(u); rt_submit_aiv_task(1, a);"
     "CoreTaskArgs b; b.add_inout(u); rt_submit_aiv_task(2, b);"
     "CoreTaskArgs c; c.add_input(u); rt_submit_aiv_task(3, c);",
     "1x1 2x1<0 3x1<1"},
    {"of a part it does not",
     PART("p", "4", "0") "CoreTaskArgs a; a.add_output(u); rt_submit_aiv_task(1, a);"
                         "CoreTaskArgs b; b.add_inout(p); rt_submit_aiv_task(2, b);"
                         "CoreTaskArgs c; c.add_input(u); rt_submit_aiv_task(3, c);",
     "1x1 2x1<0 3x1<0,1"},
    {"in a loop every writer counts",
     "for (int64_t i = 0; i < 2; i += 1) { SIMPLER_SCOPE() {"
     "CoreTaskArgs a; a.add_output(u); rt_submit_aic_task(1, a);"
     "CoreTaskArgs b; b.add_input(u); b.add_scalar(i * 4); rt_submit_aiv_task(2, b); }}",
     "1x1 2x1(0)<0 1x1 2x1(4)<0,2"},
    {"memory without dependences",
     "TensorCreateInfo m_ci(us, 2, DataType::INT8, /*manual_dep=*/true);"
     "TaskOutputTensors r = alloc_tensors(m_ci); const Tensor& m = r.get_ref(0);" TWO(
         "add_output", "m", "add_input", "m"),
     "1x1 2x1"},
    {"a manual scope",
     "PTO2_SCOPE(PTO2ScopeMode::MANUAL) {" TWO("add_output", "u", "add_input", "u") "}", "1x1 2x1"},
    {"what is said counts in it",
     "PTO2_SCOPE(PTO2ScopeMode::MANUAL) { CoreTaskArgs a; TaskOutputTensors x = "
     "rt_submit_aiv_task(1, a); PTO2TaskId id = x.task_id(); CoreTaskArgs b; PTO2TaskId d[1];"
     "uint32_t n = 0; d[n++] = id; b.set_dependencies(d, n); rt_submit_aiv_task(2, b); }",
     "1x1 2x1<0"},
    {"an id that is none is left out",
     "TaskId x = TaskId::invalid(); CoreTaskArgs b; TaskId d[1]; uint32_t n = 0;"
     "if (x.is_valid()) d[n++] = x; b.set_dependencies(d, n); rt_submit_aiv_task(2, b);",
     "2x1"},
    {"and must not be handed over",
     "TaskId x = TaskId::invalid(); CoreTaskArgs b; TaskId d[1]; uint32_t n = 0;"
     "d[n++] = x; b.set_dependencies(d, n);",
     "!2:106 dependence 0 is no task"},
    {"a barrier",
     "CoreTaskArgs a; TaskOutputTensors x = rt_submit_aiv_task(1, a); CoreTaskArgs f; TaskId d[1] "
     "= "
     "{x.task_id()}; f.set_dependencies(d, 1); rt_submit_dummy_task(f);",
     "1x1 -1x1<0"},
    {"cube and vectors", "CoreTaskArgs a; MixedKernels k = {4, 5, 5}; rt_submit_task(k, a);",
     "4/5/5x1"},
    {"vectors alone",
     "CoreTaskArgs a; MixedKernels k = {INVALID_KERNEL_ID, 5, 5}; rt_submit_task(k, a);",
     "-1/5/5x1"},
    {"blocks", "CoreTaskArgs a; a.launch_spec.set_block_num((8 / 2)); rt_submit_aiv_task(1, a);",
     "1x4"},
    {"memory that the runtime allocates for a task",
     "CoreTaskArgs a; a.add_output(u_ci); TaskOutputTensors x = rt_submit_aiv_task(1, a);"
     "const Tensor& y = x.get_ref(0); CoreTaskArgs b; b.add_input(y); rt_submit_aiv_task(2, b);",
     "1x1 2x1<0"},
    {"extents", NUMBER("t.shapes[0] + u.shapes[1] * 2"), "1x1(132)"},
    {"the loosest last", NUMBER("1 + 2 * 3 << 1 == 14 && 7 % 4 != 2"), "1x1(1)"},
    {"brackets and signs", NUMBER("-(2 - 5) * (int64_t)2"), "1x1(6)"},
    {"the smaller", NUMBER("std::min<int64_t>(t.shapes[0], 3) + std::max(1, 2)"), "1x1(5)"},
    {"one of two", NUMBER("u.shapes[0] >= 8 ? 1 : 2"), "1x1(1)"},
    {"32 bits", NUMBER("static_cast<int32_t>(2147483647 + 1)"), "1x1(-2147483648)"},
    {"and without a sign", NUMBER("static_cast<uint32_t>(-1)"), "1x1(4294967295)"},
    {"by its type", "int32_t x = 2147483648; uint32_t y = 0 - 1;" NUMBER("x"), "1x1(-2147483648)"},
    {"what is not known is carried along", NUMBER("get_tensor_data<float>(t, 1, us) + 1"),
     "1x1(?)"},
    {"a division by 0 as well", NUMBER("1 / (2 - 2)"), "1x1(?)"},
    {"rank, ranks, a number, a context",
     "CoreTaskArgs a; a.add_scalar(from_u64<int32_t>(args.scalar(0))); "
     "a.add_scalar(args.scalar(1));"
     "a.add_scalar(args.scalar(2)); a.add_scalar(args.scalar(3)); a.add_scalar(args.scalar(9));"
     "rt_submit_aiv_task(1, a);",
     "1x1(1,2,7,?,?)"},
    {"a branch",
     "if (t.shapes[0] == 4) { SIMPLER_SCOPE() {" NUMBER("1") "}} else {" NUMBER("2") "}", "1x1(1)"},
    {"the other one",
     "if (t.shapes[0] != 4) {" NUMBER("1") "} else if (1) {" NUMBER("2") "} else {}", "1x1(2)"},
    {"a loop downwards", "for (int64_t i = 4; i > 0; i += -2) {" NUMBER("i") "}", "1x1(4) 1x1(2)"},
    {"no turn", "for (int64_t i = 0; false; i += 0) {" NUMBER("i") "}", ""},
    {"lists that loops fill",
     "TaskId ids[2]; for (int64_t __i = 0; __i < 2; ++__i) ids[__i] = TaskId::invalid();"
     "for (int64_t k = 0; k < 2; k += 1) { CoreTaskArgs a; TaskOutputTensors x ="
     " rt_submit_aiv_task(1, a); ids[k] = x.task_id(); }"
     "CoreTaskArgs b; b.set_dependencies(ids, 2); rt_submit_aiv_task(2, b);",
     "1x1 1x1 2x1<0,1"},
    {"a variable of a block ends with it", "{ int64_t x = 1; } " NUMBER("x"), "1x1(?)"},
    {"extents that are assigned",
     "Tensor p = u; p.shapes[0] = 3;" NUMBER("p.shapes[0] + u.shapes[0]"), "1x1(11)"},
    {"a fill of new memory", "u_ci.set_initial_value(0);" TWO("add_output", "u", "add_input", "u"),
     "1x1 2x1<0"},
    /* What is not read. */
    {"a loop without an end", "for (int64_t i = 0; i < 1; i += 0) {}",
     "!2:26 it does not end within 65536 steps"},
    {"a condition that is not known", "if (get(t)) {}", "!2:5 a condition is not known: 'get'"},
    {"another statement", "switch (1) {}", "!2:1 the statement at 'switch' is not read"},
    {"a name that nobody has", "x = 1;", "!2:1 the statement at 'x' is not read"},
    {"a method", "CoreTaskArgs a; a.set_predicate(p);",
     "!2:19 'set_predicate' of a task's arguments is not read"},
    {"no tensor", "CoreTaskArgs a; a.add_input(7);", "!2:29 expected a tensor at '7'"},
    {"no arguments", "rt_submit_aiv_task(1, u);", "!2:1 expected the arguments of a task"},
    {"a tensor that the host does not hand over", "Tensor x = args.tensor(5).ref();",
     "!2:17 the host hands over no tensor 5"},
    {"an extent out of range", "int64_t x = u.shapes[2];", "!2:21 index 2 is out of range"},
    {"an element out of range", "int64_t x = us[2];", "!2:16 there is no element 2"},
    {"a part of too many dimensions", "uint32_t s[1] = {1}; Tensor p = u.view(s, s);",
     "!2:40 a part of 1 dimensions of a tensor of 2"},
    {"an element type", "TensorCreateInfo x(us, 2, DataType::INT3);",
     "!2:37 the element type 'INT3' is not known"},
    {"a bracket", "int64_t x = (1;", "!2:15 expected ')' in front of ';'"},
    {"no end of a line", "int64_t x = 1 int64_t y = 2;",
     "!2:15 expected ';' in front of 'int64_t'"},
};

static const struct source *text_of(struct arena *a, const char *body)
{
    return source_from_string(a, "chip.cpp", arena_printf(a, HEAD "%s" TAIL, body));
}

static struct host_program host(struct arena *a)
{
    struct host_program h = {.source = source_from_string(a, "host_orch.py", "")};
    static const struct host_scalar scalars[] = {
        {.expr = "rank", .text = "rank"},
        {.expr = "nranks", .text = "world_size"},
        {.expr = "7", .text = "7"},
        {.text = "comm[rank].device_ctx", .ctx = true},
    };
    struct host_tensor t = {
        .name = "t", .elem_bytes = 4, .ndims = 2, .shape = {{.n = 4}, {.n = 64}}};
    vec_push(a, &h.tensors, t);
    for (size_t i = 0; i < sizeof scalars / sizeof *scalars; i++)
        vec_push(a, &h.scalars, scalars[i]);
    return h;
}

Test(orchestration, tasks)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena a = {0};
        struct host_program h = host(&a);
        chip_extents none = {0};
        const char *got =
            shown(&a, orchestration_run(&a, text_of(&a, cases[i].body), &h, &none, 1, 2));
        cr_expect_str_eq(got, cases[i].shows, "%s: expected\n%s\nin\n%s", cases[i].name,
                         cases[i].shows, got);
        arena_free(&a);
    }
}

/* Text that nests without end, or ends anywhere, is no harm. */
Test(orchestration, broken_text)
{
    static const char *const deep[] = {"(", "-", "{", "!", "(int64_t)", "if (1) ", "u.reshape("};
    struct arena a = {0};
    struct host_program h = host(&a);
    chip_extents none = {0};
    for (size_t i = 0; i < sizeof deep / sizeof *deep; i++) {
        struct strbuf b = strbuf_make(&a);
        bool value = *deep[i] != '{' && *deep[i] != 'i';
        strbuf_add(&b, value ? "int64_t x = " : "");
        for (int k = 0; k < 20000; k++)
            strbuf_add(&b, deep[i]);
        cr_expect(orchestration_run(&a, text_of(&a, b.text), &h, &none, 0, 2)->stopped, "%s",
                  deep[i]);
    }
    const struct source *all = text_of(&a, cases[16].body);
    for (size_t n = 0; n < all->len; n++) {
        const struct source *part =
            source_from_string(&a, "chip.cpp", arena_strndup(&a, all->text, n));
        orchestration_run(&a, part, &h, &none, 0, 2);
    }
    arena_free(&a);
}
