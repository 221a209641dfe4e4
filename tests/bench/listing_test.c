/* SPDX-License-Identifier: MIT */
/* The commands ops, rules, passes and models against the tables that they show. */
#include "tests/support.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "bench/cli/commands.h"
#include "ir/ops.h"
#include "ir/rules.h"
#include "models/contract.h"
#include "models/ini_table.h"
#include "models/toolchain.h"
#include "passes/pass.h"

struct result {
    char *out, *err;
    int code;
};

/* Runs a command with up to three arguments and catches what it prints. */
static struct result run(int (*command)(int, char **), const char *x, const char *y, const char *z)
{
    char *argv[] = {"fencebench", (char *)x, (char *)y, (char *)z, NULL};
    struct result r;
    size_t out_size, err_size;
    int argc = 1;
    while (argv[argc])
        argc++;
    FILE *out = stdout, *err = stderr;
    stdout = open_memstream(&r.out, &out_size);
    stderr = open_memstream(&r.err, &err_size);
    r.code = command(argc, argv);
    fclose(stdout);
    fclose(stderr);
    stdout = out;
    stderr = err;
    return r;
}

static void release(struct result r)
{
    free(r.out);
    free(r.err);
}

/* Takes over r. */
static void expect_run(const char *name, struct result r, int code, const char *out,
                       const char *err)
{
    cr_expect(r.code == code, "%s: exit code %d", name, r.code);
    expect_text(name, r.out, out);
    expect_text(name, r.err, err);
    release(r);
}

/* How many lines begin with the word. */
static int lines_of(const char *text, const char *word)
{
    int n = 0;
    size_t len = strlen(word);
    for (const char *p = text; *p; p += strcspn(p, "\n"), p += *p == '\n')
        n += strncmp(p, word, len) == 0 && p[len] == ' ';
    return n;
}

/* ---- ops ---- */

Test(listing, every_operator_appears_once)
{
    struct result all = run(cmd_ops, NULL, NULL, NULL),
                  incore = run(cmd_ops, "--incore", NULL, NULL);
    struct result json = run(cmd_ops, "--json", NULL, NULL);
    json_t *list = json_loads(json.out, 0, NULL);
    cr_expect(json_array_size(list) == ir_op_count());
    for (size_t i = 0; i < ir_op_count(); i++) {
        const struct ir_op *op = ir_op_at(i);
        const char *name = op->name;
        cr_expect(lines_of(all.out, name) == 1, "%s", name);
        cr_expect(lines_of(incore.out, name) == ir_op_in_core(op), "%s in core", name);
        const json_t *row = json_array_get(list, i);
        expect_text("json", json_string_value(json_object_get(row, "name")), name);
        cr_expect(json_array_size(json_object_get(row, "arguments")) == strlen(op->args), "%s",
                  name);
    }
    cr_expect(!strstr(all.out, "(null)") && !strstr(all.out, "?"),
              "every letter and rule has a text");
    json_decref(list);
    release(all);
    release(incore);
    release(json);
}

#define OPS_HEAD                                                                                   \
    "NAME       EFFECT       PIPE  RESULT             DOC\n"                                       \
    "    (ARGUMENTS: KINDS, *, KEYWORDS)\n"

static const struct {
    const char *name, *x, *y;
    int code;
    const char *out, *err;
} ops_cases[] = {
    {"a row", "tile.store", NULL, EXIT_CLEAN,
     OPS_HEAD "tile.store write        MTE3  as output_tensor   store a tile into a tensor\n"
              "    (tile: tile, offsets: ints, output_tensor: tensor[, shapes: ints], *, atomic: "
              "pl.AtomicType = None_)\n",
     ""},
    {"a spelling", "pl.create_tile", "tile.load", EXIT_CLEAN,
     "NAME        EFFECT       PIPE  RESULT             DOC\n"
     "    (ARGUMENTS: KINDS, *, KEYWORDS)\n"
     "tile.create pure         -     tile               tile without contents\n"
     "    (shape: ints, dtype: dtype, target_memory: any = pl.Mem.Vec, transpose: bool = False, *, "
     "flat_layout: bool = False, compact: bool = False)\n"
     "tile.load   read         MTE2  tile               load a region of a tensor\n"
     "    (tensor: tensor, offsets: ints, shapes: ints, valid_shape: ints = shapes, "
     "target_memory: any = pl.Mem.Vec, clamp: bool = False, *[, cache: int], "
     "transpose: bool = False)\n",
     ""},
    {"a misspelt name without its module", "pl.notfy", NULL, EXIT_USAGE, "",
     "error: no operator 'pl.notfy'; did you mean 'notify'?\n"},
    {"with pl.", "pl.tile.stoer", NULL, EXIT_USAGE, "",
     "error: no operator 'pl.tile.stoer'; did you mean 'tile.store'?\n"},
    {"the wrong module", "pld.tensor.notify", NULL, EXIT_USAGE, "",
     "error: no operator 'pld.tensor.notify'; did you mean 'pld.system.notify'?\n"},
    {"unknown", "tile.stoer", NULL, EXIT_USAGE, "",
     "error: no operator 'tile.stoer'; did you mean 'tile.store'?\n"},
    {"nothing near", "zzzzzzzzzzzz", NULL, EXIT_USAGE, "", "error: no operator 'zzzzzzzzzzzz'\n"},
    {"host only", "--incore", "pld.window", EXIT_USAGE, "",
     "error: 'pld.tensor.window' is no operator of InCore functions\n"},
};

