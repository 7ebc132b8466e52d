// testbenches/tests/unit/configs/node_test.cpp: jobs as trees are read, changed and printed.
// SPDX-License-Identifier: Apache-2.0
#include "configs/node.hpp"

#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "configs/random.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/configs/config_error_of.hpp"

namespace flitwave::node_test {
namespace {

ConfigError rejection(const std::string& text) {
  return config_error_of([&] { ConfigNode::parse(text, "job.yaml"); });
}

TEST_CASE("a job is a tree of scalars, lists and maps in file order", "[unit]") {
  const ConfigNode job = ConfigNode::parse(
      "scenario: demo\n"
      "topology: {kind: mesh, shape: [8, 4]}\n"
      "wave:\n",
      "job.yaml");

  REQUIRE(job.is_map());
  REQUIRE(job.entries().size() == 3);
  REQUIRE(job.entries()[1].first == "topology");
  REQUIRE(job.at("scenario").text() == "demo");
  REQUIRE(job.at("topology").at("shape").items()[1].text() == "4");
  REQUIRE(job.at("wave").is_null());
  REQUIRE(job.find("seed") == nullptr);
}

TEST_CASE("a value has its path and the position of its key", "[unit]") {
  const ConfigNode job = ConfigNode::parse("a: 1\nrouter:\n  at:\n    - {nodes: [5, 7]}\n", "x");
  const ConfigNode& nodes = job.at("router").at("at").items()[0].at("nodes");

  REQUIRE(nodes.path() == "router.at[0].nodes");
  REQUIRE(nodes.place().file == "x");
  REQUIRE(nodes.place().line == 4);
  REQUIRE(nodes.place().column == 8);
  REQUIRE(nodes.items()[1].path() == "router.at[0].nodes[1]");
  REQUIRE(nodes.items()[1].place().column == 19);
  REQUIRE(job.find_path("router.at[0].nodes[1]") == &nodes.items()[1]);
  REQUIRE(job.find_path("router.at[1].nodes") == nullptr);
  REQUIRE(job.find_path("router.at[0") == nullptr);
}

TEST_CASE("a key with dots, as in a sweep, is found by its path", "[unit]") {
  const ConfigNode job = ConfigNode::parse("sweep: {algorithm.kind: [edn, separate]}", "x");

  REQUIRE(job.find_path("sweep.algorithm.kind[1]") != nullptr);
  REQUIRE(job.find_path("sweep.algorithm.kind[1]")->text() == "separate");
  REQUIRE(job.find_path("sweep.algorithm") == nullptr);
}

TEST_CASE("quoted text is distinguished from a number", "[unit]") {
  const ConfigNode job = ConfigNode::parse("a: 8\nb: '8'\nc: \"null\"\nd: |\n  8\n", "x");

  REQUIRE_FALSE(job.at("a").quoted());
  REQUIRE(job.at("b").quoted());
  REQUIRE(job.at("c").is_scalar());
  REQUIRE(job.at("d").quoted());
  REQUIRE(job.at("d").text() == "8\n");
}

TEST_CASE("an error names file, line, column, key path and remedy", "[unit]") {
  const ConfigNode job = ConfigNode::parse("a: 1\ntopology: {shape: [8, 0]}\n", "dir/job.yaml");

  const ConfigError error = job.find_path("topology.shape[1]")->error("is zero", "write 1");

  REQUIRE(std::string(error.what()) == "dir/job.yaml:2:23: topology.shape[1]: is zero; write 1");
  REQUIRE(std::string(ConfigError("topology.shape", "is empty").what()) ==
          "topology.shape: is empty");
  REQUIRE(std::string(ConfigError(Place{"x", 0, 0}, "", "gone").what()) == "x: gone");
}

TEST_CASE("a duplicate key is rejected with both lines", "[unit]") {
  const ConfigError error = rejection("clock:\n  period: 1 ns\n  x: 1\n  period: 2 ns\n");

  REQUIRE(error.place().line == 4);
  REQUIRE(error.place().column == 3);
  REQUIRE(error.key() == "clock.period");
  REQUIRE(contains(error.what(), "job.yaml:4:3: clock.period: duplicate key"));
  REQUIRE(contains(error.remedy(), "line 2"));
}

TEST_CASE("YAML features that jobs do not support are rejected at their position", "[unit]") {
  struct Case {
    const char* text;
    int line;
    int column;
    const char* problem;
  };
  const Case cases[] = {
      {"a: &x 1\n", 1, 4, "anchor"},
      {"a: &x\n  b: 1\n", 1, 4, "anchor"},
      {"a: 1\nb: *x\n", 2, 4, "aliases"},
      {"a: !!str 8\n", 1, 4, "tags"},
      {"a: !mine [8]\n", 1, 4, "tags"},
      {"a: ! 8\n", 1, 4, "tags"},
      {"a: 1\n---\nb: 1\n", 2, 1, "after the end of the job"},
      {"[a, b]: 1\n", 1, 1, "cannot be a key"},
      {"? {a: 1}\n: 1\n", 1, 3, "cannot be a key"},
      {"a: {: 1}\n", 1, 5, "key is empty"},
      {"~: 1\n", 1, 1, "key is empty"},
  };
  for (const Case& bad : cases) {
    CAPTURE(bad.text);
    const ConfigError error = rejection(bad.text);
    CHECK(error.place().file == "job.yaml");
    CHECK(error.place().line == bad.line);
    CHECK(error.place().column == bad.column);
    CHECK(contains(error.problem(), bad.problem));
    CHECK_FALSE(error.remedy().empty());
  }
}

TEST_CASE("text that is not valid YAML is rejected at the position of the error", "[unit]") {
  struct Case {
    const char* text;
    int line;
    const char* key;
    const char* problem;
  };
  const Case cases[] = {
      {"a: [1, 2\nb: 3\n", 2, "a[2]", "expected `,` or `]`"},
      {"topology: {kind: mesh\nrouting: {kind: x}\n", 2, "topology", "expected `,` or `}`"},
      {"{kind: mesh\n", 1, "", "not closed"},
      {"a: [1, 2}\n", 1, "a[1]", "does not match"},
      {"a: \"x\nb: 1\n", 1, "a", "no end"},
      {"a: 'it''s\n", 1, "a", "no end"},
      {"a: b: c\n", 1, "", "no value can follow"},
      {"a: @x\n", 1, "a", "no value can start"},
      {"a:\n  b: 1\n c: 2\n", 3, "", "expected `key: value`"},
      {"a: \"\\q\"\n", 1, "a", "unknown escape character"},
      {"a: \"\\_\"\n", 1, "a", "escape in the text is not supported"},
  };
  for (const Case& bad : cases) {
    CAPTURE(bad.text);
    const ConfigError error = rejection(bad.text);
    CHECK(error.place().line == bad.line);
    CHECK(error.place().column > 0);
    CHECK(error.key() == bad.key);
    CHECK(contains(error.problem(), bad.problem));
    CHECK_FALSE(error.remedy().empty());
  }
}

TEST_CASE("invalid bytes are rejected at their position", "[unit]") {
  for (const std::string& bad :
       {std::string("a: \0b", 5), std::string("a: \x1b[0m"), std::string("a: \xff"),
        std::string("a: \xc0\x80"), std::string("a: \xed\xa0\x80"), std::string("a: b\rc: d")}) {
    CAPTURE(bad);
    const ConfigError error = rejection("x: 1\n" + bad);
    CHECK(error.place().line == 2);
    CHECK(error.place().column >= 4);
  }
  REQUIRE(ConfigNode::parse("\xef\xbb\xbf"
                            "a: \xc3\xa9\r\nb: \xf0\x9f\x98\x80\r\n",
                            "x")
              .at("a")
              .text() == "\xc3\xa9");
}

TEST_CASE("an empty job, a missing file and a folder are rejected by name", "[unit]") {
  REQUIRE(contains(rejection("").what(), "job.yaml:1:1: the text is empty"));
  REQUIRE(contains(rejection("# only a comment\n").problem(), "the text is empty"));
  const ConfigError missing = config_error_of([] { ConfigNode::load("no/such/job.yaml"); });
  REQUIRE(contains(missing.what(), "no/such/job.yaml: there is no such file; "));
  REQUIRE(contains(config_error_of([] { ConfigNode::load("/"); }).what(), "/: this is a folder"));
}

TEST_CASE("nesting and size have limits, in any style of YAML", "[unit]") {
  const auto nested = [](const std::string& open, const std::string& close, int levels) {
    std::string text = "a: ";
    for (int i = 1; i < levels; ++i) text += open;
    text += "1";
    for (int i = 1; i < levels; ++i) text += close;
    return text;
  };
  REQUIRE(ConfigNode::parse(nested("[", "]", 64), "x").is_map());
  REQUIRE(contains(rejection(nested("[", "]", 65)).problem(), "nested more than 64 deep"));
  REQUIRE(contains(rejection(nested("{b: ", "}", 65)).problem(), "nested more than 64 deep"));
  REQUIRE(contains(rejection("a:\n  " + nested("- ", "", 10'000).substr(3)).problem(), "nested"));
  REQUIRE(contains(rejection(std::string(10'000, '[')).problem(), "nested"));
  REQUIRE(contains(rejection(std::string(10'000, '{')).problem(), "nested"));
  REQUIRE(contains(rejection("[" + std::string(2'000'000, ',')).problem(), "1,000,000 values"));
  REQUIRE(contains(rejection("a: " + std::string((16 << 20) - 2, 'x')).problem(), "16 MiB"));
}

TEST_CASE("keys and paths have limits, so that a tree is not larger than its text", "[unit]") {
  REQUIRE(ConfigNode::parse(std::string(128, 'k') + ": 1", "x").is_map());
  REQUIRE(contains(rejection(std::string(129, 'k') + ": 1").problem(), "is too long"));
  std::string text = "1";
  for (int i = 0; i < 10; ++i) text = "{" + std::string(100, 'k') + ": " + text + "}";
  REQUIRE(contains(rejection("a: " + text).problem(), "keys above are too long"));
}

TEST_CASE("a job is read from a file to its end", "[unit]") {
  const std::string path =
      "node_test_" + std::to_string(Random(1, "file").below(1'000'000)) + ".yaml";
  std::string values = "values:\n";
  for (int i = 0; i < 30'000; ++i) values += "  - " + std::to_string(i) + "\n";
  std::ofstream(path, std::ios::binary) << values;
  const ConfigNode job = ConfigNode::load(path);
  std::remove(path.c_str());

  REQUIRE(job.at("values").items().size() == 30'000);
  REQUIRE(job.at("values").items().back().text() == "29999");
  REQUIRE(job.place().file == path);
}

TEST_CASE("a setting is replaced, added with the maps above it, or removed", "[unit]") {
  const ConfigNode job = ConfigNode::parse("topology: {kind: mesh, shape: [4, 4]}\nwave:\n", "x");

  const ConfigNode changed = job.with("topology.shape", ConfigNode::parse("[8, 8]", "y"))
                                 .with("wave.file", ConfigNode::scalar("a.vcd"))
                                 .with("stop.limit.cycles", ConfigNode::scalar("9"));

  REQUIRE(changed == ConfigNode::parse("topology: {kind: mesh, shape: [8, 8]}\n"
                                       "wave: {file: a.vcd}\n"
                                       "stop: {limit: {cycles: 9}}\n",
                                       "z"));
  REQUIRE(changed.find_path("topology.shape[1]")->path() == "topology.shape[1]");
  REQUIRE(changed.find_path("topology.shape")->place().file == "y");
  REQUIRE(changed.find_path("stop.limit.cycles")->path() == "stop.limit.cycles");
  REQUIRE(changed.without("topology.shape").find_path("topology.shape") == nullptr);
  REQUIRE(changed.without("topology.extent") == changed);
  REQUIRE(changed.without("topology.shape[0]") == changed);
}

TEST_CASE("a setting cannot be put inside a list or a value", "[unit]") {
  const ConfigNode job = ConfigNode::parse("a: [1, 2]\nb: 3\n", "x");
  const ConfigNode one = ConfigNode::scalar("1");

  REQUIRE(config_error_of([&] { job.with("a.c", one); }).key() == "a");
  REQUIRE(contains(config_error_of([&] { job.with("a[0]", one); }).remedy(), "whole list"));
  REQUIRE(config_error_of([&] { job.with("b.c", one); }).place().line == 2);
  REQUIRE(contains(config_error_of([&] { job.with("", one); }).problem(), "is not a path of keys"));
  REQUIRE(
      contains(config_error_of([&] { job.with("a..b", one); }).problem(), "is not a path of keys"));
  REQUIRE(
      contains(config_error_of([&] { job.with("c..b", one); }).problem(), "is not a path of keys"));
  REQUIRE(contains(config_error_of([&] { job.with("c[0].b", one); }).problem(), "no list"));
}

TEST_CASE("a tree overrides another one map by map", "[unit]") {
  const ConfigNode base = ConfigNode::parse("a: {b: 1, c: [1, 2]}\nd: 2\n", "x");
  const ConfigNode over = ConfigNode::parse("a: {c: [3], e: 4}\nd: {f: 5}\n", "y");

  const ConfigNode merged = base.merged(over);

  REQUIRE(merged == ConfigNode::parse("a: {b: 1, c: [3], e: 4}\nd: {f: 5}\n", "z"));
  REQUIRE(merged.find_path("a.e")->path() == "a.e");
  REQUIRE(base.merged(ConfigNode{}) == base);
}

TEST_CASE("a tree is printed in blocks, with innermost maps and short lists on one line",
          "[unit]") {
  const std::string text =
      "scenario: demo\n"
      "topology: {kind: mesh, shape: [8, 8], wrap: null}\n"
      "router:\n"
      "  kind: wormhole\n"
      "  at:\n"
      "    - {nodes: [[3, 4]], kind: fast}\n"
      "stop: {}\n"
      "names: [\"8\", \"a: b\", \"\", \"null\", \" x\", \"it's\", \"tab\\t\"]\n";

  const ConfigNode job = ConfigNode::parse(text, "x");

  REQUIRE(job.to_yaml() == text);
  REQUIRE(job.at("names").items()[0].quoted());
}

TEST_CASE("no printed line of short values is wider than 100 columns", "[unit]") {
  std::vector<ConfigNode> numbers(60, ConfigNode::scalar("1000"));
  const ConfigNode job = ConfigNode::map({{"numbers", ConfigNode::list(numbers)},
                                          {"rows", ConfigNode::list({ConfigNode::list(numbers)})}});

  const std::string text = job.to_yaml();

  for (std::size_t start = 0, end; (end = text.find('\n', start)) != std::string::npos;
       start = end + 1)
    REQUIRE(end - start <= 100);
  REQUIRE(ConfigNode::parse(text, "x") == job);
}

std::string random_text(Random& random) {
  static const std::vector<std::string> pieces = {
      "8",  "-1",  "0.5", "1e3", "0x1f", "true", "no", "null", "~",  ".inf", "20 ns", "mesh", " ",
      "  ", "\n",  "\t",  ":",   ": ",   "#",    " #", "'",    "\"", "\\",   "\\n",   "[",    "]",
      "{",  "}",   ",",   "-",   "- ",   "?",    "&a", "*a",   "!x", "|",    ">",     "%",    "@",
      "`",  "---", "...", "<<",  "=",    "a.b",  "é",  "漢",   "😀",  "\x01", "\x7f",  "\r",   "."};
  std::string text;
  for (std::uint64_t i = random.below(4); i > 0; --i) text += pieces[random.below(pieces.size())];
  return text;
}

ConfigNode random_tree(Random& random, int depth) {
  const std::uint64_t choice = random.below(depth == 0 ? 4 : 8);
  if (choice == 0) return ConfigNode{};
  if (choice < 4) return ConfigNode::scalar(random_text(random));
  std::vector<ConfigNode> items;
  std::vector<ConfigNode::Entry> entries;
  for (std::uint64_t i = random.below(5); i > 0; --i) {
    items.push_back(random_tree(random, depth - 1));
    const std::string key = random_text(random) + std::to_string(i);
    entries.emplace_back(key, random_tree(random, depth - 1));
  }
  return choice < 6 ? ConfigNode::list(std::move(items)) : ConfigNode::map(std::move(entries));
}

TEST_CASE("every tree that is printed is read back equal", "[unit]") {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    Random random(seed, "tree");
    const ConfigNode tree = random_tree(random, 5);
    const std::string text = tree.to_yaml();
    INFO("seed " << seed << "\n" << text);

    const ConfigNode again = ConfigNode::parse(text, "x");

    REQUIRE(again == tree);
    REQUIRE(again.to_yaml() == text);
  }
}

TEST_CASE("the reader either reads or rejects any text", "[unit]") {
  for (std::uint64_t seed = 0; seed < 20'000; ++seed) {
    Random random(seed, "soup");
    std::string text;
    for (std::uint64_t i = random.below(12); i > 0; --i) text += random_text(random);
    try {
      const ConfigNode tree = ConfigNode::parse(text, "x");
      INFO("seed " << seed << "\n" << text);
      REQUIRE(ConfigNode::parse(tree.to_yaml(), "y") == tree);
    } catch (const ConfigError& error) {
      INFO("seed " << seed << "\n" << text);
      REQUIRE(error.place().line > 0);
      REQUIRE(error.place().column > 0);
    }
  }
}

TEST_CASE("the nearest known name is found by edits and swaps of adjacent letters", "[unit]") {
  const std::vector<std::string> known = {"shape", "order", "orbit", "kind"};

  REQUIRE(nearest("ordr", known) == "order");
  REQUIRE(nearest("shpae", known) == "shape");
  REQUIRE(nearest("knid", known) == "kind");
  REQUIRE(nearest("banana", known).empty());
  REQUIRE(nearest("order", {}).empty());
  REQUIRE(nearest("cat", {"hat", "bat"}) == "bat");
  REQUIRE(nearest("dimension_ordr", {"dimension_order", "table"}) == "dimension_order");
}

}  // namespace
}  // namespace flitwave::node_test
