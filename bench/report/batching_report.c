/* SPDX-License-Identifier: MIT */
/* Lines of pairs, the table over dimensions and contracts, and a representative of each class. */
#include <string.h>

#include "base/strbuf.h"
#include "base/table.h"
#include "bench/campaign/batching.h"
#include "bench/report/output.h"
#include "bench/report/report.h"

/* How the final states of the batched form compare with those of the per-wait form. */
// clang-format off
#define RELATIONS(X) \
    X(BATCHED_EQUAL, "equal") \
    X(BATCHED_FEWER, "batched has fewer") \
    X(BATCHED_MORE, "batched has more") /* than the other, and all of its */ \
    X(BATCHED_OTHER, "each has its own") \
    X(BATCHED_UNKNOWN, "unknown")
// clang-format on
enum batching_relation { RELATIONS(ENUM_ROW) BATCHED_RELATIONS };
static const char *const relation_names[] = {RELATIONS(NAME_ROW)};

static const char *const form_texts[] = {[BATCHING_EACH] = "per wait", [BATCHING_ONCE] = "batched"};
ROW_EACH(form_texts, BATCHING_FORMS);

static enum batching_relation relation_of(const struct equivalence *e)
{
    size_t each = e->only[BATCHING_EACH].len, once = e->only[BATCHING_ONCE].len;
    if (!each && !once)
        return e->answer == EQUIV_EQUAL ? BATCHED_EQUAL : BATCHED_UNKNOWN;
    return each && once ? BATCHED_OTHER : each ? BATCHED_FEWER : BATCHED_MORE;
}

/* ---- pairs ---- */

/* " sc a2a3": the contracts of a relation; " every contract" when it is
 * that of all. Empty: none. */
static const char *contracts_of(const struct batching *b, const struct batching_case *c,
                                enum batching_relation r)
{
    struct strbuf text = strbuf_make(b->x->arena);
    size_t n = 0;
    for (size_t m = 0; m < b->x->models.len; m++)
        if (relation_of(&c->results[m]) == r) {
            strbuf_addf(&text, " %s", b->x->models.items[m]->name);
            n++;
        }
    return n > 1 && n == b->x->models.len ? " every contract" : text.text;
}

static int name_width(const struct batching *b)
{
    size_t width = 0;
    vec_foreach (const struct batching_case, c, &b->cases)
        width = strlen(c->name) > width ? strlen(c->name) : width;
    return (int)width;
}

void batching_report_case(const struct batching *b, const struct batching_case *c)
{
    for (int r = 0; r < BATCHED_RELATIONS; r++) {
        const char *contracts = contracts_of(b, c, (enum batching_relation)r);
        if (*contracts)
            printf("%-*s  %-17s %s%s\n", name_width(b), c->name, relation_names[r], contracts + 1,
                   c->same ? " (one program)" : "");
    }
}

/* ---- the table ---- */

/* Pairs with this value of a dimension; of all when d is BATCHING_DIMS. */
static bool selected(const struct batching_case *c, int d, int value)
{
    return d == BATCHING_DIMS || c->at[d] == value;
}

static void print_row(const struct batching *b, const char *dim, const char *value, int d, int v)
{
    size_t pairs = 0;
    vec_foreach (const struct batching_case, c, &b->cases)
        pairs += selected(c, d, v);
    printf("%-8s %-12s %6zu", dim, value, pairs);
    for (size_t m = 0; m < b->x->models.len; m++) {
        size_t n[EQUIV_ANSWERS] = {0};
        vec_foreach (const struct batching_case, c, &b->cases)
            if (selected(c, d, v))
                n[c->results[m].answer]++;
        printf("  %13s", arena_printf(b->x->arena, "%zu/%zu/%zu", n[EQUIV_EQUAL], n[EQUIV_DIFFER],
                                      n[EQUIV_UNKNOWN]));
    }
    putchar('\n');
}

static void print_relation(const struct batching *b, enum batching_relation r)
{
    printf("%-21s %6s", relation_names[r], "");
    for (size_t m = 0; m < b->x->models.len; m++) {
        size_t n = 0;
        vec_foreach (const struct batching_case, c, &b->cases)
            n += relation_of(&c->results[m]) == r;
        printf("  %13zu", n);
    }
    putchar('\n');
}

static void print_table(const struct batching *b)
{
    printf("%-21s %6s", "equal/differ/unknown", "pairs");
    vec_foreach (const struct contract *, k, &b->x->models)
        printf("  %13s", (*k)->name);
    putchar('\n');
    for (int d = 0; d < BATCHING_DIMS && !b->tests; d++)
        for (int v = 0; batching_value_name((enum batching_dim)d, v); v++)
            print_row(b, v ? "" : batching_dim_name((enum batching_dim)d),
                      batching_value_name((enum batching_dim)d, v), d, v);
    print_row(b, "all", "", BATCHING_DIMS, 0);
    print_relation(b, BATCHED_FEWER);
    print_relation(b, BATCHED_MORE);
    print_relation(b, BATCHED_OTHER);
}

/* ---- classes ---- */

static void print_test(const struct batching *b, const struct litmus_test *t)
{
    const char *text = litmus_print(b->x->arena, t);
    text = strchr(text, '{'); /* behind the name; a form has no doc string */
    for (size_t n; *text; text += n + (text[n] == '\n')) {
        n = strcspn(text, "\n");
        printf("        %.*s\n", (int)n, text);
    }
}

