# Files for pkg-config, which find the SDK from where they lie: lib/pkgconfig/<name>.pc.
#   musashim_pkg_config(<name> <description> [REQUIRES name...])      of what is built
function(musashim_pkg_config name description)
  cmake_parse_arguments(ARG "" "" "REQUIRES" ${ARGN})
  if(NOT TARGET ${name})
    return()
  endif()
  list(JOIN ARG_REQUIRES " " requires)
  set(file ${CMAKE_BINARY_DIR}/pkgconfig/${name}.pc)
  file(CONFIGURE OUTPUT ${file} @ONLY CONTENT [[
prefix=${pcfiledir}/../..
libdir=${prefix}/lib
includedir=${prefix}/include

Name: @name@
Description: @description@
Version: @MUSA_RELEASE@
Requires: @requires@
Libs: -L${libdir} -Wl,-rpath,${libdir} -l@name@
Cflags: -I${includedir}
]])
  install(FILES ${file} DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

musashim_pkg_config(musa "MUSA's driver API")
musashim_pkg_config(musart "MUSA's runtime API")
musashim_pkg_config(mccl "Collectives: NCCL's interface" REQUIRES musart)
musashim_pkg_config(mtshmem "One-sided communication: NVSHMEM's interface" REQUIRES musart)
musashim_pkg_config(mublas "Linear algebra: cuBLAS's interface" REQUIRES musart)
musashim_pkg_config(mublasLt "Matrix products by descriptors: cuBLASLt's interface" REQUIRES musart)
musashim_pkg_config(cufile "Files from and to devices' memory: cuFile's interface" REQUIRES musart)
musashim_pkg_config(mudnn "Neural networks: cuDNN's interface" REQUIRES musart)
musashim_pkg_config(mudnncxx "Neural networks: musa::dnn" REQUIRES musart)
musashim_pkg_config(mufft "Fourier transforms: cuFFT's interface" REQUIRES musart)
musashim_pkg_config(mufftw "Fourier transforms: FFTW's interface, as cuFFT has it" REQUIRES mufft)
musashim_pkg_config(murand "Random numbers: cuRAND's interface" REQUIRES musart)
musashim_pkg_config(musolver "Solvers: cuSOLVER's interface" REQUIRES musart)
musashim_pkg_config(musparse "Sparse matrices: cuSPARSE's interface" REQUIRES musart)
musashim_pkg_config(mtrtc "Compilation at run time: NVRTC's interface")
musashim_pkg_config(mtml "Devices from outside")
musashim_pkg_config(mupti "What a process does, for profilers: CUPTI's interface" REQUIRES musa)
musashim_pkg_config(mttx "Ranges of a program's own: NVTX's interface")
