/* SPDX-License-Identifier: MIT */
/* Types of `.pto` text (pto-facts 1.4), each brought into one spelling. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "pto/parse_internal.h"

static const struct pto_type *make(struct pto_parser *p, struct pto_type t)
{
    return arena_dup(p->arena, &t, sizeof t);
}

/* One or more words or extents as they stand in a type: f32, !pto.hif8, 4xf32. */
static const char *element(struct pto_parser *p)
{
    if (p->at->kind != PT_WORD && p->at->kind != PT_BANG) {
        pto_expected(p, "an element type");
        return NULL;
    }
    return p->at++->text;
}

static const char *extent_text(struct arena *a, int64_t n)
{
    return n == PTO_DYNAMIC ? "?" : arena_decimal(a, n);
}

/* "8x?xbf16" taken apart; a scalar element alone has no extents. */
static bool dims(struct pto_parser *p, struct pto_type *t)
{
    if (p->at->kind != PT_DIMS) {
        t->elem = element(p);
        return t->elem != NULL;
    }
    const char *s = p->at->text;
    while (*s == '?' || isdigit((unsigned char)*s)) {
        char *end = (char *)s + 1;
        if (t->ndims == PTO_MAX_DIMS)
            return pto_fail(p, p->at->span, "a type has at most %d extents", PTO_MAX_DIMS);
        int64_t n = *s == '?' ? PTO_DYNAMIC : strtoll(s, &end, 10);
        if (n == INT64_MAX)
            return pto_fail(p, p->at->span, "an extent of this type is out of range");
        t->dims[t->ndims++] = n;
        s = end;
        if (*s != 'x')
            return pto_fail(p, p->at->span, "expected 'x' behind an extent, as in 8x16xf32");
        s++;
    }
    if ((!isalpha((unsigned char)*s) && *s != '!') || strpbrk(s + 1, "?!"))
        return pto_fail(p, p->at->span, "expected an element type behind the extents");
    t->elem = s;
    p->at++;
    return true;
}

static const char *dims_text(struct pto_parser *p, const struct pto_type *t)
{
    struct strbuf b = strbuf_make(p->arena);
    for (int i = 0; i < t->ndims; i++)
        strbuf_addf(&b, "%sx", extent_text(p->arena, t->dims[i]));
    strbuf_add(&b, t->elem);
    return b.text;
}

/* gm, or #pto.address_space<gm>. */
static bool space(struct pto_parser *p, const char **out)
{
    bool sign = p->at->kind == PT_HASH;
    if (sign && (p->at++, !pto_need(p, "<")))
        return false;
    if (p->at->kind != PT_WORD)
        return pto_expected(p, "an address space");
    *out = p->at++->text;
    return !sign || pto_need(p, ">");
}

static const struct pto_type *pointer(struct pto_parser *p)
{
    struct pto_type t = {.kind = PTO_POINTER, .space = "gm"};
    t.elem = element(p);
    if (!t.elem || (pto_take(p, ",") && !space(p, &t.space)) || !pto_need(p, ">"))
        return NULL;
    t.text = strcmp(t.space, "gm") ? arena_printf(p->arena, "!pto.ptr<%s, %s>", t.elem, t.space)
                                   : arena_printf(p->arena, "!pto.ptr<%s>", t.elem);
    return make(p, t);
}

static const struct pto_type *view(struct pto_parser *p, const char *name, enum pto_type_kind kind)
{
    struct pto_type t = {.kind = kind};
    if (!dims(p, &t) || !pto_need(p, ">"))
        return NULL;
    t.text = arena_printf(p->arena, "%s<%s>", name, dims_text(p, &t));
    return make(p, t);
}

/* ---- tiles ---- */

/* Fields of a tile type in their order; those without a value here must be given. */
enum {
    TILE_LOC,
    TILE_DTYPE,
    TILE_ROWS,
    TILE_COLS,
    TILE_VROW,
    TILE_VCOL,
    TILE_BLAYOUT,
    TILE_SLAYOUT,
    TILE_FRACTAL,
    TILE_PAD,
    TILE_FIELDS
};
static const struct {
    const char *name, *value;
} tile_fields[TILE_FIELDS] = {
    {"loc", NULL},      {"dtype", NULL}, {"rows", NULL},           {"cols", NULL},
    {"v_row", NULL},    {"v_col", NULL}, {"blayout", "row_major"}, {"slayout", "none_box"},
    {"fractal", "512"}, {"pad", "0"},
};

struct tile_text {
    const char *field[TILE_FIELDS];
    struct strbuf more; /* fields that this does not know, as they stand */
};

