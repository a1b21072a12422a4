# FindMUSAToolkit
# ---------------
# Finds the MUSA SDK that this file is part of, or the one at MUSA_PATH or MUSA_HOME.
#
#   list(APPEND CMAKE_MODULE_PATH ${MUSA_PATH}/cmake)
#   find_package(MUSAToolkit REQUIRED)
#   target_link_libraries(app PRIVATE MUSA::musart MUSA::mccl)
#
# Targets (the vendor's names): MUSA::toolkit, MUSA::musart, MUSA::musart_static, MUSA::musa_driver, MUSA::mccl, MUSA::mublas,
#   MUSA::mufft, MUSA::mufftw, MUSA::murand, MUSA::musolver, MUSA::musparse, MUSA::mublasLt, MUSA::mudnn, MUSA::mudnncxx, MUSA::mupti, MUSA::mtrtc, MUSA::mtml (and NVML's names for sources that kept them), MUSA::mtx3 (headers
#   for ranges), MUSA::mtToolsExt
# Variables: MUSAToolkit_FOUND, MUSAToolkit_VERSION, MUSAToolkit_ROOT,
#   MUSAToolkit_INCLUDE_DIRS, MUSAToolkit_LIBRARY_DIR, MUSAToolkit_MCC_EXECUTABLE

get_filename_component(_musa_own_root "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)
find_path(MUSAToolkit_INCLUDE_DIR musa_runtime.h
  HINTS ${MUSAToolkit_ROOT} $ENV{MUSA_HOME} $ENV{MUSA_PATH} ${_musa_own_root}
  PATHS /usr/local/musa
  PATH_SUFFIXES include)
get_filename_component(MUSAToolkit_ROOT "${MUSAToolkit_INCLUDE_DIR}/.." ABSOLUTE)
set(MUSAToolkit_LIBRARY_DIR "${MUSAToolkit_ROOT}/lib")
find_program(MUSAToolkit_MCC_EXECUTABLE mcc HINTS "${MUSAToolkit_ROOT}/bin")
foreach(_musa_library musart musa mccl mublas mublasLt mufft mufftw murand musolver musparse mtrtc mtml mtml_nvml mttx mupti mudnn mudnncxx)
  find_library(MUSAToolkit_${_musa_library}_LIBRARY ${_musa_library} HINTS "${MUSAToolkit_LIBRARY_DIR}" NO_DEFAULT_PATH)
  mark_as_advanced(MUSAToolkit_${_musa_library}_LIBRARY)
endforeach()

# MUSA_VERSION is major * 10000 + minor * 100 + patch.
if(EXISTS "${MUSAToolkit_INCLUDE_DIR}/musa.h")
  file(STRINGS "${MUSAToolkit_INCLUDE_DIR}/musa.h" _musa_line REGEX "^#define[ \t]+MUSA_VERSION[ \t]+[0-9]+")
  if(_musa_line MATCHES "MUSA_VERSION[ \t]+([0-9]+)")
    math(EXPR _musa_major "${CMAKE_MATCH_1} / 10000")
    math(EXPR _musa_minor "${CMAKE_MATCH_1} / 100 % 100")
    math(EXPR _musa_patch "${CMAKE_MATCH_1} % 100")
    set(MUSAToolkit_VERSION "${_musa_major}.${_musa_minor}.${_musa_patch}")
  endif()
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(MUSAToolkit
  REQUIRED_VARS MUSAToolkit_INCLUDE_DIR MUSAToolkit_musart_LIBRARY MUSAToolkit_MCC_EXECUTABLE
  VERSION_VAR MUSAToolkit_VERSION)

if(MUSAToolkit_FOUND)
  set(MUSAToolkit_INCLUDE_DIRS "${MUSAToolkit_INCLUDE_DIR}")
  set(MUSAToolkit_BIN_DIR "${MUSAToolkit_ROOT}/bin")
  set(MUSAToolkit_TARGET_DIR "${MUSAToolkit_ROOT}")
  set(MUSAToolkit_LIBRARY_ROOT "${MUSAToolkit_ROOT}")
  string(REGEX MATCH "^([0-9]+)\\.([0-9]+)\\.([0-9]+)" _musa_parts "${MUSAToolkit_VERSION}")
  set(MUSAToolkit_VERSION_MAJOR "${CMAKE_MATCH_1}")
  set(MUSAToolkit_VERSION_MINOR "${CMAKE_MATCH_2}")
  set(MUSAToolkit_VERSION_PATCH "${CMAKE_MATCH_3}")
  function(_musa_imported_library target library)
    if(TARGET MUSA::${target} OR NOT MUSAToolkit_${library}_LIBRARY)
      return()
    endif()
    add_library(MUSA::${target} SHARED IMPORTED)
    set_target_properties(MUSA::${target} PROPERTIES
      IMPORTED_LOCATION "${MUSAToolkit_${library}_LIBRARY}"
      INTERFACE_INCLUDE_DIRECTORIES "${MUSAToolkit_INCLUDE_DIR}")
  endfunction()
  _musa_imported_library(musart musart)
  # There is one form of each library: programs that ask for the static one get it.
  _musa_imported_library(musart_static musart)
  if(NOT TARGET MUSA::toolkit)
    add_library(MUSA::toolkit INTERFACE IMPORTED)
    set_target_properties(MUSA::toolkit PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${MUSAToolkit_INCLUDE_DIR}")
  endif()
  _musa_imported_library(musa_driver musa)
  foreach(_musa_library mccl mublas mublasLt mufft mufftw murand musolver musparse mtrtc mupti mudnn mudnncxx)
    _musa_imported_library(${_musa_library} ${_musa_library})
    _musa_imported_library(${_musa_library}_static ${_musa_library})
  endforeach()
  # Programs of the solvers make matrices by musparse's functions and list the solvers alone.
  foreach(_musa_form "" _static)
    foreach(_musa_library mublas musparse)
      if(TARGET MUSA::musolver${_musa_form} AND TARGET MUSA::${_musa_library}${_musa_form})
        set_property(TARGET MUSA::musolver${_musa_form} APPEND PROPERTY
                     INTERFACE_LINK_LIBRARIES MUSA::${_musa_library}${_musa_form})
      endif()
    endforeach()
  endforeach()
  _musa_imported_library(mtml mtml)
  if(TARGET MUSA::mtml AND MUSAToolkit_mtml_nvml_LIBRARY)
    set_property(TARGET MUSA::mtml PROPERTY INTERFACE_LINK_LIBRARIES "${MUSAToolkit_mtml_nvml_LIBRARY}")
  endif()
  _musa_imported_library(mtToolsExt mttx)
  if(NOT TARGET MUSA::mtx3)
    add_library(MUSA::mtx3 INTERFACE IMPORTED)
    set_target_properties(MUSA::mtx3 PROPERTIES
      INTERFACE_INCLUDE_DIRECTORIES "${MUSAToolkit_INCLUDE_DIR}"
      INTERFACE_LINK_LIBRARIES "${CMAKE_DL_LIBS}")
  endif()
endif()
mark_as_advanced(MUSAToolkit_INCLUDE_DIR MUSAToolkit_MCC_EXECUTABLE)
