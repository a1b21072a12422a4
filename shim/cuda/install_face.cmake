# Makes <prefix>/cuda look like a CUDA toolkit, of links into the SDK. Run at installation, when the rest is there.
cmake_policy(VERSION 3.25)
# MUSASHIM_LIBRARIES: "<name to link with>|<soname>|<file as it was built>" each; the runtime, which holds them, may be another package.
set(sdk "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}")
set(final "${CMAKE_INSTALL_PREFIX}")
if(DEFINED ENV{MUSASHIM_FINAL_PREFIX})
  set(final "$ENV{MUSASHIM_FINAL_PREFIX}")
endif()
set(face "${sdk}/cuda")

# link(<target as seen from the link's folder> <link>)
function(link target name)
  cmake_path(GET name PARENT_PATH folder)
  file(MAKE_DIRECTORY "${folder}")
  file(REMOVE "${name}")
  file(CREATE_LINK "${target}" "${name}" SYMBOLIC)
endfunction()

# Our headers, and CUDA's names for them, which win. Links of an earlier installation may lead nowhere now.
file(REMOVE_RECURSE "${face}/include" "${face}/lib64")
file(GLOB headers RELATIVE "${sdk}/include" "${sdk}/include/*")
list(REMOVE_ITEM headers cuda_alias cccl)
foreach(header IN LISTS headers)
  link("../../include/${header}" "${face}/include/${header}")
endforeach()
file(GLOB headers RELATIVE "${sdk}/include/cuda_alias" "${sdk}/include/cuda_alias/*")
foreach(header IN LISTS headers)
  link("../../include/cuda_alias/${header}" "${face}/include/${header}")
endforeach()

# The host's compiler looks there before it looks where another toolkit may lie: what each of those has and this SDK
# has not is refused there, rather than taken from the other.
foreach(row IN ITEMS "cublasLt.h|cuBLASLt" "cufftw.h|cuFFT's interface of FFTW" "cusparse.h|cuSPARSE"
        "cusparse_v2.h|cuSPARSE" "cusolverMg.h|cuSOLVER for several devices" "cusolverRf.h|cuSOLVER's refactorisation"
        "cusolverSp.h|cuSOLVER's sparse part" "cupti.h|CUPTI" "cufile.h|cuFile" "npp.h|NPP" "nppcore.h|NPP" "nppi.h|NPP" "npps.h|NPP"
        "nvblas.h|NVBLAS" "nvjpeg.h|nvJPEG" "nvJitLink.h|nvJitLink" "nvvm.h|libNVVM")
  string(REPLACE "|" ";" row "${row}")
  list(GET row 0 header)
  list(GET row 1 library)
  if(NOT EXISTS "${face}/include/${header}")
    file(WRITE "${face}/include/${header}"
         "#error \"${header}: this SDK has no ${library}; build without what needs it\"\n")
  endif()
endforeach()

link("../nv" "${face}/include/nv")
# Where CUDA 13 has them.
foreach(folder cuda nv)
  link("../${folder}" "${face}/include/cccl/${folder}")
endforeach()

# The libraries as they are, since they look for each other beside themselves.
set(libraries "")
foreach(row IN LISTS MUSASHIM_LIBRARIES)
  string(REPLACE "|" ";" row "${row}")
  list(GET row 0 library)
  list(GET row 1 soname)
  list(GET row 2 built)
  list(APPEND libraries ${library})
  set(soname_of_${library} ${soname})
  set(built_of_${library} ${built})
  cmake_path(GET built FILENAME file)
  foreach(name ${library} ${soname} ${file})
    link("../../lib/${name}" "${face}/lib64/${name}")
  endforeach()
