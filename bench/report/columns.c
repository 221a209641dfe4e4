/* SPDX-License-Identifier: MIT */
#include "bench/report/columns.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bench/report/output.h"

static const void *row_at(struct column_rows rows, size_t i)
{
    return (const char *)rows.first + i * rows.stride;
}

/* The value as text. format: printf's for its type, or NULL. */
static const char *cell_text(struct arena *a, const struct column *c, const char *format,
                             const void *row)
{
    const void *value = (const char *)row + c->offset;
    switch (c->type) {
    case COLUMN_TEXT:
        return arena_printf(a, format ? format : "%s", *(const char *const *)value);
    case COLUMN_INT:
        return arena_printf(a, format ? format : "%d", *(const int *)value);
    case COLUMN_COUNT:
        return arena_printf(a, format ? format : "%" PRIu64, *(const uint64_t *)value);
    default:
        return arena_printf(a, format ? format : "%g", *(const double *)value);
    }
}

/* ---- text ---- */

/* row NULL: the titles. */
void columns_text_row(const struct columns *columns, const void *row)
{
    struct arena a = {0};
    const char *between = "";
    vec_foreach (const struct column, c, columns) {
        if (!c->width)
            continue;
        printf("%s%*s", between, c->width,
               row        ? cell_text(&a, c, c->text, row)
               : c->title ? c->title
                          : c->name);
        between = " ";
    }
    arena_free(&a);
}

void columns_text(const struct columns *c, struct column_rows rows)
{
    columns_text_row(c, NULL);
    putchar('\n');
    for (size_t i = 0; i < rows.n; i++) {
        columns_text_row(c, row_at(rows, i));
        putchar('\n');
    }
}

/* ---- CSV ---- */

static void put_field(FILE *out, const char *text)
{
    if (!text[strcspn(text, ",\"\r\n")]) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text; text++)
        fprintf(out, *text == '"' ? "\"\"" : "%c", *text);
    fputc('"', out);
}

/* row NULL: the names. */
static void put_record(FILE *out, const struct columns *columns, const void *row)
{
    struct arena a = {0};
    const char *between = "";
    vec_foreach (const struct column, c, columns) {
        if (!(c->where & IN_CSV))
            continue;
        fputs(between, out);
        put_field(out, row ? cell_text(&a, c, c->csv, row) : c->name);
        between = ",";
    }
    fputc('\n', out);
    arena_free(&a);
}

static void put_records(FILE *out, const struct columns *c, struct column_rows rows)
{
    put_record(out, c, NULL);
    for (size_t i = 0; i < rows.n; i++)
        put_record(out, c, row_at(rows, i));
}

const char *columns_csv_text(const struct columns *c, struct column_rows rows, struct arena *a)
{
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    put_records(out, c, rows);
    fclose(out);
    const char *kept = arena_strndup(a, text, len);
    free(text);
    return kept;
}

bool columns_csv(const struct columns *c, struct column_rows rows, const char *path, struct diag *d)
{
    struct output out;
    if (!output_open(&out, path, d))
        return false;
    put_records(out.file, c, rows);
    return output_close(&out, true, d);
}

/* ---- JSON ---- */

static json_t *cell_json(const struct column *c, const void *row)
{
    const void *value = (const char *)row + c->offset;
    switch (c->type) {
    case COLUMN_TEXT:
        return json_string(*(const char *const *)value);
    case COLUMN_INT:
        return json_integer(*(const int *)value);
    case COLUMN_COUNT:
        return json_integer((json_int_t) * (const uint64_t *)value);
    default:
        return json_real(*(const double *)value);
    }
}

json_t *columns_json_row(const struct columns *columns, const void *row)
{
    json_t *j = json_object();
    vec_foreach (const struct column, c, columns)
        if (c->where & IN_JSON)
            json_object_set_new(j, c->name, cell_json(c, row));
    return j;
}

json_t *columns_json(const struct columns *c, struct column_rows rows)
{
    json_t *list = json_array();
    for (size_t i = 0; i < rows.n; i++)
        json_array_append_new(list, columns_json_row(c, row_at(rows, i)));
    return list;
}

static void set_cell(const struct column *c, void *row, const json_t *value)
{
    void *cell = (char *)row + c->offset;
    const char *text = json_string_value(value);
    switch (c->type) {
    case COLUMN_TEXT:
        *(const char **)cell = text ? text : "";
        break;
    case COLUMN_INT:
        *(int *)cell = (int)json_integer_value(value);
        break;
    case COLUMN_COUNT:
        *(uint64_t *)cell = (uint64_t)json_integer_value(value);
        break;
    default:
        *(double *)cell = json_number_value(value);
    }
}

void columns_of_json(const struct columns *columns, void *row, const json_t *j)
{
    vec_foreach (const struct column, c, columns)
        set_cell(c, row, json_object_get(j, c->name));
}
