/* SPDX-License-Identifier: MIT */
/* The printed form of statements, expressions and types (pypto-facts 1.2, 1.3, 1.4, 1.6). */
#include "tests/ir/helpers.h"

struct body_case {
    const char *name, *source, *printed;
};

static void expect_bodies(const struct body_case *cases, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct arena a = {0};
        struct ir_program *p = parse_good(&a, cases[i].name, kernel_text(&a, cases[i].source));
        expect_text(cases[i].name, printed_body(&a, p), cases[i].printed);
        expect_round_trip(cases[i].name, p);
        arena_free(&a);
    }
}
#define EXPECT_BODIES(cases) expect_bodies(cases, sizeof(cases) / sizeof *(cases))

Test(print, expressions)
{
    static const struct body_case cases[] = {
        {"precedence", "y = i + i * i\n", "y: pl.Scalar[pl.INDEX] = i + i * i\n"},
        {"needless parentheses", "y = (i + (i * i))\n", "y: pl.Scalar[pl.INDEX] = i + i * i\n"},
        {"needed parentheses", "y = (i + i) * i\n", "y: pl.Scalar[pl.INDEX] = (i + i) * i\n"},
        {"left grouping", "y = i - i - i\n", "y: pl.Scalar[pl.INDEX] = i - i - i\n"},
        {"right operand", "y = i - (i - i)\n", "y: pl.Scalar[pl.INDEX] = i - (i - i)\n"},
        {"floor division and remainder", "y = i // 2 % 3\n",
         "y: pl.Scalar[pl.INDEX] = i // 2 % 3\n"},
        {"power groups to the right", "y = i ** i ** i\n",
         "y: pl.Scalar[pl.INDEX] = i ** i ** i\n"},
        {"power of a power", "y = (i ** i) ** i\n", "y: pl.Scalar[pl.INDEX] = (i ** i) ** i\n"},
        {"sign binds looser than power", "y = -i ** 2\n", "y: pl.Scalar[pl.INDEX] = -i ** 2\n"},
        {"power of a sign", "y = (-i) ** -i\n", "y: pl.Scalar[pl.INDEX] = (-i) ** -i\n"},
        {"negative literal", "y = -1\n", "y: pl.Scalar[pl.INDEX] = -1\n"},
        {"negated literal", "y = -(1)\n", "y: pl.Scalar[pl.INDEX] = -(1)\n"},
        {"power of a literal", "y = -1 ** 2\n", "y: pl.Scalar[pl.INDEX] = -1 ** 2\n"},
        {"power of a negative literal", "y = (-1) ** 2\n", "y: pl.Scalar[pl.INDEX] = (-1) ** 2\n"},
        {"plus is dropped", "y = +i\n", "y: pl.Scalar[pl.INDEX] = i\n"},
        {"bits", "y = i & 1 | i ^ 3 << 1\n", "y: pl.Scalar[pl.INDEX] = i & 1 | i ^ 3 << 1\n"},
        {"complement", "y = ~i\n", "y: pl.Scalar[pl.INDEX] = ~i\n"},
        {"logic", "y = not b and i == 1 or i != 2\n",
         "y: pl.Scalar[pl.BOOL] = not b and i == 1 or i != 2\n"},
        {"not of and", "y = not (b and b)\n", "y: pl.Scalar[pl.BOOL] = not (b and b)\n"},
        {"comparison of comparisons", "y = (i < 1) == (i < 2)\n",
         "y: pl.Scalar[pl.BOOL] = (i < 1) == (i < 2)\n"},
        {"logical xor", "y = b ^ b\n", "y: pl.Scalar[pl.BOOL] = b ^ b\n"},
        {"minimum", "y = pl.min(i, pl.max(1, 2))\n",
         "y: pl.Scalar[pl.INDEX] = pl.min(i, pl.max(1, 2))\n"},
        {"python minimum", "y = min(i, 1)\n", "y: pl.Scalar[pl.INDEX] = pl.min(i, 1)\n"},
        {"absolute value", "y = abs(-i)\n", "y: pl.Scalar[pl.INDEX] = abs(-i)\n"},
        {"unified arithmetic of scalars", "y = pl.add(n, 1)\n", "y: pl.Scalar[pl.INT32] = n + 1\n"},
        {"cast", "y = pl.cast(n, pl.INDEX)\n", "y: pl.Scalar[pl.INDEX] = pl.cast(n, pl.INDEX)\n"},
        {"cast by keyword", "y = pl.cast(n, target_type=pl.INT64)\n",
         "y: pl.Scalar[pl.INT64] = pl.cast(n, pl.INT64)\n"},
        {"typed constant", "y = pl.const(4, pl.INT64)\n",
         "y: pl.Scalar[pl.INT64] = pl.const(4, pl.INT64)\n"},
        {"typed negative constant", "y = pl.const(-4, pl.INT32)\n",
         "y: pl.Scalar[pl.INT32] = pl.const(-4, pl.INT32)\n"},
        {"index constant is bare", "y = pl.const(4, pl.INDEX)\n", "y: pl.Scalar[pl.INDEX] = 4\n"},
        {"smallest integer", "y = -9223372036854775808\n",
         "y: pl.Scalar[pl.INDEX] = -9223372036854775808\n"},
        {"other bases", "y = 0x10 + 0b11 + 1_000\n", "y: pl.Scalar[pl.INDEX] = 16 + 3 + 1000\n"},
        {"float", "y = 1e-6\n", "y: pl.Scalar[pl.FP32] = 9.9999999999999995e-07\n"},
        {"float keeps its point", "y = 2.0\n", "y: pl.Scalar[pl.FP32] = 2.0\n"},
        {"typed float", "y = pl.const(0.5, pl.FP16)\n",
         "y: pl.Scalar[pl.FP16] = pl.const(0.5, pl.FP16)\n"},
        {"overflowing float", "y = 1e400\n",
         "y: pl.Scalar[pl.FP32] = pl._dump.float64(\"7ff0000000000000\")\n"},
        {"tuple", "y = (i, n)\n",
         "y: pl.Tuple[pl.Scalar[pl.INDEX], pl.Scalar[pl.INT32]] = (i, n)\n"},
        {"tuple element", "y = (i, n)\nz = y[1]\n",
         "y: pl.Tuple[pl.Scalar[pl.INDEX], pl.Scalar[pl.INT32]] = (i, n)\nz: pl.Scalar[pl.INT32] = "
         "y[1]\n"},
        {"subscript of a tensor", "y = x[i]\nz = x[i, 0]\n",
         "y: pl.Tensor[[64], pl.FP32] = pl.tensor.slice(x, [1, 64], [i, 0], [], [0])\n"
         "z: pl.Scalar[pl.FP32] = pl.tensor.read(x, [i, 0])\n"},
        {"slices", "y = x[0:2, 8:16]\nz = x[1, i:i + 4]\nw = x[i * 2:, :8]\nv = x[:]\n",
         "y: pl.Tensor[[2, 8], pl.FP32] = pl.tensor.slice(x, [2, 8], [0, 8])\n"
         "z: pl.Tensor[[4], pl.FP32] = pl.tensor.slice(x, [1, 4], [1, i], [], [0])\n"
         "w: pl.Tensor[[4 - i * 2, 8], pl.FP32] = pl.tensor.slice(x, [4 - i * 2, 8], [i * 2, 0])\n"
         "v: pl.Tensor[[4, 64], pl.FP32] = pl.tensor.slice(x, [4, 64], [0, 0])\n"},
        {"slice of a tile", "t = pl.load(x, [0, 0], [4, 64])\nu = t[1:3, 0:8]\ny = t[1, 2]\n",
         "t: pl.Tile[[4, 64], pl.FP32] = pl.tile.load(x, [0, 0], [4, 64], [4, 64])\n"
         "u: pl.Tile[[2, 8], pl.FP32] = pl.tile.slice(t, [2, 8], [1, 0])\n"
         "y: pl.Scalar[pl.FP32] = pl.tile.read(t, [1, 2])\n"},
        {"assigning to parts", "x[0:2, :] = x[2:4, :]\nx[i, 0:8] = x[1, 8:16]\n",
         "x = pl.tensor.assemble(x, pl.tensor.slice(x, [2, 64], [2, 0]), [0, 0])\n"
         "x = pl.tensor.assemble(x, pl.tensor.reshape(pl.tensor.slice(x, [1, 8], [1, 8], [], [0]), "
         "[1, 8]), [i, 0])\n"},
    };
    EXPECT_BODIES(cases);
}

