// testbenches/tests/tlm/job_test.cpp: devices of a job.
// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "testbenches/run/expectations.hpp"
#include "testbenches/run/run_variants.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/jobs.hpp"
#include "testbenches/tests/timed/scratch_folder.hpp"

namespace tlm_job_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

Scenario platform() { return Scenario::load("configs/scenarios/virtual_platform.yaml"); }

/// An initiator with a list of accesses and a memory, in opposite corners of a 3x3 mesh.
Scenario with_accesses(const std::string& path, const std::string& initiator = "",
                       const std::string& wait = "12 ns") {
  return Scenario::parse(fmt::format(R"(
scenario: accesses
topology: {{kind: mesh, shape: [3, 3]}}
channel: {{width: 4 B}}
node:
  at:
    - {{nodes: [[0, 0]], kind: tlm, initiator: {{program: "{}"{}}}}}
    - {{nodes: [[2, 2]], kind: tlm, memory: {{size: 4 KiB, wait: {}}}}}
transactions: {{map: [{{base: 0x1000, size: 8 KiB, node: [2, 2]}}]}}
observe: [{{kind: transactions}}]
)",
                                     path, initiator, wait));
}

std::string write_accesses(const ScratchFolder& folder, const std::string& text) {
  const std::string path = folder.path("accesses.txt");
  std::ofstream(path) << text;
  return path;
}

}  // namespace

TEST_CASE("the virtual platform has the same results in all schedulings and build orders",
          "[tlm]") {
  const Results expected = simulate(platform());
  REQUIRE(expected.outcome == Outcome::complete);
  REQUIRE(expected.table("transactions").rows.size() == 19);
  for (const RunVariant& variant : compared_variants())
    CHECK(difference(simulate(with_variant(platform(), variant)), expected) == "");
}

TEST_CASE("the broadcast of the virtual platform delays its transactions, and they it", "[tlm]") {
  const Results both = simulate(platform());
  const Scenario no_broadcast = platform().without("operation").without("algorithm");
  const Results transactions = simulate(no_broadcast.with("expect", "{}"));
  // The commands for the broadcast have error responses then, which take the same time.
  REQUIRE(transactions.value("transactions") == 19);
  CHECK(both.value("transaction.time.mean") > transactions.value("transaction.time.mean"));
  const Scenario no_transactions = platform()
                                       .without("node.at")
                                       .without("transactions")
                                       .with("observe", "[{kind: latency}, {kind: anatomy}]");
  const Results broadcast = simulate(no_transactions.with("expect", "{}"));
  CHECK(both.value("collective.max") > broadcast.value("collective.max"));
  // The anatomy shows the waiting of each for the other, beside that among their own packets.
  const auto waits = [](const Results& results) {
    return (results.value("anatomy.switch_wait") - results.value("anatomy.switch_wait.zero_load")) *
           results.value("packets");
  };
  CHECK(waits(both) > waits(broadcast) + waits(transactions) + 20);
}

TEST_CASE("requests and replies have virtual channels of their own in two message classes",
          "[tlm]") {
  const int classes = GENERATE(1, 2);
  const Results results = simulate(
      platform()
          .without("operation")
          .without("algorithm")
          .with("expect", "{}")
          .with("transactions.message_classes", std::to_string(classes))
          .with("observe",
                "[{kind: transactions}, {kind: latency, packets: true}, {kind: flit_log}]"));
  REQUIRE(results.outcome == Outcome::complete);
  const Table& packets = results.table("packets");
  std::map<std::pair<std::string, std::string>, std::string> parts;
  for (const auto& row : packets.rows)
    parts[{row[packets.column("source", "")], row[packets.column("number", "")]}] =
        row[packets.column("part", "")];
  std::set<std::pair<std::string, std::string>> found;  // part and virtual channel
  const Table& flits = results.table("flit_log");
  for (const auto& row : flits.rows)
    found.emplace(parts.at({row[flits.column("source", "")], row[flits.column("packet", "")]}),
                  row[flits.column("vc", "")]);
  const std::set<std::pair<std::string, std::string>> apart{{"requests", "0"}, {"replies", "1"}};
  CHECK((found == apart) == (classes == 2));
}

