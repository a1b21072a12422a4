// One instruction whose result is an expression of its operands becomes that expression. Everything else
// becomes a block: operands are evaluated once, in order, into variables; registers are variables; results
// are written back at the end.
//
//   asm("mul.lo.u32 %0, %1, %2;" : "=r"(x) : "r"(f()), "r"(y))   x = (unsigned int)(f()) * (unsigned int)(y)
//   asm("{.reg .b32 t; ...}" ...)                                do { unsigned int ptx1 = ...; ... x = ptx0;
//   } while (0)

#include "translator/lib/ptx/ptx_writer.h"

#include <algorithm>

#include "translator/lib/ptx/ptx_expression.h"
#include "translator/lib/ptx/ptx_types.h"
#include "translator/lib/ptx/ptx_values.h"

namespace musashim::translator {
namespace {

using Kind = PtxOperand::Kind;

class Writer {
 public:
  Writer(const PtxProgram& program, const std::vector<AsmOperand>& operands)
      : program_(program),
        operands_(operands),
        matcher_(operands),
        block_(!isOneExpression(program, operands)),
        values_(program, operands, block_) {}

  PtxWriting run() {
    PtxWriting result;
    try {
      if (program_.instructions.empty()) throw PtxStop{"it holds no instruction"};
      for (const PtxInstruction& instruction : program_.instructions) {
        current_ = &instruction;
        if (instruction.opcode == ":") {
          body_.push_back(labelOf(instruction.operands[0].text) + ":;");
        } else if (instruction.opcode == "bra" || instruction.opcode == "bra.uni") {
          jump(instruction);
        } else {
          write(withoutHint(instruction));
        }
      }
      outerCarry_ = outerCarry_ || carryLeaves_;
      result.outerCarry = outerCarry_;
      result.pieces = block_ ? blockPieces() : body_;
      result.done = true;
      result.notes = notes_;
      result.shortShared = values_.shortShared();
    } catch (const PtxStop& stop) {
      result.problem = stop.problem;
      result.instruction = current_ ? current_->opcode : std::string();
    }
    return result;
  }

 private:
  void write(const PtxInstruction& instruction) {
    const std::optional<PtxRule> rule = matcher_.ruleFor(instruction);
    if (!rule) throw PtxStop{""};
    if (rule->carry && !carrySet_) outerCarry_ = true;
    if (!rule->note.empty() && std::find(notes_.begin(), notes_.end(), rule->note) == notes_.end())
      notes_.push_back(rule->note);
    const std::size_t before = body_.size();
    apply(*rule, instruction);
    const bool several = body_.size() > before + 1;
    if (!instruction.guarded && !(several && program_.jumps)) return;
    // In brackets, for no jump may go past a variable's beginning.
    std::string whole;
    for (std::size_t i = before; i < body_.size(); ++i) whole += (whole.empty() ? "" : " ") + body_[i];
    body_.resize(before);
    const std::string guard =
        instruction.guarded ? "if (" + values_.value(instruction.guard, "pred") + ") " : std::string();
    body_.push_back(guard + "{ " + whole + " }");
  }

  // Local to the block: what is inlined twice, or stands in a macro, has its labels twice.
  static std::string labelOf(const std::string& name) { return "ptxl" + variableOf(name).substr(3); }

  void jump(const PtxInstruction& instruction) {
    if (instruction.operands.size() != 1) throw PtxStop{"a jump has no label"};
    const std::string& name = instruction.operands[0].text;
    const bool known = std::any_of(
        program_.instructions.begin(), program_.instructions.end(),
        [&](const PtxInstruction& other) { return other.opcode == ":" && other.operands[0].text == name; });
    if (!known) throw PtxStop{"it jumps out of the statement"};
    const std::string text = "goto " + labelOf(name) + ";";
    body_.push_back(instruction.guarded ? "if (" + values_.value(instruction.guard, "pred") + ") " + text
                                        : text);
  }

  // A carry that is set last may be read by the next statement; one that is read first was set by the last.
  void noteCarry(const std::string& becomes) {
    if (becomes.find("$c") == std::string::npos) return;
    usesCarry_ = true;
    carryLeaves_ = becomes.find("$c =") != std::string::npos;
    carrySet_ = carrySet_ || carryLeaves_;
  }

  // Two destinations: the template is a statement that sets $d and $e.
  void applyPair(const PtxRule& rule, const PtxInstruction& instruction) {
    const auto [first, second] = targetsOf(rule);
    const std::string number = std::to_string(temporaries_++);
    body_.push_back(std::string(cppOf(first)) + " ptxt" + number + "; " + std::string(cppOf(second)) +
                    " ptxe" + number + ";");
    body_.push_back(fill(rule.becomes, rule, instruction, "ptxt" + number));
    assign(instruction.operands[0].parts[0], "ptxt" + number, first, true);
    assign(instruction.operands[0].parts[1], "ptxe" + number, second, true);
  }

