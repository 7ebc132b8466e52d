// algorithms/cube_multicast/relay/header.hpp: the destinations of a message in its header flits.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "algorithms/cube_multicast/cube.hpp"

namespace flitwave {

/// The field after the destinations.
enum class HeaderFormat {
  source,   ///< The address of the source.
  control,  ///< A control vector for broadcast, else 0: fault-tolerant routers.
};
std::vector<std::string> names_of(HeaderFormat);

/// The fields at the beginning of a message, each as wide as an address: the number of
/// destinations, each of them unless the message is for all nodes, and the source or a control
/// vector. Data follow.
/// Source: Lan 1988, sections 6.2 and 7.4
struct CubeHeader {
  CubeBits count = 0;      ///< k. Range: 1 .. 2^n - 1, which denotes all nodes
  CubeNodes destinations;  ///< Shape: [k], or none for all nodes
  CubeBits last = 0;       ///< Source or control vector.

  bool for_all(const Cube& cube) const { return count == cube.all(); }
  /// How many fields there are.
  int length() const { return static_cast<int>(destinations.size()) + 2; }
};
bool operator==(const CubeHeader& a, const CubeHeader& b);

/// The header of a new message. Repeated destinations are named once; the source may be among them.
/// A list of all other nodes becomes a message for all. The control vector of a message for all has
/// all dimensions.
/// Throws: ConfigError on "source", "destinations" or "destinations[i]": no destination, a node
///   that the cube does not have, or 2^n - 1 and more with the source among them, which k cannot
///   express.
CubeHeader header_for(const Cube& cube, CubeAddress source, const CubeNodes& destinations,
                      HeaderFormat format = HeaderFormat::source);

/// The fields of a header, in the order of sending.
std::vector<CubeBits> fields_of(const CubeHeader& header);

/// Reads a header field by field, as they arrive on a link.
class HeaderReader {
 public:
  HeaderReader() = default;
  HeaderReader(const Cube& cube, HeaderFormat format) : cube_(cube), format_(format) {}

  /// The next field. Needs: not complete()
  /// Throws: ConfigError on this field, as `read_header`.
  void take(CubeBits field);

  /// Fields that have been taken.
  int taken() const { return taken_; }
  /// The number of destinations that the header lists, and of its fields. Needs: taken() > 0
  int named() const { return named_; }
  int length() const { return named_ + 2; }
  bool complete() const { return taken_ > 0 && taken_ == length(); }
  /// As far as it has been taken.
  const CubeHeader& header() const { return header_; }

 private:
  Cube cube_{1};
  HeaderFormat format_ = HeaderFormat::source;
  CubeHeader header_;
  int named_ = 0;
  int taken_ = 0;
  std::vector<bool> seen_;  // Shape: [nodes]
};

/// Reads the header that leads a message's fields.
/// Throws: ConfigError on "header.k", "header.destinations[i]" or "header.source" (or
///   "header.control"): k is 0 or no number of nodes, fields are missing, or an address is
///   repeated or not in the cube.
CubeHeader read_header(const Cube& cube, const std::vector<CubeBits>& fields,
                       HeaderFormat format = HeaderFormat::source);

/// Throws: ConfigError as `read_header`, and when k is not the number of destinations.
void check_header(const Cube& cube, const CubeHeader& header,
                  HeaderFormat format = HeaderFormat::source);

}  // namespace flitwave