TEST_CASE("loads are compared with their values, and errors are counted", "[tlm]") {
  const ScratchFolder folder;
  const std::string path = write_accesses(folder,
                                          "at 5 store 0x1000 4 0x11223344\n"
                                          "after 0 load 0x1001 2 0x2233\n"
                                          "after 0 load 0x1000 4 0x11223345 # wrong\n"
                                          "after 0 load 0x2000 4 # beyond the memory\n"
                                          "after 0 load 0x9000 4 # no device\n"
                                          "after 0 load 0x9000 4 0 # the same, with a value\n");
  const std::string style = GENERATE("", ", style: approximately_timed, outstanding: 3");
  const Results results = simulate(with_accesses(path, style));
  REQUIRE(results.outcome == Outcome::complete);
  CHECK(results.value("transactions") == 6);
  CHECK(results.value("transactions.stores") == 1);
  CHECK(results.value("transactions.errors") == 3);
  CHECK(results.value("transactions.wrong") == 2);
}

TEST_CASE("a job with devices and without a list of observers has a table of transactions",
          "[tlm]") {
  const ScratchFolder folder;
  const std::string path = write_accesses(folder, "at 5 load 0x1000 4\nat 6 load 0x1004 4\n");
  CHECK(simulate(with_accesses(path).without("observe")).table("transactions").rows.size() == 2);
}

TEST_CASE("a value that does not fit in the bytes of its access is an error at its line", "[tlm]") {
  const ScratchFolder folder;
  const auto results_of = [&](const std::string& text) {
    return simulate(with_accesses(write_accesses(folder, text)));
  };
  const Results store = results_of("at 0 store 0x1000 1 0xff\nafter 0 store 0x1000 1 0x1234\n");
  CHECK(store.outcome == Outcome::config_error);
  CHECK(store.message == folder.path("accesses.txt") +
                             ":2:1: the value `0x1234` does not fit in 1 B; write a value below "
                             "0x100, or an access of more bytes");
  CHECK_THAT(results_of("at 0 load 0x1000 7 0x100000000000000\n").message,
             Catch::Contains("does not fit in 7 B; write a value below 0x100000000000000, or"));
  CHECK(results_of("at 0 store 0x1000 1 0xff\n"
                   "after 0 store 0x1000 7 0xffffffffffffff\n"
                   "after 0 store 0x1000 8 0xffffffffffffffff\n"
                   "after 0 load 0x1000 9 0xffffffffffffffff\n")
            .outcome == Outcome::complete);
}

TEST_CASE("an access at a cycle before that of an access above is an error at its line", "[tlm]") {
  const ScratchFolder folder;
  const auto results_of = [&](const std::string& text) {
    return simulate(with_accesses(write_accesses(folder, text)));
  };
  const Results late =
      results_of("at 10 load 0x1000 4\nafter 3 load 0x1000 4\nat 9 load 0x1000 4\n");
  CHECK(late.outcome == Outcome::config_error);
  CHECK(late.message == folder.path("accesses.txt") +
                            ":3:1: the access at 9 follows one at 10; write accesses in the order "
                            "of their cycles, or `after` a number of cycles");
  CHECK(results_of("at 10 load 0x1000 4\nafter 3 load 0x1000 4\nat 10 load 0x1000 4\n").outcome ==
        Outcome::complete);
}

TEST_CASE("the cycles of a run include transactions without messages", "[tlm]") {
  const ScratchFolder folder;
  const std::string path = write_accesses(folder, "at 700 load 0x1000 4\n");
  const Scenario job =
      with_accesses(path)
          .with(
              "node.at",
              fmt::format("[{{nodes: [[1, 1]], kind: tlm, initiator: {{program: \"{}\"}}, memory: "
                          "{{size: 4 KiB, wait: 9 ns}}}}]",
                          path))
          .with("transactions.map", "[{base: 0x1000, size: 4 KiB, node: [1, 1]}]");
  const Results results = simulate(job);
  REQUIRE(results.value("transactions") == 1);
  CHECK(results.cycles > 701 + 9);
  CHECK(results.cycles < 720);
}