Test(listing, named_operators)
{
    for (size_t i = 0; i < sizeof ops_cases / sizeof *ops_cases; i++)
        expect_run(ops_cases[i].name, run(cmd_ops, ops_cases[i].x, ops_cases[i].y, NULL),
                   ops_cases[i].code, ops_cases[i].out, ops_cases[i].err);
}

/* The spellings of a kernel: pl.add chooses by its operand, pl.tile.mrgsort by a keyword. */
static const struct {
    const char *written;
    const char *names[4];
} written_ops[] = {
    {"pl.add", {"tile.add", "tensor.add"}},
    {"add", {"tile.add", "tensor.add"}},
    {"notify", {"pld.system.notify"}},
    {"pl.load", {"tile.load"}},
    {"pl.full", {"tensor.full"}},
    {"pl.tile.mrgsort", {"tile.mrgsort_format1", "tile.mrgsort_format2"}},
    {"pl.gather", {"tensor.gather_mask", "tensor.gather_compare", "tensor.gather", "tile.gather"}},
};

Test(listing, operators_as_kernels_spell_them)
{
    for (size_t i = 0; i < sizeof written_ops / sizeof *written_ops; i++) {
        struct result r = run(cmd_ops, "--json", written_ops[i].written, NULL);
        json_t *list = json_loads(r.out, 0, NULL);
        size_t n = 0;
        while (n < 4 && written_ops[i].names[n])
            n++;
        cr_assert(json_array_size(list) == n, "%s: %zu rows%s", written_ops[i].written,
                  json_array_size(list), r.err);
        for (size_t k = 0; k < n; k++)
            expect_text(written_ops[i].written,
                        json_string_value(json_object_get(json_array_get(list, k), "name")),
                        written_ops[i].names[k]);
        json_decref(list);
        release(r);
    }
}

