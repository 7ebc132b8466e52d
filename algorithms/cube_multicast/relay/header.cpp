// algorithms/cube_multicast/relay/header.cpp: fields are written, read and checked.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/cube_multicast/relay/header.hpp"

#include <algorithm>

#include "configs/error.hpp"

namespace flitwave {
namespace {

std::string destination_key(std::size_t i) { return "destinations[" + std::to_string(i) + "]"; }

/// Each node once, in the order of its first mention.
CubeNodes without_repeats(const CubeNodes& nodes) {
  CubeNodes once;
  for (CubeAddress node : nodes)
    if (std::find(once.begin(), once.end(), node) == once.end()) once.push_back(node);
  return once;
}

void require_count(const Cube& cube, CubeBits count) {
  if (count == 0)
    throw ConfigError("header.k", "a message without destinations",
                      "name 1 to " + std::to_string(cube.all()));
  if (count > cube.all())
    throw ConfigError("header.k", std::to_string(count) + " destinations in a cube of " +
                                      std::to_string(cube.nodes()) + " nodes");
}

}  // namespace

std::vector<std::string> names_of(HeaderFormat) { return {"source", "control"}; }

bool operator==(const CubeHeader& a, const CubeHeader& b) {
  return a.count == b.count && a.destinations == b.destinations && a.last == b.last;
}

CubeHeader header_for(const Cube& cube, CubeAddress source, const CubeNodes& destinations,
                      HeaderFormat format) {
  cube.require(source, "source");
  for (std::size_t i = 0; i < destinations.size(); ++i)
    cube.require(destinations[i], destination_key(i));
  CubeHeader header;
  header.destinations = without_repeats(destinations);
  header.count = static_cast<CubeBits>(header.destinations.size());
  if (header.count == 0) throw ConfigError("destinations", "a multicast needs a destination");
  if (header.count >= cube.all()) {
    if (std::count(destinations.begin(), destinations.end(), source) != 0)
      throw ConfigError("destinations",
                        "the source is one of " + std::to_string(header.count) +
                            " destinations; the header would denote a broadcast",
                        "leave the source out");
    header.destinations.clear();
  }
  header.last = source;
  if (format == HeaderFormat::control) header.last = header.for_all(cube) ? cube.all() : 0;
  return header;
}

std::vector<CubeBits> fields_of(const CubeHeader& header) {
  std::vector<CubeBits> fields{header.count};
  fields.insert(fields.end(), header.destinations.begin(), header.destinations.end());
  fields.push_back(header.last);
  return fields;
}

void HeaderReader::take(CubeBits field) {
  if (taken_ == 0) {
    require_count(cube_, field);
    header_.count = field;
    named_ = header_.for_all(cube_) ? 0 : static_cast<int>(field);
    header_.destinations.reserve(static_cast<std::size_t>(named_));
    seen_.assign(static_cast<std::size_t>(cube_.nodes()), false);
  } else if (taken_ <= named_) {
    const std::string key = "header." + destination_key(header_.destinations.size());
    cube_.require(field, key);
    if (seen_[field]) throw ConfigError(key, "node " + std::to_string(field) + " is named twice");
    seen_[field] = true;
    header_.destinations.push_back(field);
  } else {
    cube_.require(field, format_ == HeaderFormat::source ? "header.source" : "header.control");
    header_.last = field;
  }
  ++taken_;
}

CubeHeader read_header(const Cube& cube, const std::vector<CubeBits>& fields, HeaderFormat format) {
  if (fields.empty()) throw ConfigError("header.k", "a message without fields");
  HeaderReader reader(cube, format);
  reader.take(fields.front());
  const auto length = static_cast<std::size_t>(reader.length());
  if (fields.size() < length)
    throw ConfigError("header.k",
                      std::to_string(reader.header().count) + " destinations in a message of " +
                          std::to_string(fields.size()) + " fields",
                      "it needs " + std::to_string(length));
  for (std::size_t i = 1; i < length; ++i) reader.take(fields[i]);
  return reader.header();
}

void check_header(const Cube& cube, const CubeHeader& header, HeaderFormat format) {
  HeaderReader reader(cube, format);
  reader.take(header.count);
  if (static_cast<int>(header.destinations.size()) != reader.named())
    throw ConfigError(
        "header.k",
        "k is " + std::to_string(header.count) + ", but " +
            std::to_string(header.destinations.size()) + " destinations follow",
        reader.named() == 0 ? "a message for all nodes names none" : "name as many as k says");
  for (const CubeAddress node : header.destinations) reader.take(node);
  reader.take(header.last);
}

}  // namespace flitwave
