/* SPDX-License-Identifier: MIT */
/*
 * Host programs from the outside (kernels/host): the hazards of that level with the verdict that
 * each must have and why, and what `run` says about late starts. The binary is $FENCEBENCH
 * (build/fencebench by default).
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "tests/support.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

enum { CLEAN = 0, FINDINGS = 1, USAGE = 2 };

struct result {
    const char *text; /* both streams */
    int code;
};

static struct result fencebench(struct arena *a, const char *args)
{
    const char *binary = getenv("FENCEBENCH");
    FILE *f = popen(
        arena_printf(a, "timeout 120 '%s' %s 2>&1", binary ? binary : "build/fencebench", args),
        "r");
    struct strbuf b = strbuf_make(a);
    char piece[4096];
    cr_assert(f, "no shell");
    for (size_t n; (n = fread(piece, 1, sizeof piece, f)) > 0;)
        strbuf_addn(&b, piece, n);
    int status = pclose(f);
    return (struct result){b.text ? b.text : "", WIFEXITED(status) ? WEXITSTATUS(status) : 128};
}

/* ---- hazards ---- */

#define HOST              "kernels/host/"
#define WAIT              "check --runs=20 " HOST "wait_then_read.py"
#define SHARED            "check --runs=60 " HOST "shared_line.py"
#define REUSE             "check --runs=40 " HOST "signal_reuse.py"
#define UNREAD            "check --runs=20 " HOST "overwrite_unread.py"
#define LANES             "check --runs=20 " HOST "group_lanes.py"
#define LEADER            "check --runs=20 " HOST "leader_waits.py"
#define BLOCKS            "check --runs=20 " HOST "spmd_blocks.py"
#define DEFERRED          "check --runs=40 " HOST "deferred.py"
#define HAND              "check --runs=60 " HOST "hand_over.py"
#define DIRTY             " --model=" HOST "one_core_dirty.model"
#define TWO               " --model=" HOST "two_cores.model"
#define TWO_DIRTY         " --model=" HOST "two_cores_dirty.model"
#define NO_TAIL           " --toolchain=./" HOST "no_tail.toolchain"
#define TWO_MEMORY        " --model=" HOST "two_cores_memory.model"
#define NO_WAIT           " --toolchain=./" HOST "clean_no_wait.toolchain"
#define RUNTIME           " --toolchain=./" HOST "clean_runtime_waits.toolchain"
#define ASSEMBLER         " --toolchain=./" HOST "assembler_tail.toolchain"
#define ASSEMBLER_RUNTIME " --toolchain=./" HOST "assembler_tail_runtime_waits.toolchain"

#define OLD_LINE "      where     old line at the reader\n      remedy    missing "
#define STALE_LINE                                                                                 \
    OLD_LINE "invalidate (cacheinvalid) between the start of its task 'read' and the read (line "  \
             "55) (checked: gone in "
#define ERASED "      erased by " HOST "shared_line.py:26:13: system.cacheinvalid (W1), by rank "
#define UNORDERED_LANES                                                                            \
    "      remedy    the program's own order is missing: lanes run at once, whatever the order "   \
    "of "                                                                                          \
    "their texts; set a flag between the cores"
#define UNORDERED                                                                                  \
    "      remedy    the program's own order is missing: no marker helps, only synchronisation "   \
    "of "                                                                                          \
    "the two (checked: stays with every marker around every access)\n"

