# tools/cmake/FlitwaveRoom.cmake: a top-level folder is one library of all sources below it.
# SPDX-License-Identifier: Apache-2.0

# Code that runs once per job is optimized little in a release build: that cuts its compile time,
# which is most of the time of joined files, to a third. The instrumented tests (preset asan) run it
# a few times and compile it for longer than that, so it is not optimized there; the search for jobs
# on which the reader crashes (preset fuzz) is a release build, and runs it millions of times.
set(FLITWAVE_RUN_ONCE_OPTIONS $<$<CONFIG:Release>:-Og>)
if(FLITWAVE_SANITIZE AND CMAKE_BUILD_TYPE STREQUAL "Debug")
  set(FLITWAVE_RUN_ONCE_OPTIONS -O0 ${FLITWAVE_FEWER_CHECKS})
endif()

# GCC searches its memory for what is free whenever it has grown by a third, a tenth of the time that
# it takes for joined files. Unit: KiB
set(FLITWAVE_JOINED_OPTIONS "")
if(CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(FLITWAVE_JOINED_OPTIONS --param=ggc-min-heapsize=1000000)
endif()

# A source with this line is optimized differently when joined, so it is not joined with others.
set(FLITWAVE_ALONE_MARK "^// \\[compiled alone\\]$")

# flitwave_sources(sources FOLDER [WITHOUT folder ...]): every .cpp below a folder, by its path from
# the root, except those below other folders, tests, and the program of the folder's own name.
function(flitwave_sources variable folder)
  cmake_parse_arguments(BUT "" "" "WITHOUT" ${ARGN})
  file(GLOB_RECURSE found CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}"
    "${PROJECT_SOURCE_DIR}/${folder}/*.cpp")
  get_filename_component(name "${folder}" NAME)
  list(FILTER found EXCLUDE REGEX "_test\\.cpp$|^${folder}/${name}\\.cpp$")
  foreach(other IN LISTS BUT_WITHOUT)
    list(FILTER found EXCLUDE REGEX "^${folder}/${other}/")
  endforeach()
  list(TRANSFORM found PREPEND "${PROJECT_SOURCE_DIR}/")
  set(${variable} "${found}" PARENT_SCOPE)
endfunction()

# flitwave_take(TAKEN LIST folder ...): moves the sources directly in these folders from one list to
# another.
function(flitwave_take taken_name list_name)
  set(matches "")
  set(others ${${list_name}})
  foreach(folder IN LISTS ARGN)
    set(these ${others})
    list(FILTER these INCLUDE REGEX "/${folder}/[^/]*$")
    list(APPEND matches ${these})
    list(FILTER others EXCLUDE REGEX "/${folder}/[^/]*$")
  endforeach()
  set(${taken_name} "${matches}" PARENT_SCOPE)
  set(${list_name} "${others}" PARENT_SCOPE)
endfunction()

