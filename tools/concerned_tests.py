#!/usr/bin/env python3
# tools/concerned_tests.py: which files of tests concern a source file or a kind.
# SPDX-License-Identifier: Apache-2.0
"""Usage: concerned_tests.py FILE|KIND: prints the names of the CTest tests that concern it, the nearest first.

Near are, in this order: the file itself if it holds tests; tests of the same name; tests that include its
header; tests that name the kind that the file registers, most often first; for a file of which no test
knows, the tests of what includes its header.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROOMS = ("configs", "topologies", "algorithms", "modules", "routers", "testbenches", "tools")
PLUGINS = re.compile(r"(topologies/kinds|algorithms/(collectives|injection|operations|routing|traffic)|"
                     r"routers/kinds|testbenches/observers)/[^/]+\.cpp$")
INCLUDE = re.compile(r'^#include "flitwave/([^"]+)"', re.MULTILINE)
MOST = 8  # tests that are near enough for a short loop


def sources():
    """Path from the root -> text, of every C++ file."""
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
            for room in ROOMS for path in sorted((ROOT / room).rglob("*.[ch]pp"))}


def test_name(path):
    """testbenches/unit/topologies/grid_test.cpp -> unit.grid; None for what holds no tests."""
    match = re.fullmatch(r"testbenches/(\w+)/(?:.*/)?(\w+)_test\.cpp", path)
    if not match:
        return None
    suite = {"fuzz_jobs": "fuzz"}.get(match[1], match[1])
    return f"{suite}.{match[2]}"


def kind_of(path):
    return pathlib.PurePath(path).stem if PLUGINS.fullmatch(path) else None


def including(texts, header):
    return [path for path, text in texts.items() if header in INCLUDE.findall(text)]


def naming(texts, kind):
    """Files of tests that have the kind in a string or a job, most often first."""
    word = re.compile(rf'(kind: {kind}\b|"{kind}["\s:]|\bregister_{kind}\b|"{kind}")')
    counts = {path: len(word.findall(text)) for path, text in texts.items() if test_name(path)}
    return sorted((path for path in counts if counts[path]), key=lambda path: (-counts[path], path))


def concerned(texts, wanted):
    """Paths of test files, the nearest first, without repetition."""
    if wanted not in texts:
        if not any(kind_of(path) == wanted for path in texts):
            return []
        return naming(texts, wanted)
    found = [wanted] if test_name(wanted) else []
    stem = pathlib.PurePath(wanted).stem
    found += [path for path in texts if test_name(path) and pathlib.PurePath(path).stem == f"{stem}_test"]
    if kind_of(wanted):
        return list(dict.fromkeys(found + naming(texts, kind_of(wanted))))
    headers, seen = [str(pathlib.PurePath(wanted).with_suffix(".hpp"))], set()
    while headers:
        users = [user for header in headers for user in including(texts, header)]
        found += [user for user in users if test_name(user)]
        if found:
            break
        seen.update(headers)
        headers = [header for header in
                   dict.fromkeys(str(pathlib.PurePath(user).with_suffix(".hpp")) for user in users)
                   if header not in seen]
    return list(dict.fromkeys(found))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.split("\n", maxsplit=1)[0])
    wanted = sys.argv[1]
    path = pathlib.Path(wanted)
    if path.exists() and path.resolve().is_relative_to(ROOT):
        wanted = path.resolve().relative_to(ROOT).as_posix()
    names = [test_name(found) for found in concerned(sources(), wanted)]
    if not names:
        print(f"tools/test --loop: {wanted} is neither a source file that a test knows nor a kind; "
              "give a path such as routers/kinds/wormhole.cpp, or a name that `tools/flitwave list` prints",
              file=sys.stderr)
        return 2
    print("\n".join(names[:MOST]))
    if len(names) > MOST:
        print(f"{len(names) - MOST} more tests name it; tools/test runs all", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
