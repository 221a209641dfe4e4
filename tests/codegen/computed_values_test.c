/* SPDX-License-Identifier: MIT */
/*
 * What a kernel computes, as numbers that a run leaves. n is 3 on rank 0 and 4 on rank 1.
 */
#include "tests/codegen/kernel_rig.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

#define FOR     "for i, (x,) in pl.range(5, init_values=(0,)):\n"
#define IF_LAST "    if i == n - 1:\n"
#define WRITE   "pl.write(out, [0, 0], r)\n"

struct row {
    const char *name, *body;
    int count;                       /* of elements of out that are compared */
    const char *expected[RIG_RANKS]; /* an entry a rank */
};

/*
 * What a loop with init_values carries on at a break or continue. The expected numbers are worked out by
 * hand from the compiler's rule (pypto-front-facts 3.2): a variable that is yielded counts where a
 * statement of the body itself has assigned it by then, in front of the jump or in the branch around
 * it, else the loop goes on with what the round began with. An expression in the yield is computed for
 * a continue and not for a break.
 */
static const struct row loops[] = {
    {"no jump", FOR "    y = x + 1\n    r = pl.yield_(y)\n" WRITE, 1, {"5", "5"}},

    /* Rounds 0 to n-2 add 1, and round n-1 has done so when it breaks. */
    {"break behind",
     FOR "    y = x + 1\n" IF_LAST "        break\n    r = pl.yield_(y)\n" WRITE,
     1,
     {"3", "4"}},
    {"break in front",
     FOR IF_LAST "        break\n    y = x + 1\n    r = pl.yield_(y)\n" WRITE,
     1,
     {"2", "3"}},
    {"break in front of what the yield computes",
     FOR "    y = x + 1\n" IF_LAST "        break\n    r = pl.yield_(y + 1)\n" WRITE,
     1,
     {"4", "6"}},
    {"break in the else branch",
     FOR
     "    if i < n - 1:\n        y = x + 1\n    else:\n        break\n    r = pl.yield_(y)\n" WRITE,
     1,
     {"2", "3"}},
    {"break at once", FOR "    y = x + 1\n    break\n    r = pl.yield_(y)\n" WRITE, 1, {"1", "1"}},
    {"what stands in front of a break in its branch",
     FOR "    y = x + 1\n" IF_LAST
         "        pl.write(out, [0, 1], 9)\n        break\n    r = pl.yield_(y)\n" WRITE,
     2,
     {"3 9", "4 9"}},
    /* 10 + 8 + 6 + 4 */
    {"break of a loop that counts down",
     "for i, (x,) in pl.range(10, 0, -2, init_values=(0,)):\n    y = x + i\n    if i == 4:\n"
     "        break\n    r = pl.yield_(y)\n" WRITE,
     1,
     {"28", "28"}},

    {"continue behind",
     FOR "    y = x + 1\n" IF_LAST "        continue\n    r = pl.yield_(y)\n" WRITE,
     1,
     {"5", "5"}},
    {"continue in front",
     FOR IF_LAST "        continue\n    y = x + 1\n    r = pl.yield_(y)\n" WRITE,
     1,
     {"4", "4"}},
    {"continue in front of what the yield computes",
     FOR IF_LAST "        continue\n    r = pl.yield_(x + 1)\n" WRITE,
     1,
     {"5", "5"}},

    /* 1 + 2 + .. + n, and the count with it */
    {"break of a while loop",
     "for (c, x) in pl.while_(init_values=(0, 0)):\n    pl.cond(c < 9)\n    d = c + 1\n    y = x + "
     "d\n"
     "    if d == n:\n        break\n    q, r = pl.yield_(d, y)\n" WRITE
     "pl.write(out, [0, 1], q)\n",
     2,
     {"6 3", "10 4"}},
    /* 1 + 2 + 3 + 4 + 5 - n */
    {"continue of a while loop",
     "for (c, x) in pl.while_(init_values=(0, 0)):\n    pl.cond(c < 5)\n    d = c + 1\n"
     "    if d == n:\n        continue\n    y = x + d\n    q, r = pl.yield_(d, y)\n" WRITE
     "pl.write(out, [0, 1], q)\n",
     2,
     {"12 5", "11 5"}},

    /* (0, 100), (110, 1), (11, 111), (121, 12): the break has y, which b takes, and not z. */
    {"two values that change places",
     "for i, (a, b) in pl.range(9, init_values=(0, 100)):\n    y = a + 1\n" IF_LAST
     "        break\n    z = b + 10\n    r, q = pl.yield_(z, y)\n" WRITE
     "pl.write(out, [0, 1], q)\n",
     2,
     {"11 12", "121 122"}},

    /* Each of three rounds adds n + 1: the inner loop's own jump is none of the outer loop. */
    {"break of an inner loop",
     "for o, (u,) in pl.range(3, init_values=(0,)):\n    for i, (x,) in pl.range(9, "
     "init_values=(u,)):\n"
     "        y = x + 1\n        if i == n:\n            break\n        v = pl.yield_(y)\n"
     "    r = pl.yield_(v)\n" WRITE,
     1,
     {"12", "15"}},
    {"an inner loop without a jump around it",
     FOR "    for j, (z,) in pl.range(2, init_values=(x,)):\n        v = pl.yield_(z + 1)\n"
         "    r = pl.yield_(v)\n" WRITE,
     1,
     {"10", "10"}},

    /* What the compiler loses: results of loops and ifs are assigned by no statement. */
    {"the result of an inner loop is lost",
     FOR "    for j, (z,) in pl.range(2, init_values=(x,)):\n        v = pl.yield_(z + 1)\n" IF_LAST
         "        continue\n    r = pl.yield_(v)\n" WRITE,
     1,
     {"0", "0"}},
    {"the result of an if is lost",
     FOR "    if i > 0:\n        w = pl.yield_(x + 2)\n    else:\n        w = pl.yield_(x + "
         "1)\n" IF_LAST "        break\n    r = pl.yield_(w)\n" WRITE,
     1,
     {"0", "0"}},
    /* The break stands in the branch of the continue, and y in front of both. */
    {"a break behind a continue loses what is in front of both",
     FOR "    y = x + 1\n" IF_LAST
         "        continue\n    if i == n:\n        break\n    r = pl.yield_(y)\n" WRITE,
     1,
     {"1", "1"}},
    /* Round n-1 does not write, which it does not in the source; y is lost behind the if. */
    {"what acts behind a continue further in",
     FOR "    if i > 0:\n"
         "        if i == n - 1:\n            continue\n    y = x + 1\n"
         "    pl.write(out, [0, i], 7)\n    r = pl.yield_(y)\npl.write(out, [0, 5], r)\n",
     6,
     {"7 7 4 7 7 0", "7 7 7 5 7 0"}},
};

