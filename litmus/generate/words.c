/* SPDX-License-Identifier: MIT */
/* A cycle in words becomes a test (docs/litmus.md). */
#include <string.h>

#include "base/strbuf.h"
#include "litmus/generate/cycle.h"
#include "litmus/generate/generate.h"

/* ---- the words ---- */

/* Communication, by its name. */
static const struct {
    const char *name;
    enum cycle_edge_kind kind;
    enum event_role from, to;
} edges[] = {
    {"Rfe", CYCLE_RF, ROLE_WRITE, ROLE_READ},      {"Fre", CYCLE_FR, ROLE_READ, ROLE_WRITE},
    {"Coe", CYCLE_CO, ROLE_WRITE, ROLE_WRITE},     {"Wse", CYCLE_CO, ROLE_WRITE, ROLE_WRITE},
    {"Sig", CYCLE_SIGNAL, ROLE_NOTIFY, ROLE_WAIT},
};
enum { EDGES = sizeof edges / sizeof *edges };

/* The letters of roles in program order: write, read, notify, await. */
static const char letters[] = "WRNA";
static const char *const role_names[ROLE_COUNT] = {"write", "read", "notify", "wait"};

enum { WORDS_MAX = 4 * CYCLE_MAX };

struct word {
    struct span at;
    const char *text;
};

struct cycle_reader {
    struct arena *arena;
    struct diag *d;
    const struct source *src;
    struct family *family;
    struct choice *choice;
    enum event_role to[CYCLE_MAX]; /* of each edge */
    struct word words[CYCLE_MAX];  /* that name it */
    const struct agent *given;     /* for the event that comes next, or NULL */
    struct word given_by;
};

static bool wrong(struct cycle_reader *r, const struct word *w, const char *text)
{
    return diag_error(r->d, r->src, w->at, "%s", text);
}

static const struct placement *find_placement(const char *name, size_t len)
{
    for (int i = 0; i < litmus_placement_count; i++)
        if (strlen(litmus_placements[i].name) == len &&
            !strncmp(litmus_placements[i].name, name, len))
            return &litmus_placements[i];
    return NULL;
}

/* PodWW, PosRW, line.dsbdWN: Po or a placement, d or s, two roles. */
static bool read_program_order(const char *text, struct cycle_edge *e, enum event_role *to,
                               const struct placement **p)
{
    size_t n = strlen(text);
    if (n < 4)
        return false;
    const char *way = text + n - 3, *from = strchr(letters, way[1]), *end = strchr(letters, way[2]);
    bool plain = n == 5 && !strncmp(text, "Po", 2);
    *p = plain ? find_placement("none", 4) : find_placement(text, n - 3);
    if (!*p || (*way != 'd' && *way != 's') || !from || !end)
        return false;
    *e = (struct cycle_edge){CYCLE_PO, (enum event_role)(from - letters), *way == 's'};
    *to = (enum event_role)(end - letters);
    return true;
}

static const struct agent *find_agent(const char *name)
{
    for (int i = 0; i < litmus_agent_count; i++)
        if (!strcmp(litmus_agents[i].name, name))
            return &litmus_agents[i];
    return NULL;
}

static const struct agent *usual_agent(enum event_role role)
{
    const struct agent *a = litmus_agents;
    while (a->role != role)
        a++;
    return a;
}

/* What to suggest: every word there is. */
static const char *hint(struct cycle_reader *r, const char *text)
{
    VEC(const char *) names = {0};
    for (int i = 0; i < EDGES; i++)
        vec_push(r->arena, &names, edges[i].name);
    for (int i = 0; i < litmus_agent_count; i++)
        vec_push(r->arena, &names, litmus_agents[i].name);
    for (int i = 0; i < litmus_family_count; i++)
        vec_push(r->arena, &names, litmus_family_rows[i].name);
    for (int i = 0; i < litmus_placement_count; i++)
        for (const char *way = "ds"; *way; way++)
            for (const char *a = letters; *a; a++)
                for (const char *b = letters; *b; b++) {
                    const char *name = i ? litmus_placements[i].name : "Po";
                    vec_push(r->arena, &names,
                             arena_printf(r->arena, "%s%c%c%c", name, *way, *a, *b));
                }
    return diag_hint(r->arena, text, names.items, names.len);
}

/* ---- one word ---- */

static bool add_edge(struct cycle_reader *r, const struct word *w, struct cycle_edge e,
                     enum event_role to, const struct placement *p)
{
    struct family *f = r->family;
    int i = f->edges;
    if (i == CYCLE_MAX)
        return wrong(r, w, "a cycle has at most 6 edges");
    if (i && r->to[i - 1] != e.from)
        return diag_error(r->d, r->src, w->at,
                          "'%s' leaves a %s, but '%s' in front of it ends at a %s", w->text,
                          role_names[e.from], r->words[i - 1].text, role_names[r->to[i - 1]]);
    if (r->given && r->given->role != e.from)
        return diag_error(r->d, r->src, r->given_by.at, "'%s' is a %s, but '%s' leaves a %s",
                          r->given->name, role_names[r->given->role], w->text, role_names[e.from]);
    f->cycle[i] = e;
    r->to[i] = to;
    r->words[i] = *w;
    r->choice->agents[i] = r->given ? r->given : usual_agent(e.from);
    r->choice->placement[i] = p;
    r->given = NULL;
    f->edges++;
    return true;
}

