"""Every small change of a module that a test should notice:
what it is, where, and the changed syntax tree.

Annotations, decorators, docstrings, the texts of errors and what only the type checker reads stay
as they are.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

COMPARISONS: Final[dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
ARITHMETIC: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
CALLED: Final = {"min": "max", "max": "min", "any": "all", "all": "any"}
NOT_VISITED: Final = (ast.Raise, ast.JoinedStr, ast.Import, ast.ImportFrom, ast.Assert)
REMOVED: Final = (ast.Expr, ast.Assign, ast.AugAssign, ast.Continue, ast.Break)
FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True, slots=True)
class Mutation:
    """One change: *new* takes the place of what *holder* has in *field* (at *index*,
    if that is a list).
    """

    line: int
    place: str
    """The function, table or field it is in, as a reader would name it."""
    function: str
    """The qualified name of the outermost function around it;
    empty for tables, defaults and fields of classes.
    """
    first_line: int
    """The line of the function's ``def``, or of its first decorator."""
    before: str
    after: str
    holder: ast.AST
    field: str
    index: int | None
    new: object

    @property
    def name(self) -> str:
        """Such as ``may_adjust: points < 1 → points <= 1``."""
        return f"{self.place}: {self.before} → {self.after}"

    def put(self) -> object:
        """Change the tree; return what was there, which :meth:`take_back` needs."""
        if self.index is None:
            old = getattr(self.holder, self.field)
            setattr(self.holder, self.field, self.new)
        else:
            values = getattr(self.holder, self.field)
            old = list(values)
            values[self.index : self.index + 1] = [] if self.new is None else [self.new]
        return old

    def take_back(self, old: object) -> None:
        """Change the tree back."""
        setattr(self.holder, self.field, old)


def mutations_of(tree: ast.Module) -> list[Mutation]:
    """Return every mutation of *tree* in the order of the text,
    each name once or with its number (``#2``).
    """
    found: list[Mutation] = []
    seen: dict[str, int] = {}
    for mutation in _Finder().of(tree):
        number = seen[mutation.name] = seen.get(mutation.name, 0) + 1
        found.append(
            replace(mutation, after=f"{mutation.after} #{number}") if number > 1 else mutation
        )
    return found


