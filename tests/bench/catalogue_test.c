/* SPDX-License-Identifier: MIT */
/*
 * The catalogue, explored: every expectation beside a test holds under its model, and none is left
 * open. The expectations come from the semantics and from public reports, not from the tool.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "tests/support.h"

enum { MIN_TESTS = 90, MODELS = 6, LINE = 4096 };

/* The numbers of the log's last line: "Summary N results: A as expected, B contradicted, C not
 * seen, D unknown, ...". */
struct summary {
    int results, expected, contradicted, not_seen, unknown;
};

static struct summary explore_catalogue(int *exit_code)
{
    const char *bench = getenv("FENCEBENCH");
    char command[LINE], line[LINE];
    snprintf(command, sizeof command,
             "%s litmus litmus/catalogue --explore --model sc,a2a3,a2a3-blocking,"
             "a2a3-fifo,a2a3-evict,weakest",
             bench ? bench : "build/fencebench");
    FILE *log = popen(command, "r");
    cr_assert(log);
    struct summary s = {.results = -1};
    while (fgets(line, sizeof line, log)) {
        if (strstr(line, ": contradicted"))
            cr_log_warn("%s", line);
        sscanf(line, "Summary %d results: %d as expected, %d contradicted, %d not seen, %d unknown",
               &s.results, &s.expected, &s.contradicted, &s.not_seen, &s.unknown);
    }
    int status = pclose(log);
    *exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return s;
}

Test(catalogue, every_expectation_holds, .timeout = 900)
{
    int code;
    struct summary s = explore_catalogue(&code);
    cr_expect(s.expected >= MIN_TESTS * MODELS, "%d expectations", s.expected);
    cr_expect(s.results == s.expected, "%d of %d results have an expectation", s.expected,
              s.results);
    cr_expect(s.contradicted == 0 && s.not_seen == 0 && s.unknown == 0,
              "%d contradicted, %d unknown", s.contradicted, s.unknown);
    cr_expect(code == 0, "exit code %d", code);
}
