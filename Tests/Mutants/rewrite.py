"""Places where a Swift source can be changed in one operator, bound or statement, and the source with both forms.

A changed expression becomes `(mutant(7) ? a <= b : a < b)`, a statement `if !mutant(7) { … }`: all mutants are compiled in
together, and one is selected at start. Lines stay where they are, so that the compiler's complaints name a mutant.
"""
import re
from dataclasses import dataclass

import tree_sitter_swift
from tree_sitter import Language, Parser

PARSER = Parser(Language(tree_sitter_swift.language()))

# The other operator: a bound that is off by one, a condition that is another, arithmetic that is another.
OPERATORS = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&",
    "+": "-", "-": "+", "*": "/", "/": "*", "&+": "&-", "&-": "&+", "&*": "&+", "<<": ">>", ">>": "<<", "&": "|", "|": "&",
    "..<": "..<",
}
BINARY = {
    "comparison_expression", "equality_expression", "conjunction_expression", "disjunction_expression",
    "additive_expression", "multiplicative_expression", "infix_expression", "bitwise_operation", "range_expression",
    "nil_coalescing_expression",
}
# Attributes, patterns and types hold no expression, and what an enumeration's case is must be a literal.
SKIPPED = {
    "attribute", "modifiers", "type_annotation", "user_type", "enum_entry", "switch_pattern", "import_declaration", "comment",
    "multiline_comment", "line_string_literal", "multi_line_string_literal", "directive", "availability_condition",
}


@dataclass(frozen=True)
class Site:
    """start, end: bytes of the source; text(number): the replacement; change: for people."""

    path: str
    line: int
    last_line: int
    start: int
    end: int
    change: str
    before: str
    after: str
    is_statement: bool = False

    def text(self, number):
        if self.is_statement:
            return f"if !mutant({number}) {{ {self.before} }}"
        return f"(mutant({number}) ? {self.after} : {self.before})"


def sites(path, source):
    """All sites of a source, some of which do not compile."""
    found = []
    walk(PARSER.parse(source).root_node, source, path, found, None)
    others = elsewhere(source)
    return [site for site in found if site.line not in others]


def elsewhere(source):
    """The lines that are compiled for ARM alone."""
    lines, is_for_arm = set(), []
    for number, line in enumerate(source.decode().splitlines(), 1):
        word, _, condition = line.strip().partition(" ")
        if word == "#if":
            is_for_arm.append(condition.startswith("arch(arm"))
        elif word in ("#else", "#elseif") and is_for_arm:
            is_for_arm[-1] = condition.startswith("arch(arm")
        elif word == "#endif" and is_for_arm:
            is_for_arm.pop()
        elif any(is_for_arm):
            lines.add(number)
    return lines


def walk(node, source, path, found, chain):
    if node.type in SKIPPED or node.type == "ERROR" or is_constant(node, source):
        return
    if node.type in BINARY:
        chain = chain or node
        for child in node.children:
            operator = source[child.start_byte:child.end_byte].decode()
            if child.type not in BINARY and operator in OPERATORS and child.next_sibling and child.prev_sibling:
                add_operator(chain, child, operator, source, path, found)
    elif node.type not in ("try_expression", "await_expression"):
        chain = None
    if node.type == "boolean_literal":
        text = source[node.start_byte:node.end_byte].decode()
        add(node, text, "false" if text == "true" else "true", path, source, found)
    if node.type == "integer_literal" and source[node.start_byte:node.end_byte].isdigit():
        text = source[node.start_byte:node.end_byte].decode()
        add(node, text, str(int(text) + 1), path, source, found)
    if node.type == "prefix_expression" and source[node.start_byte:node.start_byte + 1] == b"!":
        text = source[node.start_byte:node.end_byte].decode()
        add(node, text, text[1:], path, source, found)
    if node.parent is not None and node.parent.type == "statements" and node.type in ("assignment", "call_expression"):
        text = source[node.start_byte:node.end_byte].decode()
        # The grammar takes `defer {` for a call, whose block would run at the end of the mutant's.
        if not text.startswith("defer "):
            found.append(Site(
                path, node.start_point.row + 1, node.end_point.row + 1, node.start_byte, node.end_byte,
                f"without `{text.splitlines()[0]}`", text, "", True,
            ))
    for child in node.children:
        walk(child, source, path, found, chain)


def is_constant(node, source):
    """Whether a node declares a number by its name, whose test would repeat it."""
    if node.type != "property_declaration":
        return False
    text = source[node.start_byte:node.end_byte].decode()
    return re.fullmatch(r"(?:\w+ )*let \w+(?:: [\w<>]+)? = [\d_x<>+*(). -]+", text) is not None


def add_operator(chain, token, operator, source, path, found):
    before = source[chain.start_byte:chain.end_byte].decode()
    if "\n" in before:
        return
    other = OPERATORS[operator]
    if operator == "..<":
        # The upper bound is all that follows, unless something binds less.
        rest = source[token.end_byte:chain.end_byte].decode().strip()
        after = source[chain.start_byte:token.end_byte].decode() + f"({rest}) - 1"
    else:
        head = source[chain.start_byte:token.start_byte].decode()
        after = head + other + source[token.end_byte:chain.end_byte].decode()
    add(chain, before, after, path, source, found)


def add(node, before, after, path, source, found):
    if "\n" in before:
        return
    # The grammar takes the block of `if !a {` for a closure.
    clipped, rest = before.partition(" {")[0], before[len(before.partition(" {")[0]):]
    if rest:
        if not after.endswith(rest):
            return
        before, after = clipped, after[:len(after) - len(rest)]
    end = node.start_byte + len(before.encode())
    found.append(Site(
        path, node.start_point.row + 1, node.start_point.row + 1, node.start_byte, end, f"`{before}` → `{after}`", before,
        after,
    ))


def rewritten(source, chosen):
    """The source with the sites of {number: site}, none of which overlap."""
    for number, site in sorted(chosen.items(), key=lambda pair: -pair[1].start):
        source = source[:site.start] + site.text(number).encode() + source[site.end:]
    return source
