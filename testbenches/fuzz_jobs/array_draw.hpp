// testbenches/fuzz_jobs/array_draw.hpp: array operations whose settings fit each other.
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

/// An array operation with other placements of its arrays: sections of equal numbers of elements,
/// in blocks that the mesh has processors for. Drawn one by one they hardly ever fit, and schedules
/// ask for more: shares of equal size, areas that share no row. Any other operation comes back as
/// it is.
///
/// `operation`: as it was drawn from its schema.
ConfigNode with_fitting_arrays(const ConfigNode& operation, const DrawnMesh& mesh, Random& random);

}  // namespace flitwave::fuzz_jobs
