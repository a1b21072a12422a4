#pragma once

// PTX as inline assembly holds it: text => declarations and instructions. Grammar: PTX ISA 8.x, "Syntax".

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace musashim::translator {

struct PtxOperand {
  enum class Kind : unsigned char {
    Argument,   // %3: operand `number` of the asm statement
    Register,   // declared in the text
    Special,    // %tid.x; `text` is "tid.x"
    Immediate,  // 42, 0x1F, 1.5, 0f3F800000
    Address,    // [base] or [base+offset]: `parts[0]` is the base, `text` the offset ("" or "+4", "-8")
    Vector,     // {a, b}: `parts`
    Pair,       // p|q: `parts`
    Sink,       // _
    Label,      // a word that is nothing else
  };
  Kind kind;
  std::string text;
  std::size_t number = 0;
  bool negated = false;  // !p
  std::vector<PtxOperand> parts;
};

struct PtxInstruction {
  std::string opcode;  // with its modifiers: "ld.global.nc.u32"; ":" for a label, its name is the operand
  std::vector<PtxOperand> operands;
  bool guarded = false;
  PtxOperand guard{};  // @p, @!p
};

struct PtxVariable {
  std::string name;  // with its %, if it has one
  std::string type;  // "b32", "pred"
};

struct PtxProgram {
  std::vector<PtxVariable> variables;
  std::vector<PtxInstruction> instructions;
  bool jumps = false;  // holds a label, or goes to one
};

/// Parses the text of an asm statement, escapes resolved; `extended`: it has operands, so that %% is a
/// percent sign. False, with `problem` in words, if this is no PTX that we understand. Any input is safe.
bool parsePtx(std::string_view code, bool extended, PtxProgram& program, std::string& problem);

/// The first instruction of PTX in `code`, such as "ld.global.u32"; empty if it is no PTX, but assembly of
/// another processor.
std::string ptxInstruction(std::string_view code);

}  // namespace musashim::translator
