# testbenches/tests/cli/in_tree.py: each example of docs/extending.md works in the tree as well.
# SPDX-License-Identifier: Apache-2.0
"""Usage: in_tree.py FOLDER [--build]

Copies the sources to FOLDER and each file of testbenches/tests/extending to the folder of its kind; no other
file is changed. Then configures the tree and requires every kind in a catalogue. With --build it builds
the program, lists and describes each kind, and runs a job of each.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
SOURCES = ("CMakeLists.txt", "CMakePresets.json", "configs", "topologies", "algorithms", "modules", "routers",
           "testbenches", "tools")
TRAFFIC = "traffic: {rate: 0.1 flit/node/cycle, packet: 4 flit, warmup: 50 cycle, measure: 200 cycle%s}\n"
MESH = "topology: {kind: mesh, shape: [3, 3]}\n"
JOBS = {
    "chain": MESH + "operation: {kind: broadcast, root: 4, message: 16 B}\nalgorithm: {kind: chain}\n",
    "chordal_ring": "topology: {kind: chordal_ring, nodes: 12, chord: 4}\nrouting: shortest_path\n" + TRAFFIC % "",
    "fifo": MESH + "router: {kind: fifo}\n" + TRAFFIC % "",
    "first_flit": MESH + "observe: [{kind: first_flit}]\n" + TRAFFIC % "",
    "halo_exchange": MESH + "operation: {kind: halo_exchange, message: 16 B}\n",
    "one_hop": MESH + TRAFFIC % ", pattern: {kind: one_hop}",
    "pairs": MESH + TRAFFIC % ", injection: {kind: pairs, apart: 2 cycle}",
    "poller": MESH + "node: {at: [{nodes: [[0, 0]], kind: poller, address: 0x10}, "
                     "{nodes: [[2, 2]], kind: tlm, memory: {size: 1 KiB}}]}\n"
                     "transactions: {map: [{base: 0, size: 1 KiB, node: [2, 2]}]}\n",
    "parity_order": MESH + "routing: {kind: parity_order}\nchannel: {vcs: 2}\n" + TRAFFIC % "",
}


def run(*command):
    """Returns: the output of the command. Ends the test if it fails."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit code {done.returncode}\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout


def plug_in_folders():
    """Folder by type of registry, from entries such as "Routers routers routers/kinds" in CMakeLists.txt."""
    found = {}
    for name in ("algorithms", "testbenches"):
        text = (ROOT / name / "CMakeLists.txt").read_text(encoding="utf-8")
        found.update(re.findall(r'"(\w+) \w+ ([\w/]+)"', text))
    return found


def copy_sources(source):
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, source / name, dirs_exist_ok=True,
                            ignore=shutil.ignore_patterns("__pycache__"))
        else:
            source.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, source / name)


def drop_examples(source):
    """Copies each example to the folder of its kind and adapts the path in its first line. Returns: their names."""
    folders = plug_in_folders()
    names = []
    for example in sorted((ROOT / "testbenches/tests/extending").glob("*.cpp")):
        text = example.read_text(encoding="utf-8")
        found = re.search(rf"^void register_{example.stem}\((\w+)&", text, re.MULTILINE)
        if not found or found[1] not in folders:
            sys.exit(f"{example.name}: no register_{example.stem}(REGISTRY&) of a registry in CMakeLists.txt")
        path = f"{folders[found[1]]}/{example.name}"
        (source / path).write_text(text.replace(example.relative_to(ROOT).as_posix(), path), encoding="utf-8")
        names.append(example.stem)
    return names


def check_configured(build, names):
    catalogs = "".join(file.read_text(encoding="utf-8") for file in build.glob("*/*catalog.cpp"))
    missing = [name for name in names if f"register_{name}(" not in catalogs]
    if missing:
        sys.exit(f"not in a catalogue: {', '.join(missing)}")


def check_built(folder, build, names):
    run("cmake", "--build", build, "--target", "flitwave", "--parallel", "2")
    program = build / "tools" / "flitwave"
    listed = run(program, "list")
    for name in names:
        if f"\n  {name} " not in listed:
            sys.exit(f"flitwave list: no {name}")
        run(program, "describe", name)
        job = folder / f"{name}.yaml"
        job.write_text(f"scenario: {name}\n{JOBS[name]}", encoding="utf-8")
        run(program, "run", job, "--quiet", "--out", folder / "results" / name)
        print(f"{name}: listed, described and run")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--build", action="store_true", help="build the program and run a job of each kind")
    options = parser.parse_args()
    source, build = options.folder / "source", options.folder / "build"
    shutil.rmtree(source, ignore_errors=True)
    copy_sources(source)
    names = drop_examples(source)
    missing = [name for name in names if name not in JOBS]
    if missing:
        sys.exit(f"no job for {', '.join(missing)}: add one to JOBS")
    run(sys.executable, source / "tools" / "check_layers.py")
    settings = ["-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O0", "-DFLITWAVE_TESTS=OFF",
                "-DCMAKE_UNITY_BUILD=ON", "-DCMAKE_UNITY_BUILD_BATCH_SIZE=48"]
    run("cmake", "-S", source, "-B", build, "-G", "Ninja", *settings)
    check_configured(build, names)
    print(f"{len(names)} kinds are in the catalogues, one file each: {', '.join(names)}")
    if options.build:
        check_built(options.folder, build, names)
    return 0


if __name__ == "__main__":
    sys.exit(main())
