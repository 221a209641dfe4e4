/* SPDX-License-Identifier: MIT */
/* Properties of whole programs, asked for and claimed (pypto-facts 1.5, 1.6, 4.3). */
#include "tests/ir/verify_cases.h"

#define TWO(rows) "t = pl.load(x, [0, 0], [1, 64])\nu = pl.load(x, [0, 0], [" rows ", 64])\n"

static const struct verify_case ssa_form[] = {

    BAD("assigned twice", "y = n\ny = -n\n",
        "4:5: 'y' is assigned again; in SSA form each variable is defined once [ssa-single]"),
    BAD("parameter assigned", "n = -n\n",
        "3:5: 'n' is assigned again; in SSA form each variable is defined once [ssa-single]"),
    BAD("incremented", "y = n\ny = y + n\n",
        "4:5: 'y' is assigned again; in SSA form each variable is defined once [ssa-single]"),
    BAD("assigned in both branches", "if b:\n    y = n\nelse:\n    y = -n\n",
        "6:9: 'y' is assigned again; in SSA form each variable is defined once [ssa-single]"),
    NEAR("two variables", "ssa-single", "y = n\nz = 1\n"),
    NEAR("one counter name in two loops", "ssa-single",
         "for j in pl.range(4):\n    pass\nfor j in pl.range(4):\n    pass\n"),
    BAD("used behind its branch", "if b:\n    y = n\npl.write(out, [0, 0], y)\n",
        "5:27: 'y' is used where no definition of it is in force [ssa-use]"),
    BAD("used in the other branch", "if b:\n    y = n\nelse:\n    z = y\n",
        "6:13: 'y' is used where no definition of it is in force [ssa-use]"),
    BAD("used behind its loop", "for j in pl.range(4):\n    y = j\nz = y\n",
        "5:9: 'y' is used where no definition of it is in force [ssa-use]"),
    NEAR("used in an inner block", "ssa-use",
         "y = n\nfor j in pl.range(4):\n    if b:\n        z = y\n"),
    NEAR("result of branches", "ssa-use",
         "if b:\n    y = pl.yield_(n)\nelse:\n    y = pl.yield_(1)\nz = y\n"),
    NEAR(
        "result of a loop", "ssa-use",
        "for j, (acc,) in pl.range(4, init_values=(n,)):\n    res = pl.yield_(acc + 1)\nz = res\n"),
    NEAR("result of a while", "ssa-use",
         "for (acc,) in pl.while_(init_values=(n,)):\n    pl.cond(acc < 4)\n    res = "
         "pl.yield_(acc + 1)\nz = res\n"),
    NEAR("defined in a scope", "ssa-use", "with pl.split_aiv():\n    y = n\nz = y\n"),
    NEAR("defined in a lane", "ssa-use", "for j in pl.spmd(4):\n    y = j\nz = y\n"),
    NEAR("a variable that says it has no definition", "ssa-use",
         "for j, (late,) in pl.range(4, init_values=(late__FREE_VAR,)):\n    res = pl.yield_(n)\n"),
    NEAR("task of a scope", "ssa-use",
         "with pl.at(level=pl.Level.CHIP) as tail:\n    y = n\nz = tail\n"),
    BAD("yields another shape",
        TWO("2") "for j, (acc,) in pl.range(4, init_values=(t,)):\n    res = pl.yield_(u)\n",
        "5:5: the loop carries 'acc' as pl.Tile[[1, 64], pl.FP32], but the yielded value is "
        "pl.Tile[[2, 64], pl.FP32] [ssa-carried]"),
    NEAR("yields the same shape", "ssa-carried",
         TWO("1") "for j, (acc,) in pl.range(4, init_values=(t,)):\n    res = pl.yield_(u)\n"),
    BAD("branches of two shapes",
        TWO("2") "if b:\n    y = pl.yield_(t)\nelse:\n    y = pl.yield_(u)\n",
        "5:5: the branches yield 'y' as pl.Tile[[1, 64], pl.FP32] and as pl.Tile[[2, 64], pl.FP32] "
        "[ssa-branches]"),
    NEAR("branches of one shape", "ssa-branches",
         TWO("1") "if b:\n    y = pl.yield_(t)\nelse:\n    y = pl.yield_(u)\n"),
};

static const struct verify_case ssa_claims[] = {

    BAD("name of SSA form", "y__ssa_v0 = n\ny__ssa_v0 = -n\n",
        "4:5: 'y__ssa_v0' is assigned again; in SSA form each variable is defined once "
        "[ssa-single]"),
    BAD("name of SSA form in a block", "y = n\ny = -n\nif b:\n    z__ssa_v12 = y\n",
        "4:5: 'y' is assigned again; in SSA form each variable is defined once [ssa-single]"),
    NEAR("no name of SSA form", "ssa-single", "y = n\ny = -n\n"),
    NEAR("names that only look like it", "ssa-single",
         "y__ssa_v = n\ny__ssa_v = -n\nz__ssa_v0x = 1\n"),
};

