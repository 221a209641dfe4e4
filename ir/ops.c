/* SPDX-License-Identifier: MIT */
#include "ir/ops.h"

#include <string.h>

#include "base/strbuf.h"

const struct ir_op *ir_op_find(const char *name)
{
    for (size_t i = 0; i < ir_op_count; i++)
        if (strcmp(ir_ops[i].name, name) == 0)
            return &ir_ops[i];
    return NULL;
}

/*
 * The first row that matches decides, and an operator without a row may stand anywhere. A name that
 * ends in a point stands for all that begin with it.
 */
static const struct {
    const char *op;
    enum ir_place places;
} placements[] = {
    {"pld.system.world_size", IR_PLACE_HOST},
    {"pld.tensor.alloc_window_buffer", IR_PLACE_HOST},
    {"pld.tensor.window", IR_PLACE_HOST},
    {"builtin.tensor.", IR_PLACE_HOST},
    {"pld.system.rank", IR_PLACE_CORES},
    {"pld.system.nranks", IR_PLACE_CORES},
    {"pld.system.notify", IR_PLACE_DEVICE},
    {"pld.system.wait", IR_PLACE_DEVICE},
    {"pld.system.defer_wait", IR_PLACE_DEVICE},
    {"pld.tile.", IR_PLACE_DEVICE},
    {"system.", IR_PLACE_DEVICE},
};

enum ir_place ir_op_places(const struct ir_op *op)
{
    for (size_t i = 0; i < sizeof placements / sizeof *placements; i++) {
        size_t n = strlen(placements[i].op);
        bool family = placements[i].op[n - 1] == '.';
        if (strncmp(op->name, placements[i].op, n) == 0 && (family || !op->name[n]))
            return placements[i].places;
    }
    return IR_PLACE_ANY;
}

const struct ir_enum_member *ir_enum_find(const char *name)
{
    for (size_t i = 0; i < ir_enum_count; i++)
        if (strcmp(ir_enums[i].name, name) == 0)
            return &ir_enums[i];
    return NULL;
}

/* ---- parameter lists ---- */

struct param {
    const char *name;
    size_t len;
    int group; /* 0: always given; otherwise the number of its pair of brackets */
};

/* Splits op->params; returns how many there are and, in *groups, the number of bracket pairs. */
static size_t split_params(const struct ir_op *op, struct param out[IR_MAX_PARAMS], int *groups)
{
    size_t n = 0;
    int open = 0;
    *groups = 0;
    for (const char *p = op->params; *p;) {
        if (*p == '[')
            open = ++*groups;
        if (*p == ']')
            open = 0;
        if (*p == '[' || *p == ']' || *p == ',') {
            p++;
            continue;
        }
        size_t len = strcspn(p, ",=[]");
        out[n++] = (struct param){p, len, open};
        p += len;
        if (*p == '=')
            p += strcspn(p, ",[]");
    }
    return n;
}

bool ir_op_layout(const struct ir_op *op, size_t n, size_t out[IR_MAX_PARAMS])
{
    struct param params[IR_MAX_PARAMS];
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
    struct param params[IR_MAX_PARAMS];
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
    struct param params[IR_MAX_PARAMS];
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

int ir_op_repeated(const struct ir_op *op)
{
    const char *equals = strchr(op->params, '=');
    return equals ? param_find(op, equals + 1, strlen(equals + 1)) : -1;
}

const char *ir_op_arities(struct arena *a, const struct ir_op *op)
{
    struct strbuf b = strbuf_make(a);
    for (unsigned n = 0; n <= IR_MAX_PARAMS; n++) {
        if (!(op->arities >> n & 1))
            continue;
        if (b.len)
            strbuf_add(&b, op->arities >> (n + 1) ? ", " : " or ");
        strbuf_addf(&b, "%u", n);
    }
    return b.text;
}

/* ---- keyword values ---- */

int64_t ir_call_int(const struct ir_call *call, const char *name)
{
    const struct ir_expr *e = ir_kwarg_find(&call->kwargs, name);
    int64_t value;
    if (e && e->kind == IR_NAME) {
        const struct ir_enum_member *m = ir_enum_find(e->name);
        if (m)
            return m->value;
    } else if (e && ir_const_int(NULL, e, &value)) {
        return value;
    }
    for (int i = 0; call->op && i < IR_MAX_KWARGS && call->op->kwargs[i].name; i++)
        if (strcmp(call->op->kwargs[i].name, name) == 0)
            return call->op->kwargs[i].default_value;
    return 0;
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
