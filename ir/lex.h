/* SPDX-License-Identifier: MIT */
/*
 * Text -> tokens of the Python subset that the kernel language uses (pypto-facts 1.3). Private to
 * ir/.
 *
 * Brackets suppress newlines; comments and blank lines are dropped. A lexical error becomes a
 * token, so that the parser reports whatever is wrong first in the text, and nothing that it passes
 * over. It is the last one where the text behind it has no certain form: brackets that do not
 * match, a string that is never closed, indentation.
 */
#ifndef IR_LEX_H
#define IR_LEX_H

#include "ir/ir.h"

/* Blocks and brackets may nest this deep; so may expressions in the parser. */
enum { IR_MAX_NESTING = 200 };

enum token_kind {
    TOK_END,
    TOK_NEWLINE,
    TOK_INDENT,
    TOK_DEDENT,
    TOK_NAME,
    TOK_INT,
    TOK_FLOAT,
    TOK_STRING,
    TOK_FORMATTED, /* f"...", which only what is printed while reading may be */
    TOK_OP,
    TOK_ERROR
};

/* One per identifier of the text; what the parser knows of it at the moment hangs here. */
struct name {
    const char *text;
    struct ir_var *local;     /* variable of the function being parsed */
    struct ir_var *module;    /* symbolic dimension or implicit symbol */
    struct ir_expr *constant; /* value that Python around the program gives it (ir/environment.c) */
    size_t last_read;         /* position of the token that last read the local variable */
    bool uncarried;           /* the variable of a loop that carries nothing on */
    bool is_function;
    bool is_argument; /* the constant is that of an inline function's parameter, none of Python's */
    size_t inline_at; /* token of the `def` of a function of @pl.inline, or 0 */
    size_t class_at;  /* token of the `class` of that name, or 0 */
    size_t def_at;    /* token of the `def` of that name of a function of Python, or 0 */
    bool is_outside;  /* bound by Python to what is not known here */
    struct name *means;      /* what of another file it is imported as, or NULL */
    struct members *members; /* of the module that it stands for, or NULL */
    const char *in_program;  /* of a function: its name in the program, or NULL: its own */
    const char *from_file;   /* of such a name: the file that it was imported from, or NULL */
    const char *lacks;       /* of such a name: another one whose value it needs, or NULL */
    bool is_keyword;         /* of Python, or a name that the language itself uses */
};

struct token {
    enum token_kind kind;
    struct span span;
    const char *text;   /* operator, decoded string, identifier, error message */
    size_t offset, end; /* bytes of the source that it covers */
    union {
        struct name *name;
        uint64_t integer;
        double real;
    };
};
typedef VEC(struct token) tokens;

typedef VEC(struct name *) name_vec;

/* The names at module level of a file that is imported, and of the modules below it. */
struct members {
    const name_vec *names; /* of the file, or NULL: a folder without a file of its own */
    name_vec below;
};

struct lexed {
    tokens toks;
    name_vec names;     /* each once */
    bool failed;        /* what is behind the last error is not here */
    const char *header; /* the rest of a "# pypto.program: " line, or NULL */
};

/* Everything lives in arena a. */
struct lexed ir_lex(struct arena *a, const struct source *src);

/* A word of Python, which can be no name. */
bool ir_is_python_word(const char *text);

#endif
