# testbenches/tests/unit/tools/check_layers_test.py: each rule of check_layers.py, violated once.
# SPDX-License-Identifier: Apache-2.0
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).parents[4] / "tools" / "check_layers.py"


class CheckLayers(unittest.TestCase):
    def check(self, path, body, head=None, others=()):
        """Exit code and output for a tree with one file and the headers that it includes."""
        if head is None:
            head = f"// {path}: a file.\n// SPDX-License-Identifier: Apache-2.0\n"
            if path.endswith(".hpp"):
                head += "#pragma once\n"
        texts = {header: "" for header in re.findall(r'include "(?!flitwave/)(.+/.+)"', body)} | dict(others)
        texts = {name: f"// {name}: a header.\n// SPDX-License-Identifier: Apache-2.0\n#pragma once\n{text}"
                 for name, text in texts.items()} | {path: head + body}
        with tempfile.TemporaryDirectory() as root:
            for name, text in texts.items():
                file = pathlib.Path(root, name)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, encoding="utf-8")
            run = subprocess.run([sys.executable, SCRIPT, root], capture_output=True, text=True)
        return run.returncode, run.stdout + run.stderr

    def accepts(self, path, body, **more):
        self.assertEqual(self.check(path, body, **more), (0, ""))

    def rejects(self, path, body, *parts, **more):
        code, output = self.check(path, body, **more)
        self.assertEqual(code, 1)
        for part in (path, *parts):
            self.assertIn(part, output)

    def test_costly_headers_are_included_by_few_files(self):
        self.rejects("tools/commands/run.cpp", "#include <CLI/CLI.hpp>\n", "run/programs/ only")
        self.accepts("testbenches/run/programs/command_line.cpp", "#include <CLI/CLI.hpp>\n")
        self.rejects("testbenches/job/plan/plan.cpp", "#include <nlohmann/json.hpp>\n", "few files")
        self.accepts("testbenches/job/results/results.cpp", "#include <nlohmann/json.hpp>\n")

    def test_a_file_includes_its_own_folder_and_lower_ranks(self):
        self.accepts("routers/a.cpp", '#include "routers/b.hpp"\n'
                     '#include "modules/b.hpp"\n#include <systemc>\n')
        self.rejects("modules/a.cpp", '#include "routers/b.hpp"\n', ":3:",
                     "modules may not include routers")
        self.rejects("configs/a.hpp", '#  include "topologies/b.hpp"\n', ":4:",
                     "configs may not include topologies")

    def test_folders_that_include_each_other_are_a_cycle(self):
        self.accepts("modules/network/a.cpp", '#include "modules/router.hpp"\n#include <systemc>\n')
        self.rejects("modules/network/a.hpp", '#include "modules/router.hpp"\n', "in a cycle",
                     "modules -> modules/network -> modules",
                     others={"modules/router.hpp": '#include "modules/network/a.hpp"\n'}.items())

    def test_a_folder_has_thirty_sources_at_most(self):
        files = {f"modules/clock/h{number}.hpp": "" for number in range(29)}
        self.accepts("modules/clock/a.cpp", "", others=files.items())
        self.rejects("modules/clock/a.cpp", "", "31 sources", others={**files, "modules/clock/x.hpp": ""}.items())

    def test_a_source_that_is_no_test_has_400_lines_at_most(self):
        self.accepts("routers/a.cpp", "\n" * 398)
        self.rejects("routers/a.cpp", "\n" * 399, ":401:", "401 lines")
        self.accepts("testbenches/tests/unit/configs/a_test.cpp", "\n" * 399)

    def test_the_consumer_uses_installed_headers_and_its_own(self):
        path = "testbenches/tests/consumer/a.cpp"
        own = {"testbenches/tests/consumer/modules/b.hpp": "", "routers/b.hpp": ""}.items()
        self.accepts(path, '#include "flitwave/routers/b.hpp"\n#include "modules/b.hpp"\n', others=own)
        self.rejects(path, '#include "flitwave/routers/c.hpp"\n', "no header routers/c.hpp")

    def test_the_product_includes_no_tests(self):
        for folder in ("tests/timed", "fuzz", "reference", "crossval"):
            self.rejects("testbenches/run/a.cpp", f'#include "testbenches/{folder}/b.hpp"\n', "the product")
            self.accepts("testbenches/bench/a.cpp", f'#include "testbenches/{folder}/b.hpp"\n')

    def test_the_pure_layer_and_its_tests_include_no_systemc(self):
        for path in ("algorithms/a.cpp", "topologies/a.hpp", "configs/deep/a.cpp",
                     "testbenches/tests/unit/configs/a.cpp"):
            for header in ("systemc", "tlm", "sysc/kernel/sc_time.h"):
                self.rejects(path, f"#include <{header}>\n", "SystemC")
        self.rejects("testbenches/tests/unit/algorithms/a.cpp", '#include "modules/b.hpp"\n',
                     "may not include modules")

    def test_a_reference_model_shares_no_code_with_the_tested_model(self):
        own = '#include "testbenches/reference/b.hpp"\n'
        for folder in ("configs", "topologies", "algorithms"):
            self.accepts("testbenches/reference/a.cpp", own + f'#include "{folder}/b.hpp"\n')
        for folder in ("modules", "routers", "modules/network", "testbenches/run"):
            self.rejects("testbenches/reference/a.cpp", own + f'#include "{folder}/b.hpp"\n',
                         f"may not include {folder}: ")
        self.rejects("testbenches/reference/a.cpp", "#include <systemc>\n", "SystemC")
        self.accepts("testbenches/fuzz/a.cpp", own + '#include "routers/b.hpp"\n')
        for folder in ("algorithms", "routers"):
            self.rejects(f"{folder}/a.cpp", own, "may not include testbenches")
        self.rejects("testbenches/job/a.cpp", own, "may not include testbenches/reference")

    def test_heavy_headers_are_included_in_few_folders(self):
        self.accepts("configs/node.cpp", "#include <yaml-cpp/yaml.h>\n")
        self.accepts("topologies/graph.hpp", "#include <boost/graph/adjacency_list.hpp>\n")
        self.rejects("configs/schema.cpp", "#include <yaml-cpp/yaml.h>\n", "yaml-cpp")
        self.rejects("topologies/topology.hpp", "#include <boost/graph/graph_traits.hpp>\n", "Boost")
        self.rejects("algorithms/a.cpp", "#include <boost/graph/graph_traits.hpp>\n", "Boost")
        self.rejects("testbenches/tests/timed/a.cpp", "#include <catch2/catch.hpp>\n", "catch.hpp")

    def test_headers_open_no_namespace(self):
        self.accepts("testbenches/tests/timed/a.cpp", "using namespace flitwave;\n")
        self.rejects("modules/a.hpp", "using namespace sc_core;\n", "using namespace")
        self.rejects("modules/a.cpp", "#include <systemc.h>\n", "<systemc>")

    def test_our_headers_have_one_spelling(self):
        self.rejects("modules/a.cpp", '#include "b.hpp"\n', "named by their path")
        self.rejects("modules/a.cpp", '#include "flitwave/modules/b.hpp"\n', "named by their path")

    def test_a_file_begins_with_its_path_and_its_licence(self):
        spdx = "// SPDX-License-Identifier: Apache-2.0\n"
        self.accepts("modules/a.cpp", "", head="// modules/a.cpp: x.\n// a -> [b] -> c\n" + spdx)
        self.rejects("modules/a.cpp", "", "first line", head="// modules/b.cpp: x.\n" + spdx)
        self.rejects("modules/a.cpp", "", "SPDX", head="// modules/a.cpp: x.\n")
        self.rejects("routers/relay/rtl/a.sv", "", "SPDX", head="// routers/relay/rtl/a.sv: x.\n")
        self.rejects("modules/a.hpp", "", "#pragma once", head="// modules/a.hpp: x.\n" + spdx)

    def test_a_folder_without_source_folders_is_rejected(self):
        with tempfile.TemporaryDirectory() as root:
            run = subprocess.run([sys.executable, SCRIPT, root], capture_output=True, text=True)
        self.assertEqual(run.returncode, 1)


if __name__ == "__main__":
    unittest.main()
