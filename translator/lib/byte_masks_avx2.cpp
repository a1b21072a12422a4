// Compiled with -mavx2; called where the processor has it.

#include "translator/lib/byte_masks_impl.h"

namespace musashim::translator {

constinit const MaskFunctions kAvx2Masks = {tokenMasks, nextPlaces};

}  // namespace musashim::translator
