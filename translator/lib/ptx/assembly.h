#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "translator/lib/match/cursor.h"
#include "translator/lib/ptx/text_macros.h"

namespace musashim::translator {

enum class AssemblyOutcome { NotPtx, Ported, Unported };

struct AssemblyResult {
  AssemblyOutcome outcome;
  std::size_t last;  // index of the closing bracket's token
};

/// Macros of the source, and of the project if they are known, that stand for text.
class AssemblyMacros {
 public:
  std::optional<std::string> find(Cursor& cursor, std::string_view name);

 private:
  std::optional<TextMacros> own_;
};

/// Ports the asm statement whose keyword is token `index`, or reports its PTX. Assembly of the host
/// (x86, ARM) is none of ours: NotPtx.
AssemblyResult portAssembly(Cursor& cursor, std::size_t index, AssemblyMacros& macros);

}  // namespace musashim::translator
