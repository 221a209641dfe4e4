/* SPDX-License-Identifier: MIT */
#include "models/ini_table.h"

#include <dirent.h>
#include <errno.h>
#include <ini.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "models/contract.h"

/* Debian's inih reads lines into a buffer of 200 bytes. */
enum { MAX_INHERITANCE = 8, MAX_KEYS = 64, MAX_INI_LINE = 199 };

struct load {
    struct arena *arena;
    const struct ini_table *table;
    const char *dir;
    const struct source *src;
    void *record;
    struct diag *d;
    struct span at;      /* the key of the present line */
    const char *section; /* of the present line */
    bool seen[MAX_KEYS]; /* in this file */
    /* where each key was set, in any file of the chain; line 0: nowhere */
    struct ini_place *places;
    const char *inherit;
    struct span inherit_at;
};

const char *ini_enum_text(struct arena *a, const char *values, int v)
{
    const char *p = values;
    while (v-- > 0 && p)
        p = strchr(p, '|') ? strchr(p, '|') + 1 : NULL;
    return p ? arena_strndup(a, p, strcspn(p, "|")) : "?";
}

static int enum_value(const char *values, const char *text)
{
    int v = 0;
    for (const char *p = values; p; v++) {
        size_t n = strcspn(p, "|");
        if (strlen(text) == n && strncmp(p, text, n) == 0)
            return v;
        p = p[n] ? p + n + 1 : NULL;
    }
    return -1;
}

static bool parse_number(const char *text, double min, double max, double *out)
{
    char *end;
    errno = 0;
    *out = strtod(text, &end);
    return end != text && *end == '\0' && errno == 0 && isfinite(*out) && *out >= min &&
           *out <= max;
}

/* "fixed n", "uniform a b", "tail a b p n", "log a b". */
static const struct {
    const char *name;
    int values;
} dists[] = {[DIST_FIXED] = {"fixed", 1},
             [DIST_UNIFORM] = {"uniform", 2},
             [DIST_TAIL] = {"tail", 4},
             [DIST_LOG] = {"log", 2}};

static bool parse_dist(const char *text, struct dist *out)
{
    char word[16];
    int used = 0;
    if (sscanf(text, "%15s%n", word, &used) != 1)
        return false;
    for (size_t k = 0; k < sizeof dists / sizeof *dists; k++) {
        if (strcmp(word, dists[k].name))
            continue;
        double v[4] = {0};
        int got = 0, n;
        for (const char *p = text + used; got < 4 && sscanf(p, "%lf%n", &v[got], &n) == 1;
             p += n, got++)
            used += n;
        if (got != dists[k].values || text[used + (int)strspn(text + used, " \t")])
            return false;
        *out = (struct dist){.kind = (enum dist_kind)k, .a = v[0], .b = v[1], .p = v[2], .n = v[3]};
        bool ordered = k == DIST_FIXED || v[0] <= v[1];
        return v[0] >= 0 && v[0] <= 1e9 && ordered && v[1] <= 1e9 && v[2] >= 0 && v[2] <= 1 &&
               v[3] >= 0 && v[3] <= 1e9 && (k != DIST_LOG || v[0] > 0);
    }
    return false;
}

static bool bad_value(struct load *l, const struct ini_key *k, const char *value,
                      const char *expected)
{
    return diag_error(l->d, l->src, l->at, "'%s = %s': expected %s", k->name, value, expected);
}

static bool store_value(struct load *l, const struct ini_key *k, const char *value)
{
    char *field = (char *)l->record + k->offset;
    double x;
    int v;
    switch (k->kind) {
    case INI_ENUM:
        v = enum_value(k->values, value);
        if (v < 0)
            return bad_value(l, k, value, k->values);
        *(int *)field = v;
        return true;
    case INI_BOOL:
        v = enum_value("no|yes", value);
        if (v < 0)
            return bad_value(l, k, value, "yes|no");
        *(bool *)field = v;
        return true;
    case INI_INT:
        if (!parse_number(value, k->min, k->max, &x) || x != floor(x))
            return bad_value(
                l, k, value,
                arena_printf(l->arena, "an integer from %.0f to %.0f", k->min, k->max));
        *(int *)field = (int)x;
        return true;
    case INI_DOUBLE:
        if (!parse_number(value, k->min, k->max, &x))
            return bad_value(l, k, value,
                             arena_printf(l->arena, "a number from %g to %g", k->min, k->max));
        *(double *)field = x;
        return true;
    case INI_DIST:
        if (!parse_dist(value, (struct dist *)field))
            return bad_value(l, k, value,
                             "'fixed n', 'uniform a b', 'tail a b p n' or 'log a b', in cycles");
        return true;
    case INI_TEXT:
        *(const char **)field = arena_strdup(l->arena, value);
        return true;
    }
    return false;
}

