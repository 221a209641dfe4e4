/* SPDX-License-Identifier: MIT */
/* Generated pairs: tables of choices, and the code that makes both forms of a test from them. */
#include <string.h>

#include "base/strbuf.h"
#include "base/table.h"
#include "litmus/generate/batching.h"

#define COUNT(table) (int)(sizeof(table) / sizeof *(table))

/* ---- tables ---- */

/* The rarer values of one pair weigh no more than this together. */
enum { BUDGET = 1 };

struct family_value {
    const char *name;
    int weight;
};

enum signals { SIGNALS_OWN, SIGNALS_PACKED, SIGNALS_FIRST, SIGNALS_DATA };
enum preload { PRELOAD_WARM, PRELOAD_COLD };
enum dirty { DIRTY_NONE, DIRTY_DATA, DIRTY_SIGNAL, DIRTY_BOTH };
enum scope { SCOPE_ALL, SCOPE_LINE };
enum peers { PEERS_ONE, PEERS_TWO };

/* When the consumer lets the producer write. */
enum grant { GRANT_NONE, GRANT_START, GRANT_BETWEEN, GRANT_AFTER };
/* Which signal comes behind the data. */
enum publish { PUBLISH_FIRST, PUBLISH_LAST, PUBLISH_NONE };

/* Values of BATCHING_DATA. */
static const struct timing {
    enum grant grant;
    bool fenced; /* a dsb in front of the grant */
    enum publish by;
    bool alone; /* written by a core that neither waits nor signals */
} timings[] = {
    // clang-format off
    {GRANT_NONE,    false, PUBLISH_FIRST, false},
    {GRANT_NONE,    false, PUBLISH_LAST,  false},
    {GRANT_NONE,    false, PUBLISH_NONE,  true},
    {GRANT_START,   false, PUBLISH_FIRST, false},
    {GRANT_START,   false, PUBLISH_LAST,  false},
    {GRANT_BETWEEN, false, PUBLISH_LAST,  false},
    {GRANT_BETWEEN, true,  PUBLISH_LAST,  false},
    {GRANT_AFTER,   false, PUBLISH_NONE,  false},
    // clang-format on
};

/* Values of BATCHING_STORE: proper publishes (hw-facts 1.4 to 1.6). L is the data's word. */
static const char *const stores[] = {"mte3 L, 1;barrier all;dsb", "st.dev L, 1;dsb",
                                     "st L, 1;dcci L;dsb"};

static const struct {
    const char *name;
    int count;
    struct family_value values[COUNT(timings)];
} dims[] = {
    // clang-format off
    [BATCHING_WAITS]   = {"waits",   4, {{"w1", 0}, {"w2", 0}, {"w3", 1}, {"w4", 1}}},
    [BATCHING_SIGNALS] = {"signals", 4, {{"own", 0}, {"packed", 0}, {"first", 0}, {"data", 0}}},
    [BATCHING_PRELOAD] = {"preload", 2, {{"warm", 0}, {"cold", 1}}},
    [BATCHING_DIRTY]   = {"dirty",   4, {{"clean", 0}, {"dirty", 0}, {"dirty.s", 1}, {"dirty.both", 1}}},
    [BATCHING_SCOPE]   = {"scope",   2, {{"all", 0}, {"line", 0}}},
    [BATCHING_DATA]    = {"data",    8, {{"first", 0}, {"last", 0}, {"free", 0}, {"start.first", 0},
                                         {"start.last", 0}, {"between", 0}, {"between.dsb", 0}, {"after", 0}}},
    [BATCHING_STORE]   = {"store",   3, {{"mte3", 0}, {"st.dev", 1}, {"st", 1}}},
    [BATCHING_PEERS]   = {"peers",   2, {{"one", 0}, {"two", 1}}},
    // clang-format on
};
ROW_EACH(dims, BATCHING_DIMS);

const char *batching_dim_name(enum batching_dim d)
{
    return dims[d].name;
}

const char *batching_value_name(enum batching_dim d, int i)
{
    return i < dims[d].count ? dims[d].values[i].name : NULL;
}

/* ---- which choices make a pair ---- */

static int wait_count(const int *at)
{
    return at[BATCHING_WAITS] + 1;
}

static const struct timing *timing_of(const int *at)
{
    return &timings[at[BATCHING_DATA]];
}

/* Does signal i stand on the data's line? */
static bool with_data(const int *at, int i)
{
    return at[BATCHING_SIGNALS] == SIGNALS_DATA ||
           (at[BATCHING_SIGNALS] == SIGNALS_FIRST && i == 0);
}

static bool has_dirty(const int *at, enum dirty which)
{
    return at[BATCHING_DIRTY] == (int)which || at[BATCHING_DIRTY] == DIRTY_BOTH;
}

