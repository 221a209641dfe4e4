/* SPDX-License-Identifier: MIT */
/* What the files of the printer share. Private to ir/. */
#ifndef IR_PRINT_INTERNAL_H
#define IR_PRINT_INTERNAL_H

#include "base/strbuf.h"
#include "ir/ir.h"
#include "base/map.h"

/*
 * Names while printing one function. Variables keep their names; a second variable of the same name
 * gets a suffix. A name that only a finished loop held is free again.
 */
struct naming {
    struct map by_var;   /* variable -> its printed name */
    struct map owner;    /* printed name -> its variable; NULL when it is free again */
    struct map suffixes; /* name of variables -> the last suffix that one of them got */
    struct map declared; /* variables whose type is already printed */
    ir_vars mentioned;   /* module-level variables that the function mentions */
};

struct printer {
    struct arena *arena;
    struct strbuf out;
    const struct ir_program *prog; /* NULL for a fragment */
    struct naming names;
    struct map functions; /* of the program, by name */
    struct map module;    /* module-level variables of the program */
    struct map by_window; /* window buffer -> its label, of the whole program */
    struct map labels;    /* label -> window buffer */
    struct map label_suffixes;
    int indent;
    int regions;                      /* > 0 inside a region of vector lanes */
    int types;                        /* > 0 inside a type, where strings stand in double quotes */
    const struct ir_type *annotation; /* printed left of the value that comes next, or NULL */
};

struct printer printer_make(struct arena *a, const struct ir_program *prog);

/* The printed name of v; chosen now when v has none. */
const char *print_name(struct printer *pr, const struct ir_var *v);
const char *print_label(struct printer *pr, const struct ir_window_buffer *w);

void print_expr(struct printer *pr, const struct ir_expr *e);
/* The value of an assignment. again: its variable is assigned once more. */
void print_value(struct printer *pr, const struct ir_expr *e, bool again);
void print_exprs(struct printer *pr, const ir_exprs *items);
void print_kwargs(struct printer *pr, const ir_kwargs *kw, bool *comma);
void print_dict(struct printer *pr, const ir_kwargs *dict);
void print_type(struct printer *pr, const struct ir_type *t);

#endif
