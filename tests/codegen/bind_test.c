/* SPDX-License-Identifier: MIT */
/* Directives of kernel files and NAME=EXPR of the command line (docs/kernels.md). */
#include "codegen/bind.h"

#include <inttypes.h>

#include "base/strbuf.h"
#include "tests/support.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

static const char *error_text(struct arena *a, const struct diag *d)
{
    return d->failed ? arena_printf(a, "%d:%d: %s", d->span.line, d->span.col, d->message)
                     : "no error";
}

/* ---- values ---- */

/* The value on rank 2 of 5, or the error. */
static const char *value_text(struct arena *a, const char *expr)
{
    struct diag d = {.arena = a};
    struct binding b;
    int64_t value = 0;
    if (!binding_parse(a, arena_printf(a, "v=%s", expr), &b, &d) ||
        !binding_eval(a, &b, 2, 5, &value, &d))
        return error_text(a, &d);
    return arena_printf(a, "%" PRId64, value);
}

struct value_row {
    const char *expr, *value;
};

static void expect_values(const struct value_row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct arena a = {0};
        expect_text(rows[i].expr, value_text(&a, rows[i].expr), rows[i].value);
        arena_free(&a);
    }
}

Test(bind, values)
{
    static const struct value_row rows[] = {
        {"7", "7"},
        {"0", "0"},
        {"9223372036854775807", "9223372036854775807"},
        {"rank", "2"},
        {"nranks", "5"},
        {"(rank+1)%nranks", "3"},
        {"(rank+nranks-1)%nranks", "1"},
        {"rank+1-2*(rank%2)", "3"},
        {" 1 +\t2 ", "3"},
        {"-3", "-3"},
        {"--3", "3"},
        {"2--3", "5"},
        {"-rank", "-2"},
        {"((((7))))", "7"},
    };
    expect_values(rows, COUNT(rows));
}

/* As in Python: * // % bind more than + -, those more than comparisons; all from left to right. */
Test(bind, precedence)
{
    static const struct value_row rows[] = {
        {"1+2*3", "7"},         {"(1+2)*3", "9"},  {"2*3+1", "7"}, {"10-3-2", "5"},
        {"100//7//2", "7"},     {"100//7%4", "2"}, {"2*7%4", "2"}, {"1+1==2", "1"},
        {"1==1+1", "0"},        {"3*2>5", "1"},    {"-2*3", "-6"}, {"2*-3", "-6"},
        {"rank+1<nranks", "1"},
    };
    expect_values(rows, COUNT(rows));
}

/* Division and modulus round down. */
Test(bind, division)
{
    static const struct value_row rows[] = {
        {"7//2", "3"},
        {"-7//2", "-4"},
        {"7//-2", "-4"},
        {"-7//-2", "3"},
        {"-6//2", "-3"},
        {"7%3", "1"},
        {"-7%3", "2"},
        {"7%-3", "-2"},
        {"-7%-3", "-1"},
        {"-6%3", "0"},
        {"0//5", "0"},
        {"0%5", "0"},
        {"1//0", "1:7: in the value of 'v': division by zero"},
        {"1%0", "1:6: in the value of 'v': division by zero"},
        {"1//(rank-2)", "1:14: in the value of 'v': division by zero"},
    };
    expect_values(rows, COUNT(rows));
}

Test(bind, comparisons)
{
    static const struct value_row rows[] = {
        {"1<2", "1"},  {"2<1", "0"},  {"2<2", "0"},     {"2<=2", "1"},
        {"3<=2", "0"}, {"2>1", "1"},  {"1>2", "0"},     {"2>=2", "1"},
        {"1>=2", "0"}, {"2==2", "1"}, {"2==3", "0"},    {"2!=3", "1"},
        {"2!=2", "0"}, {"-1<0", "1"}, {"rank==2", "1"}, {"(rank==2)*10+(rank==3)*20", "10"},
    };
    expect_values(rows, COUNT(rows));
}

