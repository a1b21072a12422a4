#include "translator/lib/byte_masks_impl.h"

namespace musashim::translator {

constinit const MaskFunctions kPortableMasks = {tokenMasks, wordMasks};

#ifdef __x86_64__
const MaskFunctions kMasks = __builtin_cpu_supports("avx2") ? kAvx2Masks : kPortableMasks;
#else
constinit const MaskFunctions kMasks = {tokenMasks, wordMasks};
#endif

}  // namespace musashim::translator
