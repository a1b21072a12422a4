#include "translator/lib/byte_masks_impl.h"

namespace musashim::translator {

constinit const MaskFunctions kPortableMasks = {tokenMasks, nextPlaces};

#ifdef __x86_64__
const MaskFunctions kMasks = __builtin_cpu_supports("avx2") ? kAvx2Masks : kPortableMasks;
#else
constinit const MaskFunctions kMasks = {tokenMasks, nextPlaces};
#endif

}  // namespace musashim::translator
