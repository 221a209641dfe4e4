# SPDX-License-Identifier: MIT
"""The nodes of a printed program, as far as visitors of the compiler's tests ask: which operators are called, with which
constants, and which statements stand in which."""
import ast

from language import ENUMERATORS, Program, not_comparable


class Node:
    def __init__(self, node):
        self.node = node

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return not_comparable(f"{type(self).__name__}.{name}")


class Operator:
    def __init__(self, name):
        self.name = name


class Block(Node):
    @property
    def stmts(self):
        return [made(n) for n in self.node]


class Expr(Node):
    pass


class ConstInt(Expr):
    @property
    def value(self):
        return ast.literal_eval(self.node.args[0] if isinstance(self.node, ast.Call) else self.node)


class Var(Expr):
    @property
    def name_hint(self):
        return self.node.id


class MakeTuple(Expr):
    @property
    def elements(self):
        return [made(n) for n in self.node.elts]


class Call(Expr):
    @property
    def op(self):
        name = operator_name(self.node)
        return Operator(SPELLINGS.get(name, (name,))[0])

    @property
    def kwargs(self):
        """Those whose value is a literal or an enumerator, and those that the operator's spelling stands for."""
        values = {k.arg: k.value.value if isinstance(k.value, ast.Constant) else ENUMERATORS.get(ast.unparse(k.value))
                  for k in self.node.keywords}
        stated = {name: value for name, value in values.items() if value is not None}
        return {**stated, **dict(SPELLINGS.get(operator_name(self.node), ())[1:])}

    @property
    def args(self):
        return [made(n) for n in self.node.args]


class Stmt(Node):
    @property
    def body(self):
        return Block(self.node.body)


class ForStmt(Stmt):
    @property
    def stop(self):
        arguments = self.node.iter.args
        return made(arguments[1] if len(arguments) > 1 else arguments[0])


class WhileStmt(Stmt):
    pass


class IfStmt(Stmt):
    @property
    def then_body(self):
        return Block(self.node.body)

    @property
    def else_body(self):
        return Block(self.node.orelse) if self.node.orelse else None

    @property
    def condition(self):
        return made(self.node.test)


class AssignStmt(Stmt):
    @property
    def value(self):
        return made(self.node.value)

    @property
    def var(self):
        return made(self.node.target if isinstance(self.node, ast.AnnAssign) else self.node.targets[0])


class EvalStmt(Stmt):
    @property
    def expr(self):
        return made(self.node.value)


class ReturnStmt(Stmt):
    pass


def operator_name(call):
    """'tile.load' of pl.tile.load(..), 'pld.system.wait' of pld.system.wait(..), None of pl.cast(..) and the like."""
    text = ast.unparse(call.func)
    parts = text.split(".")
    if parts[0] == "pl" and len(parts) == 3:
        return ".".join(parts[1:])
    return text if (parts[0] == "pld" and len(parts) == 3) or parts[0] == "self" else None


# Operators that are printed under another name, with the keyword that it stands for.
SPELLINGS = {"pld.tile._remote_load_with_physical_tail_padding":
             ("pld.tile.remote_load", ("allow_physical_tail_padding", True))}

# Operators of expressions, by the class that the compiler has for each.
OPERATORS = {name: type(name, (Expr,), {}) for name in
             ("Min", "Max", "Cast", "Abs", "Add", "Sub", "Mult", "FloorDiv", "Div", "Mod", "Eq", "NotEq", "Lt", "LtE", "Gt",
              "GtE", "And", "Or", "Not", "USub")}
OPERATORS.update({"Mul": OPERATORS["Mult"], "FloatDiv": OPERATORS["Div"], "FloorMod": OPERATORS["Mod"],
                  "Ne": OPERATORS["NotEq"], "Le": OPERATORS["LtE"], "Ge": OPERATORS["GtE"], "Neg": OPERATORS["USub"]})

KINDS = {ast.For: ForStmt, ast.While: WhileStmt, ast.If: IfStmt, ast.Assign: AssignStmt, ast.AnnAssign: AssignStmt,
         ast.Expr: EvalStmt, ast.Return: ReturnStmt, ast.Name: Var, ast.List: MakeTuple, ast.Tuple: MakeTuple}


def made(node):
    if isinstance(node, ast.Call):
        function = ast.unparse(node.func)
        if function == "pl.const":
            return ConstInt(node)
        return Call(node) if operator_name(node) else OPERATORS.get(function[3:].title(), Expr)(node)
    if is_integer(node):
        return ConstInt(node)
    operator = getattr(node, "ops", [getattr(node, "op", None)])[0]
    if type(operator).__name__ in OPERATORS:
        return OPERATORS[type(operator).__name__](node)
    return KINDS.get(type(node), Stmt if isinstance(node, ast.stmt) else Expr)(node)


def is_integer(node):
    try:
        return type(ast.literal_eval(node)) is int
    except ValueError:
        return False


HOOKS = {Call: "visit_call", ForStmt: "visit_for_stmt", IfStmt: "visit_if_stmt", WhileStmt: "visit_while_stmt",
         AssignStmt: "visit_assign_stmt", EvalStmt: "visit_eval_stmt", ReturnStmt: "visit_return_stmt"}


class IRVisitor:
    def visit_program(self, p):
        if not isinstance(p, Program):
            not_comparable("visiting no program")
        for node in ast.walk(ast.parse(p.printed)):
            if isinstance(node, ast.FunctionDef):
                self._visit_all(node.body)

    def _visit_all(self, nodes):
        for node in nodes:
            thing = made(node)
            hook = HOOKS.get(type(thing))
            if hook:
                getattr(self, hook)(thing)
            else:
                self._visit_all(ast.iter_child_nodes(node))

    def _into(self, thing):
        self._visit_all(ast.iter_child_nodes(thing.node))

    def visit_stmt(self, thing):
        self._visit_all(thing.node if isinstance(thing, Block) else [thing.node])

    visit_expr = _walk_stmt = visit_stmt


for hook in HOOKS.values():
    setattr(IRVisitor, hook, IRVisitor._into)
