# CMake's check_language(), which asks a project of its own that knows no CMAKE_MODULE_PATH, and so would not find MUSA.
set(_musa_check_folder "${CMAKE_CURRENT_LIST_DIR}")
include("${CMAKE_ROOT}/Modules/CheckLanguage.cmake")

# check_language(<lang>): sets CMAKE_<lang>_COMPILER to the compiler, or to NOTFOUND.
macro(check_language lang)
  if("${lang}" STREQUAL "MUSA")
    if(NOT DEFINED CMAKE_MUSA_COMPILER)
      find_program(CMAKE_MUSA_COMPILER mcc
        HINTS "${_musa_check_folder}/../bin" "$ENV{MUSA_HOME}/bin" "$ENV{MUSA_PATH}/bin" /usr/local/musa/bin
        DOC "The compiler of MUSA sources")
      message(STATUS "Looking for a MUSA compiler - ${CMAKE_MUSA_COMPILER}")
    endif()
  else()
    _check_language(${lang})
  endif()
endmacro()
