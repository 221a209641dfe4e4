/* SPDX-License-Identifier: MIT */
/* Header, initial block, table and expectations; instructions and conditions have files of their
 * own. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "litmus/parse_internal.h"
#include "litmus/print.h"

/* ---- tokens ---- */

bool lp_at(const struct litmus_parser *p, const char *text)
{
    const struct litmus_token *t = lp_peek(p);
    return (t->kind == LT_MARK || t->kind == LT_WORD) && !strcmp(t->text, text);
}

const struct litmus_token *lp_next(struct litmus_parser *p)
{
    const struct litmus_token *t = lp_peek(p);
    if (t->kind != LT_END && t->kind != LT_ERROR)
        p->at++;
    return t;
}

bool lp_accept(struct litmus_parser *p, const char *text)
{
    if (!lp_at(p, text))
        return false;
    p->at++;
    return true;
}

static bool expected_at(struct litmus_parser *p, struct span at, const char *what, const char *hint)
{
    const struct litmus_token *t = lp_peek(p);
    if (t->kind == LT_ERROR)
        return diag_error(p->d, p->src, t->span, "%s", t->text);
    if (t->kind == LT_END)
        return diag_error(p->d, p->src, at, "expected %s, found the end of the file", what);
    const char *quote = t->kind == LT_STRING ? "\"" : "'";
    return diag_error(p->d, p->src, at, "expected %s, found %s%s%s%s", what, quote, t->text, quote,
                      hint);
}

/* The current token, or what follows the one before it when that stands on another line. */
static struct span gap(const struct litmus_parser *p)
{
    const struct litmus_token *t = lp_peek(p), *before = p->at ? t - 1 : t;
    if (before->span.line == t->span.line)
        return t->span;
    return (struct span){before->span.line, before->span.col + before->span.len, 1};
}

bool lp_expected(struct litmus_parser *p, const char *what)
{
    const struct litmus_token *t = lp_peek(p);
    return expected_at(p, t->kind == LT_END ? gap(p) : t->span, what, "");
}

bool lp_expected_word(struct litmus_parser *p, const char *what, const char *const *words, size_t n)
{
    const struct litmus_token *t = lp_peek(p);
    const char *hint = t->kind == LT_WORD ? diag_hint(p->arena, t->text, words, n) : "";
    return expected_at(p, t->kind == LT_END ? gap(p) : t->span, what, hint);
}

/* The same for what should stand between two tokens: at the end of a line when the next is on
 * another. */
static bool lp_missing(struct litmus_parser *p, const char *what)
{
    return expected_at(p, gap(p), what, "");
}

bool lp_expect(struct litmus_parser *p, const char *text, const char *where)
{
    return lp_accept(p, text) || lp_missing(p, arena_printf(p->arena, "'%s' %s", text, where));
}

struct span lp_span_from(const struct litmus_parser *p, const struct litmus_token *first)
{
    const struct litmus_token *last = lp_peek(p) - 1;
    struct span s = first->span;
    if (last >= first && last->span.line == s.line)
        s.len = last->span.col + last->span.len - s.col;
    return s;
}

/* ---- words ---- */

bool lp_is_identifier(const char *s)
{
    if (!isalpha((unsigned char)*s) && *s != '_')
        return false;
    for (; *s; s++)
        if (!isalnum((unsigned char)*s) && *s != '_' && *s != '.')
            return false;
    return true;
}

bool lp_is_register(const char *s, bool *tile, int *number)
{
    size_t digits = strspn(s + (*s != '\0'), "0123456789");
    if ((*s != 'r' && *s != 't') || !digits || s[1 + digits])
        return false;
    *tile = *s == 't';
    bool known = digits <= 2 && (digits == 1 || s[1] != '0') && atoi(s + 1) < LITMUS_REGS;
    *number = known ? atoi(s + 1) : -1;
    return true;
}