static const struct verify_case ssa_modules[] = {

    NEAR("module names and implicit symbols", "ssa-use",
         "N = pl.dynamic(\"N\")\nM = 8\ndef k(a: pl.Tensor[[N, T], pl.FP32]):\n    y: "
         "pl.Scalar[pl.INDEX] = N + M\n    z: pl.Tensor[[T], pl.FP32] = pl.test.mystery(T)\n"),
};

#define SLOT(base) "pl._dump.window_buffer(\"" base "_window\", base=\"" base "\", size=16)"
#define DOMAIN(function, name, devices, slots)                                                     \
    "def " function "():\n    with pl._dump.comm_domain(name='" name "', " devices "slots=[" slots \
    "]):\n        a = pld.tensor.alloc_window_buffer(16)\n"                                        \
    "        b = pld.tensor.alloc_window_buffer(16)\n"

static void drop_scope(struct ir_program *p)
{
    p->funcs.items[0]->body.items[0]->scope.call = NULL;
}

static void drop_statement(struct ir_program *p)
{
    p->funcs.items[0]->body.items[0] = NULL;
}

static const struct verify_case domains[] = {

    NEAR("one slot", "scope-empty", DOMAIN("main", "comm_d0", "devices=[], ", SLOT("a"))),
    BAD("no slot", DOMAIN("main", "comm_d0", "", ""),
        "2:5: communication domain comm_d0 has no slots [scope-empty]"),
    BAD("no list of slots",
        "def main():\n    with pl._dump.comm_domain(name='comm_d0'):\n        pass\n",
        "2:5: communication domain comm_d0 has no slots [scope-empty]"),
    BAD("null slot", DOMAIN("main", "comm_d0", "", "None"),
        "2:54: slot 0 of communication domain comm_d0 is null [slot-null]"),
    BAD("second slot is null", DOMAIN("main", "comm_d0", "", SLOT("a") ", None"),
        "2:109: slot 1 of communication domain comm_d0 is null [slot-null]"),
    NEAR("slot that is not null", "slot-null", DOMAIN("main", "comm_d0", "", SLOT("a"))),
    BAD("slot of two domains",
        DOMAIN("main", "comm_d0", "", SLOT("a")) DOMAIN("other", "comm_d1", "", SLOT("a")),
        "6:54: window buffer 'a' is a slot of communication domain comm_d0 and of communication "
        "domain comm_d1 [slot-shared]"),
    NEAR("slots of two domains", "slot-shared",
         DOMAIN("main", "comm_d0", "", SLOT("a")) DOMAIN("other", "comm_d1", "", SLOT("b"))),
    {"null scope", DOMAIN("main", "comm_d0", "", SLOT("a")),
     "2:5: a communication domain is null [scope-null]", NULL, drop_scope},
    {"null statement", DOMAIN("main", "comm_d0", "", SLOT("a")),
     "1:5: a communication domain is null [scope-null]", NULL, drop_statement},
    NEAR("scope that is not null", "scope-null", DOMAIN("main", "comm_d0", "", SLOT("a"))),
    BAD("devices in another order", DOMAIN("main", "comm_d0", "devices=[1, 0], ", SLOT("a")),
        "2:59: the devices of communication domain comm_d0 must be ascending integers from 0 "
        "[scope-devices]"),
    BAD("negative device", DOMAIN("main", "comm_d0", "devices=[-1], ", SLOT("a")),
        "2:56: the devices of communication domain comm_d0 must be ascending integers from 0 "
        "[scope-devices]"),
    BAD("device twice", DOMAIN("main", "comm_d0", "devices=[2, 2], ", SLOT("a")),
        "2:59: the devices of communication domain comm_d0 must be ascending integers from 0 "
        "[scope-devices]"),
    NEAR("some devices", "scope-devices", DOMAIN("main", "comm_d0", "devices=[0, 2], ", SLOT("a"))),
};

#define SLOT_OF(name)    "pl._dump.window_buffer('" name "_window', base='b', size=64)"
#define IN_WINDOW(label) "pld.DistributedTensor[[4], pl.FP32, pl._dump.window_ref('" label "')]"
#define IN_DOMAIN(slots, label)                                                                    \
    HOST "    with pl._dump.comm_domain(name='d', slots=[" slots "]):\n"                           \
         "        b = pld.alloc_window_buffer(64)\n"                                               \
         "        w: " IN_WINDOW(label) " = pl.test.mystery()\n"

