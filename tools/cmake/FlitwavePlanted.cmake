# tools/cmake/FlitwavePlanted.cmake: the wormhole router in Verilog with bugs, for the suite `cosim`.
# SPDX-License-Identifier: Apache-2.0
# One copy of the sources has all bugs of a list; an input selects one. Two designs are built from it,
# small ones, which are appended to `test_models`.
set(planted "${tests}/cosim/planted")
set(planted_sources "${PROJECT_BINARY_DIR}/rtl/planted")
file(GLOB planted_inputs CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/routers/rtl/*.sv"
  "${PROJECT_SOURCE_DIR}/routers/rtl/*.yaml")
list(APPEND planted_inputs "${planted}/bugs" "${planted}/plant.py")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${planted_inputs})
execute_process(
  COMMAND "${FLITWAVE_RTL_PYTHON}" -B "${planted}/plant.py" "${planted}/bugs"
          "${PROJECT_SOURCE_DIR}/routers/rtl" "${planted_sources}"
  RESULT_VARIABLE status ERROR_VARIABLE errors)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "plant.py: ${errors}")
endif()

set(planted_credit VCS=2 TORUS=1 ROUTE_DELAY=1)
set(planted_ready_valid VCS=1)
foreach(handshake credit ready_valid)
  flitwave_add_rtl(NAME planted_${handshake} TOP wormhole_${handshake}
    PARAMETERS FLIT_WIDTH=32 DEPTH=3 ${planted_${handshake}}
    SOURCES "${planted_sources}/wormhole_${handshake}.sv" INCLUDE_DIRS "${planted_sources}"
    PORTS "${planted_sources}/wormhole_${handshake}.yaml")
  list(APPEND test_models planted_${handshake})
endforeach()
