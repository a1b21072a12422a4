# FindMUSA
# --------
# Compiles MUSA source in CMake projects, with the vendor's commands:
#
#   list(APPEND CMAKE_MODULE_PATH ${MUSA_PATH}/cmake)
#   find_package(MUSA REQUIRED)
#   set(MUSA_MCC_FLAGS --offload-arch=mp_22)
#   musa_add_executable(app main.mu util.cpp)
#   musa_add_library(kernels STATIC kernels.mu)
#
# Files named .mu, and those with the property MUSA_SOURCE_PROPERTY_FORMAT set to OBJ,
# go through mcc; the others through the project's compilers.
# Variables: MUSA_FOUND, MUSA_VERSION, MUSA_TOOLKIT_ROOT_DIR, MUSA_MCC_EXECUTABLE,
#   MUSA_INCLUDE_DIRS, MUSA_LIBRARIES; read: MUSA_MCC_FLAGS, MUSA_VERBOSE_BUILD

include("${CMAKE_CURRENT_LIST_DIR}/FindMUSAToolkit.cmake")
set(MUSA_FOUND ${MUSAToolkit_FOUND})
set(MUSA_VERSION "${MUSAToolkit_VERSION}")
set(MUSA_TOOLKIT_ROOT_DIR "${MUSAToolkit_ROOT}")
set(MUSA_MCC_EXECUTABLE "${MUSAToolkit_MCC_EXECUTABLE}")
set(MUSA_INCLUDE_DIRS "${MUSAToolkit_INCLUDE_DIRS}")
set(MUSA_LIBRARIES MUSA::musart)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(MUSA REQUIRED_VARS MUSA_MCC_EXECUTABLE MUSA_INCLUDE_DIRS VERSION_VAR MUSA_VERSION)

# musa_include_directories(<dirs...>): include directories of the mcc compilations
# of this directory and those below it.
function(musa_include_directories)
  set_property(DIRECTORY APPEND PROPERTY MUSA_INCLUDE_DIRECTORIES ${ARGN})
endfunction()

# Adds to <objects> one object file for each MUSA source; the rest goes to <others>.
function(_musa_wrap_sources target objects others)
  set(_objects)
  set(_others)
  get_property(_directories DIRECTORY PROPERTY MUSA_INCLUDE_DIRECTORIES)
  list(TRANSFORM _directories PREPEND "-I")
  separate_arguments(_flags NATIVE_COMMAND "${MUSA_MCC_FLAGS}")
  string(TOUPPER "${CMAKE_BUILD_TYPE}" _build_type)
  separate_arguments(_build_flags NATIVE_COMMAND "${CMAKE_CXX_FLAGS_${_build_type}}")
  # Include directories and definitions that the target collects, also from libraries.
  set(_includes "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
  set(_definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
  foreach(_source ${ARGN})
    get_source_file_property(_format ${_source} MUSA_SOURCE_PROPERTY_FORMAT)
    if(NOT _source MATCHES "\\.mu$" AND NOT _format STREQUAL "OBJ")
      list(APPEND _others ${_source})
      continue()
    endif()
    get_filename_component(_path "${_source}" ABSOLUTE)
    string(MD5 _id "${_path}")
    get_filename_component(_name "${_source}" NAME)
    set(_object "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/${_id}_${_name}.o")
    add_custom_command(
      OUTPUT "${_object}"
      COMMAND ${CMAKE_COMMAND} -E make_directory "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir"
      COMMAND "${MUSA_MCC_EXECUTABLE}" -x musa -fPIC -MD -MF "${_object}.d" ${_build_flags} ${_flags} ${_directories}
        "$<$<BOOL:${_includes}>:-I$<JOIN:${_includes},;-I>>"
        "$<$<BOOL:${_definitions}>:-D$<JOIN:${_definitions},;-D>>"
        -c "${_path}" -o "${_object}"
      DEPENDS "${_path}" "${MUSA_MCC_EXECUTABLE}"
      DEPFILE "${_object}.d"
      COMMAND_EXPAND_LISTS VERBATIM
      COMMENT "Building MUSA object ${_name}.o")
    set_source_files_properties("${_object}" PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
    list(APPEND _objects "${_object}")
  endforeach()
  set(${objects} ${_objects} PARENT_SCOPE)
  set(${others} ${_others} PARENT_SCOPE)
endfunction()

function(_musa_finish target)
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
  target_include_directories(${target} PRIVATE ${MUSA_INCLUDE_DIRS})
  target_link_libraries(${target} ${MUSA_LINK_LIBRARIES_KEYWORD} ${MUSA_LIBRARIES})
endfunction()

# musa_add_executable(<name> <sources...>)
function(musa_add_executable name)
  _musa_wrap_sources(${name} _objects _others ${ARGN})
  add_executable(${name} ${_others} ${_objects})
  _musa_finish(${name})
endfunction()

# musa_add_library(<name> [STATIC|SHARED|MODULE] <sources...>)
function(musa_add_library name)
  set(_kind)
  set(_sources ${ARGN})
  list(GET _sources 0 _first)
  if(_first MATCHES "^(STATIC|SHARED|MODULE)$")
    set(_kind ${_first})
    list(REMOVE_AT _sources 0)
  endif()
  _musa_wrap_sources(${name} _objects _others ${_sources})
  add_library(${name} ${_kind} ${_others} ${_objects})
  _musa_finish(${name})
endfunction()
