/* SPDX-License-Identifier: MIT */
/*
 * Gathers and scatters by index in programs that communicate. A row is moved past the cache; an
 * element of mgather and mscatter goes through the scalar unit's cache (pto-facts 3.1), and no rule
 * of InsertCommFence takes mscatter for a write that is published (pypto-ops-facts 1).
 */
#include "tests/litmus/trial.h"
#include "tests/support.h"

enum { SEEDS = 60, RANKS = 2 };

/* Each rank has read its own table, so that its cache may hold a line of it, when the peer fills it
 * anew. */
#define READER(gather)                                                                             \
    "import pypto.language as pl\n"                                                                \
    "import pypto.language.distributed as pld\n"                                                   \
    "# fencebench: arg peer=(rank+1)%nranks\n"                                                     \
    "@pl.program\n"                                                                                \
    "class G:\n"                                                                                   \
    "    @pl.function(type=pl.FunctionType.InCore)\n"                                              \
    "    def k(self, x: pl.Tensor[[1, 16], pl.INT32],\n"                                           \
    "          table: pl.InOut[pld.DistributedTensor[[2, 16], pl.INT32]],\n"                       \
    "          ready: pl.InOut[pld.DistributedTensor[[1, 1], pl.INT32]],\n"                        \
    "          sig: pl.InOut[pld.DistributedTensor[[1, 1], pl.INT32]],\n"                          \
    "          out: pl.InOut[pl.Tensor[[1, 16], pl.INT32]], peer: pl.Scalar[pl.INT32]):\n"         \
    "        old: pl.Scalar[pl.INT32] = pl.read(table, [0, 0])\n"                                  \
    "        pld.system.notify(ready, peer, [0, 0], 1, op=pld.NotifyOp.AtomicAdd)\n"               \
    "        pld.system.wait(ready, [0, 0], 1, cmp=pld.WaitCmp.Ge)\n"                              \
    "        t = pl.load(x, [0, 0], [1, 16])\n"                                                    \
    "        pld.tile.remote_store(t, table, peer, [0, 0])\n"                                      \
    "        pld.system.notify(sig, peer, [0, 0], 1, op=pld.NotifyOp.AtomicAdd)\n"                 \
    "        pld.system.wait(sig, [0, 0], 1, cmp=pld.WaitCmp.Ge)\n" gather                         \
    "        pl.store(g, [0, 0], out)\n"

#define INDICES  "        i = pl.tile.ci(0, [1, 8], dtype=pl.INT32)\n"
#define ELEMENTS READER(INDICES "        g = pl.tile.mgather(table, i, coalesce=\"elem\")\n")
#define ROWS                                                                                       \
    READER("        i = pl.tile.ci(0, [1, 1], dtype=pl.INT32)\n"                                   \
           "        g = pl.tile.mgather(table, i, coalesce=\"row\")\n")
#define ROW                                                                                        \
    READER("        g = pl.tile.full([1, 16], dtype=pl.INT32, value=0)\n"                          \
           "        for j in pl.range(2):\n"                                                       \
           "            g = pl.tile.gather_row(g, table, [0, j * 8], [0, j * 8], [1, 8])\n")

/* What a rank has scattered over its own window is loaded by its peer. */
#define SCATTER(marker)                                                                            \
    "import pypto.language as pl\n"                                                                \
    "import pypto.language.distributed as pld\n"                                                   \
    "# fencebench: arg peer=(rank+1)%nranks\n"                                                     \
    "@pl.program\n"                                                                                \
    "class S:\n"                                                                                   \
    "    @pl.function(type=pl.FunctionType.InCore)\n"                                              \
    "    def k(self, x: pl.Tensor[[1, 16], pl.INT32],\n"                                           \
    "          table: pl.InOut[pld.DistributedTensor[[1, 16], pl.INT32]],\n"                       \
    "          sig: pl.InOut[pld.DistributedTensor[[1, 1], pl.INT32]],\n"                          \
    "          out: pl.InOut[pl.Tensor[[1, 16], pl.INT32]], peer: pl.Scalar[pl.INT32]):\n"         \
    "        t = pl.load(x, [0, 0], [1, 16])\n"                                                    \
    "        i = pl.tile.ci(15, [1, 16], dtype=pl.INT32, descending=True)\n"                       \
    "        pl.tile.mscatter(t, i, table)\n" marker                                               \
    "        pld.system.notify(sig, peer, [0, 0], 1, op=pld.NotifyOp.AtomicAdd)\n"                 \
    "        pld.system.wait(sig, [0, 0], 1, cmp=pld.WaitCmp.Ge)\n"                                \
    "        g = pld.tile.remote_load(table, peer, [0, 0], [1, 16])\n"                             \
    "        pl.store(g, [0, 0], out)\n"

#define BY_HAND "        pl.system.cacheinvalid()\n        pl.system.fence()\n"

static const struct row {
    const char *name, *text;
    bool markers;
    const char *must; /* NULL: clean */
} rows[] = {
    {"elements, markers", ELEMENTS, true, NULL},
    {"elements, none", ELEMENTS, false, "stale read, old line at the reader"},
    {"rows, markers", ROWS, true, NULL},
    {"rows, none", ROWS, false, "stale read, queued in the pipe"},
    {"one row at a place of the run, markers", ROW, true, NULL},
    {"one row at a place of the run, none", ROW, false, "stale read, queued in the pipe"},
    {"scatter, the compiler's markers", SCATTER(""), true,
     "stale read, dirty in the producer's cache"},
    {"scatter, a marker by hand", SCATTER(BY_HAND), true, NULL},
};

static void expect_row(const struct row *r)
{
    struct outcome o = {0};
    struct trial t = {.kernel = r->name,
                      .text = r->text,
                      .model = "a2a3",
                      .toolchain = "ptoas-0.57",
                      .nranks = RANKS,
                      .seeds = SEEDS,
                      .markers_off = !r->markers};
    trial_run(&t, &o);
    if (r->must)
        cr_expect(outcome_has_kind(&o, r->must), "%s: %s", r->name, outcome_text(&o));
    else
        cr_expect(o.checked > 0 && o.failed == 0, "%s: %s", r->name, outcome_text(&o));
    outcome_free(&o);
}

Test(gathers, are_accesses_of_memory)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect_row(&rows[i]);
}
