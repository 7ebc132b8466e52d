// algorithms/operations/redistribute.cpp: a whole array is redistributed to other blocks.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/arrays/array_side.hpp"
#include "configs/error.hpp"

namespace flitwave {
namespace {

struct RedistributeParams {
  std::vector<int> shape;
  std::vector<int> from;
  std::vector<int> to;
  Alignment alignment = Alignment::identical;
  Bytes element{8};
};

ArraySide side_of(const std::vector<int>& shape, const std::vector<int>& block, const char* key) {
  if (block.size() != shape.size())
    throw ConfigError(key, "a block is needed for each dimension of the array",
                      "write as many numbers as shape has");
  ArraySide side;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] < 1 || block[i] < 1)
      throw ConfigError(shape[i] < 1 ? "shape" : key, "a number is below 1", "use 1 or more");
    side.section.push_back({0, shape[i] - 1, 1});
    side.block.push_back(block[i]);
  }
  return side;
}

Demand redistribute(const RedistributeParams& params, const Topology& topology, Random&) {
  if (params.shape.empty() || params.shape.size() > 2)
    throw ConfigError("shape", "an array has one or two dimensions", "write e.g. [64, 64]");
  const ArraySide source = side_of(params.shape, params.from, "from");
  const ArraySide destination = side_of(params.shape, params.to, "to");
  return array_demand("redistribute", assignment_of(source, destination, params.alignment),
                      params.element, topology);
}

}  // namespace

void register_redistribute(Operations& operations) {
  using P = RedistributeParams;
  operations.add(
      "redistribute",
      {"a whole array, in blocks on a mesh, is redistributed to other block sizes or other "
       "dimensions of the processors",
       "Eberhart 1996, section 2.2.1"},
      Schema<P>{}
          .required("shape", &P::shape, "elements of each dimension, rows first")
          .required("from", &P::from, "elements per processor, of each dimension")
          .required("to", &P::to, "elements per processor afterwards")
          .optional("alignment", &P::alignment,
                    "how the dimensions map to rows and columns of processors afterwards")
          .optional("element", &P::element, "length of an element", at_least(1)),
      redistribute);
}

}  // namespace flitwave
