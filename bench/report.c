/* SPDX-License-Identifier: MIT */
#include "bench/report.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

void wilson(uint64_t hits, uint64_t runs, double *low, double *high)
{
    const double z = 1.959964;
    if (!runs) {
        *low = 0;
        *high = 1;
        return;
    }
    double n = (double)runs, p = (double)hits / n, centre = p + z * z / (2 * n);
    double half = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n)), scale = 1 + z * z / n;
    *low = hits ? (centre - half) / scale : 0;
    *high = hits < runs ? (centre + half) / scale : 1;
}

static const struct insn *insn_at(const struct program *p, struct place at)
{
    return at.core < 0 || at.insn < 0 ? NULL : &p->cores[at.core].code->insns[at.insn];
}

/* What happened at a place without an instruction. */
static const char *spontaneous(struct place at)
{
    return at.insn == BY_PREFETCH ? "the replacement of a line by a prefetch"
                                  : "a spontaneous eviction";
}

const char *report_place(struct arena *a, const struct program *p, struct place at)
{
    const struct insn *i = insn_at(p, at);
    if (!i && at.core >= 0)
        return arena_printf(a, "%s, on rank %d", spontaneous(at), p->cores[at.core].rank);
    if (!i)
        return "-";
    const char *marker = i->origin == ORIGIN_USER
                             ? ""
                             : arena_printf(a, " (%s)", origin_name((enum origin_kind)i->origin));
    return arena_printf(a, "line %d: %s%s, by rank %d", i->span.line,
                        i->what ? i->what : insn_op_name((enum insn_op)i->op), marker,
                        p->cores[at.core].rank);
}

/* "t", or NULL when the finding is about memory. */
static const char *tile_of(const struct program *p, const struct finding *f)
{
    return f->tile < 0 ? NULL : p->cores[f->reader.core].code->tiles[f->tile].name;
}

/* The finding is about words of memory. */
static bool in_memory(const struct program *p, const struct finding *f)
{
    bool blocked = f->verdict == V_HANG || f->verdict == V_DEADLOCK;
    return f->tile < 0 && f->verdict != V_TIMEOUT &&
           !(blocked && insn_at(p, f->reader)->op != I_POLL);
}

const char *report_what(struct arena *a, const struct program *p, const struct finding *f)
{
    const char *name = verdict_name(f->verdict), *tile = tile_of(p, f);
    if (tile)
        return arena_printf(a, "%s of tile %s", name, tile);
    if (!in_memory(p, f))
        return name;
    return arena_printf(a, "%s at %s%s", name, program_words(p, f->addr, f->end, a),
                        f->more ? " and other words" : "");
}

