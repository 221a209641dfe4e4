/* SPDX-License-Identifier: MIT */
#include "ir/ops.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "ir/ops_rows.h"

/* ---- rows ---- */

/* What all names of a family begin with, where they share it. */
static const struct {
    const char *prefix;
    const struct ir_op *ops;
} families[] = {
    {"", ir_ops_comm}, {"", ir_ops_system}, {"tile.", ir_ops_tile}, {"tensor.", ir_ops_tensor}};
enum { FAMILIES = sizeof families / sizeof *families };

const struct ir_op *ir_op_at(size_t i)
{
    for (size_t f = 0; f < FAMILIES; f++)
        for (const struct ir_op *op = families[f].ops; op->name; op++)
            if (i-- == 0)
                return op;
    return NULL;
}

size_t ir_op_count(void)
{
    size_t n = 0;
    for (size_t f = 0; f < FAMILIES; f++)
        for (const struct ir_op *op = families[f].ops; op->name; op++)
            n++;
    return n;
}

const struct ir_op *ir_op_find(const char *name)
{
    for (size_t f = 0; f < FAMILIES; f++) {
        size_t n = strlen(families[f].prefix);
        if (strncmp(name, families[f].prefix, n) != 0)
            continue;
        for (const struct ir_op *op = families[f].ops; op->name; op++)
            if (strcmp(op->name + n, name + n) == 0)
                return op;
    }
    return NULL;
}

const struct ir_op_kwarg *ir_op_keyword(const struct ir_op *op, const char *name)
{
    for (int i = 0; i < IR_MAX_KWARGS && op->kwargs[i].name; i++)
        if (strcmp(op->kwargs[i].name, name) == 0)
            return &op->kwargs[i];
    return NULL;
}

const char *ir_op_number_name(struct arena *a, const struct ir_op_kwarg *k, int64_t value)
{
    const char *name = k->names;
    for (int64_t i = 0; name && i < value; i++)
        name = strchr(name, ',') ? strchr(name, ',') + 1 : NULL;
    return name && value >= 0 ? arena_strndup(a, name, strcspn(name, ",")) : NULL;
}

int64_t ir_op_named_number(const struct ir_op_kwarg *k, const char *name)
{
    size_t len = strlen(name);
    const char *at = k->names;
    for (int64_t n = 0; at; n++) {
        if (strncmp(at, name, len) == 0 && (at[len] == ',' || !at[len]))
            return n;
        at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL;
    }
    return -1;
}

/* ---- places ---- */

/*
 * The first row that matches decides, and an operator without a row may stand anywhere. A name that
 * ends in a point or an underscore stands for all that begin with it.
 */
static const struct {
    const char *op;
    enum ir_place places;
} placements[] = {
    {"pld.system.world_size", IR_PLACE_HOST},
    {"pld.tensor.alloc_window_buffer", IR_PLACE_HOST},
    {"pld.tensor.window", IR_PLACE_HOST},
    {"builtin.tensor.", IR_PLACE_HOST},
    {"pld.system.notify", IR_PLACE_DEVICE},
    {"pld.system.wait", IR_PLACE_DEVICE},
    {"pld.system.defer_wait", IR_PLACE_DEVICE},
    {"pld.tile.", IR_PLACE_DEVICE},
    {"dist.", IR_PLACE_HOST},
    {"system.available_", IR_PLACE_OUTSIDE},
    {"system.task_", IR_PLACE_OUTSIDE},
    {"system.", IR_PLACE_DEVICE},
};

enum ir_place ir_op_places(const struct ir_op *op)
{
    for (size_t i = 0; i < sizeof placements / sizeof *placements; i++) {
        size_t n = strlen(placements[i].op);
        bool family = strchr("._", placements[i].op[n - 1]) != NULL;
        if (strncmp(op->name, placements[i].op, n) == 0 && (family || !op->name[n]))
            return placements[i].places;
    }
    return IR_PLACE_ANY;
}

bool ir_op_in_core(const struct ir_op *op)
{
    return ir_op_places(op) & IR_PLACE_CORE;
}

const struct ir_enum_member *ir_enum_find(const char *name)
{
    for (size_t i = 0; i < ir_enum_count; i++)
        if (strcmp(ir_enums[i].name, name) == 0)
            return &ir_enums[i];
    return NULL;
}

/* ---- parameter lists ---- */

struct op_param {
    const char *name;
    size_t len;
    int group; /* 0: always given; otherwise the number of its pair of brackets */
};

/* Splits op->params; returns how many there are and, in *groups, the number of bracket pairs. */
static size_t split_params(const struct ir_op *op, struct op_param out[IR_MAX_PARAMS], int *groups)
{
    size_t n = 0;
    int open = 0;
    *groups = 0;
    for (const char *p = op->params; *p && *p != '|';) {
        if (*p == '[')
            open = ++*groups;
        if (*p == ']')
            open = 0;
        if (*p == '[' || *p == ']' || *p == ',') {
            p++;
            continue;
        }
        size_t len = strcspn(p, ",=[]|");
        out[n++] = (struct op_param){p, len, open};
        p += len;
        if (*p == '=')
            p += strcspn(p, ",[]|");
    }
    return n;
}

