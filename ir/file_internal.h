/* SPDX-License-Identifier: MIT */
/* What reading a file leaves for parsing a program of it. Private to ir/. */
#ifndef IR_FILE_INTERNAL_H
#define IR_FILE_INTERNAL_H

#include <string.h>

#include "ir/lex.h"
#include "ir/parse.h"

enum ir_part_kind {
    IR_PART_FILE, /* no decorator anywhere: all of the text */
    IR_PART_CLASS,
    IR_PART_FUNCTIONS
};

/* A function or class around a program. */
struct ir_around {
    bool is_class;
    size_t pos, end; /* of `def` or `class`, and behind its body */
};

/* Where the text of a program stands, in tokens. */
struct ir_source_part {
    enum ir_part_kind kind;
    size_t pos, end;              /* of the class, or of the function that starts the program */
    bool late;                    /* all of the module counts, not only what stands before it */
    VEC(struct ir_around) around; /* outermost first */
    VEC(size_t) functions;        /* decorators of functions outside of the class, in text order */
};

struct ir_file_text {
    struct lexed lexed;
    const struct token *bad; /* where the text around the programs is no Python, or NULL */
};

/* Behind a logical line, and behind the block that it opens. A line without a colon opens none: what
 * is indented behind it is no Python, and may be the rest of a function. */
size_t ir_behind_item(const struct token *toks, size_t pos);
/* Behind an item with its decorators. */
size_t ir_behind_decorated(const struct token *toks, size_t pos);
/* At `@pl.`, but for what decorates nothing of a program. */
bool ir_at_kept_decorator(const struct token *t);

static inline bool token_is_op(const struct token *t, const char *op)
{
    return t->kind == TOK_OP && strcmp(t->text, op) == 0;
}

static inline bool token_is_word(const struct token *t, const char *word)
{
    return t->kind == TOK_NAME && strcmp(t->text, word) == 0;
}

static inline bool token_opens(const struct token *t)
{
    return t->kind == TOK_OP && strchr("([{", t->text[0]) && !t->text[1];
}

static inline bool token_closes(const struct token *t)
{
    return t->kind == TOK_OP && strchr(")]}", t->text[0]) && !t->text[1];
}

#endif