bool lp_int32(const char *s, int32_t *value)
{
    const char *digits = s + (*s == '-');
    bool hex = digits[0] == '0' && digits[1] == 'x';
    if (!isdigit((unsigned char)*digits))
        return false;
    char *end;
    errno = 0;
    long long v = strtoll(s, &end, hex ? 16 : 10);
    if (*end || errno || v < INT32_MIN || v > (hex ? (long long)UINT32_MAX : INT32_MAX))
        return false;
    *value = (int32_t)(uint32_t)v;
    return true;
}

bool lp_integer(struct litmus_parser *p, const char *what, int32_t *value)
{
    const struct litmus_token *t = lp_peek(p);
    if (t->kind != LT_WORD || !lp_int32(t->text, value))
        return lp_expected(p, what);
    p->at++;
    return true;
}

/* "rank = 3" declares a location. One that nothing uses is a misspelt 'ranks': true, and an error. */
static bool misspelt_ranks(struct litmus_parser *p)
{
    static const char *const word[] = {"ranks"};
    vec_foreach (const struct litmus_var, v, &p->tree->vars)
        if (!p->ranks_given && v->valued && !v->used && diag_nearest(v->name, word, 1))
            return !diag_error(p->d, p->src, v->span,
                               "nothing uses the location '%s'; did you mean 'ranks'?", v->name);
    return false;
}

/* The test has that rank. */
static bool known_rank(struct litmus_parser *p, int64_t rank, struct span at)
{
    if (rank < p->tree->ranks)
        return true;
    if (p->ranks_given)
        return diag_error(p->d, p->src, at, "rank %lld is out of range: the test has ranks 0 to %d",
                          (long long)rank, p->tree->ranks - 1);
    if (misspelt_ranks(p))
        return false;
    if (rank >= MAX_RANKS)
        return diag_error(p->d, p->src, at,
                          "rank %lld is out of range: a test has at most %d ranks", (long long)rank,
                          MAX_RANKS);
    return diag_error(p->d, p->src, at,
                      "no column is of rank %lld: a rank without one needs 'ranks = %lld' between "
                      "'{' and '}'",
                      (long long)rank, (long long)rank + 1);
}

/* ".3": a number behind a dot; false when there is none, or it is no core's. */
static bool dot_number(const char **text, int *n)
{
    if ((*text)[0] != '.' || !isdigit((unsigned char)(*text)[1]))
        return false;
    char *end;
    errno = 0;
    long v = strtol(*text + 1, &end, 10);
    *text = end;
    *n = (int)v;
    return !errno && v <= 1000000;
}

static enum lane lane_of(const char *name)
{
    for (int l = LANE_NONE + 1; l < LANE_COUNT; l++)
        if (!strcmp(name, lane_name((enum lane)l)))
            return (enum lane)l;
    return LANE_NONE;
}

bool lp_core_name(const char *text, struct litmus_column *c)
{
    char *end;
    if (!isdigit((unsigned char)*text))
        return false;
    errno = 0;
    long r = strtol(text, &end, 10);
    const char *at = end;
    int number = 0;
    bool numbered = dot_number(&at, &number);
    c->lane = *at == '.' ? lane_of(at + 1) : LANE_NONE;
    if (errno || r > 1000000 || (*at && c->lane == LANE_NONE))
        return false;
    c->rank = (int)r;
    c->core = numbered ? number : 0;
    if (c->lane != LANE_NONE)
        c->core = c->core * LANES_OF_CLUSTER + (int)c->lane - LANE_AIC;
    return true;
}

/* ---- locations ---- */

static int find_var(const struct litmus_tree *t, const char *name)
{
    for (size_t i = 0; i < t->vars.len; i++)
        if (!strcmp(t->vars.items[i].name, name))
            return (int)i;
    return -1;
}