const char *ir_op_text_order(const struct ir_op *op)
{
    const char *bar = strchr(op->params, '|');
    return bar ? bar + 1 : NULL;
}

bool ir_op_layout(const struct ir_op *op, size_t n, size_t out[IR_MAX_PARAMS])
{
    struct op_param params[IR_MAX_PARAMS];
    int groups;
    size_t total = split_params(op, params, &groups);
    for (unsigned left_out = 0; left_out < 1u << groups; left_out++) {
        size_t given = 0;
        for (size_t i = 0; i < total; i++) {
            /* Bit 0 leaves out the last pair, so that the earlier ones are filled first. */
            if (params[i].group && left_out >> (groups - params[i].group) & 1)
                continue;
            out[given++] = i;
        }
        if (given == n)
            return true;
    }
    return false;
}

char ir_op_arg_kind(const struct ir_op *op, size_t n, size_t i)
{
    size_t given[IR_MAX_PARAMS];
    return i < n && n <= IR_MAX_PARAMS && ir_op_layout(op, n, given) ? op->args[given[i]] : '\0';
}

const char *ir_op_arg_name(struct arena *a, const struct ir_op *op, size_t n, size_t i)
{
    size_t given[IR_MAX_PARAMS];
    struct op_param params[IR_MAX_PARAMS];
    int groups;
    if (i >= n || n > IR_MAX_PARAMS || !ir_op_layout(op, n, given))
        return NULL;
    split_params(op, params, &groups);
    return arena_strndup(a, params[given[i]].name, params[given[i]].len);
}

static size_t stem(const char *name, size_t len)
{
    return len > 1 && name[len - 1] == 's' ? len - 1 : len;
}

static int param_find(const struct ir_op *op, const char *name, size_t len)
{
    struct op_param params[IR_MAX_PARAMS];
    int groups;
    size_t n = split_params(op, params, &groups), root = stem(name, len);
    for (size_t i = 0; i < n; i++)
        if (stem(params[i].name, params[i].len) == root && memcmp(name, params[i].name, root) == 0)
            return (int)i;
    return -1;
}

int ir_op_param(const struct ir_op *op, const char *name)
{
    return param_find(op, name, strlen(name));
}

bool ir_op_default(const struct ir_op *op, size_t i, int *repeated, int64_t *value)
{
    struct op_param params[IR_MAX_PARAMS];
    int groups;
    if (i >= split_params(op, params, &groups) || params[i].name[params[i].len] != '=')
        return false;
    const char *is = params[i].name + params[i].len + 1;
    *value = strtoll(is, NULL, 10);
    *repeated = isdigit((unsigned char)*is) ? -1 : param_find(op, is, strcspn(is, ",[]|"));
    return true;
}

bool ir_op_is_halving(const struct ir_op *op)
{
    return op->result == IR_RESULT_SPLIT || op->result == IR_RESULT_JOINED;
}

bool ir_op_takes(const struct ir_op *op, size_t n)
{
    size_t given[IR_MAX_PARAMS];
    return n <= IR_MAX_PARAMS && ir_op_layout(op, n, given);
}

const char *ir_op_arities(struct arena *a, const struct ir_op *op)
{
    struct strbuf b = strbuf_make(a);
    size_t last = strlen(op->args);
    for (size_t n = 0; n <= last; n++) {
        if (!ir_op_takes(op, n))
            continue;
        if (b.len)
            strbuf_add(&b, n < last ? ", " : " or ");
        strbuf_addf(&b, "%zu", n);
    }
    return b.text;
}

/* ---- keyword values ---- */

bool ir_op_is_default(const struct ir_op_kwarg *k, const struct ir_expr *value)
{
    int64_t n;
    if (k->required || k->open)
        return false;
    if (!k->default_is)
        return strchr("iben", k->kind) && value->kind != IR_NAME && ir_const_int(value, &n) &&
               n == k->default_value;
    const char *text = value->kind == IR_NAME     ? value->name
                       : value->kind == IR_STRING ? value->string
                                                  : NULL;
    return text && strcmp(text, k->default_is) == 0;
}

int64_t ir_call_int(const struct ir_call *call, const char *name)
{
    const struct ir_expr *e = ir_kwarg_find(&call->kwargs, name);
    int64_t value;
    if (e && e->kind == IR_NAME) {
        const struct ir_enum_member *m = ir_enum_find(e->name);
        if (m)
            return m->value;
    } else if (e && ir_const_int(e, &value)) {
        return value;
    }
    const struct ir_op_kwarg *row = call->op ? ir_op_keyword(call->op, name) : NULL;
    return row ? row->default_value : 0;
}

struct ir_expr *ir_call_arg(const struct ir_call *call, const char *param)
{
    size_t given[IR_MAX_PARAMS];
    int at = ir_op_param(call->op, param);
    if (at < 0 || !ir_op_layout(call->op, call->args.len, given))
        return NULL;
    for (size_t i = 0; i < call->args.len; i++)
        if (given[i] == (size_t)at)
            return call->args.items[i];
    return NULL;
}
