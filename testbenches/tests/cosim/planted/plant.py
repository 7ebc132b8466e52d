# testbenches/tests/cosim/planted/plant.py: copies a router in Verilog with an input that selects a bug.
# SPDX-License-Identifier: Apache-2.0
"""Usage: plant.py BUGS SOURCES OUT

Copies the modules and the port maps of the folder SOURCES to OUT. Every module gets an input `bug`; where it has the
number of a bug of the list BUGS, the wrong expression is in the place of the right one. So one model holds them all.
Prints each error; exit code 1 if there is one. Files that would not change are not written.
"""
import pathlib
import re
import sys

KEYS = ("file:", "-", "+", "design:", "compared:", "alone:")  # the test reads the last three


def read_bugs(path):
    """A list of (name, file, old, new)."""
    bugs = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        key, _, value = line.partition(" ")
        if key == "name:":
            bugs.append({"name": value})
        elif key in KEYS and bugs and key not in bugs[-1]:
            bugs[-1][key] = value
        elif line.strip() and not line.startswith("#"):
            sys.exit(f"{path}:{number}: this is no line of a bug")
    for bug in bugs:
        if missing := [key for key in KEYS if not bug.get(key)]:
            sys.exit(f"{path}: `{bug['name']}` is incomplete; it needs {' '.join(missing)}")
    return [(bug["name"], bug["file:"], bug["-"], bug["+"]) for bug in bugs]


def planted(text, file, bugs):
    """`bugs`: number and bug."""
    for number, (name, where, old, new) in bugs:
        if where != file:
            continue
        if text.count(old) != 1:
            sys.exit(f"{name}: `{old}` is in {file} {text.count(old)} times, and should be there once")
        text = text.replace(old, f"(bug == 8'd{number} ? ({new}) : ({old}))")
    return text


def with_input(text):
    """A module with the input, which it passes to its instances."""
    text = re.sub(r"^\) \($", ") (\n  input  logic [7:0] bug,", text, count=1, flags=re.MULTILINE)
    return re.sub(r"^( +.*\) \w+ \()$", r"\1 .bug(bug),", text, flags=re.MULTILINE)


def main():
    bugs, sources, out = (pathlib.Path(word) for word in sys.argv[1:])
    listed = list(enumerate(read_bugs(bugs), 1))
    files = sorted(sources.glob("*.sv"))
    unknown = {bug[1] for _, bug in listed} - {file.name for file in files}
    if unknown:
        sys.exit(f"{bugs}: there is no file {', '.join(sorted(unknown))} in {sources}")
    out.mkdir(parents=True, exist_ok=True)
    texts = {file.name: with_input(planted(file.read_text(encoding="utf-8"), file.name, listed)) for file in files}
    for file in sources.glob("*.yaml"):
        texts[file.name] = file.read_text(encoding="utf-8") + "  bug: 0\n"
    for name, text in texts.items():
        path = out / name
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
