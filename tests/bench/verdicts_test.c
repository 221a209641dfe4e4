/* SPDX-License-Identifier: MIT */
/*
 * Protocols of public bug reports, each broken and repaired, with the verdict that it must have: a
 * faulty one by name and place, the cause before its victims; a repaired one clean, and every state
 * of it where these are few. The verdicts follow from the protocols, not from the tool.
 *
 * A row is the body of a kernel. Places are lines of that body: "race 1+3" is a race of its first
 * and third line, "hang 4 (passed already)" a wait in line 4 and where what it waits for is.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "tests/support.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

static const char head[] = "import pypto.language as pl\n"
                           "import pypto.language.distributed as pld\n"
                           "\n"
                           "@pl.program\n"
                           "class K:\n"
                           "    @pl.function(type=pl.FunctionType.InCore)\n"
                           "    def k(self, x: pl.Tensor[[8, 16], pl.INT32],\n"
                           "          win: pl.InOut[pld.DistributedTensor[[8, 16], pl.INT32]],\n"
                           "          sig: pl.InOut[pld.DistributedTensor[[8, 16], pl.INT32]],\n"
                           "          tmp: pl.InOut[pl.Tensor[[8, 16], pl.INT32]],\n"
                           "          out: pl.InOut[pl.Tensor[[8, 16], pl.INT32]]):\n"
                           "        ctx = pld.system.get_comm_ctx(win)\n"
                           "        me = pld.system.rank(ctx)\n"
                           "        n = pld.system.nranks(ctx)\n"
                           "        left = (me - 1 + n) % n\n"
                           "        right = (me + 1) % n\n";

/* Two profiles: no automatic flag pairs; put, and the order of pipes on
 * memory, without barriers. */
#define NO_SYNC " --toolchain=no_sync.toolchain"
#define BARE    " --markers=off --toolchain=bare.toolchain"
static const struct {
    const char *name, *text;
} files[] = {
    {"no_sync.toolchain", "[model]\ninherit = ptoas-0.57\ndoc = no automatic flag pairs\n\n"
                          "[lowering]\nauto_sync = no\n"},
    {"bare.toolchain", "[model]\ninherit = ptoas-0.57\ndoc = nothing orders pipes on memory\n\n"
                       "[lowering]\nauto_sync_gm = none\nput_pre_barrier = none\n"
                       "put_tail_barrier = none\n"},
};

#define ADD(cell, peer)                                                                            \
    "pld.system.notify(sig, " peer ", [" cell ", 0], 1, op=pld.NotifyOp.AtomicAdd)\n"
#define SET(cell, peer, value)                                                                     \
    "pld.system.notify(sig, " peer ", [" cell ", 0], " value ", op=pld.NotifyOp.Set)\n"
#define WAIT(cell, cmp, value)                                                                     \
    "pld.system.wait(sig, [" cell ", 0], " value ", cmp=pld.WaitCmp." cmp ")\n"
#define PUT(row, peer, to)                                                                         \
    "pld.tile.remote_store(pl.load(x, [" row ", 0], [1, 16]), win, " peer ", [" to ", 0])\n"
#define GET(row, to) "pl.store(pl.load(win, [" row ", 0], [1, 16]), [" to ", 0], out)\n"

/* Ranks 1 and 2 announce each of two rounds on a cell of rank 0, and wait for its answer at the
 * end. */
#define ANNOUNCED(cell, cmp, value)                                                                \
    "if me == 0:\n"                                                                                \
    "    for r in pl.range(2):\n"                                                                  \
    "        " WAIT(cell, cmp, value) "    for p in pl.range(1, 3):\n"                             \
                                      "        " ADD("7",                                          \
                                                     "p") "else:\n"                                \
                                                          "    for r in pl.range(2):\n"            \
                                                          "        " ADD(cell, "0") "    " WAIT(   \
                                                              "7", "Ge", "1")

/* Rank 0 announces three generations and waits once; rank 1 waits for each. */
#define GENERATIONS(cmp)                                                                           \
    "if me == 0:\n"                                                                                \
    "    for g in pl.range(3):\n"                                                                  \
    "        " SET("0", "1", "g + 1") "    " WAIT(                                                 \
        "1", "Ge", "1") "else:\n"                                                                  \
                        "    for g in pl.range(3):\n"                                              \
                        "        " WAIT("0", cmp, "g + 1") "    " ADD("1", "0")