  void apply(const PtxRule& rule, const PtxInstruction& instruction) {
    if (!targetsOf(rule).second.empty()) return applyPair(rule, instruction);
    const std::string becomes = matcher_.templateOf(rule, instruction);
    const bool statement = becomes.find(';') != std::string::npos;
    const bool hasTarget = !rule.to.empty();
    noteCarry(becomes);
    std::string temporary;
    if (hasTarget && (statement || rule.to.starts_with('v')) && becomes.find("$d.") == std::string::npos) {
      temporary = "ptxt" + std::to_string(temporaries_++);
      body_.push_back(std::string(cppOf(rule.to)) + " " + temporary +
                      (statement ? ";" : " = " + fill(becomes, rule, instruction, "") + ";"));
    }
    if (statement) body_.push_back(fill(becomes, rule, instruction, temporary));
    if (!hasTarget) {
      if (!statement) body_.push_back(fill(becomes, rule, instruction, "") + (block_ ? ";" : ""));
      return;
    }
    if (becomes.find("$d.") != std::string::npos) return;
    const PtxOperand& target = instruction.operands[0];
    if (rule.to.starts_with('v')) return assignVector(target, rule.to, temporary);
    if (!temporary.empty()) return assign(target, temporary, rule.to, true);
    assign(target, fill(becomes, rule, instruction, ""), rule.to, false);
  }

  void assignVector(const PtxOperand& target, std::string_view type, const std::string& from) {
    static constexpr const char* kNames[] = {".x", ".y", ".z", ".w"};
    if (target.kind != Kind::Vector) return assign(target, from, type.substr(3), true);
    const auto& parts = componentsOf(target, type);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::string name = parts.size() == 1   ? ""
                               : parts.size() == 8 ? ".v[" + std::to_string(i) + "]"
                                                   : kNames[i];
      assign(parts[i], from + name, type.substr(3), true);
    }
  }

  static bool isNarrow(std::string_view type) { return type.ends_with("16") || type.ends_with("8"); }

  /// target = value; `sure`: the value has the C++ type of `type` already.
  void assign(const PtxOperand& target, std::string value, std::string_view type, bool sure) {
    if (target.kind == Kind::Sink) return body_.push_back("(void)(" + value + ");");
    const bool isRegister = target.kind == Kind::Register;
    if (!isRegister && target.kind != Kind::Argument) throw PtxStop{"the destination is not a register"};
    const std::string_view own =
        isRegister ? values_.typeOf(target.text) : values_.typeOfArgument(target.number);
    if (own == "imm" || (own == "pred") != (type == "pred"))
      throw PtxStop{"the destination is not of the instruction's type"};
    const bool crosses = isFloating(own) != isFloating(type) && own != "pred";
    if (!sure && (crosses || isNarrow(type))) value = "(" + std::string(cppOf(type)) + ")(" + value + ")";
    if (crosses) {
      value = converted(value, type, own, true);
      if (value.empty()) throw PtxStop{"the destination is not of the instruction's type"};
    }
    if (isFloating(own) && own != type && !crosses)
      throw PtxStop{"the destination is not of the instruction's type"};
    if (isRegister) return body_.push_back(variableOf(target.text) + " = " + value + ";");
    if (!isOutput(target.number) && !isReadLater(target.number))
      throw PtxStop{"it writes to an input operand"};
    if (block_) return body_.push_back(values_.argumentVariable(target.number) + " = " + value + ";");
    const std::string& place = values_.argument(target.number).expression;
    // A 64-bit register may hold a pointer.
    if (own == "u64") value = "(__typeof__(" + place + "))(" + value + ")";
    body_.push_back(place + " = " + value);
  }

  static bool names(const PtxOperand& operand, std::size_t number) {
    if (operand.kind == Kind::Argument && operand.number == number) return true;
    return std::any_of(operand.parts.begin(), operand.parts.end(),
                       [&](const PtxOperand& part) { return names(part, number); });
  }

  /// An input that is written to, and read again, serves as a register of the statement's own.
  bool isReadLater(std::size_t number) const {
    const auto* const end = program_.instructions.data() + program_.instructions.size();
    return block_ && std::any_of(current_ + 1, end, [&](const PtxInstruction& instruction) {
             return std::any_of(instruction.operands.begin(), instruction.operands.end(),
                                [&](const PtxOperand& operand) { return names(operand, number); });
           });
  }

  bool isOutput(std::size_t number) const {
    const std::string& constraint = values_.argument(number).constraint;
    return constraint.starts_with('=') || constraint.starts_with('+');
  }