Test(print, statements)
{
    static const struct body_case cases[] = {
        {"nothing", "pass\n", "pass\n"},
        {"bare return", "return\n", "return\n"},
        {"two values", "return i, (n)\n", "return i, n\n"},
        {"parenthesised values", "return (i, n)\n", "return i, n\n"},
        {"annotated", "y: pl.Scalar[pl.INT32] = n\n", "y: pl.Scalar[pl.INT32] = n\n"},
        {"second assignment has no annotation", "y = i\ny = y + 1\n",
         "y: pl.Scalar[pl.INDEX] = i\ny = y + 1\n"},
        {"augmented", "y = i\ny += 2\n", "y: pl.Scalar[pl.INDEX] = i\ny = y + 2\n"},
        {"unknown type has no annotation", "y = pl.mystery(i)\n", "y = pl.mystery(i)\n"},
        {"a float decides over an integer", "y = n + 1.5\nz = 2 * y\n",
         "y: pl.Scalar[pl.FP32] = n + 1.5\nz: pl.Scalar[pl.FP32] = 2 * y\n"},
        {"division gives a float", "y = n / i\nz = n // i\n",
         "y: pl.Scalar[pl.FP32] = n / i\nz: pl.Scalar[pl.INT32] = n // i\n"},
        {"two targets", "y, z = (i, n)\nw = z\n", "y, z = (i, n)\nw: pl.Scalar[pl.INT32] = z\n"},
        {"range of index bounds", "for j in pl.range(0, i, 1):\n    pass\n",
         "for j in pl.range(i):\n    pass\n"},
        {"range with start", "for j in pl.range(1, i):\n    pass\n",
         "for j in pl.range(1, i):\n    pass\n"},
        {"range with step", "for j in pl.range(0, i, 2):\n    pass\n",
         "for j in pl.range(0, i, 2):\n    pass\n"},
        {"typed bounds print in full",
         "for j in pl.range(pl.const(0, pl.INT64), i, pl.const(1, pl.INT64)):\n    y = j\n",
         "for j in pl.range(pl.const(0, pl.INT64), i, pl.const(1, pl.INT64)):\n"
         "    y: pl.Scalar[pl.INT64] = j\n"},
        {"python range", "for j in range(2):\n    pass\n", "for j in pl.range(2):\n    pass\n"},
        {"other loops", "for j in pl.parallel(2):\n    pass\nfor j in pl.unroll(2):\n    pass\n",
         "for j in pl.parallel(2):\n    pass\nfor j in pl.unroll(2):\n    pass\n"},
        {"pipeline", "for j in pl.pipeline(i, stage=2):\n    pass\n",
         "for j in pl.pipeline(i, stage=2):\n    pass\n"},
        {"loop attributes", "for j in pl.range(i, attrs={\"grouped\": True}):\n    pass\n",
         "for j in pl.range(i, attrs={\"grouped\": True}):\n    pass\n"},
        {"loop state",
         "for j, (a,) in pl.range(i, init_values=(n,)):\n    r: pl.Scalar[pl.INT32] = pl.yield_(a "
         "+ 1)\nreturn r\n",
         "for j, (a,) in pl.range(i, init_values=(n,)):\n    r: pl.Scalar[pl.INT32] = pl.yield_(a "
         "+ 1)\nreturn r\n"},
        {"loop state of two",
         "for j, (a, c) in pl.range(i, init_values=[n, i]):\n    r, s = pl.yield_(a, c)\nreturn "
         "s\n",
         "for j, (a, c) in pl.range(i, init_values=(n, i)):\n    r, s = pl.yield_(a, c)\nreturn "
         "s\n"},
        {"while", "while i < 2:\n    break\n", "while i < 2:\n    break\n"},
        {"while with state",
         "for (a,) in pl.while_(init_values=(n,)):\n    pl.cond(a < 2)\n    r = pl.yield_(a + "
         "1)\nreturn r\n",
         "for (a,) in pl.while_(init_values=(n,)):\n    pl.cond(a < 2)\n"
         "    r: pl.Scalar[pl.INT32] = pl.yield_(a + 1)\nreturn r\n"},
        {"state in parentheses of its own",
         "for (j, (a,)) in pl.range(i, init_values=(n,)):\n    r = pl.yield_(a)\n",
         "for j, (a,) in pl.range(i, init_values=(n,)):\n"
         "    r: pl.Scalar[pl.INT32] = pl.yield_(a)\n"},
        {"while with state without parentheses",
         "for a, c in pl.while_(init_values=(n, i)):\n    pl.cond(c < 2)\n    r, s = pl.yield_(a, "
         "c + "
         "1)\n",
         "for (a, c) in pl.while_(init_values=(n, i)):\n    pl.cond(c < 2)\n    r, s = "
         "pl.yield_(a, c "
         "+ 1)\n"},
        {"yield in parentheses",
         "for j, (a,) in pl.range(i, init_values=(n,)):\n    r: pl.Scalar[pl.INT32] = (\n        "
         "(pl.yield_(a))\n    )\n",
         "for j, (a,) in pl.range(i, init_values=(n,)):\n"
         "    r: pl.Scalar[pl.INT32] = pl.yield_(a)\n"},
        {"state that nothing carries on: what is assigned is another variable",
         "for j, (a,) in pl.range(i, init_values=(n,)):\n    a = a + 1\n    y = a\nz = n\n",
         "for j, (a,) in pl.range(i, init_values=(n,)):\n    a_1: pl.Scalar[pl.INT32] = a + 1\n"
         "    y: pl.Scalar[pl.INT32] = a_1\nz: pl.Scalar[pl.INT32] = n\n"},
        {"the yield of a loop in the body is not its own",
         "for j, (a,) in pl.range(i, init_values=(n,)):\n"
         "    for m, (c,) in pl.range(i, init_values=(a,)):\n        r = pl.yield_(c)\n    a = r\n",
         "for j, (a,) in pl.range(i, init_values=(n,)):\n"
         "    for m, (c,) in pl.range(i, init_values=(a,)):\n"
         "        r: pl.Scalar[pl.INT32] = pl.yield_(c)\n    a_1: pl.Scalar[pl.INT32] = r\n"},
        {"phi", "if b:\n    y = pl.yield_(n)\nelse:\n    y = pl.yield_(n + 1)\nreturn y\n",
         "if b:\n    y: pl.Scalar[pl.INT32] = pl.yield_(n)\nelse:\n"
         "    y: pl.Scalar[pl.INT32] = pl.yield_(n + 1)\nreturn y\n"},
        {"elif nests", "if b:\n    pass\nelif i < 1:\n    return\nelse:\n    return\n",
         "if b:\n    pass\nelse:\n    if i < 1:\n        return\n    else:\n        return\n"},
        {"elif with a phi",
         "if b:\n    y = pl.yield_(n)\nelif i < 1:\n    y = pl.yield_(n + 1)\nelse:\n"
         "    y = pl.yield_(n + 2)\nreturn y\n",
         "if b:\n    y: pl.Scalar[pl.INT32] = pl.yield_(n)\nelse:\n    if i < 1:\n"
         "        y_1: pl.Scalar[pl.INT32] = pl.yield_(n + 1)\n    else:\n"
         "        y_1: pl.Scalar[pl.INT32] = pl.yield_(n + 2)\n"
         "    y: pl.Scalar[pl.INT32] = pl.yield_(y_1)\nreturn y\n"},
        {"elif twice, with two phis",
         "if b:\n    y, z = pl.yield_(n, i)\nelif i < 1:\n    y, z = pl.yield_(1, i)\n"
         "elif i < 2:\n    y, z = pl.yield_(n, 2)\nelse:\n    y, z = pl.yield_(n, 3)\nreturn z\n",
         "if b:\n    y, z = pl.yield_(n, i)\nelse:\n    if i < 1:\n"
         "        y_1, z_1 = pl.yield_(1, i)\n    else:\n        if i < 2:\n"
         "            y_2, z_2 = pl.yield_(n, 2)\n        else:\n"
         "            y_2, z_2 = pl.yield_(n, 3)\n        y_1, z_1 = pl.yield_(y_2, z_2)\n"
         "    y, z = pl.yield_(y_1, z_1)\nreturn z\n"},
        {"one-line body", "if b: return\n", "if b:\n    return\n"},
        {"scope", "with pl.incore():\n    y = i\n",
         "with pl.incore():\n    y: pl.Scalar[pl.INDEX] = i\n"},
        {"continuation", "y = i + \\\n    1\nz = (i +\n  # why\n  2)\n",
         "y: pl.Scalar[pl.INDEX] = i + 1\nz: pl.Scalar[pl.INDEX] = i + 2\n"},
    };
    EXPECT_BODIES(cases);
}

