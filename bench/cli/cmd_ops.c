/* SPDX-License-Identifier: MIT */
/* fencebench ops: the operator registry as the parser, the verifier and the passes see it. */
#include <jansson.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/table.h"
#include "bench/cli/commands.h"
#include "bench/cli/listing.h"
#include "bench/report/output.h"
#include "ir/ops.h"

enum { SIGNATURE_INDENT = 4 };

struct op_selection {
    struct listing l;
    VEC(const struct ir_op *) ops;
};

/* ---- what the registry's letters and numbers are called ---- */

static const char *const effects[] = {IR_EFFECTS(NAME_ROW)};

static const char *const pipes[] = {IR_PIPES(NAME_ROW)};

/* %s: the argument that the rule reads. */
static const char *const results[] = {IR_RESULTS(NAME_ROW)};

/* The letters of ir_op.args, and those of ir_op_kwarg.kind. */
static const char *const arg_kinds[128] = {
    ['T'] = "tensor",  ['D'] = "window",  ['P'] = "local tensor",   ['t'] = "tile",
    ['s'] = "scalar",  ['i'] = "int",     ['u'] = "ints",           ['v'] = "ints or int",
    ['c'] = "context", ['p'] = "pointer", ['x'] = "tile or scalar", ['m'] = "tensor or tile",
    ['*'] = "any",     ['o'] = "tensor",
};

static const char *const kwarg_kinds[128] = {
    ['i'] = "int", ['b'] = "bool", ['s'] = "str", ['d'] = "dtype", ['*'] = "any",
};

static const char *kwarg_kind(const struct ir_op_kwarg *k)
{
    return k->kind == 'e' || k->kind == 'n' ? k->names : kwarg_kinds[(unsigned char)k->kind];
}

/* "False", "0", "None_"; NULL when there is no default value. */
static const char *kwarg_default(struct arena *a, const struct ir_op_kwarg *k)
{
    if (k->required || k->open)
        return NULL;
    if (k->kind == 'i')
        return arena_printf(a, "%lld", (long long)k->default_value);
    if (k->kind == 'b')
        return k->default_value ? "True" : "False";
    if (k->kind == 'n')
        return ir_op_number_name(a, k, k->default_value);
    for (size_t i = 0; k->kind == 'e' && i < ir_enum_count; i++) {
        size_t n = strlen(k->names);
        if (!strncmp(ir_enums[i].name, k->names, n) && ir_enums[i].name[n] == '.' &&
            ir_enums[i].value == k->default_value)
            return ir_enums[i].name + n + 1;
    }
    return k->default_is;
}

static size_t kwarg_count(const struct ir_op *op)
{
    size_t n = 0;
    while (n < IR_MAX_KWARGS && op->kwargs[n].name)
        n++;
    return n;
}

/* The result rule with the name of the argument that it reads. */
static const char *result_text(struct arena *a, const struct ir_op *op)
{
    const char *rule = results[op->result], *place = strstr(rule, "%s");
    if (!place)
        return rule;
    const char *arg = ir_op_arg_name(a, op, strlen(op->args), (size_t)op->result_arg);
    return arena_printf(a, "%.*s%s", (int)(place - rule), rule, arg ? arg : "?");
}

/* ---- text ---- */

/* "dst: window, peer: int[, stage2: tile]": the parameter list with the kind behind each name. */
static void add_params(struct strbuf *b, const struct ir_op *op)
{
    const char *kind = op->args;
    for (const char *p = op->params; *p && *p != '|';) {
        size_t punctuation = strspn(p, ",[]"), name = strcspn(p + punctuation, ",=[]|");
        for (size_t i = 0; i < punctuation; i++)
            strbuf_add(b, p[i] == ',' ? ", " : p[i] == '[' ? "[" : "]");
        p += punctuation;
        if (!name)
            continue;
        strbuf_addn(b, p, name);
        strbuf_addf(b, ": %s", arg_kinds[(unsigned char)*kind++]);
        p += name;
        if (*p == '=') {
            size_t n = strcspn(p, ",[]|");
            strbuf_addf(b, " = %.*s", (int)n - 1, p + 1);
            p += n;
        }
    }
}

/* Keywords behind the star are given by name only; what may be left out without a default is
 * bracketed. */
