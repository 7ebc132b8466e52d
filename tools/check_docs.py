#!/usr/bin/env python3
# tools/check_docs.py: pages say what the files and the program say.
# SPDX-License-Identifier: Apache-2.0
"""Checks the Markdown pages of the tree; prints each problem; exit code 1 if there is one.

A code block is cut from a file when a comment stands on the line before it:

    <!-- cut: topologies/kinds/torus.cpp [torus] -->

It must equal what stands in that file between two lines that hold only `// [torus]` (or `# [torus]`),
without their common indentation; without a name, the whole file. C++ on the pages of docs/ and in
README.md is always cut. Between `<!-- NAME: begin -->` and `<!-- NAME: end -->` stands what the tool
NAME has written, and something does. With --program, docs/reference/ is what the program says of its kinds.
Sources and pages have none of the words listed in WORDS, for which there are better ones.
--write brings blocks and reference up to date instead of complaining.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import textwrap

LINK = re.compile(r"!?\[[^\]]*\]\(<?([^)>\s]+)>?(?:\s+\"[^\"]*\")?\)")
CUT = re.compile(r"<!-- cut: (\S+?)(?: \[(\w+)\])? -->")
FENCE = re.compile(r"(\s*)(`{3,})(\w*)")
MARK = re.compile(r"<!-- (\w+): (begin|end) -->")
STOP = re.compile(r"`((?:configs|topologies|algorithms|modules|routers|testbenches|tools)/[\w/.-]+\.\w+)`")


# Words that a stranger would not expect: pattern, and what to write; lines with the exception may have them.
WORDS = [
    (r"\bcircles?\b", "cycle, dependency cycle or ring", r"<circle|\{\*\}circle"),
    (r"\b(heed|heeds|heeded|obey|obeys|obeyed)\b", "support, honour or satisfy", None),
    (r"\b(tell|tells|told|telling)\b", "report, notify, specify or distinguish", None),
    (r"\b(hear|hears|heard)\b", "observe, sense or receive", None),
    (r"\b(whom|nobody|somebody)\b", "the module or packet, none, or some", None),
    (r"\b(asks|asked)\b", "request, query or call", None),
    (r"\b(refuse|refuses|refusing)\b", "reject", None),
    (r"\bbundles?\b", "packet group", None),
    (r"\b(is|are|was|were|be) drawn\b", "random, sampled or plotted", None),
    (r"\bquiet lanes?\b", "unwatched link", None),
    (r"\bgives? way\b", "lose arbitration", None),
]
WORDED = (".cpp", ".hpp", ".py", ".sv", ".md")


class DocsError(Exception):
    """Something on a page is not so."""


def cut(root, path, name):
    """The text of a file, or of its part between the marks `[name]`."""
    if not (root / path).is_file():
        raise DocsError(f"{path} is cut here, but there is no such file")
    text = (root / path).read_text(encoding="utf-8")
    if name is None:
        return text
    lines = text.splitlines()
    marks = [n for n, line in enumerate(lines) if re.fullmatch(rf"\s*(//|#) \[{name}\]", line)]
    if len(marks) != 2:
        raise DocsError(f"{path} should hold the mark [{name}] twice, and holds it {len(marks)} times")
    return textwrap.dedent("\n".join(lines[marks[0] + 1:marks[1]])).strip("\n") + "\n"


class Page:
    """A Markdown file: checked line by line, and written anew with fresh code blocks."""

    def __init__(self, root, path):
        self.root, self.path = root, path
        self.text = (root / path).read_text(encoding="utf-8")
        self.fresh = []  # the lines as they should be
        self.problems = []
        in_docs = path.name == "README.md" or path.parts[0] == "docs"
        self.cut_only = in_docs and "decisions" not in path.parts
        self.lines = self.text.splitlines()
        self.at = 0
        while self.at < len(self.lines):
            self.step()
        self.written_blocks()

    def complain(self, line, problem):
        self.problems.append(f"{self.path}:{line + 1}: {problem}")

    def step(self):
        line = self.lines[self.at]
        if FENCE.match(line):
            self.code_block()
            return
        for target in LINK.findall(re.sub(r"`[^`]*`", "", line)):
            self.link(target)
        self.fresh.append(line)
        self.at += 1

    def written_blocks(self):
        """What tools write stands between two marks of one name."""
        begin = None
        for number, line in enumerate(self.lines):
            mark = MARK.fullmatch(line.strip())
            if not mark:
                continue
            name, which = mark.groups()
            if which == "begin":
                if begin:
                    self.complain(begin[1], f"the block {begin[0]} has no end")
                begin = (name, number)
                continue
            if not begin or begin[0] != name:
                self.complain(number, f"the block {name} ends here, but has not begun")
            elif not "".join(self.lines[begin[1] + 1:number]).strip():
                self.complain(begin[1], f"the block {name} is empty; let its tool write it")
            begin = None
        if begin:
            self.complain(begin[1], f"the block {begin[0]} has no end")

    def link(self, target):
        file = target.split("#")[0]
        if not file or re.match(r"\w+:", target):
            return
        if not (self.root / self.path.parent / file).exists():
            self.complain(self.at, f"the link to {target} leads nowhere")

    def code_block(self):
        start = self.at
        indent, ticks, language = FENCE.match(self.lines[start]).groups()
        end = start + 1
        while end < len(self.lines) and self.lines[end].strip() != ticks:
            end += 1
        body = self.lines[start + 1:end]
        origin = CUT.fullmatch(self.lines[start - 1].strip()) if start else None
        if origin:
            body = self.fresh_body(start, origin, indent, body)
        elif language == "cpp" and self.cut_only:
            self.complain(start, "C++ on a page is cut from a compiled file: <!-- cut: FILE [name] -->")
        self.fresh += [self.lines[start], *body, *self.lines[end:end + 1]]
        self.at = end + 1

    def fresh_body(self, start, origin, indent, body):
        try:
            wanted = cut(self.root, *origin.groups()).splitlines()
        except DocsError as error:
            self.complain(start, error)
            return body
        wanted = [(indent + line).rstrip() for line in wanted]
        if [line.rstrip() for line in body] != wanted:
            self.complain(start, f"the block differs from {origin[1]}")
        return wanted

    def write(self):
        fresh = "\n".join(self.fresh) + "\n"
        if fresh != self.text:
            (self.root / self.path).write_text(fresh, encoding="utf-8")


def check_walks(root):
    """Every stop of a walk, docs/life_of_*.md, is a file."""
    problems = []
    for walk in sorted((root / "docs").glob("life_of_*.md")):
        page = walk.relative_to(root)
        stops = STOP.findall(walk.read_text(encoding="utf-8"))
        if not stops:
            problems.append(f"{page}: names no file")
        problems += [f"{page}: the stop {stop} is gone"
                     for stop in dict.fromkeys(stops) if not (root / stop).is_file()]
    return problems


def ask(program, *arguments):
    return subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout


def reference(program):
    """File name -> text. `list` prints lines "room: sentence", each followed by its kinds, indented."""
    pages, room = {}, None
    for line in filter(None, ask(program, "list").splitlines()):
        if not line[0].isspace():
            room, sentence = line.split(": ", 1)
            pages[f"{room}.md"] = (f"# {room}\n\n{sentence}\n\n"
                                   "Written by `tools/check_docs.py --write`; not by hand.\n")
        elif room == "metric":
            name, meaning = line.split(maxsplit=1)
            pages["metric.md"] += f"\n* `{name}`: {meaning}"
        else:
            kind = line.split()[0]
            said = ask(program, "describe", f"{room}.{kind}").strip("\n")
            pages[f"{room}.md"] += f"\n## {kind}\n\n```text\n{said}\n```\n"
    if "metric.md" in pages:
        pages["metric.md"] += "\n"
    pages["commands.md"] = commands(program)
    return pages


def commands(program):
    """The help of the program and of each sub-command, which tools/flitwave prints before there is a program."""
    page = ("# Commands\n\nWhat `--help` prints.\n\n"
            "Written by `tools/check_docs.py --write`; not by hand.\n")
    waiting = [[]]
    while waiting:
        names = waiting.pop(0)
        said = ask(program, *names, "--help").strip("\n")
        page += f"\n## {' '.join(['flitwave', *names])}\n\n```text\n{said}\n```\n"
        _, found, parts = said.partition("\nSubcommands:\n")
        if found:
            waiting += [[*names, line.split()[0]] for line in parts.splitlines() if line[:3].strip()]
    return page


def check_reference(root, program, write):
    folder = root / "docs" / "reference"
    wanted = reference(program)
    present = {file.name: file.read_text(encoding="utf-8") for file in folder.glob("*.md")}
    if write:
        folder.mkdir(parents=True, exist_ok=True)
        for name in present.keys() - wanted.keys():
            (folder / name).unlink()
        for name, text in wanted.items():
            (folder / name).write_text(text, encoding="utf-8")
        return []
    return [f"docs/reference/{name}: differs from the descriptions of the program"
            for name in sorted(present.keys() | wanted.keys())
            if present.get(name) != wanted.get(name)]


def check_words(root):
    """Words in sources and pages for which there are better ones."""
    problems = []
    for room in ("configs", "topologies", "algorithms", "modules", "routers", "testbenches", "tools", "docs", "."):
        files = (root / room).glob("*.md") if room == "." else (root / room).rglob("*.*")
        for file in sorted(files):
            path = file.relative_to(root).as_posix()
            if file.suffix not in WORDED or path.startswith(("docs/results/", "docs/changelog", "tools/check_docs.py",
                                                            "testbenches/tests/unit/tools/check_docs_test.py")):
                continue
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                problems += [f"{path}:{number}: `{found[0]}`: write {better}" for word, better, exception in WORDS
                             if (found := re.search(word, line)) and not (exception and re.search(exception, line))]
    return problems


def page_paths(root):
    for file in sorted(root.rglob("*.md")):
        path = file.relative_to(root)
        if not path.parts[0].startswith((".", "build", "results")):
            yield path


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).parents[1])
    parser.add_argument("--program", help="the program flitwave, for docs/reference")
    parser.add_argument("--write", action="store_true", help="bring the pages up to date")
    options = parser.parse_args()

    problems = check_reference(options.root, options.program, options.write) if options.program else []
    for path in page_paths(options.root):
        page = Page(options.root, path)
        if options.write:
            page.write()
            page = Page(options.root, path)
        problems += page.problems
    problems += check_walks(options.root)
    problems += check_words(options.root)
    if problems:
        print(*problems, sep="\n")
        print("tools/check_docs.py --write [--program FILE] brings code blocks and reference up to date")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