Test(print, calls)
{
    static const struct body_case cases[] = {
        {"unified load", "t = pl.load(x, [0, 0], [1, 64])\n",
         "t: pl.Tile[[1, 64], pl.FP32] = pl.tile.load(x, [0, 0], [1, 64], [1, 64])\n"},
        {"load by keyword",
         "t = pl.load(x, shapes=[1, 64], offsets=[i, 0], target_memory=pl.Mem.Vec)\n",
         "t: pl.Tile[[1, 64], pl.FP32] = pl.tile.load(x, [i, 0], [1, 64], [1, 64], "
         "target_memory=pl.Mem.Vec)\n"},
        {"unified store", "t = pl.load(x, (0, 0), (1, 64))\no = pl.store(t, [0, 0], out)\n",
         "t: pl.Tile[[1, 64], pl.FP32] = pl.tile.load(x, [0, 0], [1, 64], [1, 64])\n"
         "o: pl.Tensor[[4, 64], pl.FP32] = pl.tile.store(t, [0, 0], out)\n"},
        {"assigning a parameter again",
         "t = pl.load(x, [0, 0], [1, 64])\nout = pl.store(t, [0, 0], out)\nreturn out\n",
         "t: pl.Tile[[1, 64], pl.FP32] = pl.tile.load(x, [0, 0], [1, 64], [1, 64])\n"
         "out = pl.tile.store(t, [0, 0], out)\nreturn out\n"},
        {"a name for another shape is another variable", "x = pl.load(x, [0, 0], [1, 64])\ny = x\n",
         "x_1: pl.Tile[[1, 64], pl.FP32] = pl.tile.load(x, [0, 0], [1, 64], [1, 64])\n"
         "y: pl.Tile[[1, 64], pl.FP32] = x_1\n"},
        {"unified read and write", "y = pl.read(x, [i, 0])\npl.write(out, [i, 0], y)\n",
         "y: pl.Scalar[pl.FP32] = pl.tensor.read(x, [i, 0])\npl.tensor.write(out, [i, 0], y)\n"},
        {"unified add of tiles and scalars",
         "t = pl.load(x, [0, 0], [1, 64])\nu = pl.add(t, t)\nv = pl.mul(t, 2.0)\nw = pl.add(x, "
         "x)\n",
         "t: pl.Tile[[1, 64], pl.FP32] = pl.tile.load(x, [0, 0], [1, 64], [1, 64])\n"
         "u: pl.Tile[[1, 64], pl.FP32] = pl.tile.add(t, t)\n"
         "v: pl.Tile[[1, 64], pl.FP32] = pl.tile.muls(t, 2.0)\n"
         "w: pl.Tensor[[4, 64], pl.FP32] = pl.tensor.add(x, x)\n"},
        {"reductions and casts",
         "t = pl.load(x, [0, 0], [4, 64])\nr = pl.row_max(t)\nc = pl.cast(t, pl.FP16)\n",
         "t: pl.Tile[[4, 64], pl.FP32] = pl.tile.load(x, [0, 0], [4, 64], [4, 64])\n"
         "r: pl.Tile[[4, 1], pl.FP32] = pl.tile.row_max(t)\n"
         "c: pl.Tile[[4, 64], pl.FP16] = pl.tile.cast(t, target_type=pl.FP16)\n"},
        {"a computed tile lies in no memory yet",
         "t: pl.Tile[[4, 8], pl.FP32, pl.Mem.Vec] = pl.mystery()\nu = pl.exp(t)\n",
         "t: pl.Tile[[4, 8], pl.FP32, pl.Mem.Vec] = pl.mystery()\n"
         "u: pl.Tile[[4, 8], pl.FP32] = pl.tile.exp(t)\n"},
        {"constants by position", "t = pl.full([1, 8], pl.INT32, 0)\n",
         "t: pl.Tile[[1, 8], pl.INT32] = pl.tile.full([1, 8], dtype=pl.INT32, value=0)\n"},
        {"enum keywords print as integers",
         "pld.system.notify(sig, n, [0, 0], 1, op=pld.NotifyOp.Set)\npld.system.wait(sig, [0, 0], "
         "1, cmp=pld.WaitCmp.Ge)\n",
         "pld.system.notify(sig, n, [0, 0], 1, op=1)\npld.system.wait(sig, [0, 0], 1, cmp=1)\n"},
        {"atomic prints by name",
         "t = pl.load(x, [0, 0], [1, 64])\npld.tile.remote_store(t, win, n, [0, 0], "
         "atomic=pld.AtomicType.Add)\n",
         "t: pl.Tile[[1, 64], pl.FP32] = pl.tile.load(x, [0, 0], [1, 64], [1, 64])\n"
         "pld.tile.remote_store(t, win, n, [0, 0], atomic=pl.AtomicType.Add)\n"},
        {"regions by keyword skip the second stage",
         "s = pl.create_tile([1, 64], dtype=pl.FP32)\n"
         "pld.tile.put(win, n, x, s, dst_offsets=[0, 0], src_offsets=[1, 0], shape=[1, 64], "
         "atomic=0)\n",
         "s: pl.Tile[[1, 64], pl.FP32] = pl.tile.create([1, 64], dtype=pl.FP32)\n"
         "pld.tile.put(win, n, x, s, [0, 0], [1, 0], [1, 64], atomic=pl.AtomicType.None_)\n"},
        {"short communication forms",
         "c = pld.get_comm_ctx(win)\nr = pld.rank(c)\nt = pld.remote_load(win, r, [0, 0], [1, "
         "64])\n"
         "pld.remote_store(t, win, r, [0, 0])\npld.remote_store(x, win, r, [0, 0])\n",
         "c: pld.CommCtx = pld.system.get_comm_ctx(win)\nr: pl.Scalar[pl.INT32] = "
         "pld.system.rank(c)\n"
         "t: pl.Tile[[1, 64], pl.FP32] = pld.tile.remote_load(win, r, [0, 0], [1, 64])\n"
         "pld.tile.remote_store(t, win, r, [0, 0])\npld.tensor.remote_store(x, win, r, [0, 0])\n"},
        {"markers",
         "pl.system.fence()\npl.system.cacheinvalid()\npl.system.cacheinvalid(win, [4, 64], [0, "
         "0])\n",
         "pl.system.fence()\npl.system.cacheinvalid()\npl.system.cacheinvalid(win, [4, 64], [0, "
         "0])\n"},
        {"physical tail padding",
         "t = pld.tile._remote_load_with_physical_tail_padding(win, n, [0, 0], [1, 64], [1, 60])\n",
         "t: pl.Tile[[1, 64], pl.FP32] = "
         "pld.tile._remote_load_with_physical_tail_padding(win, n, [0, 0], [1, 64], [1, 60])\n"},
        {"unknown operators keep everything",
         "y = pl.tile.mystery(x, [1, (2,)], None, k='a', w=pl.PadValue.min, attrs={\"d\": [1, "
         "2]})\n",
         "y = pl.tile.mystery(x, [1, (2,)], None, k='a', w=pl.PadValue.min, attrs={\"d\": [1, "
         "2]})\n"},
        {"strings", "pl.note('a\"b', \"c'd\", 'e\\n\\\\')\n",
         "pl.note('a\"b', 'c\\'d', 'e\\n\\\\')\n"},
        {"constants inside a dict stay expressions",
         "pl.note(attrs={\"v\": pl.const(-1, pl.INDEX), \"w\": -1})\n",
         "pl.note(attrs={\"v\": pl.const(-1, pl.INDEX), \"w\": -1})\n"},
        {"result of a side effect", "r = pld.system.wait(sig, [0, 0], 1, cmp=0)\n",
         "r: pl.UnknownType = pld.system.wait(sig, [0, 0], 1, cmp=0)\n"},
        {"slice with dropped dimensions", "y = pl.tensor.slice(x, [1, 64], [i, 0], [], [0])\n",
         "y: pl.Tensor[[64], pl.FP32] = pl.tensor.slice(x, [1, 64], [i, 0], [], [0])\n"},
        {"view of a window stays a window", "y = pl.tensor.view(win, [1, 256])\n",
         "y: pld.DistributedTensor[[1, 256], pl.FP32] = pl.tensor.view(win, [1, 256])\n"},
        {"recorded call",
         "pl._dump.call('tensor.view', [win], pld.DistributedTensor[[256], pl.FP32], "
         "kwargs={\"a\": 1})\n",
         "pl._dump.call('tensor.view', [win], pld.DistributedTensor[[256], pl.FP32], "
         "kwargs={\"a\": 1})\n"},
    };
    EXPECT_BODIES(cases);
}

