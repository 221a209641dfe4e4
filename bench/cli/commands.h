/* SPDX-License-Identifier: MIT */
/* The commands of the program, one file each. They return its exit code. */
#ifndef BENCH_COMMANDS_H
#define BENCH_COMMANDS_H

enum exit_code {
    EXIT_CLEAN = 0,    /* nothing found */
    EXIT_FINDINGS = 1, /* something found */
    EXIT_USAGE = 2,    /* bad usage or input; nothing was run */
    EXIT_LIMIT = 3     /* a limit was hit before an answer */
};

int cmd_compile(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_lint(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_explore(int argc, char **argv);
int cmd_sweep(int argc, char **argv);
int cmd_minimize(int argc, char **argv);
int cmd_repair(int argc, char **argv);
int cmd_litmus(int argc, char **argv);
int cmd_litmus_compare(int argc, char **argv); /* litmus compare */
int cmd_equiv(int argc, char **argv);
int cmd_generate(int argc, char **argv);
int cmd_diff(int argc, char **argv);
int cmd_flushes(int argc, char **argv);
int cmd_plot(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_models(int argc, char **argv);
int cmd_ops(int argc, char **argv);
int cmd_verify(int argc, char **argv);
int cmd_rules(int argc, char **argv);
int cmd_passes(int argc, char **argv);

#endif
