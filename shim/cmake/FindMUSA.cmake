# FindMUSA
# --------
# Compiles MUSA source in CMake projects, with the vendor's commands:
#
#   list(APPEND CMAKE_MODULE_PATH ${MUSA_PATH}/cmake)
#   find_package(MUSA REQUIRED)
#   set(MUSA_MCC_FLAGS --offload-arch=mp_22)
#   musa_add_executable(app main.mu util.cpp [OPTIONS <of mcc>...])
#   musa_add_library(kernels STATIC kernels.mu)
#   musa_compile(objects kernels.mu)
#
# Files named .mu and .cu, and those with the property MUSA_SOURCE_PROPERTY_FORMAT set to OBJ,
# go through mcc; the others through the project's compilers.
# Variables: MUSA_FOUND, MUSA_VERSION, MUSA_TOOLKIT_ROOT_DIR, MUSA_MCC_EXECUTABLE,
#   MUSA_INCLUDE_DIRS, MUSA_LIBRARIES; read: MUSA_MCC_FLAGS, MUSA_MCC_FLAGS_<CONFIG>,
#   MUSA_VERBOSE_BUILD (shows each command of mcc), MUSA_LINK_LIBRARIES_KEYWORD

if(POLICY CMP0116)
  cmake_policy(SET CMP0116 NEW)  # names in dependency files, which are whole paths here
endif()

# What is found is told once, under this module's name.
set(MUSAToolkit_FIND_QUIETLY TRUE)
set(FPHSA_NAME_MISMATCHED TRUE)
include("${CMAKE_CURRENT_LIST_DIR}/FindMUSAToolkit.cmake")
unset(FPHSA_NAME_MISMATCHED)
unset(MUSAToolkit_FIND_QUIETLY)
set(MUSA_VERSION "${MUSAToolkit_VERSION}")
set(MUSA_TOOLKIT_ROOT_DIR "${MUSAToolkit_ROOT}")
set(MUSA_MCC_EXECUTABLE "${MUSAToolkit_MCC_EXECUTABLE}")
set(MUSA_INCLUDE_DIRS "${MUSAToolkit_INCLUDE_DIR}")
set(MUSA_LIBRARIES MUSA::musart)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(MUSA REQUIRED_VARS MUSA_MCC_EXECUTABLE MUSA_INCLUDE_DIRS VERSION_VAR MUSA_VERSION)

# musa_include_directories(<dirs...>): include directories of the mcc compilations
# of this directory and those below it.
function(musa_include_directories)
  set_property(DIRECTORY APPEND PROPERTY MUSA_INCLUDE_DIRECTORIES ${ARGN})
endfunction()

# Divides the arguments of a musa_* function: sources, what is CMake's, and what comes after OPTIONS, for mcc.
function(_musa_arguments sources words options)
  cmake_parse_arguments(PARSE_ARGV 3 ARG "STATIC;SHARED;MODULE;EXCLUDE_FROM_ALL;WIN32;MACOSX_BUNDLE" "" OPTIONS)
  set(_words)
  foreach(_word STATIC SHARED MODULE EXCLUDE_FROM_ALL WIN32 MACOSX_BUNDLE)
    if(ARG_${_word})
      list(APPEND _words ${_word})
    endif()
  endforeach()
  set(${sources} ${ARG_UNPARSED_ARGUMENTS} PARENT_SCOPE)
  set(${words} ${_words} PARENT_SCOPE)
  set(${options} ${ARG_OPTIONS} PARENT_SCOPE)
endfunction()

# Words of a variable of flags: a list, or a string of words, or a list of such.
function(_musa_words result)
  set(_words)
  foreach(_part IN LISTS ARGN)
    separate_arguments(_more NATIVE_COMMAND "${_part}")
    list(APPEND _words ${_more})
  endforeach()
  set(${result} ${_words} PARENT_SCOPE)
endfunction()

