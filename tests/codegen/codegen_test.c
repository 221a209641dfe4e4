/* SPDX-License-Identifier: MIT */
/* Operators and macros instruction by instruction (hw-facts 1.1-1.3, pypto-facts 6), control flow
 * by its results. */
#include <stddef.h>

#include "tests/codegen/kernel_rig.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* ---- what each operator becomes ---- */

/* Three cached loads from the context: (rank, nranks), own base, peer's base (pypto-facts 6). */
#define PEER(window) "ld " window "_ctx[2]@0\nld " window "_ctx[4]@0\nld " window "_ctx[5]@0\n"
/* The peer of rank 0 is rank 1, and the other way round. */
#define OTHER "4 - n"

#define BARRIER       "barrier all ; codegen\n"
#define TO_STORE      "set_flag mte2, mte3, 0 ; macro\nwait_flag mte2, mte3, 0 ; macro\n"
#define TO_LOAD       "set_flag mte3, mte2, 1 ; macro\nwait_flag mte3, mte2, 1 ; macro\n"
#define BETWEEN       "barrier all ; macro\n"
#define NOTIFIED(sig) "dcci " sig " ; macro\ndsb ; macro\nbarrier all ; macro\n"

#define STAGE(shape) "s = pl.tile.create(" shape ", dtype=pl.INT32, target_memory=pl.Mem.Vec)\n"

/* A key of the toolchain that a row changes; size 0: none. */
struct key {
    size_t offset, size;
    int value;
};
#define KEY(field, v)                                                                              \
    {                                                                                              \
        offsetof(struct toolchain, field), sizeof(((struct toolchain *)0)->field), v               \
    }
enum { ROW_KEYS = 3 };

struct trace_row {
    const char *name, *body, *trace;
    struct key keys[ROW_KEYS];
};

static struct toolchain changed_toolchain(struct arena *a, const struct key keys[ROW_KEYS])
{
    struct toolchain t = rig_toolchain(a);
    for (int i = 0; i < ROW_KEYS && keys[i].size; i++)
        memcpy((char *)&t + keys[i].offset, &keys[i].value, keys[i].size);
    return t;
}

static void expect_traces(const struct trace_row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct arena a = {0};
        struct toolchain t = changed_toolchain(&a, rows[i].keys);
        expect_text(rows[i].name, rig_trace(&a, rig_body(&a, rows[i].name, rows[i].body, &t)),
                    rows[i].trace);
        arena_free(&a);
    }
}

Test(codegen, signals)
{
    static const struct trace_row rows[] = {
        {"TNOTIFY AtomicAdd",
         "pld.system.notify(sig, " OTHER ", [0, 0], 5, op=pld.NotifyOp.AtomicAdd)\n",
         PEER("sig") "dcci sig[0]@1 ; macro\nst.atomic sig[0]@1, 5\n" NOTIFIED("sig[0]@1"),
         {{0}}},
        {"TNOTIFY Set",
         "pld.system.notify(sig, " OTHER ", [2, 0], 7, op=pld.NotifyOp.Set)\n",
         PEER("sig") "dcci sig[2]@1 ; macro\nst sig[2]@1, 7\n" NOTIFIED("sig[2]@1"),
         {{0}}},
        {"TNOTIFY to the own cell",
         "pld.system.notify(sig, n - 3, [1, 0], -2, op=pld.NotifyOp.AtomicAdd)\n",
         "ld sig_ctx[2]@0\nld sig_ctx[4]@0\nld sig_ctx[4]@0\n"
         "dcci sig[1]@0 ; macro\nst.atomic sig[1]@0, -2\n" NOTIFIED("sig[1]@0"),
         {{0}}},
        {"TWAIT is one polling instruction, nothing around it",
         "pld.system.wait(sig, [3, 0], n - n, cmp=pld.WaitCmp.Ge)\n",
         "poll sig[3]@0 >= 0\n",
         {{0}}},
        {"TWAIT for equality",
         "pld.system.wait(sig, [0, 0], 0, cmp=pld.WaitCmp.Eq)\n",
         "poll sig[0]@0 == 0\n",
         {{0}}},
    };
    expect_traces(rows, COUNT(rows));
}

