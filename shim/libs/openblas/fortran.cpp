// The one function of Fortran's run-time library that OpenBLAS's LAPACK needs: without it no program depends
// on that.
#include <algorithm>
#include <cstddef>

// target = first // second, cut or filled with blanks to the target's length.
extern "C" void _gfortran_concat_string(size_t targetLength, char* target, size_t firstLength,
                                        const char* first, size_t secondLength, const char* second) {
  char* const end = target + targetLength;
  target = std::copy_n(first, std::min(firstLength, targetLength), target);
  target = std::copy_n(second, std::min(secondLength, static_cast<size_t>(end - target)), target);
  std::fill(target, end, ' ');
}
