/* SPDX-License-Identifier: MIT */
/* A cycle with its choices becomes a name and a test. */
#include "litmus/generate/cycle.h"

#include <string.h>

#include "base/strbuf.h"

enum { WARM_REGISTER = 9 }; /* no condition reads it */

/* ---- what follows from the edges ---- */

static const struct cycle_edge *edge_at(const struct family *f, int i)
{
    return &f->cycle[(i + f->edges) % f->edges];
}

static bool is_signal(enum event_role r)
{
    return r == ROLE_NOTIFY || r == ROLE_WAIT;
}

/* Communication goes from rank to rank. */
static int thread_count(const struct family *f)
{
    int n = 0;
    for (int i = 0; i < f->edges; i++)
        n += f->cycle[i].kind != CYCLE_PO;
    return n;
}

static int thread_of(const struct family *f, int event)
{
    int n = 0;
    for (int i = 0; i < event; i++)
        n += f->cycle[i].kind != CYCLE_PO;
    return n % thread_count(f);
}

/* Program order changes the location, and the cycle ends where it began. */
int cycle_location(const struct family *f, int event)
{
    int before = 0, all = 0;
    for (int i = 0; i < f->edges; i++) {
        all += !f->cycle[i].same;
        before += i < event && !f->cycle[i].same;
    }
    return all ? before % all : 0;
}

/* No location has more than one coherence edge: its source writes 1, its target 2. */
static int written_value(const struct family *f, int event)
{
    return edge_at(f, event - 1)->kind == CYCLE_CO ? 2 : 1;
}

/* A read-from edge gives the value written, a from-read edge the one before what overwrites it. */
static int read_value(const struct family *f, int event)
{
    if (edge_at(f, event - 1)->kind == CYCLE_RF)
        return written_value(f, (event - 1 + f->edges) % f->edges);
    return written_value(f, (event + 1) % f->edges) - 1;
}

enum marker_side cycle_side(const struct family *f, int edge)
{
    bool release =
        edge_at(f, edge)->from == ROLE_WRITE || edge_at(f, edge + 1)->from == ROLE_NOTIFY;
    return release ? SIDE_RELEASE : SIDE_ACQUIRE;
}

bool cycle_placement_fits(const struct choice *c, int edge)
{
    const struct family *f = c->family;
    const struct placement *p = c->placement[edge];
    enum marker_side side = cycle_side(f, edge);
    int subject = side == SIDE_RELEASE ? edge : (edge + 1) % f->edges;
    return (p->sides & side) && (p->paths & c->agents[subject]->path) &&
           (!strchr(p->steps, 'K') || cycle_ranks(c) > 1);
}

int cycle_ranks(const struct choice *c)
{
    return thread_count(c->family) + (c->home == HOME_THIRD);
}

/* Rank where the location of an event lives; a signal lives where it is waited for. */
static int home_of(const struct choice *c, int event)
{
    const struct family *f = c->family;
    int at = 0;
    while (edge_at(f, at)->kind == CYCLE_PO || cycle_location(f, at) != cycle_location(f, event))
        at++;
    enum home home = is_signal(edge_at(f, event)->from) ? HOME_TO : c->home;
    return home == HOME_THIRD ? thread_count(f) : thread_of(f, (at + (home == HOME_TO)) % f->edges);
}

/* ---- names ---- */

static void add_part(struct strbuf *b, char between, const char *part)
{
    strbuf_addf(b, "%c%s", between, part);
}

const char *cycle_name(struct arena *a, const struct choice *c)
{
    struct strbuf b = strbuf_make(a);
    strbuf_add(&b, c->family->name);
    for (int i = 0; i < c->family->edges; i++) {
        bool first = i == 0 || c->family->cycle[i - 1].kind != CYCLE_PO;
        add_part(&b, first ? '+' : '-', c->agents[i]->name);
        if (c->placement[i] && *c->placement[i]->steps)
            add_part(&b, '-', c->placement[i]->name);
    }
    add_part(&b, '+', litmus_homes[c->home].name);
    return b.text;
}

/* ---- the test ---- */