static bool read_word(struct cycle_reader *r, const struct word *w)
{
    const struct placement *p;
    struct cycle_edge e;
    enum event_role to;
    for (int i = 0; i < EDGES; i++)
        if (!strcmp(edges[i].name, w->text))
            return add_edge(r, w, (struct cycle_edge){edges[i].kind, edges[i].from, true},
                            edges[i].to, NULL);
    if (read_program_order(w->text, &e, &to, &p))
        return add_edge(r, w, e, to, p);
    const struct agent *a = find_agent(w->text);
    if (a && r->given)
        return diag_error(r->d, r->src, w->at, "'%s' stands in front of it already",
                          r->given->name);
    r->given = a;
    r->given_by = *w;
    return a || diag_error(r->d, r->src, w->at, "'%s' is no edge and no access%s", w->text,
                           hint(r, w->text));
}

static bool read_words(struct cycle_reader *r)
{
    static const char blanks[] = " \t\n";
    const char *p = r->src->text;
    for (int n = 0; *(p += strspn(p, blanks)); n++) {
        size_t len = strcspn(p, blanks);
        struct word w = {{1, (int)(p - r->src->text) + 1, (int)len},
                         arena_strndup(r->arena, p, len)};
        if (n == WORDS_MAX)
            return wrong(r, &w, "a cycle has at most 6 edges");
        if (!read_word(r, &w))
            return false;
        p += len;
    }
    if (r->given)
        return wrong(r, &r->given_by, "an edge is missing behind this access");
    return r->family->edges > 1 ||
           diag_error(r->d, r->src, (struct span){1, 1, 1},
                      "a cycle has 2 to 6 edges, such as 'PodWW Rfe PodRR Fre'");
}

/* ---- which cycles make a test ---- */

/* The last edge ends where the first one starts, and communication and program order are where
 * threads need them. */
static bool closes(struct cycle_reader *r)
{
    const struct family *f = r->family;
    int last = f->edges - 1, program = 0, moves = 0, data = 0;
    if (r->to[last] != f->cycle[0].from)
        return diag_error(r->d, r->src, r->words[last].at,
                          "the cycle does not close: '%s' ends at a %s, '%s' leaves a %s",
                          r->words[last].text, role_names[r->to[last]], r->words[0].text,
                          role_names[f->cycle[0].from]);
    for (int i = 0; i < f->edges; i++) {
        int next = (i + 1) % f->edges;
        program += f->cycle[i].kind == CYCLE_PO;
        data += f->cycle[i].kind != CYCLE_PO && f->cycle[i].kind != CYCLE_SIGNAL;
        moves += !f->cycle[i].same;
        if (f->cycle[i].kind == CYCLE_PO && f->cycle[next].kind == CYCLE_PO)
            return wrong(r, &r->words[next],
                         "two edges of program order in a row: each access "
                         "needs communication on one side");
    }
    if (!program)
        return wrong(r, &r->words[0], "a cycle needs an edge of program order");
    if (!data)
        return wrong(r, &r->words[0], "in a cycle of signals alone every core waits for another");
    return moves != 1 || wrong(r, &r->words[0],
                               "one edge alone changes the location: the cycle "
                               "does not come back to it");
}

/* Starts the cycle at the first access of a thread. */
static void turn(struct cycle_reader *r)
{
    struct family *f = r->family;
    struct choice *c = r->choice;
    int n = f->edges;
    if (f->cycle[n - 1].kind != CYCLE_PO)
        return;
    struct family was = *f;
    struct choice chosen = *c;
    struct word words[CYCLE_MAX];
    memcpy(words, r->words, sizeof words);
    for (int i = 0; i < n; i++) {
        int from = (i + n - 1) % n;
        f->cycle[i] = was.cycle[from];
        c->agents[i] = chosen.agents[from];
        c->placement[i] = chosen.placement[from];
        r->words[i] = words[from];
    }
}

/* A location is a signal or data; the values that its reads see tell its writes apart. */
static bool location_is_clear(struct cycle_reader *r, int location)
{
    const struct family *f = r->family;
    int writes = 0, ordered = 0, notifies = 0, signals = 0, data = 0;
    const struct word *last = NULL;
    for (int i = 0; i < f->edges; i++) {
        enum event_role role = f->cycle[i].from;
        if (cycle_location(f, i) != location)
            continue;
        bool signal = role == ROLE_NOTIFY || role == ROLE_WAIT;
        signals += signal;
        data += !signal;
        writes += role == ROLE_WRITE;
        notifies += role == ROLE_NOTIFY;
        ordered += f->cycle[i].kind == CYCLE_CO;
        last = &r->words[i];
    }
    if (signals && data)
        return wrong(r, last, "a signal and data at one location");
    if (notifies > 1)
        return wrong(r, last, "two notifies of one signal: the wait could be for either");
    if (ordered > 1 || (data && writes > ordered + 1))
        return wrong(r, last,
                     "a location has one write, or two with a coherence edge between them: "
                     "the values would not tell what was read");
    return true;
}

