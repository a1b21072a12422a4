#include "carried_bits.h"

#include <bit>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"

namespace musashim::mcc {
namespace {

using llvm::Instruction;

constexpr uint64_t kAll = ~uint64_t{0};

// Up to the highest one: what sums, products and shifts to the left depend on.
uint64_t upTo(uint64_t bits) { return bits == 0 ? 0 : kAll >> std::countl_zero(bits); }

// The bits of the operation's operand that the `bits` of its result depend on.
uint64_t bitsOfOperand(const Instruction& operation, unsigned index, uint64_t bits) {
  const auto* constant = operation.getNumOperands() == 2
                             ? llvm::dyn_cast<llvm::ConstantInt>(operation.getOperand(1 - index))
                             : nullptr;
  const bool isNarrow = constant != nullptr && constant->getBitWidth() <= 64;
  const uint64_t other = isNarrow ? constant->getZExtValue() : 0;
  const unsigned width = operation.getOperand(index)->getType()->getScalarSizeInBits();
  const uint64_t sign = width >= 1 && width <= 64 ? uint64_t{1} << (width - 1) : 0;
  switch (operation.getOpcode()) {
    case Instruction::And:
      return isNarrow ? bits & other : bits;
    case Instruction::Or:
    case Instruction::Xor:
    case Instruction::Trunc:
    case Instruction::ZExt:
    case Instruction::Freeze:
    case Instruction::PHI:
      return bits;
    case Instruction::SExt:
      return bits | (upTo(bits) >= sign ? sign : 0);
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Mul:
      return upTo(bits);
    case Instruction::Shl:
      return index == 0 ? upTo(bits) : kAll;
    case Instruction::LShr:
      return index == 0 && isNarrow && other < 64 ? bits << other : kAll;
    case Instruction::URem:
      return index == 0 && isNarrow && std::has_single_bit(other) ? bits & (other - 1) : kAll;
    case Instruction::Select:
      return index == 0 ? kAll : bits;
    default:
      return kAll;
  }
}

}  // namespace

void addCarriedBits(const llvm::Value& value, CarriedBits& carried) {
  llvm::DenseMap<const llvm::Value*, uint64_t> seen;
  llvm::SmallVector<std::pair<const llvm::Value*, uint64_t>, 16> work{{&value, kAll}};
  while (!work.empty()) {
    const auto [part, bits] = work.pop_back_val();
    const auto* operation = llvm::dyn_cast<Instruction>(part);
    if (operation == nullptr || operation->mayReadFromMemory()) continue;
    uint64_t& known = seen[part];
    if (const bool isNew = (bits & ~known) != 0; !isNew) continue;
    known |= bits;
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(operation)) carried[phi] |= known;
    for (const llvm::Use& use : operation->operands())
      work.emplace_back(use.get(), bitsOfOperand(*operation, use.getOperandNo(), known));
  }
}

}  // namespace musashim::mcc
