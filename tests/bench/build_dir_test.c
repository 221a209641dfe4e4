/* SPDX-License-Identifier: MIT */
/*
 * Programs of build directories (docs/pto.md): what a recorded run says of tasks, edges, buffers and
 * windows, what is said beside it, and what is missing or wrong. The directory of the tests has three
 * kernels, publish, wait and read, with a barrier task between the last two; data begins 32 bytes into a line,
 * and the signal stands in the line where it ends (pto-facts 3.7).
 */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/bench/session.h"
#include "tests/support.h"

#define COPY "cp -r $K/../tests/files/pto/relay_build b && chmod -R u+w b && "
#define RUN  "b/dfx_outputs/rank0/d0/deps.json"

static const struct {
    const char *name, *line;
    int code;
    const char *part; /* of the output, or of the error where the code is 2 */
} rows[] = {
    {"tasks in their order, both ranks that were recorded", "$F explore --build=b", 0,
     "b P=2 a2a3 ptoas-0.57: "},
    {"a directory is a program as well", "$F explore b", 0, "clean"},
    {"windows lie in their lines as they did", "$F compile --emit=asm b", 0,
     "window  sig                  offset    544,      4 bytes"},
    {"unless it is said how", "$F compile --emit=asm --window-align=64 b", 0,
     "window  sig                  offset    512,      4 bytes"},
    {"a task of both vector cores", "sed -i 's/\\[-1,1,-1\\]/[-1,1,1]/' " RUN " && $F explore b", 0,
     "b P=2 a2a3 ptoas-0.57: "},
    {"tensors have the sizes of their buffers",
     "sed -i 's/\"buffer_numel\":\"128\"/\"buffer_numel\":\"256\"/' " RUN
     " && $F compile --emit=asm b",
     0, "window  data                 offset     32,   1024 bytes"},
    {"a part of a buffer begins where it did",
     "sed -i 's/\"buffer_numel\":\"128\"/\"buffer_numel\":\"256\"/; "
     "s/\"tensor_id\":\"73\",\"dtype\":\"FLOAT32\",\"shape\":\\[2,64\\],\"start_offset\":\"0\"/"
     "\"tensor_id\":\"73\",\"dtype\":\"FLOAT32\",\"shape\":[2,64],\"start_offset\":\"64\"/' " RUN
     " && $F compile --emit=asm b | grep -c ', 256 .*read.pto pto.tstore'",
     0, "1\n"},
    {"what is left out orders those around it: nobody waits for the peer",
     "echo '// fencebench: tasks publish, read' >> b/build.bind && $F explore b", 1,
     "publish.pto:30:3: error: race at data["},
    {"no edge, no order",
     "sed -i 's/\"pred\":\"4294967298\"/\"pred\":\"1\"/' " RUN " && $F explore b", 1,
     "publish.pto:30:3: error: race at data["},
    {"scalars must be given", "rm b/build.bind; $F check b", 2,
     "publish.pto:2:66: error: no value for publish.arg2 (i32; used by arith.index_cast on line "},
    {"and can be on the command line", "rm b/build.bind; $F explore --arg publish.arg2=1-rank b", 0,
     "clean"},
    {"an argument that no kernel has", "$F check --arg publish.arg7=1 b", 2, "publish.arg7"},
    {"a task that was not recorded", "echo '// fencebench: tasks push' > b/build.bind; $F check b",
     2, "b/build.bind:1:22: error: no task of the recorded run is 'push'"},
    {"blocks that were recorded",
     "echo '// fencebench: tasks read blocks 4' > b/build.bind; $F check b", 2,
     "blocks and order of 'read' are those of the recorded run"},
    {"no directory", "$F check --build=none", 2,
     "--build=none: no build directory: it has no folder next_levels"},
    {"no run", "rm " RUN "; $F check b", 2, "deps.json: error: cannot open"},
    {"no table", "rm b/next_levels/relay/kernel_config.py; $F check b", 2,
     "b/next_levels: error: holds no kernel_config.py"},
    {"two programs", "cp -r b/next_levels/relay b/next_levels/other; $F check b", 2,
     "b/next_levels: error: holds several programs; expected one"},
    {"no kernel", "rm b/next_levels/relay/ptoas/wait.pto; $F check b", 2,
     "ptoas/wait.pto: error: cannot open"},
    {"no JSON", "echo '{\"tasks\": [' > " RUN "; $F check b", 2, "deps.json:2:"},
    {"no run in it", "echo '{}' > " RUN "; $F check b", 2,
     "is no recorded run: it lacks tasks, tensors or edges"},
    {"a number without a kernel", "sed -i 's/\\[-1,2,-1\\]/[-1,9,-1]/' " RUN "; $F check b", 2,
     "no kernel has number 9"},
    {"more tensors than arguments",
     "sed -i 's/\"args\":\\[{/\"args\":[{\"tensor_id\":\"71\",\"dtype\":\"FLOAT32\","
     "\"shape\":[2,64]},{/' " RUN "; $F check b",
     2, "the recorded run gives 'publish' 3 tensors; argument 2 is none"},
    {"an element type that is not known", "sed -i 's/INT32/INT4/' " RUN "; $F check b", 2,
     "an argument has no tensor_id, dtype or shape that is known"},
    {"elements of another size: the context of a wait is no tensor",
     "sed -i 's/\\[-1,1,-1\\]/[-1,2,-1]/; "
     "s/\\[-1,2,-1\\],\"block_num\":2/[-1,1,-1],\"block_num\":2/' " RUN "; $F check b",
     2, "wait.pto:2:41: error: the recorded run gives 'wait' elements of 4 bytes here, not of 8"},
};

