/* SPDX-License-Identifier: MIT */
/*
 * Flags between cores (docs/machine.md, clusters). Of each core and id there is a count of what it
 * may take; of each core, id and mode of which it has a set, a count of its own sets that wait for
 * those of others.
 */
#include "litmus/promela/internal.h"

enum { SETS_MOST = 15 };

static bool vector(const struct core_desc *c)
{
    return c->lane == LANE_AIV0 || c->lane == LANE_AIV1;
}

static bool kin(const struct core_desc *x, const struct core_desc *y)
{
    return vector(x) == vector(y) && (vector(x) || x->lane == y->lane);
}

static bool neighbours(const struct core_desc *x, const struct core_desc *y)
{
    bool lanes = x->lane != LANE_NONE && y->lane != LANE_NONE;
    return x == y || (lanes && x->rank == y->rank && x->cluster == y->cluster);
}

/* y sets along with x. */
static bool along(const struct pml *p, const struct core_desc *x, int mode,
                  const struct core_desc *y)
{
    bool alone = mode == CROSS_CLUSTER && (p->contract->v2c == V2C_COUNT || !vector(x));
    return alone               ? x == y
           : mode == CROSS_ALL ? x->rank == y->rank && kin(x, y)
                               : neighbours(x, y) && kin(x, y);
}

static bool reached(const struct pml *p, const struct core_desc *x, int mode,
                    const struct core_desc *y)
{
    if (mode != CROSS_CLUSTER)
        return along(p, x, mode, y);
    return neighbours(x, y) && (x->lane == LANE_NONE || !kin(x, y));
}

/* Each cluster has both vector cores: one that is no column of the test never sets. */
static bool all_there(const struct pml *p, const struct core_desc *x, int mode)
{
    if (!vector(x) || (mode == CROSS_CLUSTER && p->contract->v2c == V2C_COUNT))
        return true;
    for (int c = 0; c < p->program->ncores; c++) {
        const struct core_desc *y = &p->program->cores[c];
        bool concerned = y->lane != LANE_NONE && y->rank == x->rank &&
                         (mode == CROSS_ALL || y->cluster == x->cluster);
        for (int l = LANE_AIV0; concerned && l <= LANE_AIV1; l++) {
            bool found = false;
            for (int k = 0; k < p->program->ncores; k++) {
                const struct core_desc *z = &p->program->cores[k];
                found |= neighbours(y, z) && (int)z->lane == l;
            }
            if (!found)
                return false;
        }
    }
    return true;
}

/* The same of cube cores, which only a meeting of all cares for. */
static bool all_cubes_there(const struct pml *p, const struct core_desc *x, int mode)
{
    for (int c = 0; x->lane == LANE_AIC && mode == CROSS_ALL && c < p->program->ncores; c++) {
        const struct core_desc *y = &p->program->cores[c];
        bool found = y->lane == LANE_NONE || y->rank != x->rank;
        for (int k = 0; !found && k < p->program->ncores; k++)
            found = neighbours(y, &p->program->cores[k]) && p->program->cores[k].lane == LANE_AIC;
        if (!found)
            return false;
    }
    return true;
}

static const char *up(const struct pml *p, int core, int64_t id)
{
    return arena_printf(p->arena, "%s_cross_%d", p->cores[core], (int)id);
}

static const char *sent(const struct pml *p, int core, int64_t id, int mode)
{
    return arena_printf(p->arena, "%s_sent_%d_%d", p->cores[core], (int)id, mode);
}

/* The sets of that id, by all cores: no counter gets above their number. */
static int sets_of(const struct pml *p, int64_t id)
{
    int n = 0;
    for (int c = 0; c < p->program->ncores; c++) {
        const struct code *code = p->program->cores[c].code;
        for (int i = 0; i < code->count; i++)
            n += pml_active(&code->insns[i]) && code->insns[i].op == I_SET_CROSS &&
                 code->insns[i].imm == id;
    }
    return n;
}

/* Stores of core to the line by that pipe, or (pipe -1) by any. */
static int stores_to(const struct pml *p, int core, int line, int pipe)
{
    const struct code *code = p->program->cores[core].code;
    int n = 0;
    for (int i = 0; i < code->count; i++) {
        const struct insn *x = &code->insns[i];
        if (!pml_active(x) || !insn_all(x, CLASS_STORE | CLASS_DMA) ||
            (pipe >= 0 && insn_pipe(code, x) != pipe))
            continue;
        int word = pml_word_at(p, (uint64_t)code->dmas[x->aux].address.imm);
        n += p->words.items[word].line == line;
    }
    return n;
}

bool pml_cross_counts(const struct pml *p, int core, int path, int line)
{
    const struct code *code = p->program->cores[core].code;
    if (path != PATH_DMA || p->contract->ffts_set == FFTS_SET_POSTED ||
        p->lines.items[line].rank != p->program->cores[core].rank)
        return false;
    for (int i = 0; i < code->count; i++)
        if (pml_active(&code->insns[i]) && code->insns[i].op == I_SET_CROSS &&
            stores_to(p, core, line, code->insns[i].pa))
            return true;
    return false;
}

