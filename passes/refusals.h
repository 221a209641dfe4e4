/* SPDX-License-Identifier: MIT */
/*
 * What passes refuse, a row each: X(ENUM, "name", "message"). docs/passes.md explains the names. A
 * report replaces the message's <placeholders> in order and ends in the name, as the errors of
 * ir/rules.h do.
 */
#ifndef PASSES_REFUSALS_H
#define PASSES_REFUSALS_H

#include "ir/ir.h"

// clang-format off
#define PASS_REFUSALS(X) \
    /* InlineFunctions */ \
    X(INLINE_TASK, "inline-nested", "the Inline function '<function>' is no task and cannot be launched") \
    X(INLINE_NESTED, "inline-nested", "a call of the Inline function '<function>' stands inside of an expression; assign what it gives to a name first") \
    X(INLINE_REBINDS, "inline-rebinds", "the Inline function '<function>' assigns to its parameter '<parameter>', for which this call gives no variable") \
    X(INLINE_RETURN, "inline-return", "the Inline function '<function>' returns before its last statement") \
    X(INLINE_RECURSIVE, "inline-recursive", "the Inline function '<function>' calls itself") \
    /* UnrollLoops */ \
    X(UNROLL_ROUNDS, "unroll-rounds", "a loop of more than <number> rounds is not unrolled; pl.range is for longer ones") \
    X(UNROLL_SIZE, "unroll-size", "the rounds of this loop, one behind the other, are more than <number> statements") \
    /* CtrlFlowTransform */ \
    X(JUMP_SIZE, "jump-size", "what stands behind the breaks and continues of this loop, once for each way to it, is more than <number> statements") \
    /* ConvertToSSA */ \
    X(SSA_RESERVED, "reserved-name", "two underscores in the name '<variable>': they stand in front of the versions that ConvertToSSA counts") \
    X(SSA_UNDEFINED, "undefined-value", "'<variable>' has no value here: not every path to this line gives it one") \
    /* FlattenCallExpr */ \
    X(WHILE_CONDITION, "while-condition", "a call in the condition of a while loop is evaluated once, before the loop, and this one needs '<variable>', which the loop changes") \
    /* OutlineHierarchyScopes, OutlineIncoreScopes, OutlineClusterScopes */ \
    X(OUTLINE_FORM, "outline-form", "'<variable>' comes from outside of this scope and is assigned anew in it: ConvertToSSA gives each variable one definition") \
    X(OUTLINE_TUPLE, "outline-argument", "'<variable>' is a tuple, which no task takes or gives back; take its values apart in front of the scope or behind it") \
    X(OUTLINE_WAIT, "outline-wait", "pld.system.defer_wait registers what a task at level CORE_GROUP ends with; it cannot stand in <what>") \
    X(OUTLINE_NO_DEP, "outline-argument", "no_dep_args= names '<tensor>', which the scope neither reads nor writes") \
    X(OUTLINE_SPMD, "outline-blocks", "pl.cluster() is launched in the blocks of one pl.spmd(), this is a second one") \
    X(OUTLINE_COUNT, "outline-blocks", "the number of blocks needs '<variable>', which pl.cluster() around it defines; compute it in front of the cluster") \
    /* ConvertTensorToTileOps */ \
    X(TILE_OPERAND, "tile-operand", "<op> computes with tiles in a kernel, and argument '<argument>' stays in memory; load it first, or slice it: x[:, :]") \
    X(TRANSFER_TILE, "transfer-tile", "<op> copies from memory to memory, and this value is computed in a tile; pld.tensor.remote_store sends a computed value") \
    X(TILE_SHAPE, "tile-shape", "the shape of the tile that <op> needs is not known at compile time") \
    X(TILE_VIEW, "tile-view", "<op> is a view of memory, and this value is computed in a tile") \
    X(SLICE_SCALAR, "slice-scalar", "a slice that drops every dimension is no tile; read the element, or keep one dimension") \
    X(ATOMIC_TILE, "atomic-assemble", "tensor.assemble with atomic= needs a tensor in memory to add to, and this one is a tile") \
    X(ATOMIC_COPY, "atomic-assemble", "tensor.assemble with atomic= adds a computed value, and this one lies in memory") \
    X(REINTERPRET_LAYOUT, "reinterpret-layout", "tensor.reinterpret_view in a kernel needs packed rows of layout ND") \
    X(TILE_DIVISION, "tile-division", "only a matrix of FP16 or FP32 is divided by a column, without high_precision") \
    X(BATCH_CONDITION, "batch-condition", "tensor.matmul_acc of more than two dimensions takes no init_cond") \
    X(EXPAND_SHAPE, "expand-shape", "<op> repeats a tensor of three dimensions along one of them, whose extent is 1") \
    X(GATHER_SHAPE, "gather-shape", "<op> in a kernel works on these dimensions and element types only: <what>") \
    X(INDEX_RANGE, "index-range", "<op> with indices of 16 bits reaches 32768 elements, this one has more") \
    X(MIXED_STORES, "mixed-stores", "'<tensor>' is written by tile stores and by tensor.write in one kernel, and nothing orders or keeps coherent the two paths; write the elements of one tile and store it, or use tensor.write for all of them") \
    X(COMPUTED_RETURN, "computed-return", "a computed tensor is returned before the last statement") \
    X(RETURN_TYPE, "return-type", "the function returns a computed value that is no tensor of a known shape") \
    X(OUTPUT_CALL, "output-call", "'<function>' gives back a computed tensor; call it as the value of an assignment or as a statement") \
    X(WRAPPER_CALLS, "wrapper-calls", "'<function>' passes on one kernel, and calls a second one that gives back a computed tensor") \
    /* LowerAutoVectorSplit, SplitVectorKernel */ \
    X(SPLIT_MODE, "split-mode", "mode= of pl.split_aiv must be a pl.SplitMode") \
    X(SPLIT_NESTED, "split-nested", "pl.split_aiv stands in another scope, which no pass takes out of an InCore function") \
    X(SPLIT_REDUCES, "split-reduces", "<op> reduces the axis that the vector lanes share: each would reduce a part") \
    X(SPLIT_RESHAPES, "split-reshapes", "the reshaped tile has no axis along which the vector lanes could share it") \
    X(SPLIT_TRANSPOSES, "split-transposes", "tile.transpose takes the axis that the vector lanes share to another place") \
    X(SPLIT_GENERATES, "split-generates", "what <op> makes depends on the place in the tile, which the halving moves") \
    X(SPLIT_WHOLE, "split-whole", "'<variable>' goes to the cube and is not halved between the vector lanes: there are no two halves to gather") \
    X(SPLIT_CONFLICT, "split-conflict", "'<function>' pushes or pops tiles that are split in different ways") \
    /* StampTfreeSplit */ \
    X(TFREE_DIRECTION, "tfree-pop", "<op> gives back a slot of the other direction: its tile comes from <op>") \
    X(TFREE_ID, "tfree-pop", "<op> names pipe <number>, and its tile comes from pipe <number>") \
    /* ExpandMixedKernel */ \
    X(MIXED_CALLEE, "mixed-callee", "'<function>' works on the cube and on vectors, which are two lanes of a Group: another kernel cannot call it") \
    X(MIXED_NAME, "mixed-name", "'<variable>' names a tile of the cube and one of the vector cores; give the two different names") \
    X(WAITER_TASK, "waiter-task", "pld.system.defer_wait in '<function>', which is not the body of a task: write with pl.at(level=pl.Level.CORE_GROUP) around it, and deps=[task] at what waits for it") \
    X(WAITER_CORES, "waiter-task", "'<function>' registers what completes its task, so it must be a kernel of the vector cores") \
    X(WAITER_LAUNCH, "waiter-launch", "'<function>' registers what completes its task, and cannot be launched <so>") \
    X(WAITER_UNUSED, "waiter-launch", "'<function>' registers what completes its task, and no orchestrator launches it") \
    X(WAITER_BODY, "waiter-body", "a task with pld.system.defer_wait registers conditions, reads and computes scalars, and does nothing else; found <what>") \
    X(WAITER_AFTER, "waiter-body", "a task reads no memory behind its first pld.system.defer_wait") \
    X(WAITER_ROUNDS, "waiter-body", "how often a loop with pld.system.defer_wait runs must be known at compile time") \
    X(WAITER_LIMIT, "waiter-limit", "the task may register <number> conditions, 64 at the most") \
    /* SynthesizeAllReduceSignals */ \
    X(ALLREDUCE_DIRECT, "direct-call", "pld.tensor.allreduce must be a direct assignment, a statement of its own or what a return returns") \
    X(ALLREDUCE_LOOP, "loop-signal", "pld.tensor.allreduce in a for/while loop needs a signal of its own: pld.tensor.allreduce(target, signal, ...)") \
    X(ALLREDUCE_RING, "ring-signal", "pld.tensor.allreduce with mode=\"ring\" needs a signal of its own: pld.tensor.allreduce(target, signal, ...)") \
    /* MaterializeCommDomainScopes (pypto-facts 4.3) */ \
    X(SCOPE_PLACE, "window-outside-scope", "this window buffer is outside of the comm_domain scopes of '<function>'") \
    X(VIEW_VARIABLE, "window-variable", "'<variable>' stands for a window buffer and for something else; give the two different names") \
    X(NO_WINDOW, "window-missing", "window buffer '<window>' has no pld.tensor.window materialisation") \
    X(NO_DISPATCH, "window-not-dispatched", "window buffer '<window>' is not consumed by any chip_orch dispatch") \
    X(SAME_NAME, "window-same-name", "two window buffers of one communication domain are named '<window>'") \
    X(DEVICE_EXPRESSION, "device-expression", "device= must be a ConstInt or the variable of an enclosing for loop, found <expression>") \
    X(DEVICE_VARIABLE, "device-variable", "device= must be a ConstInt or the variable of an enclosing for loop, and '<variable>' is neither") \
    X(DEVICE_NEGATIVE, "device-negative", "device= must be at least 0, found <number>") \
    X(LOOP_BOUND, "device-loop-bound", "loop bound must be ConstInt or pld.system.world_size()") \
    X(LOOP_CONSTANT, "device-loop-constant", "start and step of a loop over devices must be ConstInt") \
    X(LOOP_STEP, "device-loop-step", "non-unit-step loop is not supported over devices, found step <number>") \
    X(LOOP_RANGE, "device-loop-range", "a loop over devices must count upwards from 0 or more, found <number> to <number>") \
    X(LOOP_LENGTH, "device-loop-length", "a loop over <number> devices; a communication domain lists at most <number>") \
    X(OPERAND_MISSING, "collective-operand", "<op> lacks its argument '<argument>'; SynthesizeAllReduceSignals must run before this pass") \
    X(OPERAND_VIEW, "collective-view", "argument '<argument>' of <op> is no view of a window buffer of this function") \
    X(DATA_COVERAGE, "collective-coverage", "<op> works on window buffer '<window>', which is not consumed by any chip_orch dispatch") \
    X(BARRIER_COVERAGE, "barrier-coverage", "pld.tensor.barrier needs a signal that a chip_orch dispatch or another collective uses, and window buffer '<window>' has none") \
    X(ALL_TO_ALL_V_LOOP, "all-to-all-v-loop", "pld.tensor.all_to_all_v is not supported inside a for/while loop in a HOST orchestrator") \
    /* MaterializeDistTensorCtx */ \
    X(CTX_COUNT, "ctx-count", "the function '<function>' has <number> DistributedTensor parameters and <number> CommCtx parameters; expected one for each or none") \
    X(CTX_CHANGES, "one-context", "'<variable>' would stand for '<window>' or for '<window>': its data would be those of one window and its context that of another") \
    X(CTX_BRANCHES, "one-context", "the branches give '<variable>' different windows: its data would be those of one and its context that of the other") \
    X(CTX_LOOP, "loop-context", "the loop starts with one window in '<variable>' and carries on with another: the context would stay that of the first") \
    X(CTX_PLACE, "ctx-place", "the context of this window cannot be bound in the condition of a while loop; call the function before the loop") \
    X(CTX_LINEAGE, "ctx-lineage", "this window is no DistributedTensor parameter of '<function>', so its context is not known") \
    /* LowerCompositeOps and LowerHostTensorCollectives */ \
    X(MODE, "mode", "mode of <op> must be \"mesh\" or \"ring\"") \
    /* LowerCompositeOps */ \
    X(KERNEL_ONLY, "kernel-only", "<op> runs in kernels and host orchestrators, not in the <type> function '<function>'") \
    X(KERNEL_DIRECT, "direct-call", "<op> must be a direct assignment, a statement of its own or what a return returns") \
    X(OPERAND_DIRECT, "direct-operand", "argument '<argument>' of <op> is a call: give its value a name") \
    X(OPERAND_TYPE, "operand-type", "argument '<argument>' of <op> has no known shape: annotate it") \
    X(KERNEL_SIGNAL, "explicit-signal", "<op> needs a signal outside of a host orchestrator") \
    X(KERNEL_CORES, "core-num", "<op> runs on one core outside of a host orchestrator; pl.spmd gives it more") \
    X(MESH_DIMENSIONS, "mesh-signal", "the signal of <op> has <number> dimensions, expected [NR, 1]") \
    X(MESH_SIGNAL, "mesh-signal", "the signal of <op> must be [NR, 1]") \
    X(RING_DIMENSIONS, "ring-signal", "the signal of <op> with mode=\"ring\" has <number> dimensions, expected [2*(NR-1), NR]") \
    X(RING_SIGNAL, "ring-signal", "the signal of <op> with mode=\"ring\" must be [2*(NR-1), NR]") \
    X(STATIC_SHAPE, "static-shape", "dimension <number> of argument '<argument>' of <op> must be known at compile time") \
    X(VALID_DIMENSIONS, "valid-rectangle", "the target of <op> has <number> dimensions, its valid part <number>") \
    X(VALID_RECTANGLE, "valid-rectangle", "the valid part of the target of <op> must be one rectangle") \
    X(VALID_PREFIX, "valid-prefix", "the valid part of the target of <op> with mode=\"ring\" must be its first elements") \
    X(VALID_SIZE, "valid-size", "the valid part of the target of <op> must fit a tile of <number> bytes") \
    X(PACKED_TARGET, "packed-target", "the target of <op> must lie in packed rows of layout ND") \
    X(FP32_ONLY, "fp32-only", "<op> is of FP32 tiles only, its operand holds pl.<dtype>") \
    X(PLAIN_INPUT, "plain-input", "the input of <op> must be a plain tensor in a kernel") \
    /* LowerHostTensorCollectives */ \
    X(HOST_SIGNAL, "explicit-signal", "<op> has no signal; SynthesizeAllReduceSignals makes one") \
    X(HOST_DIRECT, "direct-call", "<op> must be a direct assignment or a statement of its own") \
    X(WINDOW_BOUND, "window-bound", "argument '<argument>' of <op> must be a window that a host orchestrator allocated: it has no window buffer") \
    X(DISTINCT_WINDOWS, "distinct-windows", "arguments '<argument>' and '<argument>' of <op> must be windows of different allocations, both are of '<window>'") \
    X(ONE_DOMAIN, "one-domain", "the windows of <op> must belong to one communication domain around it") \
    X(ONE_WINDOW, "one-window", "'<variable>' would stand for windows of two allocations") \
    X(LANES_CONSTANT, "signal-lanes", "the second extent of the signal of <op> must be a constant") \
    X(LANES, "signal-lanes", "the signal of <op> has <number> lanes, expected <least><number>") \
    X(SIGNAL_RANK, "signal-rank", "the signal of <op> must be [ranks] or [ranks, lanes], found <number> dimensions") \
    X(SIGNAL_CELLS, "signal-ranks", "the signal of <op> has <number> cells for <number> devices") \
    X(RING_CORES, "core-num", "a ring allreduce runs on one core, found core_num=<number>") \
    X(HOST_CORES, "core-num", "core_num=<number> is more than the <number> vector cores of a device") \
    X(ROOT, "root", "root=<number> is none of <number> devices") \
    X(RING_CONSTANT, "ring-size", "a ring allreduce needs data of constant size") \
    X(RING_PARTS, "ring-size", "a ring allreduce of <number> elements cannot be cut in <number> parts") \
    X(RING_RANK, "ring-signal", "the signal of a ring allreduce must be [2*(NR-1)+1, NR], found <number> dimensions") \
    X(RING_RANKS, "ring-ranks", "a ring allreduce of <number> ranks, expected at most <number>") \
    X(RING_SHAPE, "ring-signal", "the signal of a ring allreduce of <number> ranks must be [<number>, <number>]")
// clang-format on

#define PASS_REFUSAL(id, name, message) REFUSE_##id,
enum pass_refusal { PASS_REFUSALS(PASS_REFUSAL) REFUSE_COUNT };
#undef PASS_REFUSAL

/* Reports a refusal at a span of p's text; the strings replace the placeholders, NULL ends them.
 * Returns false. */
bool pass_refuse(struct diag *d, const struct ir_program *p, enum pass_refusal refusal,
                 struct span at, ...) __attribute__((sentinel));

/* The same for a pass whose state holds the diag and the program. */
#define REFUSE(pass, refusal, at, ...)                                                             \
    pass_refuse((pass)->diag, (pass)->prog, REFUSE_##refusal, at, ##__VA_ARGS__, NULL)

#endif
