/* SPDX-License-Identifier: MIT */
/* Scopes, launches and what they are given (pypto-front-facts 2.1, 2.7, 2.11). */
#include "tests/ir/verify_cases.h"

/* An orchestrator with a table that a predicate may read, and functions to launch. */
#define PROGRAM(decorator)                                                                         \
    "class P:\n"                                                                                   \
    "    @pl.function(type=pl.FunctionType.AIV)\n"                                                 \
    "    def k(self, x: pl.Tensor[[4], pl.FP32], y: pl.Out[pl.Tensor[[4], pl.INT32]]):\n"          \
    "        pass\n"                                                                               \
    "    @pl.function(type=pl.FunctionType.Orchestration" decorator ")\n"                          \
    "    def main(self, x: pl.Tensor[[4], pl.FP32], g: pl.Tensor[[4, 2], pl.INT32], "              \
    "u: pl.Tensor[[4], pl.UINT32], n: pl.Scalar[pl.INDEX], f: pl.Scalar[pl.FP32]):\n"
#define ORCH   PROGRAM("")
#define MANUAL "pl.scope(mode=pl.ScopeMode.MANUAL)"

static const struct verify_case nesting[] = {
    BAD("a scope of the compiler by hand", ORCH "        with pl.scope():\n            pass\n",
        "7:14: pl.scope() by hand needs @pl.function(auto_scope=False): otherwise the compiler "
        "places it [scope-auto]"),
    NEAR("a scope by hand where the function places them", "scope-auto",
         PROGRAM(", auto_scope=False") "        with pl.scope():\n            pass\n"),
    BAD("a scope in a manual scope",
        PROGRAM(", auto_scope=False") "        with pl.manual_scope():\n            with "
                                      "pl.scope():\n                pass\n",
        "8:18: pl.scope() cannot stand in a manual scope [scope-place]"),
    BAD("a manual scope in another",
        ORCH "        with " MANUAL
             ":\n            with pl.manual_scope():\n                pass\n",
        "8:18: pl.manual_scope() cannot stand in a manual scope [scope-place]"),
    BAD("halves of halves",
        INCORE "    for i in pl.split_aiv(2, mode=pl.SplitMode.NONE):\n        for j in "
               "pl.split_aiv(2, mode=pl.SplitMode.NONE):\n            pass\n",
        "4:18: pl.split_aiv() cannot stand in pl.split_aiv() [scope-place]"),
    BAD("halves in a scope that the compiler halves",
        ORCH "        with pl.at(level=pl.Level.CORE_GROUP, "
             "optimizations=[pl.split(pl.SplitMode.NONE)]):\n            for i in pl.split_aiv(2, "
             "mode=pl.SplitMode.NONE):\n                pass\n",
        "8:22: pl.split_aiv() cannot stand in a scope with pl.split() [scope-place]"),
    NEAR("halves in a scope with slots", "scope-place",
         ORCH "        with pl.at(level=pl.Level.CORE_GROUP, "
              "optimizations=[pl.cross_core_slot(slot_num=4)]):\n            for i in "
              "pl.split_aiv(2, mode=pl.SplitMode.NONE):\n                pass\n"),
    BAD("a task of a cluster's lanes",
        ORCH "        with pl.cluster():\n            with pl.spmd(2) as t:\n                "
             "self.k(x, u)\n",
        "8:18: pl.spmd() as a task cannot stand in pl.cluster() [scope-place]"),
    BAD("the task of a cluster", ORCH "        with pl.cluster() as t:\n            pass\n",
        "7:14: pl.cluster() is no task that `as` could name [scope-task]"),
    NEAR("the task of a core scope", "scope-task",
         ORCH "        with pl.at(pl.Level.CORE_GROUP) as t:\n            pass\n"),
    BAD("lanes that all do the same", ORCH "        with pl.spmd(4):\n            y = n + 1\n",
        "7:14: the body of pl.spmd() calls 0 functions and never pl.tile.get_block_idx(): expected "
        "one call or the index [spmd-body]"),
    BAD("lanes of two functions",
        ORCH "        with pl.spmd(4):\n            self.k(x, g)\n            self.k(x, g)\n",
        "7:14: the body of pl.spmd() calls 2 functions and never pl.tile.get_block_idx(): expected "
        "one call or the index [spmd-body]"),
    NEAR("lanes of one function", "spmd-body",
         ORCH "        with pl.spmd(4):\n            self.k(x, g)\n"),
    NEAR("lanes that ask which they are", "spmd-body",
         ORCH "        with pl.spmd(4):\n            i = pl.tile.get_block_idx()\n            "
              "self.k(x, g)\n            self.k(x, g)\n"),
    NEAR("lanes that ask by the short name", "spmd-body",
         ORCH "        with pl.spmd(4):\n            i = pl.get_block_idx()\n"),
    NEAR("lanes of a core scope", "spmd-body",
         ORCH "        with pl.spmd(4):\n            with pl.at(level=pl.Level.CORE_GROUP):\n"
              "                pass\n"),
    BAD("break in a parallel loop", INCORE "    for i in pl.parallel(4):\n        break\n",
        "4:9: break in a loop over pl.parallel [loop-exit]"),
    BAD("continue in an unrolled loop", INCORE "    for i in pl.unroll(4):\n        continue\n",
        "4:9: continue in a loop over pl.unroll [loop-exit]"),
    BAD("break out of a half",
        INCORE "    for j in pl.range(4):\n        for i in pl.split_aiv(2, "
               "mode=pl.SplitMode.NONE):\n            break\n",
        "5:13: break in a loop over pl.split_aiv [loop-exit]"),
    NEAR("break in a loop inside a parallel one", "loop-exit",
         INCORE "    for i in pl.parallel(4):\n        for j in pl.range(4):\n            "
                "break\n"),
};

