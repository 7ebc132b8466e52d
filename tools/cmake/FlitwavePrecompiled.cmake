# tools/cmake/FlitwavePrecompiled.cmake: headers of nearly every file, compiled once.
# SPDX-License-Identifier: Apache-2.0
# A precompiled header imposes the optimization level that it was compiled with, whatever the
# including file sets: so code that runs once per job uses none of another level. clang-tidy's build
# and that of single files do without, so missing includes are found.
set(described <algorithm> <functional> <map> <memory> <string> <vector>)
if(NOT FLITWAVE_TEST_PER_FILE)  # in the inner loop an edit of these must not recompile everything
  list(APPEND described "${PROJECT_SOURCE_DIR}/configs/registry.hpp"
    "${PROJECT_SOURCE_DIR}/configs/schema.hpp")
endif()

target_precompile_headers(flitwave_configs PRIVATE ${described})
foreach(room topologies algorithms)
  target_precompile_headers(flitwave_${room} REUSE_FROM flitwave_configs)
endforeach()
target_precompile_headers(flitwave_modules PRIVATE <systemc> ${described})
foreach(room routers testbenches)
  target_precompile_headers(flitwave_${room} REUSE_FROM flitwave_modules)
endforeach()

if(CMAKE_UNITY_BUILD)
  return()  # code that runs once is then a file or two of each top-level folder
endif()
foreach(room configs topologies algorithms)
  target_precompile_headers(flitwave_${room}_run_once PRIVATE ${described})
endforeach()
target_precompile_headers(flitwave_testbenches_run_once PRIVATE <systemc> ${described})
