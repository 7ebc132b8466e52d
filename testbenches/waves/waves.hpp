// testbenches/waves/waves.hpp: the wires of selected channels as a VCD file, for a viewer.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "modules/network/netlist.hpp"
#include "testbenches/job/job.hpp"
#include "testbenches/waves/inner_wires.hpp"

namespace flitwave {

/// Records the wires of selected channels, and why they carry nothing, as a VCD file.
///
/// Each end of a channel shows `valid`, and the fields of its flit: `kind` (0 none yet, 1 body,
/// 2 head, 3 tail, 4 single: head and tail in one), `vc`, `packet` (3_1#17: number 17 of node 3_1),
/// `sequence`, `source` and `destination` (node numbers); then `credit` and `credit_vc`, or `ready`
/// with a bit per virtual channel. While `valid` (or `credit`) is low the fields keep their last
/// value. A channel with latency above one has a second end in the scope `receiving`.
///
/// With `states` the sending end shows the `state` of the channel, a ChannelState: as the sender
/// left it in its tick. Routers whose state is not known, or that do not buffer flits at their
/// ports, show idle or moving only. With `buffers` the ports of routers show, per virtual channel,
/// `fill` (unit: flit) and `front`, the packet at the front, at inputs, and `owner`, the packet
/// that holds it, at outputs. With `clock` the domain shows `clk`, `reset` and `cycle`.
///
/// Where a router is compared with a second one (`compare_with`), its selected channels are
/// followed by those of the second router, in the scope `compared` of the router: `to_PORT` with
/// the flits that it gets and its credits, `from_PORT` with its flits. They are one cycle late, and
/// a packet that has left the network by then is shown as 0.
///
/// For selected routers that consist of blocks, the wires between the blocks are shown as well,
/// with their names; for those in Verilog, all signals inside. A design reads the wires of a cycle
/// at once, or, as a SystemC module, half a cycle later.
///
/// Timing: a value is the settled one after all activity at its time. Unit: 1 ps. Before the
///   window starts, all values are unknown (x); changes at its end are omitted.
class Waves {
 public:
  virtual ~Waves() = default;

  /// Names a time in the views; before `finish`. Unit: ps
  virtual void mark(const std::string& name, std::int64_t time) = 0;
  /// Writes the remaining changes, closes the file and writes the viewer's files beside it. `end`:
  /// the end of the run, in ps. It is the last time of the file, unless a value has changed or the
  /// window has begun later, because SystemC's time may have advanced.
  /// Throws: SystemFailure when a file could not be written whole.
  virtual void finish(std::int64_t end) = 0;
  /// After `finish`, where only a part of the recording is kept (`wave.window`), the last one or
  /// that around the trigger: writes it, from the values at its beginning on, and the viewer's
  /// files. Otherwise without effect.
  /// Throws: SystemFailure as `finish`.
  virtual void write_window() {}
  /// After `finish`: whether the run has ended before the recording has begun. Then there are no
  /// files.
  virtual bool is_empty() const { return false; }
  /// After `finish`: whether the event of `wave.trigger` has occurred.
  virtual bool triggered() const { return false; }
  /// Whether recording ended early because the file was full.
  virtual bool cut() const = 0;
};

/// The channels whose label matches one of the shell-style patterns: `*` matches any characters,
/// `?` one. Ascending, indices into Netlist::channels.
/// Throws: ConfigError on wave.select[i] when a pattern matches none; it names the nearest label.
std::vector<int> select_channels(const Netlist& netlist, const std::vector<std::string>& patterns);

/// The wires within the routers of some nodes, in the order in which these are named.
/// Throws: ConfigError at a router that is named twice, or has none.
std::vector<InnerWire> select_inner_wires(const Netlist& netlist,
                                          const std::vector<ConfigNode>& routers);

/// Records to `path`: the same file, byte by byte, under every scheduling. Wires that keep their
/// values cost nothing. The file's size stays within `params.limit`; its header is always whole.
///
/// With `params.window` nothing is written before `write_window`; the memory is that of the changes
/// of the window.
///
/// Beside `path`, `finish` writes a GTKWave save file (the suffix replaced by .gtkw), with markers
/// at times that were recorded only, and the names of values that it refers to (.kinds.txt,
/// .nodes.txt, .states.txt). The wires within the routers of `params.routers` follow those of the
/// channels. Needs: the simulation has not started; netlist, domain and packets outlive the result.
/// Throws: ConfigError as `plan_wave`; SystemFailure when `path` cannot be written.
std::unique_ptr<Waves> record_waves(const WaveParams& params, const std::string& path,
                                    Netlist& netlist, ClockDomain& domain,
                                    const PacketPool& packets);

}  // namespace flitwave
