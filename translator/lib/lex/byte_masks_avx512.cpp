// Compiled with -mavx512vbmi and -mavx512vbmi2; called where the processor has it.

#include "translator/lib/lex/block_avx512_impl.h"

// On top of the above.
#include "translator/lib/lex/block_lex_impl.h"
#include "translator/lib/lex/block_search_impl.h"

namespace musashim::translator {

constinit const MaskFunctions kAvx512Masks = {lexPlain, nextPlaces, findBytes};

}  // namespace musashim::translator
