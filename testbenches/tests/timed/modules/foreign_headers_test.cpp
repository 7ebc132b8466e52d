// testbenches/tests/timed/modules/foreign_headers_test.cpp: wrong headers from a foreign router are
// rejected.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "routers/relay/relay_faults.hpp"
#include "routers/relay/relayed_messages.hpp"
#include "testbenches/run/simulate.hpp"
#include "testbenches/tests/catch.hpp"

namespace foreign_headers_test {

using namespace flitwave;

namespace {

/// What a foreign router sends instead of the message that it received.
struct Forgery {
  CubeHeader header;
  std::int64_t flits = 0;  ///< Number of flits sent.
  std::int64_t tail = 0;   ///< Number of the tail flit; there is no tail if fewer are sent.
  std::int64_t first = 0;  ///< Number of the first flit.
  /// Words of header flits, by their number, that differ from the fields of the header.
  std::map<std::int64_t, std::optional<FlitWord>> words{};
};

/// Receives a message from its processor and sends another one along dimension 0.
class ForeignRouter final : public Router {
 public:
  ForeignRouter(const char* name, const RouterSite& site, Forgery forgery)
      : Router(name, site, 0, VcReallocation::non_atomic), forgery_(std::move(forgery)) {}

  int flits_inside() const override { return static_cast<int>(received_ - sent_); }
  bool at_rest() const override { return received_ == sent_; }

 private:
  void tick() override {
    if (requested_ != 0) in_port(from_).acknowledge(0);
    if (returns_ != 0) sends_ = true;
    if (arrivals_ != 0) take(in_port(from_).standing());
    if (sends_) send();
  }

  void take(Flit flit) {
    group_ = flit;
    ++received_;
    if (!flit.tail()) return;
    messages_.announce(group_, NodeId(1), forgery_.header);
    messages_.finish(group_, node(), this_cycle());
    out_port(to_).request(0);
  }

  void send() {
    const std::int64_t number = forgery_.first + sent_;
    if (const std::optional<FlitWord> word = word_of(number)) words_.put(*word, this_cycle());
    out_port(to_).send(
        Flit(group_.source(), group_.slot(), number, number == 0, number == forgery_.tail, 0), 0,
        this_cycle());
    sends_ = ++sent_ < forgery_.flits;
  }

  RelayedMessages& messages_ = RelayedMessages::of(site());
  std::optional<FlitWord> word_of(std::int64_t flit) const {
    if (const auto forged = forgery_.words.find(flit); forged != forgery_.words.end())
      return forged->second;
    const std::vector<CubeBits> fields = fields_of(forgery_.header);
    if (flit >= static_cast<std::int64_t>(fields.size())) return std::nullopt;
    return fields[static_cast<std::size_t>(flit)];
  }