# Adds to <objects> one object file for each MUSA source; the rest goes to <others>. The target, which may come later or not at
# all, gives include directories and definitions, also those of libraries.
function(_musa_wrap_sources name is_target options objects others)
  set(_objects)
  set(_others)
  get_property(_directories DIRECTORY PROPERTY MUSA_INCLUDE_DIRECTORIES)
  list(TRANSFORM _directories PREPEND "-I")
  string(TOUPPER "${CMAKE_BUILD_TYPE}" _build_type)
  _musa_words(_flags "${CMAKE_CXX_FLAGS_${_build_type}}" ${MUSA_MCC_FLAGS} ${MUSA_MCC_FLAGS_${_build_type}} ${options})
  if(is_target)
    set(_includes "$<TARGET_PROPERTY:${name},INCLUDE_DIRECTORIES>")
    set(_definitions "$<TARGET_PROPERTY:${name},COMPILE_DEFINITIONS>")
    set(_given "$<$<BOOL:${_includes}>:-I$<JOIN:${_includes},$<SEMICOLON>-I>>"
      "$<$<BOOL:${_definitions}>:-D$<JOIN:${_definitions},$<SEMICOLON>-D>>")
  else()
    get_property(_includes DIRECTORY PROPERTY INCLUDE_DIRECTORIES)
    list(TRANSFORM _includes PREPEND "-I")
    get_property(_definitions DIRECTORY PROPERTY COMPILE_DEFINITIONS)
    list(TRANSFORM _definitions PREPEND "-D")
    set(_given ${_includes} ${_definitions})
  endif()
  foreach(_source ${ARGN})
    get_source_file_property(_format ${_source} MUSA_SOURCE_PROPERTY_FORMAT)
    if(NOT _source MATCHES "\\.(mu|cu)$" AND NOT _format STREQUAL "OBJ")
      list(APPEND _others ${_source})
      continue()
    endif()
    get_filename_component(_path "${_source}" ABSOLUTE)
    if(NOT EXISTS "${_path}" AND EXISTS "${CMAKE_CURRENT_BINARY_DIR}/${_source}")
      set(_path "${CMAKE_CURRENT_BINARY_DIR}/${_source}")
    endif()
    string(MD5 _id "${_path}")
    get_filename_component(_file "${_source}" NAME)
    set(_folder "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${name}.dir")
    set(_object "${_folder}/${_id}_${_file}.o")
    set(_command "${MUSA_MCC_EXECUTABLE}" -x musa -fPIC -MD -MF "${_object}.d" ${_flags} ${_directories} ${_given} -c "${_path}" -o "${_object}")
    set(_shown)
    if(MUSA_VERBOSE_BUILD)
      set(_shown COMMAND ${CMAKE_COMMAND} -E echo ${_command})
    endif()
    add_custom_command(
      OUTPUT "${_object}"
      COMMAND ${CMAKE_COMMAND} -E make_directory "${_folder}"
      ${_shown}
      COMMAND ${_command}
      DEPENDS "${_path}" "${MUSA_MCC_EXECUTABLE}"
      DEPFILE "${_object}.d"
      COMMAND_EXPAND_LISTS VERBATIM
      COMMENT "Building MUSA object ${_file}.o")
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

# musa_add_executable(<name> [EXCLUDE_FROM_ALL] <sources...> [OPTIONS <of mcc>...])
function(musa_add_executable name)
  _musa_arguments(_sources _words _options ${ARGN})
  _musa_wrap_sources(${name} TRUE "${_options}" _objects _others ${_sources})
  add_executable(${name} ${_words} ${_others} ${_objects})
  _musa_finish(${name})
endfunction()

# musa_add_library(<name> [STATIC|SHARED|MODULE] [EXCLUDE_FROM_ALL] <sources...> [OPTIONS <of mcc>...])
function(musa_add_library name)
  _musa_arguments(_sources _words _options ${ARGN})
  _musa_wrap_sources(${name} TRUE "${_options}" _objects _others ${_sources})
  add_library(${name} ${_words} ${_others} ${_objects})
  _musa_finish(${name})
endfunction()

# musa_compile(<variable> <sources...> [OPTIONS <of mcc>...]): the variable lists the objects, for a target of this directory.
function(musa_compile variable)
  _musa_arguments(_sources _words _options ${ARGN})
  _musa_wrap_sources(musa_compile_${variable} FALSE "${_options}" _objects _others ${_sources})
  set(${variable} ${_objects} PARENT_SCOPE)
endfunction()

# CMake leaves out a source that no language of the project compiles, and says nothing.
function(_musa_tell_left_out folder)
  get_property(_folders DIRECTORY "${folder}" PROPERTY SUBDIRECTORIES)
  foreach(_below ${_folders})
    _musa_tell_left_out("${_below}")
  endforeach()
  get_property(_languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  get_property(_targets DIRECTORY "${folder}" PROPERTY BUILDSYSTEM_TARGETS)
  foreach(_target ${_targets})
    get_target_property(_sources ${_target} SOURCES)
    foreach(_source ${_sources})
      if(NOT _source MATCHES "\\.(mu|cu)$" OR "MUSA" IN_LIST _languages OR (_source MATCHES "\\.cu$" AND "CUDA" IN_LIST _languages))
        continue()
      endif()
      get_source_file_property(_language "${_source}" TARGET_DIRECTORY ${_target} LANGUAGE)
      get_source_file_property(_header "${_source}" TARGET_DIRECTORY ${_target} HEADER_FILE_ONLY)
      get_target_property(_type ${_target} TYPE)
      if(NOT _language AND NOT _header AND NOT _type STREQUAL "UTILITY")
        message(WARNING "${_target}: CMake leaves out ${_source}, which no language of this project compiles: "
                        "use musa_add_executable or musa_add_library, or project(... LANGUAGES CXX MUSA)")
      endif()
    endforeach()
  endforeach()
endfunction()
get_property(_musa_tells GLOBAL PROPERTY MUSASHIM_TELLS_LEFT_OUT)
if(MUSA_FOUND AND NOT _musa_tells AND NOT CMAKE_VERSION VERSION_LESS 3.19)
  set_property(GLOBAL PROPERTY MUSASHIM_TELLS_LEFT_OUT TRUE)
  cmake_language(EVAL CODE "cmake_language(DEFER DIRECTORY [[${CMAKE_SOURCE_DIR}]] CALL _musa_tell_left_out [[${CMAKE_SOURCE_DIR}]])")
endif()
