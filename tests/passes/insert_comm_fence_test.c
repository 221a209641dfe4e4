/* SPDX-License-Identifier: MIT */
#include "passes/insert_comm_fence.h"

#include <ctype.h>

#include "base/rng.h"
#include "base/strbuf.h"
#include "ir/equal.h"
#include "ir/ops.h"
#include "ir/parse.h"
#include "ir/print.h"
#include "tests/support.h"

/* ---- kernels from bodies ---- */

/* The bodies below are lines of the kernel language; a line in capitals stands for the text beside
 * it here, with its argument in place of $. */
static const struct {
    const char *key, *text;
} shorthands[] = {
    {"STORE", "pl.tile.store(tile, [0, 0], $)"},
    {"WRITE", "pl.tensor.write($, [0, 0], value)"},
    {"GET", "pld.tile.get($, peer, win_b, tile)"},
    {"REMOTE_STORE", "pld.tile.remote_store(tile, $, peer, [0, 0])"},
    {"PUT", "pld.tile.put($, peer, plain, tile, atomic=pl.AtomicType.None_)"},
    {"NOTIFY", "pld.system.notify(sig, $, [me, 0], pl.const(1, pl.INT32), op=0)"},
    {"NOTIFY_SET", "pld.system.notify(sig, $, [me, 0], pl.const(1, pl.INT32), op=1)"},
    {"WAIT", "pld.system.wait(sig, [$, 0], pl.const(1, pl.INT32), cmp=1)"},
    {"LOAD", "pl.tile.load($, [0, 0], [1, 64], [1, 64])"},
    {"REMOTE_LOAD", "pld.tile.remote_load($, peer, [0, 0], [1, 64])"},
    {"READ", "pl.tensor.read($, [0, 0])"},
    {"CALL", "self.helper($)"},
    {"CI()", "pl.system.cacheinvalid()"},
    {"CI", "pl.system.cacheinvalid($, [1, 64], [0, 0])"},
    {"FENCE", "pl.system.fence()"},
};

static const char kernel_head[] =
    "import pypto.language as pl\n"
    "import pypto.language.distributed as pld\n"
    "@pl.program\n"
    "class test:\n"
    "    @pl.function(type=pl.FunctionType.InCore)\n"
    "    def helper(self, win: pl.InOut[pld.DistributedTensor[[1, 64], pl.FP32]]):\n"
    "        return\n"
    "    @pl.function(type=pl.FunctionType.InCore)\n"
    "    def kernel(self, win_a: pl.InOut[pld.DistributedTensor[[1, 64], pl.FP32]], "
    "win_b: pl.InOut[pld.DistributedTensor[[1, 64], pl.FP32]], "
    "sig: pl.InOut[pld.DistributedTensor[[8, 1], pl.INT32]], "
    "counts: pl.InOut[pld.DistributedTensor[[8, 1], pl.INT32]], "
    "plain: pl.InOut[pl.Tensor[[1, 64], pl.FP32]], out: pl.Out[pl.Tensor[[1, 64], pl.FP32]], "
    "peer: pl.Scalar[pl.INT32], me: pl.Scalar[pl.INT32], n: pl.Scalar[pl.INT32], "
    "value: pl.Scalar[pl.FP32], tile: pl.Tile[[1, 64], pl.FP32]):\n";

static void expand_line(struct strbuf *b, const char *line, size_t len)
{
    size_t word = 0;
    while (word < len && (isupper((unsigned char)line[word]) || line[word] == '_'))
        word++;
    for (size_t i = 0; word && i < sizeof shorthands / sizeof shorthands[0]; i++) {
        const char *key = shorthands[i].key, *hole = strchr(shorthands[i].text, '$');
        if (!hole && strlen(key) == len && memcmp(key, line, len) == 0) {
            strbuf_add(b, shorthands[i].text);
            return;
        }
        if (hole && strlen(key) == word && memcmp(key, line, word) == 0) {
            strbuf_addn(b, shorthands[i].text, (size_t)(hole - shorthands[i].text));
            strbuf_addn(b, line + word + 1, len - word - 2);
            strbuf_add(b, hole + 1);
            return;
        }
    }
    strbuf_addn(b, line, len);
}

/* The body with each shorthand written out and each line indented by `indent`. */
static const char *expand(struct arena *a, const char *body, size_t indent)
{
    struct strbuf b = strbuf_make(a);
    for (const char *p = body; *p;) {
        size_t blank = strspn(p, " "), len = strcspn(p + blank, "\n");
        strbuf_pad(&b, ' ', indent + blank);
        expand_line(&b, p + blank, len);
        strbuf_add(&b, "\n");
        p += blank + len + (p[blank + len] == '\n');
    }
    return b.text;
}

static const struct ir_program *parse(struct arena *a, const char *name, const char *text)
{
    struct diag d = {.arena = a};
    const struct ir_program *p = ir_parse(a, source_from_string(a, name, text), &d);
    cr_assert(p, "%s: %s\n%s", name, diag_text(&d, a), text);
    return p;
}

static const struct ir_program *parse_body(struct arena *a, const char *name, const char *body)
{
    return parse(a, name, arena_printf(a, "%s%s", kernel_head, expand(a, body, 8)));
}

static const struct ir_func *kernel_of(const struct ir_program *p)
{
    return ir_find_func(p, "kernel");
}

/* The printed kernel without its signature and indentation. */
static const char *print_body(struct arena *a, const struct ir_program *p)
{
    struct strbuf b = strbuf_make(a);
    const char *line = strstr(ir_print(a, p), "def kernel(");
    cr_assert(line);
    for (line = strchr(line, '\n'); line && line[1]; line = strchr(line + 1, '\n')) {
        cr_assert(strncmp(line + 1, "        ", 8) == 0, "stray line: %s", line + 1);
        strbuf_addn(&b, line + 9, strcspn(line + 9, "\n"));
        strbuf_add(&b, "\n");
    }
    return b.text;
}

static struct ir_program *mark_by(struct arena *a, const struct ir_program *p,
                                  enum pass_rules rules, enum pass_batch batch)
{
    struct diag d = {.arena = a};
    const struct pass_options o = {.batch = batch, .rules = rules, .markers = true};
    struct ir_program *out = insert_comm_fence(a, p, &o, &d);
    cr_assert(out && !d.failed);
    return out;
}

static struct ir_program *mark(struct arena *a, const struct ir_program *p, enum pass_batch batch)
{
    return mark_by(a, p, PASS_RULES_COMPILER, batch);
}

/* ---- the rules, one case a row ---- */

struct mark_case {
    const char *name, *before;
    const char *loops;    /* after the pass with batch=loops; NULL: as before */
    const char *per_wait; /* with batch=none; NULL: as with loops */
};

/* pypto-facts 3.6, cases 1 to 16; 17 and 18 need whole programs and 19 is a property of every case.
 */
