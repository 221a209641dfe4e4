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

/* A file that the file imports, or that one of those does. */
struct ir_module {
    const struct source *source; /* by itself */
    struct lexed lexed;          /* by itself; names are those of the tokens of all */
    size_t from;                 /* its first token in those of all */
};

struct ir_file_text {
    struct lexed lexed; /* tokens of all files, each up to an end of its own; names of the first */
    const struct token *bad;         /* where the text around the programs is no Python, or NULL */
    VEC(struct ir_module *) modules; /* in the order of their tokens */
};

/* Behind a logical line, and behind the block that it opens. A line without a colon opens none: what
 * is indented behind it is no Python, and may be the rest of a function. */
size_t ir_behind_item(const struct token *toks, size_t pos);
/* Behind an item with its decorators. */
size_t ir_behind_decorated(const struct token *toks, size_t pos);
/* At `@pl.`, but for what decorates nothing of a program. */
bool ir_at_kept_decorator(const struct token *t);

/* ---- other files (import.c) ---- */

/* Reads what a file imports, in whole or in part: its source and tokens become those of all. given:
 * the source, which may hold the text of other files already. */
void ir_read_imports(struct arena *a, struct ir_file *file, const struct source *given);
/* Behind `from` or `import` in the file at path: the file that the dotted name at *pos means, or
 * NULL; *pos behind the name, *inside the folder of the modules below it. */
const char *ir_find_module(struct arena *a, const char *path, const struct token *toks, size_t *pos,
                           const char **inside);
/* The file of a module in a folder, or NULL. name: a path with slashes, or "" for the package. */
const char *ir_module_in(struct arena *a, const char *folder, const char *name);
struct ir_module *ir_known_module(const struct ir_file_text *text, const char *path);
/* names may be NULL. */
struct name *ir_find_name(const name_vec *names, const char *text);
/* The name that it is where it is made, through the imports that hand it on, or the first on the way
 * that is a module. n may be NULL. */
struct name *ir_meant(struct name *n);
/* What the name at t, or t with its members, is in the file that makes it: the name itself when no
 * import binds it, NULL when t is no name or the member is none. *last: the last token of it. */
struct name *ir_imported(const struct token *t, const struct token **last);

/* The file of the module whose members the names from t on end in, or the names of the folder. */
const char *ir_module_at(const struct ir_file_text *text, const struct token *t);

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
