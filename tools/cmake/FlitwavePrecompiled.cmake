# tools/cmake/FlitwavePrecompiled.cmake: headers that nearly every file of a layer reads, read once.
# SPDX-License-Identifier: Apache-2.0
# A precompiled header brings the optimization level that it was compiled with, whatever the file
# that uses it asks for: so what runs once per job has its own. clang-tidy's build and that of
# single files do without, so missing includes are found.
set(described <algorithm> <functional> <map> <memory> <string> <vector>)
if(NOT FLITWAVE_TEST_PER_FILE)  # in the inner loop an edit of these must not compile all anew
  list(APPEND described <flitwave/configs/registry.hpp> <flitwave/configs/schema.hpp>)
endif()

target_precompile_headers(flitwave_configs PRIVATE ${described})
foreach(room topologies algorithms)
  target_precompile_headers(flitwave_${room} REUSE_FROM flitwave_configs)
endforeach()
target_precompile_headers(flitwave_configs_run_once PRIVATE ${described})
foreach(room topologies algorithms)
  target_precompile_headers(flitwave_${room}_run_once REUSE_FROM flitwave_configs_run_once)
endforeach()

target_precompile_headers(flitwave_modules PRIVATE <systemc> ${described})
foreach(room routers netlist testbenches)
  target_precompile_headers(flitwave_${room} REUSE_FROM flitwave_modules)
endforeach()
if(NOT CMAKE_UNITY_BUILD)  # joined, it is a single file
  target_precompile_headers(flitwave_testbenches_run_once PRIVATE <systemc> ${described})
endif()
