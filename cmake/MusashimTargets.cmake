# The project's target settings, in one place: language level, warnings,
# sanitizers, SDK layout, tests.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# A change within a library links that library anew, not the hundred programs that load it.
set(CMAKE_LINK_DEPENDS_NO_SHARED ON)
# The SDK can be moved: its programs and libraries find each other by place.
set(CMAKE_INSTALL_RPATH "$ORIGIN/../lib;$ORIGIN")

find_program(MUSASHIM_CCACHE ccache)
if(MUSASHIM_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # What ccache needs to know precompiled headers again.
  set(ccache ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_DEPEND=1 ${MUSASHIM_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${ccache})
  set(CMAKE_C_COMPILER_LAUNCHER ${ccache})
endif()

if(MUSASHIM_SANITIZER)
  add_compile_options(-fsanitize=${MUSASHIM_SANITIZER} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  # UBSan looks at an object's memory through a pipe, and calls it broken where a process has no free descriptor.
  if(MUSASHIM_SANITIZER MATCHES undefined)
    add_compile_options(-fno-sanitize=vptr)
    # A C program may pass any number as an enumeration of an interface's, and entries look at it.
    add_compile_options(-fno-sanitize=enum)
  endif()
  # Libraries of ours are loaded by programs of ours: one shared sanitizer runtime.
  string(REGEX REPLACE ",.*" "" sanitizer_name ${MUSASHIM_SANITIZER})
  string(REPLACE "address" "asan" sanitizer_name ${sanitizer_name})
  string(REPLACE "thread" "tsan" sanitizer_name ${sanitizer_name})
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libclang_rt.${sanitizer_name}-x86_64.so
                  OUTPUT_VARIABLE sanitizer_runtime OUTPUT_STRIP_TRAILING_WHITESPACE)
  cmake_path(GET sanitizer_runtime PARENT_PATH sanitizer_folder)
  add_link_options(-fsanitize=${MUSASHIM_SANITIZER} -shared-libsan -Wl,-rpath,${sanitizer_folder})
endif()

# Settings of every target of ours.
add_library(musashim_settings INTERFACE)
target_compile_options(musashim_settings INTERFACE -Wall -Wextra -Wshadow -Wnon-virtual-dtor)
if(MUSASHIM_SANITIZER)
  target_compile_options(musashim_settings INTERFACE -Wno-pass-failed)  # loops that sanitizers keep from being vectors
endif()
if(MUSASHIM_WERROR)
  target_compile_options(musashim_settings INTERFACE -Werror)
endif()
target_include_directories(musashim_settings INTERFACE
  ${CMAKE_SOURCE_DIR}/shim ${CMAKE_SOURCE_DIR}/backends)

# musashim_library(<target>...): sources of a library that programs load. Threads go on while a process exits,
# until it is gone, so nothing may be destroyed then.
function(musashim_library)
  foreach(name ${ARGN})
    target_compile_options(${name} PRIVATE -Wexit-time-destructors)
  endforeach()
endfunction()

# musashim_precompile(<target> <header>...): what most sources of the target include, compiled once.
function(musashim_precompile name)
  target_precompile_headers(${name} PRIVATE ${ARGN})
  target_compile_options(${name} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
endfunction()

# musashim_reuse_precompiled(<target> <other>): what the other one has precompiled, which is a library with the same options.
function(musashim_reuse_precompiled name other)
  target_precompile_headers(${name} REUSE_FROM ${other})
  target_compile_options(${name} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  get_target_property(type ${name} TYPE)
  if(type STREQUAL "EXECUTABLE")
    set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${name} PRIVATE -fPIC)  # as in libraries
  endif()
endfunction()

# musashim_command_line(<library> <source>...): sources that read a program's command line by CLI11, once a run. Not optimised they
# compile in a third of the time. The linker takes one copy of a template for the whole program, the first that it sees: so they
# are a library of their own, which is linked behind all others.
function(musashim_command_line name)
  find_package(CLI11 REQUIRED)
  add_library(${name} STATIC ${ARGN})
  target_compile_options(${name} PRIVATE -O0 -g0)
  target_link_libraries(${name} PRIVATE musashim_settings CLI11::CLI11)
endfunction()

# {fmt}, compiled once and linked statically with hidden symbols.
add_library(musashim_fmt STATIC ${CMAKE_CURRENT_LIST_DIR}/compiled_fmt.cpp)
target_link_libraries(musashim_fmt PRIVATE musashim_settings)
target_include_directories(musashim_fmt SYSTEM PUBLIC $<TARGET_PROPERTY:fmt::fmt,INTERFACE_INCLUDE_DIRECTORIES>)

# Headers of the language's library and {fmt}: one precompiled for all targets that have none of their own.
add_library(musashim_standard_headers OBJECT ${CMAKE_CURRENT_LIST_DIR}/standard_headers.cpp)
target_link_libraries(musashim_standard_headers PRIVATE musashim_settings musashim_fmt)
musashim_precompile(musashim_standard_headers <algorithm> <array> <atomic> <chrono> <condition_variable> <cstring> <filesystem>
  <fmt/format.h> <fstream> <functional> <map> <memory> <mutex> <optional> <set> <sstream> <string> <string_view> <thread>
  <unordered_map> <vector>)
function(musashim_precompile_standard)
  foreach(name ${ARGN})
    musashim_reuse_precompiled(${name} musashim_standard_headers)
  endforeach()
endfunction()

# pugixml, of which Debian has a static library with code for any place. Its names stay inside.
find_path(PUGIXML_INCLUDE pugixml.hpp REQUIRED)
find_library(PUGIXML_LIBRARY NAMES libpugixml.a pugixml REQUIRED)
add_library(musashim_pugixml INTERFACE)
target_include_directories(musashim_pugixml SYSTEM INTERFACE ${PUGIXML_INCLUDE})
target_link_libraries(musashim_pugixml INTERFACE ${PUGIXML_LIBRARY})
target_link_options(musashim_pugixml INTERFACE -Wl,--exclude-libs,libpugixml.a)

# libyaml, in the same way.
find_path(LIBYAML_INCLUDE yaml.h REQUIRED)
find_library(LIBYAML_LIBRARY NAMES libyaml.a yaml REQUIRED)
add_library(musashim_yaml INTERFACE)
target_include_directories(musashim_yaml SYSTEM INTERFACE ${LIBYAML_INCLUDE})
target_link_libraries(musashim_yaml INTERFACE ${LIBYAML_LIBRARY})
target_link_options(musashim_yaml INTERFACE -Wl,--exclude-libs,libyaml.a)

# What `cmake --install` installs, built without the tests and samples.
add_custom_target(sdk)

# What is installed without saying for which package belongs to the SDK's (Package.cmake).
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME sdk)

# musashim_install(<target> LIBRARY|RUNTIME DESTINATION <folder> [COMPONENT <package>]): the target is part of the SDK. Libraries
# that programs load are the runtime's, programs are tools, unless another package is named.
function(musashim_install name kind)
  cmake_parse_arguments(ARG "" "DESTINATION;COMPONENT" "" ${ARGN})
  set(links "")
  if(kind STREQUAL "RUNTIME")
    set(component tools)
  elseif(ARG_DESTINATION STREQUAL CMAKE_INSTALL_LIBDIR)
    set(component runtime)
    set(links NAMELINK_COMPONENT sdk)  # lib<name>.so is for linking
    set_property(GLOBAL APPEND PROPERTY MUSASHIM_LIBRARIES ${name})
  else()
    set(component sdk)
  endif()
  if(ARG_COMPONENT)
    set(component ${ARG_COMPONENT})
  endif()
  if(NOT kind STREQUAL "RUNTIME")
    set_property(GLOBAL APPEND PROPERTY MUSASHIM_LIBRARY_FOLDERS ${CMAKE_CURRENT_BINARY_DIR})
  endif()
  install(TARGETS ${name} ${kind} DESTINATION ${ARG_DESTINATION} COMPONENT ${component} ${links})
  add_dependencies(sdk ${name})
endfunction()

# musashim_install_link(<path> <target> COMPONENT <package>): a symbolic link of the SDK.
function(musashim_install_link path target)
  cmake_parse_arguments(ARG "" "COMPONENT" "" ${ARGN})
  cmake_path(GET path FILENAME name)
  cmake_path(GET path PARENT_PATH folder)
  install(CODE "
set(folder \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${folder}\")
file(MAKE_DIRECTORY \"\${folder}\")
file(CREATE_LINK ${target} \"\${folder}/${name}\" SYMBOLIC)" COMPONENT ${ARG_COMPONENT})
endfunction()

# musashim_cuda_names(<target>): its functions have CUDA's names as well, for programs that are linked with the
# CUDA face of the SDK (shim/cuda) or look them up there.
function(musashim_cuda_names name)
  set(names ${MUSASHIM_API_GENERATED}/src/${name}_cuda_names.rsp)
  target_link_options(${name} PRIVATE @${names})
  set_property(TARGET ${name} APPEND PROPERTY LINK_DEPENDS ${names})
endfunction()

# The tests' own precompiled header: one for all of them.
if(MUSASHIM_BUILD_TESTS)
  find_package(GTest REQUIRED)
  add_library(musashim_test_headers OBJECT ${CMAKE_CURRENT_LIST_DIR}/test_headers.cpp)
  target_link_libraries(musashim_test_headers PRIVATE musashim_settings GTest::gtest)
  # As the programs that use it.
  set_target_properties(musashim_test_headers PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(musashim_test_headers PRIVATE -fPIE)
  musashim_precompile(musashim_test_headers <gtest/gtest.h> <functional> <map> <random> <thread>)
endif()

# musashim_test(<name> SOURCES <files...> [LIBRARIES <targets...>] [LABELS <labels...>] [TIMEOUT <s>]
#               [FIXTURES <name...>] [OTHER_FLAGS] [ALONE])
# A GoogleTest program; each of its cases is a CTest test. OTHER_FLAGS: it is compiled for another processor or
# in another way than all tests, so it cannot share their precompiled header. ALONE: it looks at the whole machine, so
# nothing runs beside it.
function(musashim_test name)
  cmake_parse_arguments(ARG "OTHER_FLAGS;ALONE" "TIMEOUT" "SOURCES;LIBRARIES;LABELS;FIXTURES" ${ARGN})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE musashim_settings ${ARG_LIBRARIES} GTest::gtest_main)
  if(NOT ARG_OTHER_FLAGS)
    target_precompile_headers(${name} REUSE_FROM musashim_test_headers)
    target_compile_options(${name} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
    set(c_sources ${ARG_SOURCES})
    list(FILTER c_sources INCLUDE REGEX "\\.c$")
    set_source_files_properties(${c_sources} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  endif()
  include(GoogleTest)
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST
    # What a test allocates must not depend on the tests that run beside it.
    PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABELS}" ENVIRONMENT MUSASHIM_SESSION=none RUN_SERIAL ${ARG_ALONE}
               FIXTURES_REQUIRED "${ARG_FIXTURES}")
endfunction()