Test(codegen, transfers)
{
    static const struct trace_row rows[] = {
        {"TPUT that fits its stage",
         STAGE("[1, 16]") "pld.tile.put(win, " OTHER
                          ", x, s, [1, 0], [2, 0], [1, 16], atomic=pld.AtomicType.None_)\n",
         PEER("win") BARRIER "mte2 s <- x[32]@0, 1 x 16\n" TO_STORE
                             "mte3 win[16]@1 <- s, 1 x 16\n" TO_LOAD BARRIER
                             "dcci win[16]@1 ; codegen\n",
         {{0}}},
        {"TPUT in chunks of rows, adding",
         STAGE("[1, 16]") "pld.tile.put(win, " OTHER
                          ", x, s, [0, 0], [1, 0], [2, 16], atomic=pld.AtomicType.Add)\n",
         PEER("win") BARRIER
         "mte2 s <- x[16]@0, 1 x 16\n" TO_STORE BETWEEN "mte3.add win[0]@1 <- s, 1 x 16\n" TO_LOAD
         "mte2 s <- x[32]@0, 1 x 16\n" TO_STORE BETWEEN
         "mte3.add win[16]@1 <- s, 1 x 16\n" TO_LOAD BARRIER "dcci win[0]@1 ; codegen\n",
         {{0}}},
        {"TPUT in chunks of parts of a row",
         STAGE("[1, 8]") "pld.tile.put(win, " OTHER ", x, s, [3, 0], [0, 0], [1, 16], atomic=0)\n",
         PEER("win") BARRIER
         "mte2 s <- x[0]@0, 1 x 8\n" TO_STORE BETWEEN "mte3 win[48]@1 <- s, 1 x 8\n" TO_LOAD
         "mte2 s <- x[8]@0, 1 x 8\n" TO_STORE BETWEEN "mte3 win[56]@1 <- s, 1 x 8\n" TO_LOAD BARRIER
         "dcci win[48]@1 ; codegen\n",
         {{0}}},
        {"TPUT of a whole tensor, in chunks of rows",
         "pld.tensor.put(win, " OTHER ", x, atomic=0, chunk_rows=3)\n",
         PEER("win") BARRIER "mte2 stage <- x[0]@0, 3 x 16\n" TO_STORE BETWEEN
                             "mte3 win[0]@1 <- stage, 3 x 16\n" TO_LOAD
                             "mte2 stage <- x[48]@0, 1 x 16\n" TO_STORE BETWEEN
                             "mte3 win[48]@1 <- stage, 1 x 16\n" TO_LOAD BARRIER
                             "dcci win[0]@1 ; codegen\n",
         {{0}}},
        {"TPUT in chunks of rows and columns",
         "pld.tensor.put(win, " OTHER
         ", x, [0, 0], [0, 0], [2, 16], atomic=0, chunk_rows=2, chunk_cols=8)\n",
         PEER("win") BARRIER
         "mte2 stage <- x[0]@0, 2 x 8\n" TO_STORE BETWEEN "mte3 win[0]@1 <- stage, 2 x 8\n" TO_LOAD
         "mte2 stage <- x[8]@0, 2 x 8\n" TO_STORE BETWEEN
         "mte3 win[8]@1 <- stage, 2 x 8\n" TO_LOAD BARRIER "dcci win[0]@1 ; codegen\n",
         {{0}}},
        {"TPUT in chunks no smaller than the transfer is one piece",
         "pld.tensor.put(win, " OTHER
         ", x, atomic=0, chunk_rows=4, chunk_cols=64, pipeline=True)\n",
         PEER("win") BARRIER "mte2 stage <- x[0]@0, 4 x 16\n" TO_STORE
                             "mte3 win[0]@1 <- stage, 4 x 16\n" TO_LOAD BARRIER
                             "dcci win[0]@1 ; codegen\n",
         {{0}}},
        /* While one stage is stored the other one is loaded: a stage is waited for when its turn
         * comes again, and at the end. */
        {"TGET through two stages in turn",
         "pld.tensor.get(out, " OTHER ", win, chunk_rows=1, chunk_cols=16, pipeline=True)\n",
         PEER("win") BARRIER
         "mte2 stage <- win[0]@1, 1 x 16\n" TO_STORE BETWEEN "mte3 out[0]@0 <- stage, 1 x 16\n"
         "set_flag mte3, mte2, 1 ; macro\n"
         "mte2 stage2 <- win[16]@1, 1 x 16\n" TO_STORE BETWEEN "mte3 out[16]@0 <- stage2, 1 x 16\n"
         "set_flag mte3, mte2, 0 ; macro\nwait_flag mte3, mte2, 1 ; macro\n"
         "mte2 stage <- win[32]@1, 1 x 16\n" TO_STORE BETWEEN "mte3 out[32]@0 <- stage, 1 x 16\n"
         "set_flag mte3, mte2, 1 ; macro\nwait_flag mte3, mte2, 0 ; macro\n"
         "mte2 stage2 <- win[48]@1, 1 x 16\n" TO_STORE BETWEEN "mte3 out[48]@0 <- stage2, 1 x 16\n"
         "set_flag mte3, mte2, 0 ; macro\n"
         "wait_flag mte3, mte2, 1 ; macro\nwait_flag mte3, mte2, 0 ; macro\n" BARRIER,
         {{0}}},
        {"TPUT of run-time extent in chunks",
         "pld.tensor.put(win, " OTHER ", x, [0, 0], [0, 0], [1, n * 4], atomic=0, chunk_cols=8)\n",
         PEER("win") BARRIER
         "mte2 stage <- x[0]@0, 1 x 8\n" TO_STORE BETWEEN "mte3 win[0]@1 <- stage, 1 x 8\n" TO_LOAD
         "mte2 stage <- x[8]@0, 1 x 4\n" TO_STORE BETWEEN
         "mte3 win[8]@1 <- stage, 1 x 4\n" TO_LOAD BARRIER "dcci win[0]@1 ; codegen\n",
         {{0}}},
        {"TPUT of a whole tensor, before a stage is chosen",
         "pld.tensor.put(win, " OTHER ", x, atomic=0)\n",
         PEER("win") BARRIER "mte2 stage <- x[0]@0, 4 x 16\n" TO_STORE
                             "mte3 win[0]@1 <- stage, 4 x 16\n" TO_LOAD BARRIER
                             "dcci win[0]@1 ; codegen\n",
         {{0}}},
        {"TGET has no invalidate of its own",
         STAGE("[1, 16]") "pld.tile.get(out, " OTHER ", win, s, [1, 0], [2, 0], [1, 16])\n",
         PEER("win") BARRIER "mte2 s <- win[32]@1, 1 x 16\n" TO_STORE
                             "mte3 out[16]@0 <- s, 1 x 16\n" TO_LOAD BARRIER,
         {{0}}},
        {"TGET in chunks",
         STAGE("[1, 8]") "pld.tile.get(out, " OTHER ", win, s, [0, 0], [1, 0], [1, 16])\n",
         PEER("win") BARRIER "mte2 s <- win[16]@1, 1 x 8\n" TO_STORE BETWEEN
                             "mte3 out[0]@0 <- s, 1 x 8\n" TO_LOAD
                             "mte2 s <- win[24]@1, 1 x 8\n" TO_STORE BETWEEN
                             "mte3 out[8]@0 <- s, 1 x 8\n" TO_LOAD BARRIER,
         {{0}}},
        {"remote_load",
         "t = pld.tile.remote_load(win, " OTHER ", [1, 0], [2, 16])\n",
         PEER("win") "mte2 t <- win[16]@1, 2 x 16\n",
         {{0}}},
        {"remote_store is followed by an invalidate of the peer's line",
         "t = pl.load(x, [0, 0], [1, 16])\npld.tile.remote_store(t, win, " OTHER ", [2, 0])\n",
         "mte2 t <- x[0]@0, 1 x 16\n" PEER("win") "mte3 win[32]@1 <- t, 1 x 16\n"
                                                  "dcci win[32]@1 ; codegen\n",
         {{0}}},
        {"remote_store of a tensor: all of it is loaded first",
         "pld.tensor.remote_store(x, win, " OTHER ", [0, 0])\n",
         "mte2 staged <- x[0]@0, 4 x 16\n" PEER("win") "mte3 win[0]@1 <- staged, 4 x 16\n"
                                                       "dcci win[0]@1 ; codegen\n",
         {{0}}},
        {"remote_store that adds",
         "t = pl.load(x, [0, 0], [1, 16])\n"
         "pld.tile.remote_store(t, win, " OTHER ", [0, 0], atomic=pld.AtomicType.Add)\n",
         "mte2 t <- x[0]@0, 1 x 16\n" PEER("win") "mte3.add win[0]@1 <- t, 1 x 16\n"
                                                  "dcci win[0]@1 ; codegen\n",
         {{0}}},
        {"load and store",
         "t = pl.load(x, [1, 8], [2, 8])\npl.store(t, [2, 0], out)\n",
         "mte2 t <- x[24]@0, 2 x 8\nmte3 out[32]@0 <- t, 2 x 8\n",
         {{0}}},
        {"store that adds",
         "t = pl.load(x, [0, 0], [1, 16])\npl.store(t, [0, 0], out, atomic=pl.AtomicType.Add)\n",
         "mte2 t <- x[0]@0, 1 x 16\nmte3.add out[0]@0 <- t, 1 x 16\n",
         {{0}}},
        {"a tile in the accumulator is stored by FIX",
         "t = pl.load(f, [0, 0], [4, 4])\n"
         "m: pl.Tile[[4, 4], pl.FP32, pl.Mem.Acc] = pl.tile.matmul(t, t)\n"
         "pl.store(m, [0, 0], fout)\n",
         "mte2 t <- f[0]@0, 4 x 4\nm.tile.matmul m, t, t\nfix fout[0]@0 <- m, 4 x 4\n",
         {{0}}},
        {"a part of a tensor into another",
         "out[0:2, 0:8] = x[2:4, 8:16]\n",
         "mte2 assembled <- x[40]@0, 2 x 8\nmte3 out[0]@0 <- assembled, 2 x 8\n",
         {{0}}},
        {"a slice is loaded where it stands",
         "y = x[2:4, 8:16]\npl.write(win, [0, 0], 1)\nout[0:2, 0:8] = y\n",
         "mte2 y <- x[40]@0, 2 x 8\nst win[0]@0, 1\nmte3 out[0]@0 <- y, 2 x 8\n",
         {{0}}},
        {"a part of as many rows as the run says",
         "out[0:n - 1, 0:8] = x[0:n - 1, 8:16]\n",
         "mte2 assembled <- x[8]@0, 2 x 8\nmte3 out[0]@0 <- assembled, 2 x 8\n",
         {{0}}},
        {"a part of a row",
         "out[n - 2, 0:8] = x[2, 8:16]\n",
         "mte2 assembled <- x[40]@0, 1 x 8\nmte3 out[16]@0 <- assembled, 1 x 8\n",
         {{0}}},
        {"one element", /* element 18 is 5 * 18 mod 7 + 1 */
         "pl.write(out, [0, 0], x[1, 2])\n",
         "ld x[18]@0\nst out[0]@0, 7\n",
         {{0}}},
        {"only the valid part is loaded",
         "t = pl.load(x, [0, 0], [1, 16], [1, 5])\n",
         "mte2 t <- x[0]@0, 1 x 5\n",
         {{0}}},
    };
    expect_traces(rows, COUNT(rows));
}

#define PART_LOAD "t = pl.load(x, [0, 0], [2, 16], [1, 5])\n"
#define PART_READ "mte2 t <- x[0]@0, 1 x 5\n"
#define PART_SENT "mte3 out[0]@0 <- t, 1 x 5\n"

/* n is 3 on rank 0, whose trace this is. */
Test(codegen, valid_parts)
{
    static const struct trace_row rows[] = {
        {"only the valid part is stored",
         PART_LOAD "pl.store(t, [0, 0], out)\n",
         PART_READ PART_SENT,
         {{0}}},
        {"a whole tile is stored whole",
         "t = pl.load(x, [0, 0], [1, 16])\npl.store(t, [0, 0], out)\n",
         "mte2 t <- x[0]@0, 1 x 16\nmte3 out[0]@0 <- t, 1 x 16\n",
         {{0}}},
        {"only the valid part is sent",
         PART_LOAD "pld.tile.remote_store(t, win, " OTHER ", [1, 0])\n",
         PART_READ PEER("win") "mte3 win[16]@1 <- t, 1 x 5\ndcci win[16]@1 ; codegen\n",
         {{0}}},
        {"a sum keeps it",
         PART_LOAD "u = pl.add(t, t)\npl.store(u, [0, 0], out)\n",
         PART_READ "v.add u, t, t\nmte3 out[0]@0 <- u, 1 x 5\n",
         {{0}}},
        {"filled padding is valid",
         PART_LOAD "u = pl.fillpad(t)\npl.store(u, [0, 0], out)\n",
         PART_READ "v.fillpad u, t, 1 x 5, 0\nmte3 out[0]@0 <- u, 2 x 16\n",
         {{0}}},
        {"filled in place, with the greatest value",
         PART_LOAD "u = pl.tile.fillpad_inplace(t, pad_value=pl.PadValue.max)\n"
                   "pl.store(u, [0, 0], out)\n",
         PART_READ "v.fillpad t, t, 1 x 5, 2147483647\nmte3 out[0]@0 <- t, 2 x 16\n",
         {{0}}},
        {"with the least value, of floats",
         "t = pl.load(f, [0, 0], [2, 16], [2, 3])\nu = pl.fillpad(t, pad_value=pl.PadValue.min)\n",
         "mte2 t <- f[0]@0, 2 x 3\nv.fillpad u, t, 2 x 3, 4286578688\n", /* -inf: 0xff800000 */
         {{0}}},
        {"the type of what is filled comes first",
         "t: pl.Tile[[1, 16], pl.INT32, pl.Mem.Vec, pl.TileView(valid_shape=[1, 4])] = "
         "pl.load(x, [0, 0], [1, 16])\nu = pl.fillpad(t)\n",
         "mte2 t <- x[0]@0, 1 x 16\nv.fillpad u, t, 1 x 4, 0\n",
         {{0}}},
        {"filled with nothing",
         PART_LOAD "u = pl.fillpad(t, pad_value=pl.PadValue.null)\npl.store(u, [0, 0], out)\n",
         PART_READ "v.copy u, t\nmte3 out[0]@0 <- u, 2 x 16\n",
         {{0}}},
        {"an operator gives it",
         "t = pl.load(x, [0, 0], [2, 16])\nu = pl.tile.set_validshape(t, 2, n)\n"
         "pl.store(u, [0, 0], out)\n",
         "mte2 t <- x[0]@0, 2 x 16\nmte3 out[0]@0 <- u, 2 x 3\n",
         {{0}}},
        {"the extent at the load counts",
         "m = n\nt = pl.load(x, [0, 0], [1, 16], [1, m])\nm = m + 4\npl.store(t, [0, 0], out)\n",
         "mte2 t <- x[0]@0, 1 x 3\nmte3 out[0]@0 <- t, 1 x 3\n",
         {{0}}},
        {"the type comes first",
         "t: pl.Tile[[1, 16], pl.INT32, pl.Mem.Vec, pl.TileView(valid_shape=[1, 7])] = "
         "pl.load(x, [0, 0], [1, 16], [1, 9])\npl.store(t, [0, 0], out)\n",
         "mte2 t <- x[0]@0, 1 x 9\nmte3 out[0]@0 <- t, 1 x 7\n",
         {{0}}},
        {"the branch that was taken decides",
         "if n == 3:\n    t = pl.load(x, [0, 0], [1, 16], [1, 5])\nelse:\n"
         "    t = pl.load(x, [0, 0], [1, 16])\npl.store(t, [0, 0], out)\n",
         "mte2 t <- x[0]@0, 1 x 5\nmte3 out[0]@0 <- t, 1 x 5\n",
         {{0}}},
        {"the other branch",
         "if n == 4:\n    t = pl.load(x, [0, 0], [1, 16], [1, 5])\nelse:\n"
         "    t = pl.load(x, [0, 0], [1, 16])\npl.store(t, [0, 0], out)\n",
         "mte2 t <- x[0]@0, 1 x 16\nmte3 out[0]@0 <- t, 1 x 16\n",
         {{0}}},
        {"a later round of a loop",
         "t = pl.load(x, [0, 0], [1, 16])\nfor j in pl.range(2):\n    pl.store(t, [j, 0], out)\n"
         "    t = pl.load(x, [0, 0], [1, 16], [1, 4 + j])\n",
         "mte2 t <- x[0]@0, 1 x 16\nmte3 out[0]@0 <- t, 1 x 16\nmte2 t <- x[0]@0, 1 x 4\n"
         "mte3 out[16]@0 <- t, 1 x 4\nmte2 t <- x[0]@0, 1 x 5\n",
         {{0}}},
    };
    expect_traces(rows, COUNT(rows));
}

