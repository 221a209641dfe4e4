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
    {"a smaller program of the same form: its windows too",
     "echo '// fencebench: scale 64=16' >> b/build.bind && $F compile --emit=asm b", 0,
     "window  data                 offset     32,    128 bytes of fp32\n"
     "; window  sig                  offset    160,      4 bytes of int32"},
    {"and its verdict", "echo '// fencebench: scale 64=16' >> b/build.bind && $F explore b", 0,
     "clean"},
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
    {"neither a run nor what submits the tasks", "rm " RUN "; $F check b", 2,
     "b: error: holds neither a recorded run, dfx_outputs/rank0/d0/deps.json, nor the "
     "orchestration's "
     "text, relay/orchestration/PROGRAM.cpp"},
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
     "deps.json: error: is no recorded run of 'publish': an argument has no tensor_id, dtype or "
     "shape that is known"},
    {"where it does not matter",
     "sed -i 's/\"73\",\"dtype\":\"FLOAT32\"/\"73\",\"dtype\":\"INT3\"/' " RUN
     "; echo '// fencebench: tasks publish, wait' >> b/build.bind; $F explore b",
     0, "clean"},
    {"elements of another size: the context of a wait is no tensor",
     "sed -i 's/\\[-1,1,-1\\]/[-1,2,-1]/; "
     "s/\\[-1,2,-1\\],\"block_num\":2/[-1,1,-1],\"block_num\":2/' " RUN "; $F check b",
     2, "wait.pto:2:41: error: the recorded run gives 'wait' elements of 4 bytes here, not of 8"},
};

/* ---- with the texts that submit the tasks ---- */

#define CHIP "b/next_levels/relay/orchestration/relay.cpp"
#define HOST "b/orchestration/host_orch.py"
#define META "b/distributed_meta.json"
#define BARE "rm -r b/dfx_outputs; "
#define TEXTS                                                                                      \
    "T=$K/../tests/files/pto/relay_texts && mkdir b/orchestration b/next_levels/relay/"            \
    "orchestration && cp $T/relay.cpp " CHIP " && cp $T/host_orch.py " HOST                        \
    " && cp $T/distributed_meta.json " META " && chmod -R u+w b && rm b/build.bind && "