  Forgery forgery_;
  int from_ = site().network_ports;
  int to_ = cube_port(0, 0);
  FlitWords& words_ = site().outputs[static_cast<std::size_t>(to_)]->words();
  Flit group_;
  bool sends_ = false;
  std::int64_t received_ = 0;
  std::int64_t sent_ = 0;
};

struct NoParams {};

Scenario cube(const std::string& router, const std::string& destinations, int data) {
  return Scenario::parse(fmt::format(R"(
scenario: cube
topology: {{kind: hypercube, dimensions: 3}}
channel: {{handshake: request, buffer: 64 flit}}
operation: {{kind: multicast, source: 0, destinations: [{}], message: {} B}}
algorithm: {{kind: hardware_multicast}}
observe: []
allow_deadlock: true
watchdog: {{interval: 200 cycle}}
stop: {{limit: 20000 cycle}}
)",
                                     destinations, data))
      .with("router", "{kind: greedy_multicast, " + router + "}");
}

/// A message from node 0 to nodes 1, 3 and 5. The router of node 0 is foreign, the others are like
/// `router`.
Results sent_by_foreign_router(const std::string& router, const Forgery& forgery, int data = 16,
                               const std::string& destinations = "1, 3, 5") {
  const Scenario ours = cube(router, destinations, data);
  Catalog catalog = standard_catalog();
  catalog.routers.add("foreign", {"for tests", ""}, Schema<NoParams>{}, [&](const NoParams&) {
    RouterModel model = Job::read(ours, standard_catalog()).router.build();
    model.build = [build = model.build, forgery](
                      const char* name, const RouterSite& site) -> std::unique_ptr<Router> {
      if (site.node != NodeId(0)) return build(name, site);
      return std::make_unique<ForeignRouter>(name, site, forgery);
    };
    return model;
  });
  return simulate(ours.with("router", "{kind: foreign}"), catalog);
}

/// A forgery with all flits of the header and the data.
Forgery whole(const CubeHeader& header, int data = 16) {
  const std::int64_t flits = header.length() + data;
  return {header, flits, flits - 1, 0};
}

void require_rejected(const Results& results, const std::string& why) {
  INFO(results.message);
  REQUIRE(results.outcome == Outcome::model_error);
  REQUIRE(results.message.find(why) != std::string::npos);
}

const CubeHeader right{3, {1, 3, 5}, 0};

}  // namespace

TEST_CASE("errors of routers name nodes by binary labels where the job does", "[timed][lan_1988]") {
  const std::string detail = GENERATE(as<std::string>{}, "compact", "blocks");
  const auto rejected = [&](const Forgery& forgery, const std::string& why) {
    const std::string labels = R"("001", "011", "101")";
    require_rejected(sent_by_foreign_router("detail: " + detail, forgery, 16, labels), why);
  };
  rejected(whole({0, {}, 0}),
           "router_001 of node 001: header.k: a message without destinations, in a message from "
           "node 000");
  rejected({right, 12, 11, 0}, "router of node 001: data: flit 11 of");
  rejected({right, 12, 11, 0}, "found source 000 slot");
  rejected(whole({3, {1, 3, 7}, 0}),
           "a message was to be delivered to node 111, which is not one of its destinations");
}

TEST_CASE("a foreign router with correct headers works in the network", "[timed][lan_1988]") {
  const std::string detail = GENERATE(as<std::string>{}, "compact", "blocks");
  const Results results = sent_by_foreign_router("detail: " + detail, whole(right));

  INFO(results.message);
  REQUIRE(results.outcome == Outcome::complete);
  REQUIRE(results.value("packets") == 3);
}

TEST_CASE("a wrong header field is reported with the router that receives it",
          "[timed][lan_1988]") {
  const std::string detail = GENERATE(as<std::string>{}, "compact", "blocks");
  const std::string here = "router_1_0_0 of node 1_0_0: ";
  const auto rejected = [&](const CubeHeader& header, const std::string& why,
                            const std::string& router = "") {
    require_rejected(sent_by_foreign_router("detail: " + detail + router, whole(header)),
                     here + why);
  };
  rejected({0, {}, 0}, "header.k: a message without destinations");
  rejected({9, {}, 0}, "header.k: 9 destinations in a cube of 8 nodes");
  rejected({1, {1, 3}, 0}, "header.k: k is 1, but 2 destinations follow");
  rejected({4, {1, 3, 5}, 0}, "header.k: k is 4, but 3 destinations follow");
  rejected({7, {1}, 0}, "header.k: k is 7, but 1 destinations follow");
  rejected({3, {1, 3, 3}, 0}, "header.destinations[2]: node 3 is named twice");
  rejected({3, {1, 8, 5}, 0}, "header.destinations[1]: ");
  rejected({3, {1, 3, 5}, 8}, "header.source: ");
  rejected({3, {1, 3, 5}, 8}, "header.control: ", ", fault_tolerant: true");
}