Test(codegen, scalar_accesses)
{
    static const struct trace_row rows[] = {
        {"read and write at offsets",
         "v = pl.read(x, [1, 3])\npl.write(win, [2, 5], v + 1)\n",
         "ld x[19]@0\nst win[37]@0, 6\n",
         {{0}}}, /* x[19] is (5 * 19) mod 7 + 1 = 5 */
        {"indices known at run time only",
         "pl.write(out, [n - 2, n + 4], n)\n",
         "st out[23]@0, 3\n",
         {{0}}},
        {"elements of a tile",
         "t = pl.load(x, [0, 0], [2, 8])\npl.tile.write(t, [1, 2], 77)\nv = pl.tile.read(t, [0, "
         "3])\n"
         "pl.write(out, [0, 0], v)\n",
         "mte2 t <- x[0]@0, 2 x 8\ntile.st 77, t[10]\ntile.ld r13(v), t[3]\nst out[0]@0, 2\n",
         {{0}}},
        {"rank and number of ranks",
         "c = pld.system.get_comm_ctx(win)\nr = pld.system.rank(c)\ns = pld.system.nranks(c)\n"
         "pl.write(out, [0, 0], r)\npl.write(out, [0, 1], s)\n",
         "ld win_ctx[2]@0\nld win_ctx[2]@0\nst out[0]@0, 0\nst out[1]@0, 2\n",
         {{0}}},
        {"block index of a launch of one block",
         "pl.write(out, [0, 0], pl.tile.get_block_idx())\n"
         "pl.write(out, [0, 1], pl.tile.get_block_num())\n",
         "st out[0]@0, 0\nst out[1]@0, 1\n",
         {{0}}},
    };
    expect_traces(rows, COUNT(rows));
}

Test(codegen, views)
{
    static const struct trace_row rows[] = {
        {"slice",
         "v = pl.tensor.slice(x, [2, 8], [1, 4])\nt = pl.load(v, [1, 2], [1, 4])\n",
         "mte2 t <- x[38]@0, 1 x 4\n",
         {{0}}}, /* row 2, column 6 */
        {"view under another shape",
         "v = pl.tensor.view(x, [2, 32])\nt = pl.load(v, [1, 16], [1, 16])\n"
         "pl.write(out, [0, 0], pl.tensor.dim(v, 1))\n",
         "mte2 t <- x[48]@0, 1 x 16\nst out[0]@0, 32\n",
         {{0}}},
        {"peer copy of a slice",
         "v = pl.tensor.slice(win, [2, 16], [2, 0])\n"
         "t = pld.tile.remote_load(v, " OTHER ", [1, 0], [1, 16])\n",
         PEER("win") "mte2 t <- win[48]@1, 1 x 16\n",
         {{0}}},
        {"whole of a slice whose rows are not dense",
         STAGE("[1, 8]") "v = pl.tensor.slice(x, [2, 8], [0, 8])\n"
                         "pld.tile.put(half, " OTHER ", v, s, atomic=0)\n",
         PEER("half") BARRIER
         "mte2 s <- x[8]@0, 1 x 8\n" TO_STORE BETWEEN "mte3 half[0]@1 <- s, 1 x 8\n" TO_LOAD
         "mte2 s <- x[24]@0, 1 x 8\n" TO_STORE BETWEEN
         "mte3 half[8]@1 <- s, 1 x 8\n" TO_LOAD BARRIER "dcci half[0]@1 ; codegen\n",
         {{0}}},
    };
    expect_traces(rows, COUNT(rows));
}

Test(codegen, tile_operators)
{
    static const struct trace_row rows[] = {
        {"arithmetic",
         "t = pl.tile.full([1, 16], dtype=pl.INT32, value=9)\nu = pl.tile.muls(t, 3)\n"
         "w = pl.tile.sub(u, t)\nm = pl.tile.row_sum(w, t)\n",
         "v.fill t, 9\nv.muls u, t, 3\nv.sub w, u, t\nv.row_sum m, w\n",
         {{0}}},
        {"an operator without arithmetic of its own keeps its name",
         "t = pl.load(f, [0, 0], [1, 16])\ne = pl.tile.exp(t)\n",
         "mte2 t <- f[0]@0, 1 x 16\nv.tile.exp e, t\n",
         {{0}}},
        {"matrix unit",
         "t = pl.load(f, [0, 0], [4, 4])\nm = pl.tile.matmul(t, t)\n",
         "mte2 t <- f[0]@0, 4 x 4\nm.tile.matmul m, t, t\n",
         {{0}}},
        {"a name that is given a new tile needs no copy",
         "t = pl.load(x, [0, 0], [1, 16])\npl.store(t, [0, 0], out)\n"
         "t = pl.load(x, [1, 0], [1, 16])\npl.store(t, [1, 0], out)\n",
         "mte2 t <- x[0]@0, 1 x 16\nmte3 out[0]@0 <- t, 1 x 16\n"
         "mte2 t <- x[16]@0, 1 x 16\nmte3 out[16]@0 <- t, 1 x 16\n",
         {{0}}},
    };
    expect_traces(rows, COUNT(rows));
}

/* ---- markers, under each toolchain key ---- */

#define REGION(shape, offsets) "pl.system.cacheinvalid(win, " shape ", " offsets ")\n"
#define PUT                                                                                        \
    STAGE("[1, 16]")                                                                               \
    "pld.tile.put(win, " OTHER ", x, s, [0, 0], [0, 0], [1, 16], atomic=0)\n"
#define PUT_BODY "mte2 s <- x[0]@0, 1 x 16\n" TO_STORE "mte3 win[0]@1 <- s, 1 x 16\n" TO_LOAD
#define GET                                                                                        \
    STAGE("[1, 16]")                                                                               \
    "pld.tile.get(out, " OTHER ", win, s, [0, 0], [0, 0], [1, 16])\n"
#define GET_BODY    "mte2 s <- win[0]@1, 1 x 16\n" TO_STORE "mte3 out[0]@0 <- s, 1 x 16\n" TO_LOAD
#define NOTIFY      "pld.system.notify(sig, " OTHER ", [0, 0], 1, op=0)\n"
#define NOTIFY_BODY "dcci sig[0]@1 ; macro\nst.atomic sig[0]@1, 1\n" NOTIFIED("sig[0]@1")

Test(codegen, markers)
{
    static const struct trace_row rows[] = {
        {"whole cache", "pl.system.cacheinvalid()\n", "dcci all ; by hand\n", {{0}}},
        {"fence that drains every pipe",
         "pl.system.fence()\n",
         "barrier all ; by hand\ndsb ; by hand\n",
         {KEY(fence, FENCE_ALL)}},
        {"fence of three pipes",
         "pl.system.fence()\n",
         "barrier mte2 ; by hand\nbarrier mte3 ; by hand\nbarrier fix ; by hand\ndsb ; by hand\n",
         {KEY(fence, FENCE_3)}},
        {"barriers",
         "pl.system.bar_v()\npl.system.bar_m()\npl.system.bar_all()\n",
         "barrier v ; by hand\nbarrier m ; by hand\nbarrier all ; by hand\n",
         {{0}}},
    };
    expect_traces(rows, COUNT(rows));
}

/* One dcci at the base address whatever the shape (hw-facts 0.3), or every line, aligned down
 * (hw-facts 1.5). */
