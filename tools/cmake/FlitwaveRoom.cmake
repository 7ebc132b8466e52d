# tools/cmake/FlitwaveRoom.cmake: one room is one static library with one include spelling.
# SPDX-License-Identifier: Apache-2.0

# "flitwave/<room>/<file>.hpp" resolves through links in the build tree, as it does after install.
set(FLITWAVE_INCLUDE_ROOT "${PROJECT_BINARY_DIR}/include")
file(MAKE_DIRECTORY "${FLITWAVE_INCLUDE_ROOT}/flitwave")
foreach(room configs topologies algorithms modules routers testbenches tools)
  file(CREATE_LINK "${PROJECT_SOURCE_DIR}/${room}" "${FLITWAVE_INCLUDE_ROOT}/flitwave/${room}"
       SYMBOLIC)
endforeach()

# flitwave_room(NAME FOLDER f SOURCES ... HEADERS ... [PLUGINS folder ...] USES ... [PRIVATE_USES ...])
# PLUGINS: every .cpp of these sub-folders belongs to the room; nothing else is globbed.
function(flitwave_room name)
  cmake_parse_arguments(ROOM "" "FOLDER" "SOURCES;HEADERS;PLUGINS;USES;PRIVATE_USES" ${ARGN})
  set(plugin_sources "")
  foreach(folder IN LISTS ROOM_PLUGINS)
    file(GLOB found CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${ROOM_FOLDER}/${folder}/*.cpp")
    list(APPEND plugin_sources ${found})
  endforeach()
  add_library(flitwave_${name} STATIC ${ROOM_SOURCES} ${plugin_sources})
  add_library(flitwave::${name} ALIAS flitwave_${name})
  set_target_properties(flitwave_${name} PROPERTIES
    EXPORT_NAME ${name} CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
  target_compile_features(flitwave_${name} PUBLIC cxx_std_17)
  # Else no function that another library could replace is inlined.
  target_compile_options(flitwave_${name} PRIVATE -fno-semantic-interposition)
  list(TRANSFORM ROOM_HEADERS PREPEND "${FLITWAVE_INCLUDE_ROOT}/flitwave/${ROOM_FOLDER}/")
  target_sources(flitwave_${name} PUBLIC FILE_SET HEADERS
    BASE_DIRS "${FLITWAVE_INCLUDE_ROOT}" FILES ${ROOM_HEADERS})
  target_link_libraries(flitwave_${name} PUBLIC ${ROOM_USES}
    PRIVATE $<BUILD_INTERFACE:flitwave_warnings> ${ROOM_PRIVATE_USES})
  set_property(GLOBAL APPEND PROPERTY FLITWAVE_ROOMS flitwave_${name})
endfunction()

# flitwave_registrations(declarations calls TYPE registry folder): appends to both variables what
# registers the kinds of a plug-in folder, whose x.cpp must define register_x(TYPE&).
function(flitwave_registrations declarations calls type registry folder)
  file(GLOB found CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${folder}/*.cpp")
  list(SORT found)
  foreach(path IN LISTS found)
    get_filename_component(stem "${path}" NAME_WE)
    string(APPEND ${declarations} "void register_${stem}(${type}&);\n")
    string(APPEND ${calls} "  register_${stem}(${registry});\n")
  endforeach()
  set(${declarations} "${${declarations}}" PARENT_SCOPE)
  set(${calls} "${${calls}}" PARENT_SCOPE)
endfunction()