Test(print, types)
{
    static const struct body_case cases[] = {
        {"memory annotations",
         "t: pl.Tile[[1, 64], pl.FP32, pl.MemRef(\"m\", pl.const(0, pl.INT64), 256), pl.Mem.Vec, "
         "pl.TileView(valid_shape=[n, 4], pad=pl.PadValue.min)] = pl.tile.load(x, [0, 0], [1, 64], "
         "[1, 64])\n",
         "t: pl.Tile[[1, 64], pl.FP32, pl.MemRef(\"m\", pl.const(0, pl.INT64), 256), pl.Mem.Vec, "
         "pl.TileView(valid_shape=[n, 4], pad=pl.PadValue.min)] = pl.tile.load(x, [0, 0], [1, 64], "
         "[1, 64])\n"},
        {"memory variable",
         "m: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 256)\n"
         "t: pl.Tile[[1, 64], pl.FP32, pl.MemRef(m, i * 64, 256)] = pl.tile.load(x, [0, 0], [1, "
         "64], [1, 64])\n",
         "m: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 256)\n"
         "t: pl.Tile[[1, 64], pl.FP32, pl.MemRef(m, i * 64, 256)] = pl.tile.load(x, [0, 0], [1, "
         "64], [1, 64])\n"},
        {"slots of a memory",
         "t: pl.Tile[[8], pl.FP32, pl.MemRef(\"p\", slots=2)[i % 2]] = pl.mystery()\n",
         "t: pl.Tile[[8], pl.FP32, pl.MemRef(\"p\", slots=2)[i % 2]] = pl.mystery()\n"},
        {"legacy window marker is dropped",
         "w: pld.DistributedTensor[[4], pl.FP32, \"window_buffer=buf\"] = pl.mystery()\n",
         "w: pld.DistributedTensor[[4], pl.FP32] = pl.mystery()\n"},
        {"other types", "w: pl.Array[4, pl.TASK_ID] = pl.mystery()\n",
         "w: pl.Array[4, pl.TASK_ID] = pl.mystery()\n"},
        {"empty tuple", "w: pl.Tuple[()] = ()\n", "w: pl.Tuple[()] = ()\n"},
        {"context under its other name", "c: pld.CommCtxType = pld.system.get_comm_ctx(win)\n",
         "c: pld.CommCtx = pld.system.get_comm_ctx(win)\n"},
        {"implicit symbols", "w: pl.Tensor[[ROWS * 2, 4], pl.FP32] = pl.mystery()\ny = ROWS\n",
         "w: pl.Tensor[[ROWS * 2, 4], pl.FP32] = pl.mystery()\ny: pl.Scalar[pl.INDEX] = ROWS\n"},
    };
    EXPECT_BODIES(cases);
}

