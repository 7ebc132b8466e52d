// algorithms/operations/array_assignment.cpp: a section of an array is assigned to another's.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/algorithms/arrays/array_side.hpp"

namespace flitwave {
namespace {

struct ArrayAssignmentParams {
  ArraySide source;
  ArraySide destination;
  Alignment alignment = Alignment::identical;
  Bytes element{8};
};

Demand array_assignment(const ArrayAssignmentParams& params, const Topology& topology, Random&) {
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
       "lie in blocks on a mesh, array (row, column) on node [column, row]",
       "Eberhart 1996, section 2.2"},
      Schema<P>{}
          .required("source", &P::source, "where the elements come from")
          .required("destination", &P::destination,
                    "where they go; a section of as many elements in each dimension")
          .optional("alignment", &P::alignment,
                    "how the destination's dimensions lie on rows and columns of processors")
          .optional("element", &P::element, "length of an element", at_least(1)),
      array_assignment);
}

}  // namespace flitwave
