/* The standard library as device code sees it.
 *
 * Headers that are included between force_cuda_host_device begin/end declare their
 * functions for both sides: sinf, std::min, memcpy and so on then work in kernels.
 * What has a meaning of its own on a device (printf, malloc, assert, operator new,
 * clock) is declared for the host first and gets device overloads in
 * device_runtime.h; std:: then sees both, because <cstdlib> and <cstdio> come after.
 */
#ifndef MUSASHIM_CRT_STANDARD_HEADERS_H
#define MUSASHIM_CRT_STANDARD_HEADERS_H

#include "host_defines.h"

#if defined(__MUSACC__)

/* The C library's own headers, not libstdc++'s wrappers around them. */
#pragma push_macro("_GLIBCXX_INCLUDE_NEXT_C_HEADERS")
#define _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#include <stdlib.h>
#pragma pop_macro("_GLIBCXX_INCLUDE_NEXT_C_HEADERS")
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include "device_runtime.h"

// clang-format off: the order matters
#include <cstddef>
#pragma clang force_cuda_host_device begin
#include <bits/std_abs.h>
#include <bits/move.h>
#pragma clang force_cuda_host_device end

/* For the host: <cmath> includes stl_algobase.h, which declares functions that
 * <deque> and <streambuf> define later. Its constexpr functions (std::min and
 * std::max) serve the device anyway. */
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <new>
#include <bits/functexcept.h>
#include <bits/range_access.h>
#include <bits/stl_algobase.h>
#include <limits>
#include <type_traits>
#include <utility>

#include "device_new.h"

#pragma clang force_cuda_host_device begin
#include "math_header.h"
#include <string.h>
#include <cmath>
#include <cstring>
#pragma clang force_cuda_host_device end
// clang-format on

#else

#include <stdint.h>
#include <string.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "math_header.h"

#endif
#endif