Test(codegen, region_markers)
{
    static const struct trace_row rows[] = {
        {"nothing", REGION("[4, 16]", "[0, 0]"), "", {KEY(region_cacheinvalid, REGION_NOTHING)}},
        {"base line of four",
         REGION("[4, 16]", "[0, 0]"),
         "dcci win[0]@0 ; by hand\n",
         {KEY(region_cacheinvalid, REGION_BASE_LINE)}},
        {"base line of a region that starts later",
         REGION("[1, 12]", "[1, 4]"),
         "dcci win[20]@0 ; by hand\n",
         {KEY(region_cacheinvalid, REGION_BASE_LINE)}},
        {"every line of four",
         REGION("[4, 16]", "[0, 0]"),
         "dcci win[0]@0 ; by hand\ndcci win[16]@0 ; by hand\ndcci win[32]@0 ; by hand\n"
         "dcci win[48]@0 ; by hand\n",
         {KEY(region_cacheinvalid, REGION_EVERY_LINE)}},
        {"every line of two rows",
         REGION("[2, 16]", "[2, 0]"),
         "dcci win[32]@0 ; by hand\ndcci win[48]@0 ; by hand\n",
         {KEY(region_cacheinvalid, REGION_EVERY_LINE)}},
        {"every line of a column",
         REGION("[3, 1]", "[0, 0]"),
         "dcci win[0]@0 ; by hand\ndcci win[16]@0 ; by hand\ndcci win[32]@0 ; by hand\n",
         {KEY(region_cacheinvalid, REGION_EVERY_LINE)}},
        {"as many lines as the run says",
         "pl.system.cacheinvalid(out, [n - 1, 16], [0, 0])\n",
         "dcci out[0]@0 ; by hand\ndcci out[16]@0 ; by hand\n",
         {KEY(region_cacheinvalid, REGION_EVERY_LINE)}},
        {"of a view that the run cuts",
         "v = pl.tensor.slice(out, [n - 1, 16], [1, 0])\npl.system.cacheinvalid(v, [n - 1, 16], "
         "[0, 0])\n",
         "dcci out[16]@0 ; by hand\ndcci out[32]@0 ; by hand\n",
         {KEY(region_cacheinvalid, REGION_EVERY_LINE)}},
        {"every line of one line",
         REGION("[1, 16]", "[0, 0]"),
         "dcci win[0]@0 ; by hand\n",
         {KEY(region_cacheinvalid, REGION_EVERY_LINE)}},
        {"more than a line, not aligned",
         REGION("[3, 4]", "[0, 12]"),
         "dcci win[0]@0 ; by hand\ndcci win[16]@0 ; by hand\ndcci win[32]@0 ; by hand\n",
         {KEY(region_cacheinvalid, REGION_EVERY_LINE)}},
        {"a view of the same shape, with its layout only",
         "v = pl.tensor.view(win, layout=pl.TensorLayout.ND)\n"
         "pl.system.cacheinvalid(v, [1, 4], [1, 0])\n",
         "dcci win[16]@0 ; by hand\n",
         {KEY(region_cacheinvalid, REGION_EVERY_LINE)}},
        {"a view whose columns lie one behind the other",
         "v = pl.tensor.view(win, [16, 4], layout=pl.TensorLayout.DN)\n"
         "pl.system.cacheinvalid(v, [1, 1], [3, 2])\n",
         "dcci win[35]@0 ; by hand\n",
         {KEY(region_cacheinvalid, REGION_BASE_LINE)}},
        {"less than a line, on two lines",
         "v = pl.tensor.view(win, [2, 32])\n"
         "pl.system.cacheinvalid(v, [1, 12], [0, 8])\n",
         "dcci win[0]@0 ; by hand\ndcci win[16]@0 ; by hand\n",
         {KEY(region_cacheinvalid, REGION_EVERY_LINE)}},
    };
    expect_traces(rows, COUNT(rows));
}

Test(codegen, toolchain_keys)
{
    static const struct trace_row rows[] = {
        {"notify: pipe v",
         NOTIFY,
         PEER("sig") "barrier v ; codegen\n" NOTIFY_BODY,
         {KEY(notify_pre_barrier, EXTRA_PIPE_V)}},
        {"notify: pipe mte3",
         NOTIFY,
         PEER("sig") "barrier mte3 ; codegen\n" NOTIFY_BODY,
         {KEY(notify_pre_barrier, EXTRA_PIPE_MTE3)}},
        {"notify: pipe all",
         NOTIFY,
         PEER("sig") BARRIER NOTIFY_BODY,
         {KEY(notify_pre_barrier, EXTRA_PIPE_ALL)}},
        {"notify: none", NOTIFY, PEER("sig") NOTIFY_BODY, {KEY(notify_pre_barrier, EXTRA_NONE)}},
        {"put: none before",
         PUT,
         PEER("win") PUT_BODY BARRIER "dcci win[0]@1 ; codegen\n",
         {KEY(put_pre_barrier, EXTRA_NONE)}},
        {"put: none after",
         PUT,
         PEER("win") BARRIER PUT_BODY "dcci win[0]@1 ; codegen\n",
         {KEY(put_tail_barrier, EXTRA_NONE)}},
        {"put: mte3 after",
         PUT,
         PEER("win") BARRIER PUT_BODY "barrier mte3 ; codegen\ndcci win[0]@1 ; codegen\n",
         {KEY(put_tail_barrier, EXTRA_PIPE_MTE3)}},
        {"get: none before", GET, PEER("win") GET_BODY BARRIER, {KEY(get_pre_barrier, EXTRA_NONE)}},
        {"get: none after", GET, PEER("win") BARRIER GET_BODY, {KEY(get_tail_barrier, EXTRA_NONE)}},
        {"put keys do not matter to get",
         GET,
         PEER("win") BARRIER GET_BODY BARRIER,
         {KEY(put_pre_barrier, EXTRA_NONE), KEY(put_tail_barrier, EXTRA_NONE)}},
        {"entry: invalidate all",
         "pl.write(out, [0, 0], 1)\n",
         "dcci all ; entry\nst out[0]@0, 1\n",
         {KEY(kernel_entry, ENTRY_DCCI_ALL)}},
        {"tail: barrier",
         "pl.write(out, [0, 0], 1)\n",
         "st out[0]@0, 1\nbarrier all ; tail\n",
         {KEY(kernel_tail, TAIL_BARRIER)}},
        {"tail: barrier, invalidate, dsb",
         "pl.write(out, [0, 0], 1)\n",
         "st out[0]@0, 1\nbarrier all ; tail\ndcci all ; tail\ndsb ; tail\n",
         {KEY(kernel_tail, TAIL_BARRIER_DCCI_DSB)}},
        {"tail: the clean is not waited for",
         "pl.write(out, [0, 0], 1)\n",
         "st out[0]@0, 1\nbarrier all ; tail\ndcci all ; tail\n",
         {KEY(kernel_tail, TAIL_BARRIER_DCCI)}},
        {"tail: after scalar stores",
         "pl.write(out, [0, 0], 1)\n",
         "st out[0]@0, 1\nbarrier all ; tail\ndcci all ; tail\ndsb ; tail\n",
         {KEY(kernel_tail, TAIL_BARRIER_DCCI_DSB),
          KEY(tail_cleans, TAIL_CLEANS_AFTER_SCALAR_STORES)}},
        {"tail: there are none, but a notify's",
         NOTIFY "v = pl.read(x, [0, 0])\n",
         PEER("sig") NOTIFY_BODY "ld x[0]@0\nbarrier all ; tail\n",
         {KEY(kernel_tail, TAIL_BARRIER_DCCI_DSB),
          KEY(tail_cleans, TAIL_CLEANS_AFTER_SCALAR_STORES)}},
        {"tail: a store from a tile is none",
         "t = pl.load(x, [0, 0], [1, 16])\npl.store(t, [0, 0], out)\n",
         "mte2 t <- x[0]@0, 1 x 16\nmte3 out[0]@0 <- t, 1 x 16\nbarrier all ; tail\n",
         {KEY(kernel_tail, TAIL_BARRIER_DCCI), KEY(tail_cleans, TAIL_CLEANS_AFTER_SCALAR_STORES)}},
        {"tail: as the assembler makes it, none behind one operation",
         "t = pl.load(x, [0, 0], [1, 16])\n",
         "mte2 t <- x[0]@0, 1 x 16\n",
         {KEY(kernel_tail, TAIL_BARRIER_DCCI_DSB),
          KEY(tail_cleans, TAIL_CLEANS_AFTER_SCALAR_STORES), KEY(auto_sync, true)}},
        {"tail: there is one behind two",
         "t = pl.load(x, [0, 0], [1, 16])\nu = pl.load(x, [0, 0], [1, 16])\n",
         "mte2 t <- x[0]@0, 1 x 16\nmte2 u <- x[0]@0, 1 x 16\nbarrier all ; tail\n",
         {KEY(kernel_tail, TAIL_BARRIER_DCCI_DSB),
          KEY(tail_cleans, TAIL_CLEANS_AFTER_SCALAR_STORES), KEY(auto_sync, true)}},
        {"tail: but none where the kernel has flags of its own",
         "t = pl.load(x, [0, 0], [1, 16])\n"
         "pl.system.sync_src(set_pipe=pl.PipeType.MTE2, wait_pipe=pl.PipeType.MTE3, event_id=0)\n"
         "pl.system.sync_dst(set_pipe=pl.PipeType.MTE2, wait_pipe=pl.PipeType.MTE3, event_id=0)\n"
         "pl.store(t, [0, 0], out)\n",
         "mte2 t <- x[0]@0, 1 x 16\nset_flag mte2, mte3, 0 ; by hand\n"
         "wait_flag mte2, mte3, 0 ; by hand\nmte3 out[0]@0 <- t, 1 x 16\n",
         {KEY(kernel_tail, TAIL_BARRIER_DCCI_DSB),
          KEY(tail_cleans, TAIL_CLEANS_AFTER_SCALAR_STORES), KEY(auto_sync, true)}},
        {"tail: and behind a scalar store, whatever else",
         "pl.write(out, [0, 0], 1)\n",
         "st out[0]@0, 1\nbarrier all ; tail\ndcci all ; tail\ndsb ; tail\n",
         {KEY(kernel_tail, TAIL_BARRIER_DCCI_DSB),
          KEY(tail_cleans, TAIL_CLEANS_AFTER_SCALAR_STORES), KEY(auto_sync, true)}},
        {"tail: where every kernel has one, one operation does",
         "t = pl.load(x, [0, 0], [1, 16])\n",
         "mte2 t <- x[0]@0, 1 x 16\nbarrier all ; tail\n",
         {KEY(kernel_tail, TAIL_BARRIER), KEY(auto_sync, true)}},
        {"tail: the runtime waits before it reports the end",
         "pl.write(out, [0, 0], 1)\n",
         "st out[0]@0, 1\nbarrier all ; tail\ndcci all ; tail\ndsb ; tail\n",
         {KEY(kernel_tail, TAIL_BARRIER_DCCI), KEY(runtime_fin, FIN_DSB)}},
        {"tail: without one too",
         "pl.write(out, [0, 0], 1)\n",
         "st out[0]@0, 1\ndsb ; tail\n",
         {KEY(runtime_fin, FIN_DSB)}},
        {"fence: nothing in front of dsb",
         "pl.system.fence()\n",
         "dsb ; by hand\n",
         {KEY(fence, FENCE_DSB)}},
        {"an early return still meets the tail",
         "if n == 3:\n    return out\npl.write(out, [0, 0], 1)\n",
         "barrier all ; tail\n",
         {KEY(kernel_tail, TAIL_BARRIER)}},
        {"auto_sync",
         "t = pl.load(x, [0, 0], [1, 16])\npl.store(t, [0, 0], out)\n",
         "mte2 t <- x[0]@0, 1 x 16\nset_flag mte2, mte3, 2 ; auto-sync\n"
         "wait_flag mte2, mte3, 2 ; auto-sync\nmte3 out[0]@0 <- t, 1 x 16\n",
         {KEY(auto_sync, true)}},
    };
    expect_traces(rows, COUNT(rows));
}

