# SPDX-License-Identifier: MIT
"""The modules that tests import: the compiler's and torch, whatever is under them."""
import importlib.abc
import importlib.machinery
import sys
import types

import language as l
import nodes

LANGUAGE = {
    "program": l.program, "function": l.function, "inline": l.inline, "dynamic": l.Dynamic,
    "parse_program": l.parse_program, "parse": l.parse_program, "loads": l.loads_program,
    "loads_program": l.loads_program, "jit": l.Opaque("pl.jit"),
}
PASSES = {
    "PassContext": l.PassContext, "PassPipeline": l.PassPipeline, "IRProperty": l.Name("IRProperty"),
    "verify_properties": l.verify_properties,
}
IR = {
    "assert_structural_equal": l.assert_structural_equal, "structural_equal": l.structural_equal,
    "python_print": lambda p, *a, **k: str(p), "get_op": nodes.Operator, "compile": l.compile_program, "Program": l.Program, "Function": l.Function,
    **{k.__name__: k for k in (nodes.IRVisitor, nodes.Expr, nodes.ConstInt, nodes.Var, nodes.MakeTuple, nodes.Call,
                               nodes.Stmt, nodes.ForStmt, nodes.WhileStmt, nodes.IfStmt, nodes.AssignStmt,
                               nodes.EvalStmt, nodes.ReturnStmt)},
    **nodes.OPERATORS,
}
# Names of the language, by the module or class that the tests take them from.
NAMES = {"DataType": "pl", "MemorySpace": "pl.MemorySpace", "FunctionType": "pl.FunctionType", "Level": "pl.Level",
         "Role": "pl.Role", "TensorLayout": "pl.TensorLayout", "TileLayout": "pl.TileLayout",
         "PadValue": "pl.PadValue", "SplitMode": "pl.SplitMode", "ReduceOp": "pld.ReduceOp",
         "NotifyOp": "pld.NotifyOp", "WaitCmp": "pld.WaitCmp", "AtomicType": "pl.AtomicType"}
NOT_A_LIBRARY = ("pypto",)


class StandIn(types.ModuleType):
    __path__ = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return member(self.__name__, name)


def member(module, name):
    if not module.startswith(NOT_A_LIBRARY):
        return l.Lenient(f"{module}.{name}")
    if module.startswith("pypto.language"):
        prefix = "pld" if module.startswith("pypto.language.distributed") else "pl"
        if name in LANGUAGE:
            return LANGUAGE[name]
        return l.errors[name] if name.endswith("Error") else l.Name(f"{prefix}.{name}")
    if name == "DistributedConfig":
        return l.DistributedConfig
    if module == "pypto.runtime" or module == "pypto.ir.distributed_compiled_program":
        return l.Lenient(f"{module}.{name}")
    if name.endswith("Error"):
        return l.errors[name]
    if name in NAMES:
        return l.Name(NAMES[name])
    if name in ("ir", "passes") or (module, name) == ("pypto", "language"):
        return sys.modules.get(f"{module}.{name}") or __import__(f"{module}.{name}", fromlist=["x"])
    if module.endswith("passes"):
        return PASSES.get(name) or (l.Pass(name) if name.islower() else l.Opaque("passes." + name))
    return IR[name] if name in IR else l.Opaque(f"{module}.{name}")


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("pypto", "torch", "torch_npu", "simpler", "ml_dtypes", "numpy"):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        return StandIn(spec.name)

    def exec_module(self, module):
        pass


sys.meta_path.insert(0, Finder())
