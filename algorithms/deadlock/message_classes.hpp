// algorithms/deadlock/message_classes.hpp: separate virtual channels for requests and for replies.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "algorithms/routing.hpp"

namespace flitwave {

/// A routing relation in which packets of different message classes never share a virtual channel:
/// each class of the inner relation is split, so that packets of one message class wait for no
/// other. Class c of the inner relation and message class m make class c * message_classes + m.
///
/// Source: Dally & Towles 2004, section 14.1.5.
class MessageClasses final : public RoutingFunction {
 public:
  /// Range: message_classes >= 1
  MessageClasses(std::unique_ptr<RoutingFunction> inner, int message_classes)
      : inner_(std::move(inner)), count_(message_classes) {}

  void route(NodeId here, const Arrival& arrival, const Header& header,
             Route& route) const override;
  int vc_classes() const override { return inner_->vc_classes() * count_; }
  int least_vcs() const override { return inner_->least_vcs() * count_; }
  /// Each message class has a share, and the inner relation divides it.
  VcRange class_vcs(int vc_class, int vcs) const override;
  bool relies_on_escape() const override { return inner_->relies_on_escape(); }
  void check_direction(Direction direction) const override { inner_->check_direction(direction); }
  int message_classes() const override { return count_; }
  const PathLabels* path_labels() const override { return inner_->path_labels(); }
  const Columns* columns() const override { return inner_->columns(); }
  const StopOrder* stop_order() const override { return inner_->stop_order(); }
  std::uint32_t choose(NodeId source, NodeId destination, Random& random) const override {
    return inner_->choose(source, destination, random);
  }
  std::vector<std::uint32_t> all_choices() const override { return inner_->all_choices(); }
  bool chooses_evenly() const override { return inner_->chooses_evenly(); }
  bool may_choose(NodeId source, std::uint32_t choice) const override {
    return inner_->may_choose(source, choice);
  }
  FollowedPackets followed(std::uint32_t choice) const override { return inner_->followed(choice); }
  int arrival_case(NodeId here, const Arrival& arrival) const override {
    return inner_->arrival_case(here, {arrival.port, arrival.vc_class / count_});
  }
  bool mirrors() const override { return inner_->mirrors(); }

 private:
  std::unique_ptr<RoutingFunction> inner_;
  int count_;
};

/// A dependency cycle that requests and replies close when they share virtual channels and an
/// interface accepts no request while it has no space for the reply: requests in the channels to a
/// node wait for replies from that node, and these for requests in the channels in the other
/// direction. One line of text.
std::string protocol_cycle(const Topology& topology, const RoutingFunction& routing);

}  // namespace flitwave
