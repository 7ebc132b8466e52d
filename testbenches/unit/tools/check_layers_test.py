# testbenches/unit/tools/check_layers_test.py: each rule of check_layers.py, broken once.
# SPDX-License-Identifier: Apache-2.0
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).parents[3] / "tools" / "check_layers.py"


class CheckLayers(unittest.TestCase):
    def check(self, path, body, head=None):
        """Exit code and output for a tree that holds one file."""
        if head is None:
            head = f"// {path}: a file.\n// SPDX-License-Identifier: Apache-2.0\n"
            if path.endswith(".hpp"):
                head += "#pragma once\n"
        with tempfile.TemporaryDirectory() as root:
            file = pathlib.Path(root, path)
            file.parent.mkdir(parents=True)
            file.write_text(head + body, encoding="utf-8")
            run = subprocess.run([sys.executable, SCRIPT, root], capture_output=True, text=True)
        return run.returncode, run.stdout + run.stderr

    def accepts(self, path, body, **more):
        self.assertEqual(self.check(path, body, **more), (0, ""))

    def refuses(self, path, body, *parts, **more):
        code, output = self.check(path, body, **more)
        self.assertEqual(code, 1)
        for part in (path, *parts):
            self.assertIn(part, output)

    def test_costly_headers_are_seen_by_few_files(self):
        self.refuses("tools/commands/run.cpp", "#include <CLI/CLI.hpp>\n", "command_line.cpp only")
        self.accepts("testbenches/command_line.cpp", "#include <CLI/CLI.hpp>\n")
        self.refuses("testbenches/plan.cpp", "#include <nlohmann/json.hpp>\n", "few files")
        self.accepts("testbenches/results.cpp", "#include <nlohmann/json.hpp>\n")

    def test_a_file_sees_its_own_room_and_lower_ranks(self):
        self.accepts("routers/a.cpp", '#include "flitwave/routers/b.hpp"\n'
                     '#include "flitwave/modules/b.hpp"\n#include <systemc>\n')
        self.refuses("modules/a.cpp", '#include "flitwave/routers/b.hpp"\n', ":3:", "rank 4")
        self.refuses("configs/a.hpp", '#  include "flitwave/topologies/b.hpp"\n', ":4:", "rank 1")

    def test_the_netlist_ranks_above_the_routers_it_wires(self):
        self.accepts("topologies/netlist/a.cpp",
                     '#include "flitwave/routers/b.hpp"\n#include <systemc>\n')
        self.refuses("topologies/a.cpp", '#include "flitwave/topologies/netlist/b.hpp"\n', "rank 5")
        self.refuses("routers/a.cpp", '#include "flitwave/topologies/netlist/b.hpp"\n', "rank 5")

    def test_the_pure_layer_and_its_tests_know_no_systemc(self):
        for path in ("algorithms/a.cpp", "topologies/a.hpp", "configs/deep/a.cpp",
                     "testbenches/unit/configs/a.cpp"):
            for header in ("systemc", "tlm", "sysc/kernel/sc_time.h"):
                self.refuses(path, f"#include <{header}>\n", "SystemC")
        self.refuses("testbenches/unit/algorithms/a.cpp", '#include "flitwave/modules/b.hpp"\n',
                     "may not see modules")

    def test_a_reference_model_shares_nothing_with_what_it_judges(self):
        own = '#include "flitwave/testbenches/reference/b.hpp"\n'
        for room in ("configs", "topologies", "algorithms"):
            self.accepts("testbenches/reference/a.cpp", own + f'#include "flitwave/{room}/b.hpp"\n')
        for room in ("modules", "routers", "topologies/netlist", "testbenches"):
            self.refuses("testbenches/reference/a.cpp", own + f'#include "flitwave/{room}/b.hpp"\n',
                         f"may not see {room} ")
        self.refuses("testbenches/reference/a.cpp", "#include <systemc>\n", "SystemC")
        self.accepts("testbenches/fuzz/a.cpp", own + '#include "flitwave/routers/b.hpp"\n')
        for room in ("algorithms", "routers"):
            self.refuses(f"{room}/a.cpp", own, "may not see testbenches/reference")

    def test_heavy_headers_stay_where_they_belong(self):
        self.accepts("configs/node.cpp", "#include <yaml-cpp/yaml.h>\n")
        self.accepts("topologies/graph.hpp", "#include <boost/graph/adjacency_list.hpp>\n")
        self.refuses("configs/schema.cpp", "#include <yaml-cpp/yaml.h>\n", "yaml-cpp")
        self.refuses("topologies/topology.hpp", "#include <boost/graph/graph_traits.hpp>\n", "Boost")
        self.refuses("algorithms/a.cpp", "#include <boost/graph/graph_traits.hpp>\n", "Boost")
        self.refuses("testbenches/timed/a.cpp", "#include <catch2/catch.hpp>\n", "catch.hpp")

    def test_headers_open_no_namespace(self):
        self.accepts("testbenches/timed/a.cpp", "using namespace flitwave;\n")
        self.refuses("modules/a.hpp", "using namespace sc_core;\n", "using namespace")
        self.refuses("modules/a.cpp", "#include <systemc.h>\n", "<systemc>")

    def test_our_headers_have_one_spelling(self):
        self.refuses("modules/a.cpp", '#include "b.hpp"\n', "spelled")

    def test_a_file_opens_with_its_path_and_its_licence(self):
        spdx = "// SPDX-License-Identifier: Apache-2.0\n"
        self.accepts("modules/a.cpp", "", head="// modules/a.cpp: x.\n// a -> [b] -> c\n" + spdx)
        self.refuses("modules/a.cpp", "", "first line", head="// modules/b.cpp: x.\n" + spdx)
        self.refuses("modules/a.cpp", "", "SPDX", head="// modules/a.cpp: x.\n")
        self.refuses("routers/rtl/a.sv", "", "SPDX", head="// routers/rtl/a.sv: x.\n")
        self.refuses("modules/a.hpp", "", "#pragma once", head="// modules/a.hpp: x.\n" + spdx)

    def test_a_folder_without_rooms_is_refused(self):
        with tempfile.TemporaryDirectory() as root:
            run = subprocess.run([sys.executable, SCRIPT, root], capture_output=True, text=True)
        self.assertEqual(run.returncode, 1)


if __name__ == "__main__":
    unittest.main()
