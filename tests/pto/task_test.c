/* SPDX-License-Identifier: MIT */
/*
 * Programs of several kernels and kernels of several cores from `.pto` text: which functions are lanes of one
 * task (pto-facts 1.2, pypto-ops-facts 3.1), what waits for what (docs/pto.md), what stands for a
 * block's index, and what flags, meetings and pipes become (pypto-ops-facts 3.3-3.5).
 */
#include "base/strbuf.h"
#include "codegen/kernel.h"
#include "pto/compile.h"
#include "tests/pto/effects.h"
#include "tests/support.h"

static const struct toolchain plain = {
    .name = "plain", .region_cacheinvalid = REGION_BASE_LINE, .fence = FENCE_ALL};

static enum pto_answer ones(void *ctx, const char *name, int rank, int64_t *out, struct diag *d)
{
    (void)ctx, (void)rank, (void)d;
    *out = 1;
    return !strchr(name, ' ') ? PTO_GIVEN : PTO_UNKNOWN;
}

static const struct program *compile(struct arena *a, const char *text,
                                     const struct pto_task *tasks, size_t n, int cores,
                                     struct diag *d)
{
    *d = (struct diag){.arena = a};
    struct pto_options o = {.toolchain = &plain,
                            .nranks = 1,
                            .cores_per_rank = cores,
                            .tasks = tasks,
                            .ntasks = n,
                            .value = ones};
    struct pto_file *f = pto_read(a, source_from_string(a, "k.pto", text), d);
    return f ? pto_compile(a, f, &o, d) : NULL;
}

/* ---- who runs what ---- */

static const char *task_at(const struct program *p, const struct dispatch *d)
{
    return p->tasks[p->cores[0].code->insns[d->entry].imm];
}

/* "0.aic: k_aic; 0.aiv0: k_aiv, r after k_aic of 0.aic", core by core. */
static const char *plan(struct arena *a, const struct program *p)
{
    struct strbuf b = strbuf_make(a);
    for (int c = 0; c < p->ncores; c++) {
        strbuf_addf(&b, "%s%s:", c ? "; " : "", program_core_name(p, c, a));
        for (int i = 0; i < p->cores[c].ndispatches; i++) {
            const struct dispatch *d = &p->cores[c].dispatches[i];
            strbuf_addf(&b, "%s %s", i ? "," : "", task_at(p, d));
            for (int k = 0; k < d->nafter; k++) {
                const struct core_desc *of = &p->cores[d->after[k].core];
                strbuf_addf(&b, " after %s of %s", task_at(p, &of->dispatches[d->after[k].index]),
                            core_desc_name(of, a));
            }
        }
    }
    return b.text;
}

#define FUNC(name, kind, body)                                                                     \
    "  func.func @" name                                                                           \
    "(%p: !pto.ptr<i32>) attributes {pto.kernel_kind = #pto.kernel_kind<" kind ">} {\n" body       \
    "  return\n  }\n"
#define VECTOR(name) FUNC(name, "vector", "")
#define CUBE(name)   FUNC(name, "cube", "")
#define SUBBLOCK     "  %s = pto.get_subblock_idx\n"

static const char *const after_a[] = {"a"};
static struct span nowhere[1];

