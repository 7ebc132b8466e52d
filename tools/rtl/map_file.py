# tools/rtl/map_file.py: a YAML file whose values know their line, and the numbers in it.
# SPDX-License-Identifier: Apache-2.0
import ast
import difflib
import operator

import yaml


class MapError(Exception):
    """What is wrong at a value of a port map, and the remedy."""

    def __init__(self, value, text):
        super().__init__(text)
        self.line = value.line
        self.key = value.key
        self.text = text


class Value:
    """A value of the file: `content` is text, a list of values, or a dict of values by key."""

    def __init__(self, node, key, line=None):
        self.key = key
        self.line = line or node.start_mark.line + 1
        if isinstance(node, yaml.ScalarNode):
            self.content = node.value.strip()
        elif isinstance(node, yaml.SequenceNode):
            self.content = [Value(child, f"{key}[{number}]") for number, child in enumerate(node.value)]
        else:
            self.content = {}
            for name, child in node.value:
                if not isinstance(name, yaml.ScalarNode):
                    raise MapError(Place(name.start_mark.line + 1), "a key is one name, without lists and braces")
                inner = Value(child, f"{key}.{name.value}" if key else name.value, name.start_mark.line + 1)
                if name.value in self.content:
                    raise MapError(inner, f"the key was already given in line {self.content[name.value].line}; "
                                          "remove one of the two")
                self.content[name.value] = inner

    @property
    def is_text(self):
        return isinstance(self.content, str)

    @property
    def is_list(self):
        return isinstance(self.content, list)

    @property
    def is_map(self):
        return isinstance(self.content, dict)

    def get(self, name):
        return self.content.get(name) if self.is_map else None

    def need(self, name, why):
        """The value of a key. Raises: MapError if it is missing."""
        if not self.is_map or name not in self.content:
            raise MapError(self, f"the key `{name}` is missing: {why}")
        return self.content[name]

    def only(self, *names):
        """Raises: MapError unless this has these keys only."""
        if not self.is_map:
            raise MapError(self, f"this should have keys; the keys are {', '.join(names)}")
        for name, value in self.content.items():
            if name not in names:
                raise MapError(value, f"unknown key `{name}`{similar(name, names)}; the keys are {', '.join(names)}")

    def text(self):
        if not self.is_text:
            raise MapError(self, "this should be one name or number")
        return self.content

    def flag(self, parameters):
        if self.text() in ("true", "false"):
            return self.content == "true"
        return self.number(parameters) != 0

    def number(self, parameters, least=None):
        return number(self, self.text(), parameters, least)


def load(path):
    """Raises: MapError, for text that is no YAML, too."""
    text = path.read_text(encoding="utf-8")
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = Place(mark.line + 1 if mark else 1)
        problem = getattr(error, "problem", error)
        raise MapError(place, f"this is no YAML: {problem}; in a list or in braces, names with brackets need quotes, as "
                              'in ["bus[3:0]", x], and so does a range with spaces') from error
    if not isinstance(node, yaml.MappingNode):
        raise MapError(Place(1), "a port map has keys, such as clock, reset, flit, inputs and outputs")
    try:
        return Value(node, "")
    except RecursionError as error:
        raise MapError(Place(1), "an alias (*name) is inside the value that it names; write the value itself") from error


class Place:
    """A line without a value."""

    def __init__(self, line, key=""):
        self.line = line
        self.key = key


def similar(name, names):
    """" (did you mean `x`?)", or nothing."""
    found = difflib.get_close_matches(name, list(names), 1)
    return f" (did you mean `{found[0]}`?)" if found else ""


OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv,
             ast.Div: operator.floordiv}


def number(place, text, parameters, least=None):
    """A number, a parameter of the module, or a sum, difference, product or quotient of them. Raises: MapError."""
    no_number = f"`{text}` is no number; write one, or a sum or product of numbers and parameters"

    def value_of(node):
        if isinstance(node, ast.Constant) and isinstance(node.value, int) and not isinstance(node.value, bool):
            return node.value
        if isinstance(node, ast.Name):
            if node.id in parameters:
                return parameters[node.id]
            raise MapError(place, f"`{node.id}` is no number and no parameter of the module"
                                  f"{similar(node.id, parameters)}")
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return -value_of(node.operand)
        if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
            right = value_of(node.right)
            if right == 0 and isinstance(node.op, (ast.Div, ast.FloorDiv)):
                raise MapError(place, f"`{text}` divides by 0")
            return OPERATORS[type(node.op)](value_of(node.left), right)
        raise MapError(place, no_number)

    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError) as error:
        raise MapError(place, no_number) from error
    result = value_of(tree)
    if least is not None and result < least:
        raise MapError(place, f"{text}{'' if text.strip() == str(result) else f' (= {result})'} is too small; "
                              f"the least is {least}")
    return result