function(flitwave_compile_alone)
  foreach(source IN LISTS ARGN)
    file(STRINGS "${source}" mark REGEX "${FLITWAVE_ALONE_MARK}" LIMIT_COUNT 1)
    if(mark)
      set_source_files_properties("${source}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  endforeach()
endfunction()

# flitwave_room(NAME FOLDER f [WITHOUT folder ...] [RUN_ONCE folder ...] [OFTEN file ...]
#               [GENERATED file ...] [ALSO file ...] [RUN_ONCE_OPTIONS option ...]
#               USES ... [PRIVATE_USES ...])
# All sources and headers below the folder. RUN_ONCE: folders whose code does not run in each cycle
# or for each packet, except the files OFTEN; GENERATED files run once, too. ALSO: sources from
# elsewhere.
function(flitwave_room name)
  cmake_parse_arguments(ROOM "" "FOLDER"
    "WITHOUT;RUN_ONCE;OFTEN;GENERATED;ALSO;RUN_ONCE_OPTIONS;USES;PRIVATE_USES" ${ARGN})
  if(NOT ROOM_RUN_ONCE_OPTIONS)
    set(ROOM_RUN_ONCE_OPTIONS ${FLITWAVE_RUN_ONCE_OPTIONS})
  endif()
  flitwave_sources(sources ${ROOM_FOLDER} WITHOUT ${ROOM_WITHOUT})
  flitwave_take(run_once sources ${ROOM_RUN_ONCE})
  foreach(file IN LISTS ROOM_OFTEN)
    list(REMOVE_ITEM run_once "${PROJECT_SOURCE_DIR}/${file}")
    list(APPEND sources "${PROJECT_SOURCE_DIR}/${file}")
  endforeach()
  list(APPEND run_once ${ROOM_GENERATED})
  flitwave_compile_alone(${sources})
  set(targets flitwave_${name})
  # In the inner loop, a program that uses a library need not be linked again when the library has
  # changed.
  set(kind STATIC)
  if(FLITWAVE_TEST_PER_FILE OR BUILD_SHARED_LIBS)
    set(kind SHARED)
  endif()
  add_library(flitwave_${name} ${kind} ${sources} ${ROOM_ALSO})
  add_library(flitwave::${name} ALIAS flitwave_${name})
  if(run_once)
    add_library(flitwave_${name}_run_once OBJECT ${run_once})
    list(APPEND targets flitwave_${name}_run_once)
    target_compile_options(flitwave_${name}_run_once PRIVATE ${ROOM_RUN_ONCE_OPTIONS})
    target_link_libraries(flitwave_${name}_run_once PRIVATE ${ROOM_USES})
    target_sources(flitwave_${name} PRIVATE $<TARGET_OBJECTS:flitwave_${name}_run_once>)
  endif()
  foreach(target IN LISTS targets)
    set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON
      UNITY_BUILD_BATCH_SIZE 80)  # the headers of each joined file take seconds; tests join fewer
    target_compile_features(${target} PUBLIC cxx_std_17)
    # Otherwise functions that another library could replace are not inlined.
    target_compile_options(${target} PRIVATE -fno-semantic-interposition ${FLITWAVE_JOINED_OPTIONS})
    target_link_libraries(${target} PRIVATE
      $<BUILD_INTERFACE:flitwave_warnings> ${ROOM_PRIVATE_USES})
    # "<folder>/<subfolder>/<file>.hpp" is the path in the tree; installed, it begins with
    # flitwave/.
    target_include_directories(${target} PUBLIC "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>"
      "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  endforeach()
  if(BUILD_SHARED_LIBS)
    # Of what the libraries contain, only names of Flitwave are visible.
    target_link_options(flitwave_${name} PRIVATE
      "LINKER:--version-script=${PROJECT_SOURCE_DIR}/tools/cmake/flitwave.map")
    set_property(GLOBAL APPEND PROPERTY FLITWAVE_LIBRARY_FOLDERS "${CMAKE_CURRENT_BINARY_DIR}")
  endif()
  # No define of its own when shared: top-level folders share precompiled headers.
  set_target_properties(flitwave_${name} PROPERTIES EXPORT_NAME ${name} DEFINE_SYMBOL ""
    VERSION ${PROJECT_VERSION} SOVERSION ${FLITWAVE_SOVERSION})
  target_link_libraries(flitwave_${name} PUBLIC ${ROOM_USES})
  flitwave_headers(${name} ${ROOM_FOLDER} ${ROOM_WITHOUT})
endfunction()

# flitwave_headers(NAME FOLDER [WITHOUT ...]): compiles each header below a folder alone, in the
# target all_verify_interface_header_sets.
function(flitwave_headers name folder)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}"
    "${PROJECT_SOURCE_DIR}/${folder}/*.hpp")
  foreach(other IN LISTS ARGN)
    list(FILTER headers EXCLUDE REGEX "^${folder}/${other}/")
  endforeach()
  list(TRANSFORM headers PREPEND "${PROJECT_SOURCE_DIR}/")
  add_library(flitwave_${name}_headers INTERFACE)
  target_link_libraries(flitwave_${name}_headers INTERFACE flitwave_${name})
  target_sources(flitwave_${name}_headers INTERFACE FILE_SET HEADERS
    BASE_DIRS "${PROJECT_SOURCE_DIR}" FILES ${headers})
endfunction()

# flitwave_catalog(TEMPLATE FILE "TYPE member folder" ...): writes a catalogue of the kinds
# registered by the files of plug-in folders: each x.cpp must define register_x(TYPE&).
function(flitwave_catalog template file)
  set(catalog_declarations "")
  set(catalog_calls "")
  foreach(entry IN LISTS ARGN)
    separate_arguments(entry)
    list(POP_FRONT entry type member folder)
    file(GLOB_RECURSE found CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${folder}/*.cpp")
    set(stems "")
    foreach(path IN LISTS found)
      get_filename_component(stem "${path}" NAME_WE)
      list(APPEND stems ${stem})
    endforeach()
    list(SORT stems)
    foreach(stem IN LISTS stems)
      string(APPEND catalog_declarations "void register_${stem}(${type}&);\n")
      string(APPEND catalog_calls "  register_${stem}(catalog.${member});\n")
    endforeach()
  endforeach()
  configure_file("${template}" "${file}" @ONLY)
endfunction()
