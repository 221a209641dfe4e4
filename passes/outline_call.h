/* SPDX-License-Identifier: MIT */
/* A scope that is being outlined: the function that it becomes, and the call in its place. */
#ifndef PASSES_OUTLINE_CALL_H
#define PASSES_OUTLINE_CALL_H

#include "passes/outline.h"

struct outline_part {
    const struct ir_stmt *scope;
    const char *name; /* of the function */
    ir_vars inputs;
    ir_vars outputs; /* that the body defines */
    ir_vars
        stored; /* inputs that a tile is stored into, the last one first; returned but for a hierarchy scope */
    ir_vars stored_names; /* what the body calls them behind the store, and is used outside */
    struct map aliases;   /* what a store into an input gives -> that input */
};

/* The function; body: the scope's, with functions for what stands in it. NULL with the diag filled. */
struct ir_func *outline_make(struct outliner *o, struct outline_part *part, ir_block body);

/* Adds the call, and what takes its results, to the block. Returned are the new names of what is
 * stored into, in the order of part->stored. */
ir_vars outline_call(struct outliner *o, const struct outline_part *part, const struct ir_func *f,
                     ir_block *out);

/* A name that the function at hand does not have, of the sort of this one. */
const char *outline_fresh_name(struct outliner *o, const char *name);

#endif
