# testbenches/unit/tools/concerned_tests_test.py: the inner loop runs the tests that are near a file.
# SPDX-License-Identifier: Apache-2.0
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[3] / "tools"))
import concerned_tests  # noqa: E402

TEXTS = {
    "modules/wheel.cpp": '#include "flitwave/modules/wheel.hpp"\n',
    "modules/wheel.hpp": "",
    "modules/clock.cpp": '#include "flitwave/modules/clock.hpp"\n',
    "modules/clock.hpp": '#include "flitwave/modules/wheel.hpp"\n',
    "routers/kinds/wormhole.cpp": "",
    "testbenches/timed/clock_test.cpp": '#include "flitwave/modules/clock.hpp"\n',
    "testbenches/timed/latency_test.cpp": "router: {kind: wormhole, route_delay: 0 cycle}\n",
    "testbenches/timed/kinds_test.cpp": 'set("router.kind", "wormhole"); router: {kind: wormhole}\n',
    "testbenches/timed/other_test.cpp": "router: {kind: wormhole_of_another_name}\n",
    "testbenches/fuzz_jobs/corpus_test.cpp": '#include "flitwave/testbenches/fuzz_jobs/job_input.hpp"\n',
    "testbenches/unit/topologies/grid_test.cpp": "",
    "topologies/grid.hpp": "",
}


class ConcernedTests(unittest.TestCase):
    def near(self, wanted):
        return [concerned_tests.test_name(path) for path in concerned_tests.concerned(TEXTS, wanted)]

    def test_a_file_of_tests_concerns_itself(self):
        self.assertEqual(self.near("testbenches/timed/other_test.cpp"), ["timed.other"])

    def test_the_test_of_the_same_name_comes_first(self):
        self.assertEqual(self.near("topologies/grid.hpp"), ["unit.grid"])

    def test_a_kind_concerns_those_that_name_it_most_often_first(self):
        for wanted in ("routers/kinds/wormhole.cpp", "wormhole"):
            self.assertEqual(self.near(wanted), ["timed.kinds", "timed.latency"])

    def test_a_file_that_no_test_includes_is_tested_through_its_users(self):
        self.assertEqual(self.near("modules/wheel.cpp"), ["timed.clock"])

    def test_what_is_neither_file_nor_kind_concerns_nothing(self):
        self.assertEqual(self.near("nonsense"), [])

    def test_tests_have_the_names_that_ctest_gives_them(self):
        self.assertEqual(concerned_tests.test_name("testbenches/fuzz_jobs/corpus_test.cpp"), "fuzz.corpus")
        self.assertIsNone(concerned_tests.test_name("testbenches/timed/jobs.cpp"))


if __name__ == "__main__":
    unittest.main()
