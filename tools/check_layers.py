#!/usr/bin/env python3
# tools/check_layers.py: who may include whom, and the first lines of every source file.
# SPDX-License-Identifier: Apache-2.0
"""Usage: check_layers.py [ROOT]. Prints each violation; exit code 1 if there is one."""
import pathlib
import re
import sys

# A file may include files of its own room and of lower ranks; the longest matching folder counts.
RANKS = {
    "configs": 0,
    "topologies": 1,
    "algorithms": 2,
    "modules": 3,
    "routers": 4,
    "topologies/netlist": 5,
    "testbenches/reference": 2.5,  # above algorithms, below all that it judges
    "testbenches": 6,
    "tools": 7,
}
# Folders that may not see some rooms, whatever their own rank: pattern of files, rooms.
BLIND = [
    (r"testbenches/unit/(configs|topologies|algorithms)/", r"(modules|routers|topologies/netlist)/"),
    (r"(?!testbenches/|tools/)", r"testbenches/reference/"),
]
# Headers that only some files may see: pattern of headers, pattern of files that may, reason.
RESERVED = [
    (r"(systemc|tlm)\.h$", r"(?!)", "<systemc> is the header; <systemc.h> imports whole namespaces"),
    (r"(systemc|tlm)$|(sysc|tlm_core|tlm_utils)/",
     r"(?!(testbenches/unit/)?((configs|algorithms)/|topologies/(?!netlist/))|testbenches/reference/)",
     "the pure layer, its tests and the reference know no SystemC"),
    (r"yaml-cpp/", r"configs/node\w*\.cpp$", "yaml-cpp is seen by configs/node*.cpp only"),
    (r"boost/(?!container/)", r"(testbenches/unit/)?topologies/(.*\.cpp|graph\.hpp)$",
     "Boost.Graph is seen by .cpp files of topologies and graph.hpp only"),
    (r"CLI/", r"testbenches/command_line\.cpp$", "CLI11 is seen by testbenches/command_line.cpp only"),
    (r"nlohmann/", r"testbenches/((experiment|findings|job_schema|results)\.cpp$|(fuzz|fuzz_jobs|timed)/)",
     "JSON is written and read by few files, which are compiled together"),
    (r"catch2/", r"testbenches/catch\.hpp$", 'tests include "flitwave/testbenches/catch.hpp"'),
    (r"rapidcheck", r"testbenches/", "rapidcheck is for tests"),
]
INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')
SPDX = "SPDX-License-Identifier: Apache-2.0"
SOURCES = (".cpp", ".hpp", ".sv", ".py", ".sh", ".cmake")


def room_of(path):
    """The most specific folder of RANKS that holds `path`, or None."""
    rooms = [room for room in RANKS if path.startswith(room + "/")]
    return max(rooms, key=len, default=None)


def check_include(path, bracket, target):
    """Why the file may not have this include line, or None."""
    if bracket == '"':
        if not target.startswith("flitwave/"):
            return f'our own headers are spelled "flitwave/<room>/<file>", not "{target}"'
        inner = target[len("flitwave/"):]
        room, other = room_of(path), room_of(inner)
        if other is None:
            return f"{target} is in no room"
        if RANKS[other] > RANKS[room]:
            return f"{room} (rank {RANKS[room]}) may not see {other} (rank {RANKS[other]})"
        for files, rooms in BLIND:
            if re.match(files, path) and re.match(rooms, inner):
                return f"{path.rsplit('/', 1)[0]} may not see {other}"
        return None
    for headers, files, reason in RESERVED:
        if re.match(headers, target) and not re.match(files, path):
            return f"<{target}>: {reason}"
    return None


def check_file(root, path):
    """Yields (line, problem)."""
    lines = (root / path).read_text(encoding="utf-8").splitlines()
    start = 1 if lines and lines[0].startswith("#!") else 0
    if not any(line.lstrip("/# ").startswith(path + ": ") for line in lines[start:start + 1]):
        yield start + 1, f"the first line should be `{path}: what it is` in a comment"
    if not any(SPDX in line for line in lines[start + 1:start + 3]):
        yield start + 2, f"`{SPDX}` should follow the first line"
    if not path.endswith((".cpp", ".hpp")):
        return
    for number, line in enumerate(lines, 1):
        include = INCLUDE.match(line)
        problem = include and check_include(path, *include.groups())
        if problem:
            yield number, problem
        if path.endswith(".hpp") and re.match(r"\s*using\s+namespace\b", line):
            yield number, "no `using namespace` in a header"
    if path.endswith(".hpp") and "#pragma once" not in lines:
        yield 1, "a header needs `#pragma once`"


def source_files(root):
    """All sources of the rooms, and the launchers, which have no suffix."""
    for folder in sorted(room for room in RANKS if "/" not in room):
        for file in sorted((root / folder).rglob("*")):
            path = file.relative_to(root).as_posix()
            if file.suffix in SOURCES or file.name == "CMakeLists.txt" or (
                    folder == "tools" and file.is_file() and not file.suffix):
                yield path


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[1])
    files = list(source_files(root))
    found = [(path, *problem) for path in files for problem in check_file(root, path)]
    for path, line, problem in found:
        print(f"{path}:{line}: {problem}")
    if not files:
        print(f"{root}: no room with a source file here")
    return 1 if found or not files else 0


if __name__ == "__main__":
    sys.exit(main())
