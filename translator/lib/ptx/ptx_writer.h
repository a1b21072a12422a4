#pragma once

// Instructions of PTX => C++ with builtins, by the rules of mappings/ptx.yml.

#include <string>
#include <string_view>
#include <vector>

#include "translator/lib/ptx/ptx_match.h"

namespace musashim::translator {

struct PtxWriting {
  bool done = false;
  /// The C++, in pieces between which a line may be broken; one piece is an expression statement
  /// without its semicolon.
  std::vector<std::string> pieces;
  std::vector<std::string_view> notes;  // what is worth a look; of static storage
  bool shortShared = false;             // a shared address is kept in 32 bits
  bool outerCarry = false;              // the carry comes from another statement, or may go to one
  std::string instruction;              // not done: the one that has no counterpart
  std::string problem;                  // not done: why, if not for the instruction as such
};

PtxWriting writePtx(const PtxProgram& program, const std::vector<AsmOperand>& operands);

}  // namespace musashim::translator
