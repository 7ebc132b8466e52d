// algorithms/operations/cyclic_assignment.cpp: array sections in block-cyclic distributions.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "algorithms/arrays/array_demand.hpp"
#include "algorithms/arrays/cyclic_messages.hpp"

namespace flitwave {
namespace {

/// One side of the assignment; for each dimension, rows first.
struct CyclicSide {
  std::vector<int> first{0, 0};
  std::vector<int> stride{1, 1};
  std::vector<int> block{1, 1};
  std::vector<int> processors;

  CyclicSection section(std::size_t dimension) const {
    return {first[dimension], stride[dimension], block[dimension], processors[dimension]};
  }
};

struct CyclicAssignmentParams {
  CyclicSide source;
  CyclicSide destination;
  std::vector<int> elements;
  bool transposed = false;
  Bytes element{8};
};

Schema<CyclicSide> cyclic_side_schema() {
  return Schema<CyclicSide>{}
      .optional("first", &CyclicSide::first,
                "the section's first element, for rows and for columns")
      .optional("stride", &CyclicSide::stride,
                "distance from one element to the next; below 0: the section is read backwards")
      .optional("block", &CyclicSide::block, "consecutive elements of a processor; 1: cyclic")
      .required("processors", &CyclicSide::processors, "rows and columns of processors");
}

CyclicAxis cyclic_axis(const CyclicAssignmentParams& params, std::size_t dimension) {
  return {params.source.section(dimension), params.destination.section(dimension),
          params.elements[dimension]};
}

/// Throws: ConfigError on a key of the side.
void check_cyclic_side(const CyclicSide& side, const std::string& key,
                       const std::vector<int>& elements) {
  for (std::size_t i = 0; i < 2; ++i) {
    if (side.stride[i] == 0)
      throw ConfigError(key + ".stride", "a section of stride 0 has no end",
                        "use a stride above or below 0");
    if (side.block[i] < 1 || side.processors[i] < 1)
      throw ConfigError(
          key + (side.block[i] < 1 ? ".block" : ".processors"),
          fmt::format("{} is too small", side.block[i] < 1 ? side.block[i] : side.processors[i]),
          "use 1 or more");
    if (side.first[i] < 0 || side.section(i).element(elements[i] - 1) < 0)
      throw ConfigError(key + ".first", "the section has elements below 0",
                        "begin at a greater element");
  }
}

/// Ranges of section indices, one after the other.
std::vector<IndexRange> ranges_of(const std::vector<IndexRuns>& indices) {
  std::vector<IndexRange> ranges;
  for (const IndexRuns& runs : indices)
    for (std::int64_t j = 0; j < runs.repeats; ++j) {
      const std::int64_t first = runs.first + j * runs.period;
      ranges.push_back({first, first + runs.run - 1});
    }
  return ranges;
}

/// The elements of both sections, each owned by the processor of its block.
class CyclicElements final : public MovedArray {
 public:
  CyclicElements(CyclicAxis rows, CyclicAxis columns, bool transposed)
      : rows_(rows), columns_(columns), transposed_(transposed) {}

  void add(const CyclicMessage& message) { messages_.push_back(message); }

  std::int64_t rows() const override { return rows_.elements; }
  std::int64_t columns() const override { return columns_.elements; }
  MeshPlace source(std::int64_t row, std::int64_t column) const override {
    return {rows_.source.owner(row), columns_.source.owner(column)};
  }
  MeshPlace destination(std::int64_t row, std::int64_t column) const override {
    const int a = rows_.destination.owner(row);
    const int b = columns_.destination.owner(column);
    return transposed_ ? MeshPlace{b, a} : MeshPlace{a, b};
  }
  std::int64_t value(std::int64_t row, std::int64_t column) const override {
    const CyclicSection& of = columns_.source;
    const std::int64_t length = std::max(of.element(0), of.element(columns() - 1)) + 1;
    return rows_.source.element(row) * length + of.element(column);
  }
  int deliveries() const override { return static_cast<int>(messages_.size()); }
  std::vector<IndexBlock> blocks_of(int delivery) const override {
    const CyclicMessage& message = messages_[index(delivery)];
    const std::vector<IndexRange> of_columns = ranges_of(message.columns);
    std::vector<IndexBlock> blocks;
    for (const IndexRange& of_rows : ranges_of(message.rows))
      for (const IndexRange& columns : of_columns) blocks.push_back({of_rows, columns});
    return blocks;
  }

