// testbenches/fuzz_jobs/array_draw.hpp: array operations with compatible settings.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "configs/node.hpp"
#include "configs/random.hpp"

namespace flitwave::fuzz_jobs {

/// Processors of a mesh.
struct DrawnMesh {
  int rows = 4;
  int columns = 4;
};

/// An array operation with other placements of its arrays: sections with equal numbers of elements,
/// in blocks for which the mesh has processors. Independent random placements are rarely
/// compatible, and schedules require more: shares of equal size, areas without a common row. Other
/// operations are returned unchanged.
///
/// `operation`: as generated from its schema.
ConfigNode with_fitting_arrays(const ConfigNode& operation, const DrawnMesh& mesh, Random& random);

}  // namespace flitwave::fuzz_jobs
