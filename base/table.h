/* SPDX-License-Identifier: MIT */
/* Tables that are indexed by an enum. */
#ifndef BASE_TABLE_H
#define BASE_TABLE_H

/* A list X(VALUE, "name") makes an enum, and the table of its names. */
#define ENUM_ROW(value, name) value,
#define NAME_ROW(value, name) [value] = name,

/* The table has a row for each value of an enum, of which there are count. It is declared without a
 * size, in its header too: then a row that is missing at its end, or one too many, does not
 * compile. */
#define ROW_EACH(table, count)                                                                     \
    _Static_assert(sizeof(table) / sizeof *(table) == (count), #table ": a row for each value")

#endif