/* ---- scalars of the generated orchestration ---- */

/* The peer is (rank + 1) % 2: the two is the first extent of data as it was recorded. */
#define HEAD                                                                                       \
    "// generated\n#include \"orchestration.h\"\n"                                                 \
    "void aicpu_orchestration_entry(const ChipArgs& orch_args) {\n"                                \
    "    int32_t tp_rank = from_u64<int32_t>(orch_args.scalar(1));\n"
#define ARGS                                                                                       \
    "        CoreTaskArgs params_t0;\n        params_t0.add_output(data);\n"                       \
    "        params_t0.add_inout(sig);\n        params_t0.add_scalar(peer);\n"                     \
    "        params_t0.add_scalar(data_ctx);\n        params_t0.add_scalar(sig_ctx);\n"
#define SUBMIT "        TaskOutputTensors task_0_outs = rt_submit_aiv_task(0, params_t0);\n"
#define PEER                                                                                       \
    "        int64_t rows = (int64_t)data.shapes[0];\n"                                            \
    "        int32_t peer = ((tp_rank + 1) % static_cast<int32_t>(rows));\n"
#define HOST "_ta_0.add_scalar(7)\n_ta_0.add_scalar(rank__idx_v0)\n"

static const struct {
    const char *name, *chip, *host, *command;
    int code;
    const char *part;
} orchestrations[] = {
    {"a definition, an extent, a scalar of the host",
     HEAD "    SIMPLER_SCOPE() {\n" PEER ARGS SUBMIT "    }\n}\n", HOST, "explore b", 0, "clean"},
    {"and it is the peer indeed: where all write to rank 0, they race",
     HEAD "    int32_t peer = 0 * tp_rank;\n" ARGS SUBMIT "}\n", HOST, "explore b", 1,
     "race at data[0..127]@0"},
    {"what is said counts first", HEAD "    int32_t peer = tp_rank;\n" ARGS SUBMIT "}\n", HOST,
     "explore --arg publish.arg2=1-rank b", 0, "clean"},
    {"an operation that is not read",
     HEAD "        int32_t peer = look_up(tp_rank);\n" ARGS SUBMIT "}\n", HOST, "check b", 2,
     "relay.cpp:5:9: error: the value of publish.arg2 is not read from here: 'look_up'; give --arg "
     "publish.arg2=EXPRESSION"},
    {"a loop",
     HEAD "    int32_t peer = 1;\n    for (int64_t i = 0; i < 2; i += 1) {\n" ARGS SUBMIT
          "    }\n}\n",
     HOST, "check b", 2,
     "relay.cpp:13:9: error: the value of publish.arg2 is not read from here: the task "
     "is submitted in a loop or branch"},
    {"a value that changes",
     HEAD "        int32_t peer = 1;\n        peer += 1;\n" ARGS SUBMIT "}\n", HOST, "check b", 2,
     "'peer' changes"},
    {"a value of a branch",
     HEAD "    if (tp_rank) {\n        int32_t peer = 1;\n    }\n" ARGS SUBMIT "}\n", HOST,
     "check b", 2, "'peer' changes"},
    {"a tensor that no task had",
     HEAD "    int64_t peer = (int64_t)other.shapes[0];\n" ARGS SUBMIT "}\n", HOST, "check b", 2,
     "relay.cpp:5:5: error: the value of publish.arg2 is not read from here: no recorded "
     "task has the tensor 'other'"},
    {"a host that is not read", HEAD "    int32_t peer = tp_rank;\n" ARGS SUBMIT "}\n",
     "_ta_0.add_scalar(0)\n_ta_0.add_scalar(table[0])\n", "check b", 2,
     "relay.cpp:4:5: error: the value of publish.arg2 is not read from here: the host's scalar 1, "
     "'table[0]'"},
    {"a cast of nothing", HEAD "    int32_t peer = static_cast<int32_t>;\n" ARGS SUBMIT "}\n", HOST,
     "check b", 2,
     "relay.cpp:5:5: error: the value of publish.arg2 is not read from here: a bracket is missing"},
    {"a definition of itself", HEAD "    int32_t peer = peer + 1;\n" ARGS SUBMIT "}\n", HOST,
     "check b", 2, "it is nested too deeply"},
    {"a task that is not submitted", HEAD "    int32_t peer = 1;\n" ARGS "}\n", HOST, "check b", 2,
     "publish.pto:2:66: error: no value for publish.arg2"},
};