/* Two rounds over one landing row: the credit for the next goes to the left, who writes it. */
#define ROUNDS(drain)                                                                              \
    "for c in pl.range(2):\n"                                                                      \
    "    " ADD("0", "left") "    " WAIT("0", "Ge", "c + 1") "    " PUT(                            \
        "c", "right",                                                                              \
        "0") "    " ADD("1", "right") "    " WAIT("1", "Ge", "c + 1") "    " GET("0", "c") drain

/* Reduction by pushing into a row of the right neighbour that it has read before. */
#define PUSH(ready)                                                                                \
    "stage = pl.tile.create([1, 16], dtype=pl.INT32, target_memory=pl.Mem.Vec)\n"                  \
    "own = pl.load(win, [0, 0], [1, 16])\n" ready                                                  \
    "pld.tile.put(win, right, win, stage, [0, 0], [1, 0], [1, 16], "                               \
    "atomic=pld.AtomicType.None_)\n" ADD("1", "right")                                             \
        WAIT("1", "Ge", "1") "got = pl.load(win, [0, 0], [1, 16])\n"                               \
                             "pl.store(pl.add(own, got), [0, 0], out)\n"

/* Both sides of a handshake read from memory how often to go round; rank 2 writes it. */
#define TRIPS(wait)                                                                                \
    "if me == 2:\n"                                                                                \
    "    two = pl.tile.full([1, 16], dtype=pl.INT32, value=2)\n"                                   \
    "    for p in pl.range(2):\n"                                                                  \
    "        pld.tile.remote_store(two, win, p, [0, 0])\n"                                         \
    "        " ADD("2", "p") "else:\n" wait "    trips = pl.read(win, [0, 0])\n"                   \
                             "    for k in pl.range(trips):\n"                                     \
                             "        if me == 0:\n"                                               \
                             "            " ADD("0", "1") "            " WAIT(                     \
                                 "1", "Ge", "k + 1") "        else:\n"                             \
                                                     "            " WAIT(                          \
                                                         "0", "Ge",                                \
                                                         "k + 1") "            " ADD("1", "0")

/* The condition of a turn reads what the wait of the turn before has published. */
#define TURNS(fence, turn, end)                                                                    \
    "if me == 0:\n"                                                                                \
    "    one = pl.tile.full([1, 8], dtype=pl.INT32, value=1)\n"                                    \
    "    pld.tile.remote_store(one, win, 1, [1, 0])\n" fence                                       \
    "    " ADD("0", "1") "    " ADD("1", "1") "else:\n"                                            \
                                              "    warm = pl.read(win, [1, 8])\n"                  \
                                              "    for k in pl.range(2):\n"                        \
                                              "        if pl.read(win, [k, 0]) <= k:\n"            \
                                              "            " WAIT("k", "Ge", "1") turn end
#define FENCE      "    pl.system.fence()\n"
#define INVALIDATE "pl.system.cacheinvalid()\n"

enum { EXPLORED = true };

