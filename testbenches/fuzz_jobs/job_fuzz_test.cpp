// testbenches/fuzz_jobs/job_fuzz_test.cpp: kinds of jobs are generated from schemas, and faults are
// found.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <functional>

#include "configs/error.hpp"
#include "testbenches/fuzz_jobs/job_campaign.hpp"
#include "testbenches/fuzz_jobs/job_refusals.hpp"
#include "testbenches/fuzz_jobs/job_remedy.hpp"
#include "testbenches/fuzz_jobs/job_shrink.hpp"
#include "testbenches/run/simulate.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/scratch_folder.hpp"

namespace job_fuzz_test {

using namespace flitwave;
using namespace flitwave::fuzz_jobs;

namespace {

struct NoParams {};

/// Adds a kind of wormhole router. `change` is called for each router; true makes the router slow.
void add_router(Catalog& catalog, const std::string& name, const std::function<bool()>& change) {
  catalog.routers.add(
      name, {"a fault", ""}, Schema<NoParams>{},
      [catalog_routers = catalog.routers, change](const NoParams&) {
        const auto model_of = [&](const char* text) {
          return catalog_routers.bind(ConfigNode::parse(text, "test")).build();
        };
        RouterModel model = model_of("{kind: wormhole, preset: single_cycle}");
        model.timing.reset();
        model.build = [usual = model.build, change,
                       slow = model_of("{kind: wormhole, route_delay: 9 cycle}").build](
                          const char* its_name, const RouterSite& site) {
          return (change() ? slow : usual)(its_name, site);
        };
        return model;
      });
}

/// The first router that is built is slower than the others: results depend on the build order.
Catalog with_order_fault() {
  Catalog catalog = standard_catalog();
  add_router(catalog, "first_is_slow", [made = 0]() mutable { return made++ == 0; });
  return catalog;
}

/// An observer with a metric that is a negative time.
class NegativeTime final : public Observer {
 public:
  std::vector<ChannelSite::Kind> channels() const override { return {}; }
  void report(const RunSummary&, Results& results) const override {
    results.add("negative.time", -3, "cycle");
  }
};

Catalog with_negative_time() {
  Catalog catalog = standard_catalog();
  catalog.observers.add("negative_time", {"a fault", ""}, Schema<NoParams>{},
                        [](const NoParams&, const ObserverSite&) -> std::unique_ptr<Observer> {
                          return std::make_unique<NegativeTime>();
                        });
  return catalog;
}

/// The failures among the first jobs generated with an item.
std::vector<Trial> failures_with(const Item& pin, const Catalog& catalog, int count) {
  const JobKinds kinds(catalog);
  std::vector<Trial> failures;
  for (int number = 0; number < count; ++number) {
    const test::ScratchFolder folder;
    DrawParams params;
    params.number = number;
    Aim aim;
    aim.pins = {pin};
    params.aims = {aim};
    Trial trial;
    trial.draft = draw_job(kinds, catalog, params, folder.path());
    if (!trial.draft.with_pins) continue;
    trial.verdict = judge_in_child(trial.draft.job.scenario(folder.path()), catalog, {});
    if (!trial.verdict.fault.empty()) failures.push_back(trial);
  }
  return failures;
}

Scenario small_job() {
  return Scenario::parse(R"(
scenario: small
topology: {kind: mesh, shape: [2, 2]}
router: {kind: wormhole, preset: single_cycle}
operation: {kind: broadcast, root: 0, message: 8 B}
algorithm: {kind: recursive_doubling}
observe: [{kind: latency, packets: true}, {kind: channel_load}]
)");
}

}  // namespace

TEST_CASE("every kind of the catalogue is an item of jobs, and so is an added one", "[fuzz]") {
  const std::vector<Item> items = JobKinds(with_order_fault()).items();
  const auto has = [&items](const std::string& path, const std::string& value) {
    return std::find(items.begin(), items.end(), Item{path, value}) != items.end();
  };

  const Catalog catalog = without_unavailable(standard_catalog());
  for (const std::string& name : catalog.topologies.names()) CHECK(has("topology", name));
  for (const std::string& name : catalog.routings.names()) CHECK(has("routing", name));
  for (const std::string& name : catalog.routers.names()) CHECK(has("router", name));
  for (const std::string& name : catalog.routers.names()) CHECK(has("router.at", name));
  for (const std::string& name : catalog.operations.names()) CHECK(has("operation", name));
  for (const std::string& name : catalog.collectives.names()) CHECK(has("algorithm", name));
  for (const std::string& name : catalog.traffic.names()) CHECK(has("traffic.pattern", name));
  for (const std::string& name : catalog.injections.names()) CHECK(has("traffic.injection", name));
  for (const std::string& name : catalog.observers.names()) CHECK(has("observe", name));
  for (const std::string& name : names_of(Handshake{})) CHECK(has("channel.handshake", name));
  for (const char* section : {"traffic", "trace", "requests", "faults", "wave"})
    CHECK(has(section, ""));
  CHECK(has("router", "first_is_slow"));
}

TEST_CASE("items of a job are found in its text and in its defaults", "[fuzz]") {
  const JobKinds kinds(standard_catalog());
  const Job job = Job::read(small_job(), standard_catalog());

  const std::vector<Item> items = kinds.items_of(job.written, job.resolved());

  const auto has = [&items](const Item& item) {
    return std::find(items.begin(), items.end(), item) != items.end();
  };
  CHECK(has({"router", "wormhole"}));
  CHECK(has({"observe", "latency"}));
  CHECK(has({"observe", "channel_load"}));
  CHECK(has({"routing", "dimension_order"}));   // a default
  CHECK(has({"channel.handshake", "credit"}));  // a default
  CHECK(!has({"wave", ""}));
  CHECK(!kinds.may_meet({"router", "wormhole"}, {"router", "circuit"}));
  CHECK(kinds.may_meet({"observe", "latency"}, {"observe", "steps"}));
}

TEST_CASE("random jobs are repeatable, and most are accepted", "[fuzz]") {
  const Catalog catalog = standard_catalog();
  const JobKinds kinds(catalog);
  const test::ScratchFolder folder;
  int accepted = 0;
  for (int number = 0; number < 20; ++number) {
    DrawParams params;
    params.number = number;
    const Draft draft = draw_job(kinds, catalog, params, folder.path());
    const Draft again = draw_job(kinds, catalog, params, folder.path());
    CHECK(draft.job.tree == again.job.tree);
    accepted += draft.refusal.text.empty() ? 1 : 0;
  }
  CHECK(accepted >= 10);
}

TEST_CASE("a kind of router whose results depend on the build order is found and shrunk",
          "[fuzz]") {
  const Catalog catalog = with_order_fault();
  const std::vector<Trial> failures = failures_with({"router", "first_is_slow"}, catalog, 12);

  const auto found = std::find_if(failures.begin(), failures.end(), [](const Trial& trial) {
    return trial.verdict.fault.find("batched, reversed") == 0;
  });
  REQUIRE(found != failures.end());
  CHECK(found->verdict.sort == "difference");

  const test::ScratchFolder folder;
  int calls = 0;
  const DrawnJob simple = shrink(found->draft.job, 150, [&](const DrawnJob& job) {
    ++calls;
    job.write(folder.path());
    return judge_in_child(job.scenario(folder.path()), catalog, {}).sort == "difference";
  });
  CHECK(calls <= 150);
  CHECK(simple.tree.to_yaml().find("first_is_slow") != std::string::npos);
  CHECK(simple.tree.to_yaml().size() < found->draft.job.tree.to_yaml().size());
}

TEST_CASE("a metric that is a negative time is detected", "[fuzz]") {
  const std::vector<Trial> failures =
      failures_with({"observe", "negative_time"}, with_negative_time(), 4);

  REQUIRE(!failures.empty());
  CHECK(failures.front().verdict.sort == "metric");
  CHECK(failures.front().verdict.fault == "negative.time is -3 cycles");
}

TEST_CASE("a job that hangs and a job that ends its process are detected", "[fuzz]") {
  Catalog catalog = standard_catalog();
  add_router(catalog, "hangs", [] {
    for (volatile bool forever = true; forever;) {
    }
    return true;
  });
  add_router(catalog, "aborts", [] {
    std::signal(SIGABRT, SIG_DFL);  // Catch has a handler
    std::abort();
    return true;
  });
  Limits limits;
  limits.seconds = 1;

  const Verdict hangs = judge_in_child(small_job().with("router", "hangs"), catalog, limits);
  const Verdict aborts = judge_in_child(small_job().with("router", "aborts"), catalog, limits);

  CHECK(hangs.sort == "time");
  CHECK(aborts.sort == "crashed");
  CHECK(aborts.fault.find("signal 6") != std::string::npos);
}

/// The cell of the first row.
std::string& cell_of(Table& table, const char* column) {
  return table.rows.front()[table.column(column, "")];
}

TEST_CASE("each rule of a run is violated by corresponding results", "[fuzz]") {
  const Job job = Job::read(small_job(), standard_catalog());
  const Plan plan = Plan::make(job, Plan::Check::always);
  const Results right = simulate(job, plan, {});
  const auto violation = [&](const std::function<void(Results&)>& change) {
    Results results = right;
    change(results);
    return broken_rule(job, plan, results);
  };
  const auto sort_of = [&](const auto& change) { return violation(change).first; };
  const auto fault_of = [&](const auto& change) { return violation(change).second; };

  CHECK(sort_of([](Results&) {}) == "");
  CHECK(sort_of([](Results& results) { results.outcome = Outcome::deadlock; }) == "deadlock");
  CHECK(sort_of([](Results& results) { results.add("latency.x", -1, "cycle"); }) == "metric");
  CHECK(sort_of([](Results& results) {
          results.add("throughput.accepted", 1.01, "flit/node/cycle");
        }) == "load");
  CHECK(sort_of([](Results& results) {
          results.tables["channel_load"].rows.front().back() = "1.5";
        }) == "load");
  CHECK(sort_of([](Results& results) { results.tables["transfers"].rows.front()[5] = "-1"; }) ==
        "delivery");
  CHECK(sort_of([](Results& results) {
          auto& rows = results.tables["packets"].rows;
          rows.push_back(rows.front());
        }) == "packet");
  CHECK(sort_of([](Results& results) {
          Table& packets = results.tables["packets"];  // the head arrives as it is injected
          cell_of(packets, "head_ejected") = cell_of(packets, "injected");
        }) == "packet");
  CHECK(fault_of([](Results& results) {
          std::string& created = cell_of(results.tables["packets"], "created");
          created = std::to_string(std::stoi(created) + 1);
        }).find("its closed form is") != std::string::npos);
  CHECK(fault_of([](Results& results) {
          cell_of(results.tables["packets"], "transfer") = "1";
        }).find("serves transfer 1 from") != std::string::npos);
  CHECK(fault_of([](Results& results) {
          cell_of(results.tables["transfers"], "ready_cycle") = "1000000";
        }).find("is older than transfer 0") != std::string::npos);
  CHECK(sort_of([](Results& results) {
          const Table& packets = results.tables["packets"];
          results.tables["undelivered"] = {packets.columns, {packets.rows.front()}};
        }) == "packet");
  CHECK(fault_of([](Results& results) {
          auto& rows = results.tables["packets"].rows;
          for (int i = 0; i < 200; ++i) {
            rows.push_back(rows.front());
            rows.back()[2] = std::to_string(1000 + i);
          }
        }).find("from 1 ejection channels") != std::string::npos);
}

TEST_CASE("a pair is covered by five accepted runs, or by a message that excludes it", "[fuzz]") {
  const JobKinds kinds(standard_catalog());
  const Item mesh{"topology", "mesh"};
  const Item wormhole{"router", "wormhole"};
  JobCoverage coverage(kinds);
  for (int run = 0; run < 5; ++run) coverage.add({mesh, wormhole});

  CHECK(coverage.count(mesh, wormhole) == 5);
  CHECK(coverage.pairs().legal == 1);
  CHECK(!coverage.enough());
  CHECK(!coverage.next_pins().empty());

  const Item cascade{"router", "cascade"};
  coverage.add_miss({cascade, mesh}, "router: no", false);
  CHECK(coverage.table(true).find("topology: mesh + router: cascade: 0") != std::string::npos);
  coverage.add_miss({cascade, mesh}, "router: no", false);
  CHECK(coverage.pairs().illegal == 1);
  CHECK(coverage.table(true).find("illegal: topology: mesh + router: cascade: router: no") !=
        std::string::npos);

  const Item torus{"topology", "torus"};
  coverage.add_miss({cascade, torus}, "router: never", true);
  CHECK(coverage.pairs().illegal == 2);
  coverage.add({cascade, mesh});  // found by chance
  CHECK(coverage.pairs().illegal == 1);
}

TEST_CASE(
    "an illegal section makes its settings illegal, and an illegal item makes its pairs illegal",
    "[fuzz]") {
  const JobKinds kinds(standard_catalog());
  JobCoverage coverage(kinds);
  const Item traffic{"traffic", ""};
  const Item uniform{"traffic.pattern", "uniform"};
  const Item trace{"trace", ""};
  const Item mesh{"topology", "mesh"};
  coverage.add_miss({traffic, trace}, "trace: a second load", true);
  CHECK(coverage.pairs().illegal == 1);
  for (int run = 0; run < 5; ++run) coverage.add({traffic, uniform});
  CHECK(coverage.table(true).find("illegal: traffic.pattern: uniform + trace: trace: a second "
                                  "load\n") != std::string::npos);
  CHECK(coverage.pairs().illegal == 2);
  coverage.add({uniform});  // not always with its section, so nothing follows
  CHECK(coverage.pairs().illegal == 1);

  const Item single{"router.at", "greedy_multicast"};
  coverage.add({mesh});
  for (int miss = 0; miss < JobCoverage::misses_of_item; ++miss) {
    CHECK(coverage.table(true).find("for all nodes") == std::string::npos);
    coverage.add_miss({single}, "for all nodes", true);
  }
  CHECK(coverage.table(true).find("illegal: topology: mesh + router.at: greedy_multicast: for all "
                                  "nodes") != std::string::npos);
}

TEST_CASE("a campaign reports which share of jobs is too small", "[fuzz]") {
  const JobKinds kinds(standard_catalog());
  JobCampaignResult result(kinds);
  result.drawn = 200;
  result.accepted = 100;
  result.beside = result.faulty = result.waves = 10;
  CHECK(result.lack_of_shares() == "");
  result.waves = 9;
  CHECK(result.lack_of_shares() == "a tenth of the accepted jobs must have a wave");
  result.faulty = 9;
  CHECK(result.lack_of_shares() == "a tenth of the accepted jobs must have faults");
  result.accepted = 99;
  CHECK(result.lack_of_shares() == "half of the jobs must be accepted");
}

TEST_CASE("missing runs are gained by jobs with these items, and the items are chosen", "[fuzz]") {
  const JobKinds kinds(standard_catalog());
  const Item mesh{"topology", "mesh"};
  const Item wormhole{"router", "wormhole"};
  const Item wave{"wave", ""};
  JobCoverage coverage(kinds);
  CHECK(coverage.gain({mesh, wormhole}) == 15);  // two items and their pair, 5 runs each
  coverage.add({mesh, wormhole});
  CHECK(coverage.gain({mesh, wormhole}) == 12);
  CHECK(coverage.gain({mesh, wormhole, wave}) == 27);

  Random random(1, "test");
  for (int draws = 0; draws < 200; ++draws) {
    const std::optional<Item> missing = coverage.missing({mesh, wormhole}, {mesh}, random);
    REQUIRE(missing);
    CHECK(missing->path != "topology");  // which is pinned
    CHECK(!(*missing == wormhole));
  }
}

TEST_CASE("remedies are read as settings, with alternatives separated from settings to be combined",
          "[fuzz]") {
  const JobKinds kinds(standard_catalog());
  const ConfigNode job = small_job().tree();
  const auto read = [&](const char* key, const char* remedy) {
    std::string text;
    for (const auto& settings : advice_of(key, remedy, kinds, job)) {
      text += text.empty() ? "" : " / ";
      for (const Advice& advice : settings)
        text += (&advice == &settings.front() ? "" : " & ") + advice.path + "=" +
                (advice.value.is_null()  ? "out"
                 : advice.value.is_map() ? advice.value.at("kind").text()
                                         : advice.value.text());
    }
    return text;
  };
  CHECK(read("algorithm.kind", "use topology: {kind: mesh, shape: [4, 4]}, or kind: separate") ==
        "topology=mesh / algorithm=separate");
  CHECK(read("algorithm.kind",
             "use another algorithm (`flitwave list algorithm`), or operation.kind: scatter, "
             "all_gather") == "operation=scatter / operation=all_gather");
  CHECK(read("router", "use topology: {kind: complete} and routing: {kind: shortest_path}") ==
        "topology=complete & routing=shortest_path");
  CHECK(read("node.overhead", "use overhead: serialized or overlapped") ==
        "node.overhead=serialized / node.overhead=overlapped");
  CHECK(read("topology", "use topology: {kind: hypercube, dimensions: N}") == "topology=hypercube");
  CHECK(read("router.vc_reallocation",
             "set channel.handshake to credit, or vc_reallocation to "
             "non_atomic") == "channel.handshake=credit / router.vc_reallocation=non_atomic");
  CHECK(read("observe[0]",
             "remove it (in an experiment set `observe: []`), or set evaluation: "
             "timed") == "observe=out / observe= / evaluation=timed");
  CHECK(read("trace", "leave out `observe`, or send by `traffic`") == "observe=out");
}

TEST_CASE("of the messages of rejected jobs, the one that names all pinned items is kept",
          "[fuzz]") {
  const JobKinds kinds(standard_catalog());
  JobRefusals refusals(kinds, {{"topology", "ring"}, {"algorithm", "edn"}});
  refusals.add("traffic.rate: 2 is too much");
  refusals.add("traffic.rate: 3 is too much");
  CHECK(refusals.naming_all() == 0);
  CHECK(refusals.reason() == "traffic.rate: 2 is too much");
  refusals.add("algorithm.kind: edn needs a grid");
  CHECK(refusals.reason() == "algorithm.kind: edn needs a grid | traffic.rate: 2 is too much");
  refusals.add("algorithm.kind: edn needs a mesh or torus, not a ring; set topology.kind: mesh");
  CHECK(refusals.naming_all() == 1);
  CHECK(refusals.reason() ==
        "algorithm.kind: edn needs a mesh or torus, not a ring; set topology.kind: mesh");
}

TEST_CASE("a message about a pinned setting precedes one that mentions it", "[fuzz]") {
  const JobKinds kinds(standard_catalog());
  JobRefusals loads(kinds, {{"traffic", ""}, {"requests", ""}});
  loads.add("trace: a second load beside `traffic`; a job has one of traffic, trace and requests");
  loads.add("trace: a second load beside `traffic`; a job has one of traffic, trace and requests");
  const std::string own =
      "requests: a second load beside `traffic`; a job has one of traffic, trace and requests";
  loads.add(own);
  CHECK(loads.reason() == own);

  JobRefusals single(kinds, {{"router.at", "greedy_multicast"}});
  single.add("router.at[1].iterations: a second iteration would have none");
  single.add("router.at[1].iterations: a second iteration would have none");
  single.add("router: use kind: greedy_multicast for all nodes, without overrides");
  CHECK(single.reason() == "router: use kind: greedy_multicast for all nodes, without overrides");
}

TEST_CASE("a failing job and its file are shrunk to what makes it fail", "[fuzz]") {
  const DrawnJob job{ConfigNode::parse(R"(
scenario: x
topology: {kind: mesh, shape: [4, 3]}
channel: {vcs: 7, latency: 5 cycle}
trace: {file: t.txt, drain: 90 cycle}
)",
                                       "job"),
                     {{"t.txt", "1 0 1 2\n2 1 0 9\n3 0 1 1\n"}}};

  const DrawnJob simple = shrink(job, 1000, [](const DrawnJob& candidate) {
    const ConfigNode* vcs = candidate.tree.find_path("channel.vcs");
    return vcs && std::atoi(vcs->text().c_str()) >= 3 &&
           candidate.files.front().text.find(" 9\n") != std::string::npos;
  });

  CHECK(simple.tree.to_yaml() == "scenario: x\nchannel: {vcs: 3}\n");
  CHECK(simple.files.front().text == "2 1 0 9\n");
}

}  // namespace job_fuzz_test
