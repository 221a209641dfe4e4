/* SPDX-License-Identifier: MIT */
#include "tests/codegen/kernel_rig.h"

#include "base/strbuf.h"
#include "codegen/kernel.h"
#include "ir/verify.h"
#include "passes/pass.h"
#include "sim/driver.h"
#include "sim/oracle.h"
#include "tests/case_files.h"

const char *rig_text(struct arena *a, const char *functions, const char *body)
{
    return arena_printf(a, "%s%s", framed_text(a, "kernel", body), functions);
}

struct toolchain rig_toolchain(struct arena *a)
{
    struct diag d = {.arena = a};
    const struct toolchain *t = toolchain_load(a, "models", "ptoas-0.57", &d);
    cr_assert(t, "%s", diag_text(&d, a));
    struct toolchain plain = *t;
    plain.kernel_tail = TAIL_NONE;
    plain.auto_sync = false;
    return plain;
}

static const struct program *compile(struct arena *a, const char *text, const struct toolchain *t,
                                     int nranks, bool passes, struct diag *d)
{
    static const struct pass_options defaults = PASS_OPTIONS_DEFAULT;
    const struct source *src = source_from_string(a, "t.py", text);
    static const struct kernel_options none;
    struct codegen_options o = {.toolchain = t, .nranks = nranks};
    const struct kernel_file *f = kernel_file_of(a, src, d);
    const struct ir_unit *u = f ? ir_file_only(a, f->text, d) : NULL;
    const struct ir_program *p = u ? kernel_parse(a, f, u, &none, nranks, d) : NULL;
    if (!p || !verify_program(p, d))
        return NULL;
    if (passes)
        p = passes_run(a, p, NULL, 0, &defaults, NULL, d);
    const struct program *made = p ? codegen(a, p, &f->directives, &o, d) : NULL;
    cr_expect((made == NULL) == d->failed, "an error and only an error is reported");
    return made;
}

const struct program *rig_compile(struct arena *a, const char *text, const struct toolchain *t,
                                  int nranks, struct diag *d)
{
    return compile(a, text, t, nranks, false, d);
}

static const struct program *good_body(struct arena *a, const char *name, const char *body,
                                       const struct toolchain *t, bool passes)
{
    struct diag d = {.arena = a};
    const struct program *p = compile(a, rig_text(a, "", body), t, RIG_RANKS, passes, &d);
    cr_assert(p, "%s: %s", name, diag_text(&d, a));
    return p;
}

const struct program *rig_body(struct arena *a, const char *name, const char *body,
                               const struct toolchain *t)
{
    return good_body(a, name, body, t, false);
}

const struct program *rig_marked_body(struct arena *a, const char *name, const char *body,
                                      const struct toolchain *t)
{
    return good_body(a, name, body, t, true);
}

/* ---- traces ---- */

struct tracer {
    struct strbuf out;
    int poll; /* a wait polls several times: its instruction, until another one runs */
};

static int64_t operand_now(const struct core *c, struct operand o)
{
    return o.reg == NO_REG ? o.imm : c->regs[o.reg];
}

static void add_dma(struct strbuf *b, const struct machine *m, const struct core *c,
                    const struct insn *i)
{
    const struct dma *d = &c->code->dmas[i->aux];
    const char *where = program_where(m->program, (uint64_t)operand_now(c, d->address), b->arena);
    const char *name = c->code->tiles[d->tile].name;
    strbuf_addf(b, "%s%s ", insn_op_name((enum insn_op)i->op), d->atomic_add ? ".add" : "");
    bool load = i->op == I_MTE2;
    strbuf_addf(b, "%s <- %s, %lld x %lld", load ? name : where, load ? where : name,
                (long long)operand_now(c, d->rows), (long long)operand_now(c, d->cols));
}

static void add_access(struct strbuf *b, const struct machine *m, const struct core *c,
                       const struct insn *i)
{
    strbuf_addf(b, "%s %s", insn_op_name((enum insn_op)i->op),
                program_where(m->program, machine_effective_address(m, 0), b->arena));
    int64_t value = i->rb == NO_REG ? i->imm2 : c->regs[i->rb];
    if (i->op == I_POLL)
        strbuf_addf(b, " %s %lld", cmp_name((enum cmp)i->sub), (long long)value);
    else if (i->op == I_ST || i->op == I_ST_ATOMIC)
        strbuf_addf(b, ", %lld", (long long)value);
}

