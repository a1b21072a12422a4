// Compiled with -mavx2 and the bit instructions of the same processors; called where the processor has it.

#include "translator/lib/lex/block_vectors_impl.h"

// On top of the above.
#include "translator/lib/lex/block_lex_impl.h"
#include "translator/lib/lex/block_search_impl.h"

namespace musashim::translator {

constinit const MaskFunctions kAvx2Masks = {lexPlain, nextPlaces, findBytes};

}  // namespace musashim::translator