static const struct {
    const char *name, *text;
    struct pto_task tasks[3];
    int cores;
    const char *plan;
} planned[] = {
    {"one function: a core, no dispatches", VECTOR("k"), {{0}}, 0, "0:"},
    {"functions one behind the other", VECTOR("a") VECTOR("b"), {{0}}, 0, "0:"},
    {"two lanes of one kernel",
     CUBE("k_aic") VECTOR("k_aiv"),
     {{0}},
     0,
     "0.aic: k_aic; 0.aiv0: k_aiv"},
    {"the vector lane first in the text",
     VECTOR("k_aiv") CUBE("k_aic"),
     {{0}},
     0,
     "0.aic: k_aic; 0.aiv0: k_aiv"},
    {"no lanes: both are for vector cores", VECTOR("k_aic") VECTOR("k_aiv"), {{0}}, 0, "0:"},
    {"no lanes: two kernels", CUBE("k_aic") VECTOR("l_aiv"), {{0}}, 0, "0:"},
    {"a function that asks which vector core it is runs on both",
     FUNC("k", "vector", SUBBLOCK),
     {{0}},
     0,
     "0.aiv0: k; 0.aiv1: k"},
    {"parts for both kinds",
     "  func.func @k(%p: !pto.ptr<i32>) {\n  pto.section.cube {\n  }\n  pto.section.vector {\n  }\n"
     "  return\n  }\n",
     {{0}},
     0,
     "0.aic: k; 0.aiv0: k"},
    {"a part for one kind alone",
     "  func.func @k(%p: !pto.ptr<i32>) {\n  pto.section.vector {\n  }\n  return\n  }\n",
     {{0}},
     0,
     "0:"},
    {"calls of both kinds",
     CUBE("c") VECTOR("v") "  func.func @k(%p: !pto.ptr<i32>) {\n"
                           "  func.call @c(%p) : (!pto.ptr<i32>) -> ()\n"
                           "  func.call @v(%p) : (!pto.ptr<i32>) -> ()\n  return\n  }\n",
     {{0}},
     0,
     "0.aic: k; 0.aiv0: k"},
    {"tasks that are said: of the text the others do not run",
     VECTOR("a") VECTOR("b") VECTOR("c"),
     {{.name = "c", .blocks = 1},
      {.name = "a", .blocks = 2, .after = (const char *[]){"c"}, .after_at = nowhere, .nafter = 1}},
     0,
     "0.aiv0: c, a; 0.aiv1: a after c of 0.aiv0"},
    {"what waits for nothing",
     VECTOR("a") VECTOR("b"),
     {{.name = "a", .blocks = 1}, {.name = "b", .blocks = 2}},
     0,
     "0.aiv0: a, b; 0.aiv1: b"},
    {"all blocks are waited for",
     VECTOR("a") VECTOR("b"),
     {{.name = "a", .blocks = 3},
      {.name = "b",
       .blocks = 1,
       .after = (const char **)after_a,
       .after_at = nowhere,
       .nafter = 1}},
     0,
     "0.aiv0: a, b after a of 0.aiv1 after a of 0.1.aiv0; 0.aiv1: a; 0.1.aiv0: a"},
    {"cores in turn", VECTOR("a") VECTOR("b"), {{0}}, 2, "0.aiv0: a; 0.aiv1: b after a of 0.aiv0"},
    {"a pair by its name without an ending",
     CUBE("k_aic") VECTOR("k_aiv"),
     {{.name = "k", .blocks = 2}},
     0,
     "0.aic: k_aic; 0.1.aic: k_aic; 0.aiv0: k_aiv; 0.1.aiv0: k_aiv"},
    {"on both vector cores as recorded, though it does not ask which",
     VECTOR("k"),
     {{.name = "k", .blocks = 1, .vectors = 2}},
     0,
     "0.aiv0: k; 0.aiv1: k"},
    {"on one as recorded, though it asks",
     FUNC("k", "vector", SUBBLOCK),
     {{.name = "k", .blocks = 1, .vectors = 1}},
     0,
     "0:"},
    {"one lane of a pair",
     CUBE("k_aic") VECTOR("k_aiv"),
     {{.name = "k_aiv", .blocks = 1}},
     0,
     "0:"},
};

static size_t count_tasks(const struct pto_task *t)
{
    size_t n = 0;
    while (n < 3 && t[n].name)
        n++;
    return n;
}

Test(pto_task, plans)
{
    for (size_t i = 0; i < sizeof planned / sizeof *planned; i++) {
        struct arena a = {0};
        struct diag d;
        const struct program *p =
            compile(&a, arena_printf(&a, "module {\n%s}\n", planned[i].text), planned[i].tasks,
                    count_tasks(planned[i].tasks), planned[i].cores, &d);
        cr_assert(p, "%s: %s", planned[i].name, diag_text(&d, &a));
        expect_text(planned[i].name, plan(&a, p), planned[i].plan);
        arena_free(&a);
    }
}

static const struct {
    const char *text;
    struct pto_task tasks[3];
    const char *error;
} wrong_tasks[] = {
    {VECTOR("a"),
     {{.name = "b", .blocks = 1}},
     "no function 'b' that no other calls is in this file"},
    {VECTOR("a") VECTOR("b"),
     {{.name = "b", .blocks = 1, .after = (const char **)after_a, .after_at = nowhere, .nafter = 1},
      {.name = "a", .blocks = 1}},
     "no task in front of this one is called 'a'"},
    {VECTOR("a") VECTOR("b"),
     {{.name = "f", .file = "k.pto", .blocks = 1}},
     "'f' holds several kernels; expected one, or the two lanes of one"},
};

