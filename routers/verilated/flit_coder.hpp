// routers/verilated/flit_coder.hpp: the bits of flits on the pins of a design.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "modules/router.hpp"
#include "routers/verilated/router_design.hpp"

namespace flitwave {

/// "packet 12 from 0_0 to 3_3, flit 1 of 4", flits being counted from 0.
std::string text_of(Flit flit, const RouterSite& site);

/// A number from pins, which is checked afterwards: what no int holds is the greatest one.
inline int narrow(std::uint64_t number) {
  constexpr std::uint64_t greatest = std::numeric_limits<int>::max();
  return static_cast<int>(std::min(number, greatest));
}

/// Writes the fields of a flit from its packet, and compares flits that leave with those that
/// entered.
class FlitCoder {
 public:
  using Words = std::vector<std::uint64_t>;  ///< The bits of a flit, the least word first.

  /// A field that differs.
  struct Difference {
    std::string field;
    std::string expected;
    std::string found;
  };

  /// The references outlive the coder.
  FlitCoder(const RouterDesign& design, const RouterSite& site);

  /// `port`, an input of the design, is that by which the flit enters; the field `route` depends on
  /// it. `bits` has the shape of a flit.
  /// Needs: the packet of the flit is in the network.
  void encode(Flit flit, int port, std::uint64_t tag, std::uint64_t* bits) const;
  /// The number of 64-bit words of a flit.
  int words() const { return words_; }

  int tag_width() const { return tag_.width; }
  std::uint64_t tag(const std::uint64_t* words) const { return number(tag_, words); }
  /// The virtual channel; 0 where the design has none.
  int vc(const std::uint64_t* words) const {
    return vc_.width > 0 ? narrow(number(vc_, words)) : 0;
  }

  /// The first field but vc, route and tag in which a flit that leaves differs from what entered.
  std::optional<Difference> difference(const std::uint64_t* entered,
                                       const std::uint64_t* leaving) const;

  std::string text(Flit flit) const { return flitwave::text_of(flit, site_); }
  /// The output ports, with classes of virtual channels, by which a packet may leave that entered
  /// by `port` of the design on `vc`.
  void route(Flit flit, int port, int vc, Route& route) const;

 private:
  std::uint64_t number(const BitField& field, const std::uint64_t* words) const;
  std::uint64_t value(const BitField& field, Flit flit, const Packet& packet, int port) const;
  int first_output(Flit flit, int port) const;
  std::string text_of(const BitField& field, const std::uint64_t* words) const;

  const RouterDesign& design_;
  const RouterSite& site_;
  int words_;
  BitField tag_;
  BitField vc_;  // of width 0: there is none
};

}  // namespace flitwave