static const struct hazard {
    const char *why, *args;
    int code;
    const char *shows; /* what the report says; NULL: clean */
} hazards[] = {
    {"invalidating what the waiting task itself reads is not enough for the next",
     WAIT DIRTY NO_TAIL " --batch=lines", FINDINGS,
     OLD_LINE "invalidate (cacheinvalid) between the wait (line 47) and the read"},
    {"nor is one in front of its reads", WAIT DIRTY NO_TAIL " --batch=use", FINDINGS,
     OLD_LINE "invalidate (cacheinvalid) between the wait (line 47) and the read"},
    {"where a task begins with an empty cache they are enough", WAIT NO_TAIL " --batch=use", CLEAN,
     NULL},
    /* A reader in another task than the wait. */
    {"the runtime empties the cache when a core picks up the reader", WAIT, CLEAN, NULL},
    {"without that, the wait's invalidate still reaches the reader: it is on the same core",
     WAIT DIRTY NO_TAIL, CLEAN, NULL},
    {"without the wait's invalidate nothing does", WAIT DIRTY NO_TAIL " --markers=off", FINDINGS,
     OLD_LINE "fence (dsb) between the write (line 45) and the notify (line 46), and invalidate "
              "(cacheinvalid) between the wait (line 47) and the read (line 55) (checked: gone in "
              "20 runs)\n"},
    {"an invalidate on another core does not reach the reader's cache", WAIT TWO_DIRTY NO_TAIL,
     FINDINGS, STALE_LINE},
    {"unless the end of the kernel that read first has emptied it", WAIT TWO_DIRTY, CLEAN, NULL},
    {"or the runtime does", WAIT TWO NO_TAIL, CLEAN, NULL},
    {"nothing is stale where there is no cache", WAIT " --markers=off --model=sc", CLEAN, NULL},
    /* Data and signal on one line. */
    {"at 32 bytes a marker's write-back puts old signal cells over the peer's notify", SHARED,
     FINDINGS, ERASED},
    {"at 64 bytes they lie on different lines", SHARED " --window-align=64", CLEAN, NULL},
    {"word by word, a write-back touches the words that were stored only",
     SHARED " --model=" HOST "word_writeback.model", CLEAN, NULL},
    /* One signal for two calls. */
    {"the second wait is satisfied by the first call's notify", REUSE, FINDINGS, UNORDERED},
    {"a call that takes back what it waited for can be repeated", REUSE " --arg CLEAR=1", CLEAN,
     NULL},
    /* A second collective into unread data. */
    {"nothing tells a rank that its peers have read the first result", UNREAD, FINDINGS, UNORDERED},
    {"a barrier between the calls does", UNREAD " --arg SYNC=1", CLEAN, NULL},
    /* Collectives of the runtime (pypto-facts 5.6), which no pass marks. */
    {"nothing drains the mesh's loads in front of its read-complete notify",
     "check --runs=40 -P 2 " HOST "allreduce_mesh.py", FINDINGS,
     ": error: overrun read at data[0]@0: "},
    {"no dsb stands between a step's store in the ring and the next notify",
     "check --runs=60 " HOST "allreduce_ring.py", FINDINGS,
     "      where     in flight\n      remedy    missing fence (dsb) between the write (line 57) "
     "and "
     "the notify (line 57) (checked: gone in 60 runs)\n"},
    {"stores that have landed when they are posted are not overtaken",
     "check --runs=60 --model=benign " HOST "allreduce_ring.py", CLEAN, NULL},
    /* What runs at once. */
    {"that a Group's text calls the cube first orders nothing", LANES, FINDINGS,
     ": error: race at data[0..255]@0: 20 of 20 runs"},
    /* A cube core's fence has no barrier of all pipes (pto-facts 3.3). */
    {"a notify of the one lane and a wait of the other do not, with their markers",
     LANES " --arg SIGNAL=1", FINDINGS, "missing drain (barrier all)"},
    {"and do with a barrier of all pipes and a fence", LANES " --arg SIGNAL=2", CLEAN, NULL},
    {"without them the signal overtakes the data", LANES " --arg SIGNAL=1 --markers=off", FINDINGS,
     ": error: stale read at data[0]@0: "},
    {"the wait of one block tells another, whose own wait invalidates its own cache", LEADER, CLEAN,
     NULL},
    {"without that invalidate its cache keeps the line that it read before",
     LEADER " --markers=off", FINDINGS, "      where     old line at the reader\n"},
    {"blocks of a launch are ordered by nothing", BLOCKS, FINDINGS,
     ": error: race at mid[0..47]@0: 20 of 20 runs"},
    {"a block and itself are", BLOCKS " --arg NEIGHBOUR=0", CLEAN, NULL},
    /* The end of a task: its tail, and how it is reported (pypto-ops-facts 5). */
    {"the tail cleans and waits: the next task reads the value", HAND TWO, CLEAN, NULL},
    {"a tail that does not wait: the report overtakes the write-back", HAND TWO NO_WAIT, FINDINGS,
     ": error: stale read at mid[0]@0: "},
    {"on one core the load waits for its own core's write-back", HAND NO_WAIT, CLEAN, NULL},
    {"a report through memory stays behind it", HAND TWO_MEMORY NO_WAIT, CLEAN, NULL},
    {"but not behind what a pipe has stored", HAND TWO_MEMORY NO_WAIT " --arg DMA=1", FINDINGS,
     ": error: stale read at mid[0]@0: "},
    {"the runtime can wait instead", HAND TWO RUNTIME, CLEAN, NULL},
    {"for the stores of pipes too", HAND TWO RUNTIME " --arg DMA=1", CLEAN, NULL},
    {"the assembler's tail waits behind a scalar store", HAND TWO ASSEMBLER, CLEAN, NULL},
    {"and not behind a DMA store", HAND TWO ASSEMBLER " --arg DMA=1", FINDINGS,
     ": error: stale read at mid[0]@0: "},
    {"which leaves a runtime that waits for what was posted no hole",
     HAND TWO ASSEMBLER_RUNTIME " --arg DMA=1", CLEAN, NULL},
    {"but behind a kernel with flags of its own the assembler puts not even a barrier",
     HAND TWO ASSEMBLER_RUNTIME " --arg DMA=2", FINDINGS, "      where     queued in the pipe\n"},
    {"and a tail for every kernel does", HAND TWO RUNTIME " --arg DMA=2", CLEAN, NULL},
    /* Tasks that complete when a count is there (pypto-ops-facts 5.1, pypto-facts 5.1). */
    {"a waiter gives its core back, so the notifier behind it in the text runs", DEFERRED, CLEAN,
     NULL},
    {"lines may leave at any time", DEFERRED " --model=a2a3-evict", CLEAN, NULL},
    {"its reader starts behind the count, not behind data that the count overtakes",
     DEFERRED " --markers=off", FINDINGS,
     "      through   " HOST "deferred.py:22:9: pld.system.defer_wait, by rank "},
    {"a count that never comes holds the task, not its core", DEFERRED " --arg EXPECTED=2",
     FINDINGS, "      note      waits for u>= 2, memory holds 1: "},
    {"the runtime compares without a sign: -1 is enough for all",
     DEFERRED " --arg EXPECTED=2 --arg VALUE=-1", CLEAN, NULL},
    /* Overlapping domains. */
    {"ranks are numbered by domain, and each domain has windows of its own",
     "check --runs=10 --model=all " HOST "multi_group.py", CLEAN, NULL},
};