static void add_kwargs(struct strbuf *b, const struct ir_op *op)
{
    size_t n = kwarg_count(op);
    bool star = false, first = !*op->params;
    for (size_t i = 0; i < n; i++) {
        const struct ir_op_kwarg *k = &op->kwargs[i];
        const char *value = kwarg_default(b->arena, k);
        if (!k->positional && !star) {
            strbuf_add(b, first ? "*" : ", *");
            star = true;
            first = false;
        }
        bool bracket = !k->required && !value;
        strbuf_addf(b, "%s%s%s: %s", bracket ? "[" : "", first ? "" : ", ", k->name, kwarg_kind(k));
        strbuf_addf(b, "%s%s%s", value ? " = " : "", value ? value : "", bracket ? "]" : "");
        first = false;
    }
}

static void print_op(struct arena *a, const struct ir_op *op, int name_width)
{
    struct strbuf signature = strbuf_make(a);
    add_params(&signature, op);
    add_kwargs(&signature, op);
    printf("%-*s %-12s %-5s %-18s %s\n", name_width, op->name, effects[op->effect], pipes[op->pipe],
           result_text(a, op), op->doc);
    printf("%*s(%s)\n", SIGNATURE_INDENT, "", signature.text);
}

static void print_text(struct op_selection *c)
{
    int width = (int)strlen("NAME");
    vec_foreach (const struct ir_op *, op, &c->ops)
        width = (int)strlen((*op)->name) > width ? (int)strlen((*op)->name) : width;
    printf("%-*s %-12s %-5s %-18s %s\n", width, "NAME", "EFFECT", "PIPE", "RESULT", "DOC");
    printf("%*s(ARGUMENTS: KINDS, *, KEYWORDS)\n", SIGNATURE_INDENT, "");
    vec_foreach (const struct ir_op *, op, &c->ops)
        print_op(&c->l.arena, *op, width);
}

/* ---- JSON ---- */

/* May text leave argument i out? Either the fewest arguments do without it, or something stands for
 * it. */
static bool arg_optional(const struct ir_op *op, size_t i)
{
    size_t fewest = 0, given[IR_MAX_PARAMS];
    int repeated;
    int64_t value;
    while (!ir_op_layout(op, fewest, given))
        fewest++;
    for (size_t k = 0; k < fewest; k++)
        if (given[k] == i)
            return ir_op_default(op, i, &repeated, &value);
    return true;
}

static json_t *arguments_json(struct arena *a, const struct ir_op *op)
{
    json_t *list = json_array();
    size_t total = strlen(op->args);
    for (size_t i = 0; i < total; i++)
        json_array_append_new(list, json_pack("{ss ss sb}", "name", ir_op_arg_name(a, op, total, i),
                                              "kind", arg_kinds[(unsigned char)op->args[i]],
                                              "optional", arg_optional(op, i)));
    return list;
}

static json_t *keywords_json(struct arena *a, const struct ir_op *op)
{
    json_t *list = json_array();
    for (size_t i = 0; i < kwarg_count(op); i++) {
        const struct ir_op_kwarg *k = &op->kwargs[i];
        json_array_append_new(list, json_pack("{ss ss sb sb ss?}", "name", k->name, "kind",
                                              kwarg_kind(k), "required", k->required, "positional",
                                              k->positional, "default", kwarg_default(a, k)));
    }
    return list;
}

static const struct {
    enum ir_place place;
    const char *name;
} places[] = {{IR_PLACE_HOST, "host"}, {IR_PLACE_CHIP, "chip"}, {IR_PLACE_CORE, "core"}};

static json_t *places_json(const struct ir_op *op)
{
    json_t *list = json_array();
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (ir_op_places(op) & places[i].place)
            json_array_append_new(list, json_string(places[i].name));
    return list;
}

static json_t *op_json(struct arena *a, const struct ir_op *op)
{
    json_t *spellings = json_array();
    for (size_t i = 0; i < ir_op_spelling_count; i++)
        if (!strcmp(ir_op_spellings[i].name, op->name))
            json_array_append_new(spellings, json_string(ir_op_spellings[i].written));
    const char *target =
        op->target < 0 ? NULL : ir_op_arg_name(a, op, strlen(op->args), (size_t)op->target);
    return json_pack("{ss ss so so ss ss? ss ss sb so so}", "name", op->name, "doc", op->doc,
                     "arguments", arguments_json(a, op), "keywords", keywords_json(a, op), "effect",
                     effects[op->effect], "target", target, "pipe", pipes[op->pipe], "result",
                     result_text(a, op), "incore", ir_op_in_core(op), "places", places_json(op),
                     "spellings", spellings);
}

static void print_json(struct op_selection *c)
{
    json_t *list = json_array();
    vec_foreach (const struct ir_op *, op, &c->ops)
        json_array_append_new(list, op_json(&c->l.arena, *op));
    output_json(list);
}