static bool undeclared(struct litmus_parser *p, const struct litmus_token *t)
{
    size_t n = p->tree->vars.len;
    const char **names = arena_array(p->arena, const char *, n + 2);
    for (size_t i = 0; i < n; i++)
        names[i] = p->tree->vars.items[i].name;
    if (p->condition) {
        names[n++] = "deadlock";
        names[n++] = "true";
    }
    return diag_error(p->d, p->src, t->span, "'%s' is not declared between '{' and '}'%s", t->text,
                      diag_hint(p->arena, t->text, names, n));
}

bool lp_location(struct litmus_parser *p, struct litmus_loc *out)
{
    const struct litmus_token *first = lp_next(p);
    *out = (struct litmus_loc){.var = find_var(p->tree, first->text), .rank = OWN_RANK};
    if (out->var < 0)
        return undeclared(p, first);
    struct litmus_var *v = &p->tree->vars.items[out->var];
    v->used = true;
    if (lp_accept(p, "[")) {
        const struct litmus_token *t = lp_peek(p);
        int32_t index;
        if (!lp_integer(p, "an index", &index))
            return false;
        if (index < 0 || index >= v->words)
            return diag_error(p->d, p->src, t->span, "index %d is out of range: '%s' has %d word%s",
                              index, v->name, v->words, v->words == 1 ? "" : "s");
        out->index = index;
        if (!lp_expect(p, "]", "after the index"))
            return false;
    }
    if (lp_accept(p, "@")) {
        const struct litmus_token *t = lp_peek(p);
        int32_t rank;
        if (!lp_integer(p, "a rank after '@'", &rank))
            return false;
        if (rank < 0)
            return diag_error(p->d, p->src, t->span, "a rank is not negative");
        out->rank = rank;
        return known_rank(p, rank, t->span);
    }
    return true;
}

/* ---- header ---- */

/* What tools that read logs take for a name. */
static const char name_chars[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_/.-+[]";

static bool parse_header(struct litmus_parser *p)
{
    if (!lp_accept(p, "GM"))
        return lp_expected(p, "'GM' and the name of the test");
    const struct litmus_token *t = lp_peek(p);
    if (t->kind != LT_NAME)
        return lp_expected(p, "the name of the test after 'GM'");
    if (t->text[strspn(t->text, name_chars)])
        return diag_error(p->d, p->src, t->span,
                          "a name consists of letters, digits and the characters _ / . - + [ ]");
    p->test->name = lp_next(p)->text;
    if (lp_peek(p)->kind == LT_STRING)
        p->test->doc = lp_next(p)->text;
    return true;
}

/* ---- the initial block ---- */

static bool is_reserved(const char *name)
{
    static const char *const words[] = {"all", "line", "ranks", "deadlock", "true"};
    bool tile;
    int number;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(name, words[i]))
            return true;
    return lp_is_register(name, &tile, &number);
}

static bool parse_words(struct litmus_parser *p, struct litmus_var *v)
{
    const struct litmus_token *t = lp_peek(p);
    int32_t n, most = LITMUS_WINDOW / LITMUS_WORD;
    if (!lp_integer(p, "a number of words", &n))
        return false;
    if (n < 1 || n > most)
        return diag_error(p->d, p->src, t->span, "an array has 1 to %d words", most);
    v->words = n;
    v->array = true;
    return lp_expect(p, "]", "after the number of words");
}

/* NAME, NAME[WORDS] or NAME = VALUE. */
static bool parse_var(struct litmus_parser *p, struct litmus_var *v)
{
    const struct litmus_token *t = lp_peek(p);
    if (t->kind != LT_WORD || !lp_is_identifier(t->text))
        return lp_expected(p, "a name to declare");
    if (is_reserved(t->text))
        return diag_error(p->d, p->src, t->span,
                          "'%s' cannot be declared: it has a meaning of its own", t->text);
    if (find_var(p->tree, t->text) >= 0)
        return diag_error(p->d, p->src, t->span, "'%s' is declared twice", t->text);
    *v = (struct litmus_var){.name = lp_next(p)->text, .words = 1, .span = t->span};
    if (lp_accept(p, "["))
        return parse_words(p, v);
    v->valued = lp_at(p, "=");
    return !lp_accept(p, "=") || lp_integer(p, "an int32 after '='", &v->initial);
}

