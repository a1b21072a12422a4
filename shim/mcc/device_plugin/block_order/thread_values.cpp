#include "thread_values.h"

#include <algorithm>

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "mcc/device_plugin/device_builtins.h"

namespace musashim::mcc {
namespace {

using llvm::Instruction;
using llvm::Value;

constexpr unsigned kDepth = 24;

unsigned bitsOf(const Value& value) {
  return value.getType()->isIntegerTy() && value.getType()->getIntegerBitWidth() <= 64
             ? value.getType()->getIntegerBitWidth()
             : 0;
}

uint64_t unsignedOf(int64_t value, unsigned bits) {
  return bits == 64 ? static_cast<uint64_t>(value)
                    : static_cast<uint64_t>(value) & ((uint64_t{1} << bits) - 1);
}

int64_t signedOf(uint64_t value, unsigned bits) {
  return static_cast<int64_t>(value << (64 - bits)) >> (64 - bits);
}

bool compare(llvm::CmpInst::Predicate predicate, int64_t left, int64_t right, unsigned bits) {
  const llvm::APInt a(bits, static_cast<uint64_t>(left), /*isSigned=*/true);
  const llvm::APInt b(bits, static_cast<uint64_t>(right), /*isSigned=*/true);
  return llvm::ICmpInst::compare(a, b, predicate);
}

// False: division by zero, or shifts too far.
bool binary(unsigned opcode, int64_t left, int64_t right, unsigned bits, int64_t& result) {
  const uint64_t a = unsignedOf(left, bits), b = unsignedOf(right, bits);
  const auto done = [&](uint64_t value) {
    result = signedOf(value, bits);
    return true;
  };
  switch (opcode) {
    case Instruction::Add:
      return done(a + b);
    case Instruction::Sub:
      return done(a - b);
    case Instruction::Mul:
      return done(a * b);
    case Instruction::And:
      return done(a & b);
    case Instruction::Or:
      return done(a | b);
    case Instruction::Xor:
      return done(a ^ b);
    case Instruction::UDiv:
      return b != 0 && done(a / b);
    case Instruction::URem:
      return b != 0 && done(a % b);
    case Instruction::SDiv:
      return right != 0 && right != -1 && done(static_cast<uint64_t>(left / right));
    case Instruction::SRem:
      return right != 0 && right != -1 && done(static_cast<uint64_t>(left % right));
    case Instruction::Shl:
      return b < bits && done(a << b);
    case Instruction::LShr:
      return b < bits && done(a >> b);
    case Instruction::AShr:
      return b < bits && done(static_cast<uint64_t>(left >> b));
    default:
      return false;
  }
}

std::optional<unsigned> extremeOf(llvm::Intrinsic::ID intrinsic) {
  switch (intrinsic) {
    case llvm::Intrinsic::umin:
      return llvm::CmpInst::ICMP_ULT;
    case llvm::Intrinsic::umax:
      return llvm::CmpInst::ICMP_UGT;
    case llvm::Intrinsic::smin:
      return llvm::CmpInst::ICMP_SLT;
    case llvm::Intrinsic::smax:
      return llvm::CmpInst::ICMP_SGT;
    default:
      return std::nullopt;
  }
}

}  // namespace

const ThreadValues::Column* ThreadValues::columnOf(const Value& value, unsigned depth) {
  const auto known = known_.find(&value);
  if (known != known_.end()) return known->second.empty() ? nullptr : &known->second;
  if (depth > kDepth) return nullptr;
  Column column = compute(value, depth);
  const Column& kept = known_[&value] = std::move(column);
  return kept.empty() ? nullptr : &kept;
}

ThreadValues::Column ThreadValues::compute(const Value& value, unsigned depth) {
  if (bitsOf(value) == 0) return {};
  if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(&value)) return constant(number->getSExtValue());
  if (const auto counter = counters_.find(&value); counter != counters_.end())
    return constant(counter->second);
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&value)) return ofCall(*call, depth);
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&value)) return ofPhi(*phi, depth);
  if (const auto* operation = llvm::dyn_cast<Instruction>(&value)) return ofOperation(*operation, depth);
  return {};
}

ThreadValues::Column ThreadValues::ofThreadIdx(unsigned axis) const {
  Column column(shape_.threads());
  for (unsigned thread = 0; thread < column.size(); ++thread) {
    const unsigned indices[] = {thread % shape_.size[0], thread / shape_.size[0] % shape_.size[1],
                                thread / shape_.size[0] / shape_.size[1]};
    column[thread] = indices[axis];
  }
  return column;
}