static const struct ini_key *find_row(const struct ini_table *t, const char *section,
                                      const char *name)
{
    for (size_t i = 0; i < t->key_count; i++)
        if (!strcmp(t->keys[i].section, section) && !strcmp(t->keys[i].name, name))
            return &t->keys[i];
    return NULL;
}

static bool unknown_key(struct load *l, const char *section, const char *name)
{
    const char *names[MAX_KEYS];
    for (size_t i = 0; i < l->table->key_count; i++)
        names[i] = l->table->keys[i].name;
    return diag_error(l->d, l->src, l->at, "unknown key '%s' in section [%s] of a %s%s", name,
                      section, l->table->what,
                      diag_hint(l->arena, name, names, l->table->key_count));
}

static bool set_parent(struct load *l, const char *value)
{
    if (l->inherit)
        return diag_error(l->d, l->src, l->at, "key 'inherit' stands twice");
    l->inherit = arena_strdup(l->arena, value);
    l->inherit_at = l->at;
    return true;
}

/* inih's handler: 1 goes on, 0 is an error. */
static int on_key(void *user, const char *section, const char *name, const char *value)
{
    struct load *l = user;
    l->at.len = (int)strlen(name);
    if (!strcmp(section, "model") && !strcmp(name, "inherit"))
        return set_parent(l, value);
    const struct ini_key *k = find_row(l->table, section, name);
    if (!k)
        return unknown_key(l, section, name);
    size_t row = (size_t)(k - l->table->keys);
    if (l->seen[row])
        return diag_error(l->d, l->src, l->at, "key '%s' stands twice", name);
    l->seen[row] = true;
    if (l->places[row].span.line) /* a heir's value stands */
        return 1;
    l->places[row] = (struct ini_place){l->src, l->at};
    return store_value(l, k, value);
}

static bool known_section(struct load *l, const char *name)
{
    const char *names[MAX_KEYS];
    for (size_t i = 0; i < l->table->key_count; i++) {
        names[i] = l->table->keys[i].section;
        if (!strcmp(names[i], name))
            return true;
    }
    const char *near = diag_nearest(name, names, l->table->key_count);
    return diag_error(l->d, l->src, l->at, "no section [%s] in a %s%s%s%s", name, l->table->what,
                      near ? "; did you mean [" : "", near ? near : "", near ? "]?" : "");
}

static bool not_a_line(struct load *l)
{
    return diag_error(l->d, l->src, l->at, "expected '[section]' or 'key = value'");
}

/* One line goes through inih, with its section in front, so that every error has its place. */
static bool load_line(struct load *l, const char *text, size_t len)
{
    if (len > MAX_INI_LINE)
        return diag_error(l->d, l->src, l->at, "the line has more than %d characters",
                          MAX_INI_LINE);
    if (*text == '[') {
        const char *end = memchr(text, ']', len);
        if (!end)
            return not_a_line(l);
        size_t used = (size_t)(end - text) + 1, gap = 0;
        while (used + gap < len && strchr(" \t", text[used + gap]))
            gap++;
        if (used + gap < len && !strchr("#;", text[used + gap])) {
            l->at.col += (int)(used + gap);
            return diag_error(l->d, l->src, l->at, "nothing stands behind a [section] on its line");
        }
        l->section = arena_strndup(l->arena, text + 1, used - 2);
        return known_section(l, l->section);
    }
    if (!l->section)
        return diag_error(l->d, l->src, l->at, "expected a '[section]' before the first key");
    const char *pair = arena_printf(l->arena, "[%s]\n%.*s\n", l->section, (int)len, text);
    return ini_parse_string(pair, on_key, l) == 0 || l->d->failed ? !l->d->failed : not_a_line(l);
}

static bool load_lines(struct load *l)
{
    int line = 1;
    for (const char *p = l->src->text; *p; line++) {
        size_t len = strcspn(p, "\n"), lead = strspn(p, " \t\r");
        const char *text = p + lead;
        if (lead < len && *text != '#' && *text != ';') {
            size_t n = len - lead;
            while (n > 0 && strchr(" \t\r", text[n - 1]))
                n--;
            l->at = (struct span){line, (int)lead + 1, 1};
            if (!load_line(l, text, n))
                return false;
        }
        p += len;
        p += *p == '\n';
    }
    return true;
}

static const char *path_of(struct arena *a, const struct ini_table *t, const char *dir,
                           const char *name)
{
    size_t n = strlen(name), m = strlen(t->suffix);
    if (strchr(name, '/') || (n > m && !strcmp(name + n - m, t->suffix)))
        return name;
    return arena_printf(a, "%s/%s/%s%s", dir, t->folder, name, t->suffix);
}

