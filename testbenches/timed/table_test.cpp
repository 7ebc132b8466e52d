// testbenches/timed/table_test.cpp: tables as files of comma-separated values.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/testbenches/table.hpp"

#include <fstream>

#include "flitwave/configs/error.hpp"
#include "flitwave/testbenches/catch.hpp"
#include "flitwave/testbenches/timed/scratch_folder.hpp"

using namespace flitwave;
using namespace flitwave::test;

namespace {

Table load(const std::string& text) {
  const ScratchFolder folder;
  std::ofstream(folder.path("table.csv")) << text;
  return load_csv(folder.path("table.csv"));
}

}  // namespace

TEST_CASE("a table reads back as it was written, whatever its cells hold") {
  const Table table{{"node", "cycle"},
                    {{"0_0", "12"}, {"a, \"b\"", ""}, {"two\nlines", "\""}, {"", ""}}};

  const Table back = load(to_csv(table));

  REQUIRE(to_csv(table) == "node,cycle\n0_0,12\n\"a, \"\"b\"\"\",\n\"two\nlines\",\"\"\"\"\n,\n");
  REQUIRE(back.columns == table.columns);
  REQUIRE(back.rows == table.rows);
}

TEST_CASE("a table that was damaged or is missing is refused with its file and row") {
  REQUIRE_THROWS_WITH(load("a,b\n1,2\n3\n"),
                      Catch::Matchers::EndsWith("table.csv: row 2 has 1 cells, the header 2"));
  REQUIRE_THROWS_WITH(load_csv("/nowhere.csv"),
                      "cannot read /nowhere.csv: No such file or directory");
}