/* Where an operator may stand (pypto-facts 2), as the JSON lists it. */
Test(listing, places_of_operators)
{
    static const struct {
        const char *op, *places;
    } rows[] = {
        {"pld.system.world_size", "[\"host\"]"},
        {"pld.system.rank", "[\"host\", \"chip\", \"core\"]"},
        {"pld.system.get_comm_ctx", "[\"host\", \"chip\", \"core\"]"},
        {"system.fence", "[\"chip\", \"core\"]"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct result r = run(cmd_ops, "--json", rows[i].op, NULL);
        json_t *list = json_loads(r.out, 0, NULL);
        char *places = json_dumps(json_object_get(json_array_get(list, 0), "places"), 0);
        expect_text(rows[i].op, places, rows[i].places);
        free(places);
        json_decref(list);
        release(r);
    }
}

/* ---- rules ---- */

Test(listing, every_rule_appears_once)
{
    struct result text = run(cmd_rules, NULL, NULL, NULL),
                  markdown = run(cmd_rules, "--markdown", NULL, NULL),
                  json = run(cmd_rules, "--json", NULL, NULL);
    json_t *list = json_loads(json.out, 0, NULL);
    cr_expect(json_array_size(list) == IR_RULE_COUNT);
    for (size_t i = 0; i < IR_RULE_COUNT; i++) {
        const struct ir_rule_row *rule = &ir_rules[i];
        char row[64];
        snprintf(row, sizeof row, "| %s", rule->name);
        cr_expect(lines_of(text.out, rule->name) == 1, "%s", rule->name);
        cr_expect(lines_of(markdown.out, row) == 1, "%s in the table", rule->name);
        const json_t *message = json_object_get(json_array_get(list, i), "message");
        expect_text(rule->name, json_string_value(message), rule->message);
    }
    json_decref(list);
    release(text);
    release(markdown);
    release(json);
}

static const struct {
    const char *name, *x, *y;
    int code;
    const char *out, *err;
} rule_cases[] = {
    {"two rules", "op-arity", "slot-null", EXIT_CLEAN,
     "NAME      ABOUT                        FACTS    MESSAGE\n"
     "op-arity  operators                    2        <op> expects <numbers> arguments, found "
     "<number>\n"
     "slot-null CommDomainScopesMaterialized 4.3      slot <slot> of communication domain <name> "
     "is null\n",
     ""},
    {"unknown", "op-aritty", NULL, EXIT_USAGE, "",
     "error: no rule 'op-aritty'; did you mean 'op-arity'?\n"},
    {"nothing near", "zzzzzzzzzzzz", NULL, EXIT_USAGE, "", "error: no rule 'zzzzzzzzzzzz'\n"},
};

Test(listing, named_rules)
{
    for (size_t i = 0; i < sizeof rule_cases / sizeof *rule_cases; i++)
        expect_run(rule_cases[i].name, run(cmd_rules, rule_cases[i].x, rule_cases[i].y, NULL),
                   rule_cases[i].code, rule_cases[i].out, rule_cases[i].err);
}

/* ---- passes ---- */

Test(listing, every_pass_appears_once_in_its_order)
{
    struct result text = run(cmd_passes, NULL, NULL, NULL),
                  markdown = run(cmd_passes, "--markdown", NULL, NULL),
                  json = run(cmd_passes, "--json", NULL, NULL);
    json_t *list = json_loads(json.out, 0, NULL);
    cr_expect(json_array_size(list) == pass_count);
    for (size_t i = 0; i < pass_count; i++) {
        char row[64];
        snprintf(row, sizeof row, "| %s", passes[i].name);
        cr_expect(lines_of(text.out, passes[i].name) == 1, "%s", passes[i].name);
        cr_expect(lines_of(markdown.out, row) == 1, "%s in the table", passes[i].name);
        const json_t *one = json_array_get(list, i);
        expect_text("order", json_string_value(json_object_get(one, "name")), passes[i].name);
        expect_text(passes[i].name, json_string_value(json_object_get(one, "doc")), passes[i].doc);
    }
    json_decref(list);
    release(text);
    release(markdown);
    release(json);
}

/* Facts: pypto-facts 5.2 for the one, 3 for the other. */
Test(listing, rows_of_passes)
{
    struct result text = run(cmd_passes, NULL, NULL, NULL),
                  markdown = run(cmd_passes, "--markdown", NULL, NULL);
    cr_expect(strstr(text.out,
                     "LowerHostTensorCollectives   host      turn each collective of a host "
                     "orchestrator into dispatches of its builtin kernel (pypto-facts 5.2)\n"
                     "    CommDomainScopesMaterialized -> HostCollectivesLowered\n"),
              "%s", text.out);
    cr_expect(strstr(markdown.out, "| InsertCommFence | insert the cache and fence markers around "
                                   "communication in core functions | core | CompositesLowered | "
                                   "CommFencesInserted | pypto-facts 3 |\n"),
              "%s", markdown.out);
    release(text);
    release(markdown);
}

/* ---- models ---- */

Test(listing, every_model_appears_once)
{
    struct arena a = {0};
    struct result text = run(cmd_models, NULL, NULL, NULL),
                  json = run(cmd_models, "--json", NULL, NULL);
    const char *const *names[2];
    size_t n[2] = {contract_list(&a, "models", &names[0]), toolchain_list(&a, "models", &names[1])};
    json_t *root = json_loads(json.out, 0, NULL);
    cr_assert(n[0] && n[1] && root);
    for (int f = 0; f < 2; f++) {
        const json_t *list = json_object_get(root, f ? "toolchains" : "contracts");
        cr_expect(json_array_size(list) == n[f]);
        for (size_t i = 0; i < n[f]; i++) {
            cr_expect(lines_of(text.out, names[f][i]) == 1, "%s", names[f][i]);
            expect_text("json", json_string_value(json_object_get(json_array_get(list, i), "name")),
                        names[f][i]);
        }
    }
    json_decref(root);
    release(text);
    release(json);
    arena_free(&a);
}

Test(listing, differences_from_the_default)
{
    static const char *const lines[] = {
        "\n                   coherent = yes\n",
        "\n                   pipe_barrier = scalar_blocking\n",
        "\n                   fabric = per_pair\n",
        "\n                   eviction = spontaneous\n",
        "\n                   other values in [geometry], [adversary], [cost]\n",
        "\n                   fabric = unordered, dma_chunk_order = any, eviction = spontaneous, "
        "prefetch = spontaneous\n",
        "\n                   region_cacheinvalid = every_line\n",
    };
    struct result r = run(cmd_models, NULL, NULL, NULL);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        cr_expect(strstr(r.out, lines[i]), "%s", lines[i]);
    release(r);
}

Test(listing, a_profile_in_full)
{
    expect_run(
        "proposed", run(cmd_models, "proposed", NULL, NULL), EXIT_CLEAN,
        "# toolchain profile proposed. Saved as MINE.toolchain: --toolchain=./MINE.toolchain\n"
        "[model]\n"
        "doc = ptoas-0.57 with a region marker that walks every line of its region\n"
        "\n"
        "[lowering]\n"
        "region_cacheinvalid = every_line             ; nothing|base_line|every_line\n"
        "fence = fence_all                            ; fence3|fence_all|dsb\n"
        "notify_pre_barrier = none                    ; none|pipe_v|pipe_mte3|pipe_all\n"
        "put_pre_barrier = pipe_all                   ; none|pipe_v|pipe_mte3|pipe_all\n"
        "put_tail_barrier = pipe_all                  ; none|pipe_v|pipe_mte3|pipe_all\n"
        "get_pre_barrier = pipe_all                   ; none|pipe_v|pipe_mte3|pipe_all\n"
        "get_tail_barrier = pipe_all                  ; none|pipe_v|pipe_mte3|pipe_all\n"
        "kernel_entry = none                          ; none|dcci_all\n"
        "kernel_tail = barrier_dcci_dsb               ; "
        "none|barrier|barrier_dcci|barrier_dcci_dsb\n"
        "tail_cleans = every_kernel                   ; every_kernel|scalar_stores\n"
        "runtime_fin = plain                          ; plain|dsb\n"
        "window_align = 32                            ; 32|64\n"
        "auto_sync = yes                              ; yes|no\n"
        "auto_sync_gm = root_addptr                   ; none|root|root_addptr\n"
        "auto_sync_scalar = yes                       ; yes|no\n",
        "");
}

/* What is printed loads as the same contract, units and all. */
Test(listing, a_saved_contract_is_the_same)
{
    struct arena a = {0};
    const char *const *names;
    size_t n = contract_list(&a, "models", &names);
    for (size_t i = 0; i < n; i++) {
        struct diag d = {.arena = &a};
        char path[] = "/tmp/fencebench-XXXXXX.model";
        int fd = mkstemps(path, (int)strlen(".model"));
        struct result r = run(cmd_models, names[i], NULL, NULL);
        cr_assert(fd >= 0 && write(fd, r.out, strlen(r.out)) == (ssize_t)strlen(r.out));
        close(fd);
        release(r);
        const struct contract *before = contract_load(&a, "models", names[i], &d);
        const struct contract *after = contract_load(&a, "models", path, &d);
        unlink(path);
        cr_assert(before && after, "%s", diag_text(&d, &a));
        const struct ini_row *x, *y;
        size_t rows = contract_describe(&a, before, &x);
        cr_expect(contract_describe(&a, after, &y) == rows);
        for (size_t k = 0; k < rows; k++)
            expect_text(x[k].name, y[k].value, x[k].value);
    }
    arena_free(&a);
}

Test(listing, unknown_models)
{
    static const struct {
        const char *name, *err;
    } cases[] = {
        {"a2a4", "error: no machine contract or toolchain profile 'a2a4'; did you mean 'a2a3'?\n"},
        {"propose",
         "error: no machine contract or toolchain profile 'propose'; did you mean 'proposed'?\n"},
        {"zzzzzzzzzzzz", "error: no machine contract or toolchain profile 'zzzzzzzzzzzz'\n"},
        {"/nonexistent/x.model",
         "/nonexistent/x.model: error: cannot open: No such file or directory\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_run(cases[i].name, run(cmd_models, cases[i].name, NULL, NULL), EXIT_USAGE, "",
                   cases[i].err);
}
