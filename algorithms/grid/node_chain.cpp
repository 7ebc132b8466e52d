// algorithms/grid/node_chain.cpp: see node_chain.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/grid/node_chain.hpp"

#include <algorithm>

namespace flitwave {
namespace {

/// Halves a chain until every part is one node.
class Halving {
 public:
  Halving(const std::vector<NodeId>& chain, LargerHalf larger) : chain_(chain), larger_(larger) {}

  /// `holder`, one of the elements first .. last - 1, serves these from `step` on.
  void serve(std::size_t first, std::size_t last, std::size_t holder, int step) {
    const std::size_t count = last - first;
    if (count <= 1) return;
    const std::size_t middle = first + (larger_ == LargerHalf::lower ? (count + 1) / 2 : count / 2);
    const bool low = holder < middle;
    const std::size_t receiver = low ? middle : middle - 1;
    const std::size_t given = low ? last - middle : middle - first;
    sends_.push_back({chain_[holder], chain_[receiver], step, static_cast<int>(given)});
    serve(first, middle, low ? holder : receiver, step + 1);
    serve(middle, last, low ? receiver : holder, step + 1);
  }

  std::vector<ChainSend> take_sends() { return std::move(sends_); }

 private:
  const std::vector<NodeId>& chain_;
  LargerHalf larger_;
  std::vector<ChainSend> sends_;
};

std::size_t place_of(NodeId node, const std::vector<NodeId>& chain) {
  return index(std::find(chain.begin(), chain.end(), node) - chain.begin());
}

}  // namespace

std::vector<std::string> names_of(ChainPlace) {
  return {"in_place", "source_first", "rotated", "relative"};
}

std::vector<std::string> names_of(ChainSort) { return {"ascending", "descending"}; }

std::vector<std::string> names_of(LargerHalf) { return {"lower", "upper"}; }

std::vector<NodeId> node_chain(NodeId source, const std::vector<NodeId>& destinations,
                               const ChainRule& rule, const ChainOrder& before) {
  std::vector<NodeId> chain = destinations;
  chain.push_back(source);
  const auto precedes = [&](NodeId a, NodeId b) {
    return rule.place == ChainPlace::relative ? before.relative(source, a, b) : before(a, b);
  };
  std::sort(chain.begin(), chain.end(), [&](NodeId a, NodeId b) {
    return rule.sort == ChainSort::ascending ? precedes(a, b) : precedes(b, a);
  });
  const auto at = std::find(chain.begin(), chain.end(), source);
  if (rule.place == ChainPlace::source_first) std::rotate(chain.begin(), at, at + 1);
  if (rule.place == ChainPlace::rotated || rule.place == ChainPlace::relative)
    std::rotate(chain.begin(), at, chain.end());
  return chain;
}

std::vector<ChainSend> halve_chain(NodeId source, const std::vector<NodeId>& destinations,
                                   const ChainRule& rule, const ChainOrder& before) {
  const std::vector<NodeId> chain = node_chain(source, destinations, rule, before);
  Halving halving(chain, rule.larger);
  halving.serve(0, chain.size(), place_of(source, chain), 1);
  return halving.take_sends();
}

void send_along_chains(Schedule& schedule, const ChainRule& rule, const ChainOrder& before,
                       std::optional<Direction> direction) {
  int message = 0;
  for (const Delivery& delivery : schedule.demand().deliveries) {
    for (const ChainSend& send :
         halve_chain(delivery.source(), delivery.destinations, rule, before)) {
      Transfer& sent = schedule.send(Pieces{message}, send.from, send.to, send.step);
      sent.addresses = send.given;
      sent.direction = direction;
    }
    ++message;
  }
}

}  // namespace flitwave