#define AT(rest)   ORCH "        with pl.at(" rest "):\n            pass\n"
#define SPMD(rest) ORCH "        with pl.spmd(" rest "):\n            self.k(x, g)\n"
#define OPT(list)  AT("level=pl.Level.CORE_GROUP, optimizations=" list)
#define LOOP(loop) INCORE "    for i in " loop ":\n        pass\n"
#define ENTRIES                                                                                    \
    "keyword 'optimizations' of pl.at must be a list of pl.split(mode) and "                       \
    "pl.cross_core_slot(slot_num=), each at most once [keyword-value]"

static const struct verify_case keywords[] = {
    BAD("no level", AT("role=pl.Role.SubWorker"),
        "7:14: pl.at needs the keyword 'level' [keyword-required]"),
    NEAR("level by position", "keyword-required", AT("pl.Level.CHIP")),
    BAD("three arguments", AT("pl.Level.CHIP, pl.Role.SubWorker, 1"),
        "7:14: pl.at takes 0 to 2 arguments by position, found 3 [form-arity]"),
    NEAR("two arguments", "form-arity", AT("pl.Level.CHIP, pl.Role.SubWorker")),
    BAD("two levels", AT("pl.Level.CHIP, level=pl.Level.CHIP"),
        "7:35: 'level' of pl.at is given by position and by keyword [keyword-twice]"),
    NEAR("level and role", "keyword-twice", AT("pl.Level.CHIP, role=pl.Role.SubWorker")),
    BAD("unknown keyword", AT("pl.Level.CHIP, name_hnt='a'"),
        "7:35: pl.at has no keyword 'name_hnt'; did you mean 'name_hint'? [keyword-unknown]"),
    NEAR("known keywords", "keyword-unknown",
         AT("pl.Level.CHIP, name_hint='a', dumps=[x], no_dep_args=[x, g], windowize=True")),
    BAD("hint that is no name", AT("pl.Level.CHIP, name_hint='a b'"),
        "7:45: keyword 'name_hint' of pl.at must be a string that is a name, and no word of Python "
        "[keyword-value]"),
    BAD("hint that is a word of Python", AT("pl.Level.CHIP, name_hint='for'"),
        "7:45: keyword 'name_hint' of pl.at must be a string that is a name, and no word of Python "
        "[keyword-value]"),
    NEAR("hint that is a word of the language", "keyword-value",
         AT("pl.Level.CHIP, name_hint='pl'")),
    BAD("a number for a flag", AT("pl.Level.CHIP, allow_early_resolve=1"),
        "7:55: keyword 'allow_early_resolve' of pl.at must be True or False [keyword-value]"),
    BAD("a scalar to dump", AT("pl.Level.CHIP, dumps=[n]"),
        "7:41: keyword 'dumps' of pl.at must be a list of variables that are tensors, each once "
        "[keyword-value]"),
    BAD("twice in a list", AT("pl.Level.CHIP, no_dep_args=[x, x]"),
        "7:47: keyword 'no_dep_args' of pl.at must be a list of variables that are tensors, each "
        "once [keyword-value]"),
    BAD("a part in a list", AT("pl.Level.CHIP, no_dep_args=[g[0]]"),
        "7:47: keyword 'no_dep_args' of pl.at must be a list of variables that are tensors, each "
        "once [keyword-value]"),
    BAD("role of a core", AT("level=pl.Level.CORE_GROUP, role=pl.Role.SubWorker"),
        "7:52: 'role' of pl.at cannot be given at level CORE_GROUP [keyword-place]"),
    BAD("worker of the host", AT("level=pl.Level.HOST, role=pl.Role.SubWorker"),
        "7:46: 'role' of pl.at cannot be given as SubWorker from level HOST on: that is a function "
        "[keyword-place]"),
    NEAR("role at another level", "keyword-place",
         AT("level=pl.Level.CHIP, role=pl.Role.SubWorker")),
    BAD("halves of a chip", AT("level=pl.Level.CHIP, optimizations=[pl.split(pl.SplitMode.NONE)]"),
        "7:55: 'optimizations' of pl.at cannot be given at another level than CORE_GROUP "
        "[keyword-place]"),
    BAD("optimization without a list", OPT("pl.split(pl.SplitMode.NONE)"), "7:61: " ENTRIES),
    BAD("unknown optimization", OPT("[pl.auto_chunk]"), "7:61: " ENTRIES),
    BAD("halved twice", OPT("[pl.split(pl.SplitMode.NONE), pl.split(pl.SplitMode.NONE)]"),
        "7:61: " ENTRIES),
    BAD("slots twice",
        OPT("[pl.split(pl.SplitMode.NONE, slot_num=2), pl.cross_core_slot(slot_num=2)]"),
        "7:61: " ENTRIES),
    NEAR("halves and slots", "keyword-value",
         OPT("[pl.split(pl.SplitMode.NONE), pl.optimizations.cross_core_slot(slot_num=2)]")),
    BAD("no slots", OPT("[pl.cross_core_slot(slot_num=0)]"),
        "7:90: keyword 'slot_num' of pl.cross_core_slot must be a positive integer that is known "
        "at "
        "compile time [keyword-value]"),
    BAD("true slots", OPT("[pl.cross_core_slot(slot_num=True)]"),
        "7:90: keyword 'slot_num' of pl.cross_core_slot must be a positive integer that is known "
        "at "
        "compile time [keyword-value]"),
    BAD("slots by position", OPT("[pl.cross_core_slot(4)]"),
        "7:62: pl.cross_core_slot takes 0 arguments by position, found 1 [form-arity]"),
    BAD("halves of no mode", OPT("[pl.split(2)]"),
        "7:71: keyword 'mode' of pl.split must be a pl.SplitMode [keyword-value]"),

    BAD("no lanes", SPMD(""), "7:14: pl.spmd needs the keyword 'core_num' [keyword-required]"),
    BAD("zero lanes", SPMD("0"),
        "7:22: keyword 'core_num' of pl.spmd must be a positive integer [keyword-value]"),
    BAD("lanes by a real number", SPMD("f"),
        "7:22: keyword 'core_num' of pl.spmd must be a positive integer [keyword-value]"),
    BAD("lanes by a truth value", SPMD("True"),
        "7:22: keyword 'core_num' of pl.spmd must be a positive integer [keyword-value]"),
    NEAR("as many lanes as the caller says", "keyword-value", SPMD("n, sync_start=True")),
    BAD("dependences of no task", SPMD("4, deps=[]"),
        "7:30: 'deps' of pl.spmd cannot be given without `as` a task [keyword-place]"),
    BAD("carried by lanes",
        ORCH "        for i in pl.spmd(4, init_values=(n,)):\n            pass\n",
        "7:29: pl.spmd has no keyword 'init_values' [keyword-unknown]"),
    BAD("optimization of lanes of a core scope",
        ORCH "        with pl.spmd(4, optimizations=[pl.split(pl.SplitMode.NONE)]):\n            "
             "with pl.at(level=pl.Level.CORE_GROUP):\n                pass\n",
        "7:39: 'optimizations' of pl.spmd cannot be given around "
        "pl.at(level=pl.Level.CORE_GROUP), which takes them [keyword-place]"),
    BAD("early lanes in a cluster",
        ORCH "        with pl.cluster():\n            with pl.spmd(4, allow_early_resolve=True):\n"
             "                self.k(x, g)\n",
        "8:49: 'allow_early_resolve' of pl.spmd cannot be given inside pl.cluster(), which is one "
        "task [keyword-place]"),
    BAD("three halves",
        INCORE "    for i in pl.split_aiv(3, mode=pl.SplitMode.NONE):\n        pass\n",
        "3:27: keyword 'n' of pl.split_aiv must be 2, the vector cores of a cluster "
        "[keyword-value]"),
    BAD("halves without a mode", INCORE "    for i in pl.split_aiv(2):\n        pass\n",
        "3:14: pl.split_aiv needs the keyword 'mode' [keyword-required]"),
    BAD("arguments of a manual scope", ORCH "        with pl.manual_scope(1):\n            pass\n",
        "7:14: pl.manual_scope takes 0 arguments by position, found 1 [form-arity]"),

    BAD("pipeline without stages", LOOP("pl.pipeline(4)"),
        "3:5: pl.pipeline needs the keyword 'stage' [keyword-required]"),
    BAD("stages of a plain loop", LOOP("pl.range(4, stage=2)"),
        "3:26: pl.range has no keyword 'stage' [keyword-unknown]"),
    BAD("no stages", LOOP("pl.pipeline(4, stage=-1)"),
        "3:35: keyword 'stage' of pl.pipeline must be a positive integer that is known at compile "
        "time [keyword-value]"),
    NEAR("pipeline", "keyword-required", LOOP("pl.pipeline(4, stage=2)")),

    BAD("tag in a kernel",
        INCORE "    t = pl.tensor.create([4], dtype=pl.FP32)\n    pl.dump_tag(t)\n",
        "4:5: pl.dump_tag is for functions of type Orchestration or Inline, not for the InCore "
        "function 'k' [op-placement]"),
    BAD("tag of a scalar", ORCH "        pl.dump_tag(n)\n",
        "7:21: keyword 'tensor' of pl.dump_tag must be a variable that is a tensor "
        "[keyword-value]"),
    BAD("tag of nothing", ORCH "        pl.dump_tag()\n",
        "7:9: pl.dump_tag takes 1 arguments by position, found 0 [form-arity]"),
    NEAR("tag in an orchestrator", "op-placement", ORCH "        pl.dump_tag(x)\n"),
};

