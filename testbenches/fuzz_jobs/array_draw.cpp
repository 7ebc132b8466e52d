// testbenches/fuzz_jobs/array_draw.cpp: see array_draw.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/fuzz_jobs/array_draw.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace flitwave::fuzz_jobs {

namespace {

/// The ratio of the shares of processors on both sides.
enum class Shares {
  equal,     ///< Whole blocks move to other processors.
  apart,     ///< Whole blocks move to processors none of which sends.
  multiple,  ///< A share of one side is a multiple of the other's.
  any,
};

/// A section `lower:upper:stride` in blocks.
struct Placement {
  int lower = 0;
  int upper = 0;
  int stride = 1;
  int block = 1;

  std::string section() const { return fmt::format("{}:{}:{}", lower, upper, stride); }
};

class ArrayDraw {
 public:
  ArrayDraw(const ConfigNode& operation, const DrawnMesh& mesh, Random& random)
      : operation_(operation), mesh_(mesh), random_(random) {
    const ConfigNode* alignment = operation.find("alignment");
    const ConfigNode* transposed = operation.find("transposed");
    transposed_ = (alignment && alignment->text() != "identical") ||
                  (transposed && transposed->text() == "true");
  }

  ConfigNode assignment() {
    const bool is_line = below(6) == 0;  // in the first row of processors
    const auto shares = static_cast<Shares>(below(4));
    std::vector<std::pair<Placement, Placement>> axes;
    for (int dimension = is_line ? 1 : 0; dimension < 2; ++dimension)
      axes.push_back(axis(dimension, below(5) == 0 ? static_cast<Shares>(below(4)) : shares));
    std::vector<Placement> sources;
    std::vector<Placement> destinations;
    for (const auto& [source, destination] : axes) {
      sources.push_back(source);
      destinations.push_back(destination);
    }
    return operation_.with("source", side(sources)).with("destination", side(destinations));
  }

  ConfigNode redistribution() {
    std::vector<int> shape;
    std::vector<int> from;
    std::vector<int> to;
    for (int dimension = below(6) == 0 ? 1 : 0; dimension < 2; ++dimension) {
      const int elements = 1 + below(12);
      shape.push_back(elements);
      from.push_back(least_block(elements, extent(dimension)) + below(2));
      to.push_back(least_block(elements, extent_of_destination(dimension)) + below(3));
    }
    return operation_.with("shape", numbers(shape))
        .with("from", numbers(from))
        .with("to", numbers(to));
  }

  ConfigNode cyclic() {
    const std::vector<int> elements = {1 + below(9), 1 + below(9)};
    return operation_.with("elements", numbers(elements))
        .with("source", cyclic_side(elements, {extent(0), extent(1)}))
        .with("destination",
              cyclic_side(elements, {extent_of_destination(0), extent_of_destination(1)}));
  }

 private:
  int below(int bound) {
    return static_cast<int>(random_.below(static_cast<std::uint64_t>(bound)));
  }
  int extent(int dimension) const { return dimension == 0 ? mesh_.rows : mesh_.columns; }
  int extent_of_destination(int dimension) const {
    return extent(transposed_ ? 1 - dimension : dimension);
  }
  static int least_block(int elements, int processors) {
    return (elements + processors - 1) / processors;
  }

  std::pair<Placement, Placement> axis(int dimension, Shares shares) {
    const int sources = extent(dimension);
    const int destinations = extent_of_destination(dimension);
    const int fewer = std::min(sources, destinations);
    switch (shares) {
      case Shares::equal:
        return placed(1 + below(fewer), 1, sources, destinations);
      case Shares::apart:
        return apart(fewer);
      case Shares::multiple: {
        const int factor = 1 + below(std::min(3, fewer));
        return placed(1 + below(fewer / factor), factor, sources, destinations);
      }
      case Shares::any:
        break;
    }
    const int elements = 1 + below(8);
    return {anywhere(elements, sources), anywhere(elements, destinations)};
  }

  /// `few` processors of one side have `factor` times the share of the other side's processors.
  std::pair<Placement, Placement> placed(int few, int factor, int sources, int destinations) {
    const int share = 1 + below(3);
    const bool gathers = below(2) == 0;
    const int senders = gathers ? few * factor : few;
    const int receivers = gathers ? few : few * factor;
    return {
        whole(senders, gathers ? share : share * factor, below(sources - senders + 1)),
        whole(receivers, gathers ? share * factor : share, below(destinations - receivers + 1))};
  }

