/* SPDX-License-Identifier: MIT */
/* What of a file is program, and what of the Python around it is passed over. */
#include "tests/ir/helpers.h"

#include "ir/print.h"

#define IMPORTS "import pypto.language as pl\nimport pypto.language.distributed as pld\n"
#define KERNEL                                                                                     \
    "@pl.program\nclass K:\n"                                                                      \
    "    @pl.function(type=pl.FunctionType.InCore)\n"                                              \
    "    def kernel(self, x: pl.Tensor[[N, 8], pl.FP32]):\n"                                       \
    "        return x\n"
#define PRINTED(globals) IMPORTS globals KERNEL

static const struct {
    const char *name, *text, *printed;
} kept[] = {
    {"golden function, main, guard",
     "import torch\nN = 4\n" KERNEL
     "def golden(a: torch.Tensor) -> torch.Tensor:\n    return a.clone()\n"
     "def main():\n    try:\n        golden(1)\n    except Exception as e:\n        raise\n"
     "if __name__ == \"__main__\":\n    main()\nelse:\n    pass\n",
     PRINTED("N = 4\n")},
    {"statements",
     "N = 4\nprint(N)\nassert N == 4, \"four\"\nx.y = 3\nx[0] = 2\n" KERNEL
     "for i in range(3):\n    N += i\nwith open(\"f\") as f:\n    pass\n",
     PRINTED("N = 4\n")},
    {"helper class",
     "N = 4\n@dataclass\nclass Case:\n    a: int = 3\n    def f(self):\n        pass\n" KERNEL,
     PRINTED("N = 4\n")},
    {"decorated function of something else",
     "N = 4\n@pytest.fixture()\ndef f(tmp_path):\n    yield tmp_path\n" KERNEL, PRINTED("N = 4\n")},
    {"tokens that are none of the language",
     "N = 4\np = r\"\\d+\\\"\" + f\"{N!r:>3}\" + b'\\q' + '\\q'\nx = a ? b\nz = 1j\n" KERNEL,
     PRINTED("N = 4\n")},
    {"a value from outside is a symbol", "N = len(SHAPES)\n" KERNEL,
     PRINTED("N = pl.dynamic(\"N\")\n")},
    {"unpacked values", "M, N = torch.randn(2, 3).shape\n" KERNEL,
     PRINTED("N = pl.dynamic(\"N\")\n")},
    {"a value from outside that nobody uses", "N = 4\nM = len(SHAPES)\n" KERNEL,
     PRINTED("N = 4\n")},
    {"factory",
     "def build(n: int, mode: str = \"mesh\", *, deep=False):\n    \"\"\"Doc.\"\"\"\n"
     "    if n % 2:\n        raise ValueError(f\"odd {n}\")\n    N = 4\n"
     "    @pl.program\n    class K:\n"
     "        @pl.function(type=pl.FunctionType.InCore)\n"
     "        def kernel(self, x: pl.Tensor[[N, 8], pl.FP32]):\n            return x\n    return "
     "K\n",
     PRINTED("N = 4\n")},
    {"a factory's parameter is a symbol",
     "def build(N: int):\n    @pl.program\n    class K:\n"
     "        @pl.function(type=pl.FunctionType.InCore)\n"
     "        def kernel(self, x: pl.Tensor[[N, 8], pl.FP32]):\n            return x\n    return "
     "K\n",
     PRINTED("N = pl.dynamic(\"N\")\n")},
    {"or has its default",
     "def build(N: int = 4):\n    @pl.program\n    class K:\n"
     "        @pl.function(type=pl.FunctionType.InCore)\n"
     "        def kernel(self, x: pl.Tensor[[N, 8], pl.FP32]):\n            return x\n    return "
     "K\n",
     PRINTED("N = 4\n")},
    {"jit functions",
     "@pl.jit.incore\ndef k(x: pl.Tensor[[4, 8], pl.FP32], n: pl.INT32):\n    return x\n"
     "@pl.jit\ndef c(x: pl.Tensor[[4, 8], pl.FP32]):\n    k(x, 1)\n"
     "@pl.jit.host(auto_scope=False)\ndef h(x: pl.Tensor[[4, 8], pl.FP32]):\n    c(x)\n"
     "def main():\n    h()\n",
     IMPORTS "@pl.function(type=pl.FunctionType.InCore)\n"
             "def k(x: pl.Tensor[[4, 8], pl.FP32], n: pl.Scalar[pl.INT32]):\n    return x\n"
             "@pl.function(type=pl.FunctionType.Orchestration)\n"
             "def c(x: pl.Tensor[[4, 8], pl.FP32]):\n    k(x, 1)\n"
             "@pl.function(auto_scope=False, level=pl.Level.HOST, role=pl.Role.Orchestrator)\n"
             "def h(x: pl.Tensor[[4, 8], pl.FP32]):\n    c(x)\n"},
    {"a bare function with a kernel's header",
     "@pl.function\ndef f(x: pl.Ptr):\n    return x\ndef g(x: pl.Ptr):\n    return x\n"
     "def h(x):\n    return x\n",
     IMPORTS "@pl.function\ndef f(x: pl.Ptr):\n    return x\n@pl.function\ndef g(x: pl.Ptr):\n    "
             "return x\n"},
};

Test(module, what_is_kept)
{
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        struct arena a = {0};
        struct ir_program *p = parse_good(&a, kept[i].name, kept[i].text);
        expect_text(kept[i].name, ir_print(&a, p), kept[i].printed);
        expect_round_trip(kept[i].name, p);
        arena_free(&a);
    }
}

/* What belongs to the program is held to its language, wherever it stands. */
static const struct {
    const char *name, *text, *error;
} errors[] = {
    {"unknown decorator of the language", KERNEL "@pl.functon\ndef f():\n    pass\n",
     "6:1: unknown decorator '@pl.functon', expected @pl.function"},
    {"a string of another kind in a body", "@pl.function\ndef f():\n    x = pl.mystery(f\"a\")\n",
     "3:20: this kind of string is no part of the language"},
    {"an escape in a body", "@pl.function\ndef f():\n    x = pl.mystery(\"\\q\")\n",
     "3:21: unknown escape in a string"},
    {"a string that is never closed ends everything", "x = \"\n" KERNEL,
     "1:5: the string is never closed"},
    {"two programs", "@pl.program\nclass A:\n    pass\n@pl.program\nclass B:\n    pass\n",
     "5:7: a file holds one program, and 'B' is a second one"},
    {"nothing of it outside", "@pl.function\ndef f():\n    y = M\nprint(M)\n",
     "3:9: undefined name 'M'"},
    {"no decorator, no Python", "def golden(a):\n    return a\n",
     "1:12: parameter 'a' needs a type"},
    {"a function that a line too far left cuts in two",
     "@pl.function\ndef f():\n    x = 1\ny = 2\n    z = 3\n",
     "5:5: expected a statement, found an indented block"},
    {"or one that nobody would bind", "@pl.function\ndef f():\n    x = 1\nprint(x)\n    z = 3\n",
     "5:5: expected a statement, found an indented block"},
    {"a class that is none", "@pl.function\ndef f():\n    x = 1\n  y = 2\n",
     "4:3: this indentation matches no open block"},
};

Test(module, errors)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        struct arena a = {0};
        const char *error;
        parse_text(&a, errors[i].text, &error);
        expect_text(errors[i].name, error ? short_error(&a, error) : "(parsed)", errors[i].error);
        arena_free(&a);
    }
}
