# tools/cmake/FlitwaveRtlModels.cmake: the routers in Verilog of this tree as models of `verilated`.
# SPDX-License-Identifier: Apache-2.0
# Each file of routers/rtl/designs calls flitwave_add_rtl. All models together are the target
# flitwave_rtl_models; FLITWAVE_RTL_PROGRAM links them to the program.
if(NOT FLITWAVE_TESTS AND NOT FLITWAVE_RTL_PROGRAM)
  return()
endif()
include(FlitwaveVerilator)
if(NOT FLITWAVE_HAS_VERILATOR)
  if(FLITWAVE_RTL_PROGRAM)
    message(FATAL_ERROR "FLITWAVE_RTL_PROGRAM needs Verilator; -DFLITWAVE_RTL=ON shows what is missing")
  endif()
  return()
endif()
file(GLOB designs CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/routers/rtl/designs/*.cmake")
foreach(design_file IN LISTS designs)
  include("${design_file}")
endforeach()

get_property(models GLOBAL PROPERTY FLITWAVE_RTL_MODELS)
add_library(flitwave_rtl_models INTERFACE)
target_link_libraries(flitwave_rtl_models INTERFACE ${models})
if(FLITWAVE_RTL_PROGRAM)
  target_link_libraries(flitwave PRIVATE flitwave_rtl_models)
endif()