static bool tile_field(struct pto_parser *p, struct tile_text *t)
{
    struct span at = p->at->span;
    const char *name = p->at++->text;
    if (!pto_need(p, "="))
        return false;
    bool value_comes = pto_at_mark(p, "?") || p->at->kind == PT_NUMBER || p->at->kind == PT_WORD ||
                       p->at->kind == PT_DIMS || p->at->kind == PT_BANG;
    if (!value_comes)
        return pto_expected(p, "a value");
    const char *value = p->at++->text;
    if (!strcmp(name, "valid")) {
        const char *x = strchr(value, 'x');
        if (!x || x == value || !x[1])
            return pto_fail(p, at, "expected valid=ROWSxCOLS");
        t->field[TILE_VROW] = arena_strndup(p->arena, value, (size_t)(x - value));
        t->field[TILE_VCOL] = x + 1;
        return true;
    }
    for (int i = 0; i < TILE_FIELDS; i++)
        if (!strcmp(name, tile_fields[i].name)) {
            if (t->field[i])
                return pto_fail(p, at, "'%s' is given twice", name);
            t->field[i] = value;
            return true;
        }
    strbuf_addf(&t->more, ", %s=%s", name, value);
    return true;
}

/* vec, 16x128xf32 in front of the fields. */
static bool tile_short(struct pto_parser *p, struct tile_text *t)
{
    struct pto_type shape = {0};
    t->field[TILE_LOC] = p->at++->text;
    if (!pto_need(p, ",") || !dims(p, &shape))
        return false;
    if (shape.ndims != 2)
        return pto_fail(p, p->at[-1].span, "a tile has rows and columns, as in 16x128xf32");
    t->field[TILE_DTYPE] = shape.elem;
    t->field[TILE_ROWS] = extent_text(p->arena, shape.dims[0]);
    t->field[TILE_COLS] = extent_text(p->arena, shape.dims[1]);
    return true;
}

static bool tile_number(struct pto_parser *p, const struct tile_text *t, int field, struct span at,
                        int64_t *out)
{
    const char *s = t->field[field];
    char *end;
    *out = strcmp(s, "?") ? strtoll(s, &end, 10) : PTO_DYNAMIC;
    bool valid = field == TILE_VROW || field == TILE_VCOL;
    if (*out == PTO_DYNAMIC ? !valid || strcmp(s, "?") : *end || *out < 0 || *out > 1 << 24)
        return pto_fail(p, at, "'%s=%s' is no size of a tile", tile_fields[field].name, s);
    return true;
}

static const struct pto_type *tile(struct pto_parser *p, const char *name, struct span at)
{
    struct tile_text t = {.more = strbuf_make(p->arena)};
    if (p->at->kind == PT_WORD && !pto_at(&(struct pto_parser){.at = p->at + 1}, PT_MARK, "=") &&
        (!tile_short(p, &t) || (pto_at_mark(p, ",") && !pto_need(p, ","))))
        return NULL;
    while (p->at->kind == PT_WORD) {
        if (!tile_field(p, &t))
            return NULL;
        if (!pto_take(p, ","))
            break;
    }
    if (!pto_need(p, ">"))
        return NULL;
    struct strbuf b = strbuf_make(p->arena);
    if (!t.field[TILE_VROW])
        t.field[TILE_VROW] = t.field[TILE_ROWS];
    if (!t.field[TILE_VCOL])
        t.field[TILE_VCOL] = t.field[TILE_COLS];
    for (int i = 0; i < TILE_FIELDS; i++) {
        if (!t.field[i])
            t.field[i] = tile_fields[i].value;
        if (!t.field[i]) {
            pto_fail(p, at, "this tile type does not say its '%s'", tile_fields[i].name);
            return NULL;
        }
        strbuf_addf(&b, "%s%s=%s", i ? ", " : "", tile_fields[i].name, t.field[i]);
    }
    struct pto_type out = {.kind = PTO_TILE,
                           .elem = t.field[TILE_DTYPE],
                           .ndims = 2,
                           .space = t.field[TILE_LOC],
                           .blayout = t.field[TILE_BLAYOUT],
                           .slayout = t.field[TILE_SLAYOUT]};
    for (int i = 0; i < 2; i++)
        if (!tile_number(p, &t, TILE_ROWS + i, at, &out.dims[i]) ||
            !tile_number(p, &t, TILE_VROW + i, at, &out.valid[i]))
            return NULL;
    out.text = arena_printf(p->arena, "%s<%s%s>", name, b.text, t.more.text ? t.more.text : "");
    return make(p, out);
}

