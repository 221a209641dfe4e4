/* SPDX-License-Identifier: MIT */
/* What the files of the parser share. Private to ir/. */
#ifndef IR_PARSE_INTERNAL_H
#define IR_PARSE_INTERNAL_H

#include <setjmp.h>

#include "ir/lex.h"
#include "base/map.h"
#include "ir/file_internal.h"
#include "ir/rules.h"

/* Operators of one statement; bounds the height of its tree, which later walks recurse over. */
enum { MAX_OPERATORS = 2000 };
/* What a module-level constant may hold: it is repeated wherever its name stands. */
enum { MAX_CONSTANT_PARTS = 100 };
/* What an object may hold; only its members are repeated. */
enum { MAX_OBJECT_PARTS = 1000 };
/* Keywords of one call, whose names are compared with each other. */
enum { MAX_KEYWORDS = 1000 };
/* Calls in one program whose place a body takes: each may hold two others, and so on. */
enum { MAX_INLINED = 10000 };

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
typedef VEC(struct pending_window) pending_windows;

/* A function whose header is parsed. Bodies come last: a call may stand before the function that it
 * calls, and has its type. */
struct pending_body {
    struct ir_func *func;
    shadows params; /* with their variables */
    pending_windows windows;
    size_t pos; /* behind the header */
    int depth;
    bool done;
};

/* An assignment to a part whose source has other extents: what is valid of it has to fit. */
struct pending_part {
    struct ir_expr *src;
    ir_exprs extents; /* of the part, one for each dimension of the source */
};

/* A name that stands for a value in one function, with what it stood for before. */
struct own_value {
    struct name *name;
    struct ir_expr *outer;
};

/* A function whose body is C++ (pypto-front-facts 1.1). */
struct extern_kernel {
    struct ir_func *func;
    const char *core; /* "aic", "aiv" or "mixed" */
    const char *aic_source, *aiv_source;
    bool both_lanes; /* of a mixed one: its vector member runs on both lanes */
};

/* A pl.MemRef that a variable holds: its name, and what made it. */
struct declared {
    const char *name, *made;
};

struct parser {
    struct ir_expr *object; /* whose properties are evaluated: what self is, or NULL */
    const struct ir_file_text *text;
    const char *path;      /* of the file whose Python is evaluated */
    struct map *evaluated; /* path -> struct ir_module, of those whose Python is evaluated */
    struct arena *arena;
    const struct source *src;
    struct diag *diag;
    struct token *toks;
    size_t pos;
    struct ir_program *prog;
    struct ir_func *func;
    VEC(struct name *) locals; /* names with a local binding */
    struct map functions;      /* name -> struct ir_func, as far as headers are parsed */
    struct map extents;        /* variable that an extent of a type reads -> itself */
    struct map windows;        /* label -> struct ir_window_buffer */
    struct map spelled;        /* path of an operator -> struct spelled (parse_call.c) */
    struct map slots;          /* window -> the function that holds its slot */
    pending_windows pending;
    VEC(struct pending_part) parts; /* of the function being read */
    VEC(struct pending_body) bodies;
    bool in_bodies;
    size_t start; /* first token of the function that a jit program starts with */
    VEC(struct extern_kernel) externs;
    VEC(struct own_value) own_values;    /* of the function being read */
    ir_block *block;                     /* that the statement being read will stand in */
    int inlined;                         /* calls so far whose place a body took */
    size_t inlined_at;                   /* the call in whose place a body is read, or 0 */
    VEC(struct ir_call *) keyword_calls; /* calls of user functions with keywords */
    int depth;
    int kernels; /* > 0 inside a scope that becomes a kernel: pl.at(CORE_GROUP), pl.spmd */
    const struct ir_expr *halves; /* the mode of the region of vector lanes around, or NULL */
    int branches;                 /* > 0 inside an if or a while: an assignment may not happen */
    size_t loop_start;            /* first token of the outermost loop, or 0 */
    int operators;
    VEC(struct declared) declared; /* pl.MemRef of variables, in the function declared_in */
    const struct ir_func *declared_in;
    int types;                        /* > 0 inside a type: unknown names are implicit symbols */
    int deps;                         /* > 0 inside deps=, where a list may be a comprehension */
    int dicts;                        /* > 0 inside a dict: pl.const(v, pl.INDEX) differs from v */
    bool strict;                      /* no decorator in the file: nothing of it is passed over */
    bool strict_ssa;                  /* of the class */
    const struct ir_outside *outside; /* or NULL */
    const name_vec *names;            /* of the file */
    int python_calls, python_depth;   /* of functions of Python: all so far, one in the other */
    bool evaluating;       /* Python around the program: what is parsed is a value, or fails */
    struct ir_expr *tried; /* the value */
    const char *lacks;     /* the name without a value that made one fail, or NULL */
    size_t leaves;         /* parts of expressions so far that are no literals and no values */
    size_t values;         /* and that are values of names */
    jmp_buf *trial;        /* not NULL: where an error goes that is none */
    jmp_buf out;
};