static const struct mark_case upstream_cases[] = {
    {"01 window_store_then_notify",
     "STORE(win_a)\n"
     "NOTIFY(peer)\n",
     "STORE(win_a)\n"
     "CI(win_a)\n"
     "FENCE\n"
     "NOTIFY(peer)\n",
     NULL},
    {"02 scalar_write_to_window_then_notify",
     "WRITE(win_a)\n"
     "NOTIFY(peer)\n",
     "WRITE(win_a)\n"
     "CI(win_a)\n"
     "FENCE\n"
     "NOTIFY(peer)\n",
     NULL},
    {"03 scalar_write_to_plain_tensor_is_not_published",
     "WRITE(plain)\n"
     "NOTIFY(peer)\n",
     NULL, NULL},
    {"04 remote_store_gets_fence_only",
     "REMOTE_STORE(win_a)\n"
     "NOTIFY(peer)\n",
     "REMOTE_STORE(win_a)\n"
     "FENCE\n"
     "NOTIFY(peer)\n",
     NULL},
    {"05 plain_tensor_store_no_markers", "STORE(out)\n", NULL, NULL},
    {"06 multiple_window_stores_each_get_cacheinvalid_and_fence",
     "STORE(win_a)\n"
     "STORE(win_a)\n",
     "STORE(win_a)\n"
     "CI(win_a)\n"
     "FENCE\n"
     "STORE(win_a)\n"
     "CI(win_a)\n"
     "FENCE\n",
     NULL},
    {"07 two_distinct_windows_each_gets_cacheinvalid",
     "STORE(win_a)\n"
     "STORE(win_b)\n"
     "NOTIFY(peer)\n",
     "STORE(win_a)\n"
     "CI(win_a)\n"
     "FENCE\n"
     "STORE(win_b)\n"
     "CI(win_b)\n"
     "FENCE\n"
     "NOTIFY(peer)\n",
     NULL},
    {"08 write_inside_if_branch",
     "if n > 0:\n"
     "    STORE(win_a)\n"
     "NOTIFY(peer)\n",
     "if n > 0:\n"
     "    STORE(win_a)\n"
     "    CI(win_a)\n"
     "    FENCE\n"
     "NOTIFY(peer)\n",
     NULL},
    {"09 notify_inside_if_write_before",
     "STORE(win_a)\n"
     "if n > 0:\n"
     "    NOTIFY(peer)\n",
     "STORE(win_a)\n"
     "CI(win_a)\n"
     "FENCE\n"
     "if n > 0:\n"
     "    NOTIFY(peer)\n",
     NULL},
    {"10 notify_inside_loop_after_write",
     "STORE(win_a)\n"
     "for i in pl.range(8):\n"
     "    NOTIFY(i)\n",
     "STORE(win_a)\n"
     "CI(win_a)\n"
     "FENCE\n"
     "for i in pl.range(8):\n"
     "    NOTIFY(i)\n",
     NULL},
    {"11 loop_back_edge_notify_then_write",
     "for i in pl.range(8):\n"
     "    NOTIFY(peer)\n"
     "    STORE(win_a)\n",
     "for i in pl.range(8):\n"
     "    NOTIFY(peer)\n"
     "    STORE(win_a)\n"
     "    CI(win_a)\n"
     "    FENCE\n",
     NULL},
    {"12 combo_ring_barrier_idiom",
     "for s in pl.range(7):\n"
     "    for p in pl.range(8):\n"
     "        if p != me:\n"
     "            NOTIFY(p)\n"
     "    STORE(win_a)\n",
     "for s in pl.range(7):\n"
     "    for p in pl.range(8):\n"
     "        if p != me:\n"
     "            NOTIFY(p)\n"
     "    STORE(win_a)\n"
     "    CI(win_a)\n"
     "    FENCE\n",
     NULL},
    {"13 combo_two_phase_loops",
     "for i in pl.range(8):\n"
     "    NOTIFY(i)\n"
     "    STORE(win_a)\n"
     "for j in pl.range(8):\n"
     "    NOTIFY(j)\n"
     "    STORE(win_b)\n",
     "for i in pl.range(8):\n"
     "    NOTIFY(i)\n"
     "    STORE(win_a)\n"
     "    CI(win_a)\n"
     "    FENCE\n"
     "for j in pl.range(8):\n"
     "    NOTIFY(j)\n"
     "    STORE(win_b)\n"
     "    CI(win_b)\n"
     "    FENCE\n",
     NULL},
    {"14 wait_then_read_inserts_whole_gm_cacheinvalid",
     "WAIT(peer)\n"
     "READ(win_a)\n"
     "WRITE(out)\n",
     "WAIT(peer)\n"
     "CI()\n"
     "READ(win_a)\n"
     "WRITE(out)\n",
     NULL},
    {"15 notify_wait_read_handshake",
     "NOTIFY_SET(peer)\n"
     "WAIT(peer)\n"
     "READ(win_a)\n",
     "NOTIFY_SET(peer)\n"
     "WAIT(peer)\n"
     "CI()\n"
     "READ(win_a)\n",
     NULL},
    {"16 bare_barrier_notify_no_marker",
     "NOTIFY(peer)\n"
     "NOTIFY(me)\n",
     NULL, NULL},
};

/* pypto-facts 3.1: what is a write, which write is published, and what only looks like one. */
static const struct mark_case write_cases[] = {
    {"W1 get into a window", "GET(win_a)\n",
     "GET(win_a)\n"
     "CI(win_a)\n"
     "FENCE\n",
     NULL},
    {"get into a plain tensor", "GET(plain)\n", NULL, NULL},
    {"subscripts read",
     "x: pld.DistributedTensor[[64], pl.FP32] = win_a[0]\n"
     "y: pl.Scalar[pl.FP32] = win_a[0, 3]\n"
     "z: pl.Tensor[[64], pl.FP32] = plain[n]\n",
     "x: pld.DistributedTensor[[64], pl.FP32] = pl.tensor.slice(win_a, [1, 64], [0, 0], [], [0])\n"
     "y: pl.Scalar[pl.FP32] = pl.tensor.read(win_a, [0, 3])\n"
     "z: pl.Tensor[[64], pl.FP32] = pl.tensor.slice(plain, [1, 64], [n, 0], [], [0])\n",
     NULL},
    {"W1 tensor-level get into a window", "pld.tensor.get(win_a, peer, win_b)\n",
     "pld.tensor.get(win_a, peer, win_b)\n"
     "CI(win_a)\n"
     "FENCE\n",
     NULL},
    {"W1 atomic store", "pl.tile.store(tile, [0, 0], win_a, atomic=pl.AtomicType.Add)\n",
     "pl.tile.store(tile, [0, 0], win_a, atomic=pl.AtomicType.Add)\n"
     "CI(win_a)\n"
     "FENCE\n",
     NULL},
    {"W1 takes the dimensions of its own window", "pl.tensor.write(counts, [0, 0], n)\n",
     "pl.tensor.write(counts, [0, 0], n)\n"
     "pl.system.cacheinvalid(counts, [8, 1], [0, 0])\n"
     "FENCE\n",
     NULL},
    {"W1 assigned: the region names the argument, not the result",
     "w: pld.DistributedTensor[[1, 64], pl.FP32] = pl.tile.store(tile, [0, 0], win_a)\n"
     "STORE(w)\n",
     "w: pld.DistributedTensor[[1, 64], pl.FP32] = pl.tile.store(tile, [0, 0], win_a)\n"
     "CI(win_a)\n"
     "FENCE\n"
     "STORE(w)\n"
     "CI(w)\n"
     "FENCE\n",
     NULL},
    {"W1 assembled into a window, which is a store by another name",
     "sum: pl.Tensor[[1, 64], pl.FP32] = pl.tensor.add(plain, plain)\n"
     "pl.tensor.assemble(win_a, sum, [0, 0])\n",
     "sum: pl.Tensor[[1, 64], pl.FP32] = pl.tensor.add(plain, plain)\n"
     "pl.tensor.assemble(win_a, sum, [0, 0])\n"
     "CI(win_a)\n"
     "FENCE\n",
     NULL},
    {"a parameter assembled into a window, which is no store and nothing that the predicate knows",
     "pl.tensor.assemble(win_a, plain, [0, 0])\n", NULL, NULL},
    {"W2 put",
     "PUT(win_a)\n"
     "NOTIFY(peer)\n",
     "PUT(win_a)\n"
     "FENCE\n"
     "NOTIFY(peer)\n",
     NULL},
    {"W2 tensor-level put", "pld.tensor.put(win_a, peer, plain, atomic=pl.AtomicType.None_)\n",
     "pld.tensor.put(win_a, peer, plain, atomic=pl.AtomicType.None_)\n"
     "FENCE\n",
     NULL},
    {"W3 user function", "CALL(win_a)\n",
     "CALL(win_a)\n"
     "CI()\n"
     "FENCE\n",
     NULL},
    {"W3 user function, assigned", "r = self.helper(win_a)\n",
     "r = self.helper(win_a)\n"
     "CI()\n"
     "FENCE\n",
     NULL},
    {"W3 operator that the registry does not hold", "pl.tile.frobnicate(tile)\n",
     "pl.tile.frobnicate(tile)\n"
     "CI()\n"
     "FENCE\n",
     NULL},
    {"W3 submit", "pl.submit(self.helper, win_a)\n",
     "pl.submit(self.helper, win_a)\n"
     "CI()\n"
     "FENCE\n",
     NULL},
    {"W3 window without a variable of its own",
     "pl.tile.store(tile, [0, 0], pl.tensor.view(win_a, [1, 64]))\n",
     "pl.tile.store(tile, [0, 0], pl.tensor.view(win_a, [1, 64]))\n"
     "CI()\n"
     "FENCE\n",
     NULL},
    {"plain tensor without a variable of its own",
     "pl.tile.store(tile, [0, 0], pl.tensor.view(plain, [1, 64]))\n", NULL, NULL},
    {"a call in a return is no leaf", "return self.helper(win_a)\n", NULL, NULL},
    {"a read in a condition is no leaf",
     "if pl.tensor.read(counts, [0, 0]) > 0:\n"
     "    STORE(out)\n",
     NULL, NULL},
    {"reads, barriers and arithmetic get nothing",
     "LOAD(win_a)\n"
     "REMOTE_LOAD(win_a)\n"
     "READ(win_a)\n"
     "pl.system.bar_all()\n"
     "pl.system.bar_v()\n"
     "k: pl.Scalar[pl.INT32] = n + me\n",
     NULL, NULL},
    {"defer_wait gets nothing",
     "pld.system.defer_wait(sig, [0, 0], pl.const(1, pl.INT32), cmp=1)\n", NULL, NULL},
    {"markers get no markers",
     "FENCE\n"
     "CI()\n"
     "CI(win_a)\n",
     NULL, NULL},
    {"else branch, while body and loop body",
     "if n > 0:\n"
     "    STORE(out)\n"
     "else:\n"
     "    while n > me:\n"
     "        for i in pl.range(2):\n"
     "            PUT(win_b)\n",
     "if n > 0:\n"
     "    STORE(out)\n"
     "else:\n"
     "    while n > me:\n"
     "        for i in pl.range(2):\n"
     "            PUT(win_b)\n"
     "            FENCE\n",
     NULL},
};