/* multi_tile_buf<TILE, count=N>, or with the fields of the tile in its place. */
static const struct pto_type *tiles(struct pto_parser *p, const char *name, struct span at)
{
    static const char mark[] = ", count=";
    bool nested = p->at->kind == PT_BANG;
    const struct pto_type *one = nested ? pto_parse_type(p) : tile(p, "!pto.tile_buf", at);
    const char *more = one && one->kind == PTO_TILE ? nested ? pto_raw(p, ">") : one->text : NULL;
    const char *count = more ? strstr(more, nested ? "count" : mark) : NULL;
    if (!one || (nested && more && !pto_need(p, ">")))
        return NULL;
    struct pto_type out = *one;
    char *end = NULL;
    out.kind = PTO_TILES;
    out.count = count ? strtoll(count + strcspn(count, "0123456789"), &end, 10) : 0;
    if (!end || out.count < 1 || out.count > 1 << 24) {
        pto_fail(p, at, "expected the type of a tile and how many there are, as in count=2");
        return NULL;
    }
    const char *inner =
        nested ? one->text : arena_printf(p->arena, "%.*s>", (int)(count - more), more);
    out.text = arena_printf(p->arena, "%s<%s, count=%lld>", name, inner, (long long)out.count);
    return make(p, out);
}

/* ---- all types ---- */

static const struct pto_type *dialect_type(struct pto_parser *p)
{
    struct span at = p->at->span;
    const char *name = p->at++->text;
    const struct pto_type *alias = map_get_text(&p->types, name);
    if (alias)
        return alias;
    if (!pto_take(p, "<"))
        return make(p, (struct pto_type){.kind = PTO_OTHER, .text = name});
    if (!strcmp(name, "!pto.ptr"))
        return pointer(p);
    if (!strcmp(name, "!pto.tensor_view"))
        return view(p, name, PTO_VIEW);
    if (!strcmp(name, "!pto.partition_tensor_view"))
        return view(p, name, PTO_PARTITION);
    if (!strcmp(name, "!pto.tile_buf"))
        return tile(p, name, at);
    if (!strcmp(name, "!pto.multi_tile_buf"))
        return tiles(p, name, at);
    const char *inner = pto_raw(p, ">");
    if (!inner || !pto_need(p, ">"))
        return NULL;
    return make(p, (struct pto_type){.kind = PTO_OTHER,
                                     .text = arena_printf(p->arena, "%s<%s>", name, inner)});
}

/* (T, T) -> T: a function's. */
static const struct pto_type *function_type(struct pto_parser *p)
{
    p->at++;
    const char *inner = pto_raw(p, ")");
    if (!inner || !pto_need(p, ")") || !pto_need(p, "->"))
        return NULL;
    bool list = pto_take(p, "(");
    const char *result = NULL;
    if (list) {
        result = pto_raw(p, ")");
        if (!result || !pto_need(p, ")"))
            return NULL;
    } else {
        const struct pto_type *one = pto_parse_type(p);
        if (!one)
            return NULL;
        result = one->text;
    }
    return make(p,
                (struct pto_type){.kind = PTO_OTHER,
                                  .text = arena_printf(p->arena, "(%s) -> (%s)", inner, result)});
}

const struct pto_type *pto_parse_type(struct pto_parser *p)
{
    const struct pto_type *t = NULL;
    if (!pto_enter(p))
        return NULL;
    if (p->at->kind == PT_BANG) {
        t = dialect_type(p);
    } else if (pto_at_mark(p, "(")) {
        t = function_type(p);
    } else if (p->at->kind == PT_WORD) {
        const char *name = p->at++->text;
        if (!pto_take(p, "<")) {
            t = make(p, (struct pto_type){.kind = PTO_SCALAR, .text = name, .elem = name});
        } else {
            const char *inner = pto_raw(p, ">");
            if (inner && pto_need(p, ">"))
                t = make(p,
                         (struct pto_type){.kind = PTO_OTHER,
                                           .text = arena_printf(p->arena, "%s<%s>", name, inner)});
        }
    } else if (pto_take(p, "<")) {
        /* The operation knows which type it is. */
        const struct pto_token *t1 =
            p->at->kind == PT_END || p->at->kind == PT_ERROR ? p->at : p->at + 1;
        bool fields = t1->kind == PT_MARK && (*t1->text == '=' || *t1->text == ',');
        t = fields ? tile(p, "!pto.tile_buf", p->at->span) : pointer(p);
    } else {
        pto_expected(p, "a type");
    }
    p->depth--;
    return t;
}
