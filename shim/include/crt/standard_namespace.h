/* musa::std: what libcu++ has in cuda::std, as the host's standard library has it. Device code can use what
 * is constexpr there, and the functions that standard_headers.h makes for both sides. */
#ifndef MUSASHIM_CRT_STANDARD_NAMESPACE_H
#define MUSASHIM_CRT_STANDARD_NAMESPACE_H

namespace std {}
namespace musa {
namespace std {
using namespace ::std;
}
}  // namespace musa

#endif
