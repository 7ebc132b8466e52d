# testbenches/tests/unit/tools/setup_test.py: how the launchers configure, build and are interrupted.
# SPDX-License-Identifier: Apache-2.0
import os
import pathlib
import pty
import signal
import subprocess
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[4]
SLOW = """\
rule slow
  command = echo $$$$ > compiler; sleep 60
build all: slow
"""
QUICK = """\
rule quick
  command = true
build all: quick
build flitwave: quick
build part: quick
"""


class Setup(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("FLITWAVE_")}
        self.environment["PATH"] = f"{self.folder}:{os.environ['PATH']}"

    def command(self, name, text):
        """Replaces a command of the system."""
        file = self.folder / name
        file.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        file.chmod(0o755)

    def replace_cmake(self):
        """Replaces cmake by a script that records the options after the folder, in that folder."""
        (self.folder / "quick.ninja").write_text(QUICK, encoding="utf-8")
        self.command("cmake", 'while [ "$1" != -B ]; do shift; done; mkdir -p "$2"; cd "$2"; shift 2\n'
                              f'cp "{self.folder}/quick.ninja" build.ninja; echo "$*" >>calls')

    def arguments(self, script):
        return ["bash", "-c", f'set -euo pipefail; . "$1/tools/setup.sh"; cd "$2"; {script}', "bash", ROOT, self.folder]

    def shell(self, script, **environment):
        """Returns: the output of a shell that has read tools/setup.sh, in the folder of the test."""
        done = subprocess.run(self.arguments(script), capture_output=True, text=True, check=False, timeout=60,
                              env={**self.environment, **environment})
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def wait_until(self, happened, seconds=10):
        end = time.monotonic() + seconds
        while not happened():
            self.assertLess(time.monotonic(), end, "timed out")
            time.sleep(0.02)

    def free(self):
        return subprocess.run(["flock", "-n", self.folder / ".lock", "true"], check=False).returncode == 0

    def ends_with_its_compilers(self, **streams):
        (self.folder / "build.ninja").write_text(SLOW, encoding="utf-8")
        noted = self.folder / "compiler"
        with subprocess.Popen(self.arguments("alone_in . 9; build ."), env=self.environment, **streams) as shell:
            self.wait_until(lambda: noted.exists() and noted.read_text(encoding="utf-8"))
            self.assertFalse(self.free())
            shell.send_signal(signal.SIGTERM)
        self.wait_until(self.free)
        compiler = pathlib.Path("/proc") / noted.read_text(encoding="utf-8").strip()
        self.wait_until(lambda: not compiler.exists())

    def test_a_terminated_build_leaves_no_compilers_and_no_lock(self):
        self.ends_with_its_compilers(stderr=subprocess.DEVNULL)

    def test_a_build_terminated_on_a_terminal_leaves_no_compilers_and_no_lock(self):
        try:
            inner, outer = pty.openpty()
        except OSError as error:
            self.skipTest(str(error))
        self.addCleanup(os.close, inner)
        self.addCleanup(os.close, outer)
        self.ends_with_its_compilers(stdout=outer, stderr=outer)

    def test_a_failed_build_shows_its_output_and_the_status(self):
        (self.folder / "build.ninja").write_text("rule r\n  command = echo output; exit 3\nbuild all: r\n",
                                                 encoding="utf-8")
        self.assertEqual(self.shell("build . 2>output || echo $?; grep -c '^output$' output"), "1\n1\n")

    def test_a_build_of_all_or_of_the_program_is_marked_as_built(self):
        (self.folder / "build.ninja").write_text(QUICK, encoding="utf-8")
        self.shell("build . part; [[ ! -e .built ]]; build . flitwave; rm .built; build .; [[ -e .built ]]")

    def test_options_that_are_no_longer_requested_cause_no_new_compilation(self):
        self.replace_cmake()
        configure = 'configure test "$PWD" "${requested[@]}"'
        costs = {"FLITWAVE_WERROR": "ON", "FLITWAVE_COSTS": "a b"}
        for environment in (costs, {}, {"FLITWAVE_WERROR": "ON"}, costs):
            self.shell(configure, **environment)
        self.shell(configure, FLITWAVE_WERROR="OFF")
        self.assertEqual((self.folder / "calls").read_text(encoding="utf-8"),
                         f"-DFLITWAVE_WERROR=ON -DFLITWAVE_COSTS={pathlib.Path.cwd()}/a b\n-DFLITWAVE_WERROR=OFF\n")

    def test_the_program_is_built_with_the_requested_options_and_is_then_current(self):
        self.replace_cmake()
        self.shell('! program_is_current; build_program; mkdir "$program_folder/tools"\n'
                   'cp /bin/true "$program_folder/tools/flitwave"; program_is_current',
                   FLITWAVE_BUILD=str(self.folder), FLITWAVE_COSTS="/costs")
        self.assertEqual((self.folder / "release/calls").read_text(encoding="utf-8"), "-DFLITWAVE_COSTS=/costs\n")

    def test_the_program_with_routers_in_verilog_has_a_folder_and_packages_of_its_own(self):
        self.replace_cmake()
        installed = self.shell('install_packages() { printf "%s\\n" "$@"; }; with_rtl; build_program',
                               FLITWAVE_BUILD=str(self.folder), FLITWAVE_WERROR="ON").split()
        self.assertLessEqual({"g++", "verilator", "python3-yaml"}, set(installed))
        self.assertEqual((self.folder / "rtl/calls").read_text(encoding="utf-8"),
                         "-DFLITWAVE_TESTS=OFF -DFLITWAVE_WERROR=ON\n")
        self.assertFalse((self.folder / "release").exists())

    def test_labels_that_are_excluded_are_excluded_beside_the_long_tests(self):
        self.replace_cmake()
        self.command("ctest", 'echo "100% tests passed, 0 tests failed out of 1" >"$FLITWAVE_BUILD/release/tests.log"\n'
                              'while [ "$1" != --output-log ]; do shift; done; shift 2; echo "$*"')
        for arguments, expected in (([], "-LE long"), (["-LE", "docs"], "-LE long|docs"), (["-L", "unit"], "-LE long -L unit"),
                                    (["-L", "long"], "-L long"), (["-L", "long", "-LE", "fuzz", "-L", "long"], "-LE fuzz -L long -L long"),
                                    (["-LE", "a|b", "-R", "c", "-LE", "d"], "-LE long|a|b|d -R c")):
            done = subprocess.run([ROOT / "tools/test", *arguments], capture_output=True, text=True, check=False,
                                  env={**self.environment, "FLITWAVE_BUILD": str(self.folder)})
            self.assertEqual((done.returncode, done.stdout), (0, f"{expected}\n1 passed, 0 failed\n"), done.stderr)

    def test_a_build_time_is_estimated_for_the_available_cores(self):
        for cores, expected in (1, "about 2.5 minutes on 1 core\n"), (2, "about 1.5 minutes on 2 cores\n"), \
                           (8, "about a minute on 8 cores\n"):
            self.command("nproc", f"echo {cores}")
            self.assertEqual(self.shell("about 150"), expected)


class Test(unittest.TestCase):
    def test_a_wrong_argument_is_reported_in_one_sentence_with_code_2(self):
        for arguments, text in (([""], "an argument is empty"),
                                (["--loop"], "--loop needs a source file or a kind"),
                                (["--loop", ""], "--loop needs a source file or a kind"),
                                (["-L", "unit", "--preset"], "--preset needs the name of a preset"),
                                (["--preset", "asan", "--loop", "wormhole"],
                                 "--loop has a preset of its own and does not accept --preset"),
                                (["--preset", "nosuch"],
                                 "there is no test preset nosuch; the test presets are: test dev rtl asan coverage")):
            done = subprocess.run([ROOT / "tools/test", *arguments], capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (2, "", f"flitwave: tools/test: {text}\n"))

    def test_loop_is_accepted_at_any_position(self):
        done = subprocess.run([ROOT / "tools/test", "-L", "unit", "--loop", "nosuch"], capture_output=True, text=True,
                              check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("'nosuch' is neither a source file nor a name that a test uses", done.stderr)


if __name__ == "__main__":
    unittest.main()
