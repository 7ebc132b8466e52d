#!/usr/bin/env python3
# testbenches/fuzz/mutants.py: puts faults into a copy of the network; a comparison or a test must
# detect each.
# SPDX-License-Identifier: Apache-2.0
"""Usage: mutants.py --folder FOLDER [--only TEXT] [--count N] [--seed S]... [--jobs N]
                  [--list FILE] [--into PAGE] [--check]

Copies the sources to FOLDER. A mutant of testbenches/fuzz/mutants with a line `test: NAME` must
make the CTest test NAME fail, which is built for it, file by file. All others must be detected by
the search for differences, which compares N scenarios of each seed. Exit code 1 if a mutant was not
detected, or if its text is not in its file exactly once. --check only tests the latter, and that
the tests exist. With --into, the tables of a page are written.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOT_FOUND = "not found"
LONGEST_TEST = 600  # seconds, for a test that does not end due to a fault
FOLDERS = ("configs", "topologies", "algorithms", "modules", "routers", "testbenches", "tools")


def read_mutants(path):
    """A list of {name, file, test, old, new}; old, new: lists of lines; test: None or a name."""
    mutants = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("name: "):
            mutants.append({"name": line[6:], "file": None, "test": None, "old": [], "new": []})
        elif line.startswith("file: ") and mutants:
            mutants[-1]["file"] = line[6:]
        elif line.startswith("test: ") and mutants:
            mutants[-1]["test"] = line[6:]
        elif line[:2] in ("- ", "+ ") and mutants:
            mutants[-1]["old" if line[0] == "-" else "new"].append(line[2:].strip())
        elif line.strip() and not line.startswith("#"):
            sys.exit(f"{path}:{number}: neither a mutant's line nor a comment")
    return mutants


def mutated(mutant, root):
    """The file's text with the mutant, or None when it does not have the old text exactly once."""
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
            problems.append(f"{mutant['name']}: its text is not exactly once in {mutant['file']}")
        if mutant["test"] and not has_test(mutant["test"], root):
            problems.append(f"{mutant['name']}: there is no test {mutant['test']}")
    return problems


def has_test(name, root):
    """Whether a test, e.g. unit.grid, has a file (tests/unit/topologies/grid_test.cpp)."""
    suite, _, stem = name.partition(".")
    folders = (root / "testbenches/tests" / suite, root / "testbenches" / suite)
    return any(next(folder.rglob(f"{stem}_test.cpp"), None) for folder in folders)