/* pypto-facts 3.2: only the statements right behind count, in the form of the rule. */
static const struct mark_case present_cases[] = {
    {"W1 complete",
     "STORE(win_a)\n"
     "CI(win_a)\n"
     "FENCE\n",
     NULL, NULL},
    {"W1 complete with another region: shapes and offsets are not compared",
     "STORE(win_a)\n"
     "pl.system.cacheinvalid(win_a, [1, 32], [0, 16])\n"
     "FENCE\n",
     NULL, NULL},
    {"W1 with the region of another window",
     "STORE(win_a)\n"
     "CI(win_b)\n"
     "FENCE\n",
     "STORE(win_a)\n"
     "CI(win_a)\n"
     "FENCE\n"
     "CI(win_b)\n"
     "FENCE\n",
     NULL},
    {"W1 through an alias: another variable",
     "alias: pld.DistributedTensor[[1, 64], pl.FP32] = win_a\n"
     "STORE(alias)\n"
     "CI(win_a)\n"
     "FENCE\n",
     "alias: pld.DistributedTensor[[1, 64], pl.FP32] = win_a\n"
     "STORE(alias)\n"
     "CI(alias)\n"
     "FENCE\n"
     "CI(win_a)\n"
     "FENCE\n",
     NULL},
    {"W1 is not served by the whole cache",
     "STORE(win_a)\n"
     "CI()\n"
     "FENCE\n",
     "STORE(win_a)\n"
     "CI(win_a)\n"
     "FENCE\n"
     "CI()\n"
     "FENCE\n",
     NULL},
    {"W1 without its fence",
     "STORE(win_a)\n"
     "CI(win_a)\n",
     "STORE(win_a)\n"
     "CI(win_a)\n"
     "FENCE\n"
     "CI(win_a)\n",
     NULL},
    {"W1 without its invalidate",
     "STORE(win_a)\n"
     "FENCE\n",
     "STORE(win_a)\n"
     "CI(win_a)\n"
     "FENCE\n"
     "FENCE\n",
     NULL},
    {"W1 with the markers in the wrong order",
     "STORE(win_a)\n"
     "FENCE\n"
     "CI(win_a)\n",
     "STORE(win_a)\n"
     "CI(win_a)\n"
     "FENCE\n"
     "FENCE\n"
     "CI(win_a)\n",
     NULL},
    {"W1 with markers one statement away",
     "STORE(win_a)\n"
     "LOAD(plain)\n"
     "CI(win_a)\n"
     "FENCE\n",
     "STORE(win_a)\n"
     "CI(win_a)\n"
     "FENCE\n"
     "LOAD(plain)\n"
     "CI(win_a)\n"
     "FENCE\n",
     NULL},
    {"W1 with markers outside its block",
     "if n > 0:\n"
     "    STORE(win_a)\n"
     "CI(win_a)\n"
     "FENCE\n",
     "if n > 0:\n"
     "    STORE(win_a)\n"
     "    CI(win_a)\n"
     "    FENCE\n"
     "CI(win_a)\n"
     "FENCE\n",
     NULL},
    {"W2 complete",
     "REMOTE_STORE(win_a)\n"
     "FENCE\n",
     NULL, NULL},
    {"W2 with an invalidate between",
     "REMOTE_STORE(win_a)\n"
     "CI(win_a)\n"
     "FENCE\n",
     "REMOTE_STORE(win_a)\n"
     "FENCE\n"
     "CI(win_a)\n"
     "FENCE\n",
     NULL},
    {"W3 complete",
     "CALL(win_a)\n"
     "CI()\n"
     "FENCE\n",
     NULL, NULL},
    {"W3 without its fence",
     "CALL(win_a)\n"
     "CI()\n",
     "CALL(win_a)\n"
     "CI()\n"
     "FENCE\n"
     "CI()\n",
     NULL},
    {"W3 is not served by a region",
     "CALL(win_a)\n"
     "CI(win_a)\n"
     "FENCE\n",
     "CALL(win_a)\n"
     "CI()\n"
     "FENCE\n"
     "CI(win_a)\n"
     "FENCE\n",
     NULL},
    {"R1 complete",
     "WAIT(peer)\n"
     "CI()\n",
     NULL, NULL},
    {"R1 is not served by a region",
     "WAIT(peer)\n"
     "CI(win_a)\n",
     "WAIT(peer)\n"
     "CI()\n"
     "CI(win_a)\n",
     NULL},
    {"R1 is not served by a fence",
     "WAIT(peer)\n"
     "FENCE\n",
     "WAIT(peer)\n"
     "CI()\n"
     "FENCE\n",
     NULL},
};

