/* SPDX-License-Identifier: MIT */
/* What the files of the reader share among themselves. */
#ifndef PTO_PARSE_INTERNAL_H
#define PTO_PARSE_INTERNAL_H

#include "pto/lex.h"
#include "pto/tree.h"

enum { PTO_MAX_DEPTH = 200 }; /* of brackets and regions */

/* The names that a region defines; those around it are seen too. */
struct pto_scope {
    struct pto_scope *outer;
    bool alone; /* a function or module: it sees nothing outside */
    struct map values;
};

struct pto_parser {
    struct arena *arena;
    const struct source *src;
    struct diag *d;
    const struct pto_token *at;
    struct pto_scope *scope;
    struct map types, attrs, locs; /* aliases: "!name" of types, "#name" of the others */
    int depth;
};

/* False, for the caller to return. */
bool pto_fail(struct pto_parser *p, struct span at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* "expected WHAT, found ..." at the next token. */
bool pto_expected(struct pto_parser *p, const char *what);
bool pto_at(const struct pto_parser *p, enum pto_token_kind kind, const char *text);
static inline bool pto_at_mark(const struct pto_parser *p, const char *text)
{
    return pto_at(p, PT_MARK, text);
}
static inline bool pto_at_word(const struct pto_parser *p, const char *text)
{
    return pto_at(p, PT_WORD, text);
}
/* Takes the mark if it comes next. */
bool pto_take(struct pto_parser *p, const char *mark);
bool pto_need(struct pto_parser *p, const char *mark);
/* One more level of brackets; an error where there are too many. */
bool pto_enter(struct pto_parser *p);

/* Tokens up to the bracket that closes what stands open, which is not taken, as one text. */
const char *pto_raw(struct pto_parser *p, const char *close);

const struct pto_type *pto_parse_type(struct pto_parser *p);

bool pto_parse_attr(struct pto_parser *p, const char *name, struct pto_attr *out);
/* The entries of {...} or <{...}> into list. */
typedef VEC(struct pto_attr) pto_attr_list;
bool pto_parse_dict(struct pto_parser *p, pto_attr_list *out);
/* loc(...) where it comes next. */
bool pto_parse_loc(struct pto_parser *p, struct pto_loc *out);
/* `#name = ...` or `!name = ...` at the start of a file. */
bool pto_parse_alias(struct pto_parser *p);

struct pto_value *pto_define(struct pto_parser *p, const char *name, const struct pto_type *type,
                             const struct pto_op *def, struct span at);
const struct pto_value *pto_use(struct pto_parser *p);

struct pto_op *pto_parse_op(struct pto_parser *p);
/* {...} into a region of op, with these arguments of its first block. Its names are gone behind it. */
typedef VEC(struct pto_value *) pto_value_list;
bool pto_parse_region(struct pto_parser *p, struct pto_op *op, const pto_value_list *args);
/* A label that begins a block, not one that a branch names. */
bool pto_at_block(const struct pto_parser *p);
/* Opens and closes a scope; alone: it sees nothing outside. */
void pto_open_scope(struct pto_parser *p, bool alone);
void pto_close_scope(struct pto_parser *p);

/* Operations whose arguments are defined where they are written (parse_control.c); false: op is none
 * of these. */
bool pto_is_special(const char *name);
bool pto_parse_special(struct pto_parser *p, struct pto_op *op);

/* What is put behind an operation's name, for printing. */
void pto_add_text(struct pto_parser *p, struct pto_op *op, const char *text);
bool pto_add_operand(struct pto_parser *p, struct pto_op *op, const char *group);
bool pto_add_type(struct pto_parser *p, struct pto_op *op, const struct pto_type **out);
void pto_add_dict(struct pto_parser *p, struct pto_op *op, const pto_attr_list *list);
bool pto_take_text(struct pto_parser *p, struct pto_op *op, const char *mark);

#endif
