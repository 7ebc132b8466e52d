// testbenches/tests/timed/results/table_test.cpp: tables as files of comma-separated values.
// SPDX-License-Identifier: Apache-2.0
#include "configs/table.hpp"

#include <fstream>

#include "configs/error.hpp"
#include "testbenches/job/results/results.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/scratch_folder.hpp"

namespace table_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

Table load(const std::string& text) {
  const ScratchFolder folder;
  std::ofstream(folder.path("table.csv")) << text;
  return load_csv(folder.path("table.csv"));
}

}  // namespace

TEST_CASE("a table reads back as it was written, whatever its cells contain") {
  const Table table{
      {"node", "cycle"},
      {{"0_0", "12"}, {"a, \"b\"", ""}, {"two\nlines", "\""}, {"", ""}, {"c", "1\r"}}};

  const Table back = load(to_csv(table));

  REQUIRE(to_csv(table) ==
          "node,cycle\n0_0,12\n\"a, \"\"b\"\"\",\n\"two\nlines\",\"\"\"\"\n,\nc,\"1\r\"\n");
  REQUIRE(back.columns == table.columns);
  REQUIRE(back.rows == table.rows);
}

TEST_CASE("results read back as another process wrote them, with all rows of their tables") {
  Results results;
  results.outcome = Outcome::limit;
  results.message = "two\nlines";
  results.fingerprint = 0x5d0f;
  results.add("latency.mean", 12.25, "cycle");
  results.tables["names"] = {{"name"}, {{"a, \"b\""}, {""}, {"#c"}}};
  results.tables["none"] = {{"node", "cycle"}, {}};

  const Results back = Results::from_json(results.to_json());

  CHECK(back.outcome == Outcome::limit);
  CHECK(back.message == results.message);
  CHECK(back.fingerprint == results.fingerprint);
  CHECK(back.value("latency.mean") == 12.25);
  REQUIRE(back.tables.size() == 2);
  for (const auto& [name, table] : results.tables) {
    CHECK(back.table(name).columns == table.columns);
    CHECK(back.table(name).rows == table.rows);
  }
  REQUIRE_THROWS_AS(Results::from_json("{}"), SystemFailure);
}

TEST_CASE("a table that does not read back is an error of its observer that names it") {
  const auto problem = [](const Table& table) -> std::string {
    Results results;
    results.tables["mine"] = table;
    try {
      results.require_readable_tables();
    } catch (const ModelError& error) {
      return error.what();
    }
    return "";
  };

  CHECK(problem({{"a", "b"}, {{"1", "2"}, {"", ""}}}) == "");
  CHECK(problem({{}, {}}) ==
        "the table `mine`: it has no columns; correct the observer that makes it");
  CHECK(problem({{"#", "b"}, {}}).find("the first column begins with #") != std::string::npos);
  CHECK(problem({{"a", "b", "a"}, {}}).find("two columns are called `a`") != std::string::npos);
  CHECK(problem({{"a", "b"}, {{"1", "2"}, {"1"}}}).find("row 2 has 1 cells, the header 2") !=
        std::string::npos);
  CHECK(problem({{"a", "b"}, {{"1", "2", "3"}}}).find("row 1 has 3 cells") != std::string::npos);
}

TEST_CASE("a damaged or missing table is rejected with its file and row") {
  REQUIRE_THROWS_WITH(load("a,b\n1,2\n3\n"),
                      Catch::Matchers::EndsWith("table.csv: row 2 has 1 cells, the header 2"));
  REQUIRE_THROWS_WITH(load_csv("/nowhere.csv"),
                      "cannot read /nowhere.csv: No such file or directory");
  REQUIRE_THROWS_WITH(load_csv("/"), "cannot read /: it is a folder");
}

TEST_CASE("a table is read in the format of spreadsheets") {
  const Table table = load(
      "\xEF\xBB\xBF"
      "name,time\r\na,1\r\n\"b\r\nc\",2\r\n");

  CHECK(table.columns == std::vector<std::string>{"name", "time"});
  REQUIRE(table.rows.size() == 2);
  CHECK(table.number(0, "time", "t.csv") == 1);
  CHECK(table.rows[1][0] == "b\r\nc");
}

TEST_CASE("two columns with the same name are rejected") {
  REQUIRE_THROWS_WITH(load("a,b,a\n1,2,3\n"),
                      Catch::Matchers::EndsWith("table.csv: two columns are called `a`"));
}

TEST_CASE("comments before a table's header are skipped, and cells are read as numbers by column") {
  const Table table = load("# where it comes from\n# and when\nname,time\n#1,2.5\nb,x\n");

  REQUIRE(table.rows.size() == 2);
  REQUIRE(table.rows[0][0] == "#1");
  REQUIRE(table.number(0, "time", "t.csv") == 2.5);
  REQUIRE_THROWS_WITH(table.number(1, "time", "t.csv"),
                      "t.csv: row 2, column `time`: `x` is not a number");
  REQUIRE_THROWS_WITH(table.number(0, "size", "t.csv"),
                      "t.csv: no column `size`; its columns are name, time");
}

}  // namespace table_test