/* pypto-facts 3.3. */
static const struct mark_case batch_cases[] = {
    {"run of two waits",
     "WAIT(peer)\n"
     "WAIT(me)\n"
     "LOAD(win_a)\n",
     "WAIT(peer)\n"
     "WAIT(me)\n"
     "CI()\n"
     "LOAD(win_a)\n",
     "WAIT(peer)\n"
     "CI()\n"
     "WAIT(me)\n"
     "CI()\n"
     "LOAD(win_a)\n"},
    {"run of three waits, last in its block",
     "WAIT(0)\n"
     "WAIT(1)\n"
     "WAIT(2)\n",
     "WAIT(0)\n"
     "WAIT(1)\n"
     "WAIT(2)\n"
     "CI()\n",
     "WAIT(0)\n"
     "CI()\n"
     "WAIT(1)\n"
     "CI()\n"
     "WAIT(2)\n"
     "CI()\n"},
    {"run that has its invalidate already",
     "WAIT(0)\n"
     "WAIT(1)\n"
     "CI()\n",
     NULL,
     "WAIT(0)\n"
     "CI()\n"
     "WAIT(1)\n"
     "CI()\n"},
    {"a load ends a run",
     "WAIT(0)\n"
     "LOAD(win_a)\n"
     "WAIT(1)\n",
     "WAIT(0)\n"
     "CI()\n"
     "LOAD(win_a)\n"
     "WAIT(1)\n"
     "CI()\n",
     NULL},
    {"arithmetic between two waits ends a run",
     "WAIT(0)\n"
     "k: pl.Scalar[pl.INT32] = n + me\n"
     "WAIT(k)\n",
     "WAIT(0)\n"
     "CI()\n"
     "k: pl.Scalar[pl.INT32] = n + me\n"
     "WAIT(k)\n"
     "CI()\n",
     NULL},
    {"a wait whose operand reads memory ends a run",
     "WAIT(0)\n"
     "WAIT(pl.tensor.read(counts, [0, 0]))\n"
     "WAIT(1)\n",
     "WAIT(0)\n"
     "CI()\n"
     "WAIT(pl.tensor.read(counts, [0, 0]))\n"
     "WAIT(1)\n"
     "CI()\n",
     "WAIT(0)\n"
     "CI()\n"
     "WAIT(pl.tensor.read(counts, [0, 0]))\n"
     "CI()\n"
     "WAIT(1)\n"
     "CI()\n"},
    {"for, if, wait",
     "for src in pl.range(8):\n"
     "    if src != me:\n"
     "        WAIT(src)\n"
     "LOAD(win_a)\n",
     "for src in pl.range(8):\n"
     "    if src != me:\n"
     "        WAIT(src)\n"
     "CI()\n"
     "LOAD(win_a)\n",
     "for src in pl.range(8):\n"
     "    if src != me:\n"
     "        WAIT(src)\n"
     "        CI()\n"
     "LOAD(win_a)\n"},
    {"for, if, wait, else, wait",
     "for src in pl.range(8):\n"
     "    if src != me:\n"
     "        WAIT(src)\n"
     "    else:\n"
     "        WAIT(0)\n",
     "for src in pl.range(8):\n"
     "    if src != me:\n"
     "        WAIT(src)\n"
     "    else:\n"
     "        WAIT(0)\n"
     "CI()\n",
     "for src in pl.range(8):\n"
     "    if src != me:\n"
     "        WAIT(src)\n"
     "        CI()\n"
     "    else:\n"
     "        WAIT(0)\n"
     "        CI()\n"},
    {"several waits in a body, bounds of scalar arithmetic",
     "for src in pl.range(me + 1, pl.max(n, 2), 2):\n"
     "    WAIT(src)\n"
     "    WAIT(src - 1)\n",
     "for src in pl.range(me + 1, pl.max(n, 2), 2):\n"
     "    WAIT(src)\n"
     "    WAIT(src - 1)\n"
     "CI()\n",
     "for src in pl.range(me + 1, pl.max(n, 2), 2):\n"
     "    WAIT(src)\n"
     "    CI()\n"
     "    WAIT(src - 1)\n"
     "    CI()\n"},
    {"wait and load in one body",
     "for src in pl.range(8):\n"
     "    WAIT(src)\n"
     "    REMOTE_LOAD(win_a)\n",
     "for src in pl.range(8):\n"
     "    WAIT(src)\n"
     "    CI()\n"
     "    REMOTE_LOAD(win_a)\n",
     NULL},
    {"wait and store in one body",
     "for src in pl.range(8):\n"
     "    WAIT(src)\n"
     "    STORE(out)\n",
     "for src in pl.range(8):\n"
     "    WAIT(src)\n"
     "    CI()\n"
     "    STORE(out)\n",
     NULL},
    {"wait and notify in one body",
     "for src in pl.range(8):\n"
     "    WAIT(src)\n"
     "    NOTIFY(src)\n",
     "for src in pl.range(8):\n"
     "    WAIT(src)\n"
     "    CI()\n"
     "    NOTIFY(src)\n",
     NULL},
    {"wait and scalar assignment in one body",
     "for src in pl.range(8):\n"
     "    k: pl.Scalar[pl.INDEX] = src + 1\n"
     "    WAIT(k)\n",
     "for src in pl.range(8):\n"
     "    k: pl.Scalar[pl.INDEX] = src + 1\n"
     "    WAIT(k)\n"
     "    CI()\n",
     NULL},
    {"wait and user call in one body",
     "for src in pl.range(8):\n"
     "    WAIT(src)\n"
     "    CALL(win_a)\n",
     "for src in pl.range(8):\n"
     "    WAIT(src)\n"
     "    CI()\n"
     "    CALL(win_a)\n"
     "    CI()\n"
     "    FENCE\n",
     NULL},
    {"wait and break in one body",
     "for src in pl.range(8):\n"
     "    WAIT(src)\n"
     "    if src > n:\n"
     "        break\n",
     "for src in pl.range(8):\n"
     "    WAIT(src)\n"
     "    CI()\n"
     "    if src > n:\n"
     "        break\n",
     NULL},
    {"loop that carries a value",
     "for src, (k,) in pl.range(8, init_values=(n,)):\n"
     "    WAIT(src)\n"
     "    k2: pl.Scalar[pl.INT32] = pl.yield_(k)\n",
     "for src, (k,) in pl.range(8, init_values=(n,)):\n"
     "    WAIT(src)\n"
     "    CI()\n"
     "    k2: pl.Scalar[pl.INT32] = pl.yield_(k)\n",
     NULL},
    {"condition that reads memory",
     "for src in pl.range(8):\n"
     "    if pl.tensor.read(counts, [src, 0]) > 0:\n"
     "        WAIT(src)\n",
     "for src in pl.range(8):\n"
     "    if pl.tensor.read(counts, [src, 0]) > 0:\n"
     "        WAIT(src)\n"
     "        CI()\n",
     NULL},
    {"condition that reads memory around nothing",
     "for src in pl.range(8):\n"
     "    WAIT(src)\n"
     "    if pl.tensor.read(counts, [src, 0]) > 0:\n"
     "        pass\n",
     "for src in pl.range(8):\n"
     "    WAIT(src)\n"
     "    CI()\n"
     "    if pl.tensor.read(counts, [src, 0]) > 0:\n"
     "        pass\n",
     NULL},
    {"while condition that reads memory",
     "while pl.tensor.read(counts, [0, 0]) < n:\n"
     "    WAIT(0)\n",
     "while pl.tensor.read(counts, [0, 0]) < n:\n"
     "    WAIT(0)\n"
     "    CI()\n",
     NULL},
    {"loop start that reads memory",
     "for src in pl.range(pl.tensor.read(counts, [0, 0]), n):\n"
     "    WAIT(src)\n",
     "for src in pl.range(pl.tensor.read(counts, [0, 0]), n):\n"
     "    WAIT(src)\n"
     "    CI()\n",
     NULL},
    {"loop stop that reads memory",
     "for src in pl.range(pl.tensor.read(counts, [0, 0])):\n"
     "    WAIT(src)\n",
     "for src in pl.range(pl.tensor.read(counts, [0, 0])):\n"
     "    WAIT(src)\n"
     "    CI()\n",
     NULL},
    {"loop step that reads memory, deep in an expression",
     "for src in pl.range(0, n, 1 + pl.tensor.read(counts, [0, 0])):\n"
     "    WAIT(src)\n",
     "for src in pl.range(0, n, 1 + pl.tensor.read(counts, [0, 0])):\n"
     "    WAIT(src)\n"
     "    CI()\n",
     NULL},
    {"wait offset that reads memory",
     "for src in pl.range(8):\n"
     "    WAIT(pl.tensor.read(counts, [src, 0]))\n",
     "for src in pl.range(8):\n"
     "    WAIT(pl.tensor.read(counts, [src, 0]))\n"
     "    CI()\n",
     NULL},
    {"expected value that reads memory",
     "for src in pl.range(8):\n"
     "    pld.system.wait(sig, [src, 0], pl.tensor.read(counts, [src, 0]), cmp=1)\n",
     "for src in pl.range(8):\n"
     "    pld.system.wait(sig, [src, 0], pl.tensor.read(counts, [src, 0]), cmp=1)\n"
     "    CI()\n",
     NULL},
    {"condition that calls what nobody can see into",
     "for src in pl.range(8):\n"
     "    if self.helper(src) > 0:\n"
     "        WAIT(src)\n",
     "for src in pl.range(8):\n"
     "    if self.helper(src) > 0:\n"
     "        WAIT(src)\n"
     "        CI()\n",
     NULL},
    {"condition over a register of the core",
     "for src in pl.range(8):\n"
     "    if src != pl.tile.get_block_idx():\n"
     "        WAIT(src)\n",
     "for src in pl.range(8):\n"
     "    if src != pl.tile.get_block_idx():\n"
     "        WAIT(src)\n"
     "CI()\n",
     "for src in pl.range(8):\n"
     "    if src != pl.tile.get_block_idx():\n"
     "        WAIT(src)\n"
     "        CI()\n"},
    {"bound that loads from the communication context (pypto-facts 6)",
     "for src in pl.range(pld.system.nranks(pld.system.get_comm_ctx(sig))):\n"
     "    WAIT(src)\n",
     "for src in pl.range(pld.system.nranks(pld.system.get_comm_ctx(sig))):\n"
     "    WAIT(src)\n"
     "    CI()\n",
     NULL},
    {"bound that is no business of a core",
     "for src in pl.range(pld.system.world_size()):\n"
     "    WAIT(src)\n",
     "for src in pl.range(pld.system.world_size()):\n"
     "    WAIT(src)\n"
     "    CI()\n",
     NULL},
    {"while loop that carries a value",
     "for (k,) in pl.while_(init_values=(n,)):\n"
     "    pl.cond(k > 0)\n"
     "    WAIT(k)\n"
     "    k2: pl.Scalar[pl.INT32] = pl.yield_(k - 1)\n",
     "for (k,) in pl.while_(init_values=(n,)):\n"
     "    pl.cond(k > 0)\n"
     "    WAIT(k)\n"
     "    CI()\n"
     "    k2: pl.Scalar[pl.INT32] = pl.yield_(k - 1)\n",
     NULL},
    {"assigned waits count as waits",
     "a: pl.UnknownType = pld.system.wait(sig, [0, 0], pl.const(1, pl.INT32), cmp=1)\n"
     "WAIT(1)\n"
     "for src in pl.range(8):\n"
     "    b: pl.UnknownType = pld.system.wait(sig, [src, 0], pl.const(1, pl.INT32), cmp=1)\n",
     "a: pl.UnknownType = pld.system.wait(sig, [0, 0], pl.const(1, pl.INT32), cmp=1)\n"
     "WAIT(1)\n"
     "CI()\n"
     "for src in pl.range(8):\n"
     "    b: pl.UnknownType = pld.system.wait(sig, [src, 0], pl.const(1, pl.INT32), cmp=1)\n"
     "CI()\n",
     "a: pl.UnknownType = pld.system.wait(sig, [0, 0], pl.const(1, pl.INT32), cmp=1)\n"
     "CI()\n"
     "WAIT(1)\n"
     "CI()\n"
     "for src in pl.range(8):\n"
     "    b: pl.UnknownType = pld.system.wait(sig, [src, 0], pl.const(1, pl.INT32), cmp=1)\n"
     "    CI()\n"},
    {"scope in the body of a loop of waits",
     "for src in pl.range(8):\n"
     "    with pl.split_aiv():\n"
     "        WAIT(src)\n",
     "for src in pl.range(8):\n"
     "    with pl.split_aiv():\n"
     "        WAIT(src)\n"
     "        CI()\n",
     NULL},
    {"empty loop",
     "for src in pl.range(8):\n"
     "    pass\n"
     "LOAD(win_a)\n",
     NULL, NULL},
    {"loop of empty branches",
     "for src in pl.range(8):\n"
     "    if src != me:\n"
     "        pass\n",
     NULL, NULL},
    {"waits beside an empty branch and an empty loop",
     "for src in pl.range(8):\n"
     "    if src == me:\n"
     "        pass\n"
     "    else:\n"
     "        WAIT(src)\n"
     "    for i in pl.range(2):\n"
     "        pass\n",
     "for src in pl.range(8):\n"
     "    if src == me:\n"
     "        pass\n"
     "    else:\n"
     "        WAIT(src)\n"
     "    for i in pl.range(2):\n"
     "        pass\n"
     "CI()\n",
     "for src in pl.range(8):\n"
     "    if src == me:\n"
     "        pass\n"
     "    else:\n"
     "        WAIT(src)\n"
     "        CI()\n"
     "    for i in pl.range(2):\n"
     "        pass\n"},
    {"while loop",
     "while n > me:\n"
     "    WAIT(0)\n",
     "while n > me:\n"
     "    WAIT(0)\n"
     "CI()\n",
     "while n > me:\n"
     "    WAIT(0)\n"
     "    CI()\n"},
    {"loop as the sole body of a branch",
     "if n > 0:\n"
     "    for src in pl.range(8):\n"
     "        WAIT(src)\n",
     "if n > 0:\n"
     "    for src in pl.range(8):\n"
     "        WAIT(src)\n"
     "    CI()\n",
     "if n > 0:\n"
     "    for src in pl.range(8):\n"
     "        WAIT(src)\n"
     "        CI()\n"},
    {"loop as the sole body of an impure loop's branch",
     "for i in pl.range(2):\n"
     "    if n > i:\n"
     "        for src in pl.range(8):\n"
     "            WAIT(src)\n"
     "    LOAD(win_a)\n",
     "for i in pl.range(2):\n"
     "    if n > i:\n"
     "        for src in pl.range(8):\n"
     "            WAIT(src)\n"
     "        CI()\n"
     "    LOAD(win_a)\n",
     "for i in pl.range(2):\n"
     "    if n > i:\n"
     "        for src in pl.range(8):\n"
     "            WAIT(src)\n"
     "            CI()\n"
     "    LOAD(win_a)\n"},
    {"loop as the sole body of a function",
     "for src in pl.range(8):\n"
     "    WAIT(src)\n",
     "for src in pl.range(8):\n"
     "    WAIT(src)\n"
     "CI()\n",
     "for src in pl.range(8):\n"
     "    WAIT(src)\n"
     "    CI()\n"},
    {"nested loops of waits: one invalidate after the outermost",
     "for row in pl.range(4):\n"
     "    for src in pl.range(8):\n"
     "        if src != me:\n"
     "            WAIT(src)\n"
     "LOAD(win_a)\n",
     "for row in pl.range(4):\n"
     "    for src in pl.range(8):\n"
     "        if src != me:\n"
     "            WAIT(src)\n"
     "CI()\n"
     "LOAD(win_a)\n",
     "for row in pl.range(4):\n"
     "    for src in pl.range(8):\n"
     "        if src != me:\n"
     "            WAIT(src)\n"
     "            CI()\n"
     "LOAD(win_a)\n"},
    {"loop of waits inside a loop that loads",
     "for row in pl.range(4):\n"
     "    for src in pl.range(8):\n"
     "        WAIT(src)\n"
     "    LOAD(win_a)\n",
     "for row in pl.range(4):\n"
     "    for src in pl.range(8):\n"
     "        WAIT(src)\n"
     "    CI()\n"
     "    LOAD(win_a)\n",
     "for row in pl.range(4):\n"
     "    for src in pl.range(8):\n"
     "        WAIT(src)\n"
     "        CI()\n"
     "    LOAD(win_a)\n"},
    {"inner bound that reads memory disqualifies the outer loop too",
     "for row in pl.range(4):\n"
     "    for src in pl.range(pl.tensor.read(counts, [row, 0])):\n"
     "        WAIT(src)\n",
     "for row in pl.range(4):\n"
     "    for src in pl.range(pl.tensor.read(counts, [row, 0])):\n"
     "        WAIT(src)\n"
     "        CI()\n",
     NULL},
    {"loop followed by its invalidate",
     "for src in pl.range(8):\n"
     "    WAIT(src)\n"
     "CI()\n",
     NULL,
     "for src in pl.range(8):\n"
     "    WAIT(src)\n"
     "    CI()\n"
     "CI()\n"},
    {"loop followed by a region invalidate",
     "for src in pl.range(8):\n"
     "    WAIT(src)\n"
     "CI(win_a)\n",
     "for src in pl.range(8):\n"
     "    WAIT(src)\n"
     "CI()\n"
     "CI(win_a)\n",
     "for src in pl.range(8):\n"
     "    WAIT(src)\n"
     "    CI()\n"
     "CI(win_a)\n"},
    {"loop in the older form stays as it is",
     "for src in pl.range(8):\n"
     "    if src != me:\n"
     "        WAIT(src)\n"
     "        CI()\n"
     "LOAD(win_a)\n",
     NULL, NULL},
    {"wait, then loop: each its own",
     "WAIT(0)\n"
     "for src in pl.range(8):\n"
     "    WAIT(src)\n",
     "WAIT(0)\n"
     "CI()\n"
     "for src in pl.range(8):\n"
     "    WAIT(src)\n"
     "CI()\n",
     "WAIT(0)\n"
     "CI()\n"
     "for src in pl.range(8):\n"
     "    WAIT(src)\n"
     "    CI()\n"},
    {"loop, then wait: each its own",
     "for src in pl.range(8):\n"
     "    WAIT(src)\n"
     "WAIT(0)\n",
     "for src in pl.range(8):\n"
     "    WAIT(src)\n"
     "CI()\n"
     "WAIT(0)\n"
     "CI()\n",
     "for src in pl.range(8):\n"
     "    WAIT(src)\n"
     "    CI()\n"
     "WAIT(0)\n"
     "CI()\n"},
    {"loop, then loop: each its own",
     "for src in pl.range(8):\n"
     "    WAIT(src)\n"
     "for src in pl.range(4):\n"
     "    WAIT(src)\n",
     "for src in pl.range(8):\n"
     "    WAIT(src)\n"
     "CI()\n"
     "for src in pl.range(4):\n"
     "    WAIT(src)\n"
     "CI()\n",
     "for src in pl.range(8):\n"
     "    WAIT(src)\n"
     "    CI()\n"
     "for src in pl.range(4):\n"
     "    WAIT(src)\n"
     "    CI()\n"},
    {"branch of waits outside a loop: a run in place",
     "if n > 0:\n"
     "    WAIT(0)\n"
     "    WAIT(1)\n"
     "else:\n"
     "    WAIT(2)\n"
     "LOAD(win_a)\n",
     "if n > 0:\n"
     "    WAIT(0)\n"
     "    WAIT(1)\n"
     "    CI()\n"
     "else:\n"
     "    WAIT(2)\n"
     "    CI()\n"
     "LOAD(win_a)\n",
     "if n > 0:\n"
     "    WAIT(0)\n"
     "    CI()\n"
     "    WAIT(1)\n"
     "    CI()\n"
     "else:\n"
     "    WAIT(2)\n"
     "    CI()\n"
     "LOAD(win_a)\n"},
    {"wait, then branch of waits: each its own",
     "WAIT(0)\n"
     "if n > 0:\n"
     "    WAIT(1)\n",
     "WAIT(0)\n"
     "CI()\n"
     "if n > 0:\n"
     "    WAIT(1)\n"
     "    CI()\n",
     NULL},
    {"run inside an impure loop",
     "for src in pl.range(8):\n"
     "    WAIT(src)\n"
     "    WAIT(0)\n"
     "    LOAD(win_a)\n",
     "for src in pl.range(8):\n"
     "    WAIT(src)\n"
     "    WAIT(0)\n"
     "    CI()\n"
     "    LOAD(win_a)\n",
     "for src in pl.range(8):\n"
     "    WAIT(src)\n"
     "    CI()\n"
     "    WAIT(0)\n"
     "    CI()\n"
     "    LOAD(win_a)\n"},
    {"barrier of a mesh collective",
     "STORE(win_a)\n"
     "for p in pl.range(8):\n"
     "    if p != me:\n"
     "        NOTIFY(p)\n"
     "for src in pl.range(8):\n"
     "    if src != me:\n"
     "        WAIT(src)\n"
     "REMOTE_LOAD(win_a)\n",
     "STORE(win_a)\n"
     "CI(win_a)\n"
     "FENCE\n"
     "for p in pl.range(8):\n"
     "    if p != me:\n"
     "        NOTIFY(p)\n"
     "for src in pl.range(8):\n"
     "    if src != me:\n"
     "        WAIT(src)\n"
     "CI()\n"
     "REMOTE_LOAD(win_a)\n",
     "STORE(win_a)\n"
     "CI(win_a)\n"
     "FENCE\n"
     "for p in pl.range(8):\n"
     "    if p != me:\n"
     "        NOTIFY(p)\n"
     "for src in pl.range(8):\n"
     "    if src != me:\n"
     "        WAIT(src)\n"
     "        CI()\n"
     "REMOTE_LOAD(win_a)\n"},
};

