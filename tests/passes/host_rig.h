/* SPDX-License-Identifier: MIT */
/*
 * Cases of passes on host orchestrators. A case is the body of `main`, which stands in one program
 * with the functions that it may dispatch:
 *
 *     chip(w), pair(w, v)            chip orchestrators over distributed tensors of 256 numbers
 *     rows(t), block(t), cells(s)    over [8, 256], [16, 16], [8, 1] of INT32
 *     plain(x), count(w, v)          over a plain tensor; over a window and a number
 *     graph(w)                       a Graph; worker(w): a sub-worker; core(w): an InCore function
 *
 * main's parameters: x: pl.Tensor[[8, 256], pl.FP32], n: pl.Scalar[pl.INT64], d: DistributedTensor.
 */
#ifndef TESTS_HOST_RIG_H
#define TESTS_HOST_RIG_H

#include "ir/ir.h"
#include "tests/support.h"

struct host_case {
    const char *name;
    const char *passes; /* names joined by commas; NULL: MaterializeCommDomainScopes */
    const char *before; /* lines of the body */
    const char *after;  /* the printed body; NULL: nothing changes */
};

/* What the passes refuse, and where. */
struct host_error {
    const char *name, *passes, *before;
    int line, col, len; /* in the body, from 1 */
    const char *error;  /* the message, behind the name of the pass */
};

/*
 * Checks each case: the printed result; that it verifies after each pass,
 * reads back as an equal program with an equal hash, has only host orchestrators changed, and has
 * the property CommDomainScopesMaterialized when that pass has run; that the pass applied again
 * changes nothing.
 */
void expect_host_cases(const struct host_case *cases, size_t n);
/* Checks the whole text of each error. */
void expect_host_errors(const struct host_error *cases, size_t n);

/* The program with that body of main. */
const struct ir_program *host_program(struct arena *a, const char *name, const char *body);
/* The printed body of main. */
const char *host_body(struct arena *a, const struct ir_program *p);
/* The program after the passes; fails the test when they fail. */
const struct ir_program *host_run(struct arena *a, const char *name, const char *passes,
                                  const struct ir_program *p);

/* ---- lines of bodies ---- */

#define WS_BEFORE "ws = pld.world_size()\n"
#define WS        "ws: pl.Scalar[pl.INT64] = pld.system.world_size()\n"

#define ALLOC(buf, size) buf ": pl.Ptr = pld.tensor.alloc_window_buffer(" size ")\n"

/* x = window(buf) as written and as printed before the pass; behind it the type names the window,
 * which the operands do not give: the call is recorded with its type. */
#define VIEW_OF(v, buf, shape, dtype)                                                              \
    v ": pld.DistributedTensor[[" shape "], pl." dtype "] = pld.tensor.window(" buf ", [" shape    \
      "], dtype=pl." dtype ")\n"
#define IN(buf) ", pl._dump.window_ref(\"" buf "_window\")"
#define VIEW_IN(v, slot, buf, shape, dtype)                                                        \
    v ": pld.DistributedTensor[[" shape "], pl." dtype IN(                                         \
        slot) "] = pl._dump.call('pld.tensor.window', "                                            \
              "[" buf ", [" shape "]], pld.DistributedTensor[[" shape "], pl." dtype               \
              IN(slot) "], "                                                                       \
                       "kwargs={\"dtype\": pl." dtype "})\n"
#define DATA(v, buf)     VIEW_OF(v, buf, "256", "FP32")
#define DATA_IN(v, buf)  VIEW_IN(v, buf, buf, "256", "FP32")
#define CELLS(v, buf)    VIEW_OF(v, buf, "8, 1", "INT32")
#define CELLS_IN(v, buf) VIEW_IN(v, buf, buf, "8, 1", "INT32")
#define ROWS(v, buf)     VIEW_OF(v, buf, "8, 256", "FP32")
#define ROWS_IN(v, buf)  VIEW_IN(v, buf, buf, "8, 256", "FP32")
#define TYPE_DATA(in)    "pld.DistributedTensor[[256], pl.FP32" in "]"
#define TYPE_CELLS(in)   "pld.DistributedTensor[[8, 1], pl.INT32" in "]"
#define TYPE_ROWS(in)    "pld.DistributedTensor[[8, 256], pl.FP32" in "]"

#define DOMAIN(n, devices, slots)                                                                  \
    "with pl._dump.comm_domain(name='comm_d" n "', devices=[" devices "], slots=[" slots "]):\n"
#define SLOT(buf, size)                                                                            \
    "pl._dump.window_buffer(\"" buf "_window\", base=\"" buf "\", size=" size                      \
    ", load_from_host=False, store_to_host=False)"

#define GROUPED "attrs={\"group_dispatch\": True}"

#endif