static int weight_of(const int *at)
{
    int weight = 0;
    for (int d = 0; d < BATCHING_DIMS; d++)
        weight += dims[d].values[at[d]].weight;
    return weight;
}

/* One signal is the first and the last one, alone on a line or with the data, and nothing is
 * between the waits. The line of a signal that is the data's has one dirty word. A writer that
 * neither waits nor signals is a second peer already. */
static bool makes_pair(const int *at)
{
    const struct timing *t = timing_of(at);
    bool one = wait_count(at) == 1, dirty_signal = has_dirty(at, DIRTY_SIGNAL);
    if (one && (at[BATCHING_SIGNALS] == SIGNALS_PACKED || at[BATCHING_SIGNALS] == SIGNALS_FIRST ||
                t->by == PUBLISH_LAST || at[BATCHING_PEERS] == PEERS_TWO))
        return false;
    if (dirty_signal && with_data(at, wait_count(at) - 1))
        return false;
    return !(t->alone && at[BATCHING_PEERS] == PEERS_TWO);
}

/* ---- writing a test ---- */

enum { COLUMNS = 3, RANK_WRITER = 0 };

/* The columns are the writer or its rank's first core, the second peer or core, the consumer. */
enum test_column { COLUMN_WRITER, COLUMN_OTHER, COLUMN_CONSUMER };

struct column_writer {
    struct arena *arena;
    const int *at;
    enum batching_form form;
    int consumer; /* rank */
    VEC(const char *) columns[COLUMNS];
};

static void put(struct column_writer *w, enum test_column c, const char *insn)
{
    vec_push(w->arena, &w->columns[c], insn);
}

/* n is dirty beside the data x, m beside the last signal; go is the grant. */
static const char *declarations(const struct column_writer *w)
{
    const int *at = w->at;
    int waits = wait_count(at);
    bool packed = at[BATCHING_SIGNALS] == SIGNALS_PACKED;
    struct strbuf data = strbuf_make(w->arena), own = strbuf_make(w->arena);
    strbuf_addf(&data, "%sx",
                has_dirty(at, DIRTY_DATA) ? "line n, "
                : with_data(at, 0)        ? "line "
                                          : "");
    for (int i = 0; i < waits; i++) {
        bool last = i + 1 == waits, marked = last && has_dirty(at, DIRTY_SIGNAL);
        if (with_data(at, i)) {
            strbuf_addf(&data, ", s%d", i + 1);
            continue;
        }
        bool opens = packed ? i == 0 && (waits > 1 || marked) : marked;
        bool joins = packed && i > 0;
        strbuf_addf(&own, "%s%ss%d%s", joins ? ", " : "; ", opens ? "line " : "", i + 1,
                    marked ? ", m" : "");
    }
    return arena_printf(w->arena, "{ %s%s%s; ranks = %d }", data.text, own.text,
                        timing_of(at)->grant ? "; go" : "", w->consumer + 1);
}

static void put_store(struct column_writer *w, enum test_column c)
{
    const char *target = arena_printf(w->arena, "x@%d", w->consumer);
    for (const char *p = stores[w->at[BATCHING_STORE]];;) {
        size_t n = strcspn(p, ";"), to = strcspn(p, "L");
        const char *insn = to < n ? arena_printf(w->arena, "%.*s%s%.*s", (int)to, p, target,
                                                 (int)(n - to - 1), p + to + 1)
                                  : arena_strndup(w->arena, p, n);
        put(w, c, insn);
        if (!p[n])
            return;
        p += n + 1;
    }
}

static void put_notify(struct column_writer *w, enum test_column c, int signal)
{
    put(w, c, arena_printf(w->arena, "notify.add s%d@%d, 1", signal + 1, w->consumer));
}

/* The writer waits for the grant, stores, and sends the signal that publishes the data. The other
 * signals come from the second peer, or from the writer, in their order. */
static void put_producers(struct column_writer *w)
{
    const struct timing *t = timing_of(w->at);
    int waits = wait_count(w->at);
    int before = t->by == PUBLISH_FIRST  ? 0
                 : t->by == PUBLISH_LAST ? waits - 1
                                         : waits; /* signals in front of the store */
    bool two = w->at[BATCHING_PEERS] == PEERS_TWO;
    enum test_column others = two ? COLUMN_OTHER : COLUMN_WRITER;
    for (int i = 0; i < before; i++)
        put_notify(w, others, i);
    if (t->grant)
        put(w, COLUMN_WRITER, "wait go >= 1");
    put_store(w, t->alone ? COLUMN_OTHER : COLUMN_WRITER);
    for (int i = before; i < waits; i++)
        put_notify(w, i == before ? COLUMN_WRITER : others, i);
}