static void trace_step(void *ctx, const struct machine *m, const struct step *s)
{
    struct tracer *t = ctx;
    if (s->t.kind != T_SCALAR || s->t.core != 0)
        return;
    const struct core *c = &m->cores[0];
    const struct insn *i = &c->code->insns[s->insn];
    bool again = i->op == I_POLL && t->poll == s->insn;
    t->poll = i->op == I_POLL ? s->insn : -1;
    if (again || i->op == I_TASK || i->op == I_END)
        return;
    if (i->op == I_MTE2 || i->op == I_MTE3 || i->op == I_FIX)
        add_dma(&t->out, m, c, i);
    else if (i->op == I_LD || i->op == I_ST || i->op == I_ST_ATOMIC || i->op == I_DCCI ||
             i->op == I_POLL)
        add_access(&t->out, m, c, i);
    else
        strbuf_add(&t->out, insn_text(m->program, c->code, i, t->out.arena));
    if (i->origin != ORIGIN_USER)
        strbuf_addf(&t->out, " ; %s", origin_name((enum origin_kind)i->origin));
    strbuf_add(&t->out, "\n");
}

/* ---- runs ---- */

enum { MAX_TRANSITIONS = 1000 * 1000 };

static struct machine *run_sc(struct arena *a, const struct program *p, struct oracle *o,
                              struct tracer *t)
{
    struct diag d = {.arena = a};
    const struct contract *sc = contract_load(a, "models", "sc", &d);
    cr_assert(sc, "%s", diag_text(&d, a));
    struct drive_options drive = {.seed = 1, .max_transitions = MAX_TRANSITIONS};
    struct drive_result result = {0};
    if (t)
        drive.on_step = trace_step, drive.ctx = t;
    struct machine *m = machine_new(p, sc, (struct machine_options){.oracle = o, .kernel = true});
    machine_reset(m);
    drive_timed(m, &drive, &result);
    oracle_finish(o, m);
    int n;
    const struct finding *f = oracle_findings(o, &n);
    cr_expect(!result.timed_out && n == 0, "the sc run: %s",
              n ? verdict_name(f[0].verdict) : "does not end");
    return m;
}

const char *rig_trace(struct arena *a, const struct program *p)
{
    struct tracer t = {.out = strbuf_make(a), .poll = -1};
    struct oracle *o = oracle_new(p);
    machine_free(run_sc(a, p, o, &t));
    oracle_free(o);
    return t.out.text;
}

static void add_element(struct strbuf *b, const uint8_t *at, enum elem e)
{
    int32_t word;
    float real;
    memcpy(&word, at, sizeof word);
    memcpy(&real, at, sizeof real);
    if (e == ELEM_F32)
        strbuf_addf(b, "%g", (double)real);
    else
        strbuf_addf(b, "%d", word);
}

const char *rig_memory(struct arena *a, const struct program *p, const char *tensor, int rank,
                       int row, int count)
{
    struct strbuf b = strbuf_make(a);
    struct oracle *o = oracle_new(p);
    struct machine *m = run_sc(a, p, o, NULL);
    for (int i = 0; i < p->nregions; i++) {
        const struct region *g = &p->regions[i];
        int row_elems = !strcmp(tensor, "half") ? 8 : !strcmp(tensor, "sig") ? 1 : 16;
        for (int e = 0; !strcmp(g->name, tensor) && e < count; e++) {
            strbuf_add(&b, e ? " " : "");
            add_element(&b, m->gm[rank] + g->offset + 4 * (size_t)(row * row_elems + e), g->elem);
        }
    }
    machine_free(m);
    oracle_free(o);
    return b.text;
}

int rig_input(int i, int rank)
{
    return (5 * i + 3 * rank) % 7 + 1;
}

const char *rig_error(struct arena *a, const struct diag *d)
{
    if (!d->failed)
        return "no error";
    return arena_printf(a, "%d:%d: %s", d->span.line, d->span.col, d->message);
}