TEST_CASE("an error names a field that does not arrive as it was sent", "[timed][lan_1988]") {
  const std::string detail = GENERATE(as<std::string>{}, "compact", "blocks");
  const std::string here = "router_1_0_0 of node 1_0_0: ";
  const auto rejected = [&](std::int64_t flit, std::optional<FlitWord> word,
                            const std::string& why) {
    Forgery forgery = whole(right);
    forgery.words[flit] = word;
    require_rejected(sent_by_foreign_router("detail: " + detail, forgery), here + why);
  };
  rejected(0, std::nullopt, "header.k: flit 0 carries no field");
  rejected(2, std::nullopt, "header.destinations[1]: flit 2 carries no field");
  rejected(4, std::nullopt, "header.source: flit 4 carries no field");
  rejected(0, 4, "header.k: k is 4, but 3 destinations follow");
  rejected(2, 7, "header.destinations[1]: 3 was sent, and 7 has arrived");
  rejected(4, 2, "header.source: 0 was sent, and 2 has arrived");
}

TEST_CASE("a message that exceeds a router's limits is rejected by that router",
          "[timed][lan_1988]") {
  const std::string detail = GENERATE(as<std::string>{}, "compact", "blocks");
  const CubeHeader longer{6, {1, 3, 5, 7, 2, 4}, 0};
  require_rejected(
      sent_by_foreign_router("detail: " + detail, whole(longer, 58), 58),
      "router_1_0_0 of node 1_0_0: data: a message of 66 flits, 8 of which are its header, "
      "is longer than the buffer of 64 flits");
  require_rejected(sent_by_foreign_router("capacity: 2, broadcaster: false, detail: " + detail,
                                          whole(right), 16, "1, 3"),
                   "router_1_0_0 of node 1_0_0: header.k: 3 destinations, and the router has no");
}

TEST_CASE("a header that lists other nodes than the message's ends the run", "[timed][lan_1988]") {
  const std::string detail = GENERATE(as<std::string>{}, "compact", "blocks");
  require_rejected(sent_by_foreign_router("detail: " + detail, whole({3, {1, 3, 7}, 0})),
                   "header.destinations: a message was to be delivered to node 1_1_1, which is not "
                   "one of its destinations");
  require_rejected(sent_by_foreign_router("detail: " + detail, whole({2, {1, 3}, 0})),
                   "leaves out a destination, though nothing is faulty");
}

TEST_CASE("a message whose length differs from its header's is rejected at the first wrong flit",
          "[timed][lan_1988]") {
  const std::string detail = GENERATE(as<std::string>{}, "compact", "blocks");
  const std::string here = "router of node 1_0_0: ";
  const auto rejected = [&](const Forgery& forgery, const std::string& why) {
    require_rejected(sent_by_foreign_router("detail: " + detail, forgery), here + why);
  };
  rejected({right, 1, 0, 0}, "header.k: flit 0 of an acknowledged message was due");
  rejected({right, 4, 3, 0}, "header.destinations[2]: flit 3 of");
  rejected({right, 5, 4, 0}, "header.source: flit 4 of");
  rejected({right, 12, 11, 0}, "data: flit 11 of");
  rejected({right, 40, 39, 0}, "data: flit 20 of");  // the tail by its header
  rejected({right, 20, 20, 1}, "header.k: flit 0 of");
}

TEST_CASE("a message that stops before its tail ends the run", "[timed][lan_1988]") {
  const std::string detail = GENERATE(as<std::string>{}, "compact", "blocks");
  const auto rejected = [&](const Forgery& forgery, const std::string& why) {
    require_rejected(sent_by_foreign_router("detail: " + detail, forgery), why);
  };
  rejected({right, 3, 20, 0},
           "router of node 1_0_0: header.destinations[2]: flit 3 of an acknowledged "
           "message was due, of 21; none has come");
  // This is detected when no flit is left to be sent on.
  rejected({right, 8, 20, 0}, detail == "compact" ? "come more slowly" : "a gap in a message");
}

}  // namespace foreign_headers_test
