# tools/cmake/FlitwaveRtl.cmake: the suite `rtl`: the Verilog blocks against those in C++.
# SPDX-License-Identifier: Apache-2.0
if(NOT FLITWAVE_HAS_VERILATOR)
  return()
endif()

set(rtl "${PROJECT_SOURCE_DIR}/routers/relay/rtl")
set(rtl_tests "${PROJECT_SOURCE_DIR}/testbenches/tests/rtl")

# flitwave_join_models(TARGET COUNT): compiles COUNT of Verilator's files at a time, all if it is 0.
function(flitwave_join_models target count)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${count})
  get_target_property(sources ${target} SOURCES)  # Verilator's own sources cannot be joined
  list(FILTER sources INCLUDE REGEX "^${VERILATOR_ROOT}/")
  set_source_files_properties(${sources} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# The top modules of the tests, as a foreign library: compiled in one step, quickly, and without our
# warnings.
add_library(flitwave_rtl STATIC)
verilate(flitwave_rtl SOURCES "${rtl_tests}/every_size.sv" INCLUDE_DIRS "${rtl}"
  VERILATOR_ARGS -Wall)
verilate(flitwave_rtl SYSTEMC TRACE SOURCES "${rtl_tests}/selection.sv" INCLUDE_DIRS "${rtl}"
  VERILATOR_ARGS -Wall --pins-bv 2)
target_compile_features(flitwave_rtl PUBLIC cxx_std_17)
target_compile_options(flitwave_rtl PRIVATE -O0 -w)
target_compile_definitions(flitwave_rtl INTERFACE VM_SC=1)
# clang++ calls libatomic where g++ evaluates at compile time.
target_link_libraries(flitwave_rtl PUBLIC SystemC::systemc $<$<CXX_COMPILER_ID:Clang>:atomic>)
set_target_properties(flitwave_rtl PROPERTIES CXX_EXTENSIONS OFF SYSTEM ON)
flitwave_join_models(flitwave_rtl 0)

find_program(YOSYS_BIN yosys)
if(NOT YOSYS_BIN)
  if(NOT FLITWAVE_RTL STREQUAL "AUTO")
    message(FATAL_ERROR "There is no yosys, which synthesizes the Verilog in tests: install yosys")
  endif()
  message(STATUS "The tests of synthesis are left out: there is no yosys")
endif()
include(FlitwaveRelayRtl)
include(FlitwaveWormholeRtl)

file(GLOB rtl_files CONFIGURE_DEPENDS "${rtl_tests}/*_test.cpp")
flitwave_suite(rtl
  FILES ${rtl_files} ${relay_files} ${wormhole_files}
    "${tests}/timed/small_network.cpp" "${tests}/timed/vcd_reader.cpp"
  USES flitwave_test_main flitwave_rtl flitwave_relay_rtl flitwave_wormhole_rtl)
set_property(TEST rtl.selection APPEND PROPERTY
  ENVIRONMENT "FLITWAVE_RTL_WAVE=${PROJECT_BINARY_DIR}/selection.vcd")

flitwave_test(rtl.structure LABELS rtl
  COMMAND Python3::Interpreter "${rtl_tests}/structure_test.py" "${VERILATOR_BIN}")
file(GLOB blocks CONFIGURE_DEPENDS "${rtl}/*.sv" "${rtl_tests}/*.sv" "${relay_tests}/*.sv")
foreach(block IN LISTS blocks)
  get_filename_component(name "${block}" NAME_WLE)
  flitwave_test(rtl.lint.${name} LABELS rtl
    COMMAND "${VERILATOR_BIN}" --lint-only -Wall -y "${rtl}" "${block}")
endforeach()