def _short(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 90 else f"{text[:60]} … {text[-25:]}"


class _Finder:
    """Walks a tree, and knows the function around each node."""

    def __init__(self) -> None:
        self.place, self.function, self.first_line = "", "", 0
        self.classes = [""]

    def of(self, tree: ast.Module) -> Iterator[Mutation]:
        yield from self._statements(tree, "body")

    def _mutation(
        self,
        shown: ast.AST,
        after: str,
        holder: ast.AST,
        field: str,
        index: int | None,
        new: object,
    ) -> Mutation:
        line, function = int(getattr(shown, "lineno", self.first_line)), self.function
        before, new = _short(shown), _placed(new, shown)
        return Mutation(
            line, self.place, function, self.first_line, before, after, holder, field, index, new
        )

    def _statements(self, holder: ast.AST, field: str) -> Iterator[Mutation]:
        for index, statement in enumerate(getattr(holder, field)):
            if (
                isinstance(statement, NOT_VISITED)
                or _is_docstring(statement)
                or _is_never(statement)
            ):
                continue
            if not self.function:
                self.place = f"{self.classes[-1]}{_named(statement)}"
            if self.function and isinstance(
                statement, ast.Expr | ast.Assign | ast.AugAssign | ast.Continue | ast.Break
            ):
                yield self._mutation(statement, "nothing", holder, field, index, ast.Pass())
            if (
                isinstance(statement, ast.Return)
                and statement.value
                and not _is_constant(statement.value, None)
            ):
                yield self._mutation(
                    statement, "return None", holder, field, index, ast.Return(ast.Constant(None))
                )
            if isinstance(statement, ast.If) and _names_type_checking(statement.test):
                continue
            yield from self._statement(statement)

    def _statement(self, statement: ast.stmt) -> Iterator[Mutation]:
        if isinstance(statement, FUNCTIONS):
            yield from self._defaults(statement.args)
            before = self.function, self.first_line
            if not self.function:
                first = min(
                    [
                        statement.lineno,
                        *(decorator.lineno for decorator in statement.decorator_list),
                    ]
                )
                self.function, self.first_line = f"{self.classes[-1]}{statement.name}", first
            yield from self._statements(statement, "body")
            self.function, self.first_line = before
        elif isinstance(statement, ast.ClassDef):
            self.classes.append(f"{self.classes[-1]}{statement.name}.")
            yield from self._statements(statement, "body")
            self.classes.pop()
        else:
            yield from self._parts(statement)

    def _defaults(self, arguments: ast.arguments) -> Iterator[Mutation]:
        for field in ("defaults", "kw_defaults"):
            for index, default in enumerate(getattr(arguments, field)):
                if default is not None:
                    yield from self._expression(arguments, field, index, default)

    def _parts(self, node: ast.AST) -> Iterator[Mutation]:
        for field, value in ast.iter_fields(node):
            if field in ("annotation", "returns", "slice") and not _is_index(node, field):
                continue
            if isinstance(value, list):
                if value and isinstance(value[0], ast.stmt):
                    yield from self._statements(node, field)
                    continue
                for index, part in enumerate(value):
                    if isinstance(part, ast.AST):
                        yield from self._expression(node, field, index, part)
            elif isinstance(value, ast.AST):
                yield from self._expression(node, field, None, value)

    def _expression(
        self, holder: ast.AST, field: str, index: int | None, node: ast.AST
    ) -> Iterator[Mutation]:
        if isinstance(node, NOT_VISITED) or isinstance(
            getattr(node, "ctx", None), ast.Store | ast.Del
        ):
            return
        for after, new in _changes(node, is_test=field == "test"):
            yield self._mutation(node, after or _short(new), holder, field, index, new)
        for part_field, part_index, part in _parts_to_drop(node):
            yield self._mutation(
                node, f"without {_short(part)}", node, part_field, part_index, None
            )
        yield from self._parts(node)


def _changes(node: ast.AST, *, is_test: bool) -> Iterator[tuple[str, ast.AST]]:
    """Yield what may stand in the place of *node*."""
    match node:
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            for other in COMPARISONS[type(operator)]:
                yield "", ast.Compare(left, [other()], [right])
        case ast.Compare(left=left, ops=ops, comparators=comparators):
            for place, operator in enumerate(ops):
                for other in COMPARISONS[type(operator)]:
                    yield (
                        "",
                        ast.Compare(left, [*ops[:place], other(), *ops[place + 1 :]], comparators),
                    )
        case ast.BoolOp(op=op, values=values):
            yield "", ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)
            for place in range(len(values)):
                rest = [*values[:place], *values[place + 1 :]]
                yield "", rest[0] if len(rest) == 1 else ast.BoolOp(op, rest)
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield "", operand
        case ast.BinOp(left=left, op=op, right=right) if type(op) in ARITHMETIC:
            yield "", ast.BinOp(left, ARITHMETIC[type(op)](), right)
        case ast.Constant(value=bool(value)):
            yield "", ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield "", ast.Constant(value + 1)
            yield "", ast.Constant(value - 1)
        case ast.Constant(value=str(value)):
            yield "", ast.Constant(f"{value}?")
        case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords) if name in CALLED:
            yield "", ast.Call(ast.Name(CALLED[name], ast.Load()), args, keywords)
    if is_test and not isinstance(node, ast.Compare | ast.BoolOp | ast.UnaryOp):
        yield "", ast.UnaryOp(ast.Not(), node)  # type: ignore[arg-type]


def _parts_to_drop(node: ast.AST) -> Iterator[tuple[str, int, ast.AST]]:
    """Yield the elements of a table, the conditions of a comprehension
    and the named arguments of a call.
    """
    fields = {
        ast.Tuple: "elts", ast.List: "elts", ast.Set: "elts", ast.comprehension: "ifs", ast.Call: "keywords"
    }  # fmt: skip
    field = fields.get(type(node))
    if field is None or (isinstance(node, ast.Tuple) and len(node.elts) < 3):
        return
    for index, part in enumerate(getattr(node, field)):
        if not (isinstance(part, ast.keyword) and part.arg is None):
            yield field, index, part


def _placed(new: object, old: ast.AST) -> object:
    if isinstance(new, ast.AST):
        line = getattr(old, "lineno", 1)
        for part in ast.walk(new):
            if "lineno" in part._attributes and not hasattr(part, "lineno"):
                for name, value in (
                    ("lineno", line),
                    ("end_lineno", line),
                    ("col_offset", 0),
                    ("end_col_offset", 0),
                ):
                    setattr(part, name, value)
    return new


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _is_never(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and ast.unparse(statement.value).startswith(
        "assert_never("
    )


def _named(statement: ast.stmt) -> str:
    """Return the name that *statement* gives to something, or its first words."""
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return name
        case ast.AnnAssign(target=target) | ast.Assign(targets=[target]):
            return ast.unparse(target)
    return _short(statement)


def _is_constant(node: ast.AST, value: object) -> bool:
    return isinstance(node, ast.Constant) and node.value is value


def _names_type_checking(test: ast.expr) -> bool:
    return isinstance(test, ast.Name) and test.id == "TYPE_CHECKING"


def _is_index(node: ast.AST, field: str) -> bool:
    """Return whether this is the index of a value, and not the parameter
    of a type such as ``dict[str, int]``.
    """
    return field == "slice" and isinstance(node, ast.Subscript) and not (
        isinstance(node.value, ast.Name) and (node.value.id[0].isupper() or node.value.id in ("dict", "list", "tuple"))
    )  # fmt: skip
