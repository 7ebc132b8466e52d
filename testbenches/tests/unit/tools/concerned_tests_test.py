# testbenches/tests/unit/tools/concerned_tests_test.py: the inner loop selects the tests of a file.
# SPDX-License-Identifier: Apache-2.0
import os
import pathlib
import re
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[4] / "tools"))
import concerned_tests  # noqa: E402

TEXTS = {
    "modules/wheel.cpp": '#include "modules/wheel.hpp"\n',
    "modules/wheel.hpp": "",
    "modules/clock.cpp": '#include "modules/clock.hpp"\n',
    "modules/clock.hpp": '#include "modules/wheel.hpp"\n',
    "routers/kinds/wormhole.cpp": "",
    "testbenches/tests/timed/clock_test.cpp": '#include "modules/clock.hpp"\n',
    "testbenches/tests/timed/latency_test.cpp": "router: {kind: wormhole, route_delay: 0 cycle}\n",
    "testbenches/tests/timed/kinds_test.cpp": 'set("router.kind", "wormhole"); router: {kind: wormhole}\n',
    "testbenches/tests/timed/other_test.cpp": "router: {kind: wormhole_of_another_name}\n",
    "testbenches/fuzz_reader/corpus_test.cpp": '#include "testbenches/fuzz_reader/job_input.hpp"\n',
    "testbenches/tests/unit/topologies/grid_test.cpp": "",
    "testbenches/tests/rtl/selection_test.cpp": '#include "modules/wheel.hpp"\n',
    "testbenches/tests/cli/run_test.py": 'self.run_program("run", JOB)',
    "testbenches/tests/cli/manual_test.py": 'self.run_program("describe", "mesh")',
    "testbenches/tests/unit/configs/clock_settings_test.cpp": "clock: {scheduling: batched}\n",
    "topologies/grid.hpp": "",
    "routers/queued.hpp": "",
    "routers/queued_stages.cpp": '#include "routers/flit.hpp"\n#include "routers/queued.hpp"\n',
    "routers/flit.hpp": "",
    "routers/kinds/wormhole.hpp": "",
    "tools/commands/run.cpp": '#include "tools/commands/report.hpp"\n',
    "tools/commands/describe.cpp": '#include "tools/commands/commands.hpp"\n',
    "tools/commands/report.cpp": '#include "tools/commands/report.hpp"\n',
    "tools/commands/report.hpp": "",
    "tools/commands/commands.hpp": "",
    "testbenches/bench/bench.cpp": "",
}
TEXTS["routers/kinds/wormhole.cpp"] = '#include "routers/queued.hpp"\n'


class ConcernedTests(unittest.TestCase):
    def selected(self, wanted):
        return [concerned_tests.test_name(path) for path in concerned_tests.concerned(TEXTS, wanted)]

    def test_a_test_file_selects_itself(self):
        self.assertEqual(self.selected("testbenches/tests/timed/other_test.cpp"), ["timed.other"])

    def test_the_test_of_the_same_name_is_first(self):
        self.assertEqual(self.selected("topologies/grid.hpp"), ["unit.grid"])

    def test_a_kind_selects_the_tests_that_name_it_most_often_first(self):
        for wanted in ("routers/kinds/wormhole.cpp", "wormhole"):
            self.assertEqual(self.selected(wanted), ["timed.kinds", "timed.latency"])

    def test_a_file_that_no_test_includes_selects_the_tests_of_its_users(self):
        self.assertEqual(self.selected("modules/wheel.cpp"), ["timed.clock"])

    def test_a_source_without_a_header_selects_the_tests_of_the_header_with_a_similar_name_and_of_its_kinds(self):
        self.assertEqual(self.selected("routers/queued_stages.cpp"), ["timed.kinds", "timed.latency"])

    def test_a_command_and_its_helpers_select_the_tests_that_call_it(self):
        self.assertEqual(self.selected("tools/commands/describe.cpp"), ["cli.manual"])
        for wanted in ("tools/commands/run.cpp", "tools/commands/report.cpp"):
            self.assertEqual(self.selected(wanted), ["cli.run"])

    def test_a_section_of_a_job_selects_the_tests_that_set_it(self):
        self.assertEqual(self.selected("clock"), ["unit.clock_settings"])

    def test_the_inner_loop_has_no_tests_of_verilog(self):
        self.assertEqual(self.selected("testbenches/tests/rtl/selection_test.cpp"), [])

    def test_a_name_of_neither_file_nor_kind_selects_nothing(self):
        for wanted in ("nonsense", "", "no/such/file.cpp", "testbenches/bench/bench.cpp"):
            self.assertEqual(self.selected(wanted), [])

    @unittest.skipUnless("FLITWAVE_PROGRAM" in os.environ, "CTest sets the build folder")
    def test_every_name_is_one_of_ctest(self):
        folder = pathlib.Path(os.environ["FLITWAVE_PROGRAM"]).parents[1]
        listed = subprocess.run(["ctest", "-N"], cwd=folder, capture_output=True, text=True, check=True).stdout
        known = set(re.findall(r"^ *Test +#\d+: (\S+)$", listed, re.MULTILINE))
        names = {concerned_tests.test_name(path) for path in concerned_tests.sources()} - {None}
        self.assertEqual(names - known, set())

    def test_every_source_except_those_of_separate_programs_has_a_test(self):
        texts = concerned_tests.sources()
        separate = ("testbenches/bench/", "testbenches/tests/rtl/", "testbenches/tests/cosim/",
                    "testbenches/tests/consumer/", "tools/rtl/", "tools/flitwave.cpp",
                    "tools/commands/main.", "tools/commands/plugins.", "testbenches/run/evaluations/cosimulation.cpp",
                    "testbenches/waves/files/fst_writer.cpp")
        without = [path for path in texts if path.endswith((".cpp", ".hpp")) and not path.startswith(separate)
                   and path != "testbenches/tests/sc_main.cpp" and not concerned_tests.concerned(texts, path)]
        self.assertEqual(without, [])

    def test_tests_have_the_names_that_ctest_gives_them(self):
        self.assertEqual(concerned_tests.test_name("testbenches/fuzz_reader/corpus_test.cpp"), "fuzz.corpus")
        self.assertIsNone(concerned_tests.test_name("testbenches/tests/timed/jobs.cpp"))


if __name__ == "__main__":
    unittest.main()