static uint64_t line_up(uint64_t bytes)
{
    return (bytes + LITMUS_LINE - 1) / LITMUS_LINE * LITMUS_LINE;
}

/* The names of one declaration go to a fresh line, one behind the other. */
static bool parse_group(struct litmus_parser *p, bool line)
{
    const struct litmus_token *first = lp_peek(p);
    uint64_t start = line_up(p->tree->bytes);
    p->tree->bytes = start;
    do {
        struct litmus_var v;
        if (!parse_var(p, &v))
            return false;
        v.grouped = p->tree->bytes > start;
        v.offset = p->tree->bytes;
        p->tree->bytes += (uint64_t)v.words * LITMUS_WORD;
        if (line && p->tree->bytes - start > LITMUS_LINE)
            return diag_error(p->d, p->src, lp_span_from(p, first),
                              "the names of this line need %d bytes, a line has %d",
                              (int)(p->tree->bytes - start), LITMUS_LINE);
        vec_push(p->arena, &p->tree->vars, v);
    } while (line && lp_accept(p, ","));
    if (line_up(p->tree->bytes) > LITMUS_WINDOW)
        return diag_error(p->d, p->src, lp_span_from(p, first),
                          "the names up to here need more than %d bytes", LITMUS_WINDOW);
    return true;
}

static bool parse_ranks(struct litmus_parser *p)
{
    const struct litmus_token *t = lp_peek(p) - 1;
    int32_t n;
    if (p->ranks_given)
        return diag_error(p->d, p->src, t->span, "'ranks' is given twice");
    t = lp_peek(p) + 1;
    if (!lp_expect(p, "=", "after 'ranks'") || !lp_integer(p, "a number of ranks", &n))
        return false;
    if (n < 1 || n > MAX_RANKS)
        return diag_error(p->d, p->src, t->span, "a test has 1 to %d ranks", MAX_RANKS);
    p->tree->ranks = n;
    p->ranks_given = true;
    return true;
}

static bool parse_init(struct litmus_parser *p)
{
    if (!lp_expect(p, "{", "and the declarations of the test"))
        return false;
    while (!lp_accept(p, "}")) {
        bool ok = lp_accept(p, "ranks") ? parse_ranks(p) : parse_group(p, lp_accept(p, "line"));
        if (!ok)
            return false;
        if (!lp_at(p, "}") && !lp_expect(p, ";", "or '}' after a declaration"))
            return false;
    }
    return true;
}

/* ---- the table ---- */

/* With the lane that was meant, when one was misspelt. */
static bool unknown_core(struct litmus_parser *p, const struct litmus_token *t)
{
    const char *dot = t->kind == LT_WORD ? strrchr(t->text, '.') : NULL;
    const char *names[LANE_COUNT];
    size_t n = 0;
    for (int l = LANE_NONE + 1; dot && l < LANE_COUNT; l++)
        names[n++] = arena_printf(p->arena, "%.*s.%s", (int)(dot - t->text), t->text,
                                  lane_name((enum lane)l));
    return lp_expected_word(p, "a core such as P0, P1.0 or P0.aiv1", names, n);
}

static bool parse_header_cell(struct litmus_parser *p)
{
    const struct litmus_token *t = lp_peek(p);
    struct litmus_column c = {0};
    if (t->kind != LT_WORD || t->text[0] != 'P' || !lp_core_name(t->text + 1, &c))
        return unknown_core(p, t);
    vec_foreach (const struct litmus_column, other, &p->tree->columns)
        if (other->rank == c.rank && other->core == c.core)
            return diag_error(p->d, p->src, t->span, "core %d of rank %d has a column already",
                              c.core, c.rank);
    if (p->tree->columns.len == LITMUS_CORES || c.core >= LITMUS_CORES)
        return diag_error(p->d, p->src, t->span, "a test has at most %d cores", LITMUS_CORES);
    if (!p->ranks_given && c.rank >= p->tree->ranks && c.rank < MAX_RANKS)
        p->tree->ranks = c.rank + 1;
    if (!known_rank(p, c.rank, t->span))
        return false;
    p->at++;
    vec_push(p->arena, &p->tree->columns, c);
    return true;
}

