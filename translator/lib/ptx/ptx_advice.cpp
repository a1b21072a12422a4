#include "translator/lib/ptx/ptx_advice.h"

#include "translator/lib/names/table.h"
#include "translator/lib/ptx/ptx_parser.h"

namespace musashim::translator {

std::optional<PtxAdvice> advisePtx(std::string_view code, const std::vector<AsmOperand>& operands,
                                   bool extended, bool named) {
  PtxAdvice advice;
  advice.instruction = ptxInstruction(code);
  if (advice.instruction.empty()) return std::nullopt;
  PtxProgram program;
  std::string problem;
  PtxWriting writing;
  if (!named && parsePtx(code, extended, program, problem)) writing = writePtx(program, operands);
  if (!writing.done && !writing.instruction.empty()) advice.instruction = writing.instruction;
  const PtxMeaning* meaning = findPtxMeaning(advice.instruction);
  if (meaning) advice.meaning = meaning->is;
  if (!writing.problem.empty()) advice.meaning += (meaning ? "; " : "") + writing.problem;
  if (writing.done) {
    std::string text;
    for (const std::string& piece : writing.pieces) text += (text.empty() ? "" : " ") + piece;
    advice.remedy = "write '" + text + "'";
  } else {
    advice.remedy = meaning ? meaning->remedy : unportedAssembly().remedy;
  }
  return advice;
}

}  // namespace musashim::translator
