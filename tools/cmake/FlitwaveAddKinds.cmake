# tools/cmake/FlitwaveAddKinds.cmake: programs and plug-ins with kinds of a user's own.
# SPDX-License-Identifier: Apache-2.0
set(FLITWAVE_KINDS_TEMPLATES "${CMAKE_CURRENT_LIST_DIR}" CACHE INTERNAL "")

# Type of a registry, and its member of Catalog.
set(FLITWAVE_REGISTRIES Topologies topologies Routings routings Operations operations
  Collectives collectives TrafficPatterns traffic Injections injections Routers routers Nodes nodes
  Observers observers Evaluations evaluations CACHE INTERNAL "")

# flitwave_write_kinds(TEMPLATE FILE source ...): writes a file that adds the kinds of all sources
# x.cpp that define register_x(REGISTRY&); the others are left out.
function(flitwave_write_kinds template file)
  set(kinds_declarations "")
  set(kinds_calls "")
  foreach(source IN LISTS ARGN)
    get_filename_component(path "${source}" ABSOLUTE)
    if(NOT EXISTS "${path}")
      message(FATAL_ERROR "there is no file ${source}")
    endif()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${path}")
    get_filename_component(name "${source}" NAME_WLE)
    file(STRINGS "${path}" definition REGEX "^void register_${name}\\([A-Za-z]+&" LIMIT_COUNT 1)
    if(NOT definition)
      continue()
    endif()
    string(REGEX REPLACE "^void register_${name}\\(([A-Za-z]+)&.*" "\\1" registry "${definition}")
    list(FIND FLITWAVE_REGISTRIES "${registry}" at)
    if(at EQUAL -1)
      message(FATAL_ERROR "${source}: register_${name} has the argument ${registry}&, which is no "
        "registry of Flitwave; the registries are those of Catalog in testbenches/job/catalog.hpp")
    endif()
    math(EXPR at "${at} + 1")
    list(GET FLITWAVE_REGISTRIES ${at} member)
    string(APPEND kinds_declarations "void register_${name}(${registry}&);\n")
    string(APPEND kinds_calls "  register_${name}(catalog.${member});\n")
  endforeach()
  if(NOT kinds_calls)
    message(FATAL_ERROR "no source registers a kind; a source x.cpp must define "
      "`void register_x(REGISTRY& ...)` at the beginning of a line, in the namespace flitwave")
  endif()
  configure_file("${FLITWAVE_KINDS_TEMPLATES}/${template}" "${file}" @ONLY)
endfunction()

# flitwave_accept_plugins(PROGRAM PREFIX): a plug-in calls any function of the libraries, which are
# the targets PREFIX<folder>, so the program has them whole, and exports them.
function(flitwave_accept_plugins program prefix)
  set_target_properties(${program} PROPERTIES ENABLE_EXPORTS ON)
  set(libraries configs topologies algorithms modules routers testbenches)
  list(TRANSFORM libraries PREPEND ${prefix})
  get_target_property(type ${prefix}configs TYPE)
  if(type STREQUAL "STATIC_LIBRARY")
    list(JOIN libraries "," libraries)
    set_target_properties(${program} PROPERTIES LINK_LIBRARY_OVERRIDE "WHOLE_ARCHIVE,${libraries}")
  endif()
endfunction()

# flitwave_add_kinds(TARGET target SOURCES file ...): adds kinds of your own to a program with a main,
# or sc_main, of its own. Each x.cpp that defines register_x(REGISTRY&) adds its kinds to
# flitwave::own_catalog(), which also has all others: flitwave/testbenches/job/catalog.hpp.
function(flitwave_add_kinds)
  cmake_parse_arguments(KINDS "" "TARGET" "SOURCES" ${ARGN})
  if(NOT KINDS_TARGET OR NOT KINDS_SOURCES OR KINDS_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "use flitwave_add_kinds(TARGET target SOURCES file ...)")
  endif()
  get_target_property(has_kinds ${KINDS_TARGET} FLITWAVE_HAS_KINDS)
  if(has_kinds)
    message(FATAL_ERROR "${KINDS_TARGET} has kinds already; name all sources in one call")
  endif()
  set_target_properties(${KINDS_TARGET} PROPERTIES FLITWAVE_HAS_KINDS TRUE)
  set(kinds "${CMAKE_CURRENT_BINARY_DIR}/${KINDS_TARGET}_kinds.cpp")
  flitwave_write_kinds(own_kinds.cpp.in "${kinds}" ${KINDS_SOURCES})
  target_sources(${KINDS_TARGET} PRIVATE ${KINDS_SOURCES} "${kinds}")
  target_link_libraries(${KINDS_TARGET} PRIVATE flitwave::sim)
endfunction()

# flitwave_add_program(NAME name SOURCES file ...): the program flitwave, with kinds of your own
# beside all others, as of flitwave_add_kinds.
function(flitwave_add_program)
  cmake_parse_arguments(PROGRAM "" "NAME" "SOURCES" ${ARGN})
  if(NOT PROGRAM_NAME OR NOT PROGRAM_SOURCES OR PROGRAM_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "use flitwave_add_program(NAME name SOURCES file ...)")
  endif()
  set(main "${CMAKE_CURRENT_BINARY_DIR}/${PROGRAM_NAME}_main.cpp")
  configure_file("${FLITWAVE_KINDS_TEMPLATES}/program_main.cpp.in" "${main}" COPYONLY)
  add_executable(${PROGRAM_NAME} "${main}")
  flitwave_add_kinds(TARGET ${PROGRAM_NAME} SOURCES ${PROGRAM_SOURCES})
  target_link_libraries(${PROGRAM_NAME} PRIVATE flitwave::program)
  flitwave_accept_plugins(${PROGRAM_NAME} flitwave::)
endfunction()

# flitwave_add_plugin(NAME name SOURCES file ...): the shared library name.so, whose kinds
# `flitwave --plugin name.so COMMAND ...` adds to its own. It runs with the program of this version,
# which has all of Flitwave's code.
function(flitwave_add_plugin)
  cmake_parse_arguments(PLUGIN "" "NAME" "SOURCES" ${ARGN})
  if(NOT PLUGIN_NAME OR NOT PLUGIN_SOURCES OR PLUGIN_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "use flitwave_add_plugin(NAME name SOURCES file ...)")
  endif()
  if(NOT TARGET flitwave::flitwave)
    message(FATAL_ERROR "a plug-in needs the installed package, with the program: "
      "find_package(Flitwave COMPONENTS sim)")
  endif()
  set(kinds "${CMAKE_CURRENT_BINARY_DIR}/${PLUGIN_NAME}_kinds.cpp")
  flitwave_write_kinds(plugin_kinds.cpp.in "${kinds}" ${PLUGIN_SOURCES})
  add_library(${PLUGIN_NAME} MODULE ${PLUGIN_SOURCES} "${kinds}")
  target_link_libraries(${PLUGIN_NAME} PRIVATE flitwave::flitwave SystemC::systemc)
  target_include_directories(${PLUGIN_NAME} PRIVATE
    $<TARGET_PROPERTY:flitwave::testbenches,INTERFACE_INCLUDE_DIRECTORIES>)
  target_compile_features(${PLUGIN_NAME} PRIVATE cxx_std_17)
  # Its own functions, even if the program has some of the same name.
  target_link_options(${PLUGIN_NAME} PRIVATE -Wl,-Bsymbolic-functions)
  set_target_properties(${PLUGIN_NAME} PROPERTIES PREFIX "")
endfunction()