static void put_grant(struct column_writer *w, enum grant here)
{
    const struct timing *t = timing_of(w->at);
    if (t->grant != here || here == GRANT_NONE)
        return;
    if (t->fenced)
        put(w, COLUMN_CONSUMER, "dsb");
    put(w, COLUMN_CONSUMER, arena_printf(w->arena, "notify.add go@%d, 1", RANK_WRITER));
}

static void put_consumer(struct column_writer *w)
{
    const int *at = w->at;
    int waits = wait_count(at);
    if (at[BATCHING_PRELOAD] == PRELOAD_WARM)
        put(w, COLUMN_CONSUMER, "ld r9, x");
    if (has_dirty(at, DIRTY_DATA))
        put(w, COLUMN_CONSUMER, "st n, 7");
    if (has_dirty(at, DIRTY_SIGNAL))
        put(w, COLUMN_CONSUMER, "st m, 7");
    put_grant(w, GRANT_START);
    for (int i = 0; i < waits; i++) {
        put(w, COLUMN_CONSUMER, arena_printf(w->arena, "wait s%d >= 1", i + 1));
        if (i + 1 == waits || w->form == BATCHING_EACH)
            put(w, COLUMN_CONSUMER, at[BATCHING_SCOPE] == SCOPE_LINE ? "dcci x" : "dcci all");
        if (i == 0)
            put_grant(w, GRANT_BETWEEN);
    }
    put_grant(w, GRANT_AFTER);
    put(w, COLUMN_CONSUMER, "ld r0, x");
}

static void print_row(struct column_writer *w, struct strbuf *b, size_t row,
                      const char *const *heads)
{
    const char *between = "";
    for (int c = 0; c < COLUMNS; c++) {
        if (!w->columns[c].len)
            continue;
        const char *cell = heads                     ? heads[c]
                           : row < w->columns[c].len ? w->columns[c].items[row]
                                                     : "";
        strbuf_addf(b, "%s%s", between, cell);
        between = " | ";
    }
    strbuf_add(b, " ;\n");
}

static const char *test_text(struct arena *a, const char *name, const int *at,
                             enum batching_form form)
{
    bool two = at[BATCHING_PEERS] == PEERS_TWO;
    struct column_writer w = {.arena = a, .at = at, .form = form, .consumer = two ? 2 : 1};
    put_producers(&w);
    put_consumer(&w);
    const char *heads[COLUMNS] = {"P0", two ? "P1" : "P0.1", arena_printf(a, "P%d", w.consumer)};
    struct strbuf b = strbuf_make(a);
    strbuf_addf(&b, "GM %s-%s\n%s\n", name, batching_form_name(form), declarations(&w));
    print_row(&w, &b, 0, heads);
    size_t rows = 0;
    for (int c = 0; c < COLUMNS; c++)
        rows = w.columns[c].len > rows ? w.columns[c].len : rows;
    for (size_t row = 0; row < rows; row++)
        print_row(&w, &b, row, NULL);
    strbuf_addf(&b, "exists (%d:r0=0", w.consumer);
    if (has_dirty(at, DIRTY_SIGNAL))
        strbuf_addf(&b, " /\\ m@%d=0", w.consumer);
    if (has_dirty(at, DIRTY_DATA))
        strbuf_addf(&b, " /\\ n@%d=0", w.consumer);
    strbuf_addf(&b, " /\\ x@%d=0)\n", w.consumer);
    return b.text;
}

/* ---- the family ---- */

static const char *pair_name(struct arena *a, const int *at)
{
    struct strbuf b = strbuf_make(a);
    for (int d = 0; d < BATCHING_DIMS; d++)
        strbuf_addf(&b, "%s%s", d ? "+" : "", dims[d].values[at[d]].name);
    return b.text;
}

/* Like a mileage counter, the last dimension fastest; false when all are back at their start. */
static bool turn(int *at)
{
    for (int d = BATCHING_DIMS - 1; d >= 0; d--) {
        if (++at[d] < dims[d].count)
            return true;
        at[d] = 0;
    }
    return false;
}

struct batching_pairs batching_family(struct arena *a)
{
    struct batching_pairs out = {0};
    int at[BATCHING_DIMS] = {0};
    do {
        if (weight_of(at) > BUDGET || !makes_pair(at))
            continue;
        struct batching_pair p = {.name = pair_name(a, at)};
        memcpy(p.at, at, sizeof at);
        for (int f = 0; f < BATCHING_FORMS; f++)
            p.text[f] = test_text(a, p.name, at, (enum batching_form)f);
        vec_push(a, &out.pairs, p);
    } while (turn(at));
    return out;
}
