/* Put before the sources of libmublas and libmublasLt: there a function of the headers is what the names that
 * programs call have in common. Those are generated (library_faces.cpp.j2): one tells the vendor's statuses,
 * one cuBLAS's. */
#ifndef MUSASHIM_LIBS_MUBLAS_API_INNER_NAMES_H
#define MUSASHIM_LIBS_MUBLAS_API_INNER_NAMES_H
#define MUSASHIM_CUDA_LIBRARIES
#define MUSASHIM_BLAS_NAME(name) __asm__("musashim_" #name)
#endif