Test(print, names)
{
    static const struct body_case cases[] = {
        {"a type means the value that its extent had",
         "m = 64\nv = pl.tensor.slice(x, [4, m], [0, 0])\nm = 16\ny = m\n",
         "m: pl.Scalar[pl.INDEX] = 64\n"
         "v: pl.Tensor[[4, m], pl.FP32] = pl.tensor.slice(x, [4, m], [0, 0])\n"
         "m_1: pl.Scalar[pl.INDEX] = 16\n"
         "y: pl.Scalar[pl.INDEX] = m_1\n"},
        {"but where a path leaves the assignment out",
         "m = 64\nv = pl.tensor.slice(x, [4, m], [0, 0])\nif b:\n    m = 16\ny = m\n",
         "m: pl.Scalar[pl.INDEX] = 64\n"
         "v: pl.Tensor[[4, m], pl.FP32] = pl.tensor.slice(x, [4, m], [0, 0])\n"
         "if b:\n    m = 16\n"
         "y: pl.Scalar[pl.INDEX] = m\n"},
        {"and where no type reads the name", "m = 64\nm = 16\ny = m\n",
         "m: pl.Scalar[pl.INDEX] = 64\nm = 16\ny: pl.Scalar[pl.INDEX] = m\n"},
        {"sibling loops share a name",
         "for j in pl.range(2):\n    y = j\nfor j in pl.range(3):\n    y = j\n",
         "for j in pl.range(2):\n    y: pl.Scalar[pl.INDEX] = j\nfor j in pl.range(3):\n    y = "
         "j\n"},
        {"nested loops do not",
         "for j in pl.range(2):\n    for j in pl.range(3):\n        y = j\n    z = j\n",
         "for j in pl.range(2):\n    for j_1 in pl.range(3):\n        y: pl.Scalar[pl.INDEX] = "
         "j_1\n"
         "    z: pl.Scalar[pl.INDEX] = j\n"},
        {"a loop hides a parameter", "for n in pl.range(2):\n    y = n\nz = n\n",
         "for n_1 in pl.range(2):\n    y: pl.Scalar[pl.INDEX] = n_1\nz: pl.Scalar[pl.INT32] = n\n"},
        {"the result of a loop is not its iteration variable",
         "for j, (a,) in pl.range(2, init_values=(n,)):\n    a = pl.yield_(a)\ny = a\n",
         "for j, (a,) in pl.range(2, init_values=(n,)):\n    a_1: pl.Scalar[pl.INT32] = "
         "pl.yield_(a)\n"
         "y: pl.Scalar[pl.INT32] = a_1\n"},
        {"a variable hides a symbol of a type",
         "w: pl.Tensor[[ROWS, 4], pl.FP32] = pl.mystery()\nROWS = n\nz = ROWS\n",
         "w: pl.Tensor[[ROWS, 4], pl.FP32] = pl.mystery()\nROWS_1: pl.Scalar[pl.INT32] = n\n"
         "z: pl.Scalar[pl.INT32] = ROWS_1\n"},
    };
    EXPECT_BODIES(cases);
}