  std::pair<Placement, Placement> apart(int extent) {
    const int count = 1 + below(std::max(1, extent / 2));
    const int first = below(std::max(1, extent - 2 * count + 1));
    const int free = extent - first - count;
    const int second = first + count + below(std::max(1, free - count + 1));
    if (second + count > extent) return {whole(count, 1, 0), whole(count, 1, 0)};
    const int share = 1 + below(3);
    std::pair<Placement, Placement> both = {whole(count, share, first),
                                            whole(count, share, second)};
    if (below(2) == 0) std::swap(both.first, both.second);
    return both;
  }

  /// Whole blocks with `share` elements each, on processors from `first` on.
  Placement whole(int processors, int share, int first) {
    Placement placement;
    placement.stride = 1 + (below(4) == 0 ? 1 : 0);
    placement.block = share * placement.stride;
    placement.lower = first * placement.block;
    placement.upper = (first + processors) * placement.block - 1;
    return placement;
  }

  Placement anywhere(int elements, int processors) {
    Placement placement;
    placement.stride = 1 + (below(3) == 0 ? 1 : 0);
    placement.lower = below(4);
    placement.upper = placement.lower + (elements - 1) * placement.stride;
    placement.block =
        std::max(placement.stride, least_block(placement.upper + 1, processors)) + below(2);
    return placement;
  }

  ConfigNode side(std::vector<Placement> placements) {
    std::vector<int> offsets;
    for (Placement& placement : placements) {
      offsets.push_back(below(placement.lower + 1));
      if (below(4) > 0) offsets.back() = 0;
      placement.lower -= offsets.back();
      placement.upper -= offsets.back();
    }
    std::vector<ConfigNode> sections;
    std::vector<int> blocks;
    for (const Placement& placement : placements) {
      sections.push_back(ConfigNode::scalar(placement.section()));
      blocks.push_back(placement.block);
    }
    std::vector<ConfigNode::Entry> entries = {{"section", ConfigNode::list(std::move(sections))},
                                              {"block", numbers(blocks)}};
    if (std::any_of(offsets.begin(), offsets.end(), [](int offset) { return offset > 0; }))
      entries.emplace_back("template_offset", numbers(offsets));
    return ConfigNode::map(std::move(entries));
  }

  ConfigNode cyclic_side(const std::vector<int>& elements, const std::vector<int>& most) {
    std::vector<int> first;
    std::vector<int> stride;
    std::vector<int> block;
    std::vector<int> processors;
    for (std::size_t dimension = 0; dimension < 2; ++dimension) {
      stride.push_back((1 + below(2)) * (below(4) == 0 ? -1 : 1));
      const int offset = std::max(0, -stride.back() * (elements[dimension] - 1));
      first.push_back(offset + below(4));
      block.push_back(1 + below(3));
      processors.push_back(1 + below(most[dimension]));
    }
    return ConfigNode::map({{"first", numbers(first)},
                            {"stride", numbers(stride)},
                            {"block", numbers(block)},
                            {"processors", numbers(processors)}});
  }

  static ConfigNode numbers(const std::vector<int>& values) {
    std::vector<ConfigNode> items;
    items.reserve(values.size());
    for (const int value : values) items.push_back(ConfigNode::scalar(std::to_string(value)));
    return ConfigNode::list(std::move(items));
  }

  const ConfigNode& operation_;
  const DrawnMesh& mesh_;
  Random& random_;
  bool transposed_ = false;  ///< The destination's rows are on columns of the mesh.
};

}  // namespace

ConfigNode with_fitting_arrays(const ConfigNode& operation, const DrawnMesh& mesh, Random& random) {
  const ConfigNode* kind = operation.find("kind");
  if (!kind) return operation;
  ArrayDraw draw(operation, mesh, random);
  if (kind->text() == "array_assignment") return draw.assignment();
  if (kind->text() == "redistribute") return draw.redistribution();
  if (kind->text() == "cyclic_assignment") return draw.cyclic();
  return operation;
}

}  // namespace flitwave::fuzz_jobs