/* What the model does not hold, or NULL. */
static const char *beyond(const struct pml *p, int core, const struct insn *i)
{
    if (p->contract->wait_dev == WAIT_DEV_CORE && !p->contract->coherent)
        return "wait_dev = core";
    if (sets_of(p, i->imm) > SETS_MOST)
        return "more than 15 sets of a flag between cores";
    for (int line = 0; line < (int)p->lines.len && i->op == I_SET_CROSS; line++) {
        int own = stores_to(p, core, line, i->pa);
        if (own && own != stores_to(p, core, line, -1) && pml_cross_counts(p, core, PATH_DMA, line))
            return "a flag between cores behind the stores of two pipes to one line";
    }
    return NULL;
}

bool pml_cross_known(const struct pml *p, struct diag *d)
{
    for (int c = 0; c < p->program->ncores; c++)
        for (int n = 0; n < p->program->cores[c].code->count; n++) {
            const struct insn *i = &p->program->cores[c].code->insns[n];
            const char *what = pml_active(i) && insn_any(i, CLASS_CROSS) ? beyond(p, c, i) : NULL;
            if (what)
                return diag_error(d, p->test->source, i->span,
                                  "the Promela model of %s: %s is not known", p->test->name, what);
        }
    return true;
}

void pml_print_cross(struct strbuf *b, const struct pml *p)
{
    for (int id = 0; id < MAX_CROSS_IDS; id++)
        for (int c = 0; c < p->program->ncores; c++) {
            const struct code *code = p->program->cores[c].code;
            bool sets[CROSS_MODES] = {false}, waits = false;
            for (int n = 0; n < code->count; n++) {
                const struct insn *i = &code->insns[n];
                bool about = pml_active(i) && insn_any(i, CLASS_CROSS) && i->imm == id;
                waits |= about && i->op == I_WAIT_CROSS;
                if (about && i->op == I_SET_CROSS)
                    sets[i->sub] = true;
            }
            if (waits || sets_of(p, id))
                strbuf_addf(b, "byte %s;\n", up(p, c, id));
            for (int mode = 0; mode < CROSS_MODES; mode++)
                if (sets[mode])
                    strbuf_addf(b, "byte %s;\n", sent(p, c, id, mode));
        }
}

static bool sets(const struct pml *p, int core, int64_t id, int mode)
{
    const struct code *code = p->program->cores[core].code;
    for (int n = 0; n < code->count; n++) {
        const struct insn *i = &code->insns[n];
        if (pml_active(i) && i->op == I_SET_CROSS && i->imm == id && i->sub == mode)
            return true;
    }
    return false;
}

const char *pml_cross_set(const struct pml *p, int core, const struct insn *i)
{
    const struct core_desc *cores = p->program->cores, *x = &cores[core];
    struct strbuf b = strbuf_make(p->arena);
    bool complete = all_there(p, x, i->sub) && all_cubes_there(p, x, i->sub);
    strbuf_addf(&b, "%s++", sent(p, core, i->imm, i->sub));
    for (int c = 0; c < p->program->ncores; c++)
        complete &= !along(p, x, i->sub, &cores[c]) || sets(p, c, i->imm, i->sub);
    if (!complete) /* somebody never sets it */
        return b.text;
    strbuf_add(&b, ";\n        if\n        :: (true");
    for (int c = 0; c < p->program->ncores; c++)
        if (along(p, x, i->sub, &cores[c]))
            strbuf_addf(&b, " && %s > 0", sent(p, c, i->imm, i->sub));
    strbuf_add(&b, ") -> ");
    for (int c = 0; c < p->program->ncores; c++) {
        if (along(p, x, i->sub, &cores[c]))
            strbuf_addf(&b, "%s--; ", sent(p, c, i->imm, i->sub));
        if (reached(p, x, i->sub, &cores[c]))
            strbuf_addf(&b, "%s++; ", up(p, c, i->imm));
    }
    strbuf_add(&b, "\n        :: else\n        fi");
    return b.text;
}

const char *pml_cross_arrived(const struct pml *p, int core, const struct insn *i)
{
    struct strbuf b = strbuf_make(p->arena);
    for (int line = 0; line < (int)p->lines.len; line++)
        if (pml_cross_counts(p, core, PATH_DMA, line) && stores_to(p, core, line, i->pa))
            strbuf_addf(&b, "%s%s == 0", b.len ? " && " : "", pml_counter(p, core, PATH_DMA, line));
    return b.len ? b.text : NULL;
}

const char *pml_cross_up(const struct pml *p, int core, const struct insn *i)
{
    return up(p, core, i->imm);
}
