"""The file of members."""


class BadMembers(Exception):
    """The file of members cannot be read."""


def read_members(text):
    """Return one dict of entries for each member, in the order of the file."""
    members = [{}]
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith("#"):
            continue
        if not line.strip():
            members.append({})
            continue
        name, value = split_entry(line, number)
        members[-1][name] = value
    return [member for member in members if member]


def split_entry(line, number):
    name, colon, value = line.partition(":")
    if not colon or not name.strip():
        raise BadMembers(f"line {number} is not of the form name: value")
    return name.strip(), value.strip()
