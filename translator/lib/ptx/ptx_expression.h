#pragma once

// Asm statements that become one expression: each operand is evaluated as often as before.

#include <string_view>
#include <vector>

#include "translator/lib/ptx/ptx_match.h"

namespace musashim::translator {

/// A name or a number, which may be written any number of times.
bool isSimple(std::string_view expression);

/// Can the statement be one expression, rather than a block with a variable for each operand?
bool isOneExpression(const PtxProgram& program, const std::vector<AsmOperand>& operands);

}  // namespace musashim::translator
