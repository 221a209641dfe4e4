/* SPDX-License-Identifier: MIT */
/* CSV files to gnuplot scripts and pictures. */
#include "tests/support.h"

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "bench/report/csv.h"
#include "bench/plot/gnuplot.h"
#include "bench/plot/plot.h"

/* ---- reading CSV ---- */

static const char *const ab[] = {"a", "b"};

/* "1|2;3|4" for two rows, or the error. */
static const char *read_text(struct arena *a, const char *text)
{
    struct diag d = {.arena = a};
    struct csv csv;
    struct strbuf b = strbuf_make(a);
    if (!csv_read(a, source_from_string(a, "t.csv", text), ab, 2, &csv, &d))
        return diag_text(&d, a);
    vec_foreach (struct csv_row, r, &csv.rows)
        strbuf_addf(&b, "%s%s|%s", r == csv.rows.items ? "" : ";", r->fields[0].text,
                    r->fields[1].text);
    return b.text;
}

static const struct {
    const char *name, *text, *expected;
} csv_cases[] = {
    {"plain", "a,b\n1,2\n3,4\n", "1|2;3|4"},
    {"no newline at the end", "a,b\n1,2", "1|2"},
    {"order and further columns", "b,x,a\n1,2,3\n", "3|1"},
    {"line ends of another system", "a,b\r\n1,2\r\n3,4\r\n", "1|2;3|4"},
    {"byte order mark",
     "\xef\xbb\xbf"
     "a,b\n1,2\n",
     "1|2"},
    {"empty lines", "\na,b\n\n1,2\n\n", "1|2"},
    {"empty fields", "a,b\n,\n", "|"},
    {"quotes", "a,b\n\"x,y\",\"say \"\"no\"\"\"\n", "x,y|say \"no\""},
    {"empty quotes", "a,b\n\"\",\"\"\n", "|"},
    {"a quoted line end", "a,b\n\"x\ny\",2\n3,4\n", "x\ny|2;3|4"},
    {"a quote inside a field is a character", "a,b\n5\",2\n", "5\"|2"},
    {"empty file", "", "t.csv: error: is empty: expected a header line with the columns a, b\n"},
    {"only a header", "a,b\n", "t.csv: error: has a header line but no rows\n"},
    {"missing column", "a,c\n1,2\n",
     "t.csv:1:1: error: no column 'b' in the header: expected the columns a, b\n"
     "    1 | a,c\n"
     "      | ^\n"},
    {"column twice", "a,b,a\n1,2,3\n",
     "t.csv:1:5: error: column 'a' stands twice\n"
     "    1 | a,b,a\n"
     "      |     ^\n"},
    {"too few fields", "a,b\n1,2\n3\n",
     "t.csv:3:1: error: 1 field, but the header names 2 columns\n"
     "    3 | 3\n"
     "      | ^\n"},
    {"too many fields", "a,b\n10,2,3\n",
     "t.csv:2:1: error: 3 fields, but the header names 2 columns\n"
     "    2 | 10,2,3\n"
     "      | ^~\n"},
    {"open quote", "a,b\n1,\"2\n3,4\n",
     "t.csv:2:3: error: expected a closing quote before the end of the file\n"
     "    2 | 1,\"2\n"
     "      |   ^\n"},
    {"text behind a quote", "a,b\n\"1\"2,3\n",
     "t.csv:2:4: error: expected a comma or the end of the line behind the quote\n"
     "    2 | \"1\"2,3\n"
     "      |    ^\n"},
    {"lines are counted inside quotes", "a,b\n\"x\ny\",2\n3\n",
     "t.csv:4:1: error: 1 field, but the header names 2 columns\n"
     "    4 | 3\n"
     "      | ^\n"},
};

Test(csv, rows_and_errors)
{
    for (size_t i = 0; i < sizeof csv_cases / sizeof *csv_cases; i++) {
        struct arena a = {0};
        expect_text(csv_cases[i].name, read_text(&a, csv_cases[i].text), csv_cases[i].expected);
        arena_free(&a);
    }
}