static const struct {
    const struct mark_case *cases;
    size_t len;
} suites[] = {
    {upstream_cases, sizeof upstream_cases / sizeof upstream_cases[0]},
    {write_cases, sizeof write_cases / sizeof write_cases[0]},
    {present_cases, sizeof present_cases / sizeof present_cases[0]},
    {batch_cases, sizeof batch_cases / sizeof batch_cases[0]},
};

/* Case n over all suites, or NULL behind the last. */
static const struct mark_case *nth_case(size_t n)
{
    for (size_t i = 0; i < sizeof suites / sizeof suites[0]; n -= suites[i++].len)
        if (n < suites[i].len)
            return &suites[i].cases[n];
    return NULL;
}

static void expect_marked(const struct mark_case *c, enum pass_batch batch, const char *expected)
{
    struct arena a = {0};
    const struct ir_program *out = mark(&a, parse_body(&a, c->name, c->before), batch);
    const char *name = arena_printf(&a, "%s, batch=%s", c->name, batch ? "loops" : "none");
    expect_text(name, print_body(&a, out), expand(&a, expected, 0));
    arena_free(&a);
}

Test(insert_comm_fence, rules)
{
    const struct mark_case *c;
    for (size_t i = 0; (c = nth_case(i)); i++) {
        const char *loops = c->loops ? c->loops : c->before;
        expect_marked(c, PASS_BATCH_LOOPS, loops);
        expect_marked(c, PASS_BATCH_NONE, c->per_wait ? c->per_wait : loops);
    }
}