 private:
  CyclicAxis rows_;
  CyclicAxis columns_;
  bool transposed_;
  std::vector<CyclicMessage> messages_;  // one for each delivery
};

Demand cyclic_assignment(const CyclicAssignmentParams& params, const Topology& topology, Random&) {
  if (params.elements.size() != 2 || params.elements[0] < 1 || params.elements[1] < 1)
    throw ConfigError("elements", "two numbers of 1 or more are needed, for rows and for columns",
                      "write e.g. [16, 16]");
  check_cyclic_side(params.source, "source", params.elements);
  check_cyclic_side(params.destination, "destination", params.elements);
  const Grid& mesh = array_mesh(topology);
  const std::vector<int>& from = params.source.processors;
  const std::vector<int>& to = params.destination.processors;
  check_within_mesh(from[0], from[1], mesh, "source");
  check_within_mesh(to[params.transposed ? 1 : 0], to[params.transposed ? 0 : 1], mesh,
                    "destination");
  Demand demand{"cyclic_assignment", {}};
  auto elements = std::make_shared<CyclicElements>(cyclic_axis(params, 0), cyclic_axis(params, 1),
                                                   params.transposed);
  for (const CyclicMessage& message :
       cyclic_messages(cyclic_axis(params, 0), cyclic_axis(params, 1), params.transposed)) {
    if (message.from == message.to) continue;
    elements->add(message);
    demand.deliveries.push_back({node_at(topology, message.from),
                                 {node_at(topology, message.to)},
                                 message_size(message.elements, params.element)});
  }
  demand.moved = std::move(elements);
  return demand;
}

}  // namespace

template <>
struct Codec<CyclicSide> {
  static CyclicSide read(const ConfigNode& node) {
    CyclicSide side = cyclic_side_schema().parse(node);
    const std::array<std::pair<const char*, const std::vector<int>*>, 4> lists{
        {{"first", &side.first},
         {"stride", &side.stride},
         {"block", &side.block},
         {"processors", &side.processors}}};
    for (const auto& [key, list] : lists)
      if (list->size() != 2)
        throw node.at(key).error("arrays have two dimensions", "write two numbers, rows first");
    return side;
  }
  static std::string print(const CyclicSide& side) {
    return map_text(cyclic_side_schema().print(side));
  }
  static ValueType type() {
    const std::string pair =
        R"("type":"array","minItems":2,"maxItems":2,"items":{"type":"integer")";
    const auto list = [&](const char* key, const char* least) {
      return std::string("\"") + key + "\":{" + pair + least + "}}";
    };
    return {"cyclic placement", "{block: [2, 2], processors: [4, 4]}",
            R"({"type":"object","required":["processors"],"additionalProperties":false,)"
            R"("properties":{)" +
                list("first", R"(,"minimum":0)") + "," + list("stride", "") + "," +
                list("block", R"(,"minimum":1)") + "," + list("processors", R"(,"minimum":1)") +
                "}}"};
  }
};

void register_cyclic_assignment(Operations& operations) {
  using P = CyclicAssignmentParams;
  operations.add(
      "cyclic_assignment",
      {"the elements of a section move to the owners of another section's elements; blocks of both "
       "arrays are distributed to the processors of a mesh in turn, array (row, column) on node "
       "[column, "
       "row]",
       "ours; Eberhart 1996, section 6.2, names such distributions as future work"},
      Schema<P>{}
          .required("source", &P::source, "the source section")
          .required("destination", &P::destination, "the destination section")
          .required("elements", &P::elements, "elements of the section, rows first")
          .optional("transposed", &P::transposed,
                    "the destination's rows map to columns of processors")
          .optional("element", &P::element, "length of an element", at_least(1)),
      cyclic_assignment);
}

}  // namespace flitwave
