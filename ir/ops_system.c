/* SPDX-License-Identifier: MIT */
/* Rows of the operator registry: markers, cores and tasks, small arrays, prefetches
 * (pypto-ops-facts 1.2, 3). */
#include "ir/ops_rows.h"

/* clang-format off */
#define PIPE_KW(n) KW(n, 'e', .required = true, .names = "pl.PipeType")
#define CORE_TYPE  KW("core_type", 's')
#define PIPE_SETUP \
    KW("dir_mask", 'i', .required = true), KW("slot_size", 'i', .required = true), KW("slot_num", 'i', .open = true), \
    KW("local_slot_num", 'i', .open = true), KW("id", 'i')

const struct ir_op ir_ops_system[] = {
    /* ---- markers and barriers ---- */
    {"system.fence", "", "", MARKER, -1, S, R(UNKNOWN), NULL, {{0}}, "drain the pipes and order memory"},
    {"system.cacheinvalid", "Tuu", "[tensor,shapes,offsets]", MARKER, 0, S, R(UNKNOWN), NULL, {{0}},
     "clean and invalidate the data cache, or the line at a region's base"},
    {"system.bar_v", "", "", MARKER, -1, V, R(UNKNOWN), NULL, {{0}}, "barrier of the vector pipe"},
    {"system.bar_m", "", "", MARKER, -1, M, R(UNKNOWN), NULL, {{0}}, "barrier of the matrix pipe"},
    {"system.bar_all", "", "", MARKER, -1, S, R(UNKNOWN), NULL, {{0}}, "barrier of all pipes"},
    {"system.sync_src", "", "", MARKER, -1, S, R(UNKNOWN), NULL,
     {PIPE_KW("set_pipe"), PIPE_KW("wait_pipe"), KW("event_id", 'i', .required = true)}, "set an event between two pipes"},
    {"system.sync_dst", "", "", MARKER, -1, S, R(UNKNOWN), NULL,
     {PIPE_KW("set_pipe"), PIPE_KW("wait_pipe"), KW("event_id", 'i', .required = true)}, "wait for an event between two pipes"},

    /* ---- cores of a cluster ---- */
    {"system.set_ffts", "T", "workspace", LANE, -1, S, R(UNKNOWN), NULL, {{0}}, "where cross-core flags lie"},
    {"system.sync_set", "s", "[event_id_dyn]|event_id", LANE, -1, S, R(UNKNOWN), NULL,
     {PIPE_KW("pipe"), KW("event_id", 'i', .open = true, .positional = true), KW("ffts_mode", 'i', .default_value = 2), CORE_TYPE},
     "set a cross-core flag behind a pipe"},
    {"system.sync_wait", "s", "[event_id_dyn]|event_id", LANE, -1, S, R(UNKNOWN), NULL,
     {PIPE_KW("pipe"), KW("event_id", 'i', .open = true, .positional = true), CORE_TYPE}, "wait for a cross-core flag"},
    {"system.syncall", "Ts", "[gm_workspace][,used_cores]|gm_workspace=,used_cores=", LANE, 0, S, R(UNKNOWN), NULL,
     {KW("core_type", 's', .default_is = "mix"), KW("mode", 's', .default_is = "hard")}, "barrier of all blocks of a launch"},
    {"system.aic_initialize_pipe", "**", "c2v_consumer_buf=0,v2c_consumer_buf=0", LANE, -1, S, R(UNKNOWN), NULL, {PIPE_SETUP},
     "the cube core's ends of the pipes to its vector cores"},
    {"system.aiv_initialize_pipe", "**", "c2v_consumer_buf=0,v2c_consumer_buf=0", LANE, -1, S, R(UNKNOWN), NULL, {PIPE_SETUP},
     "a vector core's ends of the pipes to its cube core"},
    {"system.reserve_buffer", "", "", LANE, -1, NONE, R(INT32), NULL,
     {KW("name", 's', .required = true), KW("size", 'i', .required = true), KW("base", 'i', .default_value = -1)},
     "memory of this core for the slots of a pipe"},
    {"system.import_peer_buffer", "", "", LANE, -1, NONE, R(INT32), NULL,
     {KW("name", 's', .required = true), KW("peer_func", 's', .required = true)}, "the other core's memory for the slots of a pipe"},
    {"system.tfree_to_aic", "t", "tile", LANE, -1, S, R(UNKNOWN), NULL, {KW("split", 'i'), KW("id", 'i')},
     "give a slot back to the cube core"},
    {"system.tfree_to_aiv", "t", "tile", LANE, -1, S, R(UNKNOWN), NULL, {KW("split", 'i'), KW("id", 'i')},
     "give a slot back to the vector cores"},

    /* ---- tasks ---- */
    {"system.available_aiv_count", "", "", HOST, -1, NONE, R(INT32), NULL, {{0}}, "number of vector cores"},
    {"system.available_cluster_count", "", "", HOST, -1, NONE, R(INT32), NULL, {{0}}, "number of clusters"},
    {"system.task_dummy", "", "", HOST, -1, NONE, R(TASK_ID), NULL, {KW("deps", '*', .required = true)}, "a task that only joins its deps"},
    {"system.task_invalid", "", "", HOST, -1, NONE, R(TASK_ID), NULL, {{0}}, "no task"},
    {"system.task_is_valid", "s", "task_id", HOST, -1, NONE, R(BOOL), NULL, {{0}}, "whether it is a task"},

    /* ---- arrays on a core's stack ---- */
    {"array.create", "i", "extent", PURE, -1, S, R(ANNOTATED), NULL, {DTYPE}, "array of scalars"},
    {"array.get_element", "*i", "array,index", PURE, -1, S, R(ANNOTATED), NULL, {{0}}, "element of an array"},
    {"array.update_element", "*is", "array,index,value", PURE, -1, S, RA(IN_PLACE, 0), NULL, {{0}},
     "array with another element"},

    /* ---- prefetches into the second cache: they change no data and order nothing ---- */
    {"prefetch.make_context", "", "", PURE, -1, S, R(ANNOTATED), NULL, {{0}}, "context of prefetches"},
    {"prefetch.session", "*", "ctx", PURE, -1, S, R(ANNOTATED), NULL, {{0}}, "session of prefetches"},
    {"prefetch.async_prefetch", "T*", "src,ctx", PURE, -1, S, R(ANNOTATED), NULL, {{0}}, "begin to prefetch a tensor"},
    {"prefetch.wait", "**", "event,session", PURE, -1, S, R(BOOL), NULL, {{0}}, "wait for a prefetch"},

    /* ---- generated host code ---- */
    {"dist.make_tensor", "*i", "rt,count", HOST, -1, NONE, R(UNKNOWN), NULL, {{0}}, "tensor of the host's runtime"},
    {"dist.tree_reduce", "**", "rt,leaves", HOST, -1, NONE, R(UNKNOWN), NULL, {{0}}, "reduction by the host's runtime"},
    {"dist.submit_worker", "*", "rt", HOST, -1, NONE, R(UNKNOWN), NULL, {{0}}, "launch by the host's runtime"},
    {"dist.submit_orchestrator", "*", "rt", HOST, -1, NONE, R(UNKNOWN), NULL, {{0}}, "launch by the host's runtime"},
    {"dist.future_get", "*", "future", HOST, -1, NONE, R(UNKNOWN), NULL, {{0}}, "result of a launch"},

    /* ---- names that the compiler registers for its own tests ---- */
    {"test.op", "**", "arg1,arg2", PURE, -1, NONE, R(UNKNOWN), NULL,
     {KW("int_attr", 'i'), KW("string_attr", 's'), KW("bool_attr", 'b')}, "for the compiler's tests"},
    {"test.deduce_raises_internal", "*", "x", PURE, -1, NONE, R(UNKNOWN), NULL, {{0}}, "for the compiler's tests"},
    {"test.deduce_raises_type", "*", "x", PURE, -1, NONE, R(UNKNOWN), NULL, {{0}}, "for the compiler's tests"},
    {"test.tensor_op_no_conv", "*", "x", PURE, -1, NONE, R(UNKNOWN), NULL, {{0}}, "for the compiler's tests"},
    {0},
};
/* clang-format on */