/* The states that one form alone has; contracts that show the same ones together. */
static void print_states(const struct batching *b, const struct batching_case *c)
{
    size_t models = b->x->models.len;
    for (size_t m = 0; m < models; m++) {
        const struct equivalence *e = &c->results[m];
        size_t first = 0;
        while (!equivalence_same(&c->results[first], e))
            first++;
        if (first < m || e->answer != EQUIV_DIFFER)
            continue;
        printf("   ");
        for (size_t k = m; k < models; k++)
            if (equivalence_same(&c->results[k], e))
                printf(" %s", c->results[k].contract->name);
        printf(":\n");
        for (int f = 0; f < SIDES; f++)
            vec_foreach (const char *, state, &e->only[f])
                printf("        %s only: %s\n", form_texts[f], equivalence_state(*state));
    }
}

/* "data=between|after": the values of a dimension that occur in the class, unless all of the family
 * do. */
static void add_values(const struct batching *b, const struct batching_class *class, int d,
                       struct strbuf *out)
{
    struct strbuf names = strbuf_make(b->x->arena);
    bool all = true;
    for (int v = 0; batching_value_name((enum batching_dim)d, v); v++) {
        bool here = false;
        vec_foreach (const struct batching_case *, c, &class->cases)
            here |= (*c)->at[d] == v;
        all &= here;
        if (here)
            strbuf_addf(&names, "%s%s", names.len ? "|" : "",
                        batching_value_name((enum batching_dim)d, v));
    }
    if (!all)
        strbuf_addf(out, "%s%s=%s", out->len ? " " : "", batching_dim_name((enum batching_dim)d),
                    names.text);
}

static void print_members(const struct batching *b, const struct batching_class *class)
{
    struct strbuf text = strbuf_make(b->x->arena);
    for (int d = 0; d < BATCHING_DIMS && !b->tests; d++)
        add_values(b, class, d, &text);
    if (b->tests)
        vec_foreach (const struct batching_case *, c, &class->cases)
            strbuf_addf(&text, "%s%s", text.len ? " " : "", (*c)->name);
    if (text.len)
        printf("    %s: %s\n", b->tests ? "pairs" : "within", text.text);
}

static void print_class(const struct batching *b, const struct batching_class *class, size_t number)
{
    const struct batching_case *c = class->typical;
    printf("\nDifference %zu: %zu pair%s, such as %s\n", number, class->cases.len,
           class->cases.len == 1 ? "" : "s", c->name);
    for (int r = 0; r < BATCHED_RELATIONS; r++) {
        const char *contracts = contracts_of(b, c, (enum batching_relation)r);
        if (*contracts)
            printf("    %s:%s\n", relation_names[r], contracts);
    }
    print_members(b, class);
    for (int f = 0; f < BATCHING_FORMS; f++) {
        printf("    %s:\n", form_texts[f]);
        print_test(b, c->forms[f]);
    }
    print_states(b, c);
}

void batching_report_summary(const struct batching *b)
{
    size_t same = 0, number = 0;
    vec_foreach (const struct batching_case, c, &b->cases)
        same += c->same;
    if (!b->summary)
        putchar('\n');
    printf("%zu pair%s, %zu of one program in both forms; toolchain %s\n", b->cases.len,
           b->cases.len == 1 ? "" : "s", same, b->x->toolchain_name);
    if (b->tests)
        printf("%zu of %zu test%s with a run of waits\n", b->cases.len, b->tests,
               b->tests == 1 ? "" : "s");
    print_table(b);
    vec_foreach (const struct batching_class, class, &b->classes)
        print_class(b, class, ++number);
}

/* ---- JSON ---- */

static json_t *case_json(const struct batching *b, const struct batching_case *c)
{
    json_t *results = json_array();
    for (size_t m = 0; m < b->x->models.len; m++)
        json_array_append_new(results, equivalence_json(&c->results[m]));
    return json_pack("{s:s, s:b, s:s, s:s, s:o}", "name", c->name, "one_program", c->same, "each",
                     litmus_print(b->x->arena, c->forms[BATCHING_EACH]), "once",
                     litmus_print(b->x->arena, c->forms[BATCHING_ONCE]), "results", results);
}

static json_t *class_json(const struct batching *b, const struct batching_class *class)
{
    json_t *names = json_array(), *relations = json_object();
    vec_foreach (const struct batching_case *, c, &class->cases)
        json_array_append_new(names, json_string((*c)->name));
    for (size_t m = 0; m < b->x->models.len; m++)
        json_object_set_new(relations, b->x->models.items[m]->name,
                            json_string(relation_names[relation_of(&class->typical->results[m])]));
    return json_pack("{s:s, s:o, s:o}", "representative", class->typical->name, "relations",
                     relations, "pairs", names);
}

void batching_report_json(const struct batching *b)
{
    json_t *cases = json_array(), *classes = json_array();
    vec_foreach (const struct batching_case, c, &b->cases)
        json_array_append_new(cases, case_json(b, c));
    vec_foreach (const struct batching_class, class, &b->classes)
        json_array_append_new(classes, class_json(b, class));
    json_t *top = json_pack("{s:s, s:s, s:b, s:s, s:s, s:o, s:o}", "schema", JSON_SCHEMA, "command",
                            "equiv", "batching", 1, "build", build_id(), "toolchain",
                            b->x->toolchain_name, "pairs", cases, "differences", classes);
    output_json(top);
}
