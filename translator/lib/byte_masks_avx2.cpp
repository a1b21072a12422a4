// Compiled with -mavx2 and the bit instructions of the same processors; called where the processor has it.

#include "translator/lib/block_vectors_impl.h"
#include "translator/lib/block_walk_impl.h"

namespace musashim::translator {

constinit const MaskFunctions kAvx2Masks = {lexPlain, nextPlaces, findBytes};

}  // namespace musashim::translator