Test(host, hazards_have_the_verdict_that_the_facts_predict, .timeout = 300)
{
    for (size_t i = 0; i < COUNT(hazards); i++) {
        struct arena a = {0};
        struct result r = fencebench(&a, hazards[i].args);
        cr_expect(r.code == hazards[i].code, "%s: exit code %d\n%s", hazards[i].why, r.code,
                  r.text);
        cr_expect(!hazards[i].shows || strstr(r.text, hazards[i].shows), "%s:\n%s", hazards[i].why,
                  r.text);
        arena_free(&a);
    }
}

/* Exhaustively: every schedule, at any skew. */
Test(host, explored_programs, .timeout = 300)
{
    static const struct hazard rows[] = {
        {"shared line", "explore " HOST "shared_line.py", FINDINGS, ERASED},
        {"lines apart", "explore --window-align=64 " HOST "shared_line.py", CLEAN, NULL},
        {"overlapping domains", "explore " HOST "multi_group.py", CLEAN, NULL},
        {"lanes of a Group", "explore " HOST "group_lanes.py", FINDINGS, UNORDERED_LANES},
        {"lanes with a signal that a cube core's fence does not hold back",
         "explore --arg SIGNAL=1 " HOST "group_lanes.py", FINDINGS,
         "      where     queued in the pipe\n"},
        {"and that a barrier of all pipes and a fence do",
         "explore --arg SIGNAL=2 " HOST "group_lanes.py", CLEAN, NULL},
        {"blocks of a launch", "explore --arg BLOCKS=2 " HOST "spmd_blocks.py", FINDINGS,
         UNORDERED},
        {"another core's cache", "explore" TWO_DIRTY NO_TAIL " " HOST "wait_then_read.py", FINDINGS,
         STALE_LINE},
        {"emptied at task entry", "explore" TWO NO_TAIL " " HOST "wait_then_read.py", CLEAN, NULL},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct arena a = {0};
        struct result r = fencebench(&a, rows[i].args);
        cr_expect(r.code == rows[i].code, "%s: exit code %d\n%s", rows[i].why, r.code, r.text);
        cr_expect(!rows[i].shows || strstr(r.text, rows[i].shows), "%s:\n%s", rows[i].why, r.text);
        arena_free(&a);
    }
}