/* ---- options and names ---- */

static const struct listing_command command = {
    .doc =
        "List the operators of the kernel language, or the named ones (as a kernel spells them: "
        "pl.add "
        "is tile.add and tensor.add, notify is pld.system.notify): effect, pipe "
        "and result, and below them the arguments with their kinds and, behind the star, the "
        "keywords that are given by name. Brackets enclose what may be left out; a tensor may be "
        "a window (pld.DistributedTensor), a window is nothing else.",
    .names = "[NAME..]",
    .extra = "incore",
    .extra_doc = "Only operators that an InCore function may use (default: all)",
};

/* "add" of "tile.add". */
static const char *last_part(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot ? dot + 1 : name;
}

static void add_row(struct op_selection *c, size_t from, const struct ir_op *op)
{
    for (size_t i = from; i < c->ops.len; i++)
        if (c->ops.items[i] == op)
            return;
    vec_push(&c->l.arena, &c->ops, op);
}

/* The rows that a kernel may mean by a name: the one of that name or of a spelling; those of an
 * overloaded one; or, as pl.add is tile.add or tensor.add by its operand, all whose last part it is. */
static void add_named(struct op_selection *c, const char *bare)
{
    size_t from = c->ops.len;
    for (size_t i = 0; i < ir_op_overload_count; i++)
        if (!strcmp(ir_op_overloads[i].written, bare))
            add_row(c, from, ir_op_find(ir_op_overloads[i].name));
    const char *name = bare;
    for (size_t i = 0; i < ir_op_spelling_count; i++)
        if (!strcmp(ir_op_spellings[i].written, bare))
            name = ir_op_spellings[i].name;
    const struct ir_op *op = ir_op_find(name);
    if (op)
        add_row(c, from, op);
    for (size_t i = 0, n = op || strchr(bare, '.') ? 0 : ir_op_count(); i < n; i++)
        if (!strcmp(last_part(ir_op_at(i)->name), bare))
            add_row(c, from, ir_op_at(i));
}

/* What there is: names, spellings, and last parts for a name without a dot. The right name in the
 * wrong place is nearer than a misspelling. */
static bool unknown_op(struct op_selection *c, const char *name, const char *bare)
{
    struct listing *l = &c->l;
    VEC(const char *) known = {0};
    const struct ir_op *op;
    for (size_t i = 0; (op = ir_op_at(i)); i++) {
        if (strchr(bare, '.') && !strcmp(last_part(op->name), last_part(bare)))
            return diag_error(&l->diag, NULL, (struct span){0},
                              "no operator '%s'; did you mean '%s'?", name, op->name);
        vec_push(&l->arena, &known, strchr(bare, '.') ? op->name : last_part(op->name));
    }
    for (size_t i = 0; i < ir_op_spelling_count; i++)
        vec_push(&l->arena, &known, ir_op_spellings[i].written);
    return diag_error(&l->diag, NULL, (struct span){0}, "no operator '%s'%s", name,
                      diag_hint(&l->arena, bare, known.items, known.len));
}

static bool add_op(struct op_selection *c, const char *name)
{
    const char *bare = strncmp(name, "pl.", 3) ? name : name + 3;
    size_t before = c->ops.len;
    add_named(c, bare);
    size_t found = c->ops.len;
    if (found == before)
        return unknown_op(c, name, bare);
    if (!c->l.extra)
        return true;
    c->ops.len = before;
    for (size_t i = before; i < found; i++)
        if (ir_op_in_core(c->ops.items[i]))
            c->ops.items[c->ops.len++] = c->ops.items[i];
    return c->ops.len > before ||
           diag_error(&c->l.diag, NULL, (struct span){0}, "'%s' is no operator of InCore functions",
                      c->ops.items[before]->name);
}

static bool choose(struct op_selection *c)
{
    const struct ir_op *row;
    for (size_t i = 0; !c->l.names.len && (row = ir_op_at(i)); i++)
        if (ir_op_in_core(row) || !c->l.extra)
            vec_push(&c->l.arena, &c->ops, row);
    vec_foreach (const char *, name, &c->l.names)
        if (!add_op(c, *name))
            return false;
    return true;
}

int cmd_ops(int argc, char **argv)
{
    struct op_selection c = {0};
    listing_parse(&c.l, &command, argc, argv);
    bool ok = choose(&c);
    if (ok && c.l.format == LISTING_JSON)
        print_json(&c);
    else if (ok)
        print_text(&c);
    return listing_end(&c.l, ok);
}