/* The peer of rank 0 is rank 1, of which the recorded run knows that there are two (rows). */
static const struct {
    const char *name, *line;
    int code;
    const char *part;
} texts[] = {
    {"scalars of the orchestration, extents of the recorded run", "$F explore b", 0, "clean"},
    {"it is the peer indeed: where all write to rank 0, they race",
     "sed -i 's/int32_t peer = .*/int32_t peer = tp_rank * 0;/' " CHIP "; $F explore b", 1,
     "race at data[0..127]@0"},
    {"what is said counts first",
     "sed -i 's/int32_t peer = .*/int32_t peer = 0;/' " CHIP
     "; $F explore --arg publish.arg2=1-rank b",
     0, "clean"},
    {"a value that is not read",
     "sed -i 's/int32_t peer = .*/int32_t peer = look_up(tp_rank);/' " CHIP "; $F check b", 2,
     "relay.cpp:33:24: error: the value of publish.arg2 is not read from here: 'look_up'; give "
     "--arg "
     "publish.arg2=EXPRESSION"},
    {"a statement that is not read, where that does no harm",
     "sed -i 's/^ *rt_submit_aiv_task(2.*/&switch (1) {}/' " CHIP "; $F explore b", 0, "clean"},
    {"and where it does",
     "sed -i 's/CoreTaskArgs params_t0;/switch (1) {}&/' " CHIP "; $F explore b", 2,
     "relay.cpp:36:9: error: the orchestration is not read: the statement at 'switch' is not read"},
    {"a host that is not read",
     "sed -i 's/add_scalar(rank__idx_v0)/add_scalar(table[0])/' " HOST "; $F check b", 2,
     "the value of publish.arg2 is not read from here: the host's scalar 0, 'table[0]'"},
    {"a host that is not there", "rm " HOST "; $F check b", 2,
     "publish.arg2 is not read from here: there is no orchestration/host_orch.py"},
    {"a division by 0",
     "sed -i 's/% static_cast<int32_t>(rows)/% (rows - 2)/' " CHIP "; $F check b", 2,
     "the value of publish.arg2 is not read from here: it divides by 0 or -1"},
    {"another kernel than was recorded",
     "sed -i 's/rt_submit_aiv_task(1,/rt_submit_aiv_task(2,/' " CHIP "; $F check b", 2,
     "relay.cpp:54:41: error: the recorded run has wait as task 1, not read"},
    {"other blocks", "sed -i 's/set_block_num(rows)/set_block_num(rows * 2)/' " CHIP "; $F check b",
     2, "relay.cpp:79:9: error: the recorded run has read with 2 blocks, not with 4"},
    {"one task more", "sed -i 's/^ *rt_submit_aiv_task(2.*/&&/' " CHIP "; $F check b", 2,
     "the recorded run has 4 tasks, and not this one"},
    {"one task less", "sed -i '/^ *rt_submit_aiv_task(2/d' " CHIP "; $F check b", 2,
     "relay.cpp: error: submits 3 tasks, where the recorded run has 4"},
    {"ranks that differ",
     "sed -i 's/params_t0.add_inout(ext_sig);/&if (tp_rank == 1) params_t0.add_scalar(1);/' " CHIP
     "; $F check b",
     2, "rank 1 does not submit here what rank 0 submits"},
    {"other sizes than those that were recorded", "$F compile --emit=asm --arg ROWS=4 b", 0,
     "local   out                  offset    704,   1024"},
    {"not recorded: an extent that nobody says", BARE "$F check b", 2,
     "relay.cpp: error: the host program does not say what is ROWS; give --arg ROWS=NUMBER or a "
     "line "
     "'// fencebench: arg ROWS=NUMBER'"},
    {"and that is said", BARE "echo '// fencebench: arg ROWS=2' > b/build.bind; $F explore b", 0,
     "clean"},
    {"not recorded: as many ranks as devices", BARE "$F explore --arg ROWS=2 b", 0,
     "b P=2 a2a3 ptoas-0.57: "},
    {"windows one behind the other, in parts of 32 bytes",
     BARE "$F compile --emit=asm --arg ROWS=2 b", 0,
     "window  sig                  offset    544,      4 bytes"},
    {"the data begins where the flag ends", BARE "$F compile --emit=asm --arg ROWS=2 b", 0,
     "window  data                 offset     32,    512 bytes"},
    {"not recorded: nobody waits for the peer",
     BARE "sed -i 's/if (late.is_valid()).*//' " CHIP "; $F explore --arg ROWS=2 b", 1,
     "publish.pto:30:3: error: race at data["},
    {"not recorded: those that are named",
     BARE "echo '// fencebench: tasks publish, read' > b/build.bind; $F explore --arg ROWS=2 b", 1,
     "publish.pto:30:3: error: race at data["},
    {"not recorded: a task that is not there",
     BARE "echo '// fencebench: tasks push' > b/build.bind; $F check --arg ROWS=2 b", 2,
     "b/build.bind:1:22: error: no task of the orchestration is 'push'"},
    {"not recorded: a statement that is not read",
     BARE "sed -i 's/^ *rt_submit_aiv_task(2/switch (1) {}&/' " CHIP "; $F check --arg ROWS=2 b", 2,
     "relay.cpp:79:1: error: the orchestration is not read: the statement at 'switch' is not read"},
    {"not recorded: a loop of as many turns as nobody says",
     BARE "sed -i 's/rt_submit_aiv_task(2/for (int64_t i = 0; i < rows; i += 1) &/' " CHIP
          "; $F check b",
     2, "the host program does not say what is ROWS"},
    {"no table of tensors: two ranks", BARE "rm " META "; $F check --arg ROWS=2 -P 2 b", 0, ""},
    {"no number of a kernel",
     BARE "sed -i 's/rt_submit_aiv_task(1,/rt_submit_aiv_task(9,/' " CHIP
          "; $F check --arg ROWS=2 b",
     2, "relay.cpp:54:41: error: no kernel has number 9"},
    {"blocks out of range",
     BARE "sed -i 's/set_block_num(rows)/set_block_num(rows - 2)/' " CHIP
          "; $F check --arg ROWS=2 b",
     2, "relay.cpp:79:9: error: a size is not known: 0 blocks are out of range"},
    {"a window by what the host says, where nothing of the kernel shows it",
     BARE "sed -i 's/params_t2.add_input(ext_data);//; "
          "s/params_t2.add_output(out);/&params_t2.add_input(ext_data);/' " CHIP
          "; echo '// fencebench: tasks read' > b/build.bind; $F compile --emit=asm --arg ROWS=2 b",
     0, "window  out                  offset     32,    512 bytes of fp32"},
    {"and of a recorded run",
     "sed -i 's/params_t2.add_input(ext_data);//; "
     "s/params_t2.add_output(out);/&params_t2.add_input(ext_data);/' " CHIP
     "; sed -i 's/\"73\"/\"70\"/g; "
     "s/\"idx\":0,\"type\":\"INPUT\",\"tensor_id\":\"71\"/"
     "\"idx\":0,\"type\":\"INPUT\",\"tensor_id\":\"70\"/; "
     "s/\"idx\":1,\"type\":\"OUTPUT_EXISTING\",\"tensor_id\":\"70\"/"
     "\"idx\":1,\"type\":\"OUTPUT_EXISTING\",\"tensor_id\":\"71\"/' " RUN
     "; echo '// fencebench: tasks read' > b/build.bind; $F compile --emit=asm b",
     0, "window  out"},
    {"a name that the host does not have", BARE "$F check --arg ROWS=2 --arg COLS=2 b", 2, "COLS"},
    {"a host that submits twice", "sed -i 's/^ *_submit_chip.*/&\\n&/' " HOST "; $F check b", 2,
     "host_orch.py:27:13: error: 'relay' is submitted more than once"},
    {"a host that submits another program",
     "sed -i 's/callables\\[\"relay\"/callables[\"other\"/' " HOST "; $F check b", 2,
     "host_orch.py:26:13: error: what is submitted is not read: '_submit_chip("},
    {"a window without a size", "sed -i 's/nbytes=.*4 + 31.*/nbytes=0),/' " HOST "; $F check b", 2,
     "host_orch.py:9:13: error: a window's size is not read: '0'"},
    {"a window whose size is no number",
     "sed -i 's/nbytes=.*4 + 31.*/nbytes=big),/' " HOST "; $F check b", 2, "host_orch.py:9:"},
    {"a tensor that is not read",
     "sed -i 's/make_tensor_arg(orch._worker, tensors.\"t__/f(t[\"/' " HOST "; $F check b", 2,
     "host_orch.py:20:13: error: a tensor of the chip program is not read: 'f(t["},
    {"a table that is no JSON", "echo '{' > " META "; $F check b", 2, "distributed_meta.json:2:"},
    {"two runs of a rank",
     "mkdir b/dfx_outputs/rank0/d1 && cp " RUN " b/dfx_outputs/rank0/d1; $F check b", 2,
     "b/dfx_outputs/rank0: error: holds several recorded runs; expected one"},
    /* Every command. */
    {"lint", BARE "$F lint --arg ROWS=2 b", 0, "nothing is missing"},
    {"lint of what lacks its fence",
     "sed -i '/fence.barrier_all/d' b/next_levels/relay/ptoas/publish.pto; $F lint b", 1,
     "publish.pto:41:3: error: missing drain: pto.tstore to data"},
    {"and its repair",
     BARE "sed -i '/fence.barrier_all/d' b/next_levels/relay/ptoas/publish.pto; $F repair "
          "--runs=10 --arg ROWS=2 b",
     0, "+++ b/next_levels/relay/ptoas/publish.pto\n"},
    {"run", BARE "$F run --arg ROWS=2 b", 0, "1 runs: clean"},
    {"check", BARE "$F check --runs=20 --arg ROWS=2 b", 0, "clean"},
    {"sweep", BARE "$F sweep --runs=5 --arg ROWS=2 b", 0, "every marker of R1"},
    {"minimize", BARE "$F minimize --runs=5 --arg ROWS=2 b", 0, "(100 % saved)"},
    {"flushes", BARE "$F flushes --arg ROWS=2 b", 0, "flushes per rank"},
    {"a kernel that runs several times",
     BARE "sed -i 's/^ *rt_submit_aiv_task(2/for (int64_t i = 0; i < rows; i += 1) &/' " CHIP
          "; $F compile --emit=asm --arg ROWS=2 b | grep -c ' task read '",
     0, "2\n"},
    {"a run of another dispatch", "mv b/dfx_outputs/rank0/d0 b/dfx_outputs/rank0/d60; $F explore b",
     0, "clean"},
};

static void expect_row(const char *setup, const char *name, const char *line, int code,
                       const char *part)
{
    struct session s;
    session_open(&s);
    struct session_result r =
        session_shell(&s, arena_printf(&s.arena, COPY "%s (%s)", setup, line));
    const char *text = code == 2 ? r.err : r.out;
    cr_expect(r.code == code && strstr(text, part), "%s: expected code %d and\n%s\nin %d\n%s%s",
              name, code, part, r.code, r.out, r.err);
    session_close(&s);
}

Test(build_dir, texts)
{
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        expect_row(TEXTS, texts[i].name, texts[i].line, texts[i].code, texts[i].part);
}

Test(build_dir, programs)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect_row("", rows[i].name, rows[i].line, rows[i].code, rows[i].part);
}