/* The place is that of the character which does not fit; the expression starts in column 3. */
Test(bind, malformed_values)
{
    static const char want_value[] =
        "in the value of 'v': expected an integer, 'rank', 'nranks' or '('";
    static const char want_more[] =
        "in the value of 'v': expected an operator or the end of the expression";
    static const struct {
        const char *expr;
        int col;
        const char *message;
    } rows[] = {
        {"", 3, want_value},
        {"1+", 5, want_value},
        {"*2", 3, want_value},
        {"2**3", 5, want_value},
        {"()", 4, want_value},
        {"size", 3, want_value},
        {"ranks", 3, want_value},
        {"1 + nrank", 7, want_value},
        {"1.5", 4, want_more},
        {"7/2", 4, want_more},
        {"1 2", 5, want_more},
        {"1)", 4, want_more},
        {"2=3", 4, want_more},
        {"rank()", 7, want_more},
        {"(1+2", 7, "in the value of 'v': expected ')'"},
        {"9223372036854775808", 3, "in the value of 'v': the integer is too large"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct arena a = {0};
        expect_text(rows[i].expr, value_text(&a, rows[i].expr),
                    arena_printf(&a, "1:%d: %s", rows[i].col, rows[i].message));
        arena_free(&a);
    }
}

static const char *nested(struct arena *a, const char *open, const char *close, int depth)
{
    struct strbuf b = strbuf_make(a);
    for (int i = 0; i < depth; i++)
        strbuf_add(&b, open);
    strbuf_add(&b, "1");
    for (int i = 0; i < depth; i++)
        strbuf_add(&b, close);
    return b.text;
}

Test(bind, depth)
{
    static const struct {
        const char *open, *close;
        int depth;
        bool good;
    } rows[] = {
        {"(", ")", 50, true}, {"(", ")", 70, false},    {"(", ")", 100000, false},
        {"-", "", 50, true},  {"-", "", 100000, false}, {"1+", "", 100000, true},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct arena a = {0};
        const char *got = value_text(&a, nested(&a, rows[i].open, rows[i].close, rows[i].depth));
        bool deep = strstr(got, "in the value of 'v': the expression is nested too deeply") != NULL;
        cr_expect(deep == !rows[i].good, "%d times '%s': %s", rows[i].depth, rows[i].open, got);
        arena_free(&a);
    }
}

/* The least integer divided by -1 is no integer of 64 bits: any value is fine, a crash is not. */
Test(bind, overflow)
{
    static const char *const rows[] = {
        "(-9223372036854775807-1)//-1", "(-9223372036854775807-1)%-1",
        "9223372036854775807+1",        "9223372036854775807*9223372036854775807",
        "-(-9223372036854775807-1)",
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct arena a = {0};
        cr_expect(!strstr(value_text(&a, rows[i]), "error"), "%s", rows[i]);
        arena_free(&a);
    }
}

/* ---- the command line ---- */

Test(bind, arguments)
{
    static const char shape[] = "expected NAME=EXPRESSION, as in peer=(rank+1)%nranks";
    static const struct {
        const char *text, *name, *expr; /* expr NULL: an error */
    } rows[] = {
        {"peer=(rank+1)%nranks", "peer", "(rank+1)%nranks"},
        {"x__ssa_v0=1", "x", "1"},
        {"_a=-1", "_a", "-1"},
        {"a=", "a", ""},
        {"a=b=c", "a", "b=c"},
        {"", NULL, NULL},
        {"peer", NULL, NULL},
        {"=1", NULL, NULL},
        {"1a=1", NULL, NULL},
        {"a =1", NULL, NULL},
        {"a.b.c=1", NULL, NULL},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct arena a = {0};
        struct diag d = {.arena = &a};
        struct binding b;
        bool ok = binding_parse(&a, rows[i].text, &b, &d);
        cr_expect(ok == (rows[i].expr != NULL), "'%s'", rows[i].text);
        if (ok) {
            expect_text(rows[i].text, b.name, rows[i].name);
            expect_text(rows[i].text, b.expr, rows[i].expr);
        } else {
            expect_text(rows[i].text, error_text(&a, &d), arena_printf(&a, "1:1: %s", shape));
        }
        arena_free(&a);
    }
}

/* The caret of a bad value points into what was typed. */
Test(bind, the_caret_of_an_argument)
{
    struct arena a = {0};
    struct diag d = {.arena = &a};
    struct binding b;
    int64_t value;
    cr_assert(binding_parse(&a, "peer=rank+size", &b, &d));
    cr_expect(!binding_eval(&a, &b, 0, 2, &value, &d));
    expect_text("caret", diag_text(&d, &a),
                "--arg:1:11: error: in the value of 'peer': expected an integer, 'rank', 'nranks' "
                "or '('\n"
                "    1 | peer=rank+size\n"
                "      |           ^\n");
    arena_free(&a);
}

/* ---- directives ---- */

static void add_task(struct strbuf *b, const struct directive_task *t, bool first)
{
    strbuf_addf(b, "%s %s", first ? "; tasks" : "", t->name);
    if (t->blocks)
        strbuf_addf(b, "[%d]", t->blocks);
    vec_foreach (const struct directive_name, before, &t->after)
        strbuf_addf(b, "<%s", before->name);
}

/* "ranks 2 4; arg a=1 at 2:19; tasks f g[4]<f; payload N", or the error. */
static const char *text_of(struct arena *a, const char *text, bool compiled)
{
    struct diag d = {.arena = a};
    struct directives dir = {0};
    const struct source *s = source_from_string(a, "t.py", text);
    if (!(compiled ? directives_scan_behind(a, s, "// fencebench:", &dir, &d)
                   : directives_scan(a, s, &dir, &d)))
        return error_text(a, &d);
    struct strbuf b = strbuf_make(a);
    vec_foreach (int, r, &dir.ranks)
        strbuf_addf(&b, "%s %d", r == dir.ranks.items ? "; ranks" : "", *r);
    vec_foreach (struct binding, x, &dir.args)
        strbuf_addf(&b, "; arg %s=%s at %d:%d", x->name, x->expr, x->line, x->col);
    vec_foreach (const struct directive_task, t, &dir.tasks)
        add_task(&b, t, t == dir.tasks.items);
    vec_foreach (const struct directive_pair, x, &dir.contexts)
        strbuf_addf(&b, "; ctx %s of %s at %d", x->one.name, x->other.name, x->other.span.col);
    vec_foreach (const struct directive_pair, x, &dir.joins)
        strbuf_addf(&b, "; join %s=%s at %d", x->one.name, x->other.name, x->other.span.col);
    if (dir.blocks.to)
        strbuf_addf(&b, "; blocks %lld", (long long)dir.blocks.to);
    if (dir.payload.name)
        strbuf_addf(&b, "; payload %s", dir.payload.name);
    return b.len ? b.text + 2 : "nothing";
}

static const char *directives_text(struct arena *a, const char *text)
{
    return text_of(a, text, false);
}

/* What compiled kernels alone say (docs/pto.md). */
Test(bind, directives_of_compiled_kernels)
{
    static const struct {
        const char *name, *text, *result;
    } rows[] = {
        {"files, blocks and order",
         "// fencebench: tasks a.pto blocks 16, b-c.d.pto after a, e after a b-c.d\n",
         "tasks a.pto[16] b-c.d.pto<a e<a<b-c.d"},
        {"both of a task", "// fencebench: tasks a, b blocks 2 after nothing\n",
         "tasks a b[2]<nothing"},
        {"functions by the words", "// fencebench: tasks blocks, after\n", "tasks blocks after"},
        {"an argument of a task", "// fencebench: arg push.arg4=1\n", "arg push.arg4=1 at 1:30"},
        {"a size, a window, none",
         "// fencebench: size f.arg2=64\n// fencebench: window f.arg1, arg3\n"
         "// fencebench: local arg0\n",
         "arg size f.arg2=64 at 1:28; arg window f.arg1=1 at 2:23; arg window arg3=1 at 2:31; "
         "arg window arg0=0 at 3:22"},
        {"no blocks", "// fencebench: tasks a blocks 0\n", "1:31: expected 1 to 1024 blocks"},
        {"blocks of no number", "// fencebench: tasks a blocks x\n",
         "1:31: expected 1 to 1024 blocks"},
        {"nothing to wait for", "// fencebench: tasks b after , c\n",
         "1:30: expected tasks to wait for, or 'nothing'"},
        {"without a comma", "// fencebench: tasks a b\n",
         "1:24: expected ',' between function names"},
        {"a dot too many", "// fencebench: arg a.b.c=1\n", "1:20: expected 'arg NAME=EXPRESSION'"},
        {"a dimension, contents", "// fencebench: dim arg6 = 8\n// fencebench: init f.arg2=i%8\n",
         "arg dim arg6=8 at 1:27; arg init f.arg2=i%8 at 2:28"},
        {"directions",
         "// fencebench: in arg0,f.arg1\n// fencebench: out arg2\n// fencebench: inout arg3\n",
         "arg direction arg0=0 at 1:19; arg direction f.arg1=0 at 1:24; "
         "arg direction arg2=1 at 2:20; arg direction arg3=2 at 3:22"},
        {"a context of a window", "// fencebench: ctx f.arg4 of arg1\n",
         "ctx f.arg4 of arg1 at 30"},
        {"arguments that are one buffer", "// fencebench: join a.arg1 = b.arg0\n",
         "join a.arg1=b.arg0 at 30"},
        {"without blanks", "// fencebench: join a.arg1=b.arg0\n", "join a.arg1=b.arg0 at 28"},
        {"blocks of all tasks", "// fencebench: blocks 16\n", "blocks 16"},
        {"blocks and more", "// fencebench: blocks 16 tasks\n",
         "1:26: expected the end of the line"},
        {"blocks of nothing", "// fencebench: blocks 0\n", "1:23: expected 1 to 1024 blocks"},
        {"a context without a window", "// fencebench: ctx arg4\n",
         "1:24: expected 'of' and an argument"},
        {"a context of nothing", "// fencebench: ctx arg4 of\n",
         "1:27: expected the name of an argument, as in arg2"},
        {"a context by another word", "// fencebench: ctx arg4 off arg1\n",
         "1:25: expected 'of' and an argument"},
        {"a context and more", "// fencebench: ctx arg4 of arg1, arg2\n",
         "1:32: expected the end of the line"},
        {"no direction", "// fencebench: out 1\n",
         "1:20: expected the name of an argument, as in arg2"},
        {"a list without a comma", "// fencebench: in a b\n", "1:21: expected ',' between names"},
        {"a join of one", "// fencebench: join arg4\n", "1:25: expected '=' and an argument"},
        {"contents of nothing", "// fencebench: init arg4\n",
         "1:21: expected 'init NAME=EXPRESSION'"},
        {"what kernels of the language say", "// fencebench: payload N\n",
         "1:16: expected 'ranks', 'arg', 'tasks', 'dim', 'size', 'window', 'ctx', 'local', 'in', "
         "'out', 'inout', 'init', 'blocks', 'join', 'scale' or 'expect'"},
        {"a word with a letter too many", "// fencebench: locall arg1\n",
         "1:16: expected 'ranks', 'arg', 'tasks', 'dim', 'size', 'window', 'ctx', 'local', 'in', "
         "'out', 'inout', 'init', 'blocks', 'join', 'scale' or 'expect'; did you mean 'local'?"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena a = {0};
        expect_text(rows[i].name, text_of(&a, rows[i].text, true), rows[i].result);
        arena_free(&a);
    }
}

Test(bind, directives)
{
    static const struct {
        const char *name, *text, *result;
    } rows[] = {
        {"no directive", "# a comment\nimport pypto.language as pl\n", "nothing"},
        {"empty file", "", "nothing"},
        {"ranks", "# fencebench: ranks 2,4\n", "ranks 2 4"},
        {"spaces", "# fencebench:   ranks  2 , 64  \n", "ranks 2 64"},
        {"one", "# fencebench: ranks 1\n", "ranks 1"},
        {"at the end of a file without newline", "# fencebench: ranks 3", "ranks 3"},
        {"arg", "x = 1\n# fencebench: arg peer=(rank+1)%nranks\n",
         "arg peer=(rank+1)%nranks at 2:24"},
        {"arg with spaces", "# fencebench: arg a = rank + 1\n", "arg a=rank + 1 at 1:23"},
        {"args in order", "# fencebench: arg a=1\n# fencebench: arg a=2\n",
         "arg a=1 at 1:21; arg a=2 at 2:21"},
        {"tasks", "# fencebench: tasks wait_kernel, reader_kernel\n",
         "tasks wait_kernel reader_kernel"},
        {"payload", "# fencebench: payload SIZE\n", "payload SIZE"},
        {"all", "# fencebench: payload S\n# fencebench: ranks 3\n# fencebench: tasks f\n",
         "ranks 3; tasks f; payload S"},
        {"not in column 1", "  # fencebench: ranks 2\n",
         "1:3: a directive begins its line with '# fencebench:'"},
        {"without a blank", "\n#fencebench: ranks 2\n",
         "2:1: a directive begins its line with '# fencebench:'"},
        {"another comment", "# fencebenches: nonsense\n# fencebench is a program\n", "nothing"},
        {"what compiled kernels say", "# fencebench: window arg2\n",
         "1:15: expected 'ranks', 'arg', 'tasks', 'payload' or 'expect'"},
        {"unknown", "\n# fencebench: rank 2\n",
         "2:15: expected 'ranks', 'arg', 'tasks', 'payload' or 'expect'; did you mean 'ranks'?"},
        {"nothing at all", "# fencebench:\n",
         "1:14: expected 'ranks', 'arg', 'tasks', 'payload' or 'expect'"},
        {"ranks without a value", "# fencebench: ranks\n", "1:15: 'ranks' needs a value"},
        {"arg without a value", "# fencebench: arg  \n", "1:15: 'arg' needs a value"},
        {"no rank", "# fencebench: ranks 0\n", "1:21: expected a rank count from 1 to 1024"},
        {"too many ranks", "# fencebench: ranks 2,1025\n",
         "1:23: expected a rank count from 1 to 1024"},
        {"negative", "# fencebench: ranks -1\n", "1:21: expected a rank count from 1 to 1024"},
        {"ranks that are no number", "# fencebench: ranks two\n",
         "1:21: expected a rank count from 1 to 1024"},
        {"ranks without a comma", "# fencebench: ranks 2 4\n",
         "1:23: expected ',' between rank counts"},
        {"ranks with a gap", "# fencebench: ranks 2,,4\n",
         "1:23: expected a rank count from 1 to 1024"},
        {"a huge number of ranks", "# fencebench: ranks 99999999999999999999\n",
         "1:21: expected a rank count from 1 to 1024"},
        {"arg without =", "# fencebench: arg peer\n", "1:19: expected 'arg NAME=EXPRESSION'"},
        {"arg without a name", "# fencebench: arg =1\n", "1:19: expected 'arg NAME=EXPRESSION'"},
        {"task that is no name", "# fencebench: tasks f, 1\n", "1:24: expected a function name"},
        {"blocks are for compiled kernels", "# fencebench: tasks f blocks 2\n",
         "1:23: expected ',' between function names"},
        {"an argument of a task is, too", "# fencebench: arg f.a=2\n",
         "1:19: expected 'arg NAME=EXPRESSION'"},
        {"tasks without a comma", "# fencebench: tasks f g\n",
         "1:23: expected ',' between function names"},
        {"payload of two", "# fencebench: payload A B\n",
         "1:23: expected the name of a module constant"},
        {"payload that is a number", "# fencebench: payload 64\n",
         "1:23: expected the name of a module constant"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct arena a = {0};
        expect_text(rows[i].name, directives_text(&a, rows[i].text), rows[i].result);
        arena_free(&a);
    }
}

/* A directive's value does not reach into the next line. */
Test(bind, a_directive_ends_with_its_line)
{
    static const struct {
        const char *text, *result;
    } rows[] = {
        {"# fencebench: ranks 2\n3\n", "ranks 2"},
        {"# fencebench: ranks 2,\n3\n", "1:23: expected a rank count from 1 to 1024"},
        {"# fencebench: tasks f\ng\n", "tasks f"},
        {"# fencebench: arg a\n=1\n", "1:19: expected 'arg NAME=EXPRESSION'"},
        {"# fencebench: ranks\r\n# fencebench: payload S\r\n", "1:15: 'ranks' needs a value"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct arena a = {0};
        expect_text(rows[i].text, directives_text(&a, rows[i].text), rows[i].result);
        arena_free(&a);
    }
}
