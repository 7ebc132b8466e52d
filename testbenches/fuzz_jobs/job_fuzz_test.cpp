// testbenches/fuzz_jobs/job_fuzz_test.cpp: kinds are drawn from schemas, and what is wrong is
// found. SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <functional>

#include "flitwave/configs/error.hpp"
#include "flitwave/testbenches/catch.hpp"
#include "flitwave/testbenches/fuzz_jobs/job_campaign.hpp"
#include "flitwave/testbenches/fuzz_jobs/job_shrink.hpp"
#include "flitwave/testbenches/simulate.hpp"
#include "flitwave/testbenches/timed/scratch_folder.hpp"

namespace job_fuzz_test {

using namespace flitwave;
using namespace flitwave::fuzz_jobs;

namespace {

struct NoParams {};

/// Adds a kind of wormhole router. `change` is called for each that is made; true makes it slow.
void plant_router(Catalog& catalog, const std::string& name, const std::function<bool()>& change) {
  catalog.routers.add(
      name, {"a fault", ""}, Schema<NoParams>{},
      [catalog_routers = catalog.routers, change](const NoParams&) {
        const auto model_of = [&](const char* text) {
          return catalog_routers.bind(ConfigNode::parse(text, "planted")).build();
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

/// The first router that is made is slower than the others: the build order changes results.
Catalog with_order_fault() {
  Catalog catalog = standard_catalog();
  plant_router(catalog, "first_is_slow", [made = 0]() mutable { return made++ == 0; });
  return catalog;
}

/// An observer of which a metric is a negative time.
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

/// The failures among the first jobs that are drawn with an item.
std::vector<Trial> failures_with(const Item& pin, const Catalog& catalog, int count) {
  const JobKinds kinds(catalog);
  std::vector<Trial> failures;
  for (int number = 0; number < count; ++number) {
    const test::ScratchFolder folder;
    DrawParams params;
    params.number = number;
    params.pins = {pin};
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

TEST_CASE("every kind of the catalogue is an item of jobs, and so is one that is added", "[fuzz]") {
  const std::vector<Item> items = JobKinds(with_order_fault()).items();
  const auto has = [&items](const std::string& path, const std::string& value) {
    return std::find(items.begin(), items.end(), Item{path, value}) != items.end();
  };

  const Catalog catalog = standard_catalog();
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

TEST_CASE("items of a job are found in what is written and in its defaults", "[fuzz]") {
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

TEST_CASE("jobs that are drawn are the same ones again, and most are accepted", "[fuzz]") {
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

TEST_CASE("a kind of router whose results hang on the build order is found and shrunk", "[fuzz]") {
  const Catalog catalog = with_order_fault();
  const std::vector<Trial> failures = failures_with({"router", "first_is_slow"}, catalog, 12);

  const auto found = std::find_if(failures.begin(), failures.end(), [](const Trial& trial) {
    return trial.verdict.fault.find("batched, reversed") == 0;
  });
  REQUIRE(found != failures.end());
  CHECK(found->verdict.sort == "difference");

  const test::ScratchFolder folder;
  int asked = 0;
  const DrawnJob simple = shrink(found->draft.job, 150, [&](const DrawnJob& job) {
    ++asked;
    job.write(folder.path());
    return judge_in_child(job.scenario(folder.path()), catalog, {}).sort == "difference";
  });
  CHECK(asked <= 150);
  CHECK(simple.tree.to_yaml().find("first_is_slow") != std::string::npos);
  CHECK(simple.tree.to_yaml().size() < found->draft.job.tree.to_yaml().size());
}

TEST_CASE("a metric that is a negative time is found", "[fuzz]") {
  const std::vector<Trial> failures =
      failures_with({"observe", "negative_time"}, with_negative_time(), 4);

  REQUIRE(!failures.empty());
  CHECK(failures.front().verdict.sort == "metric");
  CHECK(failures.front().verdict.fault == "negative.time is -3 cycles");
}

TEST_CASE("a job that hangs and one that ends its process are found", "[fuzz]") {
  Catalog catalog = standard_catalog();
  plant_router(catalog, "hangs", [] {
    for (volatile bool forever = true; forever;) {
    }
    return true;
  });
  plant_router(catalog, "aborts", [] {
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

TEST_CASE("each rule of a run is broken by results that break it", "[fuzz]") {
  const Job job = Job::read(small_job(), standard_catalog());
  const Plan plan = Plan::make(job, Plan::Check::always);
  const Results right = simulate(job, plan, {});
  const auto sort_of = [&](const std::function<void(Results&)>& change) {
    Results results = right;
    change(results);
    return broken_rule(job, plan, results).first;
  };

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
          auto& row = results.tables["packets"].rows.front();
          row[6] = row[5];  // the head arrives in the cycle of its injection
        }) == "packet");
}

TEST_CASE("a pair is covered by five accepted runs, or by a message why there are none", "[fuzz]") {
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
  coverage.add_refusal({cascade, mesh}, "router: no");
  CHECK(coverage.table(true).find("topology: mesh + router: cascade: 0") != std::string::npos);
}

TEST_CASE("a failing job is shrunk to what makes it fail, its file too", "[fuzz]") {
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