TEST_CASE("an access of a memory may take longer than transactions.answer_within in both styles",
          "[tlm]") {
  const ScratchFolder folder;
  const std::string path =
      write_accesses(folder, "at 5 store 0x1000 4 0x11223344\nafter 0 load 0x1000 4 0x11223344\n");
  const auto run = [&](const std::string& style) {
    return simulate(with_accesses(path, style, "40 us")
                        .with("transactions.answer_within", "5000 cycle")
                        .with("watchdog.interval", "1000 cycle"));
  };
  const Results loose = run("");
  REQUIRE(loose.outcome == Outcome::complete);
  CHECK(loose.value("transactions.wrong") == 0);
  CHECK(loose.cycles > 80'000);
  const Results approximate = run(", style: approximately_timed");
  INFO(approximate.message);
  CHECK(approximate.outcome == Outcome::complete);
  CHECK(approximate.cycles == loose.cycles);
  CHECK(run(", style: approximately_timed, outstanding: 2").outcome == Outcome::complete);
}

TEST_CASE("settings that the style of an initiator does not have are errors", "[tlm]") {
  const ScratchFolder folder;
  const std::string path = write_accesses(folder, "at 1 load 0x1000 4\n");
  const auto message_of = [&](const std::string& setting) {
    return simulate(with_accesses(path, setting)).message;
  };
  CHECK(message_of(", outstanding: 2").find("one transaction at a time") != std::string::npos);
  CHECK(message_of(", style: approximately_timed, quantum: 1 ns").find("does not run ahead") !=
        std::string::npos);
}

TEST_CASE("an initiator that runs ahead of time by a quantum takes the same times", "[tlm]") {
  const ScratchFolder folder;
  std::string text;
  for (int i = 0; i < 40; ++i)
    text += fmt::format("{} {} {} {:#x} {}{}\n", i % 5 == 0 ? "at" : "after",
                        i % 5 == 0 ? i * 30 : i % 7, i % 2 == 0 ? "store" : "load", 0x1000 + 16 * i,
                        1 + i % 16, i % 2 == 0 ? " 0x12" : "");
  const std::string path = write_accesses(folder, text);
  const Results expected = simulate(with_accesses(path));
  REQUIRE(expected.value("transactions") == 40);
  for (const char* quantum : {"1 ns", "700 ps", "10 us"})
    CHECK(difference(simulate(with_accesses(path, fmt::format(", quantum: {}", quantum))),
                     expected) == "");
}

TEST_CASE("with several transactions outstanding a list of accesses ends sooner", "[tlm]") {
  const ScratchFolder folder;
  std::string text;
  for (int i = 0; i < 30; ++i) text += fmt::format("at 0 load {:#x} 4\n", 0x1000 + 4 * i);
  const std::string path = write_accesses(folder, text);
  const Results one = simulate(with_accesses(path, ", style: approximately_timed"));
  const Results four =
      simulate(with_accesses(path, ", style: approximately_timed, outstanding: 4"));
  REQUIRE(one.value("transactions") == 30);
  CHECK(simulate(with_accesses(path)).cycles == one.cycles);
  CHECK(four.cycles < one.cycles / 2);
  CHECK(four.cycles > 30 * 12);  // the memory serves one access at a time
}

TEST_CASE("the next request begins when the last flit of the one before is on the wires", "[tlm]") {
  const ScratchFolder folder;
  std::string text;
  for (int i = 0; i < 5; ++i) text += "at 0 store 0x1000 128 0x1\n";
  const Results results = simulate(
      with_accesses(write_accesses(folder, text), ", style: approximately_timed, outstanding: 5")
          .with("channel.buffer", "2 flit")  // the next credits return late
          .with("packet_format", "{longest: 18 flit, header: 1 flit}")
          .with("observe", "[{kind: transactions}, {kind: flit_log}]"));
  REQUIRE(results.outcome == Outcome::complete);
  std::vector<std::string> sent;  // the last of the two packets of each request. Unit: ns
  const Table& flits = results.table("flit_log");
  for (const auto& row : flits.rows)
    if (row[flits.column("source", "")] == "0_0" && row[flits.column("kind", "")] == "tail" &&
        row[flits.column("channel", "")] == "injection_0_0" &&
        std::stoi(row[flits.column("packet", "")]) % 2 == 1)
      sent.push_back(row[flits.column("cycle", "")]);
  const Table& transactions = results.table("transactions");
  REQUIRE(sent.size() == 5);
  REQUIRE(transactions.rows.size() == 5);
  for (std::size_t i = 1; i < sent.size(); ++i)
    CHECK(transactions.rows[i][transactions.column("begun_ns", "")] == sent[i - 1]);
}

}  // namespace tlm_job_test
