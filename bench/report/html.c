/* SPDX-License-Identifier: MIT */
#include "bench/report/html.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

void html_text(FILE *out, const char *text)
{
    for (; text && *text; text++)
        switch (*text) {
        case '&':
            fputs("&amp;", out);
            break;
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        case '\'':
            fputs("&#39;", out);
            break;
        default:
            /* Other control characters are none of HTML, nor of XML. */
            fputc((unsigned char)*text < ' ' && *text != '\n' && *text != '\t' ? ' ' : *text, out);
        }
}

void html_textf(FILE *out, const char *fmt, ...)
{
    va_list ap;
    char *text = NULL;
    va_start(ap, fmt);
    int n = vasprintf(&text, fmt, ap);
    va_end(ap);
    if (n >= 0)
        html_text(out, text);
    free(text);
}

/* Colours are named once, for a light page and a dark one. */
static const char style[] =
    ":root{color-scheme:light dark;--bg:#fff;--fg:#1b1f24;--soft:#f3f4f6;--line:#d0d5db;"
    "--dim:#5b6470;--bad:#b00020;--good:#1b7f3b;--warn:#8a5a00;--store:#2458b8;--post:#8a5a00;"
    "--land:#1b7f3b;--read:#6a3fb5}\n"
    "@media (prefers-color-scheme:dark){:root{--bg:#14171b;--fg:#e4e7eb;--soft:#1f242a;"
    "--line:#3a424c;--dim:#9aa4b0;--bad:#ff7b86;--good:#63d08a;--warn:#e0b050;--store:#86b0ff;"
    "--post:#e0b050;--land:#63d08a;--read:#c3a3ff}}\n"
    "body{background:var(--bg);color:var(--fg);font:15px/1.5 system-ui,sans-serif;margin:0 auto;"
    "max-width:75rem;padding:1rem 1.5rem}\n"
    "h1{font-size:1.5rem;margin:.3rem 0}h2{font-size:1.15rem;margin:1.8rem 0 .4rem}"
    "h3{font-size:1rem;margin:1.2rem 0 .3rem}\n"
    "table{border-collapse:collapse;width:100%;font-size:.9rem}"
    "th,td{text-align:left;padding:.2rem .6rem;border-bottom:1px solid var(--line);"
    "vertical-align:top}th{color:var(--dim);font-weight:600}\n"
    ".sides "
    "th{width:11rem}.whole{white-space:nowrap}.wide{overflow-x:auto}.bad{color:var(--bad);font-"
    "weight:600}.good{color:var(--good)}"
    ".warn{color:var(--warn)}.dim{color:var(--dim)}\n"
    "pre,code{font:13px/1.45 ui-monospace,monospace}pre{background:var(--soft);padding:.5rem .7rem;"
    "overflow-x:auto;border-radius:4px;margin:.3rem 0}code{background:var(--soft);padding:0 .25rem;"
    "overflow-wrap:anywhere}\n"
    "details{border:1px solid var(--line);border-radius:5px;padding:.3rem .8rem;margin:.5rem 0}"
    "summary{cursor:pointer}a{color:var(--store)}img{max-width:100%;background:#fff}\n"
    "svg text{font:12px ui-monospace,monospace;fill:var(--fg)}svg .lane{stroke:var(--line)}"
    "svg .way{fill:none;stroke:var(--dim);stroke-width:1.3}svg .signal{stroke-dasharray:4 3}"
    "svg .number{font-weight:700;text-anchor:middle;fill:var(--bg)}svg .dimtext{fill:var(--dim)}\n"
    "svg .store{fill:var(--store)}svg .post{fill:var(--post)}svg .land{fill:var(--land)}"
    "svg .read{fill:var(--read)}svg .fault{fill:var(--bad)}"
    "svg .ring{fill:none;stroke:var(--bad);stroke-width:2}\n"
    ".keys span{margin-right:1.2rem;white-space:nowrap}.k{display:inline-block;width:.8em;"
    "height:.8em;border-radius:2px;margin-right:.35em}"
    ".k.store{background:var(--store)}.k.post{background:var(--post)}.k.land{background:var(--land)"
    "}"
    ".k.read{background:var(--read)}.k.fault{background:var(--bad)}\n";

void html_begin(FILE *out, const char *title)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
          out);
    html_text(out, title);
    fprintf(out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n", style);
}

void html_end(FILE *out)
{
    fputs("</body>\n</html>\n", out);
}

static void base64(FILE *out, const uint8_t *bytes, size_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < n; i += 3) {
        size_t left = n - i;
        uint32_t v = (uint32_t)bytes[i] << 16 | (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
                     (left > 2 ? bytes[i + 2] : 0u);
        fputc(digits[v >> 18], out);
        fputc(digits[v >> 12 & 63], out);
        fputc(left > 1 ? digits[v >> 6 & 63] : '=', out);
        fputc(left > 2 ? digits[v & 63] : '=', out);
    }
}

void html_picture(FILE *out, const char *name, const char *type, const void *bytes, size_t n)
{
    fputs("<figure>\n<img alt=\"", out);
    html_text(out, name);
    fprintf(out, "\" src=\"data:%s;base64,", type);
    base64(out, bytes, n);
    fputs("\">\n<figcaption class=\"dim\">", out);
    html_text(out, name);
    fputs("</figcaption>\n</figure>\n", out);
}