/* ---- the proposed rules ---- */

/* Only what differs from the compiler's rules: a DMA write is fenced before its line is dropped, a
 * scalar write after its line is cleaned, and plain tensors count where the function may read them.
 */
static const struct {
    const char *before, *after; /* NULL: as before */
} proposed_cases[] = {
    {"STORE(win_a)\n", "STORE(win_a)\nFENCE\nCI(win_a)\n"},
    {"GET(win_a)\n", "GET(win_a)\nFENCE\nCI(win_a)\n"},
    {"WRITE(win_a)\n", "WRITE(win_a)\nCI(win_a)\nFENCE\n"},
    {"PUT(win_a)\n", "PUT(win_a)\nFENCE\n"},
    {"REMOTE_STORE(win_a)\n", "REMOTE_STORE(win_a)\nFENCE\n"},
    {"CALL(win_a)\n", "CALL(win_a)\nCI()\nFENCE\n"},
    {"WAIT(peer)\nLOAD(win_a)\n", "WAIT(peer)\nCI()\nLOAD(win_a)\n"},
    /* in the other order the pass does not know its own markers */
    {"STORE(win_a)\nFENCE\nCI(win_a)\n", NULL},
    {"STORE(win_a)\nCI(win_a)\nFENCE\n", "STORE(win_a)\nFENCE\nCI(win_a)\nCI(win_a)\nFENCE\n"},
    /* a plain tensor that nothing here reads */
    {"STORE(out)\n", NULL},
    {"WRITE(plain)\nNOTIFY(peer)\n", NULL},
    {"GET(plain)\nLOAD(out)\n", NULL},
    {"STORE(plain)\nCI(plain)\n", NULL},
    /* and one that is read: by scalar, by DMA, by a put, by whoever is called, before or after */
    {"GET(plain)\nREAD(plain)\n", "GET(plain)\nFENCE\nCI(plain)\nREAD(plain)\n"},
    {"STORE(plain)\nLOAD(plain)\n", "STORE(plain)\nFENCE\nCI(plain)\nLOAD(plain)\n"},
    {"WRITE(plain)\nPUT(win_a)\n", "WRITE(plain)\nCI(plain)\nFENCE\nPUT(win_a)\nFENCE\n"},
    {"for i in pl.range(4):\n    READ(plain)\n    STORE(plain)\n",
     "for i in pl.range(4):\n    READ(plain)\n    STORE(plain)\n    FENCE\n    CI(plain)\n"},
    {"STORE(plain)\nCALL(win_a)\n", "STORE(plain)\nCALL(win_a)\nCI()\nFENCE\n"},
    /* under another name: the result of a store, a view, a branch, a loop */
    {"w = pl.tile.store(tile, [0, 0], plain)\nREAD(w)\n",
     "w = pl.tile.store(tile, [0, 0], plain)\nFENCE\nCI(plain)\nREAD(w)\n"},
    {"v = pl.tensor.view(plain, [1, 64])\nSTORE(v)\nREAD(plain)\n",
     "v = pl.tensor.view(plain, [1, 64])\nSTORE(v)\nFENCE\nCI(v)\nREAD(plain)\n"},
    {"v = pl.tensor.view(plain, [1, 64])\nSTORE(v)\n", NULL},
    {"for i, (w,) in pl.range(4, init_values=(plain,)):\n"
     "    x = pl.tile.store(tile, [0, 0], w)\n"
     "    r = pl.yield_(x)\n"
     "READ(r)\n",
     "for i, (w,) in pl.range(4, init_values=(plain,)):\n"
     "    x = pl.tile.store(tile, [0, 0], w)\n"
     "    FENCE\n"
     "    CI(w)\n"
     "    r = pl.yield_(x)\n"
     "READ(r)\n"},
    {"if n > 0:\n    r = pl.yield_(plain)\nelse:\n    r = pl.yield_(out)\nSTORE(out)\nREAD(r)\n",
     "if n > 0:\n    r = pl.yield_(plain)\nelse:\n    r = pl.yield_(out)\nSTORE(out)\nFENCE\n"
     "CI(out)\nREAD(r)\n"},
};

/* What the pass prints for text; both sides are printed, so that only the markers can differ. */
Test(insert_comm_fence, proposed_rules)
{
    for (size_t i = 0; i < sizeof proposed_cases / sizeof proposed_cases[0]; i++) {
        struct arena a = {0};
        const char *before = proposed_cases[i].before;
        const char *after = proposed_cases[i].after ? proposed_cases[i].after : before;
        for (int batch = PASS_BATCH_NONE; batch <= PASS_BATCH_LOOPS; batch++) {
            const struct ir_program *out =
                mark_by(&a, parse_body(&a, before, before), PASS_RULES_PROPOSED, batch);
            expect_text(before, print_body(&a, out), print_body(&a, parse_body(&a, after, after)));
            expect_text(before, print_body(&a, mark_by(&a, out, PASS_RULES_PROPOSED, batch)),
                        print_body(&a, out));
        }
        arena_free(&a);
    }
}

/* ---- whole programs ---- */

/* One text without shorthands, so that the cases above do not rest on the helpers alone. */
Test(insert_comm_fence, whole_text)
{
    static const char head[] =
        "import pypto.language as pl\n"
        "import pypto.language.distributed as pld\n"
        "@pl.program\n"
        "class push:\n"
        "    @pl.function(type=pl.FunctionType.AIV)\n"
        "    def kernel(win: pl.InOut[pld.DistributedTensor[[1, 64], pl.FP32]], "
        "sig: pl.InOut[pld.DistributedTensor[[8, 1], pl.INT32]], peer: pl.Scalar[pl.INT32], "
        "tile: pl.Tile[[1, 64], pl.FP32]):\n";
    static const char before[] =
        "        pl.tile.store(tile, [0, 0], win)\n"
        "        pld.system.notify(sig, peer, [0, 0], pl.const(1, pl.INT32), op=0)\n"
        "        pld.system.wait(sig, [0, 0], pl.const(1, pl.INT32), cmp=1)\n"
        "        pl.tile.load(win, [0, 0], [1, 64], [1, 64])\n";
    static const char after[] =
        "        pl.tile.store(tile, [0, 0], win)\n"
        "        pl.system.cacheinvalid(win, [1, 64], [0, 0])\n"
        "        pl.system.fence()\n"
        "        pld.system.notify(sig, peer, [0, 0], pl.const(1, pl.INT32), op=0)\n"
        "        pld.system.wait(sig, [0, 0], pl.const(1, pl.INT32), cmp=1)\n"
        "        pl.system.cacheinvalid()\n"
        "        pl.tile.load(win, [0, 0], [1, 64], [1, 64])\n";
    struct arena a = {0};
    const struct ir_program *p = parse(&a, "push", arena_printf(&a, "%s%s", head, before));
    const char *text = ir_print(&a, mark(&a, p, PASS_BATCH_LOOPS));
    const char *body = strstr(text, "        pl.tile.store");
    cr_assert(body);
    expect_text("push", body, after);
    expect_text("push, the program given", strstr(ir_print(&a, p), "        pl.tile.store"),
                before);
    arena_free(&a);
}