Test(build_dir, scalars)
{
    for (size_t i = 0; i < sizeof orchestrations / sizeof *orchestrations; i++) {
        struct session s;
        session_open(&s);
        session_write(&s, "chip", orchestrations[i].chip);
        session_write(&s, "host", orchestrations[i].host);
        struct session_result r = session_shell(
            &s, arena_printf(&s.arena,
                             COPY "rm b/build.bind && D=b/next_levels/relay/orchestration && mkdir "
                                  "$D b/orchestration && mv chip $D/relay.cpp && mv host "
                                  "b/orchestration/host_orch.py && $F %s",
                             orchestrations[i].command));
        const char *text = orchestrations[i].code == 2 ? r.err : r.out;
        cr_expect(r.code == orchestrations[i].code && strstr(text, orchestrations[i].part),
                  "%s: expected code %d and\n%s\nin %d\n%s%s", orchestrations[i].name,
                  orchestrations[i].code, orchestrations[i].part, r.code, r.out, r.err);
        session_close(&s);
    }
}

Test(build_dir, programs)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct session s;
        session_open(&s);
        struct session_result r =
            session_shell(&s, arena_printf(&s.arena, COPY "(%s)", rows[i].line));
        cr_expect(r.code == rows[i].code, "%s: code %d\n%s%s", rows[i].name, r.code, r.out, r.err);
        const char *text = rows[i].code == 2 ? r.err : r.out;
        cr_expect(strstr(text, rows[i].part), "%s: expected\n%s\nin\n%s", rows[i].name,
                  rows[i].part, text);
        session_close(&s);
    }
}