static const struct {
    const char *name, *body, *args;
    int ranks;
    const char *findings; /* NULL: clean */
    bool explored;        /* clean in every state too */
} rows[] = {
    {"a counter that all rounds share, waited for with ==", ANNOUNCED("0", "Eq", "2 * r + 2"), "",
     3, "hang 3 (passed already); hang 9 (behind another wait)", false},
    {"the same with >=", ANNOUNCED("0", "Ge", "2 * r + 2"), "", 3, NULL, EXPLORED},
    {"a counter for each round", ANNOUNCED("r", "Eq", "2"), "", 3, NULL, EXPLORED},

    {"a generation that is set again before it was seen", GENERATIONS("Eq"), "", 2,
     "hang 7 (passed already); hang 4 (behind another wait)", false},
    {"the same with >=", GENERATIONS("Ge"), "", 2, NULL, EXPLORED},

    {"a credit passes the load that it vouches for", ROUNDS(""), "", 3, "overrun read 7+4", false},
    {"drained", ROUNDS("    pl.system.bar_all()\n"), "", 3, NULL, false},

    {"a flag for the next round is cleared while the peer may set it",
     SET("0", "right", "1") SET("0", "me", "0") WAIT("0", "Eq", "1"), "", 2,
     "race 1+2; hang 3 (nowhere)", false},
    {"cleared when it was seen", SET("0", "right", "1") WAIT("0", "Eq", "1") SET("0", "me", "0"),
     "", 2, NULL, EXPLORED},

    {"a row is fetched, then overwritten",
     "was = pld.tile.remote_load(win, right, [me, 0], [1, 16])\n" PUT(
         "0", "right", "me") "pl.store(was, [0, 0], out)\n",
     "", 2, NULL, EXPLORED},
    {"a plain tensor is read, then overwritten: the assembler orders the pipes",
     "was = pl.load(tmp, [0, 0], [1, 16])\n"
     "pl.store(pl.load(x, [0, 0], [1, 16]), [0, 0], tmp)\n"
     "pl.store(was, [0, 0], out)\n",
     "", 1, NULL, EXPLORED},
    {"it does not where a version has no such pairs",
     "was = pl.load(tmp, [0, 0], [1, 16])\n"
     "pl.store(pl.tile.full([1, 16], dtype=pl.INT32, value=5), [0, 0], tmp)\n"
     "pl.store(was, [0, 0], out)\n",
     BARE, 1, "overrun read 1+2", false},
    {"a plain tensor is written, then read: what is in flight the pair does not hold",
     "pl.store(pl.tile.full([1, 16], dtype=pl.INT32, value=5), [0, 0], tmp)\n"
     "back = pl.load(tmp, [0, 0], [1, 16])\n"
     "pl.store(back, [0, 0], out)\n",
     "", 1, "stale read 2+1 (in flight)", false},

    {"a trip count that nobody waited for", TRIPS(""), "", 3,
     "race 4+7; hang 11 (nowhere); hang 13 (nowhere)", false},
    {"waited for", TRIPS("    " WAIT("2", "Ge", "1")), "", 3, NULL, EXPLORED},

    {"a tile is stored before it was loaded",
     "t = pl.load(x, [0, 0], [1, 16])\npl.store(t, [0, 0], out)\n", NO_SYNC, 1,
     "stale read of t 2+1 (in the core's own pipe)", false},
    {"the scalar unit reads it before",
     "t = pl.load(x, [0, 0], [1, 16])\nv = pl.tile.read(t, [0, 3])\n", NO_SYNC, 1,
     "stale read of t 2+1 (in the core's own pipe)", false},
    {"the vector unit does, where the loop that waits is not entered",
     "t = pl.load(x, [0, 0], [1, 16])\n"
     "for i in pl.range(1, n):\n"
     "    t = pl.add(t, pl.load(x, [i, 0], [1, 16]))\n"
     "u = pl.add(t, t)\n"
     "pl.system.bar_all()\n"
     "pl.store(u, [0, 0], out)\n",
     NO_SYNC, 1, "stale read of t 4+1 (in the core's own pipe)", false},
    {"all of them with flag pairs",
     "t = pl.load(x, [0, 0], [1, 16])\n"
     "v = pl.tile.read(t, [0, 3])\n"
     "for i in pl.range(1, n):\n"
     "    t = pl.add(t, pl.load(x, [i, 0], [1, 16]))\n"
     "u = pl.add(t, t)\n"
     "pl.store(u, [v % 8, 0], out)\n",
     "", 1, NULL, EXPLORED},

    {"a row is put right after it was stored",
     "stage = pl.tile.create([1, 16], dtype=pl.INT32, target_memory=pl.Mem.Vec)\n"
     "pl.store(pl.load(x, [0, 0], [1, 16]), [0, 0], tmp)\n"
     "pld.tile.put(win, right, tmp, stage, [0, 0], [0, 0], [1, 16], "
     "atomic=pld.AtomicType.None_)\n",
     BARE, 2, "stale read 3+2 (queued in the pipe); stale read 3+2 (in flight)", false},

    {"a push into a row that its owner has not let go", PUSH(""), "", 2, "race 2+3", false},
    {"let go while its load is queued", PUSH(ADD("0", "left") WAIT("0", "Ge", "1")), "", 2,
     "overrun read 2+5", false},
    {"let go when it was read", PUSH("pl.system.bar_all()\n" ADD("0", "left") WAIT("0", "Ge", "1")),
     "", 2, NULL, EXPLORED},

    {"a condition reads what a wait has published", TURNS("", "", ""), "", 2, NULL, EXPLORED},
    {"an invalidate behind each wait", TURNS("", "", ""), " --batch=none", 2, NULL, EXPLORED},
    {"the same by hand", TURNS(FENCE, "            " INVALIDATE, ""), " --markers=off", 2, NULL,
     EXPLORED},
    {"an invalidate behind all of them", TURNS(FENCE, "", "    " INVALIDATE), " --markers=off", 2,
     "stale read 10+3 (old line at the reader)", false},
};

/* ---- running ---- */

struct bed {
    struct arena arena;
    char folder[64];
    const char *binary;
};

static void write_text(struct bed *b, const char *name, const char *text)
{
    FILE *f = fopen(arena_printf(&b->arena, "%s/%s", b->folder, name), "w");
    cr_assert(f && fputs(text, f) >= 0 && fclose(f) == 0, "cannot write %s", name);
}