/* ---- origins of what the pass inserted, and the sites of a sweep ---- */

Test(codegen, origins_of_the_pass)
{
    static const struct {
        const char *name, *body, *trace;
    } rows[] = {
        {"W1", "pl.write(win, [0, 0], 1)\n",
         "st win[0]@0, 1\ndcci win[0]@0 ; W1\nbarrier all ; W1\ndsb ; W1\n"},
        {"W2",
         "t = pl.load(x, [0, 0], [1, 16])\npld.tile.remote_store(t, win, " OTHER ", [0, 0])\n",
         "mte2 t <- x[0]@0, 1 x 16\n" PEER("win") "mte3 win[0]@1 <- t, 1 x 16\n"
                                                  "dcci win[0]@1 ; codegen\n"
                                                  "barrier all ; W2\ndsb ; W2\n"},
        {"R1", "pld.system.wait(sig, [0, 0], 0, cmp=1)\n", "poll sig[0]@0 >= 0\ndcci all ; R1\n"},
        {"by hand", "pl.system.fence()\n", "barrier all ; by hand\ndsb ; by hand\n"},
        {"pasted after a wait",
         "pld.system.wait(sig, [0, 0], 0, cmp=1)\npl.system.cacheinvalid()\n",
         "poll sig[0]@0 >= 0\ndcci all ; R1\n"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct arena a = {0};
        struct toolchain t = rig_toolchain(&a);
        expect_text(rows[i].name,
                    rig_trace(&a, rig_marked_body(&a, rows[i].name, rows[i].body, &t)),
                    rows[i].trace);
        arena_free(&a);
    }
}

/* "W1 region cacheinvalid, line 9, after tensor.write, marker 0". */
static const char *site_text(struct arena *a, const struct program *p, int i)
{
    const struct site *s = &p->sites[i];
    return arena_printf(a, "%s %s, line %d, after %s, marker %d", origin_name(s->origin), s->what,
                        s->span.line, s->anchor ? s->anchor : "-", s->marker);
}

Test(codegen, sites)
{
    static const char *const expected[] = {
        "W1 region cacheinvalid, line 9, after tensor.write, marker 0",
        "W1 fence: barrier all, line 9, after tensor.write, marker 1",
        "W1 fence: dsb, line 9, after tensor.write, marker 1",
        "macro TNOTIFY dcci before the store, line 10, after tensor.write, marker 3",
        "macro TNOTIFY dcci after the store, line 10, after tensor.write, marker 4",
        "macro TNOTIFY dsb, line 10, after tensor.write, marker 5",
        "macro TNOTIFY barrier all, line 10, after tensor.write, marker 6",
        "R1 cacheinvalid all, line 11, after pld.system.wait, marker 7",
        "tail kernel tail: barrier all, line 7, after end of kernel, marker 8",
        "tail kernel tail: cacheinvalid all, line 7, after end of kernel, marker 8",
        "tail kernel tail: dsb, line 7, after end of kernel, marker 8",
    };
    struct arena a = {0};
    struct toolchain t = rig_toolchain(&a);
    t.kernel_tail = TAIL_BARRIER_DCCI_DSB;
    const struct program *p = rig_marked_body(
        &a, "sites", "pl.write(win, [0, 0], 1)\n" NOTIFY "pld.system.wait(sig, [0, 0], 1, cmp=1)\n",
        &t);
    cr_assert((size_t)p->nsites == COUNT(expected), "%d sites", p->nsites);
    for (int i = 0; i < p->nsites; i++)
        expect_text(expected[i], site_text(&a, p, i), expected[i]);
    arena_free(&a);
}

/* Without a site no instruction of that site acts, and nothing else changes. */
Test(codegen, a_removed_site_is_a_nop)
{
    struct arena a = {0};
    struct toolchain t = rig_toolchain(&a);
    const struct program *p = rig_marked_body(&a, "removed", "pl.write(win, [0, 0], 1)\n", &t);
    bool removed[] = {false, true, false};
    cr_assert(p->nsites == 3);
    const struct program *without = program_without(p, removed, &a);
    int gone = 0;
    for (int i = 0; i < p->cores[0].code->count; i++) {
        const struct insn *x = &p->cores[0].code->insns[i], *y = &without->cores[0].code->insns[i];
        bool marked = y->flags & INSN_REMOVED;
        cr_expect(marked == (x->op == I_BARRIER) && !(x->flags & INSN_REMOVED), "instruction %d",
                  i);
        gone += marked;
    }
    cr_expect(gone == 1);
    arena_free(&a);
}

/* ---- control flow, by what ends up in memory ---- */

/* Rows 0 and 1 of x on rank 0 start with these (docs/kernels.md). */
#define X0 "1 6 4 2"
#define X1 "4 2 7 5"

struct value_row {
    const char *name, *functions, *body;
    const char *row0, *row1; /* of out on rank 0, the first four elements; NULL: untouched */
};

static const char untouched0[] = "1 6 4 2", untouched1[] = "4 2 7 5";

static void expect_values(const struct value_row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct arena a = {0};
        struct diag d = {.arena = &a};
        struct toolchain t = rig_toolchain(&a);
        const char *text = rig_text(&a, rows[i].functions ? rows[i].functions : "", rows[i].body);
        const struct program *p = rig_compile(&a, text, &t, RIG_RANKS, &d);
        cr_expect(p, "%s: %s", rows[i].name, diag_text(&d, &a));
        if (p) {
            expect_text(rows[i].name, rig_memory(&a, p, "out", 0, 0, 4),
                        rows[i].row0 ? rows[i].row0 : untouched0);
            expect_text(rows[i].name, rig_memory(&a, p, "out", 0, 1, 4),
                        rows[i].row1 ? rows[i].row1 : untouched1);
        }
        arena_free(&a);
    }
}

Test(codegen, loops)
{
    static const struct value_row rows[] = {
        {"from a start", NULL, "for i in pl.range(1, 3):\n    pl.write(out, [0, i], 10 + i)\n",
         "1 11 12 2", NULL},
        {"in steps", NULL, "for i in pl.range(0, 4, 2):\n    pl.write(out, [0, i], 10 + i)\n",
         "10 6 12 2", NULL},
        {"downwards", NULL, "for i in pl.range(3, 0, -1):\n    pl.write(out, [0, i], 10 + i)\n",
         "1 11 12 13", NULL},
        {"never", NULL,
         "for i in pl.range(2, 2):\n    pl.write(out, [0, i], 9)\n"
         "for i in pl.range(3, 1):\n    pl.write(out, [0, i], 9)\n"
         "for i in pl.range(0, 3, -1):\n    pl.write(out, [0, i], 9)\n",
         NULL, NULL},
        {"to a bound known at run time", NULL,
         "for i in pl.range(n):\n    pl.write(out, [0, i], n)\n", "3 3 3 2", NULL},
        {"the bound is read once", NULL,
         "m = n\nfor i in pl.range(m):\n    m = 0\n    pl.write(out, [0, i], 9)\n", "9 9 9 2",
         NULL},
        {"break and continue", NULL,
         "for i in pl.range(10):\n    if i == 1:\n        continue\n    if i == 3:\n        break\n"
         "    pl.write(out, [0, i], 20 + i)\n",
         "20 6 22 2", NULL},
        {"break leaves the inner loop only", NULL,
         "for i in pl.range(2):\n    for j in pl.range(4):\n        if j == 1:\n            break\n"
         "        pl.write(out, [i, j], 7)\n    pl.write(out, [i, 3], 8)\n",
         "7 6 4 8", "7 2 7 8"},
        {"while", NULL, "i = 0\nwhile i < 3:\n    pl.write(out, [0, i], 50 + i)\n    i = i + 1\n",
         "50 51 52 2", NULL},
        {"while True", NULL,
         "i = 0\nwhile True:\n    i = i + 1\n    if i == 3:\n        break\npl.write(out, [0, 0], "
         "i)\n",
         "3 6 4 2", NULL},
    };
    expect_values(rows, COUNT(rows));
}

