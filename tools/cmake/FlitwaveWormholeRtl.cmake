# tools/cmake/FlitwaveWormholeRtl.cmake: the wormhole router in Verilog, verilated with several sets
# of parameters for the tests, and the lint and synthesis of each.
# SPDX-License-Identifier: Apache-2.0
set(wormhole_rtl "${PROJECT_SOURCE_DIR}/routers/rtl")
set(wormhole_tests "${PROJECT_SOURCE_DIR}/testbenches/tests/rtl/wormhole")
# Foreign code, without our warnings.
add_library(flitwave_wormhole_rtl STATIC)
target_compile_features(flitwave_wormhole_rtl PUBLIC cxx_std_17)
# Not instrumented by sanitizers, which would only slow the tests.
target_compile_options(flitwave_wormhole_rtl PRIVATE -O1 -w -fno-sanitize=all)
target_link_libraries(flitwave_wormhole_rtl PUBLIC $<$<CXX_COMPILER_ID:Clang>:atomic>)
set_target_properties(flitwave_wormhole_rtl PROPERTIES CXX_EXTENSIONS OFF SYSTEM ON)

set(includes "")  # of router_sets.cpp
set(sets "")
# flitwave_wormhole_set(NAME TOP [LONG] [PARAMETERS name=value ...]): LONG: synthesis takes long.
function(flitwave_wormhole_set name top)
  cmake_parse_arguments(SET "LONG" "" "PARAMETERS" ${ARGN})
  list(TRANSFORM SET_PARAMETERS PREPEND "-G" OUTPUT_VARIABLE arguments)
  set(file "${wormhole_rtl}/${top}.sv")
  verilate(flitwave_wormhole_rtl SOURCES "${file}" INCLUDE_DIRS "${wormhole_rtl}" PREFIX "V${name}"
    VERILATOR_ARGS -Wall --x-assign unique --x-initial unique ${arguments})

  set(ready_valid false)
  if(top STREQUAL "wormhole_ready_valid")
    set(ready_valid true)
  endif()
  set(settings "    parameters = {};\n    parameters.ready_valid = ${ready_valid};\n")
  foreach(parameter IN LISTS SET_PARAMETERS)
    string(TOLOWER "${parameter}" parameter)
    string(REPLACE "=" " = " parameter "${parameter}")
    string(APPEND settings "    parameters.${parameter};\n")
  endforeach()
  string(APPEND settings
    "    sets.push_back({\"${name}\", parameters, make_pins<V${name}, ${ready_valid}>});\n")
  set(includes "${includes}#include <V${name}.h>\n" PARENT_SCOPE)
  set(sets "${sets}${settings}" PARENT_SCOPE)

  flitwave_test(rtl.lint.${name} LABELS rtl
    COMMAND "${VERILATOR_BIN}" --lint-only -Wall -y "${wormhole_rtl}" ${arguments} "${file}")
  if(YOSYS_BIN)
    set(labels rtl)
    if(SET_LONG)
      list(APPEND labels long)
    endif()
    flitwave_test(rtl.synthesis.${name} LABELS ${labels}
      COMMAND Python3::Interpreter "${rtl_tests}/synthesis_test.py" "${YOSYS_BIN}"
        routers/rtl ${name} ${top} ${SET_PARAMETERS})
  endif()
endfunction()

set(wide FLIT_WIDTH=32)
set(pipelined ROUTE_DELAY=1 VC_DELAY=1 SWITCH_DELAY=1 TRAVERSAL=1)
flitwave_wormhole_set(wormhole_1vc wormhole_credit PARAMETERS ${wide})
flitwave_wormhole_set(wormhole_2vc_torus wormhole_credit LONG PARAMETERS ${wide} VCS=2 TORUS=1)
flitwave_wormhole_set(wormhole_4vc wormhole_credit LONG PARAMETERS ${wide} VCS=4)
flitwave_wormhole_set(wormhole_pipelined_2vc wormhole_credit LONG
  PARAMETERS ${wide} VCS=2 ${pipelined})
flitwave_wormhole_set(wormhole_ready_valid_1vc wormhole_ready_valid PARAMETERS ${wide})
flitwave_wormhole_set(wormhole_ready_valid_2vc wormhole_ready_valid LONG PARAMETERS ${wide} VCS=2)
flitwave_wormhole_set(wormhole_ready_valid_pipelined_4vc_torus wormhole_ready_valid LONG
  PARAMETERS ${wide} VCS=4 TORUS=1 ${pipelined})
# Other delays, layouts and numbers of everything.
flitwave_wormhole_set(wormhole_two_local_ports wormhole_credit LONG
  PARAMETERS LOCAL_PORTS=2 VCS=3 DEPTH=3 TORUS=1 VC_DELAY=1 SWITCH_DELAY=2 COORDINATE_WIDTH=3
    FLIT_WIDTH=40 TAIL_AT=39 VC_AT=30 VC_WIDTH=3 DESTINATION_AT=4)
flitwave_wormhole_set(wormhole_ready_valid_three_local_ports wormhole_ready_valid LONG
  PARAMETERS LOCAL_PORTS=3 VCS=3 DEPTH=2 TORUS=1 ROUTE_DELAY=2 TRAVERSAL=2 FLIT_WIDTH=32)
flitwave_wormhole_set(wormhole_3d wormhole_credit LONG
  PARAMETERS DIMENSIONS=3 NETWORK_PORTS=6 VCS=2 DEPTH=1 SWITCH_DELAY=3 TRAVERSAL=1 FLIT_WIDTH=40)
flitwave_wormhole_set(wormhole_ring wormhole_credit LONG
  PARAMETERS DIMENSIONS=1 NETWORK_PORTS=2 VCS=5 VC_WIDTH=3 DESTINATION_AT=4 DEPTH=5 TORUS=1
    ROUTE_DELAY=1 FLIT_WIDTH=32)

flitwave_join_models(flitwave_wormhole_rtl 24)
configure_file("${wormhole_tests}/router_sets.cpp.in" "${PROJECT_BINARY_DIR}/router_sets.cpp" @ONLY)
file(GLOB wormhole_files CONFIGURE_DEPENDS "${wormhole_tests}/*.cpp")
list(APPEND wormhole_files "${PROJECT_BINARY_DIR}/router_sets.cpp")

# The modules below the top, each with its default parameters.
file(GLOB modules CONFIGURE_DEPENDS "${wormhole_rtl}/*.sv")
foreach(module IN LISTS modules)
  get_filename_component(name "${module}" NAME_WLE)
  flitwave_test(rtl.lint.${name} LABELS rtl
    COMMAND "${VERILATOR_BIN}" --lint-only -Wall -y "${wormhole_rtl}" "${module}")
endforeach()
