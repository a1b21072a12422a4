#include "warp_uniformity.h"

#include <algorithm>

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IntrinsicInst.h"
#include "suspend_points.h"

namespace musashim::mcc {
namespace {

using llvm::CallInst;
using llvm::Instruction;
using llvm::Value;

constexpr unsigned kMostValues = 32;  // visited for one step of a butterfly

// A value and which of its low bits are left.
struct Bits {
  const Value* value;
  unsigned width;
};

// Looks through what leaves the low bits of a value as they are, and makes the others 0.
Bits sourceOf(const Value& value) {
  Bits bits{&value, value.getType()->getScalarSizeInBits()};
  while (llvm::isa<llvm::BitCastInst, llvm::ZExtInst, llvm::TruncInst>(bits.value)) {
    bits.value = llvm::cast<llvm::CastInst>(bits.value)->getOperand(0);
    bits.width = std::min(bits.width, bits.value->getType()->getScalarSizeInBits());
  }
  return bits;
}

const llvm::ConstantInt* constantArgument(const CallInst& call, unsigned index) {
  return llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(index));
}

}  // namespace

bool isOfAllLanes(const CallInst& call) {
  const llvm::ConstantInt* mask = constantArgument(call, 0);
  return mask != nullptr && mask->isMinusOne();
}

namespace {

// The operation, when the lanes of a whole warp exchange values as a constant says.
const CallInst* exchange(const Value& value, MusaUnitOp op, unsigned warpSize) {
  const auto* call = llvm::dyn_cast<CallInst>(&value);
  if (call == nullptr || calledOp(*call) != op || !isOfAllLanes(*call)) return nullptr;
  const llvm::ConstantInt* width = constantArgument(*call, 3);
  if (constantArgument(*call, 2) == nullptr || width == nullptr || width->getZExtValue() != warpSize)
    return nullptr;
  return call;
}

// One step of a butterfly: a lane's own value and that of the lane it is paired with.
class Step {
 public:
  explicit Step(const CallInst& given) : given_(given), own_(sourceOf(*given.getArgOperand(1))) {}

  const Value& own() const { return *own_.value; }

  // The same in both lanes of the pair, because the expression is symmetric in their values.
  bool isSymmetric(const Value& value) {
    if (llvm::isa<llvm::Constant>(value)) return true;
    const auto* instruction = llvm::dyn_cast<Instruction>(&value);
    if (instruction == nullptr || ++looked_ > kMostValues) return false;
    if (joinsPair(*instruction)) return true;
    if (!llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::SelectInst, llvm::CmpInst,
                   llvm::IntrinsicInst>(instruction) ||
        instruction->mayReadOrWriteMemory())
      return false;
    const auto* call = llvm::dyn_cast<CallInst>(instruction);
    return llvm::all_of(call != nullptr ? call->args() : instruction->operands(),
                        [this](const llvm::Use& operand) { return isSymmetric(*operand); });
  }

 private:
  bool joinsPair(const Instruction& instruction) const {
    const auto* compare = llvm::dyn_cast<llvm::CmpInst>(&instruction);
    const bool commutes = compare != nullptr ? compare->isCommutative() : instruction.isCommutative();
    if (!commutes || instruction.getNumOperands() < 2) return false;
    const Value &left = *instruction.getOperand(0), &right = *instruction.getOperand(1);
    return isPair(left, right) || isPair(right, left);
  }

  bool isPair(const Value& mine, const Value& theirs) const {
    const Bits own = sourceOf(mine), other = sourceOf(theirs);
    return other.value == &given_ && own.value == own_.value &&
           own.width == std::min(other.width, own_.width);
  }

  const CallInst& given_;
  const Bits own_;
  unsigned looked_ = 0;
};

// The exchange that the value comes from, with the fewest instructions between.
const CallInst* lastExchange(const Value& value, unsigned warpSize) {
  llvm::SmallSetVector<const Value*, kMostValues> found;
  found.insert(&value);
  for (size_t next = 0; next < found.size() && found.size() < kMostValues; ++next) {
    if (const CallInst* call = exchange(*found[next], MUSA_OP_SHFL_XOR, warpSize)) return call;
    const auto* instruction = llvm::dyn_cast<Instruction>(found[next]);
    if (instruction == nullptr || llvm::isa<llvm::PHINode>(instruction)) continue;
    for (const llvm::Use& operand : instruction->operands()) found.insert(operand.get());
  }
  return nullptr;
}

bool endsButterfly(const Value& value, unsigned warpSize) {
  uint64_t missing = warpSize - 1;
  const Value* at = &value;
  while (missing != 0) {
    const CallInst* given = lastExchange(*at, warpSize);
    if (given == nullptr || given == at) return false;
    const uint64_t bit = constantArgument(*given, 2)->getZExtValue();
    Step step(*given);
    if ((missing & bit) == 0 || !llvm::isPowerOf2_64(bit) || !step.isSymmetric(*at)) return false;
    missing &= ~bit;
    at = &step.own();
  }
  return true;
}

bool isVoteOfAll(const Value& value, unsigned warpSize) {
  if (warpSize != 32) return false;  // votes are among 32 lanes
  const auto* call = llvm::dyn_cast<CallInst>(&value);
  if (call == nullptr) return false;
  const auto op = calledOp(*call);
  return (op == MUSA_OP_BALLOT || op == MUSA_OP_ALL || op == MUSA_OP_ANY || op == MUSA_OP_MATCH_ALL) &&
         isOfAllLanes(*call);
}

}  // namespace

bool isWarpUniform(const Value& value, unsigned warpSize) {
  if (warpSize == 0) return false;
  return isVoteOfAll(value, warpSize) || exchange(value, MUSA_OP_SHFL_IDX, warpSize) != nullptr ||
         (llvm::isa<Instruction>(value) && endsButterfly(value, warpSize));
}

}  // namespace musashim::mcc