Test(codegen, values_that_loops_carry)
{
    static const struct value_row rows[] = {
        {"scalars, each from the other", NULL, /* Fibonacci */
         "for i, (a, b) in pl.range(5, init_values=(0, 1)):\n    c = a + b\n"
         "    fa, fb = pl.yield_(b, c)\npl.write(out, [0, 0], fa)\npl.write(out, [0, 1], fb)\n",
         "5 8 4 2", NULL},
        {"scalars of a loop that never runs", NULL,
         "for i, (a,) in pl.range(0, init_values=(n,)):\n    b = pl.yield_(a + 1)\n"
         "pl.write(out, [0, 0], b)\n",
         "3 6 4 2", NULL},
        {"scalars of a while loop", NULL,
         "for (a, b) in pl.while_(init_values=(0, 10)):\n    pl.cond(a < b)\n    c = a + 1\n"
         "    d = b - 2\n    ra, rb = pl.yield_(c, d)\n"
         "pl.write(out, [0, 0], ra)\npl.write(out, [0, 1], rb)\n",
         "4 2 4 2", NULL},
        {"tile accumulator; the initial tile stays as it was", NULL,
         "t0 = pl.load(x, [0, 0], [1, 16])\nfor i, (acc,) in pl.range(3, init_values=(t0,)):\n"
         "    s = pl.add(acc, t0)\n    r = pl.yield_(s)\n"
         "pl.store(r, [0, 0], out)\npl.store(t0, [1, 0], out)\n",
         "4 24 16 8", X0},
        {"tiles that change places", NULL,
         "t0 = pl.load(x, [0, 0], [1, 16])\nt1 = pl.load(x, [1, 0], [1, 16])\n"
         "for i, (a, b) in pl.range(3, init_values=(t0, t1)):\n    ra, rb = pl.yield_(b, a)\n"
         "pl.store(ra, [0, 0], out)\npl.store(rb, [1, 0], out)\n",
         X1, X0},
        {"tensor", NULL,
         "for i, (o,) in pl.range(2, init_values=(out,)):\n"
         "    t = pl.load(x, [1 - i, 0], [1, 16])\n    o2 = pl.store(t, [i, 0], o)\n"
         "    o3 = pl.yield_(o2)\npl.write(o3, [0, 3], 99)\n",
         "4 2 7 99", X0},
        {"scalars that change places in an assignment", NULL,
         "a = 1\nb = 2\nfor i in pl.range(3):\n    a, b = b, a\n"
         "pl.write(out, [0, 0], a)\npl.write(out, [0, 1], b)\n",
         "2 1 4 2", NULL},
    };
    expect_values(rows, COUNT(rows));
}

Test(codegen, branches)
{
    static const struct value_row rows[] = {
        {"then", NULL,
         "if n == 3:\n    pl.write(out, [0, 0], 8)\nelse:\n    pl.write(out, [0, 1], 9)\n",
         "8 6 4 2", NULL},
        {"else", NULL,
         "if n != 3:\n    pl.write(out, [0, 0], 8)\nelse:\n    pl.write(out, [0, 1], 9)\n",
         "1 9 4 2", NULL},
        {"phi of scalars", NULL,
         "if n == 3:\n    y = pl.yield_(n + 10)\nelse:\n    y = pl.yield_(n + 20)\n"
         "pl.write(out, [0, 0], y)\n",
         "13 6 4 2", NULL},
        {"phi of tiles", NULL,
         "a = pl.load(x, [0, 0], [1, 16])\nb = pl.load(x, [1, 0], [1, 16])\n"
         "if n > 3:\n    t = pl.yield_(a)\nelse:\n    t = pl.yield_(b)\npl.store(t, [0, 0], out)\n",
         X1, NULL},
        {"conditions", NULL,
         "if n > 2 and n < 4:\n    pl.write(out, [0, 0], 1)\nif n > 3 or not n == 3:\n"
         "    pl.write(out, [0, 1], 1)\nif 3 <= n:\n    pl.write(out, [0, 2], 1)\n",
         "1 6 1 2", NULL},
        {"early return", NULL,
         "pl.write(out, [0, 0], 5)\nif n == 3:\n    return out\npl.write(out, [0, 1], 6)\n",
         "5 6 4 2", NULL},
        {"return out of a loop", NULL,
         "for i in pl.range(4):\n    if i == 2:\n        return out\n    pl.write(out, [0, i], "
         "70)\n",
         "70 70 4 2", NULL},
    };
    expect_values(rows, COUNT(rows));
}

Test(codegen, arithmetic)
{
    static const struct value_row rows[] = {
        {"integers known at run time", NULL,
         "pl.write(out, [0, 0], (0 - n) // 2)\npl.write(out, [0, 1], (0 - n) % 2)\n"
         "pl.write(out, [0, 2], pl.min(n, 2) * 10 + pl.max(n, 9))\n"
         "pl.write(out, [0, 3], (n << 2 | 1) ^ 8)\n",
         "-2 1 29 5", NULL},
        {"integers known when compiled", NULL,
         "pl.write(out, [0, 0], -7 // 2)\npl.write(out, [0, 1], -7 % 3)\n"
         "pl.write(out, [0, 2], abs(-4))\npl.write(out, [0, 3], ~5)\n",
         "-4 2 4 -6", NULL},
        {"floats", NULL, /* f[1] is 6 */
         "a = pl.read(f, [0, 1])\nb = a * 2.5\npl.write(out, [0, 0], pl.cast(b, pl.INT32))\n"
         "pl.write(out, [0, 1], pl.cast(n / 2 * 10.0, pl.INT32))\n"
         "if b > 14.5:\n    pl.write(out, [0, 2], 1)\n",
         "15 15 1 2", NULL},
    };
    expect_values(rows, COUNT(rows));
}

/* A name stands for what was assigned last, on the path that was taken. */
Test(codegen, names_that_are_assigned_again)
{
    static const struct value_row rows[] = {
        {"scalar", NULL, "a = n\na = a + 1\npl.write(out, [0, 0], a)\npl.write(out, [0, 1], n)\n",
         "4 3 4 2", NULL},
        {"a copy keeps its value", NULL,
         "a = n\nb = a\na = 9\npl.write(out, [0, 0], b)\npl.write(out, [0, 1], a)\n", "3 9 4 2",
         NULL},
        {"parameter", NULL, "n = n + 1\npl.write(out, [0, 0], n)\n", "4 6 4 2", NULL},
        {"parameter in a loop", NULL,
         "for i in pl.range(3):\n    n = n + 1\npl.write(out, [0, 0], n)\n", "6 6 4 2", NULL},
        {"tile", NULL,
         "acc = pl.load(x, [0, 0], [1, 16])\nfor i in pl.range(2):\n    acc = pl.add(acc, acc)\n"
         "pl.store(acc, [0, 0], out)\n",
         "4 24 16 8", NULL},
        {"a copy of a tile keeps its value", NULL,
         "acc = pl.load(x, [0, 0], [1, 16])\nold = acc\nacc = pl.add(acc, acc)\n"
         "pl.store(old, [0, 0], out)\npl.store(acc, [1, 0], out)\n",
         X0, "2 12 8 4"},
        {"a loop variable does not steer the loop", NULL,
         "for i in pl.range(2):\n    i = i + 1\n    pl.write(out, [0, i], 30)\n", "1 30 30 2",
         NULL},
    };
    expect_values(rows, COUNT(rows));
}

#define IN_CORE "    @pl.function(type=pl.FunctionType.InCore)\n"
#define MATRIX  "pl.Tensor[[4, 16], pl.INT32]"

Test(codegen, inlined_calls)
{
    static const struct value_row rows[] = {
        {"scalar result, twice",
         IN_CORE "    def twice(self, m: pl.Scalar[pl.INT32]) -> pl.Scalar[pl.INT32]:\n"
                 "        d = m + m\n        return d\n",
         "v = self.twice(n)\nw = self.twice(v)\npl.write(out, [0, 0], v)\npl.write(out, [0, 1], "
         "w)\n",
         "6 12 4 2", NULL},
        {"tensor argument, several tensors",
         IN_CORE "    def fill(self, dst: pl.InOut[" MATRIX "], v: pl.Scalar[pl.INT32]):\n"
                 "        for i in pl.range(2):\n            pl.write(dst, [0, i], v)\n",
         "self.fill(out, 7)\nself.fill(win, 9)\n", "7 7 4 2", NULL},
        {"tensor result, several tensors",
         IN_CORE "    def save(self, src: " MATRIX ", dst: pl.InOut[" MATRIX "]) -> " MATRIX ":\n"
                 "        t = pl.load(src, [1, 0], [1, 16])\n"
                 "        r = pl.store(t, [0, 0], dst)\n        return r\n",
         "a = self.save(x, win)\nb = self.save(x, out)\npl.tensor.write(b, [0, 3], 60)\n",
         "4 2 7 60", NULL},
        {"a call that calls",
         IN_CORE "    def one(self, m: pl.Scalar[pl.INT32]) -> pl.Scalar[pl.INT32]:\n"
                 "        return m + 1\n" IN_CORE
                 "    def two(self, m: pl.Scalar[pl.INT32]) -> pl.Scalar[pl.INT32]:\n"
                 "        a = self.one(m)\n        b = self.one(a)\n        return b\n",
         "v = self.two(n)\npl.write(out, [0, 0], v)\n", "5 6 4 2", NULL},
        {"return inside a loop leaves the callee only",
         IN_CORE "    def mark(self, dst: pl.InOut[" MATRIX "]):\n"
                 "        for i in pl.range(4):\n            if i == 1:\n                return\n"
                 "            pl.write(dst, [0, i], 40)\n",
         "self.mark(out)\npl.write(out, [0, 3], 41)\n", "40 6 4 41", NULL},
    };
    expect_values(rows, COUNT(rows));
}