def run(*command, seconds=7200):
    """The completed command; code 124 after a timeout."""
    words = [str(part) for part in command]
    try:
        return subprocess.run(words, capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(words, 124, "", f"not finished after {seconds} s")


class Copy:
    """A copy of the sources in another folder."""

    def __init__(self, folder):
        self.folder = folder
        self.source = folder / "source"
        self.source.mkdir(parents=True, exist_ok=True)
        for name in ("CMakeLists.txt", "CMakePresets.json"):
            self.update(name)
        for name in FOLDERS:
            for file in (ROOT / name).rglob("*"):
                if file.is_file():
                    self.update(file.relative_to(ROOT).as_posix())

    def update(self, name):
        """Copies a file if it differs, so that only changed files are built."""
        self.write(name, (ROOT / name).read_bytes())

    def write(self, name, content):
        path = self.source / name
        if path.exists() and path.read_bytes() == content:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


class Build:
    """A folder in which a copy is built."""

    def __init__(self, copy, name, jobs, *settings):
        self.folder, self.jobs = copy.folder / name, jobs
        options = ["-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O0",
                   "-DFLITWAVE_COMPANIONS=ON", "-DFLITWAVE_RTL=OFF", *settings]
        if shutil.which("ccache"):
            options.append("-DCMAKE_CXX_COMPILER_LAUNCHER=ccache")
        configured = run("cmake", "-S", copy.source, "-B", self.folder, *options)
        if configured.returncode != 0:
            sys.exit(configured.stdout + configured.stderr)

    def make(self, target):
        """Returns why the target cannot be built, or None."""
        built = run("cmake", "--build", self.folder, "--target", target, "--parallel", self.jobs)
        if built.returncode == 0:
            return None
        errors = re.findall(r"error: .*", built.stdout) or [built.stdout[-300:] + built.stderr]
        return "it does not build: " + errors[0]


class Search:
    """The search for differences between the network and the reference."""

    def __init__(self, copy, options):
        self.copy, self.jobs, self.builds = copy, options.jobs, {}
        self.failures = copy.folder / "failures"
        self.count, self.seeds = options.count, options.seeds or [1]

    def detect(self, _, file=""):
        """Per seed: (scenario, difference), or (None, reason)."""
        build = self.build_for(file)
        problem = build.make("fuzz")
        return [(None, problem) if problem else self.search(build, seed) for seed in self.seeds]

    def build_for(self, file):
        """After a change of a header nearly all is built again, which is faster with joined files;
        after one of a source, one object."""
        name, joined = ("joined", "ON") if file.endswith(".hpp") else ("build", "OFF")
        if name not in self.builds:
            self.builds[name] = Build(self.copy, name, self.jobs, "-DFLITWAVE_TESTS=OFF",
                                      f"-DCMAKE_UNITY_BUILD={joined}",
                                      "-DCMAKE_UNITY_BUILD_BATCH_SIZE=48")
        return self.builds[name]

    def search(self, build, seed):
        found = run(build.folder / "testbenches" / "fuzz" / "fuzz", "--count", self.count,
                    "--seed", seed, "--failures", 1, "--tries", 0, "--out", self.failures)
        if found.returncode == 0:
            return None, NOT_FOUND
        match = re.search(r"FAILED: scenario (\d+) of seed \d+: (.*)", found.stdout)
        if not match:
            return None, "the search failed: " + found.stdout[-300:] + found.stderr[-300:]
        return f"scenario {match[1]:>3}", match[2]


class NamedTests:
    """CTest's tests, one program per file."""

    def __init__(self, copy, options):
        self.build = Build(copy, "tests", options.jobs, "-DFLITWAVE_TESTS=ON",
                           "-DFLITWAVE_TEST_PER_FILE=ON")

    def detect(self, name, _=""):
        """One (test, failed case), or (None, reason)."""
        problem = self.build.make(name)
        return [(None, problem) if problem else self.run(name)]

    def run(self, name):
        pattern = "^" + re.escape(name) + "$"
        tested = run("timeout", LONGEST_TEST, "ctest", "--test-dir", self.build.folder, "-R", pattern,
                     "--output-on-failure", "--no-tests=error")  # the limits of tests are longer
        if tested.returncode == 124:
            return name, "the test hangs"
        if tested.returncode == 0:
            return None, NOT_FOUND
        match = re.search(r"-{79}\n(.+(?:\n.+)*)\n-{79}\n(?:.*\n)*?.*FAILED:", tested.stdout)
        if match:
            return name, " ".join(match[1].split())
        if "***Timeout" in tested.stdout or "***Exception" in tested.stdout:
            return name, "the test hangs or crashes"
        return None, "the test did not run: " + tested.stdout[-300:] + tested.stderr[-300:]


def write_table(text, mark, heads, rows):
    """`text` with a table between its marks."""
    lines = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    lines += [f"| {' | '.join(row)} |" for row in rows]
    begin, end = f"<!-- {mark}: begin -->", f"<!-- {mark}: end -->"
    before, rest = text.split(begin)
    return "\n".join([before + begin, *lines, end]) + rest.split(end)[1]


def write_page(page, found, seeds):
    """`found`: (mutant, per seed or test the scenario or test that detected it)."""
    searched, tested = [], []
    for mutant, places in found:
        shown = [place.split()[-1] if place else "not found" for place in places]
        row = [mutant["name"], f"`{mutant['file']}`"]
        if mutant["test"]:
            tested.append(row + [f"`{shown[0]}`" if places[0] else "not found"])
        else:
            searched.append(row + shown)
    text = page.read_text(encoding="utf-8")
    if searched:
        heads = ["fault", "file", *(f"found in scenario, seed {seed}" for seed in seeds)]
        text = write_table(text, "mutants", heads, searched)
    if tested:
        text = write_table(text, "mutants of tests", ["fault", "file", "found by"], tested)
    page.write_text(text, encoding="utf-8")


def healthy(judge, test):
    """Whether the unchanged copy has no failure; prints any."""
    for place, text in judge.detect(test):
        if text != NOT_FOUND:
            print(f"failure without a mutant: {place or test or 'search'}: {text}")
            return False
    return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", type=pathlib.Path)
    parser.add_argument("--only", default="", help="mutants whose name contains this text")
    parser.add_argument("--count", type=int, default=100, help="scenarios per mutant and seed")
    parser.add_argument("--seed", type=int, action="append", dest="seeds",
                        help="seed of the scenarios")
    parser.add_argument("--jobs", type=int, default=2, help="parallel compilations")
    parser.add_argument("--list", type=pathlib.Path, default=ROOT / "testbenches/fuzz/mutants")
    parser.add_argument("--into", type=pathlib.Path, help="page whose tables are written")
    parser.add_argument("--check", action="store_true", help="only check the texts and the tests")
    options = parser.parse_args()
    mutants = [m for m in read_mutants(options.list) if options.only in m["name"]]
    problems = unmatched(mutants, ROOT)
    if problems or options.check or not options.folder:
        print("\n".join(problems) if problems else f"{len(mutants)} mutants, all match")
        return 1 if problems or not mutants else 0
    mutants.sort(key=lambda m: (m["test"] is not None, m["file"]))  # so that less is built again
    copy = Copy(options.folder.resolve())
    judges = {}
    tests = sorted({mutant["test"] or "" for mutant in mutants})
    for test in tests:
        kind = NamedTests if test else Search
        if kind not in judges:
            judges[kind] = kind(copy, options)
        if not healthy(judges[kind], test):
            return 1
    rows = []
    for mutant in mutants:
        copy.write(mutant["file"], mutated(mutant, ROOT).encode())
        found = judges[NamedTests if mutant["test"] else Search].detect(mutant["test"],
                                                                        mutant["file"])
        copy.update(mutant["file"])
        rows.append((mutant, [place for place, _ in found]))
        for place, text in found:
            print(f"{place or 'NOT FOUND'}  {mutant['name']}  ({mutant['file']}): {text[:110]}",
                  flush=True)
    survived = sum(None in places for _, places in rows)
    print(f"{len(rows) - survived} of {len(rows)} mutants found, {survived} not, "
          f"within {options.count} scenarios each or by their tests")
    if options.into:
        write_page(options.into, rows, options.seeds or [1])
    return 1 if survived or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
