/* SPDX-License-Identifier: MIT */
#include "bench/report/report.h"

#include "base/strbuf.h"
#include "base/table.h"
#include "bench/campaign/remedy_words.h"
#include "bench/report/scope.h"
#include "isa/arithmetic.h"

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

double clean_bound(uint64_t runs)
{
    return runs ? 1 - pow(0.05, 1 / (double)runs) : 1;
}

/* Two digits, rounded up: the number is a bound. */
static const char *bounded(struct arena *a, const char *what, uint64_t runs)
{
    double share = 100 * clean_bound(runs);
    int digits = 1 - (int)floor(log10(share));
    double unit = pow(10, -digits);
    return arena_printf(a, "%s, so less than %.*f %% of runs fail (95 %%)", what,
                        digits > 0 ? digits : 0, ceil(share / unit - 1e-9) * unit);
}

const char *report_clean(struct arena *a, uint64_t runs)
{
    return bounded(a, "clean", runs);
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

/* ", i = 2 (line 24), k = 0 (line 25)": the loops around an access, or nothing. */
static const char *iteration(struct arena *a, const struct source *src, const struct code *c,
                             struct place at)
{
    const char *text = "";
    const int64_t *value = at.loops;
    for (int l = at.loops ? c->insns[at.insn].loop : 0; l; l = c->loops[l - 1].outer)
        text = arena_printf(a, ", %s = %" PRId64 " (%s)%s", c->loops[l - 1].name, *++value,
                            source_line_words(a, src, c->loops[l - 1].line), text);
    return text;
}

static struct source_line place_line(const struct program *p, int line)
{
    return p->source ? source_place(p->source, line) : (struct source_line){NULL, line};
}

/* The place that the author of a compiled kernel wrote, or NULL. */
static const char *written_at(const struct program *p, const struct insn *i)
{
    return i->span.line < p->nwritten ? p->written[i->span.line] : NULL;
}

/* "ring.py:25:9: tile.store, by rank 1, i = 2 (line 24)" of an instruction, or "-". */
static const char *place_text(struct arena *a, const struct program *p, struct place at)
{
    const struct insn *i = insn_at(p, at);
    if (!i && at.core >= 0)
        return arena_printf(a, "%s, on %s", spontaneous(at), program_core_phrase(p, at.core, a));
    if (!i)
        return "-";
    const char *marker = i->origin == ORIGIN_USER
                             ? ""
                             : arena_printf(a, " (%s)", origin_name((enum origin_kind)i->origin));
    struct source_line line = place_line(p, i->span.line);
    const char *written = written_at(p, i);
    return arena_printf(a, "%s:%d:%d: %s%s%s, by %s%s", line.file ? line.file : "?", line.line,
                        i->span.col, i->what ? i->what : insn_op_name((enum insn_op)i->op),
                        written ? arena_printf(a, " (from %s)", written) : "", marker,
                        program_core_phrase(p, at.core, a),
                        iteration(a, p->source, p->cores[at.core].code, at));
}

const char *report_source(struct arena *a, const struct program *p, struct place at)
{
    const struct insn *i = insn_at(p, at);
    return i ? report_line(a, p, i->span.line) : NULL;
}

const char *report_line(struct arena *a, const struct program *p, int number)
{
    const char *line = p->source && number ? p->source->text : NULL;
    for (int n = 1; line && n < number; n++) {
        line = strchr(line, '\n');
        line = line ? line + 1 : NULL;
    }
    if (!line)
        return NULL;
    line += strspn(line, " \t");
    size_t len = strcspn(line, "\r\n");
    return len ? arena_strndup(a, line, len) : NULL;
}

/* "t", or NULL when the finding is about memory. */
static const char *tile_of(const struct program *p, const struct finding *f)
{
    return f->tile < 0 ? NULL : p->cores[f->reader.core].code->tiles[f->tile].name;
}

static bool is_blocked(const struct finding *f)
{
    return f->verdict == V_HANG || f->verdict == V_DEADLOCK;
}

/* The finding is about words of memory. */
static bool in_memory(const struct program *p, const struct finding *f)
{
    return f->tile < 0 && f->verdict != V_TIMEOUT && !verdict_of_flag(f->verdict) &&
           !(is_blocked(f) && !insn_all(insn_at(p, f->reader), CLASS_ORDER | CLASS_LOAD));
}

/* "win[0..15]@1", or NULL. */
static const char *words_of(struct arena *a, const struct program *p, const struct finding *f)
{
    if (!in_memory(p, f))
        return NULL;
    return f->region >= 0 ? program_element(&p->regions[f->region], f->addr, a)
                          : program_words(p, f->addr, f->end, a);
}

const char *report_what(struct arena *a, const struct program *p, const struct finding *f)
{
    const char *name = verdict_name(f->verdict), *tile = tile_of(p, f);
    if (tile)
        return arena_printf(a, "%s of tile %s", name, tile);
    const char *words = words_of(a, p, f);
    return words ? arena_printf(a, "%s at %s%s", name, words, f->more ? " and other words" : "")
                 : name;
}

/* Where a finding is reported, and the column there. */
static struct source_line headline_place(const struct program *p, const struct finding *f, int *col)
{
    const struct place at[] = {f->reader, f->producer, f->wait, f->culprit};
    struct source_line line = {p->source ? p->source->name : "?", 1};
    *col = 1;
    for (size_t n = sizeof at / sizeof *at; n-- > 0;) {
        const struct insn *i = insn_at(p, at[n]);
        if (i && i->span.line) {
            line = place_line(p, i->span.line);
            *col = i->span.col;
        }
    }
    line.file = line.file ? line.file : "?";
    return line;
}

const char *report_headline(struct arena *a, const struct program *p, const struct finding *f)
{
    int col;
    struct source_line at = headline_place(p, f, &col);
    return arena_printf(a, "%s:%d:%d: error: %s", at.file, at.line, col, report_what(a, p, f));
}

static double percent(uint64_t part, uint64_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void row(FILE *out, const char *label, const char *text)
{
    fprintf(out, "      %-9s %s\n", label, text);
}

static void place_row(FILE *out, const char *label, struct arena *a, const struct program *p,
                      struct place at)
{
    const char *line = report_source(a, p, at);
    row(out, label, place_text(a, p, at));
    if (line)
        fprintf(out, "                | %s\n", line);
}

/* Which row of a finding shows which of its places, and under which name for which verdict. */
void report_places(FILE *out, struct arena *a, const struct program *p, const struct finding *f)
{
    bool ahead = f->where == W_WAITING || f->where == W_BEHIND, blocked = is_blocked(f);
    bool race = f->verdict == V_RACE,
         read = f->verdict == V_STALE_READ || f->verdict == V_OVERRUN_READ;
    if (f->reader.core >= 0)
        place_row(out, race ? "access" : read ? "read" : "at", a, p, f->reader);
    if (f->producer.core >= 0) {
        const char *label = race                           ? "and"
                            : ahead                        ? "set by"
                            : blocked                      ? "lacks"
                            : f->verdict == V_LOST_WRITE   ? "lost"
                            : f->verdict == V_OVERRUN_READ ? "saw"
                                                           : "fresh";
        place_row(out, label, a, p, f->producer);
    }
    if (f->wait.core >= 0)
        place_row(out, "through", a, p, f->wait);
    if (f->culprit.core >= 0)
        place_row(out, "erased by", a, p, f->culprit);
    if (f->verdict == V_STALE_READ && f->got.core < 0)
        row(out, "returned",
            f->tile < 0 ? "the initial value" : "what the tile held before it was written");
    else if (f->verdict == V_STALE_READ)
        place_row(out, "returned", a, p, f->got);
    if (blocked && f->got.core >= 0 && !ahead)
        place_row(out, "holds", a, p, f->got);
    if (f->where != W_NONE)
        row(out, "where",
            arena_printf(a, "%s%s", where_name(f->where),
                         !f->late                    ? ""
                         : f->edge.kind == EDGE_TASK ? ", but posted only after the end of its task"
                                                     : ", but posted only after the notify"));
    if (f->note)
        row(out, "note", f->note);
}

void report_remedy(FILE *out, struct arena *a, const struct program *p,
                   const struct remedy_found *r)
{
    if (!r || !r->text)
        return;
    row(out, "remedy",
        r->checked ? arena_printf(a, "%s (checked: %s)", r->text, r->checked) : r->text);
    const char *calls = remedy_calls_text(a, p->source, r);
    if (calls)
        row(out, "insert", calls);
}

/* One finding, what stands below its headline indented: what, who wrote, where the fresh value was, the wait between them, the
 * remedy. */
static void print_finding(FILE *out, struct arena *a, const struct program *p,
                          const struct tally_finding *f, uint64_t runs)
{
    fprintf(out, "%s: %" PRIu64 " of %" PRIu64 " runs (%.1f %%), first seed %" PRIu64 "\n",
            report_headline(a, p, &f->first), f->runs, runs, percent(f->runs, runs), f->first_seed);
    report_places(out, a, p, &f->first);
    report_remedy(out, a, p, f->remedy);
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

static void report_pct(FILE *out, const struct kase *k)
{
    const struct tally *t = &k->tally;
    if (t->pct_agents)
        fprintf(out, "    pct: %s\n",
                report_bound(k->of->arena, t->pct_agents, t->pct_steps, k->options.pct_depth));
}

static void report_glance(FILE *out, const struct kase *k)
{
    const struct glance *g = &k->glance;
    const char *command = case_explore(k);
    if (g->found)
        fprintf(out, "    explore finds what these runs did not: %s\n", command);
    else if (g->complete)
        fprintf(out,
                "    every order of its steps, for this number of ranks, these inputs and sizes: "
                "%s\n",
                command);
    else if (g->states)
        fprintf(out, "    not proved: the first %" PRIu64 " states have no finding, of more\n",
                g->states);
}

/* What is known of a case no run of which failed. */
static const char *unfailed(const struct kase *k)
{
    const struct glance *g = &k->glance;
    uint64_t runs = k->tally.runs;
    if (g->found)
        return "nothing found in these runs";
    if (g->complete)
        return arena_printf(
            k->of->arena, "clean, proved: none of its %" PRIu64 " states has a finding", g->states);
    return bounded(k->of->arena, case_partial(k) ? "nothing found so far" : "clean", runs);
}

enum { MAX_OPERATORS_SHOWN = 6 };

/* Adds the operators that are fixed functions of their operands' bits, each once. */
static void add_uninterpreted(const struct code *c, struct map *seen, struct strbuf *names, int *n)
{
    for (int i = 0; i < c->ntile_ops; i++) {
        const struct tile_op *op = &c->tile_ops[i];
        if (tile_op_rows[op->kind].form != FORM_OPAQUE || map_get_text(seen, op->name))
            continue;
        map_put_text(seen, op->name, (void *)op->name);
        if (*n < MAX_OPERATORS_SHOWN)
            strbuf_addf(names, "%s%s", *n ? ", " : "", op->name);
        ++*n;
    }
}

/* Cores of one kind have one code. */
int report_uninterpreted(struct arena *a, const struct program *p, const char **names)
{
    struct strbuf b = strbuf_make(a);
    struct map seen = {.arena = a};
    int n = 0;
    for (int i = 0; p && i < p->ncores; i++)
        if (i == 0 || p->cores[i].code != p->cores[i - 1].code)
            add_uninterpreted(p->cores[i].code, &seen, &b, &n);
    *names = b.text;
    return n;
}

static void print_uninterpreted(FILE *out, const struct kase *k)
{
    const char *names;
    int n = report_uninterpreted(k->of->arena, k->program, &names);
    if (n)
        fprintf(out, "    %d operator%s without arithmetic: %s%s\n", n, n == 1 ? "" : "s", names,
                n > MAX_OPERATORS_SHOWN ? ", ..." : "");
}

void report_case(FILE *out, const struct kase *k, size_t max)
{
    const struct experiment *x = k->of;
    const struct tally *t = &k->tally;
    fprintf(out, "%-28s P=%-2d %-14s %-13s %" PRIu64 " runs: ", k->kernel->name, k->nranks,
            k->contract->name, x->toolchain_name, t->runs);
    if (!t->failed) {
        fprintf(out, "%s\n", unfailed(k));
        print_uninterpreted(out, k);
        report_pct(out, k);
        report_glance(out, k);
        return;
    }
    fprintf(out, "%" PRIu64 " failed (%.1f %%)\n", t->failed, percent(t->failed, t->runs));
    for (size_t i = 0; i < t->findings.len && i < max; i++)
        print_finding(out, x->arena, k->program, &t->findings.items[i], t->runs);
    if (t->findings.len > max)
        fprintf(out, "    and %zu more places; --findings=N or --json shows them\n",
                t->findings.len - max);
    print_uninterpreted(out, k);
    report_pct(out, k);
    fprintf(out, "    replay: %s   (build %s)\n", case_replay(k, t->first_failed_seed), build_id());
}

/* ---- a case in numbers ---- */

static const struct column columns[] = {
    COLUMN(case_row, kernel, IN_CSV | IN_JSON),
    COLUMN(case_row, file, IN_JSON),
    COLUMN(case_row, ranks, IN_CSV | IN_JSON),
    COLUMN(case_row, model, IN_CSV | IN_JSON),
    COLUMN(case_row, toolchain, IN_CSV | IN_JSON),
    COLUMN(case_row, markers, IN_CSV),
    COLUMN(case_row, driver, IN_JSON),
    COLUMN(case_row, first_seed, IN_JSON),
    COLUMN(case_row, runs, IN_CSV | IN_JSON),
    COLUMN(case_row, failed, IN_CSV | IN_JSON),
    COLUMN(case_row, uninterpreted, IN_JSON),
    COLUMN(case_row, verdict, IN_CSV),
    COLUMN(case_row, answer, IN_JSON),
    COLUMN_CALLED("first_seed", case_row, first_failed_seed, IN_CSV),
};
const struct columns case_columns = COLUMNS(columns);

/* A check that ends before an answer, at a limit or by a signal, is never a pass. */
static const char *kase_answer(const struct kase *k)
{
    return kase_found(k)                           ? "findings"
           : case_partial(k) || k->tally.timed_out ? "unfinished"
                                                   : "clean";
}

struct case_row case_row_of(const struct kase *k)
{
    const struct experiment *x = k->of;
    const struct tally *t = &k->tally;
    const char *names;
    return (struct case_row){.kernel = k->kernel->name,
                             .file = k->kernel->path,
                             .ranks = k->nranks,
                             .model = k->contract->name,
                             .toolchain = x->toolchain_name,
                             .markers = x->kernel.pass.markers ? "on" : "off",
                             .driver = drivers[x->runner.driver].name,
                             .first_seed = x->seed,
                             .runs = t->runs,
                             .failed = t->failed,
                             .uninterpreted = report_uninterpreted(x->arena, k->program, &names),
                             .verdict = t->failed         ? verdict_name(tally_verdict(t))
                                        : case_partial(k) ? "unfinished"
                                                          : "clean",
                             .answer = kase_answer(k),
                             .first_failed_seed = t->first_failed_seed};
}

/* ---- JSON ---- */

/* The innermost loop first. */
static json_t *loops_json(const struct program *p, const struct code *c, struct place at)
{
    json_t *list = json_array();
    const int64_t *value = at.loops;
    for (int l = at.loops ? c->insns[at.insn].loop : 0; l; l = c->loops[l - 1].outer)
        json_array_append_new(list, json_pack("{s:s, s:i, s:I}", "variable", c->loops[l - 1].name,
                                              "line", place_line(p, c->loops[l - 1].line).line,
                                              "value", (json_int_t) * ++value));
    return list;
}

static json_t *place_json(struct arena *a, const struct program *p, struct place at)
{
    const struct insn *i = insn_at(p, at);
    if (at.core < 0)
        return json_null();
    if (!i)
        return json_pack("{s:i, s:s}", "rank", p->cores[at.core].rank, "what", spontaneous(at));
    const struct code *code = p->cores[at.core].code;
    struct source_line line = place_line(p, i->span.line);
    json_t *j = json_pack(
        "{s:i, s:i, s:s?, s:i, s:i, s:s?, s:s, s:s, s:s, s:o}", "rank", p->cores[at.core].rank,
        "insn", at.insn, "file", line.file, "line", line.line, "column", i->span.col, "source",
        report_source(a, p, at), "what", i->what ? i->what : insn_op_name((enum insn_op)i->op),
        "origin", origin_name((enum origin_kind)i->origin), "pipe",
        pipe_name((enum pipe)insn_pipe(code, i)), "loops", loops_json(p, code, at));
    if (written_at(p, i))
        json_object_set_new(j, "written", json_string(written_at(p, i)));
    json_object_set_new(j, "core", json_string(program_core_name(p, at.core, a)));
    return j;
}

static json_t *edge_json(struct arena *a, const struct program *p, const struct edge *e)
{
    static const char *const kinds[] = {EDGE_KINDS(NAME_ROW)};
    return json_pack("{s:s, s:o, s:o, s:o, s:o}", "kind", kinds[e->kind], "from",
                     place_json(a, p, e->from), "to", place_json(a, p, e->to), "release",
                     place_json(a, p, e->release), "acquire", place_json(a, p, e->acquire));
}

/* "win" of "win[16]@0": the tensor whatever its words, the tile, or an empty text. */
static const char *tensor_of(struct arena *a, const struct program *p, const struct finding *f)
{
    const char *tile = tile_of(p, f), *words = words_of(a, p, f);
    return tile ? tile : words ? arena_strndup(a, words, strcspn(words, "[@")) : "";
}

json_t *report_places_json(struct arena *a, const struct program *p, const struct finding *x,
                           const char *note)
{
    int col;
    struct source_line at = headline_place(p, x, &col);
    json_t *j = json_pack("{s:s, s:s, s:s, s:{s:s, s:i, s:i}, s:s, s:s, s:s?, s:s?}", "verdict",
                          verdict_name(x->verdict), "level", "error", "message",
                          report_what(a, p, x), "at", "file", at.file, "line", at.line, "column",
                          col, "tensor", tensor_of(a, p, x), "where", where_name(x->where),
                          "address", words_of(a, p, x), "tile", tile_of(p, x));
    json_object_set_new(j, "reader", place_json(a, p, x->reader));
    json_object_set_new(j, "producer", place_json(a, p, x->producer));
    json_object_set_new(j, "wait", place_json(a, p, x->wait));
    json_object_set_new(j, "culprit", place_json(a, p, x->culprit));
    json_object_set_new(j, "returned", place_json(a, p, x->got));
    json_object_set_new(j, "edge",
                        x->edge.kind == EDGE_NONE ? json_null() : edge_json(a, p, &x->edge));
    json_object_set_new(j, "note", note ? json_string(note) : json_null());
    return j;
}

/* The instructions of a remedy, each with its place. */
static json_t *steps_json(struct arena *a, const struct program *p, const struct remedy *r)
{
    json_t *list = json_array();
    struct insertion insns[REMEDY_INSNS];
    size_t n = remedy_insertions(p, r, insns);
    for (size_t i = 0; i < n; i++) {
        struct place at = PLACE(r->edge.from.core, insns[i].at);
        for (int c = 0; p->cores[at.core].code != insns[i].code; c++)
            at.core = c;
        json_array_append_new(list, json_pack("{s:s, s:s, s:o}", "instruction",
                                              insn_text(p, insns[i].code, &insns[i].insn, a),
                                              "where", insns[i].behind ? "after" : "before",
                                              "place", place_json(a, p, at)));
    }
    return list;
}

/* What is inserted for one call at *line (of the source) and *col. A line of its own; behind a last line
 * without an end it brings that end along. */
static const char *inserted(struct arena *a, const struct source *s, const struct remedy_call *c,
                            int *line, int *col)
{
    *line = c->line + c->after;
    *col = 1;
    const char *text = arena_printf(a, "%*s%s\n", c->col - 1, "", c->call), *at = s->text;
    for (int n = 1; n < c->line; n++)
        at = strchrnul(at, '\n') + 1;
    size_t len = strcspn(at, "\n");
    if (!c->after || at[len])
        return text;
    *line = c->line;
    *col = (int)len + 1;
    return arena_printf(a, "\n%*s%s", c->col - 1, "", c->call);
}

/* Calls of one place are one edit. */
static json_t *edit_json(struct arena *a, const struct program *p, const struct remedy_found *r)
{
    json_t *list = json_array();
    for (int i = 0; r && i < r->ncalls; i++) {
        int line, col, next_line, next_col;
        const char *text = inserted(a, p->source, &r->calls[i], &line, &col);
        for (; i + 1 < r->ncalls; i++) {
            const char *more = inserted(a, p->source, &r->calls[i + 1], &next_line, &next_col);
            if (next_line != line || next_col != col)
                break;
            text = arena_printf(a, "%s%s", text, more);
        }
        struct source_line side = place_line(p, r->calls[i].line);
        json_array_append_new(list, json_pack("{s:s?, s:i, s:i, s:s}", "file", side.file, "line",
                                              side.line + line - r->calls[i].line, "column", col,
                                              "insert", text));
    }
    return list;
}

void report_remedy_json(struct arena *a, json_t *j, const struct program *p,
                        const struct remedy_found *r)
{
    json_object_set_new(j, "remedy", r && r->text ? json_string(r->text) : json_null());
    json_object_set_new(j, "edit", edit_json(a, p, r));
    if (!r || !r->checked)
        return;
    json_t *parts = json_array(), *calls = json_array();
    for (int i = 0; i < r->ncalls; i++)
        json_array_append_new(
            calls, json_pack("{s:s, s:s, s:s?, s:i, s:i}", "call", r->calls[i].call, "where",
                             r->calls[i].after ? "after" : "before", "file",
                             place_line(p, r->calls[i].line).file, "line",
                             place_line(p, r->calls[i].line).line, "column", r->calls[i].col));
    for (int i = 0; i < r->nremedies; i++)
        json_array_append_new(parts,
                              json_pack("{s:o, s:o}", "edge", edge_json(a, p, &r->remedies[i].edge),
                                        "steps", steps_json(a, p, &r->remedies[i])));
    json_object_set_new(j, "repair",
                        json_pack("{s:s, s:s, s:I, s:I, s:b, s:b, s:o, s:o}", "kind",
                                  remedy_kind_name(r->kind), "checked", r->checked, "runs",
                                  (json_int_t)r->seen.runs, "states", (json_int_t)r->seen.states,
                                  "proof", r->seen.complete, "together", r->together, "parts",
                                  parts, "calls", calls));
}

static json_t *finding_json(struct arena *a, const struct program *p, const struct tally_finding *f)
{
    json_t *j = report_places_json(a, p, &f->first, f->note);
    json_object_set_new(j, "runs", json_integer((json_int_t)f->runs));
    json_object_set_new(j, "units", json_integer((json_int_t)f->units));
    json_object_set_new(j, "first_seed", json_integer((json_int_t)f->first_seed));
    report_remedy_json(a, j, p, f->remedy);
    return j;
}

json_t *report_case_json(const struct kase *k)
{
    const struct experiment *x = k->of;
    const struct tally *t = &k->tally;
    struct case_row row = case_row_of(k);
    struct scope_looked looked = {t->runs, t->failed, k->glance.states, k->glance.complete};
    json_t *j = columns_json_row(&case_columns, &row);
    json_t *verdicts = json_object(), *findings = json_array();
    for (int v = 0; v < V_COUNT; v++)
        if (t->verdict_runs[v])
            json_object_set_new(verdicts, verdict_name((enum verdict)v),
                                json_pack("{s:I, s:I}", "runs", (json_int_t)t->verdict_runs[v],
                                          "first_seed", (json_int_t)t->verdict_seed[v]));
    vec_foreach (const struct tally_finding, f, &t->findings)
        json_array_append_new(findings, finding_json(x->arena, k->program, f));
    if (k->glance.found) {
        json_t *f = report_places_json(x->arena, k->program, &k->glance.first, NULL);
        json_object_set_new(f, "states", json_integer((json_int_t)k->glance.states));
        report_remedy_json(x->arena, f, k->program, NULL);
        json_array_append_new(findings, f);
    }
    json_object_set_new(j, "scope", scope_json(k, &looked));
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
                                      (json_int_t)t->pct_steps, "depth", x->runner.pct_depth));
    if (k->glance.found || k->glance.complete)
        json_object_set_new(j, "explore",
                            json_pack("{s:I, s:b, s:b, s:s}", "machine_states",
                                      (json_int_t)k->glance.states, "complete", k->glance.complete,
                                      "found", k->glance.found, "command", case_explore(k)));
    if (t->failed)
        json_object_set_new(j, "replay", json_string(case_replay(k, t->first_failed_seed)));
    return j;
}