/* Extents that are known at run time only. */
Test(codegen, dynamic_extents)
{
    static const struct {
        const char *name, *body, *rows[2]; /* of win on rank 1 */
    } rows[] = {
        {"columns",
         STAGE("[1, 8]") "pld.tile.put(win, " OTHER
                         ", x, s, [0, 0], [0, 0], [1, n - 1], atomic=0)\n",
         {"1 6 0 0", "0 0 0 0"}},
        {"rows through a stage of one row",
         STAGE("[1, 16]") "pld.tile.put(win, " OTHER
                          ", x, s, [0, 0], [0, 0], [5 - n, 8], atomic=0)\n",
         {"1 6 4 2", "4 2 7 5"}},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct arena a = {0};
        struct toolchain t = rig_toolchain(&a);
        const struct program *p = rig_body(&a, rows[i].name, rows[i].body, &t);
        for (int r = 0; r < 2; r++)
            expect_text(rows[i].name, rig_memory(&a, p, "win", 1, r, 4), rows[i].rows[r]);
        arena_free(&a);
    }
}

/* ---- parameters and initial memory (docs/kernels.md) ---- */

Test(codegen, initial_memory)
{
    struct arena a = {0};
    struct toolchain t = rig_toolchain(&a);
    const struct program *p = rig_body(&a, "memory", "pl.write(out, [0, 0], 1)\n", &t);
    for (int r = 0; r < RIG_RANKS; r++)
        for (int i = 0; i < p->nregions; i++) {
            const struct region *g = &p->regions[i];
            const uint8_t *at = p->gm_init[r] + g->offset;
            if (g->kind == REGION_CTX)
                continue;
            cr_expect(g->offset % 64 == 0, "%s does not begin a line", g->name);
            for (int e = 0; e < (int)(g->size / 4); e++) {
                int32_t word;
                float real;
                memcpy(&word, at + 4 * e, sizeof word);
                memcpy(&real, at + 4 * e, sizeof real);
                int got = g->elem == ELEM_F32 ? (int)real : word;
                int want = g->kind == REGION_WINDOW ? 0 : rig_input(e, r);
                cr_expect(got == want, "%s[%d]@%d is %d, expected %d", g->name, e, r, got, want);
            }
        }
    arena_free(&a);
}

static const struct region *region_named(const struct program *p, const char *name)
{
    for (int i = 0; i < p->nregions; i++)
        if (!strcmp(p->regions[i].name, name))
            return &p->regions[i];
    return NULL;
}

/* rankId at 16, rankNum at 20, bases of the windows from 32 on (pypto-facts 6). */
Test(codegen, contexts)
{
    static const char *const windows[] = {"win", "half", "fwin", "sig"};
    struct arena a = {0};
    struct toolchain t = rig_toolchain(&a);
    const struct program *p = rig_body(&a, "contexts", "pl.write(out, [0, 0], 1)\n", &t);
    for (size_t w = 0; w < COUNT(windows); w++) {
        const struct region *window = region_named(p, windows[w]),
                            *g = region_named(p, arena_printf(&a, "%s_ctx", windows[w]));
        cr_assert(window && g, "%s has no context", windows[w]);
        cr_expect(window->kind == REGION_WINDOW && g->kind == REGION_CTX && g->offset % 64 == 0);
        for (int r = 0; r < RIG_RANKS; r++) {
            uint32_t id, count;
            uint64_t base[RIG_RANKS];
            memcpy(&id, p->gm_init[r] + g->offset + 16, sizeof id);
            memcpy(&count, p->gm_init[r] + g->offset + 20, sizeof count);
            memcpy(base, p->gm_init[r] + g->offset + 32, sizeof base);
            cr_expect(id == (uint32_t)r && count == RIG_RANKS, "%s on rank %d", g->name, r);
            for (int peer = 0; peer < RIG_RANKS; peer++)
                cr_expect(base[peer] == gm_addr(peer, window->offset), "%s[%d]@%d", g->name, peer,
                          r);
        }
    }
    arena_free(&a);
}

/* ---- tasks ---- */

static const char two_tasks[] =
    "%s"
    "import pypto.language as pl\n"
    "@pl.program\n"
    "class T:\n"
    "    @pl.function(type=pl.FunctionType.InCore)\n"
    "    def first(self, out: pl.InOut[pl.Tensor[[1, 16], pl.INT32]]):\n"
    "        pl.write(out, [0, 0], 1)\n"
    "    @pl.function(type=pl.FunctionType.AIV)\n"
    "    def second(out: pl.InOut[pl.Tensor[[1, 16], pl.INT32]]):\n"
    "        pl.write(out, [0, 1], 2)\n"
    "    @pl.function(type=pl.FunctionType.InCore)\n"
    "    def third(self, out: pl.InOut[pl.Tensor[[1, 16], pl.INT32]]):\n"
    "        %s\n";

