/* SPDX-License-Identifier: MIT */
/*
 * The registry holds every name that the compiler registers, and calls of every row read and print
 * (pypto-ops-facts 1). Where the facts lie beside the repository, they are compared row by row.
 */
#include "base/strbuf.h"
#include "ir/ops.h"
#include "tests/ir/helpers.h"

/* ---- names, arguments, keywords ---- */

/* How many names the compiler registers in each family. */
static const struct {
    const char *family;
    size_t count;
} families[] = {
    {"array.", 3},       {"builtin.tensor.", 8}, {"dist.", 5},     {"pld.system.", 7},
    {"pld.tensor.", 12}, {"pld.tile.", 4},       {"prefetch.", 4}, {"system.", 22},
    {"tensor.", 105},    {"test.", 4},           {"tile.", 138},
};

Test(registry, as_many_names_as_the_compiler)
{
    size_t total = 0;
    for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
        size_t n = 0;
        for (size_t i = 0; i < ir_op_count(); i++)
            n += strncmp(ir_op_at(i)->name, families[f].family, strlen(families[f].family)) == 0;
        cr_expect(n == families[f].count, "%s: %zu", families[f].family, n);
        total += n;
    }
    cr_expect(total == ir_op_count() && total == 312, "%zu names", total);
}

/* Rows by hand: each is one kind of mistake. */
static const struct {
    const char *op, *args, *params;
    const char *keywords; /* "name:kind!" or "name:kind=default", in order */
} rows[] = {
    {"tile.sels", "ttts", "mask,src,tmp,scalar", ""},
    {"tile.full", "us", "shape,value|shape,dtype,value=", "dtype:d!"},
    {"tensor.view", "Tuu", "input[,shape][,valid_shape]", "layout:*"},
    {"tensor.assemble", "TTu", "target,source,offset", "atomic:e=0"},
    {"tile.rem", "ttt", "lhs,rhs,tmp", ""},
    {"tile.abs", "t", "tile", ""},
    {"tile.col_sum", "tt", "tile[,tmp_tile]", ""},
    {"tile.row_sum", "tt", "tile,tmp_tile", ""},
    {"tile.gather", "ttt", "src,indices,tmp", ""},
    {"tile.matmul_acc", "ttts", "acc,lhs,rhs[,init_cond]", ""},
    {"tile.create", "u", "shape",
     "dtype:d!target_memory:*=pl.Mem.Vec transpose:b=0 flat_layout:b=0 compact:b=0"},
    {"tensor.create", "u", "shape",
     "dtype:d!layout:*=pl.TensorLayout.ND manual_dep:b=0 init_value:*"},
    {"tensor.row_sum", "T", "input", "axis:i=-1 keep_dim:b=1"},
    {"tensor.col_sum", "T", "input", "axis:i=-2 keep_dim:b=1"},
    {"pld.tensor.put", "DiTuuu", "dst,peer,src[,dst_offsets,src_offsets,shape]",
     "atomic:e=0 chunk_rows:i=0 chunk_cols:i=0 pipeline:b=0"},
    {"pld.tensor.allreduce", "DD", "target[,signal]", "op:e=0 mode:s=mesh core_num:i=1"},
    {"tile.cast", "t", "tile", "target_type:d!mode:n=2"},
    {"tensor.paged_gather", "TTT", "src,indices,block_table",
     "block_size:i!size:i!max_indices:i!space:*=pl.Mem.Mat col_off:i=0 is_trans:b=0 "
     "is_b_matrix:b=0"},
};

static const char *keywords_text(struct arena *a, const struct ir_op *op)
{
    struct strbuf b = strbuf_make(a);
    for (int i = 0; i < IR_MAX_KWARGS && op->kwargs[i].name; i++) {
        const struct ir_op_kwarg *k = &op->kwargs[i];
        strbuf_addf(&b, "%s%s:%c", b.len && b.text[b.len - 1] != '!' ? " " : "", k->name, k->kind);
        if (k->required)
            strbuf_add(&b, "!");
        else if (strchr("iben", k->kind) && !k->open)
            strbuf_addf(&b, "=%ld", (long)k->default_value);
        else if (k->default_is)
            strbuf_addf(&b, "=%s", k->default_is);
    }
    return b.text ? b.text : "";
}

