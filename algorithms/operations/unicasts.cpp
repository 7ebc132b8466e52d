// algorithms/operations/unicasts.cpp: a list of messages from one node to one other each.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/demand.hpp"

namespace flitwave {
namespace {

struct UnicastItem {
  ConfigNode from;
  ConfigNode to;
  Bytes message;
};

const Schema<UnicastItem>& item_schema() {
  using I = UnicastItem;
  static const Schema<I> schema =
      Schema<I>{}
          .required("from", &I::from, "node that has the message, or random")
          .required("to", &I::to, "node that receives it, or random: any other than the source")
          .required("message", &I::message, "length of the message", at_least(1));
  return schema;
}

}  // namespace

template <>
struct Codec<UnicastItem> {
  static UnicastItem read(const ConfigNode& node) { return item_schema().parse(node); }
  static std::string print(const UnicastItem& item) { return map_text(item_schema().print(item)); }
  static ValueType type() {
    return {"transfer", "{from: [0, 0], to: [3, 1], message: 64 B}", R"({"type":"object"})"};
  }
};

namespace {

struct UnicastsParams {
  std::vector<UnicastItem> transfers;
};

Demand unicasts(const UnicastsParams& params, const Topology& topology, Random& random) {
  Demand demand{"unicasts", {}};
  for (const UnicastItem& item : params.transfers) {
    const NodeId from = find_or_draw(item.from, topology, random);
    const NodeId to = find_or_draw(item.to, topology, random, from);
    demand.deliveries.push_back({from, {to}, item.message});
    demand.name(item.from, from);
    demand.name(item.to, to);
  }
  return demand;
}

}  // namespace

void register_unicasts(Operations& operations) {
  using P = UnicastsParams;
  operations.add(
      "unicasts", {"a list of messages, each from one node to one other", ""},
      Schema<P>{}.required("transfers", &P::transfers, "the messages, each {from, to, message}"),
      unicasts);
}

}  // namespace flitwave
