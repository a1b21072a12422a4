# The language MUSA, first part: finds mcc.
#
#   list(APPEND CMAKE_MODULE_PATH "$ENV{MUSA_PATH}/cmake")
#   project(app LANGUAGES CXX MUSA)
#   add_executable(app main.cpp kernels.mu)
#   set_target_properties(app PROPERTIES MUSA_STANDARD 17 MUSA_ARCHITECTURES "22;31" MUSA_SEPARABLE_COMPILATION ON)
#
# What CMake's own languages have works for MUSA, too: $<COMPILE_LANGUAGE:MUSA>, CMAKE_MUSA_FLAGS, compile options and
# definitions, dependencies. Standards, architectures and separate compilation are properties of targets, which begin as
# CMAKE_MUSA_STANDARD, CMAKE_MUSA_ARCHITECTURES and CMAKE_MUSA_SEPARABLE_COMPILATION say at the end of the project.
# Read: MUSACXX, MUSAFLAGS, MUSAARCHS (environment), CMAKE_MUSA_COMPILER.
if(NOT CMAKE_MUSA_COMPILER)
  if(NOT "$ENV{MUSACXX}" STREQUAL "")
    set(CMAKE_MUSA_COMPILER "$ENV{MUSACXX}")
  endif()
  get_filename_component(_musa_own "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)
  if(CMAKE_MUSA_COMPILER AND NOT IS_ABSOLUTE "${CMAKE_MUSA_COMPILER}")
    find_program(_musa_named "${CMAKE_MUSA_COMPILER}" NO_CACHE)
    set(CMAKE_MUSA_COMPILER "${_musa_named}")
  endif()
  find_program(CMAKE_MUSA_COMPILER mcc
    HINTS "${_musa_own}/bin" "$ENV{MUSA_HOME}/bin" "$ENV{MUSA_PATH}/bin" /usr/local/musa/bin
    DOC "The compiler of MUSA sources")
  if(NOT CMAKE_MUSA_COMPILER)
    message(FATAL_ERROR "No mcc was found: set MUSA_PATH to the MUSA SDK, or CMAKE_MUSA_COMPILER to its bin/mcc")
  endif()
endif()
if(NOT EXISTS "${CMAKE_MUSA_COMPILER}")
  message(FATAL_ERROR "CMAKE_MUSA_COMPILER is ${CMAKE_MUSA_COMPILER}, which is not there")
endif()

execute_process(COMMAND "${CMAKE_MUSA_COMPILER}" --version OUTPUT_VARIABLE _musa_said ERROR_QUIET)
if(_musa_said MATCHES "mcc version ([0-9]+(\\.[0-9]+)+)")
  set(CMAKE_MUSA_COMPILER_VERSION "${CMAKE_MATCH_1}")
endif()
set(CMAKE_MUSA_COMPILER_ID MooreThreads)
get_filename_component(_musa_bin "${CMAKE_MUSA_COMPILER}" DIRECTORY)
get_filename_component(CMAKE_MUSA_TOOLKIT_ROOT "${_musa_bin}/.." ABSOLUTE)
set(CMAKE_MUSA_COMPILER_ENV_VAR MUSACXX)
# Static libraries are made by the same archiver as those of C++.
include(CMakeFindBinUtils)
configure_file("${CMAKE_CURRENT_LIST_DIR}/CMakeMUSACompiler.cmake.in"
  "${CMAKE_PLATFORM_INFO_DIR}/CMakeMUSACompiler.cmake" @ONLY)
message(STATUS "The MUSA compiler identification is ${CMAKE_MUSA_COMPILER_ID} ${CMAKE_MUSA_COMPILER_VERSION}")