Test(csv, numbers)
{
    static const struct {
        const char *text;
        bool good;
    } cases[] = {
        {"1", true}, {"2.5", true}, {"10", true},  {"1e1", true},  {"0.9", false}, {"11", false},
        {"", false}, {"x", false},  {"5x", false}, {"nan", false}, {"inf", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena a = {0};
        struct diag d = {.arena = &a};
        struct csv csv;
        double value;
        const char *text = arena_printf(&a, "a,b\n0,%s\n", cases[i].text);
        cr_assert(csv_read(&a, source_from_string(&a, "t.csv", text), ab, 2, &csv, &d));
        bool good = csv_number(&csv, &csv.rows.items[0], 1, 1, 10, &value, &d);
        cr_expect(good == cases[i].good, "'%s'", cases[i].text);
        if (!good)
            expect_text(
                "message", d.message,
                arena_printf(&a, "b is '%s': expected a number from 1 to 10", cases[i].text));
        arena_free(&a);
    }
}

/* ---- scripts ---- */

#define FLUSHES                                                                                    \
    "kernel,ranks,payload_bytes,batch,model,toolchain,runs,flushes_per_rank,cycles_mean,note\n"
#define SWEEP                                                                                      \
    "kernel,ranks,model,toolchain,site,level,origin,what,line,file,class,killed,runs,rate\n"

static const char flushes_csv[] = FLUSHES "ring,2,64,none,a2a3,ptoas-0.57,5,2,1000,x\n"
                                          "ring,2,64,loops,a2a3,ptoas-0.57,5,1,900,x\n"
                                          "ring,4,64,none,a2a3,ptoas-0.57,5,6,2000,x\n"
                                          "ring,4,64,loops,a2a3,ptoas-0.57,5,1,1000,x\n"
                                          "it's,2,64,none,a2a3,ptoas-0.57,5,1,500,x\n"
                                          "it's,2,64,loops,a2a3,ptoas-0.57,5,1,500,x\n";

/* Of parts that add up to 1850 and 925 cycles, 1 and 0.5 us; of two misses one that a wait caused. */
static const char bars_csv[] =
    "kernel,ranks,payload_bytes,batch,model,toolchain,runs,start,scalar,miss,dcci,dsb,barrier,poll,"
    "flag,task,drain,misses,refills\n"
    "ring,2,64,none,a2a3,t,5,0,925,0,925,0,0,0,0,0,0,2,1\n"
    "ring,2,64,loops,a2a3,t,5,0,925,0,0,0,0,0,0,0,0,2,1\n"
    "ring,4,64,none,a2a3,t,5,0,925,0,0,0,0,0,0,0,0,5,0\n";

static const char sweep_csv[] =
    SWEEP "ring,2,sc,ptoas-0.57,0,marker,W1,fence (all of it),27,r.py,redundant,0,50,0\n"
          "ring,2,a2a3,ptoas-0.57,0,marker,W1,fence (all of it),27,r.py,killed,50,50,1\n"
          "ring,2,a2a3,ptoas-0.57,0,instruction,W1,fence: dsb,27,r.py,killed,5,50,0.1\n"
          "ring,2,a2a3,ptoas-0.57,0,misplace,W1,fence (all of it): behind the "
          "notify,27,r.py,killed,0,50,0\n"
          "ring,2,sc,ptoas-0.57,1,instruction,tail,kernel tail: dsb,9,r.py,not reached,0,50,0\n"
          "ring,4,sc,ptoas-0.57,1,instruction,tail,kernel tail: dsb,9,r.py,not observed,0,50,0\n";
static const char two_kernels_csv[] =
    SWEEP "ring,2,sc,t,0,instruction,W1,fence,27,r.py,redundant,0,50,0\n"
          "relay,2,sc,t,0,instruction,R1,cacheinvalid all,9,y.py,killed,1,50,0.0004\n";

/* The script for one text, or the error. */
static const char *script_of(struct arena *a, const char *csv, struct plot_options o,
                             enum plot_format f)
{
    struct diag d = {.arena = a};
    const struct source *src = source_from_string(a, "t.csv", csv);
    const char *script = plot_script(a, &src, 1, &o, f, &d);
    return script ? script : diag_text(&d, a);
}

Test(plot, flushes_script)
{
    struct arena a = {0};
    expect_text(
        "flushes",
        script_of(&a, flushes_csv, (struct plot_options){PLOT_FLUSHES, -1, NULL, 0}, PLOT_SVG),
        "set terminal svg size 1096,520 font 'sans-serif,14' noenhanced background rgb 'white'\n"
        "set encoding utf8\n"
        "set pointsize 0.8\n"
        "set lmargin at screen 0.0876\n"
        "set rmargin at screen 0.6533\n"
        "set tmargin at screen 0.8538\n"
        "set bmargin at screen 0.1385\n"
        "set label 1 'Whole-cache flushes executed after waits' at screen 0.0146,0.9538 left font "
        "',17'\n"
        "set label 2 'per rank and call; model a2a3, toolchain ptoas-0.57, payload 64 B, mean of 5 "
        "runs' at screen 0.0146,0.9077 left tc rgb '#404040'\n"
        "set logscale x 2\n"
        "set xrange [1.53846:5.2]\n"
        "set xtics (2, 4)\n"
        "set xlabel 'ranks (points of equal ranks stand side by side)'\n"
        "set logscale y\n"
        "set ytics (1, 2, 5)\n"
        "set yrange [0.769231:7.8]\n"
        "set ylabel 'flushes per rank and call'\n"
        "set datafile missing '?'\n"
        "$curve0 << END\n"
        "1.96564 2 1\n"
        "3.93128 6 1\n"
        "END\n"
        "$curve1 << END\n"
        "2.03496 1 1\n"
        "END\n"
        "set key at screen 0.6642,0.8615 left top Left reverse vertical maxrows 99 samplen 3.5 "
        "spacing 1.25\n"
        "set grid xtics ytics lt 1 lc rgb '#dddddd'\n"
        "set border 3\n"
        "set tics nomirror out\n"
        "plot keyentry with linespoints lw 2 dt 1 pt 7 lc rgb '#606060' title 'one flush after "
        "each wait', \\\n"
        "     keyentry with linespoints lw 2 dt (12,8) pt 6 lc rgb '#606060' title 'batched: one "
        "per run or loop of waits', \\\n"
        "     $curve0 using 1:2 with linespoints lw 2 dt 1 pt 7 lc rgb '#0072B2' title 'ring', \\\n"
        "     $curve1 using 1:2 with linespoints lw 2 dt 1 pt 5 lc rgb '#D55E00' title 'it''s (no "
        "change)', \\\n"
        "     $curve0 using 1:3 with linespoints lw 2 dt (12,8) pt 6 lc rgb '#0072B2' notitle\n");
    arena_free(&a);
}

/* Parts that are 0 everywhere are not drawn; bars of one number of ranks stand together. */
Test(plot, stacked_bars)
{
    struct arena a = {0};
    const char *parts = script_of(&a, bars_csv, (struct plot_options){PLOT_BREAKDOWN, -1, NULL, 0},
                                  PLOT_SVG),
               *misses = script_of(&a, bars_csv, (struct plot_options){PLOT_REFILLS, -1, NULL, 0},
                                   PLOT_SVG);
    cr_expect(strstr(parts, "$bars << END\n"
                            "\"P = 2, none\" 0 0.5 0 0.5 0 0 0 0 0 0\n"
                            "\"P = 2, loops\" 0 0.5 0 0 0 0 0 0 0 0\n"
                            "\"\" 0 0 0 0 0 0 0 0 0 0\n"
                            "\"P = 4, none\" 0 0.5 0 0 0 0 0 0 0 0\n"
                            "END\n"),
              "%s", parts);
    cr_expect(strstr(parts, "title 'invalidates'") && !strstr(parts, "title 'dsb'"), "%s", parts);
    cr_expect(strstr(misses, "\"P = 2, none\" 1 1\n") && strstr(misses, "\"P = 4, none\" 5 0\n"),
              "%s", misses);
    arena_free(&a);
}

Test(plot, time_script)
{
    struct arena a = {0};
    expect_text(
        "time", script_of(&a, flushes_csv, (struct plot_options){PLOT_TIME, -1, NULL, 0}, PLOT_PNG),
        "set terminal pngcairo size 888,520 font 'sans-serif,11' noenhanced background rgb "
        "'white'\n"
        "set encoding utf8\n"
        "set pointsize 1.5\n"
        "set lmargin at screen 0.1081\n"
        "set rmargin at screen 0.8063\n"
        "set tmargin at screen 0.8538\n"
        "set bmargin at screen 0.1385\n"
        "set label 1 'Time saved by batching the flushes after waits' at screen 0.0180,0.9538 left "
        "font ',13'\n"
        "set label 2 'per call, against one flush after each wait; model a2a3, toolchain "
        "ptoas-0.57, payload 64 B, mean of 5 runs' at screen 0.0180,0.9077 left tc rgb '#404040'\n"
        "set logscale x 2\n"
        "set xrange [1.53846:5.2]\n"
        "set xtics (2, 4)\n"
        "set xlabel 'ranks'\n"
        "set xzeroaxis lt 1 lc rgb '#606060'\n"
        "set yrange [0:53]\n"
        "set ylabel 'time saved (% of the time per call)'\n"
        "set datafile missing '?'\n"
        "$curve0 << END\n"
        "2 10 ?\n"
        "4 50 ?\n"
        "END\n"
        "$curve1 << END\n"
        "2 0 ?\n"
        "END\n"
        "set key at screen 0.8198,0.8615 left top Left reverse vertical maxrows 99 samplen 3.5 "
        "spacing 1.25\n"
        "set grid xtics ytics lt 1 lc rgb '#dddddd'\n"
        "set border 3\n"
        "set tics nomirror out\n"
        "plot $curve0 using 1:2 with linespoints lw 2 dt 1 pt 7 lc rgb '#0072B2' title 'ring', \\\n"
        "     $curve1 using 1:2 with linespoints lw 2 dt 1 pt 5 lc rgb '#D55E00' title 'it''s'\n");
    arena_free(&a);
}

/* A part of a script that a rule makes, and a part that it must not make. */
static const struct {
    const char *name;
    enum plot_kind kind;
    const char *rows;
    double payload;
    const char *has, *has_not;
} part_cases[] = {
    {"the largest payload that all kernels have", PLOT_FLUSHES,
     "x,2,64,none,m,t,1,1,9,\nx,2,128,none,m,t,1,2,9,\ny,2,64,none,m,t,1,3,9,\ny,2,128,none,m,t,1,"
     "4,9,\n",
     -1, "payload 128 B", "payload 64 B"},
    {"a kernel without it is shown at its own", PLOT_FLUSHES,
     "x,2,2048,none,m,t,1,1,9,\ny,2,2048,none,m,t,1,2,9,\nz,2,64,none,m,t,1,3,9,\n", -1,
     "title 'z (64 B)'", "title 'x (2 KiB)'"},
    {"a payload with fewer rows does not win", PLOT_FLUSHES,
     "x,2,64,none,m,t,1,1,9,\nx,4,64,none,m,t,1,3,9,\nx,2,128,none,m,t,1,1,9,\n", -1,
     "payload 64 B", "payload 128 B"},
    {"the payload asked for", PLOT_FLUSHES, "x,2,64,none,m,t,1,1,9,\nx,2,128,none,m,t,1,2,9,\n", 64,
     "payload 64 B", "payload 128 B"},
    {"curves that coincide are drawn once", PLOT_FLUSHES,
     "x,2,64,none,m,t,1,5,9,\ny,2,64,none,m,t,1,5,9,\n", -1,
     "keyentry with linespoints lw 2 dt 1 pt 7 lc rgb '#0072B2' title 'y (as x)'", "$curve1 using"},
    {"one rank alone says nothing", PLOT_FLUSHES,
     "x,1,64,loops,m,t,1,3,9,\nx,2,64,loops,m,t,1,5,9,\n", -1, "2 ? 5", "1 ? 3"},
    {"over the payload", PLOT_PAYLOAD,
     "x,8,1024,none,m,t,1,1,200,\nx,8,1024,loops,m,t,1,1,150,\nx,8,4096,none,m,t,1,1,200,\n"
     "x,8,4096,loops,m,t,1,1,100,\n",
     -1, "1024 25 ?\n4096 50 ?\n", "set xlabel 'ranks'"},
    {"curves that differ are drawn each", PLOT_FLUSHES,
     "x,2,64,none,m,t,1,5,9,\ny,2,64,none,m,t,1,6,9,\n", -1, "$curve1 using 1:2", "(no change)"},
    {"only what occurs is explained", PLOT_FLUSHES, "x,2,64,loops,m,t,1,5,9,\n", -1,
     "title 'batched", "title 'one flush"},
    {"no flush is no point", PLOT_FLUSHES, "x,2,64,none,m,t,1,5,9,\ny,2,64,none,m,t,1,0,9,\n", -1,
     "not drawn, because they execute none: y", "title 'y'"},
    {"a comparison needs both", PLOT_TIME,
     "x,2,64,none,m,t,1,5,9,\nx,2,64,loops,m,t,1,5,9,\ny,2,64,none,m,t,1,1,9,\n", -1,
     "not drawn, because batch none or batch loops is missing: y", "title 'y'"},
    {"time may be lost", PLOT_TIME, "x,2,64,none,m,t,1,5,100,\nx,2,64,loops,m,t,1,5,150,\n", -1,
     "\n2 -50 ?\n", "\n2 50"},
    {"several models", PLOT_FLUSHES, "x,2,64,none,m,t,1,5,9,\nx,4,64,none,n,t,1,5,9,\n", -1,
     "model varies", "model m"},
    {"one run", PLOT_FLUSHES, "x,2,64,none,m,t,1,5,9,\n", -1, "mean of 1 run'", "runs"},
    {"quotes and control characters", PLOT_FLUSHES, "\"a'b\tc\xff\",2,64,none,m,t,1,5,9,\n", -1,
     "title 'a''b c?'", "\xff"},
};

Test(plot, parts)
{
    for (size_t i = 0; i < sizeof part_cases / sizeof *part_cases; i++) {
        struct arena a = {0};
        const char *text = arena_printf(&a, FLUSHES "%s", part_cases[i].rows);
        const char *script = script_of(
            &a, text, (struct plot_options){part_cases[i].kind, part_cases[i].payload, NULL, 0},
            PLOT_SVG);
        cr_expect(strstr(script, part_cases[i].has), "%s: expected %s in\n%s", part_cases[i].name,
                  part_cases[i].has, script);
        cr_expect(!strstr(script, part_cases[i].has_not), "%s: unexpected %s in\n%s",
                  part_cases[i].name, part_cases[i].has_not, script);
        arena_free(&a);
    }
}

/* ---- heat maps ---- */

/* What the rows of a heat map must and must not make of the script. */
static const struct {
    const char *name, *rows, *has, *has_not;
} heat_cases[] = {
    {"a marker and where it stands",
     "k,2,m,t,0,instruction,W1,fence: dsb,27,k.py,redundant,0,9,0\n", "'W1.fence: dsb' at",
     "'W1.W1"},
    {"its line", "k,2,m,t,0,instruction,W1,fence: dsb,27,k.py,redundant,0,9,0\n", "'L27' at",
     "of k.py"},
    {"a line of another file",
     "k,2,m,t,0,instruction,W1,a,27,k.py,redundant,0,9,0\nk,2,m,t,1,instruction,W1,b,3,d/"
     "parts.py,redundant,0,9,0\n",
     "'L3 of parts.py'", "'L27 of"},
    {"an origin that the text names",
     "k,2,m,t,0,instruction,tail,kernel tail: dsb,9,k.py,redundant,0,9,0\n", "'kernel tail: dsb'",
     "tail.kernel"},
    {"the tail stands on no line",
     "k,2,m,t,0,instruction,tail,kernel tail: dsb,9,k.py,redundant,0,9,0\n", "'kernel tail: dsb'",
     "'L9'"},
    {"all markers of a rule stand on no line",
     "k,2,m,t,0,rule,R1,every marker of R1,9,k.py,redundant,0,9,0\n", "'every marker of R1'",
     "'L9'"},
    {"quotes", "k,2,m,t,0,instruction,W1,it's,9,k.py,redundant,0,9,0\n", "'W1.it''s'", "it's"},
    {"redundant has a colour of its own", "k,2,m,t,0,instruction,W1,a,9,k.py,redundant,0,9,0\n",
     "fc rgb '#b8e0b8'", "fc rgb '#99000d'"},
    {"so has a kill", "k,2,m,t,0,instruction,W1,a,9,k.py,killed,9,9,1\n", "fc rgb '#99000d'",
     "fc rgb '#b8e0b8'"},
    {"so has what is not observed", "k,2,m,t,0,instruction,W1,a,9,k.py,not observed,0,9,0\n",
     "fc rgb '#ffe680'", "fc rgb '#b8e0b8'"},
    {"the legend names what occurs", "k,2,m,t,0,instruction,W1,a,9,k.py,redundant,0,9,0\n",
     "'redundant' at", "'redundant given others' at"},
    {"and the rules that do", "k,2,m,t,0,instruction,W1,a,9,k.py,redundant,0,9,0\n",
     "'W1: behind a write of the own window'", "R1: behind"},
    {"a mutation that no row has", "k,2,m,t,0,instruction,W1,a,9,k.py,redundant,0,9,0\n",
     "'removed' at", "'narrowed' at"},
    {"a weaker barrier stands in the line of its site",
     "k,2,m,t,0,instruction,W1,b,9,k.py,redundant,0,9,0\nk,2,m,t,0,weaken,W1,b: v "
     "alone,9,k.py,redundant,0,9,0\n",
     "'weakened' at", "v alone"},
    {"the gravest of several",
     "k,2,m,t,0,weaken,W1,b: v alone,9,k.py,killed,9,9,1\nk,2,m,t,0,weaken,W1,b: "
     "m alone,9,k.py,redundant,0,9,0\n",
     "fc rgb '#99000d'", "fc rgb '#b8e0b8'"},
    {"pairs are no line",
     "k,2,m,t,0,instruction,W1,a,9,k.py,redundant given "
     "others,0,9,0\nk,2,m,t,0,pair,W1,two,9,k.py,killed,1,"
     "1,1\n",
     "'redundant given others'", "'W1.two'"},
    {"contracts are columns",
     "k,2,m,t,0,instruction,W1,a,9,k.py,redundant,0,9,0\nk,4,n,t,0,instruction,W1,a,9,k.py,killed,"
     "9,9,1\n",
     "'P=4' at", "'W1.a, W1.a'"},
};

Test(plot, heat_maps)
{
    for (size_t i = 0; i < sizeof heat_cases / sizeof *heat_cases; i++) {
        struct arena a = {0};
        const char *script = script_of(&a, arena_printf(&a, SWEEP "%s", heat_cases[i].rows),
                                       (struct plot_options){PLOT_HEATMAP, -1, NULL, 0}, PLOT_SVG);
        cr_expect(strstr(script, heat_cases[i].has), "%s: expected %s in\n%s", heat_cases[i].name,
                  heat_cases[i].has, script);
        cr_expect(!strstr(script, heat_cases[i].has_not), "%s: unexpected %s in\n%s",
                  heat_cases[i].name, heat_cases[i].has_not, script);
        arena_free(&a);
    }
}

/* Of 100 runs so many; explored without a run that noticed: x. */
Test(plot, cell_texts)
{
    static const struct {
        const char *killed, *rate, *text;
    } cases[] = {{"1", "0.0001", "<1"}, {"1", "0.00999", "<1"}, {"1", "0.0149", "1"},
                 {"1", "0.5", "50"},    {"1", "0.994", "99"},   {"1", "0.9991", ">99"},
                 {"9", "1", "100"},     {"0", "0", "x"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena a = {0};
        const char *text =
            arena_printf(&a, SWEEP "k,2,m,t,0,instruction,W1,dsb,1,k.py,killed,%s,9,%s\n",
                         cases[i].killed, cases[i].rate);
        const char *script =
            script_of(&a, text, (struct plot_options){PLOT_HEATMAP, -1, NULL, 0}, PLOT_SVG);
        cr_expect(strstr(script, arena_printf(&a, "0.5 \"%s\"\n", cases[i].text)), "%s: %s",
                  cases[i].rate, script);
        arena_free(&a);
    }
}

static int height_of(const char *script)
{
    int height = 0;
    cr_assert(sscanf(script, "set terminal svg size %*d,%d", &height) == 1, "%s", script);
    return height;
}

/* A kernel of many sites fits a screen: lines that look alike are one, and none that differs is. */
Test(plot, heat_maps_fit_a_screen)
{
    static const struct {
        int sites, killed_every;
        bool joined;
    } cases[] = {{10, 0, false}, {40, 3, false}, {400, 0, true}, {400, 7, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena a = {0};
        struct strbuf b = strbuf_make(&a);
        strbuf_add(&b, SWEEP);
        for (int s = 0; s < cases[i].sites; s++) {
            bool killed = cases[i].killed_every && s % cases[i].killed_every == 0;
            strbuf_addf(&b, "k,2,m,t,%d,instruction,W1,%s,%d,k.py,%s,%d,9,%d\n", s,
                        killed ? "dsb" : "fence", s + 1, killed ? "killed" : "redundant",
                        killed ? 9 : 0, killed);
        }
        const char *script =
            script_of(&a, b.text, (struct plot_options){PLOT_HEATMAP, -1, NULL, 0}, PLOT_SVG);
        cr_expect(height_of(script) <= 1050, "%d sites: %d pixels", cases[i].sites,
                  height_of(script));
        cr_expect(!!strstr(script, "look alike") == cases[i].joined, "%d sites", cases[i].sites);
        cr_expect(!strstr(script, "dsb, "), "a killed one is joined with another");
        arena_free(&a);
    }
}

static const struct plot_filter only_sc = {"model", "sc"}, only_nothing = {"model", "nothing"},
                                no_column = {"modl", "sc"};

static const struct {
    const char *name;
    enum plot_kind kind;
    const char *csv;
    double payload;
    const struct plot_filter *filter;
    const char *expected;
} error_cases[] = {
    {"the other command's file", PLOT_TIME, sweep_csv, -1, NULL,
     "t.csv:1:1: error: no column 'payload_bytes' in the header: expected the columns kernel, "
     "ranks, payload_bytes, "
     "batch, model, toolchain, runs, cycles_mean\n"
     "    1 | "
     "kernel,ranks,model,toolchain,site,level,origin,what,line,file,class,killed,runs,rate\n"
     "      | ^~~~~~\n"},
    {"batch", PLOT_FLUSHES, FLUSHES "x,2,64,some,m,t,1,5,9,\n", -1, NULL,
     "t.csv:2:8: error: batch is 'some': expected none or loops\n"
     "    2 | x,2,64,some,m,t,1,5,9,\n"
     "      |        ^~~~\n"},
    {"ranks", PLOT_FLUSHES, FLUSHES "x,2.5,64,none,m,t,1,5,9,\n", -1, NULL,
     "t.csv:2:3: error: ranks is '2.5': expected an integer\n"
     "    2 | x,2.5,64,none,m,t,1,5,9,\n"
     "      |   ^~~\n"},
    {"flushes", PLOT_FLUSHES, FLUSHES "x,2,64,none,m,t,1,-1,9,\n", -1, NULL,
     "t.csv:2:19: error: flushes_per_rank is '-1': expected a number from 0 to 1e+15\n"
     "    2 | x,2,64,none,m,t,1,-1,9,\n"
     "      |                   ^~\n"},
    {"two models", PLOT_FLUSHES, FLUSHES "x,2,64,none,sc,t,1,5,9,\nx,2,64,none,m,t,1,5,9,\n", -1,
     NULL,
     "t.csv:3:1: error: x with 2 ranks, 64 bytes and batch none stands twice, for sc and for m: "
     "choose with "
     "--where=model=sc\n"
     "    3 | x,2,64,none,m,t,1,5,9,\n"
     "      | ^\n"},
    {"the same row twice", PLOT_TIME, FLUSHES "x,2,64,none,m,t,1,5,9,\nx,2,64,none,m,t,1,5,9,\n",
     -1, NULL,
     "t.csv:3:1: error: x with 2 ranks, 64 bytes and batch none stands twice\n"
     "    3 | x,2,64,none,m,t,1,5,9,\n"
     "      | ^\n"},
    {"no such payload", PLOT_FLUSHES, flushes_csv, 4096, NULL,
     "error: no row has payload_bytes 4096: there are 64\n"},
    {"no flush at all", PLOT_FLUSHES, FLUSHES "x,2,64,none,m,t,1,0,9,\n", -1, NULL,
     "error: every flush count is 0: nothing to draw on a logarithmic axis\n"},
    {"nothing to compare", PLOT_TIME, FLUSHES "x,2,64,none,m,t,1,0,9,\n", -1, NULL,
     "error: no kernel has rows of batch none and of batch loops to compare\n"},
    {"class", PLOT_HEATMAP, SWEEP "k,2,m,t,0,marker,W1,dsb,1,k.py,died,1,9,1\n", -1, NULL,
     "t.csv:2:32: error: class is 'died': no such class\n"
     "    2 | k,2,m,t,0,marker,W1,dsb,1,k.py,died,1,9,1\n"
     "      |                                ^~~~\n"},
    {"level", PLOT_HEATMAP, SWEEP "k,2,m,t,0,gone,W1,dsb,1,k.py,killed,1,9,1\n", -1, NULL,
     "t.csv:2:11: error: level is 'gone': no such mutation\n"
     "    2 | k,2,m,t,0,gone,W1,dsb,1,k.py,killed,1,9,1\n"
     "      |           ^~~~\n"},
    {"rate", PLOT_HEATMAP, SWEEP "k,2,m,t,0,marker,W1,dsb,1,k.py,killed,1,9,1.5\n", -1, NULL,
     "t.csv:2:43: error: rate is '1.5': expected a number from 0 to 1\n"
     "    2 | k,2,m,t,0,marker,W1,dsb,1,k.py,killed,1,9,1.5\n"
     "      |                                           ^~~\n"},
    {"a removal twice", PLOT_HEATMAP,
     SWEEP "k,2,m,t,0,marker,W1,dsb,1,k.py,redundant,0,9,0\n"
           "k,2,m,t,0,marker,W1,dsb,1,k.py,redundant,0,9,0\n",
     -1, NULL,
     "t.csv:3:9: error: site 0 (marker) of k with 2 ranks stands twice for model m\n"
     "    3 | k,2,m,t,0,marker,W1,dsb,1,k.py,redundant,0,9,0\n"
     "      |         ^\n"},
    {"pairs alone", PLOT_HEATMAP, SWEEP "k,2,m,t,0,pair,W1,dsb,1,k.py,killed,0,9,0\n", -1, NULL,
     "t.csv:2:11: error: there are only pairs: nothing to draw\n"
     "    2 | k,2,m,t,0,pair,W1,dsb,1,k.py,killed,0,9,0\n"
     "      |           ^~~~\n"},
    {"two kernels", PLOT_HEATMAP, two_kernels_csv, -1, NULL,
     "t.csv:3:1: error: a picture shows one kernel, and these are several: choose one with "
     "--where=kernel=NAME\n"
     "    3 | relay,2,sc,t,0,instruction,R1,cacheinvalid all,9,y.py,killed,1,50,0.0004\n"
     "      | ^~~~~\n"},
    {"a condition that nothing meets", PLOT_HEATMAP, sweep_csv, -1, &only_nothing,
     "error: no row of the CSV files meets the conditions of --where\n"},
    {"a condition on no column", PLOT_HEATMAP,
     SWEEP "k,2,m,t,0,marker,W1,dsb,1,k.py,redundant,0,9,0\n", -1, &no_column,
     "t.csv:1:1: error: no column 'modl' in the header: expected the columns kernel, ranks, model, "
     "toolchain, site, "
     "level, origin, what, line, file, class, killed, runs, rate, modl\n"
     "    1 | "
     "kernel,ranks,model,toolchain,site,level,origin,what,line,file,class,killed,runs,rate\n"
     "      | ^~~~~~\n"},
};

Test(plot, errors)
{
    for (size_t i = 0; i < sizeof error_cases / sizeof *error_cases; i++) {
        struct arena a = {0};
        struct plot_options o = {error_cases[i].kind, error_cases[i].payload, error_cases[i].filter,
                                 error_cases[i].filter != NULL};
        expect_text(error_cases[i].name, script_of(&a, error_cases[i].csv, o, PLOT_SVG),
                    error_cases[i].expected);
        arena_free(&a);
    }
}

Test(plot, conditions_choose_rows)
{
    struct arena a = {0};
    const char *script =
        script_of(&a, sweep_csv, (struct plot_options){PLOT_HEATMAP, -1, &only_sc, 1}, PLOT_SVG);
    cr_expect(strstr(script, "'sc' at") && !strstr(script, "a2a3"), "%s", script);
    arena_free(&a);
}

Test(plot, too_many_kernels)
{
    struct arena a = {0};
    struct strbuf b = strbuf_make(&a);
    strbuf_add(&b, FLUSHES);
    for (int k = 0; k < 36; k++) {
        const char *script =
            script_of(&a, b.text, (struct plot_options){PLOT_FLUSHES, -1, NULL, 0}, PLOT_SVG);
        cr_expect(k == 0 || strncmp(script, "set terminal", 12) == 0, "%d kernels: %s", k, script);
        strbuf_addf(&b, "k%d,2,64,none,m,t,1,%d,9,\n", k, k + 1);
    }
    expect_text("36 kernels",
                script_of(&a, b.text, (struct plot_options){PLOT_FLUSHES, -1, NULL, 0}, PLOT_SVG),
                "t.csv:37:1: error: more than 35 kernels: choose some with --where=kernel=NAME\n"
                "   37 | k35,2,64,none,m,t,1,36,9,\n"
                "      | ^~~\n");
    arena_free(&a);
}

/* ---- pictures ---- */

static int count_files(const char *dir)
{
    int n = 0;
    DIR *d = opendir(dir);
    for (struct dirent *e; (e = readdir(d));)
        n += e->d_name[0] != '.';
    closedir(d);
    return n;
}

static bool starts_with(const char *path, const char *bytes, size_t n)
{
    char head[16] = {0};
    FILE *f = fopen(path, "rb");
    bool same = f && fread(head, 1, n, f) == n && memcmp(head, bytes, n) == 0;
    if (f)
        fclose(f);
    return same;
}

Test(plot, pictures_and_nothing_else)
{
    struct arena a = {0};
    char dir[] = "/tmp/fencebench-plot-XXXXXX";
    cr_assert(mkdtemp(dir));
    const struct source *flushes = source_from_string(&a, "t.csv", flushes_csv),
                        *bars = source_from_string(&a, "t.csv", bars_csv),
                        *sweep = source_from_string(&a, "t.csv", sweep_csv);
    for (int k = 0; k < PLOT_KINDS; k++) {
        struct diag d = {.arena = &a};
        const char *base = arena_printf(&a, "%s/%s", dir, plot_kind_name((enum plot_kind)k));
        struct plot_options o = {(enum plot_kind)k, -1, NULL, 0};
        bool stacked = k == PLOT_BREAKDOWN || k == PLOT_REFILLS;
        cr_expect(plot_write(&a,
                             k == PLOT_HEATMAP ? &sweep
                             : stacked         ? &bars
                                               : &flushes,
                             1, &o, base, &d),
                  "%s", diag_text(&d, &a));
        cr_expect(starts_with(arena_printf(&a, "%s.svg", base), "<?xml", 5), "%s.svg", base);
        cr_expect(starts_with(arena_printf(&a, "%s.png", base), "\x89PNG", 4), "%s.png", base);
        cr_expect(count_files(dir) == 2 * (k + 1), "%d files", count_files(dir));
    }
    for (int k = 0; k < PLOT_KINDS; k++) {
        unlink(arena_printf(&a, "%s/%s.svg", dir, plot_kind_name((enum plot_kind)k)));
        unlink(arena_printf(&a, "%s/%s.png", dir, plot_kind_name((enum plot_kind)k)));
    }
    rmdir(dir);
    arena_free(&a);
}

/* A picture for each kernel; none of their own for one. */
Test(plot, a_heat_map_for_each_kernel)
{
    struct arena a = {0};
    struct diag d = {.arena = &a};
    static const char *const files[] = {"map-ring.svg", "map-ring.png", "map-relay.svg",
                                        "map-relay.png"};
    char dir[] = "/tmp/fencebench-plot-XXXXXX";
    cr_assert(mkdtemp(dir));
    const struct source *sweep = source_from_string(&a, "t.csv", two_kernels_csv);
    cr_expect(plot_write(&a, &sweep, 1, &(struct plot_options){PLOT_HEATMAP, -1, NULL, 0},
                         arena_printf(&a, "%s/map", dir), &d),
              "%s", diag_text(&d, &a));
    cr_expect(count_files(dir) == 4);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        cr_expect(unlink(arena_printf(&a, "%s/%s", dir, files[i])) == 0, "%s", files[i]);
    rmdir(dir);
    arena_free(&a);
}

Test(plot, a_bad_target_is_one_error)
{
    struct arena a = {0};
    struct diag d = {.arena = &a};
    const struct source *src = source_from_string(&a, "t.csv", flushes_csv);
    cr_expect(!plot_write(&a, &src, 1, &(struct plot_options){PLOT_TIME, -1, NULL, 0},
                          "/nonexistent/x", &d));
    expect_text("no such folder", diag_text(&d, &a),
                "/nonexistent/x.svg: error: cannot write: No such file or directory\n");
    arena_free(&a);
}

static const struct {
    const char *name, *script, *path, *expected;
} gnuplot_cases[] = {
    {"no gnuplot", "plot 1\n", "/nonexistent",
     "error: cannot run gnuplot: No such file or directory; plots need the package gnuplot-nox\n"},
    {"nothing drawn", "set terminal svg\n", NULL, "error: gnuplot drew nothing: no message\n"},
};

Test(plot, gnuplot_failures)
{
    for (size_t i = 0; i < sizeof gnuplot_cases / sizeof *gnuplot_cases; i++) {
        struct arena a = {0};
        struct diag d = {.arena = &a};
        char *path = arena_strdup(&a, getenv("PATH"));
        if (gnuplot_cases[i].path)
            setenv("PATH", gnuplot_cases[i].path, 1);
        cr_expect(!gnuplot_run(gnuplot_cases[i].script, &d), "%s", gnuplot_cases[i].name);
        setenv("PATH", path, 1);
        expect_text(gnuplot_cases[i].name, diag_text(&d, &a), gnuplot_cases[i].expected);
        arena_free(&a);
    }
}

/* The place in the message differs between gnuplot's versions. */
Test(plot, a_script_with_an_error)
{
    struct arena a = {0};
    struct diag d = {.arena = &a};
    cr_expect(!gnuplot_run("set terminal svg\nplot nothing_known\n", &d));
    const char *text = diag_text(&d, &a);
    cr_expect(strncmp(text, "error: gnuplot failed: ", 23) == 0 &&
                  strstr(text, "undefined variable: nothing_known\n"),
              "%s", text);
    arena_free(&a);
}