static bool choices_fit(struct cycle_reader *r)
{
    const struct family *f = r->family;
    for (int i = 0; i < f->edges; i++) {
        const struct placement *p = r->choice->placement[i];
        if (p && !cycle_placement_fits(r->choice, i))
            return diag_error(r->d, r->src, r->words[i].at,
                              "'%s' is no placement for this edge: it is for other accesses, or "
                              "for the other side of a message",
                              p->name);
        for (int k = 0; r->choice->agents[i]->adds && k < f->edges; k++)
            if (f->cycle[k].kind == CYCLE_CO && cycle_location(f, k) == cycle_location(f, i))
                return diag_error(r->d, r->src, r->words[i].at,
                                  "'%s' adds: no coherence order can be read from its location",
                                  r->choice->agents[i]->name);
    }
    for (int i = 0; i < f->edges; i++)
        if (!location_is_clear(r, cycle_location(f, i)))
            return false;
    return true;
}

/* ---- names ---- */

static bool same_edge(const struct cycle_edge *x, const struct cycle_edge *y)
{
    return x->kind == y->kind && x->from == y->from && x->same == y->same;
}

/* Does the family's cycle, from its edge `start` on, read like f? */
static bool is_rotation(const struct family *f, const struct family *known, int start)
{
    if (known->edges != f->edges)
        return false;
    for (int i = 0; i < f->edges; i++)
        if (!same_edge(&f->cycle[i], &known->cycle[(start + i) % known->edges]))
            return false;
    return true;
}

/* Starts the cycle where the family of that name does. */
static void start_as(struct cycle_reader *r, const struct family *known, int start)
{
    struct choice was = *r->choice;
    int n = known->edges;
    for (int i = 0; i < n; i++) {
        r->choice->agents[(start + i) % n] = was.agents[i];
        r->choice->placement[(start + i) % n] = was.placement[i];
    }
    memcpy(r->family->cycle, known->cycle, sizeof known->cycle);
}

/* The family that the cycle is of, or the cycle's own words. */
static void name_cycle(struct cycle_reader *r)
{
    struct family *f = r->family;
    for (int i = 0; i < litmus_family_count; i++)
        for (int start = 0; start < litmus_family_rows[i].edges; start++)
            if (is_rotation(f, &litmus_family_rows[i], start)) {
                f->name = litmus_family_rows[i].name;
                start_as(r, &litmus_family_rows[i], start);
                return;
            }
    struct strbuf b = strbuf_make(r->arena);
    for (int i = 0; i < f->edges; i++) {
        strbuf_add(&b, i ? "." : "");
        if (f->cycle[i].kind == CYCLE_PO)
            strbuf_addf(&b, "Po%c%c%c", f->cycle[i].same ? 's' : 'd', letters[f->cycle[i].from],
                        letters[f->cycle[(i + 1) % f->edges].from]);
        else
            strbuf_add(&b, r->words[i].text);
    }
    f->name = b.text;
}

/* ---- all of it ---- */

/* The cycle of a family that is named alone, with the usual accesses and no markers. */
static bool is_family(struct cycle_reader *r)
{
    for (int i = 0; i < litmus_family_count; i++) {
        const struct family *f = &litmus_family_rows[i];
        if (strcmp(f->name, r->src->text))
            continue;
        *r->family = *f;
        for (int k = 0; k < f->edges; k++) {
            r->choice->agents[k] = usual_agent(f->cycle[k].from);
            r->choice->placement[k] =
                f->cycle[k].kind == CYCLE_PO ? find_placement("none", 4) : NULL;
        }
        return true;
    }
    return false;
}

static bool read_home(struct cycle_reader *r, const char *name)
{
    const char *names[HOME_COUNT];
    for (int h = 0; h < HOME_COUNT; h++) {
        names[h] = litmus_homes[h].name;
        if (strcmp(names[h], name))
            continue;
        r->choice->home = (enum home)h;
        return true;
    }
    return diag_error(r->d, NULL, (struct span){0}, "--home=%s: expected from, to or third%s", name,
                      diag_hint(r->arena, name, names, HOME_COUNT));
}

bool litmus_generate_cycle(struct arena *a, const char *words, const char *home,
                           struct generated *out, struct diag *d)
{
    struct family *f = arena_new(a, struct family);
    struct choice c = {.family = f};
    struct cycle_reader r = {.arena = a,
                             .d = d,
                             .src = source_from_string(a, "--cycle", words),
                             .family = f,
                             .choice = &c};
    f->mixed = true;
    if (!read_home(&r, home))
        return false;
    if (!is_family(&r)) {
        if (!read_words(&r) || !closes(&r))
            return false;
        turn(&r);
        if (!choices_fit(&r))
            return false;
        name_cycle(&r);
    }
    out->name = cycle_name(a, &c);
    out->text = arena_printf(a, "GM %s\n%s", out->name, cycle_body(a, &c, 0));
    return true;
}
