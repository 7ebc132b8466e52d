// modules/output_port.cpp: see output_port.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/modules/output_port.hpp"

#include "flitwave/configs/error.hpp"

namespace flitwave {

std::vector<std::string> names_of(VcReallocation) { return {"non_atomic", "atomic"}; }

OutputPort::OutputPort(const sc_core::sc_module_name& name, Channel& channel, int traversal,
                       VcReallocation reallocation)
    : sc_module(name),
      channel_(channel),
      end_(channel.upstream()),
      depth_(channel.params().depth()),
      traversal_(traversal),
      atomic_(reallocation == VcReallocation::atomic),
      counts_credits_(channel.params().handshake == Handshake::credit),
      vcs_(static_cast<std::size_t>(channel.params().vcs)) {
  const int vcs = channel.params().vcs;
  free_ = vcs == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << vcs) - 1;
  for (Vc& vc : vcs_) vc.credits = depth_;
  if (end_.ready) sender_ = std::make_unique<ReadySender>(vcs, 1 + traversal);
}

void OutputPort::count_packet_slots() {
  slots_.assign(vcs_.size(), PacketSlots(depth_ / channel_.params().whole_packet, depth_));
}

void OutputPort::set_reader(const LaneReader& reader) {
  if (end_.back)
    end_.back->set_reader(reader);
  else
    end_.ready->set_reader(reader.module);
}

bool OutputPort::drive(Cycle now) {
  bool offer = driven_;
  if (sender_) {
    offer = sender_->choose(end_.ready->bits(), now);
    if (offer) end_.forward.drive(sender_->offer());
  } else if (crossing_.due(now)) {
    end_.forward.drive(crossing_.front());
    crossing_.pop();
    offer = true;
  }
  if (!offer && driving_) end_.forward.rest();
  driving_ = offer;
  driven_ = false;
  return offer || !crossing_.empty() || (sender_ && !sender_->empty());
}

int OutputPort::flits_inside() const {
  return static_cast<int>(crossing_.size()) + (sender_ ? sender_->size() : 0);
}

bool OutputPort::at_rest() const {
  if (flits_inside() > 0) return false;
  if (counts_credits_)
    for (const Vc& vc : vcs_)
      if (vc.credits != depth_) return false;
  return true;
}

void OutputPort::overflow(int vc) const {
  throw ModelError(std::string(name()) + ": more credits than buffer slots on virtual channel " +
                   std::to_string(vc));
}

}  // namespace flitwave
