// Any bytes as the text of an asm statement: parsing ends, writing ends, and what is written has no operand
// mark left, balanced brackets, and the same number of lines when it goes into a source.

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "translator/lib/port.h"
#include "translator/lib/ptx/ptx_parser.h"
#include "translator/lib/ptx/ptx_writer.h"

using namespace musashim::translator;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void checkWriting(const PtxProgram& program) {
  static const std::vector<AsmOperand> kOperands = {{"=r", "x"},  {"=l", "y[i]"}, {"+f", "f"},
                                                    {"=h", "s"},  {"r", "a + b"}, {"l", "p"},
                                                    {"f", "g()"}, {"d", "d"},     {"n", "16"}};
  const PtxWriting writing = writePtx(program, kOperands);
  if (!writing.done) return;
  long depth = 0;
  for (const std::string& piece : writing.pieces) {
    require(piece.find('$') == std::string::npos);
    for (const char c : piece) depth += c == '(' || c == '{' ? 1 : c == ')' || c == '}' ? -1 : 0;
  }
  require(depth == 0 && !writing.pieces.empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  for (const bool extended : {true, false}) {
    PtxProgram program;
    std::string problem;
    if (parsePtx(text, extended, program, problem)) {
      checkWriting(program);
    } else {
      require(!problem.empty());
    }
  }
  (void)ptxInstruction(text);
  // As a statement of a source: lines stay lines, and a second port changes nothing.
  if (text.find_first_of(std::string_view("\\\"\n\r\0", 5)) != std::string::npos) return 0;
  const std::string source =
      "void f() {\n  asm volatile(\"" + text + "\"\n : \"=r\"(x), \"=l\"(y)\n : \"r\"(a), \"l\"(p));\n}\n";
  const PortedSource once = portSource(source, {}, noProject());
  require(std::count(once.text.begin(), once.text.end(), '\n') ==
          std::count(source.begin(), source.end(), '\n'));
  require(portSource(once.text, {}, noProject()).text == once.text);
  return 0;
}