ThreadValues::Column ThreadValues::ofCall(const llvm::CallBase& call, unsigned depth) {
  if (const Builtin* builtin = findBuiltin(calledName(call))) {
    if (builtin->value == BlockValue::kThreadIdx) return ofThreadIdx(builtin->axis);
    if (builtin->value == BlockValue::kBlockDim) return constant(shape_.size[builtin->axis]);
    if (builtin->value == BlockValue::kWarpSize) return constant(shape_.warpSize);
    return {};
  }
  const auto extreme = extremeOf(call.getIntrinsicID());
  const bool isDifference = call.getIntrinsicID() == llvm::Intrinsic::usub_sat;
  if (!extreme && !isDifference) return {};
  const Column *left = columnOf(*call.getArgOperand(0), depth + 1),
               *right = columnOf(*call.getArgOperand(1), depth + 1);
  if (left == nullptr || right == nullptr) return {};
  Column column(*left);
  for (size_t i = 0; i < column.size(); ++i) {
    if (isDifference) {
      const uint64_t a = unsignedOf((*left)[i], bitsOf(call)), b = unsignedOf((*right)[i], bitsOf(call));
      column[i] = signedOf(a < b ? 0 : a - b, bitsOf(call));
    } else if (!compare(static_cast<llvm::CmpInst::Predicate>(*extreme), (*left)[i], (*right)[i],
                        bitsOf(call)))
      column[i] = (*right)[i];
  }
  return column;
}

// The same on all ways: LLVM computes a value anew on the ways that had not come by it.
ThreadValues::Column ThreadValues::ofPhi(const llvm::PHINode& phi, unsigned depth) {
  known_[&phi] = {};  // not known where it is made of itself
  Column column;
  for (const llvm::Use& use : phi.incoming_values()) {
    const Column* one = columnOf(*use.get(), depth + 1);
    if (one == nullptr || (!column.empty() && column != *one)) return {};
    column = *one;
  }
  return column;
}

ThreadValues::Column ThreadValues::ofOperation(const Instruction& operation, unsigned depth) {
  const unsigned bits = bitsOf(operation);
  if (const auto* select = llvm::dyn_cast<llvm::SelectInst>(&operation)) {
    const Column* condition = columnOf(*select->getCondition(), depth + 1);
    const Column *yes = columnOf(*select->getTrueValue(), depth + 1),
                 *no = columnOf(*select->getFalseValue(), depth + 1);
    if (condition == nullptr || (yes == nullptr && no == nullptr)) return {};
    Column column(condition->size());
    for (size_t i = 0; i < column.size(); ++i) {
      const Column* chosen = (*condition)[i] != 0 ? yes : no;
      if (chosen == nullptr) return {};
      column[i] = (*chosen)[i];
    }
    return column;
  }
  const bool isCast = llvm::isa<llvm::ZExtInst, llvm::SExtInst, llvm::TruncInst, llvm::FreezeInst>(operation);
  const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&operation);
  if (!isCast && comparison == nullptr && !operation.isBinaryOp()) return {};
  const unsigned from = bitsOf(*operation.getOperand(0));
  const Column* first = from != 0 ? columnOf(*operation.getOperand(0), depth + 1) : nullptr;
  if (first == nullptr) return {};
  Column column(*first);
  if (isCast) {
    for (int64_t& value : column) {
      if (llvm::isa<llvm::ZExtInst>(operation)) value = static_cast<int64_t>(unsignedOf(value, from));
      value = signedOf(unsignedOf(value, bits), bits);
    }
    return column;
  }
  const Column* second = columnOf(*operation.getOperand(1), depth + 1);
  if (second == nullptr) return {};
  for (size_t i = 0; i < column.size(); ++i) {
    if (comparison != nullptr) {
      column[i] = compare(comparison->getPredicate(), (*first)[i], (*second)[i], from) ? -1 : 0;
    } else if (!binary(operation.getOpcode(), (*first)[i], (*second)[i], bits, column[i])) {
      return {};
    }
  }
  return column;
}

std::optional<Counter> counterOf(const Value& value) {
  const auto* phi = llvm::dyn_cast<llvm::PHINode>(&value);
  if (phi == nullptr || phi->getNumIncomingValues() != 2 || bitsOf(value) == 0) return std::nullopt;
  Counter counter;
  bool starts = false, counts = false;
  for (const llvm::Use& use : phi->incoming_values()) {
    if (const auto* start = llvm::dyn_cast<llvm::ConstantInt>(use.get())) {
      counter.start = start->getSExtValue();
      starts = true;
    } else if (const auto* next = llvm::dyn_cast<llvm::BinaryOperator>(use.get());
               next != nullptr && next->getOpcode() == Instruction::Add && next->getOperand(0) == phi) {
      const auto* step = llvm::dyn_cast<llvm::ConstantInt>(next->getOperand(1));
      if (step == nullptr) return std::nullopt;
      counter.step = step->getSExtValue();
      counts = true;
    }
  }
  return starts && counts ? std::optional(counter) : std::nullopt;
}

bool collectCounters(const Value& value, llvm::SmallPtrSetImpl<const llvm::PHINode*>& counters,
                     unsigned most) {
  llvm::SmallPtrSet<const Value*, 16> seen;
  llvm::SmallVector<const Value*, 16> work{&value};
  while (!work.empty()) {
    const auto* instruction = llvm::dyn_cast<Instruction>(work.pop_back_val());
    if (instruction == nullptr || !seen.insert(instruction).second) continue;
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction)) {
      if (counterOf(*phi)) counters.insert(phi);
      if (counters.size() > most) return false;
    } else if (!instruction->mayReadFromMemory()) {
      work.append(instruction->operand_values().begin(), instruction->operand_values().end());
    }
  }
  return true;
}

}  // namespace musashim::mcc