/* A function of each type around one window store; pypto-facts 1.1 and 3.6 case 17. */
Test(insert_comm_fence, only_core_functions)
{
    static const struct {
        const char *type;
        bool marked;
    } cases[] = {
        {"InCore", true},         {"AIC", true},    {"AIV", true},   {"Opaque", false},
        {"Orchestration", false}, {"Group", false}, {"Spmd", false}, {"Graph", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct arena a = {0};
        const struct ir_program *p =
            parse(&a, cases[i].type,
                  arena_printf(&a,
                               "import pypto.language as pl\n"
                               "import pypto.language.distributed as pld\n"
                               "@pl.program\n"
                               "class test:\n"
                               "    @pl.function(type=pl.FunctionType.%s)\n"
                               "    def kernel(self, win: "
                               "pl.InOut[pld.DistributedTensor[[1, 64], pl.FP32]], tile: "
                               "pl.Tile[[1, 64], pl.FP32]):\n"
                               "        pl.tile.store(tile, [0, 0], win)\n"
                               "        self.worker(win)\n",
                               cases[i].type));
        const struct ir_program *out = mark(&a, p, PASS_BATCH_LOOPS);
        cr_expect_eq(kernel_of(out)->body.len, cases[i].marked ? 6u : 2u, "%s", cases[i].type);
        cr_expect_eq(kernel_of(out) != kernel_of(p), cases[i].marked, "%s", cases[i].type);
        arena_free(&a);
    }
}

/* pypto-facts 3.6 case 18: the caller is marked, the function that it calls is not even copied. */
Test(insert_comm_fence, helper_is_shared)
{
    struct arena a = {0};
    const struct ir_program *p = parse_body(&a, "opaque_cross_function_call",
                                            "CALL(win_a)\n"
                                            "NOTIFY(peer)\n");
    const struct ir_program *out = mark(&a, p, PASS_BATCH_LOOPS);
    expect_text("opaque_cross_function_call_gets_whole_gm_marker", print_body(&a, out),
                expand(&a,
                       "CALL(win_a)\n"
                       "CI()\n"
                       "FENCE\n"
                       "NOTIFY(peer)\n",
                       0));
    cr_expect_eq(ir_find_func(out, "helper"), ir_find_func(p, "helper"));
    arena_free(&a);
}

Test(insert_comm_fence, unchanged_statements_are_shared)
{
    struct arena a = {0};
    const struct ir_program *p = parse_body(&a, "sharing",
                                            "if n > 0:\n"
                                            "    STORE(out)\n"
                                            "for src in pl.range(8):\n"
                                            "    WAIT(src)\n"
                                            "if n > 1:\n"
                                            "    STORE(win_a)\n"
                                            "else:\n"
                                            "    STORE(out)\n");
    const ir_block *before = &kernel_of(p)->body;
    const ir_block *after = &kernel_of(mark(&a, p, PASS_BATCH_LOOPS))->body;
    cr_assert_eq(after->len, 4u);
    cr_expect_eq(after->items[0], before->items[0]);
    cr_expect_eq(after->items[1], before->items[1]);
    cr_expect_neq(after->items[3], before->items[2]);
    cr_expect_eq(after->items[3]->if_.then_body.items[0], before->items[2]->if_.then_body.items[0]);
    cr_expect_eq(after->items[3]->if_.else_body.items, before->items[2]->if_.else_body.items);
    cr_expect_eq(before->items[2]->if_.then_body.len, 1u, "the program given has changed");
    arena_free(&a);
}

Test(insert_comm_fence, markers_carry_the_span_of_their_cause)
{
    struct arena a = {0};
    const struct ir_program *p = parse_body(&a, "spans",
                                            "STORE(win_a)\n"
                                            "for src in pl.range(8):\n"
                                            "    WAIT(src)\n");
    const ir_block *body = &kernel_of(mark(&a, p, PASS_BATCH_LOOPS))->body;
    static const size_t cause[] = {0, 0, 0, 3, 3};
    cr_assert_eq(body->len, 5u);
    for (size_t i = 0; i < body->len; i++) {
        cr_expect_eq(body->items[i]->span.line, body->items[cause[i]]->span.line);
        cr_expect_eq(body->items[i]->span.col, body->items[cause[i]]->span.col);
    }
    cr_expect_eq(body->items[1]->eval->span.line, body->items[0]->span.line);
    cr_expect_eq(body->items[3]->span.line, body->items[0]->span.line + 1);
    arena_free(&a);
}

/* ---- whose marker is it? ---- */

Test(insert_comm_fence, rule_of_a_marker)
{
    static const struct {
        const char *body, *rules;
    } cases[] = {
        {"STORE(win_a)\nCI(win_a)\nFENCE\n", "none W1 W1"},
        {"STORE(win_a)\nCI(win_a)\n", "none W1"},
        {"STORE(win_a)\nCI(win_b)\nFENCE\n", "none none none"},
        {"STORE(win_a)\nFENCE\n", "none none"},
        {"STORE(win_a)\nCI()\nFENCE\n", "none none none"},
        {"STORE(plain)\nCI()\nFENCE\n", "none none none"},
        {"STORE(win_a)\nLOAD(plain)\nFENCE\n", "none none none"},
        {"STORE(win_a)\nCI(win_a)\nFENCE\nFENCE\n", "none W1 W1 none"},
        {"PUT(win_a)\nFENCE\n", "none W2"},
        {"REMOTE_STORE(win_a)\nFENCE\nFENCE\n", "none W2 none"},
        {"PUT(win_a)\nCI(win_a)\nFENCE\n", "none none none"},
        {"CALL(win_a)\nCI()\nFENCE\n", "none W3 W3"},
        {"CALL(win_a)\nFENCE\n", "none none"},
        {"CALL(win_a)\nCI(win_a)\nFENCE\n", "none none none"},
        {"WAIT(peer)\nCI()\n", "none R1"},
        {"WAIT(peer)\nCI()\nFENCE\n", "none R1 none"},
        {"WAIT(peer)\nWAIT(me)\nCI()\n", "none none R1"},
        {"WAIT(peer)\nCI(win_a)\n", "none none"},
        {"WAIT(peer)\nLOAD(win_a)\nCI()\n", "none none none"},
        {"for src in pl.range(8):\n    WAIT(src)\nCI()\n", "none R1"},
        {"for src in pl.range(8):\n    WAIT(src)\n    CI()\nCI()\n", "none none"},
        {"for src in pl.range(8):\n    pass\nCI()\n", "none none"},
        {"if n > 0:\n    WAIT(0)\nCI()\n", "none none"},
        {"CI()\nFENCE\n", "none none"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct arena a = {0};
        const ir_block *body = &kernel_of(parse_body(&a, cases[i].body, cases[i].body))->body;
        struct strbuf b = strbuf_make(&a);
        for (size_t k = 0; k < body->len; k++)
            strbuf_addf(&b, "%s%s", k ? " " : "",
                        comm_fence_rule_name(comm_fence_rule_of(body, k, PASS_RULES_COMPILER)));
        expect_text(cases[i].body, b.text, cases[i].rules);
        arena_free(&a);
    }
}

/* ---- properties ---- */

enum { MAX_DEPTH = 3, RANDOM_PROGRAMS = 300 };

static const char *const leaves[] = {
    "STORE(win_a)", "STORE(win_b)",
    "STORE(plain)", "WRITE(win_a)",
    "GET(win_b)",   "LOAD(win_a)",
    "WAIT(me)",     "WAIT(peer)",
    "WAIT(0)",      "REMOTE_STORE(win_a)",
    "PUT(win_a)",   "NOTIFY(peer)",
    "CALL(win_a)",  "WAIT(n)",
    "pass",         "WAIT(pl.tensor.read(counts, [0, 0]))",
};
static const char *const present_markers[] = {"CI()", "CI(win_a)", "CI(win_b)", "FENCE"};
static const char *const controls[] = {
    "for i%d in pl.range(8):",
    "if n > %d:",
    "while n > %d:",
    "if pl.tensor.read(counts, [%d, 0]) > 0:",
    "for i%d in pl.range(pl.tensor.read(counts, [0, 0])):",
};

#define PICK(r, list) (list)[rng_below((r), sizeof(list) / sizeof(list)[0])]

/* Bodies of waits are made often: they are what batching is about. */
static void random_block(struct rng *r, struct strbuf *b, int depth, bool with_markers)
{
    bool waits = rng_below(r, 3) == 0;
    size_t len = 1 + rng_below(r, depth ? 3 : 6);
    for (size_t i = 0; i < len; i++) {
        strbuf_pad(b, ' ', 4 * (size_t)depth);
        if (depth < MAX_DEPTH && rng_below(r, 3) == 0) {
            strbuf_addf(b, PICK(r, controls), depth);
            strbuf_add(b, "\n");
            random_block(r, b, depth + 1, with_markers);
        } else if (with_markers && rng_below(r, 4) == 0) {
            strbuf_addf(b, "%s\n", PICK(r, present_markers));
        } else {
            strbuf_addf(b, "%s\n", waits ? "WAIT(me)" : PICK(r, leaves));
        }
    }
}

static const char *random_body(struct arena *a, uint64_t seed, bool with_markers)
{
    struct rng r = rng_make(seed, 0);
    struct strbuf b = strbuf_make(a);
    random_block(&r, &b, 0, with_markers);
    return b.text;
}

static void expect_idempotent(struct arena *a, const char *name, const struct ir_program *p,
                              enum pass_batch batch)
{
    const struct ir_program *once = mark(a, p, batch), *twice = mark(a, once, batch);
    expect_text(name, print_body(a, twice), print_body(a, once));
    cr_expect(ir_equal(once, twice), "%s: not equal", name);
    cr_expect_eq(kernel_of(once), kernel_of(twice), "%s: copied without need", name);
    cr_expect(ir_equal(once, parse(a, name, ir_print(a, once))), "%s: does not read back", name);
}

/* pypto-facts 3.6 case 19. */
Test(insert_comm_fence, twice_is_once)
{
    struct arena a = {0};
    const struct mark_case *c;
    for (size_t i = 0; (c = nth_case(i)); i++)
        for (int batch = PASS_BATCH_NONE; batch <= PASS_BATCH_LOOPS; batch++)
            expect_idempotent(&a, c->name, parse_body(&a, c->name, c->before), batch);
    for (uint64_t seed = 0; seed < RANDOM_PROGRAMS; seed++)
        for (int batch = PASS_BATCH_NONE; batch <= PASS_BATCH_LOOPS; batch++) {
            const char *body = random_body(&a, seed, seed % 2);
            expect_idempotent(&a, body, parse_body(&a, body, body), batch);
        }
    arena_free(&a);
}

static bool is_marker_line(const char *line)
{
    line += strspn(line, " ");
    return strncmp(line, "pl.system.cacheinvalid(", 23) == 0 ||
           strncmp(line, "pl.system.fence(", 16) == 0;
}

static const char *without_markers(struct arena *a, const char *text)
{
    struct strbuf b = strbuf_make(a);
    for (const char *p = text; *p; p += strcspn(p, "\n") + 1)
        if (!is_marker_line(p))
            strbuf_addn(&b, p, strcspn(p, "\n") + 1);
    return b.text;
}

static size_t count_of(const char *text, const char *what)
{
    size_t n = 0;
    for (const char *p = text; (p = strstr(p, what)); p++)
        n++;
    return n;
}

/* The pass only adds, and batching never adds more than marking each wait does. */
Test(insert_comm_fence, only_adds)
{
    for (uint64_t seed = 0; seed < RANDOM_PROGRAMS; seed++) {
        struct arena a = {0};
        const char *body = random_body(&a, seed, false);
        const struct ir_program *p = parse_body(&a, body, body);
        const char *before = print_body(&a, p);
        const char *loops = print_body(&a, mark(&a, p, PASS_BATCH_LOOPS));
        const char *none = print_body(&a, mark(&a, p, PASS_BATCH_NONE));
        expect_text("batch=loops", without_markers(&a, loops), before);
        expect_text("batch=none", without_markers(&a, none), before);
        cr_expect_leq(count_of(loops, "cacheinvalid()"), count_of(none, "cacheinvalid()"));
        cr_expect_eq(count_of(loops, "fence()"), count_of(none, "fence()"));
        arena_free(&a);
    }
}

/* Follows every path: no memory may be touched between a wait and the next whole-cache invalidate.
 */
struct acquire_walk {
    bool pending, ok;
};

static bool touches_no_memory(const struct ir_expr *e, void *root)
{
    return e->kind != IR_CALL || e == root || (e->call.op && e->call.op->effect == IR_EFFECT_PURE);
}

static void walk_acquires(struct acquire_walk *w, const ir_block *block);

static void walk_leaf(struct acquire_walk *w, struct ir_expr *e)
{
    const struct ir_op *op = e->kind == IR_CALL ? e->call.op : NULL;
    bool marker = op && op->effect == IR_EFFECT_MARKER, wait = op && op->effect == IR_EFFECT_WAIT;
    if (w->pending && !ir_walk_expr(e, touches_no_memory, marker || wait ? e : NULL))
        w->ok = false;
    if (marker && strcmp(op->name, "system.cacheinvalid") == 0 && e->call.args.len == 0)
        w->pending = false;
    w->pending = w->pending || wait;
}

static void walk_loop(struct acquire_walk *w, struct ir_expr *again, const ir_block *body)
{
    for (int round = 0; round < 2; round++) {
        bool skipped = w->pending;
        walk_acquires(w, body);
        w->pending = w->pending || skipped;
        if (again)
            walk_leaf(w, again);
    }
}

static void walk_acquires(struct acquire_walk *w, const ir_block *block)
{
    vec_foreach (struct ir_stmt *, it, block) {
        struct ir_stmt *s = *it;
        if (s->kind == IR_EVAL) {
            walk_leaf(w, s->eval);
        } else if (s->kind == IR_IF) {
            walk_leaf(w, s->if_.cond);
            struct acquire_walk other = *w;
            walk_acquires(w, &s->if_.then_body);
            walk_acquires(&other, &s->if_.else_body);
            w->pending = w->pending || other.pending;
            w->ok = w->ok && other.ok;
        } else if (s->kind == IR_FOR) {
            walk_leaf(w, s->for_.stop);
            walk_loop(w, NULL, &s->for_.body);
        } else if (s->kind == IR_WHILE) {
            walk_leaf(w, s->while_.cond);
            walk_loop(w, s->while_.cond, &s->while_.body);
        }
    }
}

static bool acquires_hold(const struct ir_program *p)
{
    struct acquire_walk w = {.pending = false, .ok = true};
    walk_acquires(&w, &kernel_of(p)->body);
    return w.ok && !w.pending;
}

Test(insert_comm_fence, every_wait_acquires_on_every_path)
{
    size_t broken_without = 0;
    for (uint64_t seed = 0; seed < RANDOM_PROGRAMS; seed++) {
        struct arena a = {0};
        const char *body = random_body(&a, seed, seed % 2);
        const struct ir_program *p = parse_body(&a, body, body);
        broken_without += !acquires_hold(p);
        for (int batch = PASS_BATCH_NONE; batch <= PASS_BATCH_LOOPS; batch++) {
            const struct ir_program *out = mark(&a, p, batch);
            cr_expect(acquires_hold(out), "batch=%d\n%s", batch, print_body(&a, out));
        }
        arena_free(&a);
    }
    cr_expect_gt(broken_without, RANDOM_PROGRAMS / 2, "the walk must see what is missing");
}

static void expect_rules(const ir_block *block, enum pass_rules rules)
{
    for (size_t i = 0; i < block->len; i++) {
        const struct ir_call *call = ir_leaf_call(block->items[i]);
        bool marker = call && call->op && call->op->effect == IR_EFFECT_MARKER;
        cr_expect_eq(comm_fence_rule_of(block, i, rules) != COMM_FENCE_NONE, marker);
        ir_block *inner[PASS_MAX_BLOCKS];
        size_t n = pass_child_blocks(block->items[i], inner);
        for (size_t b = 0; b < n; b++)
            expect_rules(inner[b], rules);
    }
}

Test(insert_comm_fence, every_inserted_marker_has_a_rule)
{
    for (uint64_t seed = 0; seed < RANDOM_PROGRAMS; seed++) {
        struct arena a = {0};
        const char *body = random_body(&a, seed, false);
        const struct ir_program *p = parse_body(&a, body, body);
        for (int batch = PASS_BATCH_NONE; batch <= PASS_BATCH_LOOPS; batch++)
            for (int rules = PASS_RULES_COMPILER; rules <= PASS_RULES_PROPOSED; rules++)
                expect_rules(&kernel_of(mark_by(&a, p, rules, batch))->body, rules);
        arena_free(&a);
    }
}