const char *const lp_tail_words[LP_TAIL_WORDS] = {"expect", "locations", "filter",
                                                  "exists", "forall",    "~"};

static bool at_tail(const struct litmus_parser *p)
{
    for (size_t i = 0; i < LP_TAIL_WORDS; i++)
        if (lp_at(p, lp_tail_words[i]))
            return true;
    return lp_peek(p)->kind == LT_END;
}

/* A cell may go on on the next line; one that is the next row shows that the row has no end. */
static bool parse_row(struct litmus_parser *p)
{
    static const char row_end[] = "';' at the end of the row";
    size_t n = p->tree->columns.len;
    for (size_t c = 0; c < n; c++) {
        bool last = c + 1 == n;
        const struct litmus_token *start = lp_peek(p);
        bool next_line = c && start->span.line > start[-1].span.line;
        if (c && at_tail(p) && start->kind != LT_END)
            return lp_missing(p, row_end);
        if (!lp_cell(p, &p->tree->columns.items[c]))
            return false;
        if (lp_accept(p, last ? ";" : "|"))
            continue;
        if (!last && lp_at(p, ";"))
            return diag_error(p->d, p->src, lp_peek(p)->span,
                              "this row has %zu cell%s, the table %zu columns", c + 1, c ? "s" : "",
                              n);
        const struct litmus_token *bar = lp_peek(p);
        if (last && lp_at(p, "|") && (next_line || bar->span.line > bar[-1].span.line)) {
            p->at = next_line ? (size_t)(start - p->toks) : p->at;
            return lp_missing(p, row_end);
        }
        if (last && lp_at(p, "|"))
            return diag_error(p->d, p->src, lp_peek(p)->span,
                              "this row has more cells than the table's %zu column%s", n,
                              n == 1 ? "" : "s");
        return lp_missing(p, last ? row_end : "'|' or the rest of the cell");
    }
    return true;
}

static bool parse_table(struct litmus_parser *p)
{
    const struct litmus_token *first = lp_peek(p);
    do {
        if (!parse_header_cell(p))
            return false;
    } while (lp_accept(p, "|"));
    if (!lp_expect(p, ";", "or '|' after a core"))
        return false;
    int rows = 0;
    for (; !at_tail(p); rows++) {
        if (rows == LITMUS_ROWS)
            return diag_error(p->d, p->src, lp_peek(p)->span, "a table has at most %d rows",
                              LITMUS_ROWS);
        if (!parse_row(p))
            return false;
    }
    size_t insns = 0;
    vec_foreach (const struct litmus_column, c, &p->tree->columns)
        insns += c->insns.len;
    return insns || lp_peek(p)->kind == LT_END ||
           diag_error(p->d, p->src, first->span, "the table has no instruction");
}

/* ---- expectations ---- */

static const struct litmus_label *find_label(const struct litmus_test *t, const char *name)
{
    vec_foreach (const struct litmus_label, l, &t->labels)
        if (!strcmp(l->name, name))
            return l;
    return NULL;
}

static bool unknown_label(struct litmus_parser *p, const struct litmus_token *t)
{
    size_t n = p->test->labels.len;
    const char **names = arena_array(p->arena, const char *, n + 1);
    for (size_t i = 0; i < n; i++)
        names[i] = p->test->labels.items[i].name;
    return diag_error(p->d, p->src, t->span, "no instruction has the label '%s'%s", t->text + 1,
                      diag_hint(p->arena, t->text + 1, names, n));
}