static const struct verify_case domain_claims[] = {

    BAD("domain without slots",
        HOST "    with pl._dump.comm_domain(name='comm_d0', slots=[]):\n        pass\n",
        "3:5: communication domain comm_d0 has no slots [scope-empty]"),
    NEAR("no domain", "scope-empty", HOST "    with pl.cluster():\n        pass\n"),

    BAD("window of no slot", IN_DOMAIN(SLOT_OF("b"), "b_windwo"),
        "5:68: no slot of a communication domain is the window buffer 'b_windwo'; did you mean "
        "'b_window'? [window-reference]"),
    BAD("window far from the only slot", IN_DOMAIN(SLOT_OF("b"), "nope"),
        "5:68: no slot of a communication domain is the window buffer 'nope'; did you mean "
        "'b_window'? [window-reference]"),
    BAD("window near one of two slots", IN_DOMAIN(SLOT_OF("a") ", " SLOT_OF("b"), "b_windw"),
        "5:68: no slot of a communication domain is the window buffer 'b_windw'; did you mean "
        "'b_window'? [window-reference]"),
    BAD("window far from two slots", IN_DOMAIN(SLOT_OF("a") ", " SLOT_OF("b"), "nope"),
        "5:68: no slot of a communication domain is the window buffer 'nope' [window-reference]"),
    BAD("window without a domain", HOST "    w: " IN_WINDOW("nope") " = pl.test.mystery()\n",
        "3:64: no slot of a communication domain is the window buffer 'nope' [window-reference]"),
    BAD("window of a recorded call",
        HOST "    x = pl.test.mystery()\n    pl.test.mystery(pl._dump.call('tensor.view', [x, "
             "(4,)], " IN_WINDOW("nope") "))\n",
        "4:117: no slot of a communication domain is the window buffer 'nope' [window-reference]"),
    BAD("window of a parameter", "def k(w: pl.InOut[" IN_WINDOW("nope") "]):\n    pass\n",
        "1:75: no slot of a communication domain is the window buffer 'nope' [window-reference]"),
    NEAR("window of a slot", "window-reference", IN_DOMAIN(SLOT_OF("b"), "b_window")),
    NEAR("window of an older number", "window-reference",
         HOST "    with pl._dump.comm_domain(name='d', slots=[pl._dump.window_buffer(0)]):\n"
              "        w: pld.DistributedTensor[[4], pl.FP32, pl._dump.window_ref(0)] = "
              "pl.test.mystery()\n"),
};

#define WIN(name)    name ": pl.InOut[pld.DistributedTensor[[4], pl.FP32]]"
#define CORE(params) "@pl.function(type=pl.FunctionType.InCore)\ndef k(" params "):\n"
#define CALLED                                                                                     \
    CORE(WIN("w") ", w_ctx: pld.CommCtx")                                                          \
    "    pass\n@pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)\n"                     \
    "def main(" WIN("w") "):\n"

static const struct verify_case context_parameters[] = {

    NEAR("one context", "ctx-parameter",
         CORE(WIN("w") ", w_ctx: pld.CommCtx") "    r = pld.rank(w_ctx)\n"),
    BAD("no context", CORE(WIN("w")) "    pass\n",
        "2:5: function 'k' has 1 DistributedTensor parameters, but 0 CommCtx parameters "
        "[ctx-parameter]"),
    BAD("one context for two", CORE(WIN("w") ", " WIN("v") ", w_ctx: pld.CommCtx") "    pass\n",
        "2:5: function 'k' has 2 DistributedTensor parameters, but 1 CommCtx parameters "
        "[ctx-parameter]"),
    BAD("context of a chip", CHIP "    pass\n",
        "2:5: function 'chip' has 0 DistributedTensor parameters, but 1 CommCtx parameters "
        "[ctx-parameter]"),
    BAD("context before its tensor", CORE("w_ctx: pld.CommCtx, " WIN("w")) "    pass\n",
        "2:27: DistributedTensor parameter 'w' of 'k' stands behind a CommCtx parameter "
        "[ctx-order]"),
    NEAR("contexts behind a scalar", "ctx-order",
         CORE(WIN("w") ", n: pl.Scalar[pl.INT32], w_ctx: pld.CommCtx") "    pass\n"),
    BAD("call without a context", CALLED "    k(w)\n",
        "6:5: the call of 'k' gives no context for its parameter 'w_ctx' [ctx-argument]"),
    BAD("call with something else", CALLED "    k(w, 1)\n",
        "6:5: the call of 'k' gives no context for its parameter 'w_ctx' [ctx-argument]"),
    NEAR("call with a context", "ctx-argument",
         CALLED "    c = pld.get_comm_ctx(w)\n    k(w, c)\n"),
    BAD("context asked for", CORE(WIN("w") ", w_ctx: pld.CommCtx") "    c = pld.get_comm_ctx(w)\n",
        "3:9: 'k' asks for the context of its parameter 'w' instead of receiving it [ctx-local]"),
    NEAR("context asked for by the host", "ctx-local", CALLED "    c = pld.get_comm_ctx(w)\n"),
};

const struct verify_group verify_property_groups[] = {
    GROUP(ssa_form, true, IR_PROPERTY_SSA_FORM),
    GROUP(ssa_claims, true, IR_PROPERTY_COUNT),
    GROUP(ssa_modules, false, IR_PROPERTY_SSA_FORM),
    GROUP(domains, false, IR_PROPERTY_COMM_DOMAIN_SCOPES),
    GROUP(domain_claims, false, IR_PROPERTY_COUNT),
    GROUP(context_parameters, false, IR_PROPERTY_DIST_TENSOR_CTX),
};
const size_t verify_property_group_count =
    sizeof verify_property_groups / sizeof *verify_property_groups;
