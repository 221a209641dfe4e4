/* SPDX-License-Identifier: MIT */
/* fencebench: the table of commands. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "bench/campaign/cases.h"
#include "bench/cli/commands.h"
#include "build_id.h"

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *doc;
} commands[] = {
    {"compile", cmd_compile, "show what the passes and code generation make of a kernel"},
    {"check", cmd_check, "do the markers of these kernels eliminate every stale read?"},
    {"lint", cmd_lint, "which markers can be missing, by the text alone, in no time"},
    {"explore", cmd_explore, "every reachable state of a small kernel: a proof"},
    {"run", cmd_run, "one run in detail, with a trace"},
    {"litmus", cmd_litmus, "final states of litmus tests, and whether they are as expected"},
    {"equiv", cmd_equiv, "do two litmus tests have the same final states?"},
    {"generate", cmd_generate, "systematic litmus tests from cycles of edges"},
    {"verify", cmd_verify, "does a program keep the rules, and which properties does it have?"},
    {"diff", cmd_diff, "are two programs the same but for names, and where do they differ?"},
    {"sweep", cmd_sweep, "remove each marker in turn: which one matters?"},
    {"minimize", cmd_minimize, "which of a kernel's markers are enough?"},
    {"repair", cmd_repair, "the markers that a kernel lacks, as a patch of its text"},
    {"flushes", cmd_flushes, "what the invalidates cost, with and without batching"},
    {"plot", cmd_plot, "pictures from the CSV files of sweep and flushes"},
    {"report", cmd_report, "one page from the results of check, explore, run and sweep"},
    {"models", cmd_models, "the machine contracts and toolchain profiles"},
    {"ops", cmd_ops, "the operators of the kernel language"},
    {"rules", cmd_rules, "the rules that a program of the kernel language must keep"},
    {"passes", cmd_passes, "the passes of the compiler, in their order"},
};

enum { COMMANDS = sizeof commands / sizeof *commands };

static void usage(FILE *out)
{
    fprintf(out, "Usage: fencebench COMMAND [OPTION...] [FILE...]\n\n");
    for (size_t i = 0; i < COMMANDS; i++)
        fprintf(out, "  %-9s %s\n", commands[i].name, commands[i].doc);
    fprintf(out,
            "\n'fencebench help COMMAND' lists its options with their defaults.\n"
            "Exit codes: 0 nothing found, 1 findings, 2 bad usage or input, 3 a limit was hit.\n");
}

static int unknown(const char *name)
{
    const char *names[COMMANDS];
    for (size_t i = 0; i < COMMANDS; i++)
        names[i] = commands[i].name;
    struct arena a = {0};
    fprintf(stderr, "fencebench: error: no command '%s'%s\n", name,
            diag_hint(&a, name, names, COMMANDS));
    arena_free(&a);
    return EXIT_USAGE;
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        usage(stderr);
        return EXIT_USAGE;
    }
    if (!strcmp(argv[1], "help") && argc > 2) {
        argv[1] = argv[2];
        argv[2] = "--help";
        argc = 3;
    }
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "help")) {
        usage(stdout);
        return EXIT_CLEAN;
    }
    if (!strcmp(argv[1], "--version")) {
        printf("fencebench %s (%s)\n", VERSION, build_id());
        return EXIT_CLEAN;
    }
    for (size_t i = 0; i < COMMANDS; i++) {
        if (strcmp(argv[1], commands[i].name))
            continue;
        char name[64];
        snprintf(name, sizeof name, "fencebench %s", commands[i].name);
        argv[1] = name;
        return commands[i].run(argc - 1, argv + 1);
    }
    return unknown(argv[1]);
}

int main(int argc, char **argv)
{
    argp_err_exit_status = EXIT_USAGE;
    int code = dispatch(argc, argv);
    /* A full disk would look like a short answer. */
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    fprintf(stderr, "fencebench: error: cannot write to standard output\n");
    return EXIT_USAGE;
}