static void expect_values(const struct row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct arena a = {0};
        const struct toolchain t = rig_toolchain(&a);
        const struct program *p = rig_marked_body(&a, rows[i].name, rows[i].body, &t);
        for (int rank = 0; rank < RIG_RANKS; rank++)
            expect_text(rows[i].name, rig_memory(&a, p, "out", rank, 0, rows[i].count),
                        rows[i].expected[rank]);
        arena_free(&a);
    }
}

Test(codegen, jumps_of_loops_that_carry)
{
    expect_values(loops, COUNT(loops));
}

/* The compiler emits arith.divsi and arith.remsi for //, / and % of integers: towards zero, and the rest
 * has the sign of what is divided. */
static const struct row divisions[] = {
    {"of a positive number",
     "pl.write(out, [0, 0], (n + 4) // 2)\npl.write(out, [0, 1], (n + 4) % 3)\n",
     2,
     {"3 1", "4 2"}},
    {"of a negative number",
     "pl.write(out, [0, 0], (n - 10) // 2)\npl.write(out, [0, 1], (n - 10) % 4)\n",
     2,
     {"-3 -3", "-3 -2"}},
    {"written with one slash", "pl.write(out, [0, 0], (n - 10) / 2)\n", 1, {"-3", "-3"}},
};

Test(codegen, integers_are_divided_towards_zero)
{
    expect_values(divisions, COUNT(divisions));
}
