#!/usr/bin/env python3
# tools/check_layers.py: permitted includes between folders, and the first lines of every file.
# SPDX-License-Identifier: Apache-2.0
"""Usage: check_layers.py [--draw] [ROOT]

Rank is the top-level folder: it may include itself and those before it, and no folders include each other in a cycle.
Prints each violation; exit code 1 if there is one. With --draw, writes the graph of the folders and their includes,
docs/images/layers.dot and layers.svg; the latter needs the program dot."""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys

ROOMS = ("configs", "topologies", "algorithms", "modules", "routers", "testbenches", "tools")
# Besides the harness: tests, and the programs that measure and compare.
OUTSIDE = r"testbenches/(tests|reference|fuzz|fuzz_jobs|fuzz_reader|bench|crossval)/"
CONSUMER = "testbenches/tests/consumer/"  # a project that uses the installed headers
MOST_SOURCES = 30  # in a folder: more is not one subject
MOST_LINES = 400  # of a source that is no test
# Folders that may not include others, whatever their rank: pattern of files, pattern of headers,
# reason.
BLIND = [
    (r"testbenches/tests/unit/(configs|topologies|algorithms)/", r"(modules|routers)/",
     "tests of the pure layer do not use SystemC"),
    (r"testbenches/reference/", r"(modules|routers|testbenches/(?!reference/))",
     "the reference does not use the code that it checks"),
    (rf"(?!{OUTSIDE})(?!tools/)", OUTSIDE, "the product uses no tests, and nothing that measures or checks it"),
]
# Headers that only some files may include: pattern of headers, pattern of files that may, reason.
RESERVED = [
    (r"(systemc|tlm)\.h$", r"(?!)", "<systemc> is the header; <systemc.h> imports whole namespaces"),
    (r"(systemc|tlm)$|(sysc|tlm_core|tlm_utils)/",
     r"(?!(testbenches/tests/unit/)?(configs|topologies|algorithms)/|testbenches/reference/)",
     "the pure layer, its tests and the reference do not use SystemC"),
    (r"yaml-cpp/", r"configs/node\w*\.cpp$", "yaml-cpp is included by configs/node*.cpp only"),
    (r"boost/(?!container/)", r"(testbenches/tests/unit/)?topologies/(.*\.cpp|graph\.hpp)$",
     "Boost.Graph is included by .cpp files of topologies and graph.hpp only"),
    (r"CLI/", r"testbenches/run/programs/", "CLI11 is included by testbenches/run/programs/ only"),
    (r"nlohmann/",
     r"testbenches/(experiments/(experiment|findings/findings|manual/job_schema|timeline_json)|job/results/results)\.cpp$|"
     r"testbenches/(fuzz|fuzz_jobs|tests/timed)/",
     "JSON is written and read by few files, which are compiled together"),
    (r"catch2/", r"testbenches/tests/catch\.hpp$", 'tests include "testbenches/tests/catch.hpp"'),
    (r"rapidcheck", r"testbenches/", "rapidcheck is for tests"),
]
PICTURE = "docs/images/layers.dot"
INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')
SPDX = "SPDX-License-Identifier: Apache-2.0"
SOURCES = (".cpp", ".hpp", ".sv", ".py", ".sh", ".cmake")


def room_of(path):
    room = path.split("/", 1)[0]
    return room if room in ROOMS else None


def folder_of(path):
    return path.rsplit("/", 1)[0]


def check_own(root, path, target):
    """Why the file may not include one of our headers, or None."""
    if path.startswith(CONSUMER):
        target = target.removeprefix("flitwave/")
        return None if any((root / folder / target).is_file() for folder in ("", CONSUMER)) else f"no header {target}"
    room, other = room_of(path), room_of(target)
    if other is None or not (root / target).is_file():
        return f'our own headers are named by their path from the root, e.g. "modules/router.hpp"; no "{target}"'
    if ROOMS.index(other) > ROOMS.index(room):
        return f"{room} may not include {other}, which has a higher rank"
    for files, headers, reason in BLIND:
        if re.match(files, path) and re.match(headers, target):
            return f"{folder_of(path)} may not include {folder_of(target)}: {reason}"
    return None


def check_foreign(path, target):
    """Why the file may not include a header of others, or None."""
    for headers, files, reason in RESERVED:
        if re.match(headers, target) and not re.match(files, path):
            return f"<{target}>: {reason}"
    return None


def check_head(path, lines):
    """Yields (line, problem) of the first lines."""
    start = 1 if lines and lines[0].startswith("#!") else 0
    if not any(line.lstrip("/# ").startswith(path + ": ") for line in lines[start:start + 1]):
        yield start + 1, f"the first line should be `{path}: what it is` in a comment"
    if not any(SPDX in line for line in lines[start + 1:start + 4]):
        yield start + 2, f"`{SPDX}` should follow the first line"


def check_file(root, path, lines):
    """Yields (line, problem)."""
    yield from check_head(path, lines)
    if not path.endswith((".cpp", ".hpp")):
        return
    for number, line in enumerate(lines, 1):
        include = INCLUDE.match(line)
        if include:
            own = include[1] == '"'
            problem = check_own(root, path, include[2]) if own else check_foreign(path, include[2])
            if problem:
                yield number, problem
        if path.endswith(".hpp") and re.match(r"\s*using\s+namespace\b", line):
            yield number, "no `using namespace` in a header"
    if path.endswith(".hpp") and "#pragma once" not in lines:
        yield 1, "a header needs `#pragma once`"