Test(pto_task, errors_of_tasks)
{
    for (size_t i = 0; i < sizeof wrong_tasks / sizeof *wrong_tasks; i++) {
        struct arena a = {0};
        struct diag d;
        cr_expect(!compile(&a, arena_printf(&a, "module {\n%s}\n", wrong_tasks[i].text),
                           wrong_tasks[i].tasks, count_tasks(wrong_tasks[i].tasks), 0, &d),
                  "row %zu", i);
        expect_text(wrong_tasks[i].error, d.failed ? d.message : "nothing", wrong_tasks[i].error);
        arena_free(&a);
    }
}

/* ---- flags, meetings, pipes ---- */

#define PIPE(attrs)                                                                                \
    "  pto.aic_initialize_pipe {" attrs                                                            \
    "} (gm_slot_buffer = %p : !pto.ptr<i32>, c2v_consumer_buf = %z : i32, v2c_consumer_buf = %z "  \
    ": i32)\n"
#define PUSH "  pto.tpush_to_aiv(%m : !pto.tile_buf<acc, 4x16xf32>) {split = 1}\n"
#define POP  "  %t = pto.tpop_from_aiv {split = 0} -> !pto.tile_buf<mat, 4x16xf32>\n"
#define FREE "  pto.tfree_from_aiv {split = 0}\n"

/* A cube kernel: m is a tile of 256 bytes. */
static char *cube_kernel(struct arena *a, const char *body)
{
    return arena_printf(
        a,
        "module {\n  func.func @k(%%p: !pto.ptr<i32>, %%f: !pto.ptr<i64>, %%n: i32) attributes "
        "{pto.kernel_kind = #pto.kernel_kind<cube>} {\n  %%z = arith.constant 0 : i32\n"
        "  %%a = arith.constant 0 : i64\n  %%m = pto.alloc_tile addr = %%a : "
        "!pto.tile_buf<acc, 4x16xf32>\n%s  return\n  }\n}\n",
        body);
}

static const struct {
    const char *name, *body, *effects;
} crossing[] = {
    {"a flag, to the vector cores where no mode is said", "  pto.sync.set <PIPE_FIX>, 3\n",
     "set_cross id 3\n"},
    {"a wait: the scalar unit's, whatever its pipe", "  pto.sync.wait <PIPE_V>, 5\n",
     "wait_cross id 5\n"},
    {"where flags lie is nothing", "  pto.set_ffts %f : !pto.ptr<i64>\n", ""},
    {"all cube cores meet",
     "  pto.syncall() mode = #pto.sync_all_mode<hard>, core_type = #pto.sync_core_type<aic_only>\n",
     "barrier all\nset_cross id 11\nwait_cross id 11\n"},
    {"a cube core meets all",
     "  pto.syncall() mode = #pto.sync_all_mode<hard>, core_type = "
     "#pto.sync_core_type<mix>\n",
     "barrier all\nwait_cross id 12\nset_cross id 11\nwait_cross id 11\nset_cross id 13\n"},
    {"a push: a credit, the store by FIX, the flag behind it; at the end the credits on the way",
     PIPE("dir_mask = 1, slot_size = 256") PUSH,
     "wait_cross id 1\nfix k.pipe fp32, tile fp32, 4 x 16\nset_cross id 0\nwait_cross id 1\n"},
    {"a pop: the flag, the load, slots given back; tfree is nothing",
     PIPE("dir_mask = 2, slot_size = 256, slot_num = 1") POP FREE,
     "wait_cross id 0\nmte2 k.pipe fp32, tile fp32, 4 x 16\nset_cross id 1\n"},
    {"both directions: the cube's own flags come first",
     PIPE("dir_mask = 3, slot_size = 256") POP PUSH,
     "wait_cross id 2\nmte2 k.pipe fp32, tile fp32, 4 x 16\nset_cross id 3\nwait_cross id 1\n"
     "fix k.pipe fp32, tile fp32, 4 x 16\nset_cross id 0\nwait_cross id 1\n"},
};

Test(pto_task, cores_cross)
{
    for (size_t i = 0; i < sizeof crossing / sizeof *crossing; i++) {
        struct arena a = {0};
        struct diag d;
        const struct program *p = compile(&a, cube_kernel(&a, crossing[i].body), NULL, 0, 0, &d);
        cr_assert(p, "%s: %s", crossing[i].name, diag_text(&d, &a));
        expect_text(crossing[i].name, task_effects(&a, p, "k", true), crossing[i].effects);
        arena_free(&a);
    }
}

