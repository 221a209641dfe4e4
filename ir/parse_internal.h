/* SPDX-License-Identifier: MIT */
/* What the files of the parser share. Private to ir/. */
#ifndef IR_PARSE_INTERNAL_H
#define IR_PARSE_INTERNAL_H

#include <setjmp.h>

#include "ir/lex.h"
#include "ir/map.h"

/* Operators of one statement; bounds the height of its tree, which later walks recurse over. */
enum { MAX_OPERATORS = 2000 };

/* A name that a loop binds, with what it stood for outside. */
struct shadowed {
    struct name *name;
    struct ir_var *outer;
};
typedef VEC(struct shadowed) shadows;

/* A window buffer whose base and size are resolved when the whole function is known. */
struct pending_window {
    struct ir_window_buffer *window;
    const char *base; /* or NULL */
    struct span base_span;
    size_t size_pos; /* first token of the size, or 0 */
};

struct parser {
    struct arena *arena;
    const struct source *src;
    struct diag *diag;
    struct token *toks;
    size_t pos;
    struct ir_program *prog;
    struct ir_func *func;
    VEC(struct name *) locals; /* names with a local binding */
    struct map windows;        /* label -> struct ir_window_buffer */
    VEC(struct pending_window) pending;
    VEC(struct ir_call *) keyword_calls; /* calls of user functions with keywords */
    int depth;
    int operators;
    int types; /* > 0 inside a type: unknown names are implicit symbols */
    int dicts; /* > 0 inside a dict: pl.const(v, pl.INDEX) differs from v */
    jmp_buf out;
};

/* ---- tokens (parse.c) ---- */

_Noreturn void parse_fail(struct parser *p, struct span at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* "expected <what>, found <the token>", at the current token. */
_Noreturn void parse_expected(struct parser *p, const char *what);

static inline const struct token *peek(const struct parser *p)
{
    return &p->toks[p->pos];
}

bool at_op(const struct parser *p, const char *op);
bool at_word(const struct parser *p, const char *word);
bool accept_op(struct parser *p, const char *op);
bool accept_word(struct parser *p, const char *word);
void expect_op(struct parser *p, const char *op);
void expect_word(struct parser *p, const char *word);
void expect_newline(struct parser *p);
/* An identifier that is no keyword. */
const struct token *expect_name(struct parser *p, const char *what);
/* Span from a first token to the last one consumed, on the first one's line. */
struct span span_from(const struct parser *p, const struct token *first);
/* Nesting of expressions, types and blocks. */
void enter(struct parser *p);
void leave(struct parser *p);

/* ---- names (parse.c) ---- */

struct ir_var *bind_fresh(struct parser *p, const struct token *name, struct ir_type *type);
/* The variable an assignment to name writes: the one of that name, or a fresh one. */
struct ir_var *bind_assigned(struct parser *p, const struct token *name, struct ir_type *type);
void shadow(struct parser *p, shadows *s, const struct token *name, struct ir_type *type);
void unshadow(shadows *s);
/* The variable a name stands for, or NULL. */
struct ir_var *lookup(struct parser *p, const struct token *name);
_Noreturn void undefined_name(struct parser *p, const struct token *name);

/* ---- expressions ---- */

struct ir_expr *parse_expr(struct parser *p);
/* An expression, or a tuple without parentheses. */
struct ir_expr *parse_expr_list(struct parser *p);
/* Behind the opening bracket; consumes the closing one. */
ir_exprs parse_items(struct parser *p, const char *close);
/* pl.x.y, pld.x.y: a constant, a type or a call. */
struct ir_expr *parse_dotted(struct parser *p);
/* Behind the path of a callee that is a function of the program; at the opening parenthesis. */
struct ir_expr *parse_user_call(struct parser *p, const char *callee, const struct token *first);
/* Behind `pl.name(`; name without its prefix. */
struct ir_expr *parse_pl_arguments(struct parser *p, const char *name, const struct token *first);
struct ir_expr *make_binary(struct parser *p, enum ir_binary_op op, struct ir_expr *lhs,
                            struct ir_expr *rhs);
void place_keyword_calls(struct parser *p);

/* ---- types ---- */

bool at_type(const struct parser *p);
struct ir_type *parse_type(struct parser *p);
enum ir_dtype parse_dtype(struct parser *p);
/* The text of a dotted name, "pl.Mem.Vec". */
const char *parse_path(struct parser *p);

/* ---- statements ---- */

/* From the colon to the end of the body, docstring included. */
void parse_function_body(struct parser *p, struct ir_func *f);
/* A docstring at the start of a body, or NULL. */
const char *parse_docstring(struct parser *p);

#endif