Test(registry, rows_by_hand)
{
    struct arena a = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct ir_op *op = ir_op_find(rows[i].op);
        cr_assert(op, "%s", rows[i].op);
        expect_text(rows[i].op, op->args, rows[i].args);
        expect_text(rows[i].op, op->params, rows[i].params);
        expect_text(rows[i].op, keywords_text(&a, op), rows[i].keywords);
    }
    arena_free(&a);
}

/* Names that the compiler does not know are none of ours: they are opaque, as there. */
Test(registry, names_that_are_none)
{
    static const char *const names[] = {"tensor.relu", "tensor.rem",  "tile.maxs",
                                        "tile.mins",   "tile.select", "tile.view"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct arena a = {0};
        cr_expect(!ir_op_find(names[i]), "%s", names[i]);
        const char *text = kernel_text(&a, arena_printf(&a, "y = pl.%s(x)\n", names[i]));
        struct ir_program *p = parse_good(&a, names[i], text);
        const struct ir_call *call = ir_leaf_call(p->funcs.items[0]->body.items[0]);
        cr_expect(call && call->callee == IR_CALLEE_UNKNOWN, "%s is opaque", names[i]);
        arena_free(&a);
    }
}

/* Keywords of text that the compiler's IR has no place for, or that other versions have. */
static bool only_ours(const char *op, const char *keyword)
{
    static const char *const pairs[][2] = {
        {"pld.tensor.alloc_window_buffer", "dtype"}, /* of a shape, which becomes bytes */
        {"system.task_dummy", "deps"},               /* an attribute there */
        {"tile.tpop_from_aic", "shape"},             /* they become the result's type */
        {"tile.tpop_from_aic", "dtype"},
        {"tile.tpop_from_aiv", "shape"},
        {"tile.tpop_from_aiv", "dtype"},
        {"tile.create", "compact"},
        {"tile.load", "cache"},
        {"tile.load", "transpose"}, /* printed up to June 2026 */
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (!strcmp(pairs[i][0], op) && !strcmp(pairs[i][1], keyword))
            return true;
    return false;
}

/* What the authoring DSL supplies where the compiler's IR must have it. */
static bool supplied(const char *keyword)
{
    static const char *const names[] = {"cmp_type", "cmp_mode", "dtype", "split"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i], keyword))
            return true;
    return false;
}

static bool listed(const char *list, const char *name)
{
    size_t n = strlen(name);
    for (const char *at = strstr(list, name); at; at = strstr(at + 1, name))
        if ((at == list || at[-1] == ',') && (!at[n] || at[n] == ','))
            return true;
    return false;
}

/* "name TAB keyword,keyword" */
static void compare_keywords(char *line)
{
    char *list = strchr(line, '\t');
    if (list)
        *list++ = '\0';
    list = list ? list : "";
    const struct ir_op *op = ir_op_find(line);
    cr_expect(op, "%s is registered", line);
    for (int i = 0; op && i < IR_MAX_KWARGS && op->kwargs[i].name; i++)
        cr_expect(listed(list, op->kwargs[i].name) || only_ours(line, op->kwargs[i].name),
                  "%s: no keyword %s", line, op->kwargs[i].name);
    for (char *k = strtok(list, ","); op && k; k = strtok(NULL, ","))
        cr_expect(ir_op_keyword(op, k), "%s: keyword %s", line, k);
}

Test(registry, names_and_keywords_of_the_compiler)
{
    struct arena a = {0};
    char *text = shared_text(&a, "facts/pypto-ops.tsv");
    size_t n = 0;
    for (char *line = text, *end; line && *line; line = end, n++) {
        end = line + strcspn(line, "\n");
        if (*end)
            *end++ = '\0';
        compare_keywords(line);
    }
    cr_expect(!text || n == ir_op_count(), "%zu names", n);
    arena_free(&a);
}

/* "name kinds params kwargs effect pub pipe result mem", each behind a tab; `-` for nothing.
 * Letters of kinds that we know more of stand for `*`. */
