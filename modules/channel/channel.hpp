// modules/channel/channel.hpp: the wires between a sender and a receiver, and the registers between
// them.
// interface -> [channel] -> input_port -> router -> output_port -> [channel]
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <systemc>

#include "configs/schema.hpp"
#include "modules/channel/circuit.hpp"
#include "modules/channel/delay_line.hpp"
#include "modules/channel/flit_words.hpp"
#include "modules/channel/ready_sender.hpp"
#include "modules/clock/clocked.hpp"
#include "modules/signals/link_wires.hpp"

namespace flitwave {

/// How a receiver reports free space.
enum class Handshake {
  credit,       ///< A pulse with the virtual channel's number for every slot that becomes free.
  ready_valid,  ///< One registered `ready` per virtual channel; valid and ready transfer a flit.
  /// No buffers: a probe requests a circuit, and a reply returns along its path. Virtual channels
  /// are time slots: a flit that is taken in cycle t belongs to virtual channel t modulo their
  /// number.
  acknowledge,
  /// Buffers for whole messages: a sender requests one, and once the receiver has acknowledged it,
  /// sends a message without a pause.
  request,
};
std::vector<std::string> names_of(Handshake);

/// What both ends of a channel must agree on.
struct ChannelParams {
  Cycles latency{1};
  Bytes width{1};
  int vcs = 1;
  Flits buffer{4};
  Handshake handshake = Handshake::credit;
  Cycles credit_delay{0};
  /// Flits of the longest packet where a head is sent only when there is space for a whole packet;
  /// 0 where space for one flit is enough. Not a setting: the kind of router decides.
  int whole_packet = 0;

  int depth() const { return static_cast<int>(buffer.count); }
};
Schema<ChannelParams> channel_schema();

/// The links at one end of a channel. `forward` leads from sender to receiver, and so does
/// `request`, which is null unless there are requests. The receiver drives `back` (credits, replies
/// or acknowledgements) or `ready`; the other is null.
struct ChannelEnd {
  ChannelEnd(CommitQueue& queue, const ChannelParams& params);

 private:
  LinkWires<Flit> forward_wires_;
  std::unique_ptr<LinkWires<VcIndex>> back_wires_;
  std::unique_ptr<LinkWires<VcIndex>> request_wires_;

 public:
  Link<Flit>& forward;
  Link<VcIndex>* back = nullptr;
  Link<VcIndex>* request = nullptr;
  std::unique_ptr<ReadyWires> ready;
};

/// A one-way channel.
///
/// Timing: a flit that the sender drives at edge t can be taken by the receiver at edge
///   t + latency; a credit takes as long to return. With latency 1 both ends have the same
///   links; beyond, channels have latency - 1 plain registers each way, ready_valid channels
///   latency - 1 register slices of two flits per virtual channel.
class Channel final : public Clocked {
 public:
  Channel(const sc_core::sc_module_name& name, const ChannelParams& params, ClockDomain& domain);
  ~Channel() override;

  /// The sender's and the receiver's links.
  ChannelEnd& upstream() { return *upstream_; }
  ChannelEnd& downstream() { return downstream_ ? *downstream_ : *upstream_; }
  const ChannelParams& params() const { return params_; }

  /// The words that flits carry beside their handles. Created when an end first calls this, while
  /// the network is built.
  /// Throws: ModelError under ready_valid, where a flit may wait on its wires.
  FlitWords& words();

  /// Reports what crosses to `feed`, under the number `channel`; batched scheduling only.
  void tap(TransitFeed& feed, int channel);

  /// Flits between the ends, not counting the wires.
  int flits_inside() const;
  /// Flits on the wires of either end, at the end of a cycle. None under ready_valid, where a flit
  /// stays with its sender until it is taken.
  int flits_on_wires() const;
  /// Whether a credit, a reply or an acknowledgement is on the wires of the sender, at the end of a
  /// cycle. Where nothing observes the wires, credits are counted at once, and are not on them.
  bool pulse_returns() const { return upstream_->back && upstream_->back->valid(); }

 private:
  class Slice;

  void tick() override;
  void end_pulses() override;
  void shift();
  void pass_slices();
  bool drive_slices();

  /// Values of one kind that are sent from one end to the other, and the links at which they enter
  /// and leave.
  template <class T>
  struct Pipe {
    void attach(Link<T>& from, Link<T>& to, int module);
    bool arrives(const CommitQueue& queue);
    /// Returns: whether values are still in transit.
    bool shift(const CommitQueue& queue, Cycle now, Cycle registers);

    typename Link<T>::Reader in;
    typename Link<T>::Writer out;
    Inbox inbox;
    DelayLine<T> line;
  };

  ChannelParams params_;
  std::unique_ptr<ChannelEnd> upstream_;
  std::unique_ptr<ChannelEnd> downstream_;  // null when latency == 1
  std::unique_ptr<sc_core::sc_module> far_scope_;
  Pipe<Flit> flits_;
  Pipe<VcIndex> backs_;     // from the receiver to the sender
  Pipe<VcIndex> requests_;  // where there are any
  std::vector<std::unique_ptr<Slice>> slices_;
  ReadyWires::Reader ready_in_;                 // of slices: from the receiver
  ReadyWires::Writer ready_out_;                // and to the sender
  std::vector<std::pair<Slice*, Flit>> taken_;  // scratch of pass_slices
  std::unique_ptr<FlitWords> words_;            // null unless flits carry words
};

}  // namespace flitwave
