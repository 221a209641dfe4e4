/* SPDX-License-Identifier: MIT */
/* Text as HTML, and the frame of a page that needs nothing but itself. */
#ifndef BENCH_HTML_H
#define BENCH_HTML_H

#include <stddef.h>
#include <stdio.h>

/* Text with what HTML and XML give a meaning to escaped; NULL: nothing. For content and quoted
 * attributes. */
void html_text(FILE *out, const char *text);
/* Formatted as printf does, then escaped. */
void html_textf(FILE *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

void html_begin(FILE *out, const char *title);
void html_end(FILE *out);

/* A picture as part of the page; type: "image/png". */
void html_picture(FILE *out, const char *name, const char *type, const void *bytes, size_t n);

#endif