/* ---- tokens (parse.c) ---- */

_Noreturn void parse_fail(struct parser *p, struct span at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* A breach of a rule; the strings replace the placeholders of its message, NULL ends them. */
_Noreturn void parse_breach(struct parser *p, enum ir_rule rule, struct span at, ...)
    __attribute__((sentinel));
/* The same in another text than that of the program. */
_Noreturn void parse_fail_in(struct parser *p, const struct source *src, struct span at,
                             const char *fmt, ...) __attribute__((format(printf, 4, 5)));
/* "expected <what>, found <the token>", at the current token. */
_Noreturn void parse_expected(struct parser *p, const char *what);

static inline const struct token *peek(const struct parser *p)
{
    return &p->toks[p->pos];
}

bool parse_at_op(const struct parser *p, const char *op);
bool parse_at_word(const struct parser *p, const char *word);
bool parse_accept_op(struct parser *p, const char *op);
bool parse_accept_word(struct parser *p, const char *word);
void parse_expect_op(struct parser *p, const char *op);
void parse_expect_word(struct parser *p, const char *word);
void parse_expect_newline(struct parser *p);
/* An identifier that is no keyword. */
const struct token *parse_expect_name(struct parser *p, const char *what);
/* Span from a first token to the last one consumed, on the first one's line. */
struct span parse_span_from(const struct parser *p, const struct token *first);
/* Nesting of expressions, types and blocks. */
void parse_enter(struct parser *p);
void parse_leave(struct parser *p);

/* ---- module level (parse_module.c) ---- */

/* A program of the file. */
void parse_module(struct parser *p, const struct ir_source_part *part);

/* ---- the Python around it (parse_python.c) ---- */

/* Gives names the values that they have where the program stands. */
void parse_surroundings(struct parser *p, const struct ir_source_part *part);
/* At `from` or `import`: names have the values that another file gives them. False when no such file
 * is found (parse_import.c). */
bool parse_import(struct parser *p, size_t pos);
/* All of the module whose first token is at from, for what it binds. */
void parse_whole_module(struct parser *p, size_t from);
/* A name of Python has a value, or with NULL one that is not known. What is given wins. */
void parse_bind_python(struct parser *p, struct name *n, struct ir_expr *value);
/* NAME = value of a file without decorators. */
void parse_global(struct parser *p);
/* What Python makes of numbers, or NULL where it makes no number: `+ - * / // % **`, bits, shifts. */
struct ir_expr *parse_fold_binary(struct parser *p, enum ir_binary_op op, const struct ir_expr *x,
                                  const struct ir_expr *y);
struct ir_expr *parse_fold_negative(struct parser *p, const struct ir_expr *x);
/* What Python makes of values, or NULL when that is not known. */
struct ir_expr *parse_evaluate_binary(struct parser *p, enum ir_binary_op op, struct ir_expr *x,
                                      struct ir_expr *y);
struct ir_expr *parse_evaluate_not(struct parser *p, const struct ir_expr *x);
struct ir_expr *parse_evaluate_is(struct parser *p, const struct ir_expr *x,
                                  const struct ir_expr *y);
struct ir_expr *parse_evaluate_in(struct parser *p, const struct ir_expr *x,
                                  const struct ir_expr *y);
struct ir_expr *parse_evaluate_choice(struct ir_expr *yes, const struct ir_expr *cond,
                                      struct ir_expr *no);
struct ir_expr *parse_evaluate_item(const struct ir_expr *x, const struct ir_expr *index);
struct ir_expr *parse_evaluate_call(struct parser *p, const char *name, const ir_exprs *args);
/* What a call of f, whose `def` Python has run, returns, or NULL when that is not known: names that
 * are bound, branches, loops over nothing. */
struct ir_expr *parse_evaluate_function(struct parser *p, const struct name *f,
                                        const ir_exprs *args);
/* At sys.NAME or os.NAME: what asks for the command or the environment, or NULL. */
struct ir_expr *parse_environment(struct parser *p);
/* At NAME(...) of a class of the file: an object as its members by name. */
struct ir_expr *parse_object(struct parser *p);
/* At math.NAME, or math.NAME(numbers). */
struct ir_expr *parse_math(struct parser *p);

/* The value at a token, or NULL; p stays where it was. */
struct ir_expr *parse_try_at(struct parser *p, size_t pos);
/* The tensor type, without its kind, that --arg NAME=FP32[16,64] gives, or NULL. */
struct ir_type *parse_given_tensor(struct parser *p, const char *name);

/* ---- functions of @pl.jit (parse_jit.c) ---- */

/* pl.Tensor without shape and element type, or a tuple with one. */
bool parse_is_open_type(const struct ir_type *t);
bool parse_has_open_params(const struct ir_func *f);
/* Behind the header of f, at the colon; starts: a program begins with f. */
void parse_settle_header(struct parser *p, struct ir_func *f, bool starts);
/* At a call of f: what is open has the types of the arguments. */
void parse_settle_called(struct parser *p, struct ir_func *f, const struct ir_call *call);
/* Fails when something of f is open still. */
void parse_check_settled(struct parser *p, const struct ir_func *f);
/* At NAME.bind_dynamic(. */
bool parse_at_bind_dynamic(const struct token *t);
/* Behind @pl.jit.extern. */
void parse_extern_keywords(struct parser *p, struct ir_func *f);
/* The members of a mixed one, and what calls them; the body of f, `...`, is read. */
void parse_extern_body(struct parser *p, struct ir_func *f);
/* a.shape, a.shape[1], a.dtype behind a. */
struct ir_expr *parse_member(struct parser *p, struct ir_expr *e);
/* K = a.shape[0], M, N = a.shape, M = pl.dynamic("M"), a.bind_dynamic(0, M): true when one stands
 * here, which is read; what of it is a statement goes to out. */
bool parse_jit_binding(struct parser *p, ir_block *out);

/* ---- functions (parse.c) ---- */

/* Decorator and header; the body waits for parse_bodies. */
void parse_function(struct parser *p);
void parse_bodies(struct parser *p);

/* ---- names (parse.c) ---- */

/* In the rest of the function the name stands for this value, and for no variable. */
void parse_bind_value(struct parser *p, struct name *name, struct ir_expr *value);
/* In the rest of the function the name stands for an argument: a variable is assigned to by this
 * name too. */
void parse_bind_argument(struct parser *p, struct name *name, struct ir_expr *value);
struct ir_var *parse_new_var(struct parser *p, const struct token *name, struct ir_type *type);

struct ir_var *parse_bind_fresh(struct parser *p, const struct token *name, struct ir_type *type);
/*
 * A view of a window has no contents of its own: where every path takes the assignment and no
 * earlier text of the loop reads the name, a further view under it is a further variable, as SSA
 * form makes it (pypto-facts 1.5).
 */
bool parse_is_fresh_view(const struct parser *p, const struct token *name,
                         const struct ir_expr *value);
/* The variable an assignment to name writes: the one of that name, or a fresh one. */
struct ir_var *parse_bind_assigned(struct parser *p, const struct token *name,
                                   struct ir_type *type);
/* A variable has this type: what its extents read keeps its value for it. */
void parse_note_extents(struct parser *p, const struct ir_type *type);
void parse_shadow(struct parser *p, shadows *s, const struct token *name, struct ir_type *type);
void parse_unshadow(shadows *s);
/* pl.dynamic("NAME") as a value. */
bool parse_is_dynamic(const struct ir_expr *e);
/* The symbol of the program of that name, made at need. */
struct ir_var *parse_symbol(struct parser *p, const char *name, struct span at);
/* The variable a name stands for, or NULL. */
struct ir_var *parse_lookup(struct parser *p, const struct token *name);
_Noreturn void parse_undefined_name(struct parser *p, const struct token *name);

/* ---- expressions ---- */

struct ir_expr *parse_expr(struct parser *p);
/* An expression, or a tuple without parentheses. */
struct ir_expr *parse_expr_list(struct parser *p);
/* Behind the opening bracket; consumes the closing one. */
ir_exprs parse_items(struct parser *p, const char *close);
/* At the opening bracket. A slice, and in a kernel any subscript of a tensor or tile, is the call
 * of an operator; x[2] of a tuple is a node of its own; any other subscript is a call named "[]"
 * (base, indices...). */
struct ir_expr *parse_subscript(struct parser *p, struct ir_expr *base);
/* At x[...] = value. */
bool parse_at_part_assignment(const struct parser *p);
struct ir_stmt *parse_part_assignment(struct parser *p);
/* Judges the sources that were left open, now that f is read. */
void parse_resolve_parts(struct parser *p, const struct ir_func *f);
/* pl.x.y, pld.x.y: a constant, a type or a call. */
struct ir_expr *parse_dotted(struct parser *p);
/* The function of the program or of @pl.inline that the name here means, be it of another file, or
 * NULL; *last: the last token of the name. */
const struct name *parse_called(const struct parser *p, const struct token **last);
/* What a function of the program is called there. */
const char *parse_name_in_program(const struct name *n);
/* Behind the path of a callee that is a function of the program; at the opening parenthesis. */
struct ir_expr *parse_user_call(struct parser *p, const char *callee, const struct token *first);
/* Behind `pl.name(`; name without its prefix. */
struct ir_expr *parse_pl_arguments(struct parser *p, const char *name, const struct token *first);
/* Parts of a tree, counted up to limit. */
size_t parse_count_parts(const struct ir_expr *e, size_t limit);
struct ir_expr *parse_make_binary(struct parser *p, enum ir_binary_op op, struct ir_expr *lhs,
                                  struct ir_expr *rhs);
void parse_place_keyword_calls(struct parser *p);
/* At `name=`. */
bool parse_at_keyword(const struct parser *p);
struct ir_expr *parse_new_call(struct parser *p, enum ir_callee callee, const char *name,
                               const struct token *first);
/* The tree's form of a registered operator's arguments: tuples for lists, integers for enums. */
void parse_canonical_arguments(struct parser *p, struct ir_call *call);

/* ---- pl._dump forms (pypto-facts 1.4), behind the opening parenthesis ---- */

/* At `pl._dump.name(`. */
bool parse_at_dump_form(const struct parser *p, const char *name);
struct ir_expr *parse_window_buffer(struct parser *p, const char *path, const struct token *first);
struct ir_expr *parse_recorded_call(struct parser *p, const char *path, const struct token *first);
struct ir_expr *parse_logical_xor(struct parser *p, const char *path, const struct token *first);
struct ir_expr *parse_float_bits(struct parser *p, const char *path, const struct token *first);
/* The annotation of an assignment decides in which window a distributed
 * tensor on its right lies. */
void parse_adopt_window(struct parser *p, struct ir_expr *value, struct ir_type *annotation);
/* At a label, "buf_window" or an older numeric id: the window of that label, made at need. */
struct ir_window_buffer *parse_window_label(struct parser *p);
/* Looks up bases and parses sizes of the function's windows, now that its variables are known. */
void parse_resolve_windows(struct parser *p);

/* ---- types ---- */

bool parse_at_type(const struct parser *p);
struct ir_type *parse_type(struct parser *p);
/* parse_memref.c: what follows the element type of a tile, from first on, as far as it is a pl.MemRef
 * of an author; and that such a tile says its memory. */
bool parse_is_memref(const struct ir_expr *e);
void parse_place(struct parser *p, const struct token *first, struct ir_expr *e);
void parse_check_place(struct parser *p, const struct ir_type *t);
/* The text of a dotted name, "pl.Mem.Vec". */
const char *parse_path(struct parser *p);

/* ---- statements ---- */

/* At f(arguments) of a function of @pl.inline, whose name ends at last: its body takes the place of
 * the call, and what it returns is the value (pypto-front-facts 2.9). */
struct ir_expr *parse_inline_call(struct parser *p, const struct name *called,
                                  const struct token *last);
/* The entries of attrs={...} or pl.func_attr({...}). */
void parse_add_func_attrs(struct parser *p, struct ir_func *f, const struct ir_expr *dict);
/* From the colon to the end of the body, docstring included. */
void parse_function_body(struct parser *p, struct ir_func *f);
/* A line of nothing but strings, joined: a docstring at the start of a body. Or NULL. */
const char *parse_docstring(struct parser *p);

#endif