static void bed_open(struct bed *b)
{
    const char *binary = getenv("FENCEBENCH");
    *b = (struct bed){.folder = "/tmp/fencebench-verdicts-XXXXXX"};
    char *path = realpath(binary ? binary : "build/fencebench", NULL);
    char *models = realpath("models", NULL);
    cr_assert(path && models && mkdtemp(b->folder), "no program, no models, or no folder");
    setenv("FENCEBENCH_MODELS", models, 1);
    b->binary = arena_strdup(&b->arena, path);
    free(models);
    free(path);
    for (size_t i = 0; i < COUNT(files); i++)
        write_text(b, files[i].name, files[i].text);
}

static void bed_close(struct bed *b)
{
    cr_expect(system(arena_printf(&b->arena, "rm -r '%s'", b->folder)) == 0);
    arena_free(&b->arena);
}

static const char *run(struct bed *b, const char *args, int *code)
{
    FILE *f = popen(
        arena_printf(&b->arena, "cd '%s' && timeout 120 '%s' %s 2>&1", b->folder, b->binary, args),
        "r");
    struct strbuf text = strbuf_make(&b->arena);
    char piece[4096];
    cr_assert(f, "no shell");
    for (size_t n; (n = fread(piece, 1, sizeof piece, f)) > 0;)
        strbuf_addn(&text, piece, n);
    int status = pclose(f);
    *code = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
    return text.text ? text.text : "";
}

static void write_kernel(struct bed *b, const char *body)
{
    struct strbuf text = strbuf_make(&b->arena);
    strbuf_add(&text, head);
    for (size_t len; *body; body += len) {
        len = strcspn(body, "\n") + 1;
        strbuf_add(&text, "        ");
        strbuf_addn(&text, body, len);
    }
    write_text(b, "k.py", text.text);
}

/* ---- reading ---- */

static void add_line(struct strbuf *text, json_t *finding, const char *key, const char *before)
{
    int above = 0;
    for (const char *c = head; *c; c++)
        above += *c == '\n';
    json_t *line = json_object_get(json_object_get(finding, key), "line");
    if (line)
        strbuf_addf(text, "%s%d", before, (int)json_integer_value(line) - above);
}

/* "stale read of t 2+1 (in the core's own pipe)" */
static const char *summary(struct arena *a, json_t *finding)
{
    struct strbuf text = strbuf_make(a);
    const char *verdict = json_string_value(json_object_get(finding, "verdict")),
               *tile = json_string_value(json_object_get(finding, "tile")),
               *where = json_string_value(json_object_get(finding, "where"));
    strbuf_addf(&text, tile ? "%s of %s" : "%s", verdict, tile);
    add_line(&text, finding, "reader", " ");
    if (strcmp(verdict, "hang"))
        add_line(&text, finding, "producer", "+");
    if (strcmp(where, "-"))
        strbuf_addf(&text, " (%s)", where);
    return text.text;
}

static const char *findings(struct arena *a, const char *report)
{
    json_error_t error;
    json_t *top = json_loads(report, 0, &error), *finding;
    if (!top)
        return report;
    json_t *result = json_array_get(json_object_get(top, "results"), 0);
    struct strbuf text = strbuf_make(a);
    size_t i;
    json_array_foreach(json_object_get(result, "findings"), i, finding)
    {
        const char *one = summary(a, finding);
        if (!text.len || !strstr(text.text, one))
            strbuf_addf(&text, "%s%s", i ? "; " : "", one);
    }
    json_decref(top);
    return text.len ? text.text : "clean";
}

Test(verdicts, as_the_protocols_have_them, .timeout = 300)
{
    struct bed b;
    bed_open(&b);
    for (size_t i = 0; i < COUNT(rows); i++) {
        int code;
        const char *args = arena_printf(&b.arena, "k.py -P %d%s", rows[i].ranks, rows[i].args);
        write_kernel(&b, rows[i].body);
        const char *report = run(&b, arena_printf(&b.arena, "check --json %s", args), &code);
        expect_text(rows[i].name, findings(&b.arena, report),
                    rows[i].findings ? rows[i].findings : "clean");
        cr_expect(code == (rows[i].findings != NULL), "%s: exit code %d", rows[i].name, code);
        if (!rows[i].explored)
            continue;
        report = run(&b, arena_printf(&b.arena, "explore %s", args), &code);
        cr_expect(code == 0, "%s: %s", rows[i].name, report);
    }
    bed_close(&b);
}
