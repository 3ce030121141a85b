"""Templates of letters. The README says what can stand in one."""

import re
from dataclasses import dataclass

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
OPERATORS = (":-", "-")


class TemplateError(Exception):
    """A letter cannot be written."""


class BadTemplate(TemplateError):
    """The template itself is wrong."""


class MissingEntry(TemplateError):
    """The template asks for an entry that the member does not have."""


@dataclass(frozen=True)
class Blank:
    """A place to fill in."""

    name: str
    operator: str = ""
    text: str = ""

    def is_left_to_text(self, values):
        """Whether the text is to be taken instead of the entry."""
        if self.operator == ":-":
            return not values.get(self.name)
        return self.operator == "-" and self.name not in values


def fill(template, values):
    """Return the template with the values filled in. Raises BadTemplate or MissingEntry."""
    return "".join(part if isinstance(part, str) else fill_blank(part, values) for part in parse(template))


def fill_blank(blank, values):
    if blank.is_left_to_text(values):
        return fill(blank.text, values)
    if blank.name not in values:
        raise MissingEntry(f"there is no entry {blank.name!r}")
    return values[blank.name]


def names(template):
    """Return the names that the template mentions, each once, in order."""
    found = []
    for part in parse(template):
        if isinstance(part, Blank):
            found += [part.name, *names(part.text)]
    return list(dict.fromkeys(found))


def parse(template):
    """Return the template's parts: strings, and a Blank for each place to fill in."""
    parts = []
    position = 0
    while (dollar := template.find("$", position)) >= 0:
        parts.append(template[position:dollar])
        part, position = parse_dollar(template, dollar)
        parts.append(part)
    parts.append(template[position:])
    return parts


def parse_dollar(template, dollar):
    """Return what begins with this dollar sign, and the position after it."""
    after = dollar + 1
    if template.startswith("$", after):
        return "$", after + 1
    if template.startswith("{", after):
        return parse_braces(template, after + 1)
    name = NAME.match(template, after)
    if not name:
        raise BadTemplate(f"a dollar sign without a name at {where(template, dollar)}")
    return Blank(name[0]), name.end()


def parse_braces(template, start):
    """Return the Blank whose name begins at `start`, and the position after its closing brace."""
    name = NAME.match(template, start)
    end = template.find("}", start)
    if not name or end < 0:
        raise BadTemplate(f"no name or no end in the braces at {where(template, start)}")
    rest = template[name.end() : end]
    if not rest:
        return Blank(name[0]), end + 1
    for operator in OPERATORS:
        if rest.startswith(operator):
            return Blank(name[0], operator, rest.removeprefix(operator)), end + 1
    raise BadTemplate(f"{rest!r} after the name at {where(template, start)}")


def where(template, position):
    """A position for people: line and column."""
    line = template.count("\n", 0, position) + 1
    column = position - (template.rfind("\n", 0, position) + 1) + 1
    return f"line {line}, column {column}"