static double percent(uint64_t part, uint64_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void row(FILE *out, const char *label, const char *text)
{
    fprintf(out, "      %-9s %s\n", label, text);
}

/* Which row of a finding shows which of its places, and under which name for which verdict. */
void report_places(FILE *out, struct arena *a, const struct program *p, const struct finding *f)
{
    bool race = f->verdict == V_RACE,
         read = f->verdict == V_STALE_READ || f->verdict == V_OVERRUN_READ;
    if (f->reader.core >= 0)
        row(out, race ? "access" : read ? "read" : "at", report_place(a, p, f->reader));
    if (f->producer.core >= 0) {
        bool ahead = f->where == W_WAITING || f->where == W_BEHIND;
        const char *label = race                           ? "and"
                            : ahead                        ? "set by"
                            : f->verdict == V_LOST_WRITE   ? "lost"
                            : f->verdict == V_OVERRUN_READ ? "saw"
                                                           : "fresh";
        row(out, label, report_place(a, p, f->producer));
    }
    if (f->wait.core >= 0)
        row(out, "through", report_place(a, p, f->wait));
    if (f->culprit.core >= 0)
        row(out, "erased by", report_place(a, p, f->culprit));
    if (f->verdict == V_STALE_READ)
        row(out, "returned", f->got.core < 0 ? "the initial value" : report_place(a, p, f->got));
    if (f->verdict == V_HANG && f->got.core >= 0)
        row(out, "holds", report_place(a, p, f->got));
    if (f->where != W_NONE)
        row(out, "where",
            arena_printf(a, "%s%s", where_name(f->where),
                         f->late ? ", but posted only after the notify" : ""));
    if (finding_remedy(p, f))
        row(out, "remedy", finding_remedy(p, f));
    if (f->note)
        row(out, "note", f->note);
}

void report_finding(FILE *out, struct arena *a, const struct program *p,
                    const struct tally_finding *f, uint64_t runs)
{
    fprintf(out, "    %s: %" PRIu64 " of %" PRIu64 " runs (%.1f %%), first seed %" PRIu64 "\n",
            report_what(a, p, &f->first), f->runs, runs, percent(f->runs, runs), f->first_seed);
    report_places(out, a, p, &f->first);
}

/* The number may be too large for an integer. */
const char *report_bound(struct arena *a, int n, uint64_t k, int d)
{
    double runs = n;
    for (int i = 1; i < d; i++)
        runs *= (double)k;
    return arena_printf(a,
                        "n = %d agents, k = %" PRIu64 " steps, depth d = %d: such a bug shows in 1 "
                        "of n k^(d-1) = %.3g runs or more often",
                        n, k, d, runs);
}

static void report_pct(FILE *out, struct options *o, const struct tally *t)
{
    if (t->pct_agents)
        fprintf(out, "    pct: %s\n",
                report_bound(&o->arena, t->pct_agents, t->pct_steps, o->runner.pct_depth));
}

void report_case(FILE *out, struct options *o, const struct kase *k, size_t max)
{
    const struct tally *t = &k->tally;
    fprintf(out, "%-28s P=%-2d %-14s %-13s %" PRIu64 " runs: ", k->kernel->name, k->nranks,
            k->contract->name, o->toolchain_name, t->runs);
    if (!t->failed) {
        fprintf(out, "clean\n");
        report_pct(out, o, t);
        return;
    }
    fprintf(out, "%" PRIu64 " failed (%.1f %%)\n", t->failed, percent(t->failed, t->runs));
    for (size_t i = 0; i < t->findings.len && i < max; i++)
        report_finding(out, &o->arena, k->program, &t->findings.items[i], t->runs);
    if (t->findings.len > max)
        fprintf(out, "    and %zu more places; --findings=N or --json shows them\n",
                t->findings.len - max);
    report_pct(out, o, t);
    fprintf(out, "    replay: %s   (build %s)\n",
            case_replay(&o->arena, o, k, t->first_failed_seed), build_id());
}

/* ---- JSON ---- */

static json_t *place_json(const struct program *p, struct place at)
{
    const struct insn *i = insn_at(p, at);
    if (at.core < 0)
        return json_null();
    if (!i)
        return json_pack("{s:i, s:s}", "rank", p->cores[at.core].rank, "what", spontaneous(at));
    return json_pack("{s:i, s:i, s:i, s:s, s:s, s:s}", "rank", p->cores[at.core].rank, "insn",
                     at.insn, "line", i->span.line, "what",
                     i->what ? i->what : insn_op_name((enum insn_op)i->op), "origin",
                     origin_name((enum origin_kind)i->origin), "pipe",
                     pipe_name((enum pipe)insn_pipe(p->cores[at.core].code, i)));
}

json_t *report_places_json(struct arena *a, const struct program *p, const struct finding *x,
                           const char *note)
{
    const char *tile = tile_of(p, x);
    json_t *j =
        json_pack("{s:s, s:s, s:s?, s:s?}", "verdict", verdict_name(x->verdict), "where",
                  where_name(x->where), "address",
                  in_memory(p, x) ? program_words(p, x->addr, x->end, a) : NULL, "tile", tile);
    json_object_set_new(j, "reader", place_json(p, x->reader));
    json_object_set_new(j, "producer", place_json(p, x->producer));
    json_object_set_new(j, "wait", place_json(p, x->wait));
    json_object_set_new(j, "culprit", place_json(p, x->culprit));
    json_object_set_new(j, "returned", place_json(p, x->got));
    json_object_set_new(j, "remedy",
                        finding_remedy(p, x) ? json_string(finding_remedy(p, x)) : json_null());
    json_object_set_new(j, "note", note ? json_string(note) : json_null());
    return j;
}

json_t *report_finding_json(struct arena *a, const struct program *p, const struct tally_finding *f)
{
    json_t *j = report_places_json(a, p, &f->first, f->note);
    json_object_set_new(j, "runs", json_integer((json_int_t)f->runs));
    json_object_set_new(j, "units", json_integer((json_int_t)f->units));
    json_object_set_new(j, "first_seed", json_integer((json_int_t)f->first_seed));
    return j;
}

json_t *report_case_json(struct options *o, const struct kase *k)
{
    const struct tally *t = &k->tally;
    json_t *j = json_pack("{s:s, s:s, s:i, s:s, s:s, s:s, s:I, s:I, s:I}", "kernel",
                          k->kernel->name, "file", k->kernel->path, "ranks", k->nranks, "model",
                          k->contract->name, "toolchain", o->toolchain_name, "driver",
                          driver_name(o->runner.driver), "first_seed", (json_int_t)o->seed, "runs",
                          (json_int_t)t->runs, "failed", (json_int_t)t->failed);
    json_t *verdicts = json_object(), *findings = json_array();
    for (int v = 0; v < V_COUNT; v++)
        if (t->verdict_runs[v])
            json_object_set_new(verdicts, verdict_name((enum verdict)v),
                                json_pack("{s:I, s:I}", "runs", (json_int_t)t->verdict_runs[v],
                                          "first_seed", (json_int_t)t->verdict_seed[v]));
    vec_foreach (const struct tally_finding, f, &t->findings)
        json_array_append_new(findings, report_finding_json(&o->arena, k->program, f));
    json_object_set_new(j, "verdicts", verdicts);
    json_object_set_new(j, "findings", findings);
    json_object_set_new(j, "cycles",
                        json_pack("{s:I, s:I, s:I}", "mean",
                                  (json_int_t)(t->cycles_sum / (t->runs ? t->runs : 1)), "min",
                                  (json_int_t)t->cycles_min, "max", (json_int_t)t->cycles_max));
    json_object_set_new(j, "transitions", json_integer((json_int_t)t->transitions));
    json_object_set_new(j, "local_instructions", json_integer((json_int_t)t->stats.insns));
    if (t->pct_agents)
        json_object_set_new(j, "pct",
                            json_pack("{s:i, s:I, s:i}", "agents", t->pct_agents, "steps",
                                      (json_int_t)t->pct_steps, "depth", o->runner.pct_depth));
    if (t->failed)
        json_object_set_new(j, "replay",
                            json_string(case_replay(&o->arena, o, k, t->first_failed_seed)));
    return j;
}