Test(host, a_finding_is_replayed_by_the_command_that_it_prints)
{
    struct arena a = {0};
    struct result r = fencebench(&a, WAIT TWO_DIRTY NO_TAIL);
    const char *at = strstr(r.text, "replay: fencebench ");
    cr_assert(at, "%s", r.text);
    at += strlen("replay: fencebench ");
    struct result again = fencebench(&a, arena_strndup(&a, at, strcspn(at, "(")));
    cr_expect(again.code == FINDINGS && strstr(again.text, STALE_LINE), "%s", again.text);
    arena_free(&a);
}

/* ---- late starts ---- */

#define EXACT "run --model=benign --timing=typical --dispatch-skew=1000000 " HOST
#define LATE  "late starts, in cycles after the first rank that starts the task"

#define CLEAN_1 "clean, so less than 95 % of runs fail (95 %)\n"

/* How long that is depends on latencies. */
#define WAITS "  cycles in waits for signals "

static const struct {
    const char *name, *args, *text;
} late[] = {
    /* Four submissions, one after the other; the second window's tasks are rows of their own. */
    {"unmarked loops", EXACT "multi_group.py",
     "multi_group                  P=3  benign         ptoas-0.57    1 runs: " CLEAN_1 LATE ":\n"
     "  task                                  rank  0      rank  1      rank  2\n"
     "  swap                                        0      1000000            -\n"
     "  swap                                        -            0      1000000\n"
     "  at most                                     0      1000000      1000000\n"},
    {"a grouped loop", EXACT "shared_line.py --window-align=64",
     "shared_line                  P=2  benign         ptoas-0.57    1 runs: " CLEAN_1 LATE ":\n"
     "  task                                  rank  0      rank  1\n"
     "  swap                                        0            0\n"
     "  at most                                     0            0\n"},
};

Test(host, late_starts)
{
    for (size_t i = 0; i < COUNT(late); i++) {
        struct arena a = {0};
        const char *text = fencebench(&a, late[i].args).text, *rest = strstr(text, WAITS);
        cr_assert(rest, "%s: %s", late[i].name, text);
        expect_text(late[i].name, arena_strndup(&a, text, (size_t)(rest - text)), late[i].text);
        arena_free(&a);
    }
}

Test(host, late_starts_in_json)
{
    struct arena a = {0};
    struct result r = fencebench(&a, EXACT "multi_group.py --json");
    json_t *top = json_loads(r.text, 0, NULL);
    json_t *rows =
        json_object_get(json_array_get(json_object_get(top, "results"), 0), "task_starts");
    cr_assert_eq(json_array_size(rows), 2);
    json_t *first = json_object_get(json_array_get(rows, 0), "start");
    json_int_t early = json_integer_value(json_array_get(first, 0));
    cr_expect(json_integer_value(json_array_get(first, 1)) == early + 1000000);
    cr_expect(json_is_null(json_array_get(first, 2)));
    json_decref(top);
    arena_free(&a);
}

/* A kernel without a host has no late starts to report. */
Test(host, kernels_without_a_host_print_none)
{
    struct arena a = {0};
    struct result r = fencebench(&a, "run kernels/put_ring.py -P 2");
    cr_expect(!strstr(r.text, LATE) && r.code == CLEAN, "%s", r.text);
    arena_free(&a);
}

Test(host, bad_skew)
{
    struct arena a = {0};
    struct result r = fencebench(&a, "run --dispatch-skew=soon " HOST "multi_group.py");
    cr_expect(r.code == USAGE && strstr(r.text, "--dispatch-skew=soon: expected an integer from 0"),
              "%s", r.text);
    arena_free(&a);
}
