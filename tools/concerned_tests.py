#!/usr/bin/env python3
# tools/concerned_tests.py: the tests that belong to a source file or a kind.
# SPDX-License-Identifier: Apache-2.0
"""Usage: concerned_tests.py FILE|NAME: prints the names of the CTest tests for it, the nearest first.

FILE is a source file; NAME a kind, a section of a job or a command, as `tools/flitwave list` and `--help` print them.
In this order: the file itself if it contains tests; tests of the same name; tests that include its header;
tests that name what the file registers, most often first. For a file without such tests, the same is tried for the
files that include its header, and so on. Exit code 2 if nothing is found.
"""
import functools
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROOMS = ("configs", "topologies", "algorithms", "modules", "routers", "testbenches", "tools")
PLUGINS = re.compile(r"(topologies/kinds|algorithms/(collectives(/arrays)?|injection|operations|routing|traffic)|"
                     r"routers/kinds|modules/tlm/kinds|testbenches/(observers/kinds|run/evaluations|tests/extending))/\w+\.cpp$")
COMMANDS = re.compile(r"tools/commands/([a-z]+)\w*\.cpp$")
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
MOST = 8  # tests of a short loop


def sources():
    """Path from the root -> text, of every C++ and Python file."""
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
            for room in ROOMS for path in sorted((ROOT / room).rglob("*.*")) if path.suffix in (".cpp", ".hpp", ".py")}


@functools.lru_cache(maxsize=None)
def includes(text):
    return frozenset(INCLUDE.findall(text))


@functools.lru_cache(maxsize=None)
def stem(path):
    return pathlib.PurePath(path).stem


@functools.lru_cache(maxsize=None)
def test_name(path):
    """testbenches/tests/unit/topologies/grid_test.cpp -> unit.grid; None for files without tests of the inner loop."""
    match = re.fullmatch(r"testbenches/(?:tests/)?(\w+)/(?:.*/)?(\w+)_test\.(?:cpp|py)", path)
    if not match or match[1] in ("rtl", "cosim"):
        return None
    suite = {"fuzz_jobs": "fuzz", "fuzz_reader": "fuzz"}.get(match[1], match[1])
    return f"{suite}.{match[2]}"


def registered(texts, path):
    """The kind or the command that a source adds to the program, else None."""
    if PLUGINS.fullmatch(path):
        return stem(path)
    command = COMMANDS.fullmatch(path)
    return command[1] if command and path.replace(".cpp", ".hpp") not in texts else None


@functools.lru_cache(maxsize=None)
def mentions(text, name):
    """How often a text contains the name in a string or as a key or a kind in a job."""
    return len(re.findall(rf'(?m)(?:^|[\s{{"])(?:{name}: |kind: {name}\b)|"{name}["\s.:]|\bregister_{name}\b', text))


def naming(texts, name):
    """Files of tests that mention the name, most often first."""
    counts = {path: mentions(text, name) for path, text in texts.items()
              if test_name(path) and not path.startswith("testbenches/tests/unit/tools/")}
    return sorted((path for path in counts if counts[path]), key=lambda path: (-counts[path], path))


def headers_of(texts, path):
    """The header with a source's declarations: that of its name, else of those it includes from its folder, or of all,
    the ones that share most words of its name."""
    own = str(pathlib.PurePath(path).with_suffix(".hpp"))
    if own in texts:
        return {own}
    included = [header for header in includes(texts[path]) if header in texts]
    near = [header for header in included if pathlib.PurePath(header).parent == pathlib.PurePath(path).parent]
    shared = {header: len(set(stem(path).split("_")) & set(stem(header).split("_"))) for header in near or included}
    return {header for header in shared if shared[header] == max(shared.values())}


def concerned(texts, wanted):
    """Paths of test files, the nearest first, without repetition."""
    if wanted not in texts:
        return naming(texts, wanted) if re.fullmatch(r"\w+", wanted) else []
    if wanted.startswith("testbenches/tests/rtl/"):
        return []
    if test_name(wanted):
        return [wanted]
    level, seen = [wanted], {wanted}
    while level:
        found = [path for near in level for path in texts if test_name(path) and stem(path) == f"{stem(near)}_test"]
        headers = set().union(*(headers_of(texts, path) for path in level if not registered(texts, path)))
        users = [path for path, text in texts.items() if headers & includes(text)]
        found += [path for path in users if test_name(path)]
        found += [path for near in level if registered(texts, near) for path in naming(texts, registered(texts, near))]
        if found:
            return list(dict.fromkeys(found))
        level = [path for path in users if path not in seen]
        seen.update(level)
    return []


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.split("\n", maxsplit=1)[0])
    wanted = sys.argv[1]
    path = pathlib.Path(wanted)
    if path.exists() and path.resolve().is_relative_to(ROOT):
        wanted = path.resolve().relative_to(ROOT).as_posix()
    names = [test_name(found) for found in concerned(sources(), wanted)]
    if not names:
        known = (ROOT / wanted).is_file()
        print(f"tools/test --loop: {wanted} is in no test of the inner loop; tools/test runs all" if known else
              f"tools/test --loop: '{wanted}' is neither a source file nor a name that a test uses; give a path such as "
              "routers/kinds/wormhole.cpp, or a name that `tools/flitwave list` prints", file=sys.stderr)
        return 2
    print("\n".join(names[:MOST]))
    if len(names) > MOST:
        print(f"{len(names) - MOST} more tests belong to it; tools/test runs all", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