static void compare_row(struct arena *a, char *line)
{
    char *field[9] = {NULL};
    size_t n = 0;
    for (char *at = line; at && n < 9; n++) {
        field[n] = at;
        at = strchr(at, '\t');
        if (at)
            *at++ = '\0';
    }
    const struct ir_op *op = n == 9 ? ir_op_find(field[0]) : NULL;
    cr_expect(op, "%s", field[0]);
    if (!op)
        return;
    const char *params = strcmp(field[2], "-") ? field[2] : "";
    const char *own = arena_strndup(a, op->params, strcspn(op->params, "|"));
    if (!strchr(own, '=') && strcmp(field[0], "tile.ci"))
        expect_text(field[0], own, params);
    cr_expect(strcspn(field[6], " ") != 1 || field[6][0] != 'M' || op->pipe == IR_PIPE_M,
              "%s: pipe", field[0]);
    for (int i = 0; i < IR_MAX_KWARGS && op->kwargs[i].name; i++) {
        const struct ir_op_kwarg *k = &op->kwargs[i];
        const char *at = strstr(field[3], arena_printf(a, "%s:", k->name));
        if (only_ours(field[0], k->name))
            continue;
        cr_expect(at, "%s: %s", field[0], k->name);
        if (!at)
            continue;
        const char *word = arena_strndup(a, at, strcspn(at, ","));
        bool required = strchr(word, '!') != NULL;
        cr_expect(required == k->required || (required && supplied(k->name)), "%s: %s is required",
                  field[0], k->name);
        const char *is = strchr(word, '=');
        if (is && k->kind == 'i')
            cr_expect(strtol(is + 1, NULL, 10) == k->default_value, "%s: %s", field[0], word);
        if (is && k->default_is)
            cr_expect(strncmp(strrchr(k->default_is, '.') ? strrchr(k->default_is, '.') + 1
                                                          : k->default_is,
                              is + 1, strcspn(is + 1, "(")) == 0,
                      "%s: %s", field[0], word);
    }
}

Test(registry, rows_of_the_facts)
{
    struct arena a = {0};
    char *text = shared_text(&a, "facts/pypto-ops-facts.md");
    char *line = text ? strstr(text, "\nname\tkinds") : NULL;
    size_t n = 0;
    line = line ? strchr(line + 1, '\n') + 1 : NULL;
    while (line && *line != '`') {
        char *end = strchr(line, '\n');
        *end = '\0';
        compare_row(&a, line);
        line = end + 1;
        n++;
    }
    cr_expect(!text || n == 144, "%zu rows", n);
    arena_free(&a);
}

/* ---- a call of every row ---- */

static const char *argument_of(char kind)
{
    static const char *const texts[128] = {
        ['T'] = "x",   ['o'] = "x", ['D'] = "win",    ['P'] = "x", ['t'] = "t",
        ['s'] = "f",   ['i'] = "i", ['u'] = "[1, 2]", ['v'] = "i", ['c'] = "ctx",
        ['p'] = "ctx", ['x'] = "x", ['m'] = "t",      ['*'] = "n",
    };
    return texts[(unsigned char)kind];
}

/* A value that is no default. */
static const char *keyword_value(struct arena *a, const struct ir_op_kwarg *k)
{
    switch (k->kind) {
    case 'i':
        return "5";
    case 'b':
        return k->default_value ? "False" : "True";
    case 's':
        return "'name'";
    case 'd':
        return "pl.FP16";
    case 'e':
        return "1";
    case 'n':
        return arena_printf(a, "'%s'", ir_op_number_name(a, k, 1));
    default:
        return "pl.Mem.Acc";
    }
}

static const char *default_text(struct arena *a, const struct ir_op_kwarg *k)
{
    if (k->open)
        return NULL;
    if (k->kind == 's')
        return k->default_is ? arena_printf(a, "'%s'", k->default_is) : NULL;
    if (k->kind == 'b')
        return k->default_value ? "True" : "False";
    if (strchr("ien", k->kind))
        return arena_printf(a, "%ld", (long)k->default_value);
    return k->default_is;
}

enum form { BY_NAME, BY_POSITION, WITH_DEFAULTS };

static const char *call_text(struct arena *a, const struct ir_op *op, size_t n, enum form form)
{
    struct strbuf b = strbuf_make(a);
    const char *name = op->name;
    bool comma = false;
    for (size_t i = 0; i < ir_op_spelling_count; i++)
        if (ir_op_spellings[i].always && !strcmp(ir_op_spellings[i].name, name))
            name = ir_op_spellings[i].written;
    strbuf_addf(&b, "%s%s(", strncmp(name, "pld.", 4) ? "pl." : "", name);
    for (size_t i = 0; i < n; i++, comma = true) {
        bool named = form == BY_NAME;
        strbuf_addf(&b, "%s%s%s%s", comma ? ", " : "", named ? ir_op_arg_name(a, op, n, i) : "",
                    named ? "=" : "", argument_of(ir_op_arg_kind(op, n, i)));
    }
    for (int k = 0; k < IR_MAX_KWARGS && op->kwargs[k].name; k++) {
        const struct ir_op_kwarg *row = &op->kwargs[k];
        bool named_by_target = !strcmp(row->name, "name") && strstr(op->name, "alloc_window");
        const char *value = row->required           ? keyword_value(a, row)
                            : form == WITH_DEFAULTS ? default_text(a, row)
                                                    : NULL;
        if (!value || named_by_target)
            continue;
        strbuf_addf(&b, "%s%s=%s", comma ? ", " : "", row->name, value);
        comma = true;
    }
    strbuf_add(&b, ")\n");
    return b.text;
}