/* A test being written. Numbers count along the cycle from event `start` on. */
struct test_writer {
    struct arena *arena;
    const struct choice *choice;
    int start;
    VEC(const char *) cells[CYCLE_MAX];
    bool other, holds[3]; /* names in use besides those of the events */
};

static int rank_in(const struct test_writer *w, int rank)
{
    int threads = thread_count(w->choice->family);
    return rank == threads ? rank
                           : (rank - thread_of(w->choice->family, w->start) + threads) % threads;
}

/* Data locations are x, y, z; signals s, u. */
static const char *location_name(const struct test_writer *w, int event)
{
    static const char *const names[2][3] = {{"x", "y", "z"}, {"s", "u", "w"}};
    const struct family *f = w->choice->family;
    bool seen[CYCLE_MAX] = {0};
    int wanted = cycle_location(f, event), n = 0;
    bool signal = is_signal(f->cycle[event].from);
    for (int k = 0; k < f->edges; k++) {
        int e = (w->start + k) % f->edges, l = cycle_location(f, e);
        if (l == wanted)
            break;
        n += !seen[l] && is_signal(f->cycle[e].from) == signal;
        seen[l] = true;
    }
    return names[signal][n];
}

/* The location of an event, `away` ranks from its home, as a core of the event's rank names it. */
static const char *location_text(const struct test_writer *w, int event, int away)
{
    const char *name = location_name(w, event);
    int home = (rank_in(w, home_of(w->choice, event)) + away) % cycle_ranks(w->choice);
    if (home == rank_in(w, thread_of(w->choice->family, event)))
        return name;
    return arena_printf(w->arena, "%s@%d", name, home);
}

/* Reads are numbered through the test. */
static int read_number(const struct test_writer *w, int event)
{
    int n = 0;
    for (int e = w->start; e != event; e = (e + 1) % w->choice->family->edges)
        n += w->choice->family->cycle[e].from == ROLE_READ;
    return n;
}

static const char *access_part(struct test_writer *w, int event, char part)
{
    int value = written_value(w->choice->family, event);
    const char *result = w->choice->agents[event]->result;
    switch (part) {
    case 'L':
        return location_text(w, event, 0);
    case 'V':
        return arena_printf(w->arena, "%d", value);
    case 'S':
        w->holds[value] = true;
        return arena_printf(w->arena, "v%d", value);
    case 'R':
    case 'D':
        return arena_printf(w->arena, "%s%d", result, read_number(w, event));
    default:
        return NULL;
    }
}

static void add_cell(struct test_writer *w, int event, const char *text)
{
    int rank = rank_in(w, thread_of(w->choice->family, event));
    vec_push(w->arena, &w->cells[rank], text);
}

static void add_access(struct test_writer *w, int event)
{
    struct strbuf b = strbuf_make(w->arena);
    for (const char *p = w->choice->agents[event]->form; *p; p++) {
        const char *part = access_part(w, event, *p);
        if (part)
            strbuf_add(&b, part);
        else
            strbuf_addn(&b, p, 1);
    }
    add_cell(w, event, b.text);
}

/* What a step of a placement is written as; %s is the location that it marks. */
static const struct {
    char step;
    const char *form;
    int away; /* ranks from the location's home */
} steps[] = {{'L', "dcci %s", 0}, {'K', "dcci %s", 1}, {'A', "dcci all", 0},
             {'O', "dcci o", 0},  {'S', "dsb", 0},     {'B', "barrier all", 0}};

static void add_step(struct test_writer *w, int event, int subject, char step)
{
    size_t i = 0;
    while (steps[i].step != step)
        i++;
    const char *location = location_text(w, subject, steps[i].away), *form = steps[i].form,
               *place = strstr(form, "%s");
    w->other |= step == 'O';
    add_cell(w, event,
             place ? arena_printf(w->arena, "%.*s%s", (int)(place - form), form, location) : form);
}

/* A release marks what was accessed before it, an acquire what is accessed after it. */
static void add_markers(struct test_writer *w, int edge, enum marker_place place)
{
    const struct family *f = w->choice->family;
    edge = (edge + f->edges) % f->edges;
    const struct placement *p = w->choice->placement[edge];
    if (!p || p->place != place)
        return;
    int subject = cycle_side(f, edge) == SIDE_RELEASE ? edge : (edge + 1) % f->edges;
    for (const char *s = p->steps; *s; s++)
        add_step(w, edge, subject, *s);
}