/* Whole programs; printed again, each is itself. */
static const struct {
    const char *name, *text;
} programs[] = {
    {"printed kernel",
     "# pypto.program: push\n"
     "import pypto.language as pl\n"
     "import pypto.language.distributed as pld\n"
     "NR = pl.dynamic(\"NR\")\n"
     "SIZE = 64\n"
     "@pl.program\n"
     "class push:\n"
     "    \"\"\"One push.\"\"\"\n"
     "    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)\n"
     "    def kernel(inp__ssa_v0: pl.Tensor[[1, SIZE], pl.FP32], win__ssa_v0: "
     "pl.InOut[pld.DistributedTensor[[NR, SIZE], pl.FP32]], win_ctx: pld.CommCtx) -> "
     "tuple[pl.Tensor[[1, SIZE], pl.FP32], pl.Scalar[pl.INT32]]:\n"
     "        \"\"\"Says \\\"hi\\\".\n"
     "\n"
     "        Twice.\"\"\"\n"
     "        return\n"
     "    @pl.function\n"
     "    def empty():\n"
     "        pass\n"},
    {"host function",
     "import pypto.language as pl\n"
     "import pypto.language.distributed as pld\n"
     "@pl.program\n"
     "class host:\n"
     "    @pl.function(type=pl.FunctionType.InCore)\n"
     "    def k(self, w: pl.InOut[pld.DistributedTensor[[8], pl.FP32]]):\n"
     "        return\n"
     "    @pl.function(type=pl.FunctionType.Orchestration)\n"
     "    def chip(self, w: pl.InOut[pld.DistributedTensor[[8], pl.FP32]]):\n"
     "        out, tid = pl.submit(self.k, w, deps=[], attrs={\"arg_directions\": "
     "[pl.adir.inout]})\n"
     "        self.k(w)\n"
     "    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)\n"
     "    def main(self, x: pl.Tensor[[2, 8], pl.FP32]):\n"
     "        with pl._dump.comm_domain(name='comm_d0', devices=[], "
     "slots=[pl._dump.window_buffer(\"buf_window\", base=\"buf\", size=ws * 32, "
     "load_from_host=False, "
     "store_to_host=True)]):\n"
     "            ws: pl.Scalar[pl.INT64] = pld.system.world_size()\n"
     "            buf: pl.Ptr = pld.tensor.alloc_window_buffer(ws * 32)\n"
     "            for r in pl.range(ws):\n"
     "                w: pld.DistributedTensor[[8], pl.FP32, pl._dump.window_ref(\"buf_window\")] "
     "= "
     "pl._dump.call('pld.tensor.window', [buf, [8]], pld.DistributedTensor[[8], pl.FP32, "
     "pl._dump.window_ref(\"buf_window\")], kwargs={\"dtype\": pl.FP32})\n"
     "                y: pl.Tensor[[8], pl.FP32] = x[r]\n"
     "                self.chip(w, device=r, attrs={\"arg_directions\": [pl.adir.inout]})\n"},
    {"bare functions", "\"\"\"About.\"\"\"\n"
                       "import pypto.language as pl\n"
                       "import pypto.language.distributed as pld\n"
                       "@pl.function(type=pl.FunctionType.InCore)\n"
                       "def k(a: pl.Scalar[pl.INT32]):\n"
                       "    return\n"
                       "@pl.function(type=pl.FunctionType.Orchestration)\n"
                       "def main(a: pl.Scalar[pl.INT32]):\n"
                       "    k(a)\n"
                       "    t = pl.submit(k, a)\n"},
    {"a size in a parameter's type may come later",
     "import pypto.language as pl\n"
     "import pypto.language.distributed as pld\n"
     "@pl.function\n"
     "def k(x: pl.Tensor[[rows, 4], pl.FP32], rows: pl.Scalar[pl.INDEX]):\n"
     "    y: pl.Scalar[pl.INDEX] = rows\n"},
};