#define SUBMIT(rest)    ORCH "        y, t = pl.submit(self.k, x, g" rest ")\n"
#define PREDICATE(what) SUBMIT(", predicate=" what)
#define ONE                                                                                        \
    "the predicate of pl.submit must be one comparison of an element of a tensor with a literal "  \
    "integer [predicate]"
#define SIGNED                                                                                     \
    "the predicate of pl.submit must be of a tensor of signed integers of 8 bits or more "         \
    "[predicate]"
#define INDICES                                                                                    \
    "the predicate of pl.submit must be of one element: an index from 0 on for each dimension "    \
    "[predicate]"

static const struct verify_case launches[] = {
    BAD("lanes of a plain launch", SUBMIT(", core_num=2"),
        "7:40: pl.submit has no keyword 'core_num' [keyword-unknown]"),
    BAD("launch of no lanes", ORCH "        r = pl.spmd_submit(self.k, x, g)\n",
        "7:13: pl.spmd_submit needs the keyword 'core_num' [keyword-required]"),
    BAD("start by a number",
        ORCH "        r = pl.spmd_submit(self.k, x, g, core_num=2, sync_start=1)\n",
        "7:65: keyword 'sync_start' of pl.spmd_submit must be True or False [keyword-value]"),
    BAD("dump of what is not given", SUBMIT(", dumps=[u]"),
        "7:47: keyword 'dumps' of pl.submit must be a list of arguments of the launch "
        "[keyword-value]"),
    NEAR("dump of an argument, twice", "keyword-value", SUBMIT(", dumps=[x, x]")),
    BAD("dumps of a call", ORCH "        self.k(x, g, dumps=[x])\n",
        "7:22: k has no keyword 'dumps' [keyword-unknown]"),
    BAD("dependences in a cluster",
        ORCH
        "        y, t = pl.submit(self.k, x, g)\n        with pl.cluster():\n            z, s = "
        "pl.submit(self.k, x, g, deps=[t])\n",
        "9:49: 'deps' of pl.submit cannot be given inside pl.cluster(), which is one task "
        "[keyword-place]"),
    BAD("directions of fewer arguments",
        ORCH "        self.k(x, g, attrs={'arg_directions': [pl.adir.input]})\n",
        "7:47: attribute 'arg_directions' of the call of 'k' must be a list of one pl.adir for "
        "each "
        "argument [call-attribute]"),
    BAD("unknown direction",
        ORCH "        self.k(x, g, attrs={'arg_directions': [pl.adir.input, pl.adir.sideways]})\n",
        "7:47: attribute 'arg_directions' of the call of 'k' must be a list of one pl.adir for "
        "each "
        "argument [call-attribute]"),
    BAD("dependences as an attribute",
        ORCH "        self.k(x, g, attrs={'manual_dep_edges': [x]})\n",
        "7:49: attribute 'manual_dep_edges' of the call of 'k' must be left to deps= of a launch "
        "[call-attribute]"),
    NEAR("directions of all arguments", "call-attribute",
         ORCH "        self.k(x, g, attrs={'arg_directions': [pl.adir.input, pl.adir.inout]})\n"),

    NEAR("element against a number", "predicate", PREDICATE("g[n, 0] > -1")),
    NEAR("number against an element", "predicate", PREDICATE("0 < pl.read(g, [0, 1])")),
    BAD("no comparison", PREDICATE("g[0, 0]"), "7:50: " ONE),
    BAD("comparison of a scalar", PREDICATE("n > 0"), "7:50: " ONE),
    BAD("comparison with a scalar", PREDICATE("g[0, 0] > n"), "7:50: " ONE),
    BAD("arithmetic on the element", PREDICATE("g[0, 0] % 8 == 0"), "7:50: " ONE),
    BAD("element without a sign", PREDICATE("u[0] > 0"), "7:50: " SIGNED),
    BAD("negative index", PREDICATE("g[0, -1] > 0"), "7:50: " INDICES),
    BAD("real index", PREDICATE("g[0, f] > 0"), "7:50: " INDICES),
    BAD("condition on what a task still makes",
        ORCH "        y, t = pl.submit(self.k, x, g)\n        z: pl.Tensor[[4], pl.INT32] = "
             "pl.tensor.create([4], dtype=pl.INT32)\n        z, s = pl.submit(self.k, x, z)\n"
             "        r = pl.submit(self.k, x, g, deps=[t], predicate=z[0] > 0)\n",
        "10:57: the predicate of pl.submit reads 'z', which task 's' makes: deps must hold that "
        "task [predicate-deps]"),
    BAD("condition on an earlier task of that name",
        ORCH "        z: pl.Tensor[[4], pl.INT32] = pl.tensor.create([4], dtype=pl.INT32)\n"
             "        z, s = pl.submit(self.k, x, z)\n        y, s = pl.submit(self.k, x, g)\n"
             "        r = pl.submit(self.k, x, g, deps=[s], predicate=z[0] > 0)\n",
        "10:57: the predicate of pl.submit reads 'z', which task 's' makes: deps must hold that "
        "task [predicate-deps]"),
    NEAR("condition on what a task has made", "predicate-deps",
         ORCH "        z: pl.Tensor[[4], pl.INT32] = pl.tensor.create([4], dtype=pl.INT32)\n"
              "        z, s = pl.submit(self.k, x, z)\n"
              "        r = pl.submit(self.k, x, g, deps=[s], predicate=z[0] > 0)\n"),
};