static const struct {
    const char *body, *error;
} refused[] = {
    {"  pto.sync.set <PIPE_FIX>, 14\n", "the number of a cross-core flag is 0 to 13"},
    {"  pto.sync.set <PIPE_ALL>, 1\n", "a cross-core flag is set behind one pipe"},
    {"  pto.sync.set <PIPE_FIX>, 1 {ffts_mode = 3 : i32}\n", "ffts_mode is 0, 1 or 2"},
    {"  pto.syncall() mode = #pto.sync_all_mode<soft>, core_type = #pto.sync_core_type<aic_only>\n",
     "a soft syncall needs a workspace of i32 in global memory"},
    {PIPE("dir_mask = 4, slot_size = 256"),
     "'pto.aic_initialize_pipe' needs a direction, 1 to 64 slots and their size"},
    {PIPE("id = 4294967296, dir_mask = 1, slot_size = 256"), "a pipe's id has 31 bits"},
    {PIPE("dir_mask = 1, slot_size = 128") PUSH, "the tile has 256 bytes, a slot of the pipe 128"},
    {PUSH, "'pto.tpush_to_aiv' has no pipe of its direction set up before it"},
    {PIPE("dir_mask = 2, slot_size = 256") PUSH,
     "'pto.tpush_to_aiv' has no pipe of its direction set up before it"},
    {"  pto.aic_initialize_pipe {dir_mask = 1, slot_size = 256} (c2v_consumer_buf = %z : i32, "
     "v2c_consumer_buf = %z : i32)\n",
     "a pipe without a gm_slot_buffer goes past global memory, as on a5, which is not modelled"},
};

Test(pto_task, refusals)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct arena a = {0};
        struct diag d;
        cr_expect(!compile(&a, cube_kernel(&a, refused[i].body), NULL, 0, 0, &d), "row %zu runs",
                  i);
        expect_text(refused[i].body, d.failed ? d.message : "nothing", refused[i].error);
        arena_free(&a);
    }
}

/* The slots lie where the argument points: as many bytes as they take, for each block. */
Test(pto_task, memory_of_pipes)
{
    static const struct {
        const char *attrs;
        int blocks;
        uint64_t bytes;
    } rows[] = {{"dir_mask = 1, slot_size = 256", 1, 8 * 256},
                {"dir_mask = 3, slot_size = 256", 1, 2 * 4 * 256},
                {"dir_mask = 1, slot_size = 256, slot_num = 2", 3, 3 * 2 * 256}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena a = {0};
        struct diag d;
        struct pto_task task = {.name = "k", .blocks = rows[i].blocks};
        const char *body = arena_printf(&a,
                                        "  pto.aic_initialize_pipe {%s} (gm_slot_buffer = %%p : "
                                        "!pto.ptr<i32>, c2v_consumer_buf "
                                        "= %%z : i32, v2c_consumer_buf = %%z : i32)\n",
                                        rows[i].attrs);
        const struct program *p = compile(&a, cube_kernel(&a, body), &task, 1, 0, &d);
        cr_assert(p, "%s", diag_text(&d, &a));
        expect_text("name", p->regions[0].name, "k.pipe");
        cr_expect(p->regions[0].size == rows[i].bytes && p->regions[0].uninitialised &&
                      !p->regions[0].output,
                  "row %zu: %llu bytes", i, (unsigned long long)p->regions[0].size);
        arena_free(&a);
    }
}

/* ---- both front ends ---- */

/* A kernel of two lanes is the same machine program from its source and from what it would have been
 * compiled to. */
Test(pto_task, lanes_of_both_front_ends)
{
    static const char *const lanes[] = {"mix_aic", "mix_aiv"};
    struct arena a = {0};
    struct diag d = {.arena = &a};
    const struct kernel *k = kernel_load(&a, "tests/files/pto/mix.py", &d);
    struct kernel_options ko = {.pass = {.markers = true, .batch = PASS_BATCH_NONE},
                                .toolchain = &plain};
    const struct program *ours = k ? kernel_compile(&a, k, &ko, 1, &d) : NULL;
    const struct source *s = source_read(&a, "tests/files/pto/mix.pto", &d);
    struct pto_file *f = s ? pto_read(&a, s, &d) : NULL;
    struct pto_options o = {.toolchain = &plain, .nranks = 1};
    const struct program *theirs = f ? pto_compile(&a, f, &o, &d) : NULL;
    cr_assert(ours && theirs, "%s", diag_text(&d, &a));
    expect_text("cores", plan(&a, theirs), plan(&a, ours));
    for (size_t i = 0; i < sizeof lanes / sizeof *lanes; i++) {
        const char *is = task_effects(&a, theirs, lanes[i], true);
        cr_assert(is && *is);
        expect_text(lanes[i], is, task_effects(&a, ours, lanes[i], true));
    }
    arena_free(&a);
}