static const struct ir_program *read_call(struct arena *a, const struct ir_op *op, const char *call)
{
    const char *body = arena_printf(
        a, "t: pl.Tile[[4, 64], pl.FP32] = pl.tile.load(x, [0, 0], [4, 64])\n%s", call);
    const struct ir_program *p = parse_good(a, op->name, kernel_text(a, body));
    const struct ir_call *read = ir_leaf_call(p->funcs.items[0]->body.items[1]);
    cr_assert(read, "%s", call);
    cr_expect(read->op == op, "%s is %s", call, read->op ? read->op->name : "opaque");
    expect_reads_back(call, p);
    return p;
}

Test(registry, calls_of_every_row_read_and_print)
{
    for (size_t i = 0; i < ir_op_count(); i++) {
        const struct ir_op *op = ir_op_at(i);
        for (size_t n = 0; n <= strlen(op->args); n++) {
            struct arena a = {0};
            if (ir_op_takes(op, n)) {
                const struct ir_program *named = read_call(&a, op, call_text(&a, op, n, BY_NAME));
                const struct ir_program *full =
                    read_call(&a, op, call_text(&a, op, n, WITH_DEFAULTS));
                cr_expect(ir_equal(named, full) && ir_hash(named) == ir_hash(full),
                          "%s: a keyword that says its default says nothing", op->name);
            }
            if (ir_op_takes(op, n) && !ir_op_text_order(op)) {
                const struct ir_program *named = read_call(&a, op, call_text(&a, op, n, BY_NAME)),
                                        *placed =
                                            read_call(&a, op, call_text(&a, op, n, BY_POSITION));
                cr_expect(ir_equal(named, placed), "%s: by name and by position", op->name);
            }
            arena_free(&a);
        }
    }
}

/* A keyword whose value is not its default counts. */
Test(registry, keywords_count)
{
    for (size_t i = 0; i < ir_op_count(); i++) {
        const struct ir_op *op = ir_op_at(i);
        for (int k = 0; k < IR_MAX_KWARGS && op->kwargs[k].name; k++) {
            struct arena a = {0};
            const struct ir_op_kwarg *row = &op->kwargs[k];
            const char *call = call_text(&a, op, strlen(op->args), BY_NAME);
            bool either = !strcmp(row->name, "event_id"); /* or the argument */
            if (!row->required && !either && strcmp(row->name, "name") != 0) {
                const char *with = arena_printf(&a, "%.*s%s%s=%s)\n", (int)strlen(call) - 2, call,
                                                strchr(call, '(')[1] == ')' ? "" : ", ", row->name,
                                                keyword_value(&a, row));
                const struct ir_program *p = read_call(&a, op, call), *q = read_call(&a, op, with);
                cr_expect(!ir_equal(p, q) && ir_hash(p) != ir_hash(q), "%s: %s", op->name,
                          row->name);
            }
            arena_free(&a);
        }
    }
}