static const struct verify_case kernels[] = {
    BAD("half of a tile outside of halves",
        "def k(t: pl.Tile[[4, 64], pl.FP32]):\n    u = pl.tile.aiv_shard(t)\n",
        "2:9: tile.aiv_shard needs the keyword 'split' [keyword-required]"),
    NEAR("half of a tile that says how", "keyword-required",
         "def k(t: pl.Tile[[4, 64], pl.FP32]):\n    u = pl.tile.aiv_shard(t, split=1)\n"),
    NEAR("half of a tile in halves", "keyword-required",
         "@pl.function(type=pl.FunctionType.InCore)\ndef k(t: pl.Tile[[4, 64], pl.FP32]):\n    for "
         "i "
         "in pl.split_aiv(2, mode=pl.SplitMode.UP_DOWN):\n        u = pl.tile.aiv_shard(t)\n"),
    BAD("half of a window",
        "def k(t: pld.DistributedTensor[[4, 64], pl.FP32]):\n    for i in pl.split_aiv(2, "
        "mode=pl.SplitMode.UP_DOWN):\n        u = pl.tensor.aiv_shard(t)\n",
        "3:33: argument 'tensor' of tensor.aiv_shard must be a plain Tensor, found "
        "pld.DistributedTensor[[4, 64], pl.FP32] [argument-kind]"),
    BAD("places of unsigned elements",
        "def k(t: pl.Tile[[4, 64], pl.UINT16], s: pl.Scalar[pl.UINT16], u: pl.Tile[[4, 64], "
        "pl.UINT8]):\n    p = pl.tile.gather_compare(t, s, u, out_cols=8)\n",
        "2:32: argument 'src' of tile.gather_compare must hold pl.FP16, pl.FP32, pl.INT16 or "
        "pl.INT32, found pl.UINT16 [argument-dtype]"),
    NEAR("places of signed elements", "argument-dtype",
         "def k(t: pl.Tile[[4, 64], pl.INT16], s: pl.Scalar[pl.INT16], u: pl.Tile[[4, 64], "
         "pl.UINT8]):\n    p = pl.tile.gather_compare(t, s, u, out_cols=8)\n"),
    BAD("assigned twice where a function is strict",
        "@pl.function(strict_ssa=True)\ndef k(n: pl.Scalar[pl.INDEX]):\n    m = n + 1\n    m = n "
        "+ 2\n",
        "4:5: 'm' is assigned again; in SSA form each variable is defined once [ssa-single]"),
    BAD("assigned twice behind a branch where a function is strict",
        "@pl.function(strict_ssa=True)\ndef k(n: pl.Scalar[pl.INDEX]):\n    if n > 1:\n        m = "
        "1\n"
        "    m = 2\n",
        "5:5: 'm' is assigned again; in SSA form each variable is defined once [ssa-single]"),
    BAD("assigned twice around a loop that carries where a function is strict",
        "@pl.function(strict_ssa=True)\ndef k(n: pl.Scalar[pl.INDEX]):\n    m = 1\n    for i, (c,) "
        "in "
        "pl.range(2, init_values=(0,)):\n        m = 2\n        r = pl.yield_(c)\n    m = 3\n",
        "7:5: 'm' is assigned again; in SSA form each variable is defined once [ssa-single]"),
    NEAR("assigned twice in scopes of their own where a function is strict", "ssa-single",
         "@pl.function(strict_ssa=True)\ndef k(n: pl.Scalar[pl.INDEX]):\n    m = 1\n    if n > 1:\n"
         "        m = 2\n    else:\n        m = 3\n    for i, (c,) in pl.range(2, "
         "init_values=(0,)):\n"
         "        t = 2\n        r = pl.yield_(c)\n    t = 3\n"),
    BAD("assigned twice where a program is strict",
        "@pl.program(strict_ssa=True)\nclass P:\n    @pl.function\n    def k(self, n: "
        "pl.Scalar[pl.INDEX]):\n        m = 1\n        m = 2\n",
        "6:9: 'm' is assigned again; in SSA form each variable is defined once [ssa-single]"),
    NEAR("assigned twice where a function of a program is strict", "ssa-single",
         "@pl.program\nclass P:\n    @pl.function(strict_ssa=True)\n    def k(self, n: "
         "pl.Scalar[pl.INDEX]):\n        m = 1\n        m = 2\n"),
    BAD("slots beside a whole array",
        ORCH
        "        a = pl.array.create(4, pl.TASK_ID)\n        r = pl.submit(self.k, x, g, deps=[a, "
        "a[0]])\n",
        "8:46: deps of pl.submit must be a list of task ids, found slots beside a whole array "
        "[submit-deps]"),
    NEAR("slots of an array", "submit-deps",
         ORCH "        a = pl.array.create(4, pl.TASK_ID)\n        r = pl.submit(self.k, x, g, "
              "deps=[a[1], a[0]])\n"),
};