endforeach()
# CUDA's name and the versions that programs load it by; ours.
set(names
  "libcudart.so|libmusart.so" "libcudart.so.12|libmusart.so" "libcudart.so.11.0|libmusart.so"
  "libcuda.so|libmusa.so" "libcuda.so.1|libmusa.so" "stubs/libcuda.so|../libmusa.so"
  "libnccl.so|libmccl.so" "libnccl.so.2|libmccl.so" "libnvshmem.so|libmtshmem.so" "libnvshmem_host.so|libmtshmem.so"
  "libnvshmem_host.so.3|libmtshmem.so" "libnvidia-ml.so|libmtml_nvml.so" "libnvidia-ml.so.1|libmtml_nvml.so"
  "stubs/libnvidia-ml.so|../libmtml_nvml.so"
  # What these two need: a linker that was told of stubs/ alone looks there.
  "stubs/libmusa.so.1|../libmusa.so.1" "stubs/libmusadevrt.so|../libmusadevrt.so"
  "libnvToolsExt.so|libmttx.so" "libnvToolsExt.so.1|libmttx.so"
  "libcupti.so|libmupti.so" "libcupti.so.12|libmupti.so")
# The libraries of shim/libs: CUDA's name, the versions of CUDA 11 and 12, ours.
foreach(row IN ITEMS "cublas|11|12|mublas" "cublasLt|11|12|mublasLt" "cufft|10|11|mufft" "curand|10|10|murand" "cusolver|10|11|musolver" "cusparse|11|12|musparse" "nvrtc|11.2|12|mtrtc")
  string(REPLACE "|" ";" row "${row}")
  list(GET row 0 theirs)
  list(GET row 3 ours)
  if(lib${ours}.so IN_LIST libraries)
    list(APPEND names "lib${theirs}.so|lib${ours}.so")
    foreach(place 1 2)
      list(GET row ${place} version)
      list(APPEND names "lib${theirs}.so.${version}|lib${ours}.so")
    endforeach()
  endif()
endforeach()
list(REMOVE_DUPLICATES names)
foreach(pair IN LISTS names)
  string(REPLACE "|" ";" pair "${pair}")
  list(GET pair 0 name)
  list(GET pair 1 target)
  link("${target}" "${face}/lib64/${name}")
endforeach()
# What NVIDIA's static libraries hold needs no library at run time. A linker looks into a file, not at its name, and
# takes what a shared library calls itself for where it is: so this one has the names of ours and says where that is.
function(stand_in library name)
  set(soname ${soname_of_${library}})
  execute_process(COMMAND "${MUSASHIM_NM}" -D --defined-only --format=posix "${built_of_${library}}"
                  OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[A-Za-z_][A-Za-z0-9_]* [TW] " symbols "${symbols}")
  set(source ".text\n")
  foreach(symbol IN LISTS symbols)
    string(REGEX REPLACE " .*" "" symbol "${symbol}")
    string(APPEND source ".globl ${symbol}\n.type ${symbol},@function\n${symbol}:\n")
  endforeach()
  file(WRITE "${face}/lib64/${name}.s" "${source}.section .note.GNU-stack\n")
  execute_process(COMMAND "${MUSASHIM_CC}" -shared -nostdlib "-Wl,-soname,${final}/lib/${soname}"
                          "${face}/lib64/${name}.s" -o "${face}/lib64/${name}" COMMAND_ERROR_IS_FATAL ANY)
  file(REMOVE "${face}/lib64/${name}.s")
endfunction()
stand_in(libmusart.so libcudart_static.a)
stand_in(libmccl.so libnccl_static.a)
stand_in(libmtshmem.so libnvshmem.a)
stand_in(libmtshmem.so libnvshmem_device.a)
foreach(row IN ITEMS "mublas|cublas" "mublasLt|cublasLt" "mufft|cufft" "murand|curand" "musolver|cusolver" "musparse|cusparse" "mtrtc|nvrtc")
  string(REPLACE "|" ";" row "${row}")
  list(GET row 0 ours)
  list(GET row 1 theirs)
  if(lib${ours}.so IN_LIST libraries)
    stand_in(lib${ours}.so lib${theirs}_static.a)
  endif()
endforeach()

execute_process(COMMAND "${MUSASHIM_AR}" rc "${face}/lib64/libcudadevrt.a" COMMAND_ERROR_IS_FATAL ANY)
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/NVSHMEMConfig.cmake" DESTINATION "${face}/lib64/cmake/nvshmem")
link(lib64 "${face}/lib")
link(../../bin/mcc "${face}/bin/nvcc")
link(../../bin/mtshmrun "${face}/bin/nvshmrun")