/* heir: the file that names it as its parent, or NULL. */
static bool unknown_name(struct load *l, const char *name, const struct source *heir)
{
    const char *const *names;
    size_t n = ini_table_list(l->arena, l->table, l->dir, &names);
    *l->d = (struct diag){.arena = l->d->arena};
    return diag_error(l->d, heir, heir ? l->inherit_at : (struct span){0},
                      "no %s '%s' (looked in %s/%s)%s", l->table->what, name, l->dir,
                      l->table->folder, diag_hint(l->arena, name, names, n));
}

static bool load_file(struct load *l, const char *name, int depth)
{
    const struct source *heir = l->src;
    if (depth > MAX_INHERITANCE)
        return diag_error(l->d, heir, l->inherit_at, "more than %d files inherit from each other",
                          MAX_INHERITANCE);
    const char *path = path_of(l->arena, l->table, l->dir, name);
    l->src = source_read(l->arena, path, l->d);
    if (!l->src)
        return path == name ? false : unknown_name(l, name, heir);
    memset(l->seen, 0, sizeof l->seen);
    l->inherit = l->section = NULL;
    if (!load_lines(l))
        return false;
    return !l->inherit || load_file(l, l->inherit, depth + 1);
}

bool ini_table_load(struct arena *a, const struct ini_table *t, const char *dir, const char *name,
                    void *record, struct ini_place *places, struct diag *d)
{
    struct load l = {.arena = a, .table = t, .dir = dir, .record = record, .d = d};
    l.places = arena_array(a, struct ini_place, MAX_KEYS);
    if (!load_file(&l, name, 0))
        return false;
    for (size_t i = 0; i < t->key_count; i++)
        if (!l.places[i].span.line)
            return diag_error(d, l.src, (struct span){0}, "key '%s' of section [%s] is missing",
                              t->keys[i].name, t->keys[i].section);
    if (places)
        memcpy(places, l.places, sizeof *places * t->key_count);
    return true;
}

static int by_name(const void *x, const void *y)
{
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

size_t ini_table_list(struct arena *a, const struct ini_table *t, const char *dir,
                      const char *const **names)
{
    VEC(const char *) found = {0};
    DIR *folder = opendir(arena_printf(a, "%s/%s", dir, t->folder));
    for (struct dirent *e; folder && (e = readdir(folder));) {
        size_t n = strlen(e->d_name), m = strlen(t->suffix);
        if (n > m && !strcmp(e->d_name + n - m, t->suffix))
            vec_push(a, &found, arena_strndup(a, e->d_name, n - m));
    }
    if (folder)
        closedir(folder);
    if (found.len)
        qsort(found.items, found.len, sizeof *found.items, by_name);
    *names = found.items;
    return found.len;
}

/* ---- from a record to text ---- */

/* The shortest decimal number that reads back as x. */
static const char *number_text(struct arena *a, double x)
{
    const char *text = NULL;
    for (int digits = 6; digits <= 17; digits++) {
        text = arena_printf(a, "%.*g", digits, x);
        if (strtod(text, NULL) == x)
            break;
    }
    return text;
}

static const char *dist_text(struct arena *a, const struct dist *dist)
{
    const double values[] = {dist->a, dist->b, dist->p, dist->n};
    const char *text = dists[dist->kind].name;
    for (int i = 0; i < dists[dist->kind].values; i++)
        text = arena_printf(a, "%s %s", text, number_text(a, values[i]));
    return text;
}

static const char *value_text(struct arena *a, const struct ini_key *k, const void *field)
{
    switch (k->kind) {
    case INI_ENUM:
        return ini_enum_text(a, k->values, *(const int *)field);
    case INI_BOOL:
        return *(const bool *)field ? "yes" : "no";
    case INI_INT:
        return arena_printf(a, "%d", *(const int *)field);
    case INI_DOUBLE:
        return number_text(a, *(const double *)field);
    case INI_DIST:
        return dist_text(a, field);
    case INI_TEXT:
        return *(const char *const *)field;
    }
    return "?";
}

size_t ini_table_describe(struct arena *a, const struct ini_table *t, const void *record,
                          const struct ini_row **rows)
{
    struct ini_row *out = arena_array(a, struct ini_row, t->key_count);
    for (size_t i = 0; i < t->key_count; i++) {
        const struct ini_key *k = &t->keys[i];
        out[i] = (struct ini_row){k->section, k->name,
                                  value_text(a, k, (const char *)record + k->offset),
                                  k->kind == INI_BOOL ? "yes|no" : k->values};
    }
    *rows = out;
    return t->key_count;
}