static const struct verify_case statics[] = {
    BAD("false", INCORE "    pl.static_assert(2 > 3)\n",
        "3:22: pl.static_assert does not hold [static-assert]"),
    BAD("false, and why", INCORE "    pl.static_assert(0.0, 'no room')\n",
        "3:22: pl.static_assert does not hold: no room [static-assert]"),
    BAD("a value of the running program",
        "def k(n: pl.Scalar[pl.INT32]):\n    pl.static_assert(n > 3)\n",
        "2:22: pl.static_assert asks for what is not known while the text is read "
        "[static-assert]"),
    BAD("message that is no string", INCORE "    pl.static_assert(True, 3)\n",
        "3:28: pl.static_assert takes a string as its message [static-assert]"),
    NEAR("true by a constant of the module", "static-assert",
         "N = 4\ndef k():\n    pl.static_assert(N > 3, 'no room')\n"),
    BAD("nothing to print", INCORE "    pl.static_print()\n",
        "3:5: pl.static_print takes 1 or more arguments by position, found 0 [form-arity]"),
    NEAR("printed with what it holds", "form-arity",
         "def k(n: pl.Scalar[pl.INT32]):\n    pl.static_print('n', f'{n}', n)\n"),
};

#define TEXTS(table) GROUP(table, false, IR_PROPERTY_COUNT)

const struct verify_group verify_scope_groups[] = {TEXTS(nesting), TEXTS(keywords), TEXTS(launches),
                                                   TEXTS(kernels), TEXTS(statics)};
const size_t verify_scope_group_count = sizeof verify_scope_groups / sizeof *verify_scope_groups;