Test(codegen, tasks)
{
    static const struct {
        const char *name, *directive, *line, *trace;
    } rows[] = {
        {"text order, one buffer for one name, a tail each", "", "pl.write(out, [0, 2], 3)",
         "st out[0]@0, 1\nbarrier all ; tail\nst out[1]@0, 2\nbarrier all ; tail\n"
         "st out[2]@0, 3\nbarrier all ; tail\n"},
        {"a function that another calls is no task", "", "self.first(out)",
         "st out[1]@0, 2\nbarrier all ; tail\nst out[0]@0, 1\nbarrier all ; tail\n"},
        {"named tasks, in the order named", "# fencebench: tasks second, first\n",
         "pl.write(out, [0, 2], 3)",
         "st out[1]@0, 2\nbarrier all ; tail\nst out[0]@0, 1\nbarrier all ; tail\n"},
        {"a task may be named twice", "# fencebench: tasks first, first\n",
         "pl.write(out, [0, 2], 3)",
         "st out[0]@0, 1\nbarrier all ; tail\nst out[0]@0, 1\nbarrier all ; tail\n"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct arena a = {0};
        struct diag d = {.arena = &a};
        struct toolchain t = rig_toolchain(&a);
        t.kernel_tail = TAIL_BARRIER;
        const char *text = arena_printf(&a, two_tasks, rows[i].directive, rows[i].line);
        const struct program *p = rig_compile(&a, text, &t, 1, &d);
        cr_assert(p, "%s: %s", rows[i].name, diag_text(&d, &a));
        expect_text(rows[i].name, rig_trace(&a, p), rows[i].trace);
        arena_free(&a);
    }
}

/* ---- errors ---- */

Test(codegen, errors)
{
    static const struct {
        const char *name, *functions, *body, *error;
    } rows[] = {
        {"unknown operator", "", "pl.frobnicate(x)\n",
         "9:9: 'frobnicate' is not known to code generation"},
        {"host operator", "", "pld.system.world_size()\n",
         "9:9: pld.system.world_size is for functions of level=pl.Level.HOST, not for the InCore "
         "function 'k' [op-placement]"},
        {"collective that no pass has lowered", "", "pld.tensor.barrier(sig)\n",
         "9:9: 'pld.tensor.barrier' is lowered by LowerCompositeOps, which has not run"},
        {"tensor arithmetic", "", "y = pl.tensor.add(x, x)\n",
         "9:13: 'tensor.add' works on tensors as values, which is not modelled: load tiles and use "
         "the operator on tiles"},
        {"what the compiler lost", "", "pl.write(out, [0, 0], n__FREE_VAR)\n",
         "9:31: nothing defines 'n__FREE_VAR': the compiler lost its value"},
        {"deferred wait", "", "pld.system.defer_wait(sig, [0, 0], 1, cmp=1)\n",
         "9:9: 'pld.system.defer_wait' is the runtime's, which completes the task when it holds: "
         "the "
         "machine runs waits in kernels only"},
        {"extent of a tile", "", "t = pl.load(x, [0, 0], [1, n])\n",
         "9:36: the extent of a tile must be known at compile time"},
        {"extent of a view", "", "v = pl.tensor.view(x, [1, n])\n",
         "9:35: the extent of a view must be known at compile time"},
        {"axis", "", "d = pl.tensor.dim(x, n)\n", "9:30: the axis must be known at compile time"},
        {"no such axis", "", "d = pl.tensor.dim(x, 2)\n", "9:13: the tensor has no axis 2"},
        {"slice of fewer dimensions", "", "v = pl.tensor.slice(x, [16], [1, 0])\n",
         "9:13: a slice keeps the 2 dimensions of its tensor"},
        {"tile smaller than the region", "",
         "t = pl.load(x, [0, 0], [1, 16])\npl.tile.store(t, [0, 0], out, [2, 16])\n",
         "10:9: the region has 2 x 16 elements, its tile only 1 x 16"},
        {"valid rows that are not the first", "",
         "c = pl.tensor.reshape(x, [2, 2, 16])\nt = pl.load(c, [0, 0, 0], [2, 2, 16], [2, 1, "
         "16])\n",
         "10:51: the valid part of this tile is not its first rows"},
        {"tile larger than a core", "", "t = pl.tile.create([8192, 4096], dtype=pl.INT32)\n",
         "9:13: a tile of this shape does not fit a core"},
        {"tile larger than any number", "",
         "t = pl.tile.create([1048576, 17592186044416], dtype=pl.INT32)\n",
         "9:13: a tile of this shape does not fit a core"},
        {"stage of another element type", "",
         "s = pl.tile.create([1, 16], dtype=pl.FP32)\n"
         "pld.tile.put(win, 1, x, s, [0, 0], [0, 0], [1, 16], atomic=0)\n",
         "10:33: argument 'stage' of pld.tile.put holds pl.FP32, but 'dst' holds pl.INT32 "
         "[same-dtype]"},
        {"notify on a float signal", "", "pld.system.notify(fwin, 1, [0, 0], 1, op=0)\n",
         "9:9: a signal is INT32"},
        {"wait on a float signal", "", "pld.system.wait(fwin, [0, 0], 1, cmp=1)\n",
         "9:9: a signal is INT32"},
        {"step known at run time only", "",
         "for i in pl.range(0, 4, n):\n    pl.write(out, [0, 0], i)\n",
         "9:33: the step of a loop must be a constant other than 0"},
        {"step 0", "", "for i in pl.range(0, 4, 0):\n    pl.write(out, [0, 0], i)\n",
         "9:33: the step of a loop cannot be 0 [loop-step]"},
        {"division by zero", "", "pl.write(out, [0, 0], 7 // 0)\n", "9:31: division by zero"},
        {"operator of another kind", "", "y = n ** 2\n",
         "9:13: the scalar unit has no such operator for integer operands"},
        {"integer and float", "", "a = 1\na = 2.5\n",
         "10:9: 'a' changes between integer and float"},
        {"two tensors under one name", "",
         "o = out\nif n == 3:\n    o = x\npl.write(o, [0, 0], 1)\n",
         "11:13: 'o' stands for different tensors or views: give each a name of its own"},
        {"tensors that change places", "",
         "for i, (a, b) in pl.range(1, init_values=(x, out)):\n    ra, rb = pl.yield_(b, a)\n",
         "10:22: 'a' stands for different tensors or views: give each a name of its own"},
        {"two views under one name", "",
         "v = pl.tensor.slice(x, [1, 16], [0, 0])\nv = pl.tensor.slice(x, [1, 16], [1, 0])\n",
         "10:9: 'v' stands for different tensors or views: give each a name of its own"},
        {"view of rows that lie apart", "",
         "v = pl.tensor.slice(x, [4, 8], [0, 8])\nw = pl.tensor.view(v, [2, 16])\n",
         "10:13: a part of a tensor whose rows lie apart cannot take another shape"},
        {"call with a value from each of two places",
         IN_CORE "    def pick(self, m: pl.Scalar[pl.INT32]) -> pl.Scalar[pl.INT32]:\n"
                 "        if m == 3:\n            return 11\n        return 22\n",
         "v = self.pick(n)\n", "14:9: a called function returns one value, at one place"},
        {"value that is no tuple", "", "a, b = pl.read(x, [0, 0])\n",
         "9:9: a core cannot take this value apart"},
        {"call of nobody", "", "self.missing(n)\n",
         "9:9: no function 'missing' in this program [call-function]"},
        {"call of itself",
         IN_CORE "    def again(self, m: pl.Scalar[pl.INT32]):\n        self.again(m)\n",
         "self.again(n)\n", "12:9: calls are nested more than 16 deep"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct arena a = {0};
        struct diag d = {.arena = &a};
        struct toolchain t = rig_toolchain(&a);
        rig_compile(&a, rig_text(&a, rows[i].functions, rows[i].body), &t, RIG_RANKS, &d);
        expect_text(rows[i].name, rig_error(&a, &d), rows[i].error);
        arena_free(&a);
    }
}

static const char one_function[] = "%s"
                                   "import pypto.language as pl\n"
                                   "import pypto.language.distributed as pld\n"
                                   "ROWS = 2\n"
                                   "@pl.program\n"
                                   "class T:\n"
                                   "    @pl.function(type=pl.FunctionType.%s)\n"
                                   "    def k(self, x: pl.InOut[pl.Tensor[%s, pl.INT32]]%s):\n"
                                   "        pl.write(x, [0, 0], 1)\n";

Test(codegen, errors_of_parameters)
{
    static const struct {
        const char *name, *directive, *type, *shape, *more, *error;
    } rows[] = {
        {"no error", "", "InCore", "[2, 16]", "", "no error"},
        {"scalar without a value", "", "InCore", "[2, 16]", ", peer: pl.Scalar[pl.INT32]",
         "7:60: no value for the parameter 'peer'; give --arg peer=EXPRESSION or a line '# "
         "fencebench: arg peer=EXPRESSION'"},
        {"tensor larger than memory", "", "InCore", "[32768, 32768]", "",
         "7:17: 'x' does not fit the machine's memory"},
        {"tensor with a dimension that nobody bound", "", "InCore", "[M, 16]", "",
         "7:40: 'M' has no value here; bind it with --arg M=EXPRESSION"},
        {"constant that differs between ranks", "# fencebench: arg ROWS=rank+1\n", "InCore",
         "[ROWS, 16]", "",
         "1:24: 'ROWS' is a constant of the program: it must be the same on every rank"},
        {"tile parameter", "", "InCore", "[2, 16]", ", t: pl.Tile[[1, 16], pl.INT32]",
         "7:60: the parameter 't' is no tensor, scalar or context"},
        {"context of no window", "", "InCore", "[2, 16]", ", w_ctx: pld.CommCtx",
         "7:60: no window belongs to the context 'w_ctx': expected <tensor>_ctx"},
        {"task that is no function", "# fencebench: tasks k, kk\n", "InCore", "[2, 16]", "",
         "1:24: the directive 'tasks' names 'kk', which is no InCore function of this file"},
        {"nothing to run", "", "Orchestration", "[2, 16]", "",
         "0:0: holds no InCore function (type=pl.FunctionType.InCore, AIC or AIV) to run"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct arena a = {0};
        struct diag d = {.arena = &a};
        struct toolchain t = rig_toolchain(&a);
        const char *text = arena_printf(&a, one_function, rows[i].directive, rows[i].type,
                                        rows[i].shape, rows[i].more);
        rig_compile(&a, text, &t, RIG_RANKS, &d);
        expect_text(rows[i].name, rig_error(&a, &d), rows[i].error);
        arena_free(&a);
    }
}

/* Contexts of windows with one name, but for what the compiler put behind it, stand in the order of
 * the windows (pypto-facts 1.6). */
Test(codegen, contexts_of_windows_of_one_name)
{
    static const char text[] =
        "@pl.program\n"
        "class T:\n"
        "    @pl.function(type=pl.FunctionType.InCore)\n"
        "    def k(w__ssa_v0: pl.InOut[pld.DistributedTensor[[1, 16], pl.INT32]], w__ssa_v1: "
        "pl.InOut[pld.DistributedTensor[[1, 16], pl.INT32]], v: "
        "pl.InOut[pld.DistributedTensor[[1, 16], pl.INT32]], w_ctx: pld.CommCtx, w_ctx_1: "
        "pld.CommCtx, v_ctx: pld.CommCtx):\n"
        "        pl.write(v, [0, 0], pld.system.rank(%s))\n";
    static const char *const rows[][2] = {{"w_ctx", "ld w__ssa_v0_ctx[2]@0\nst v[0]@0, 0\n"},
                                          {"w_ctx_1", "ld w__ssa_v1_ctx[2]@0\nst v[0]@0, 0\n"},
                                          {"v_ctx", "ld v_ctx[2]@0\nst v[0]@0, 0\n"}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct arena a = {0};
        struct diag d = {.arena = &a};
        struct toolchain t = rig_toolchain(&a);
        const struct program *p =
            rig_compile(&a, arena_printf(&a, text, rows[i][0]), &t, RIG_RANKS, &d);
        cr_assert(p, "%s: %s", rows[i][0], diag_text(&d, &a));
        expect_text(rows[i][0], rig_trace(&a, p), rows[i][1]);
        arena_free(&a);
    }
}

/* The machine's memory is limited for all ranks together. */
Test(codegen, memory_of_all_ranks)
{
    static const struct {
        int nranks;
        bool fits;
    } rows[] = {{1, true}, {2, true}, {16, false}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct arena a = {0};
        struct diag d = {.arena = &a};
        struct toolchain t = rig_toolchain(&a);
        const char *text = arena_printf(&a, one_function, "", "InCore", "[4096, 4096]", "");
        const struct program *p = rig_compile(&a, text, &t, rows[i].nranks, &d);
        cr_expect((p != NULL) == rows[i].fits, "P=%d: %s", rows[i].nranks, diag_text(&d, &a));
        if (!rows[i].fits)
            cr_expect(d.failed &&
                          strstr(d.message, "bytes of memory on each of 16 ranks; the machine "
                                            "holds 1073741824 in all"),
                      "P=%d: %s", rows[i].nranks, d.message);
        arena_free(&a);
    }
}

/* After binding, every dimension is a positive integer (docs/kernels.md). */
Test(codegen, dimensions_are_positive)
{
    static const struct {
        const char *rows;
        bool good;
    } rows[] = {{"1", true}, {"0", false}, {"-1", false}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct arena a = {0};
        struct diag d = {.arena = &a};
        struct toolchain t = rig_toolchain(&a);
        const char *directive = arena_printf(&a, "# fencebench: arg ROWS=%s\n", rows[i].rows);
        const char *text = arena_printf(&a, one_function, directive, "InCore", "[ROWS, 16]", "");
        const struct program *p = rig_compile(&a, text, &t, RIG_RANKS, &d);
        cr_expect((p != NULL) == rows[i].good, "ROWS=%s: %s", rows[i].rows, diag_text(&d, &a));
        arena_free(&a);
    }
}