static void add_cells(struct test_writer *w)
{
    int n = w->choice->family->edges;
    for (int k = 0; k < n; k++) {
        int e = (w->start + k) % n;
        if (w->choice->agents[e]->warm)
            add_cell(w, e,
                     arena_printf(w->arena, "ld r%d, %s", WARM_REGISTER, location_text(w, e, 0)));
    }
    for (int k = 0; k < n; k++) {
        int e = (w->start + k) % n;
        add_markers(w, e, PLACE_BEFORE);
        add_access(w, e);
        add_markers(w, e - 1, PLACE_AFTER);
        add_markers(w, e, PLACE_BETWEEN);
    }
}

/* ---- text ---- */

static void add_declarations(const struct test_writer *w, struct strbuf *b)
{
    const struct family *f = w->choice->family;
    bool seen[CYCLE_MAX] = {0};
    strbuf_add(b, "{ ");
    for (int k = 0; k < f->edges; k++) {
        int e = (w->start + k) % f->edges, l = cycle_location(f, e);
        if (!seen[l])
            strbuf_addf(b, "%s; ", location_name(w, e));
        seen[l] = true;
        if (w->choice->agents[e]->result[0] == 'd')
            strbuf_addf(b, "d%d; ", read_number(w, e));
    }
    if (w->other)
        strbuf_add(b, "o; ");
    for (int v = 1; v <= 2; v++)
        if (w->holds[v])
            strbuf_addf(b, "v%d = %d; ", v, v);
    strbuf_addf(b, "ranks = %d }\n", cycle_ranks(w->choice));
}

/* Row -1 holds the cores' names. */
static const char *cell_at(const struct test_writer *w, int rank, int row)
{
    if (row < 0)
        return arena_printf(w->arena, "P%d", rank);
    return (size_t)row < w->cells[rank].len ? w->cells[rank].items[row] : "";
}

static void add_table(const struct test_writer *w, struct strbuf *b)
{
    int threads = thread_count(w->choice->family), rows = 0;
    size_t widths[CYCLE_MAX] = {0};
    for (int t = 0; t < threads; t++) {
        if ((int)w->cells[t].len > rows)
            rows = (int)w->cells[t].len;
        for (int r = -1; r < rows; r++)
            if (strlen(cell_at(w, t, r)) > widths[t])
                widths[t] = strlen(cell_at(w, t, r));
    }
    for (int r = -1; r < rows; r++)
        for (int t = 0; t < threads; t++) {
            const char *cell = cell_at(w, t, r);
            strbuf_add(b, cell);
            strbuf_pad(b, ' ', widths[t] - strlen(cell));
            strbuf_add(b, t + 1 < threads ? " | " : " ;\n");
        }
}

static void add_atom(const struct test_writer *w, struct strbuf *b, int event, size_t open)
{
    const struct family *f = w->choice->family;
    const char *and = b->len > open ? " /\\ " : "", *result = w->choice->agents[event]->result;
    int rank = rank_in(w, thread_of(f, event));
    if (*result == 'd')
        strbuf_addf(b, "%sd%d@%d=%d", and, read_number(w, event), rank, read_value(f, event));
    else if (*result)
        strbuf_addf(b, "%s%d:%s%d=%d", and, rank, result, read_number(w, event),
                    read_value(f, event));
    else if (edge_at(f, event - 1)->kind == CYCLE_CO)
        strbuf_addf(b, "%s%s@%d=2", and, location_name(w, event),
                    rank_in(w, home_of(w->choice, event)));
}

const char *cycle_body(struct arena *a, const struct choice *c, int start)
{
    struct test_writer w = {.arena = a, .choice = c, .start = start};
    struct strbuf b = strbuf_make(a);
    add_cells(&w);
    add_declarations(&w, &b);
    add_table(&w, &b);
    strbuf_add(&b, "exists (");
    size_t open = b.len;
    for (int k = 0; k < c->family->edges; k++)
        add_atom(&w, &b, (start + k) % c->family->edges, open);
    strbuf_add(&b, ")\n");
    return b.text;
}
