#!/usr/bin/env python3
# testbenches/fuzz/mutants.py: puts faults into a copy of the network; the reference must find each.
# SPDX-License-Identifier: Apache-2.0
"""Usage: mutants.py --folder FOLDER [--only TEXT] [--count N] [--seed S]... [--jobs N]
                  [--list FILE] [--into PAGE] [--check]

Copies the sources to FOLDER, builds the search for differences there once for each mutant of
testbenches/fuzz/mutants, and lets it look at N scenarios of each seed. Exit code 1 if a mutant was
not found, or if its text is not in its file once; the latter is all that --check looks at. With
--into, the table of a page is written.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOT_FOUND = "not found"
FOLDERS = ("configs", "topologies", "algorithms", "modules", "routers", "testbenches", "tools")


def read_mutants(path):
    """A list of {name, file, old, new}; old and new are lists of lines."""
    mutants = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("name: "):
            mutants.append({"name": line[6:], "file": None, "old": [], "new": []})
        elif line.startswith("file: ") and mutants:
            mutants[-1]["file"] = line[6:]
        elif line[:2] in ("- ", "+ ") and mutants:
            mutants[-1]["old" if line[0] == "-" else "new"].append(line[2:].strip())
        elif line.strip() and not line.startswith("#"):
            sys.exit(f"{path}:{number}: neither a mutant's line nor a comment")
    return mutants


def mutated(mutant, root):
    """The file's text with the mutant in it, or None when its old text is not there once."""
    text = (root / mutant["file"]).read_text(encoding="utf-8")
    old = r"\s*\n\s*".join(re.escape(line) for line in mutant["old"])
    found = list(re.finditer(old, text)) if old else []
    if len(found) != 1:
        return None
    return text[:found[0].start()] + "\n".join(mutant["new"]) + text[found[0].end():]


def unmatched(mutants, root):
    problems = []
    for mutant in mutants:
        if not mutant["old"] or not mutant["new"] or not mutant["file"]:
            problems.append(f"{mutant['name']}: incomplete")
        elif mutated(mutant, root) is None:
            problems.append(f"{mutant['name']}: its text is not in {mutant['file']} once")
    return problems


def run(*command, seconds=7200):
    """What the command did; code 124 if it had to be ended."""
    words = [str(part) for part in command]
    try:
        return subprocess.run(words, capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(words, 124, "", f"not done after {seconds} s")


class Copy:
    """The sources in a folder of their own, and the program built from them."""

    def __init__(self, folder, count, jobs):
        self.source, self.build, self.count = folder / "source", folder / "build", count
        self.jobs = jobs
        self.failures = folder / "failures"
        self.source.mkdir(parents=True, exist_ok=True)
        for name in ("CMakeLists.txt", "CMakePresets.json"):
            self.update(name)
        for name in FOLDERS:
            for file in (ROOT / name).rglob("*"):
                if file.is_file():
                    self.update(file.relative_to(ROOT).as_posix())
        options = ["-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O0",
                   "-DFLITWAVE_TESTS=OFF", "-DFLITWAVE_COMPANIONS=ON"]
        if shutil.which("ccache"):
            options.append("-DCMAKE_CXX_COMPILER_LAUNCHER=ccache")
        configured = run("cmake", "-S", self.source, "-B", self.build, *options)
        if configured.returncode != 0:
            sys.exit(configured.stdout + configured.stderr)

    def update(self, name):
        """Copies a file that differs, so that only what differs is built."""
        self.write(name, (ROOT / name).read_bytes())

    def write(self, name, content):
        path = self.source / name
        if path.exists() and path.read_bytes() == content:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)

    def make(self):
        """Builds the search. Returns why it cannot be built, or None."""
        built = run("cmake", "--build", self.build, "--target", "fuzz", "--parallel", self.jobs)
        if built.returncode == 0:
            return None
        errors = re.findall(r"error: .*", built.stdout) or [built.stdout[-300:] + built.stderr]
        return "it does not build: " + errors[0]

    def search(self, seed):
        """Returns (scenario, what differs), or (None, why not)."""
        found = run(self.build / "testbenches" / "fuzz" / "fuzz", "--count", self.count,
                    "--seed", seed, "--failures", 1, "--tries", 0, "--out", self.failures)
        if found.returncode == 0:
            return None, NOT_FOUND
        match = re.search(r"FAILED: scenario (\d+) of seed \d+: (.*)", found.stdout)
        if not match:
            return None, "the search failed: " + found.stdout[-300:] + found.stderr[-300:]
        return int(match[1]), match[2]


def write_table(page, rows, seeds):
    """`rows`: (mutant, scenario per seed)."""
    heads = [f"found in scenario, seed {seed}" for seed in seeds]
    lines = [f"| fault | file | {' | '.join(heads)} |", "|---|---|" + "---|" * len(seeds)]
    for mutant, numbers in rows:
        shown = " | ".join("not found" if number is None else str(number) for number in numbers)
        lines.append(f"| {mutant['name']} | `{mutant['file']}` | {shown} |")
    begin, end = "<!-- mutants: begin -->", "<!-- mutants: end -->"
    text = page.read_text(encoding="utf-8")
    before, rest = text.split(begin)
    page.write_text("\n".join([before + begin, *lines, end]) + rest.split(end)[1], encoding="utf-8")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", type=pathlib.Path)
    parser.add_argument("--only", default="", help="mutants whose name holds this text")
    parser.add_argument("--count", type=int, default=100, help="scenarios for each")
    parser.add_argument("--seed", type=int, action="append", dest="seeds", help="of the scenarios")
    parser.add_argument("--jobs", type=int, default=2, help="compilers at a time")
    parser.add_argument("--list", type=pathlib.Path, default=ROOT / "testbenches/fuzz/mutants")
    parser.add_argument("--into", type=pathlib.Path, help="page whose table is written")
    parser.add_argument("--check", action="store_true", help="only look whether the texts are there")
    options = parser.parse_args()
    mutants = [m for m in read_mutants(options.list) if options.only in m["name"]]
    problems = unmatched(mutants, ROOT)
    if problems or options.check or not options.folder:
        print("\n".join(problems) if problems else f"{len(mutants)} mutants, all match")
        return 1 if problems or not mutants else 0
    mutants.sort(key=lambda mutant: mutant["file"])  # so that less is built again
    copy = Copy(options.folder.resolve(), options.count, options.jobs)
    seeds = options.seeds or [1]
    problem = copy.make()
    for seed in seeds:
        number, text = (None, problem) if problem else copy.search(seed)
        if text != NOT_FOUND:
            print(f"without a mutant, the search should find nothing: scenario {number}: {text}")
            return 1
    rows = []
    for mutant in mutants:
        copy.write(mutant["file"], mutated(mutant, ROOT).encode())
        problem = copy.make()
        found = [(None, problem) if problem else copy.search(seed) for seed in seeds]
        copy.update(mutant["file"])
        rows.append((mutant, [number for number, _ in found]))
        for number, text in found:
            where = "NOT FOUND" if number is None else f"scenario {number:3}"
            print(f"{where}  {mutant['name']}  ({mutant['file']}): {text[:110]}", flush=True)
    survived = sum(None in numbers for _, numbers in rows)
    print(f"{len(rows) - survived} of {len(rows)} mutants found, {survived} not, "
          f"within {options.count} scenarios each")
    if options.into:
        write_table(options.into, rows, seeds)
    return 1 if survived or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
