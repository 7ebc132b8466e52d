# tools/rtl/add_design.py: checks a port map and writes everything that a design needs to be compiled.
# SPDX-License-Identifier: Apache-2.0
"""Usage: add_design.py --verilator FILE --name NAME --top MODULE --ports FILE --out FOLDER [--shown PATH]
[--includes PREFIX] [--check] -- ARGUMENT...

Elaborates the module, checks the port map and writes to FOLDER: NAME_design.cpp; Verilator's models, cc and sc;
NAME_cc_fast.cpp and NAME_cc_slow.cpp, which include the sources of the first, and the same for sc; inputs.txt, the
files that were read; and state.txt, by which the next call finds that nothing has changed. Files that would not change are not written. The ARGUMENTs are Verilator's, with the sources.
With --check it writes nothing.

Prints each error, as `FILE:LINE: KEY: what is wrong; what to do`; exit code 1 if there is one.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys

MODELS = {"_cc": ["--cc"], "_sc": ["--sc", "--pins-bv", "2"]}
# Registers and unknown values begin with random bits, which depend on a seed.
SETTINGS = ["--x-assign", "unique", "--x-initial", "unique", "--trace", "--no-timing", "--make", "cmake"]


def write(path, text):
    """Returns at once if the file has this text, so that what depends on it is not compiled again."""
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def state_of(options, files):
    """What the results depend on: the call, and time and size of each file."""
    tools = sorted(pathlib.Path(__file__).parent.glob("*.*"))
    lines = [repr(sys.argv[1:])]
    for path in [options.ports, shutil.which(options.verilator) or "", *tools, *files]:
        known = pathlib.Path(path).stat() if path and pathlib.Path(path).is_file() else None
        lines.append(f"{path} {known.st_mtime_ns} {known.st_size}" if known else f"{path} is missing")
    return "\n".join(lines) + "\n"


def is_current(options):
    """True if the last call had the same results."""
    stamp, inputs = options.out / "state.txt", options.out / "inputs.txt"
    return stamp.is_file() and inputs.is_file() and \
        stamp.read_text(encoding="utf-8") == state_of(options, inputs.read_text(encoding="utf-8").split("\n"))


def verilate(options, model, suffix):
    """Returns: the sources of the model by CLASSES_FAST and so on."""
    folder = options.out / f"model{suffix}"
    command = [options.verilator, *MODELS[suffix], *SETTINGS, "--prefix", model + suffix, "--top-module", options.top,
               "-Mdir", folder, *options.arguments]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{done.stderr.strip()}\n{options.shown}: verilator {MODELS[suffix][0]} rejects {options.top}")
    text = (folder / f"{model}{suffix}.cmake").read_text(encoding="utf-8")
    return {name: re.findall(r'"([^"]+)"', files)
            for name, files in re.findall(rf"set\({model}{suffix}_(\w+)((?: \"[^\"]+\")*)\)", text)}


def write_models(options, model):
    for suffix in MODELS:
        found = verilate(options, model, suffix)
        for speed in ("fast", "slow"):
            files = found[f"CLASSES_{speed.upper()}"] + found[f"SUPPORT_{speed.upper()}"]
            lines = "".join(f'#include "{pathlib.Path(file).resolve()}"\n' for file in files)
            file = f"{options.name}{suffix}_{speed}.cpp"
            write(options.out / file, f"// {file}: Verilator's model.\n{lines}")


def add(options):
    """Returns: the exit code."""
    from design_source import source_of  # pylint: disable=import-outside-toplevel # these need yaml: slow
    from elaboration import Elaboration, ElaborationError  # pylint: disable=import-outside-toplevel
    from port_map import PortMap  # pylint: disable=import-outside-toplevel
    try:
        module = Elaboration(options.verilator, options.top, options.arguments)
    except ElaborationError as error:
        sys.exit(f"{error}\n{options.shown}: verilator cannot elaborate the top module {options.top}")
    router = PortMap(options.ports, module)
    for error in sorted(router.errors, key=lambda error: error.line):
        key = f"{error.key}: " if error.key else ""
        print(f"{options.shown}:{error.line}: {key}{error.text}", file=sys.stderr)
    if router.errors:
        return 1
    if not options.check:
        state = state_of(options, [*module.files, ""])
        options.out.mkdir(parents=True, exist_ok=True)
        (options.out / "state.txt").unlink(missing_ok=True)
        write_models(options, f"V{options.name}")
        write(options.out / f"{options.name}_design.cpp",
              source_of(router, options.name, f"V{options.name}", options.shown, options.includes))
        write(options.out / "inputs.txt", "\n".join(module.files) + "\n")
        write(options.out / "state.txt", state)
    return 0


def main():
    parser = argparse.ArgumentParser()
    for name in ("verilator", "name", "top"):
        parser.add_argument(f"--{name}", required=True)
    for name in ("ports", "out"):
        parser.add_argument(f"--{name}", required=True, type=pathlib.Path)
    parser.add_argument("--shown", help="path of the port map in messages")
    parser.add_argument("--includes", default="", help="begin of the paths of Flitwave's headers, as in flitwave/")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("arguments", nargs="+")
    options = parser.parse_args()
    options.shown = options.shown or str(options.ports)
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9]*(_[A-Za-z0-9]+)*", options.name):
        sys.exit(f"NAME: `{options.name}` is no name of a design; use letters, digits and single underscores")
    if not options.ports.is_file():
        sys.exit(f"PORTS: there is no file {options.shown}; write a port map, see docs/rtl.md")
    if not options.check and is_current(options):
        return 0
    return add(options)


if __name__ == "__main__":
    sys.exit(main())
