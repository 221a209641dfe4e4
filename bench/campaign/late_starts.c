/* SPDX-License-Identifier: MIT */
#include "bench/campaign/late_starts.h"

#include <inttypes.h>

enum { MAX_ROWS = 24 };

struct late_starts late_starts_make(struct arena *a, const struct program *p)
{
    struct late_starts l = {.arena = a, .program = p};
    l.started = arena_array(a, int *, (size_t)p->nranks);
    l.waited = arena_array(a, uint64_t, (size_t)p->nranks);
    for (int r = 0; r < p->nranks; r++)
        l.started[r] = arena_array(a, int, (size_t)p->ntasks + 1);
    return l;
}

static struct late_row *find_row(struct late_starts *l, int task, int nth)
{
    vec_foreach (struct late_row, row, &l->rows)
        if (row->task == task && row->nth == nth)
            return row;
    struct late_row fresh = {task, nth,
                             arena_array(l->arena, uint64_t, (size_t)l->program->nranks)};
    for (int r = 0; r < l->program->nranks; r++)
        fresh.start[r] = NOT_STARTED;
    vec_push(l->arena, &l->rows, fresh);
    return &l->rows.items[l->rows.len - 1];
}

void late_starts_step(struct late_starts *l, const struct machine *m, const struct step *s)
{
    const struct insn *i = s->t.kind == T_SCALAR ? machine_at(m, s->t.core) : NULL;
    if (!i || i->op != I_TASK || !l->program->nsteps)
        return;
    int rank = m->cores[s->t.core].rank;
    int nth = l->started[rank][i->imm]++;
    find_row(l, (int)i->imm, nth)->start[rank] = s->end;
}

void late_starts_end(struct late_starts *l, const struct core_time *time)
{
    for (int c = 0; c < l->program->ncores; c++)
        l->waited[l->program->cores[c].rank] += time[c].cycles[SPENT_POLL];
}

/* Cycles by which a rank started the row's task after the first rank that did. */
static uint64_t late_by(const struct late_row *row, int nranks, int rank)
{
    uint64_t first = NOT_STARTED;
    for (int r = 0; r < nranks; r++)
        if (row->start[r] < first)
            first = row->start[r];
    return row->start[rank] == NOT_STARTED ? 0 : row->start[rank] - first;
}

static void print_row(FILE *out, const char *name, const uint64_t *late, int n)
{
    fprintf(out, "  %-32s", name);
    for (int r = 0; r < n; r++)
        late[r] == NOT_STARTED ? fprintf(out, " %12s", "-") : fprintf(out, " %12" PRIu64, late[r]);
    fprintf(out, "\n");
}

void late_starts_print(FILE *out, const struct late_starts *l, const char *note)
{
    int n = l->program->nranks;
    uint64_t late[n], most[n];
    fprintf(out, "late starts, in cycles after the first rank that starts the task%s:\n  %-32s",
            note, "task");
    for (int r = 0; r < n; r++) {
        fprintf(out, " %9s %2d", "rank", r);
        most[r] = 0;
    }
    fprintf(out, "\n");
    for (size_t i = 0; i < l->rows.len; i++) {
        const struct late_row *row = &l->rows.items[i];
        for (int r = 0; r < n; r++) {
            uint64_t by = late_by(row, n, r);
            most[r] = by > most[r] ? by : most[r];
            late[r] = row->start[r] == NOT_STARTED ? NOT_STARTED : by;
        }
        if (i < MAX_ROWS)
            print_row(out, l->program->tasks[row->task], late, n);
    }
    if (l->rows.len > MAX_ROWS)
        fprintf(out, "  and %zu more tasks; --json shows them\n", l->rows.len - MAX_ROWS);
    print_row(out, "at most", most, n);
    print_row(out, "cycles in waits for signals", l->waited, n);
}

json_t *late_starts_json(const struct late_starts *l)
{
    json_t *list = json_array();
    vec_foreach (const struct late_row, row, &l->rows) {
        json_t *starts = json_array();
        for (int r = 0; r < l->program->nranks; r++)
            json_array_append_new(starts, row->start[r] == NOT_STARTED
                                              ? json_null()
                                              : json_integer((json_int_t)row->start[r]));
        json_array_append_new(list,
                              json_pack("{s:s, s:i, s:o}", "task", l->program->tasks[row->task],
                                        "nth", row->nth, "start", starts));
    }
    return list;
}
