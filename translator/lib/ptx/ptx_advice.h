#pragma once

// What a compiler for MUSA says about inline PTX that it meets.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "translator/lib/ptx/ptx_writer.h"

namespace musashim::translator {

struct PtxAdvice {
  std::string instruction;  // "red.global.add.u64"
  std::string meaning;      // "changes a word in memory at once"; empty when it is not known
  std::string remedy;       // "write 'atomicAdd(...)'", or what to use instead
};

/// Advice on an asm statement with the text `code`, escapes resolved; none if it is no PTX. `extended`: it
/// has operands or clobbers, so that %% is a percent sign. `named`: an operand has a name. Any input is safe.
std::optional<PtxAdvice> advisePtx(std::string_view code, const std::vector<AsmOperand>& operands,
                                   bool extended, bool named);

}  // namespace musashim::translator