def arrows_of(texts):
    """Folder -> the folders that its files include -> the first such include: path, line, header."""
    arrows = {}
    for path, lines in sorted(texts.items()):
        if not path.endswith((".cpp", ".hpp")) or path.startswith(CONSUMER):
            continue
        arrows.setdefault(folder_of(path), {})
        for number, line in enumerate(lines, 1):
            include = INCLUDE.match(line)
            if include and include[1] == '"' and folder_of(include[2]) != folder_of(path):
                arrows[folder_of(path)].setdefault(folder_of(include[2]), (path, number, include[2]))
    return arrows


def find_cycle(arrows):
    """Folders each of which includes the next, the last the first; None if there are none."""
    done, trail = set(), []

    def follow(folder):
        if folder in trail:
            return trail[trail.index(folder):]
        if folder in done:
            return None
        trail.append(folder)
        for other in sorted(arrows.get(folder, {})):
            if cycle := follow(other):
                return cycle
        trail.pop()
        done.add(folder)
        return None

    return next(filter(None, (follow(folder) for folder in sorted(arrows))), None)


def check_cycles(arrows):
    """Yields (path, line, problem)."""
    if cycle := find_cycle(arrows):
        for folder, other in zip(cycle, cycle[1:] + cycle[:1]):
            path, line, header = arrows[folder][other]
            yield path, line, f'"{header}": folders include each other in a cycle: {" -> ".join(cycle + cycle[:1])}'


def check_sizes(texts):
    """Yields (path, line, problem) of long sources, and of folders with too many."""
    for path, lines in sorted(texts.items()):
        test = path.startswith("testbenches/tests/") or path.endswith(("_test.cpp", "_test.py"))
        if len(lines) > MOST_LINES and not test:
            yield path, len(lines), f"{len(lines)} lines, and {MOST_LINES} is the most: divide it by subject"
    folders = {}
    for path in texts:
        if path.endswith((".cpp", ".hpp", ".sv")):
            folders.setdefault(folder_of(path), []).append(path)
    for folder, paths in sorted(folders.items()):
        if len(paths) > MOST_SOURCES:
            yield paths[0], 1, f"{folder} contains {len(paths)} sources; the limit is {MOST_SOURCES}: divide it"


def source_files(root):
    """All sources of the top-level folders, and the launchers, which have no suffix."""
    for folder in sorted(ROOMS):
        for file in sorted((root / folder).rglob("*")):
            path = file.relative_to(root).as_posix()
            if file.suffix in SOURCES or file.name == "CMakeLists.txt" or (
                    folder == "tools" and file.is_file() and not file.suffix):
                yield path


def reduced(arrows):
    """The arrows that do not follow from other paths."""
    def reaches(folder, wanted):
        return any(other == wanted or reaches(other, wanted) for other in arrows.get(folder, {}))

    return {folder: sorted(other for other in others
                           if not any(third != other and reaches(third, other) for third in others))
            for folder, others in arrows.items()}


def drawing(arrows):
    """The folders of the product in the language of dot: a box per top-level folder, arrows to included ones."""
    arrows = {folder: {other: at for other, at in others.items() if not re.match(OUTSIDE, other + "/")}
              for folder, others in arrows.items() if not re.match(OUTSIDE, folder + "/")}
    lines = ["digraph layers {", "  node [shape=box, fontname=Helvetica, fontsize=11];",
             "  graph [fontname=Helvetica, fontsize=12];"]
    for room in ROOMS:
        lines.append(f"  subgraph cluster_{room} {{ label={room};")
        lines += [f'    "{folder}" [label="{folder.removeprefix(room + "/")}"];'
                  for folder in sorted(arrows) if room_of(folder + "/") == room]
        lines.append("  }")
    for folder, others in sorted(reduced(arrows).items()):
        lines += [f'  "{folder}" -> "{other}";' for other in others]
    return "\n".join(lines + ["}", ""])


def draw(root, arrows):
    """Writes the graph. Returns the error, if any."""
    if not shutil.which("dot"):
        return "the graph needs the program dot: apt-get install graphviz"
    script = root / PICTURE
    script.write_text(drawing(arrows), encoding="utf-8")
    subprocess.run(["dot", "-Tsvg", "-o", script.with_suffix(".svg"), script], check=True)
    return ""


def check_picture(root, arrows):
    """Yields (path, line, problem)."""
    script = root / PICTURE
    if script.exists() and script.read_text(encoding="utf-8") != drawing(arrows):
        yield PICTURE, 1, "the graph is out of date: tools/check_layers.py --draw"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", nargs="?", type=pathlib.Path, default=pathlib.Path(__file__).parents[1])
    parser.add_argument("--draw", action="store_true", help="write the graph")
    options = parser.parse_args()
    root = options.root
    texts = {path: (root / path).read_text(encoding="utf-8").splitlines() for path in source_files(root)}
    arrows = arrows_of(texts)
    found = [(path, *problem) for path, lines in texts.items() for problem in check_file(root, path, lines)]
    found += check_cycles(arrows)
    found += check_sizes(texts)
    if options.draw and not found:
        if problem := draw(root, arrows):
            sys.exit(problem)
    found += check_picture(root, arrows)
    for path, line, problem in found:
        print(f"{path}:{line}: {problem}")
    if not texts:
        print(f"{root}: no top-level folder with a source file here")
    return 1 if found or not texts else 0


if __name__ == "__main__":
    sys.exit(main())
