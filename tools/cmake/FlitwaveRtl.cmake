# tools/cmake/FlitwaveRtl.cmake: the suite `rtl`: the Verilog blocks against those in C++.
# SPDX-License-Identifier: Apache-2.0
if(NOT FLITWAVE_RTL)
  message(STATUS "Tests of the Verilog blocks are left out: FLITWAVE_RTL is ${FLITWAVE_RTL}")
  return()
elseif("${PROJECT_SOURCE_DIR}${PROJECT_BINARY_DIR}" MATCHES " ")
  if(NOT FLITWAVE_RTL STREQUAL "AUTO")
    message(FATAL_ERROR "Verilator cannot read a path with spaces: move the folder")
  endif()
  message(STATUS "Tests of the Verilog blocks are left out: Verilator cannot read a path with spaces")
  return()
elseif(FLITWAVE_RTL STREQUAL "AUTO")
  set(wanted QUIET)
else()
  set(wanted REQUIRED)
endif()
# Otherwise the package tries some twenty flags, of which it needs this one.
set(VERILATOR_CFLAGS "")
set(VERILATOR_MT_CFLAGS -pthread)
find_package(verilator ${wanted})
if(NOT verilator_FOUND)
  message(STATUS "Tests of the Verilog blocks are left out: there is no Verilator")
  return()
endif()

set(rtl "${PROJECT_SOURCE_DIR}/routers/relay/rtl")
set(rtl_tests "${PROJECT_SOURCE_DIR}/testbenches/tests/rtl")

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
set_target_properties(flitwave_rtl PROPERTIES CXX_EXTENSIONS OFF SYSTEM ON
  UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
get_target_property(sources flitwave_rtl SOURCES)  # Verilator's own sources cannot be joined
list(FILTER sources INCLUDE REGEX "^${VERILATOR_ROOT}/")
set_source_files_properties(${sources} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)

include(FlitwaveRelayRtl)

file(GLOB rtl_files CONFIGURE_DEPENDS "${rtl_tests}/*_test.cpp")
flitwave_suite(rtl
  FILES ${rtl_files} ${relay_files}
    "${tests}/timed/small_network.cpp" "${tests}/timed/vcd_reader.cpp"
  USES flitwave_test_main flitwave_rtl flitwave_relay_rtl)
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
