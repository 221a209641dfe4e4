/* SPDX-License-Identifier: MIT */
/*
 * Sine and cosine of an FP32 tile in arithmetic (pypto-front-facts 3.7, LowerCompositeOps):
 *
 *     k     the multiple of pi next to x; for the cosine to x + pi/2
 *     t     what is left, in [-pi/2, pi/2]: pi is taken off in five parts, whose products with k
 *           are exact for longer than that of pi as one float
 *     sign  (-1)^k, as 4 * floor(k / 2) - 2 * k + 1
 *     sine  sign * t * P(t * t), P an even polynomial near sin(t) / t
 */
#include "ir/infer.h"
#include "passes/composite.h"

enum function { SIN = 1, COS = 2, BOTH = SIN | COS };

/* Values that later steps need; each step writes one. */
enum value { X, K, K_PI, T, SIGN, T2, P, VALUES, NUMBER };

/* to = op(x, y): y is a value or, as NUMBER, the constant by; a cast has a type and a mode. */
struct step {
    enum function of;
    const char *name;
    enum value to;
    const char *op;
    enum value x, y;
    float by;
    const char *type, *mode;
};

#define TILES(...)                                                                                 \
    {                                                                                              \
        __VA_ARGS__, 0, NULL, NULL                                                                 \
    }
#define SCALAR(of, name, to, op, x, by)                                                            \
    {                                                                                              \
        of, name, to, op, x, NUMBER, by, NULL, NULL                                                \
    }
#define CAST(of, name, to, x, type, mode)                                                          \
    {                                                                                              \
        of, name, to, "tile.cast", x, NUMBER, 0, type, mode                                        \
    }

// clang-format off
static const struct step steps[] = {
    SCALAR(BOTH, "pi_inv_x", K, "tile.muls", X, 0.31830988732818603515625f),
    SCALAR(COS, "k_pre", K, "tile.adds", K, 0.5f),
    CAST(SIN, "k_i", K, K, "pl.INT32", "round"),
    CAST(COS, "k_i", K, K, "pl.INT32", "rint"),
    CAST(BOTH, "k_f", K, K, "pl.FP32", "none"),
    SCALAR(BOTH, "k_pi_v2", K_PI, "tile.muls", K, 3.140625f),
    TILES(BOTH, "t0", T, "tile.sub", X, K_PI),
    SCALAR(BOTH, "k_pi_c1", K_PI, "tile.muls", K, 0.0009670257568359375f),
    TILES(BOTH, "t1", T, "tile.sub", T, K_PI),
    SCALAR(COS, "t1h", T, "tile.adds", T, 1.57079637050628662109375f),
    SCALAR(BOTH, "k_pi_c2", K_PI, "tile.muls", K, 6.2771141529083251953125e-7f),
    TILES(BOTH, "t2", T, "tile.sub", T, K_PI),
    SCALAR(BOTH, "k_pi_c3", K_PI, "tile.muls", K, 1.21644916362129151821e-10f),
    TILES(BOTH, "t3", T, "tile.sub", T, K_PI),
    SCALAR(BOTH, "k_pi_c4", K_PI, "tile.muls", K, -1.0290623200529979163e-13f),
    TILES(BOTH, "t4", T, "tile.sub", T, K_PI),
    SCALAR(COS, "t4t", T, "tile.adds", T, -4.371139000189375e-8f),
    SCALAR(BOTH, "half_k", SIGN, "tile.muls", K, 0.5f),
    CAST(BOTH, "floor_hk_i", SIGN, SIGN, "pl.INT32", "floor"),
    CAST(BOTH, "floor_hk_f", SIGN, SIGN, "pl.FP32", "none"),
    SCALAR(BOTH, "floor_x4", SIGN, "tile.muls", SIGN, 4.0f),
    SCALAR(BOTH, "neg2_k", K, "tile.muls", K, -2.0f),
    TILES(BOTH, "sign_pre", SIGN, "tile.add", SIGN, K),
    SCALAR(BOTH, "sign", SIGN, "tile.adds", SIGN, 1.0f),
    TILES(BOTH, "t2sq", T2, "tile.mul", T, T),
    SCALAR(BOTH, "p_r0", P, "tile.muls", T2, 2.604926501e-6f),
    SCALAR(BOTH, "p_r1", P, "tile.adds", P, -1.980894471e-4f),
    TILES(BOTH, "p_t2_r1", P, "tile.mul", P, T2),
    SCALAR(BOTH, "p_r2", P, "tile.adds", P, 8.333049340e-3f),
    TILES(BOTH, "p_t2_r2", P, "tile.mul", P, T2),
    SCALAR(BOTH, "p_r3", P, "tile.adds", P, -1.666665792e-1f),
    TILES(BOTH, "p_t2_r3", P, "tile.mul", P, T2),
    SCALAR(BOTH, "p_one", P, "tile.adds", P, 1.0f),
    TILES(BOTH, "t_p", T, "tile.mul", T, P),
};
// clang-format on

static struct ir_expr *number(struct composite *m, float by)
{
    struct ir_expr *e = ir_expr_new(m->arena, IR_FLOAT, m->at);
    e->real.value = (double)by;
    e->real.dtype = IR_FP32;
    e->type = ir_scalar_type(IR_FP32);
    return e;
}

static struct ir_expr *cast(struct composite *m, const struct step *s, struct ir_expr *x)
{
    struct ir_expr *call = EMIT_CALL(m, s->op, x);
    emit_keyword(m, call, "target_type", emit_name(m, s->type));
    const struct ir_op_kwarg *mode = ir_op_keyword(call->call.op, "mode");
    emit_keyword(m, call, "mode", emit_index(m, ir_op_named_number(mode, s->mode)));
    call->type = ir_infer_call(m->arena, &call->call);
    return call;
}

static struct ir_expr *trigonometric(struct composite *m, enum function of)
{
    struct ir_expr *values[VALUES] = {[X] = m->call->args.items[0]};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        const struct step *s = &steps[i];
        struct ir_expr *x = values[s->x];
        if (s->of & of)
            values[s->to] = emit_bind(
                m, s->name,
                s->type ? cast(m, s, x)
                        : EMIT_CALL(m, s->op, x, s->y == NUMBER ? number(m, s->by) : values[s->y]));
    }
    return EMIT_CALL(m, "tile.mul", values[SIGN], values[T]);
}

struct ir_expr *composite_sin(struct composite *m)
{
    return trigonometric(m, SIN);
}

struct ir_expr *composite_cos(struct composite *m)
{
    return trigonometric(m, COS);
}
