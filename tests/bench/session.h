/* SPDX-License-Identifier: MIT */
/* The program in a shell, in a folder of the test's own. */
#ifndef TESTS_SESSION_H
#define TESTS_SESSION_H

#include <jansson.h>
#include <stdbool.h>

#include "base/arena.h"

struct session {
    struct arena arena;
    char folder[64];
};

struct session_result {
    const char *out, *err;
    int code; /* 128 + signal when a signal ended it */
};

/* The folder is empty, and the current one of every command. */
void session_open(struct session *s);
void session_close(struct session *s);

/* A line for the shell, in which $F is the program, $K the folder of kernels and $L that of litmus
 * tests. */
struct session_result session_shell(struct session *s, const char *line);

/* A file of the folder: written, or read whole. */
void session_write(struct session *s, const char *name, const char *text);
const char *session_read(struct session *s, const char *name);

/* The output as JSON, which the caller lets go of; what it is not is an error of the test. */
json_t *session_json(const char *name, const struct session_result *r);

#endif