Test(print, programs)
{
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        struct arena a = {0};
        struct ir_program *p = parse_good(&a, programs[i].name, programs[i].text);
        expect_text(programs[i].name, ir_print(&a, p), programs[i].text);
        expect_round_trip(programs[i].name, p);
        arena_free(&a);
    }
}

/* The extents of a result may be parameters: to the caller they are its arguments. */
Test(print, results_of_calls)
{
    static const char function[] =
        "@pl.function\n"
        "def k(n: pl.Scalar[pl.INDEX], x: pl.Tensor[[n * 2, 4], pl.FP32]) -> "
        "pl.Tensor[[n * 2, 4], pl.FP32]:\n"
        "    return x\n";
    static const struct body_case cases[] = {
        {"variable", "y = k(m, x)\n", "y: pl.Tensor[[m * 2, 4], pl.FP32] = k(m, x)\n"},
        {"literal", "y = k(3, x)\n", "y: pl.Tensor[[3 * 2, 4], pl.FP32] = k(3, x)\n"},
        {"keyword", "y = k(x=x, n=m)\n", "y: pl.Tensor[[m * 2, 4], pl.FP32] = k(m, x)\n"},
        {"computed argument", "y = k(m + 1, x)\n", "y = k(m + 1, x)\n"},
        {"launch", "y, t = pl.submit(k, m, x)\n", "y, t = pl.submit(k, m, x)\n"},
        {"launch with nested names", "(y, z), t = pl.submit(k, m, x)\n",
         "y, z, t = pl.submit(k, m, x)\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena a = {0};
        struct ir_program *p = parse_good(
            &a, cases[i].name,
            arena_printf(&a, "%sdef main(m: pl.Scalar[pl.INDEX], x: pl.UnknownType):\n    %s",
                         function, cases[i].source));
        const char *printed = strstr(ir_print(&a, p), "x: pl.UnknownType):\n    ");
        cr_assert(printed);
        expect_text(cases[i].name, printed + strlen("x: pl.UnknownType):\n    "), cases[i].printed);
        expect_round_trip(cases[i].name, p);
        arena_free(&a);
    }
}

/* A call may stand before the function that it calls: the result has the type all the same. */
Test(print, results_of_functions_that_follow)
{
    static const char head[] = "def main(self, x: pl.UnknownType):\n";
    static const char tail[] =
        "def k(x: pl.UnknownType) -> pl.Tensor[[C], pl.FP32]:\n    return x\n"
        "def h(x: pl.UnknownType) -> tuple[pl.Tensor[[4], pl.FP32], pl.Scalar[pl.INT32]]:\n"
        "    y = main(x)\n    return x, 1\n"
        "def g(x: pl.UnknownType):\n    return\n";
    static const struct body_case cases[] = {
        {"one value", "y = self.k(x)\n", "y: pl.Tensor[[C], pl.FP32] = k(x)\n"},
        {"two values", "y, z = self.h(x)\n    w = z\n",
         "y, z = h(x)\n    w: pl.Scalar[pl.INT32] = z\n"},
        {"launch", "y, t = pl.submit(self.k, x)\n    z = y\n",
         "y, t = pl.submit(k, x)\n    z: pl.Tensor[[C], pl.FP32] = y\n"},
        {"no value", "y = self.g(x)\n", "y = g(x)\n"},
        {"one-line body before it", "return\ndef one(x: pl.UnknownType): y = k(x)\n",
         "return\n@pl.function\ndef one(x: pl.UnknownType):\n    y: pl.Tensor[[C], pl.FP32] = "
         "k(x)\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena a = {0};
        struct ir_program *p = parse_good(
            &a, cases[i].name, arena_printf(&a, "C = 4\n%s    %s%s", head, cases[i].source, tail));
        const char *printed = strstr(ir_print(&a, p), "self, x: pl.UnknownType):\n    ");
        cr_assert(printed);
        printed += strlen("self, x: pl.UnknownType):\n    ");
        const char *end = strstr(printed, "@pl.function\ndef k");
        end = end ? end : strstr(printed, "def k");
        cr_assert(end);
        expect_text(cases[i].name, arena_printf(&a, "%.*s", (int)(end - printed), printed),
                    cases[i].printed);
        expect_round_trip(cases[i].name, p);
        arena_free(&a);
    }
}

Test(print, fragments_for_messages)
{
    struct arena a = {0};
    struct ir_program *p =
        parse_good(&a, "fragment", kernel_text(&a, "y = pl.load(x, [i, 0], [1, 64])\n"));
    const struct ir_stmt *s = p->funcs.items[0]->body.items[0];
    expect_text("expression", ir_print_expr(&a, s->assign.value),
                "pl.tile.load(x, [i, 0], [1, 64], [1, 64])");
    expect_text("type", ir_print_type(&a, s->assign.targets.items[0]->type),
                "pl.Tile[[1, 64], pl.FP32]");
    arena_free(&a);
}
