/* SPDX-License-Identifier: MIT */
#include "sim/explore/cross_wait.h"

#include "base/strbuf.h"
#include "sim/internal.h"

struct cross_wait cross_wait_new(struct arena *a, const struct machine *m, int core, int id)
{
    size_t n = (size_t)CROSS_MODES * (size_t)m->program->ncores;
    struct cross_wait w = {.m = m, .core = core, .id = id, .from = -1};
    w.set = arena_array(a, struct place, n);
    for (size_t i = 0; i < n; i++)
        w.set[i] = NOWHERE;
    return w;
}

static struct place *set_of(const struct cross_wait *w, enum cross_mode mode, int core)
{
    return &w->set[(size_t)mode * (size_t)w->m->program->ncores + (size_t)core];
}

void cross_wait_see(struct cross_wait *w, struct place set)
{
    const struct insn *i = &w->m->cores[set.core].code->insns[set.insn];
    struct place *known = set_of(w, (enum cross_mode)i->sub, set.core);
    if (i->imm == w->id && known->core < 0)
        *known = set;
}

static void see_queued(struct cross_wait *w)
{
    for (int c = 0; c < w->m->program->ncores; c++)
        for (int p = 0; p < PIPE_COUNT; p++) {
            const struct pipe_queue *q = &w->m->cores[c].pipes[p];
            for (int k = 0; k < q->count; k++) {
                int insn = q->ops[(q->head + k) % w->m->contract->pipe_depth].insn;
                if (w->m->cores[c].code->insns[insn].op == I_SET_CROSS)
                    cross_wait_see(w, PLACE(c, insn));
            }
        }
}

static bool has_set(const struct cross_wait *w, enum cross_mode mode, int core)
{
    return w->m->cores[core].cross[w->id].sent[mode] > 0;
}

/* How many of those that have to set it along with core neither have nor would; *met: of the
 * others. */
static int missing_of(const struct cross_wait *w, enum cross_mode mode, int core, int *met)
{
    *met = 0;
    for (int c = 0; c < w->m->program->ncores; c++)
        *met += cross_sends(w->m, core, mode, c) &&
                (has_set(w, mode, c) || set_of(w, mode, c)->core >= 0);
    return cross_senders(w->m, core, mode) - *met;
}

bool cross_wait_judge(struct cross_wait *w, struct place *by)
{
    int most = -1;
    see_queued(w);
    /* The mode in which cube and vector cores meet is the usual one: it comes first. */
    for (int k = CROSS_MODES; k-- > 0;)
        for (int c = 0; c < w->m->program->ncores; c++) {
            int met, missing = missing_of(w, (enum cross_mode)k, c, &met);
            if (!cross_receives(w->m, c, (enum cross_mode)k, w->core) || met < most ||
                (met == most && missing >= w->missing))
                continue;
            most = met;
            w->mode = (enum cross_mode)k;
            w->from = c;
            w->missing = missing;
        }
    *by = NOWHERE;
    for (int c = 0; c < w->m->program->ncores && w->from >= 0; c++)
        if (cross_sends(w->m, w->from, w->mode, c) && !has_set(w, w->mode, c) && by->core < 0)
            *by = *set_of(w, w->mode, c);
    return most > 0 && w->missing == 0;
}

/* A lane of the group on which nothing runs, or none. */
static enum lane absent_lane(const struct cross_wait *w)
{
    const struct program *p = w->m->program;
    for (int l = LANE_AIC; l < LANE_COUNT; l++) {
        bool wanted = p->cores[w->from].lane == LANE_AIC ? l == LANE_AIC : l != LANE_AIC;
        for (int c = 0; wanted && c < p->ncores; c++)
            wanted = !cross_sends(w->m, w->from, w->mode, c) || (int)p->cores[c].lane != l;
        if (wanted)
            return (enum lane)l;
    }
    return LANE_NONE;
}

const char *cross_wait_text(const struct cross_wait *w, bool complete, struct arena *a)
{
    const struct program *p = w->m->program;
    struct strbuf b = strbuf_make(a);
    int known = 0;
    for (int c = 0; c < p->ncores && w->from >= 0; c++) {
        if (!cross_sends(w->m, w->from, w->mode, c))
            continue;
        const struct place *set = set_of(w, w->mode, c);
        strbuf_addf(&b, "%score %s ", known++ ? ", " : "", program_core_name(p, c, a));
        if (has_set(w, w->mode, c))
            strbuf_add(&b, "has set it");
        else if (set->core >= 0)
            strbuf_addf(
                &b, "would set it in %s",
                source_line_words(a, p->source, p->cores[c].code->insns[set->insn].span.line));
        else
            strbuf_add(&b, complete ? "never sets it" : "has not set it");
    }
    bool absent = w->from >= 0 && known < cross_senders(w->m, w->from, w->mode);
    if (absent && p->cores[w->from].lane != LANE_NONE)
        strbuf_addf(&b, ", %s, on which nothing runs, never sets it", lane_name(absent_lane(w)));
    return b.len ? b.text : "no core of the program sets it for this one";
}
