#pragma once

#include <string_view>

#include "translator/lib/lex/byte_masks.h"
#include "translator/lib/lex/token.h"
#include "translator/lib/lex/word_filter.h"

namespace musashim::translator {

/// Splits C++ source into tokens without changing or copying a byte. Any input is accepted: what is not
/// C++ (an unterminated literal, a stray byte) becomes a token that ends with its line or file.
/// `text` must be shorter than 2 GiB. `out` is cleared first. `stops`: see TokenStream.
void scan(std::string_view text, TokenStream& out, const WordFinder& stops = kNoWords,
          const MaskFunctions& masks = kMasks);
/// The same tokens, each looked at by itself and a stop: what scan() is checked against.
void scanOneByOne(std::string_view text, TokenStream& out);

}  // namespace musashim::translator