  std::string fill(std::string_view becomes, const PtxRule& rule, const PtxInstruction& instruction,
                   const std::string& target) {
    static constexpr std::string_view kComponents = "xyzw";
    const auto sources = sourcesOf(rule);
    const std::size_t first = rule.to.empty() ? 0 : 1;
    std::string result;
    for (std::size_t i = 0; i < becomes.size(); ++i) {
      if (becomes[i] != '$') {
        result += becomes[i];
        continue;
      }
      const char mark = becomes[++i];
      const bool part = i + 2 < becomes.size() && becomes[i + 1] == '.' &&
                        kComponents.find(becomes[i + 2]) != std::string_view::npos;
      const std::size_t component = part ? kComponents.find(becomes[i + 2]) : 0;
      if (mark == 'c') {
        result += block_ ? "ptxc" : "musaportCarry()";
      } else if (mark == 'e') {
        result += "ptxe" + target.substr(4);
      } else if (mark == 'd') {
        result += part && target.empty() ? place(instruction.operands[0], component) : target;
        if (part && target.empty()) i += 2;
      } else {
        const auto index = static_cast<std::size_t>(mark - '1');
        const PtxOperand& operand = instruction.operands[first + index];
        const bool element = part && operand.kind == Kind::Vector && component < operand.parts.size();
        result += element ? values_.value(operand.parts[component], sources[index].substr(3))
                          : values_.source(sources[index], operand);
        if (element) i += 2;
      }
    }
    return result;
  }

  /// The variable of an element of a destination vector.
  std::string place(const PtxOperand& vector, std::size_t component) {
    if (component >= vector.parts.size()) throw PtxStop{"a vector has the wrong number of elements"};
    const PtxOperand& part = vector.parts[component];
    if (part.kind == Kind::Register) return variableOf(part.text);
    if (part.kind != Kind::Argument || !isOutput(part.number)) {
      const std::string sink = "ptxt" + std::to_string(temporaries_++);
      if (part.kind != Kind::Sink) throw PtxStop{"the destination is not a register"};
      body_.push_back("unsigned int " + sink + ";");
      return sink;
    }
    (void)values_.typeOfArgument(part.number);
    return values_.argumentVariable(part.number);
  }

  std::vector<std::string> blockPieces() {
    std::vector<std::string> pieces = {"do {"};
    for (const PtxInstruction& instruction : program_.instructions) {
      if (instruction.opcode == ":")
        pieces.push_back("__label__ " + labelOf(instruction.operands[0].text) + ";");
    }
    for (std::size_t i = 0; i < operands_.size(); ++i) {
      const AsmOperand& operand = operands_[i];
      if (typeOfConstraint(operand.constraint) == "imm") continue;
      if (!values_.hasVariable(i)) {
        if (!isSimple(operand.expression) && !isOutput(i))
          pieces.push_back("(void)(" + operand.expression + ");");
        continue;
      }
      const std::string_view type = typeOfConstraint(operand.constraint);
      std::string piece = std::string(cppOf(type)) + " ptx" + std::to_string(i);
      if (!operand.constraint.starts_with('='))
        piece += " = (" + std::string(cppOf(type)) + ")(" + operand.expression + ")";
      pieces.push_back(piece + ";");
    }
    for (const PtxVariable& variable : program_.variables) {
      if (cppOf(variable.type).empty()) throw PtxStop{"a register's type is not known"};
      pieces.push_back(std::string(cppOf(variable.type)) + " " + variableOf(variable.name) + ";");
    }
    if (usesCarry_) pieces.emplace_back(outerCarry_ ? "bool& ptxc = musaportCarry();" : "bool ptxc = false;");
    pieces.insert(pieces.end(), body_.begin(), body_.end());
    for (std::size_t i = 0; i < operands_.size(); ++i) {
      if (!isOutput(i) || !values_.hasVariable(i)) continue;
      const std::string& place = operands_[i].expression;
      const bool wide = typeOfConstraint(operands_[i].constraint) == "u64";
      pieces.push_back(place + " = " + (wide ? "(__typeof__(" + place + "))" : "") + "ptx" +
                       std::to_string(i) + ";");
    }
    pieces.emplace_back("} while (0)");
    return pieces;
  }

  const PtxProgram& program_;
  const std::vector<AsmOperand>& operands_;
  const PtxMatcher matcher_;
  const bool block_;
  PtxValues values_;
  const PtxInstruction* current_ = nullptr;
  bool carrySet_ = false;
  bool usesCarry_ = false;
  bool carryLeaves_ = false;
  bool outerCarry_ = false;
  std::size_t temporaries_ = 0;
  std::vector<std::string> body_;
  std::vector<std::string_view> notes_;
};

}  // namespace

PtxWriting writePtx(const PtxProgram& program, const std::vector<AsmOperand>& operands) {
  return Writer(program, operands).run();
}

}  // namespace musashim::translator