/* The order of text where it is not that of the tree, and one name for several operators. */
Test(registry, the_order_of_text)
{
    static const struct {
        const char *written, *printed;
    } cases[] = {
        {"y = pl.tile.full([4, 64], pl.FP32, 1.0)",
         "pl.tile.full([4, 64], dtype=pl.FP32, value=1.0)"},
        {"y = pl.full([4, 64], value=1.0, dtype=pl.FP32)",
         "pl.tensor.full([4, 64], dtype=pl.FP32, value=1.0)"},
        {"y = pl.tile.reinterpret_view(t, pl.INT32)",
         "pl.tile.reinterpret_view(t, dtype=pl.INT32)"},
        {"y = pl.tile.reinterpret_view(t, pl.FP16, shape=[4, 128])",
         "pl.tile.reinterpret_view(t, dtype=pl.FP16, shape=[4, 128])"},
        {"y = pl.tensor.gather(x, -1, x)", "pl.tensor.gather(x, x, dim=-1)"},
        {"y = pl.tensor.gather(x, x, dim=-1)", "pl.tensor.gather(x, x, dim=-1)"},
        {"y = pl.tensor.gather(x, mask_pattern=1)", "pl.tensor.gather_mask(x, mask_pattern=1)"},
        {"y = pl.tensor.scatter(x, -1, x, x)", "pl.tensor.scatter(x, x, x, dim=-1)"},
        {"y = pl.mrgsort(t, block_len=64)", "pl.tile.mrgsort_format1(t, 64)"},
        {"y = pl.mrgsort(t, t, tmp=t)", "pl.tile.mrgsort_format2(t, t, t)"},
        {"y = pl.tensor.matmul_acc(x, x, x, True)", "pl.tensor.matmul_acc(x, x, x, a_trans=True)"},
        {"y = pl.tensor.matmul_acc(x, x, x, b, a_trans=False, b_trans=False)",
         "pl.tensor.matmul_acc(x, x, x, a_trans=False, b_trans=False, init_cond=b)"},
        {"y = pl.tile.gather_row(t, x, [0, 0], [0, 0], [1, 64], True)",
         "pl.tile.gather_row(t, x, [0, 0], [0, 0], [1, 64], transpose=True)"},
        {"y = pl.tile.and_(t, t)", "pl.tile.and_(t, t)"},
        {"y = pl.add(t, f)", "pl.tile.adds(t, f)"},
        {"y = pl.add(x, f)", "pl.tensor.adds(x, f)"},
        {"y = pl.tensor.mul(x, f)", "pl.tensor.muls(x, f)"},
        {"y = pl.cast(t, pl.FP16)", "pl.tile.cast(t, target_type=pl.FP16)"},
        {"y = pl.cast(t, pl.FP16, 'floor')", "pl.tile.cast(t, target_type=pl.FP16, mode='floor')"},
        {"pl.system.sync_set(3, pipe=pl.PipeType.MTE3)",
         "pl.system.sync_set(pipe=pl.PipeType.MTE3, event_id=3)"},
        {"pl.system.sync_wait(i, pipe=pl.PipeType.MTE2)",
         "pl.system.sync_wait(i, pipe=pl.PipeType.MTE2)"},
        {"pl.aiv_initialize_pipe(dir_mask=1, slot_size=64)",
         "pl.system.aiv_initialize_pipe(pl.const(0, pl.INT32), pl.const(0, pl.INT32), dir_mask=1, "
         "slot_size=64)"},
        {"pl.system.syncall(mode='soft', core_type='aiv_only', gm_workspace=x, used_cores=2)",
         "pl.system.syncall(core_type='aiv_only', mode='soft', gm_workspace=x, used_cores=2)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena a = {0};
        const char *body = arena_printf(
            &a, "t: pl.Tile[[4, 64], pl.FP32] = pl.tile.load(x, [0, 0], [4, 64])\n%s\n",
            cases[i].written);
        const char *line =
            strchr(printed_body(&a, parse_good(&a, cases[i].written, kernel_text(&a, body))), '\n');
        const char *call = strstr(line, " = ") ? strstr(line, " = ") + 3 : line + 1;
        expect_text(cases[i].written, arena_strndup(&a, call, strcspn(call, "\n")),
                    cases[i].printed);
        arena_free(&a);
    }
}

/* A keyword that is a number may be a name of the module: the tree has its value. */
Test(registry, constants_of_the_module_as_keywords)
{
    static const char text[] =
        "ROWS = 2\nPIPE = True\n"
        "@pl.function(type=pl.FunctionType.InCore)\n"
        "def k(x: pl.Tensor[[4, 64], pl.FP32], w: pl.InOut[pld.DistributedTensor[[4, 64], "
        "pl.FP32]]):\n"
        "    pld.tensor.put(w, 1, x, chunk_rows=ROWS, chunk_cols=ROWS * 8, pipeline=PIPE)\n";
    struct arena a = {0};
    struct ir_program *p = parse_good(&a, "constants", text);
    const char *call = strstr(ir_print(&a, p), "pld.tensor.put");
    expect_text("constants", call,
                "pld.tensor.put(w, 1, x, chunk_rows=2, chunk_cols=16, pipeline=True)\n");
    expect_reads_back("constants", p);
    arena_free(&a);
}
