// algorithms/operations/array_assignment.cpp: an array section is assigned to another one.
// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "algorithms/arrays/array_side.hpp"

namespace flitwave {
namespace {

struct ArrayAssignmentParams {
  ArraySide source;
  ArraySide destination;
  Alignment alignment = Alignment::identical;
  Bytes element{8};
};

/// Throws: ConfigError on the side when its processors exceed the mesh.
void check_grid(const ArraySide& side, const char* key, bool turned, const Grid& mesh) {
  if (side.processors.empty()) return;
  const int columns = side.processors.back();
  const int rows = side.processors.size() == 2 ? side.processors.front() : 1;
  check_within_mesh(turned ? columns : rows, turned ? rows : columns, mesh,
                    std::string(key) + ".processors");
}

Demand array_assignment(const ArrayAssignmentParams& params, const Topology& topology, Random&) {
  const Grid& mesh = array_mesh(topology);
  check_grid(params.source, "source", false, mesh);
  check_grid(params.destination, "destination", params.alignment != Alignment::identical, mesh);
  return array_demand("array_assignment",
                      assignment_of(params.source, params.destination, params.alignment),
                      params.element, topology);
}

}  // namespace

void register_array_assignment(Operations& operations) {
  using P = ArrayAssignmentParams;
  operations.add(
      "array_assignment",
      {"the elements of a section move to the owners of another section's elements; both arrays "
       "are stored in blocks on a mesh, array (row, column) on node [column, row]",
       "Eberhart 1996, section 2.2"},
      Schema<P>{}
          .required("source", &P::source, "the source section")
          .required("destination", &P::destination,
                    "the destination section, of as many elements in each dimension")
          .optional("alignment", &P::alignment,
                    "how the destination's dimensions map to rows and columns of processors")
          .optional("element", &P::element, "length of an element", at_least(1)),
      array_assignment);
}

}  // namespace flitwave