static bool parse_verdict(struct litmus_parser *p, struct litmus_expect *x)
{
    const struct litmus_token *t = lp_peek(p);
    for (int v = 0; v < LITMUS_VERDICT_COUNT; v++)
        if (v != LITMUS_UNKNOWN && lp_accept(p, litmus_verdict_name((enum litmus_verdict)v))) {
            x->verdict = (enum litmus_verdict)v;
            x->from = t->offset;
            x->to = t->end;
            return true;
        }
    const char *names[LITMUS_UNKNOWN];
    for (int v = 0; v < LITMUS_UNKNOWN; v++)
        names[v] = litmus_verdict_name((enum litmus_verdict)v);
    return lp_expected_word(p, "Never, Sometimes or Always", names, LITMUS_UNKNOWN);
}

static bool same_label(const char *x, const char *y)
{
    return x && y ? !strcmp(x, y) : x == y;
}

/* expect MODEL [-LABEL] VERDICT ; */
static bool parse_expectation(struct litmus_parser *p)
{
    const struct litmus_token *first = lp_peek(p) - 1, *model = lp_peek(p);
    struct litmus_expect x = {.model = model->text, .model_at = model->span};
    if (model->kind != LT_WORD)
        return lp_expected(p, "the name of a machine contract after 'expect'");
    p->at++;
    if (lp_peek(p)->kind == LT_WORD && lp_peek(p)->text[0] == '-') {
        if (!find_label(p->test, lp_peek(p)->text + 1))
            return unknown_label(p, lp_peek(p));
        x.label = lp_next(p)->text + 1;
    }
    if (!parse_verdict(p, &x) || !lp_expect(p, ";", "after an expectation"))
        return false;
    x.span = lp_span_from(p, first);
    vec_foreach (const struct litmus_expect, other, &p->test->expects)
        if (!strcmp(other->model, x.model) && same_label(other->label, x.label))
            return diag_error(p->d, p->src, x.span,
                              "there is an expectation for this on line %d already",
                              other->span.line);
    vec_push(p->arena, &p->test->expects, x);
    return true;
}

/* ---- the test ---- */

static bool parse_end(struct litmus_parser *p)
{
    const struct litmus_token *t = lp_peek(p);
    if (lp_at(p, "exists") || lp_at(p, "~") || lp_at(p, "forall"))
        return diag_error(p->d, p->src, t->span,
                          "a test has one condition; this one would never be evaluated");
    return t->kind == LT_END || lp_expected(p, "the end of the file after the condition");
}

static bool parse_test(struct litmus_parser *p)
{
    if (!parse_header(p) || !parse_init(p) || !parse_table(p))
        return false;
    while (!lp_at(p, "exists") && !lp_at(p, "~") && !lp_at(p, "forall")) {
        const struct litmus_token *t = lp_peek(p);
        bool expects = lp_accept(p, "expect"), shows = !expects && lp_accept(p, "locations"),
             filters = !expects && !shows && lp_accept(p, "filter");
        if (!expects && !shows && !filters)
            break;
        if ((shows && p->test->locations.len) || (filters && p->test->filter))
            return diag_error(p->d, p->src, t->span, "a test has '%s' once", t->text);
        if (!(expects ? parse_expectation(p) : shows ? lp_locations(p) : lp_filter(p)))
            return false;
    }
    return lp_condition(p) && parse_end(p) && !misspelt_ranks(p);
}

struct litmus_test *litmus_parse(struct arena *a, const struct source *src,
                                 const struct toolchain *t, struct diag *d)
{
    struct litmus_test *test = arena_new(a, struct litmus_test);
    struct litmus_tree *tree = arena_new(a, struct litmus_tree);
    tree->ranks = 1;
    *test = (struct litmus_test){.source = src, .tree = tree, .toolchain = t};
    litmus_tokens toks = litmus_lex(a, src);
    struct litmus_parser p = {
        .arena = a, .src = src, .d = d, .toks = toks.items, .test = test, .tree = tree};
    if (!parse_test(&p))
        return NULL;
    litmus_finish(a, test);
    return test;
}
