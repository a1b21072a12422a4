#include "modulo_operations.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace musashim::mcc {
namespace {

using llvm::BasicBlock;
using llvm::BinaryOperator;
using llvm::Instruction;
using llvm::Loop;
using llvm::Value;

constexpr unsigned kLargestBody = 400;  // instructions
constexpr size_t kMostOperations = 24;  // more take more time where strips begin than they save
constexpr uint64_t kLargestStep = 64;
constexpr unsigned kDeepestExpression = 8;  // of an index

bool isOfKind(const Instruction& instruction) {
  switch (instruction.getOpcode()) {
    case Instruction::UDiv:
    case Instruction::SDiv:
    case Instruction::URem:
    case Instruction::SRem:
    case Instruction::And:
    case Instruction::Xor:
    case Instruction::LShr:
      return true;
    default:
      return false;
  }
}

class Finder {
 public:
  Finder(Loop& loop, llvm::ScalarEvolution& evolution) : loop_(loop), evolution_(evolution), found_{loop} {}

  std::optional<ModuloLoop> run() {
    if (!isCandidate()) return std::nullopt;
    findOperations();
    if (found_.operations.size() > kMostOperations || !isWorthIt()) return std::nullopt;
    return found_;
  }

 private:
  bool isCandidate() {
    if (!loop_.isAnnotatedParallel()) return false;
    if (loop_.getExitingBlock() != loop_.getLoopLatch() || loop_.getExitBlock() == nullptr) return false;
    const auto phis = loop_.getHeader()->phis();
    if (std::distance(phis.begin(), phis.end()) != 1) return false;
    found_.index = &*phis.begin();
    if (!found_.index->getType()->isIntegerTy() || stepOf(*found_.index) != 1) return false;
    found_.backedgeTakenCount = evolution_.getBackedgeTakenCount(&loop_);
    if (llvm::isa<llvm::SCEVCouldNotCompute>(found_.backedgeTakenCount)) return false;
    if (evolution_.getUnsignedRangeMax(found_.backedgeTakenCount).ult(kModuloStrip - 1)) return false;
    unsigned size = 0;
    for (BasicBlock* block : loop_.blocks()) {
      if (!llvm::isa<llvm::BranchInst>(block->getTerminator())) return false;
      for (const Instruction& instruction : *block) {
        if (++size > kLargestBody) return false;
        // The loop will not be vectorised.
        if (llvm::isa<llvm::CallBase>(instruction) && !llvm::isa<llvm::IntrinsicInst>(instruction))
          return false;
        if (instruction.isAtomic()) return false;
        if (!llvm::all_of(instruction.users(), [&](const llvm::User* user) {
              return loop_.contains(llvm::cast<Instruction>(user));
            }))
          return false;
      }
    }
    return true;
  }

  // There are rows, or divisions that vectors take long for.
  bool isWorthIt() const {
    return llvm::any_of(found_.operations, [&](const ModuloOperation& operation) {
      if (operation.isDivision() && !llvm::isa<llvm::Constant>(operation.other)) return true;
      return !operation.isSame && isInAddress(*operation.instruction, kDeepestExpression);
    });
  }

  void findOperations() {
    for (BasicBlock* block : loop_.blocks()) {
      for (Instruction& instruction : *block) {
        auto* operation = llvm::dyn_cast<BinaryOperator>(&instruction);
        if (operation == nullptr ||
            !(operation->getType()->isIntegerTy(32) || operation->getType()->isIntegerTy(64)))
          continue;
        Value *first = operation->getOperand(0), *second = operation->getOperand(1);
        if (operation->isCommutative() && loop_.isLoopInvariant(first)) std::swap(first, second);
        if (!isWanted(*operation) || !loop_.isLoopInvariant(second)) continue;
        const uint64_t step = stepOf(*first);
        if (step == 0) continue;
        if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(second)) {
          addByConstant(*operation, *first, constant->getValue(), step);
        } else if (step == 1) {
          const auto opcode = operation->getOpcode();
          const bool isSame =
              opcode == Instruction::UDiv || opcode == Instruction::SDiv || opcode == Instruction::LShr;
          found_.operations.push_back({operation, first, second, step, isSame});
        }
      }
    }
    for (const ModuloOperation& operation : found_.operations) findZeroMasks(operation);
    llvm::erase_if(found_.operations, [&](const ModuloOperation& operation) {
      return llvm::is_contained(found_.zeroMasks, operation.instruction);
    });
  }

  bool isWanted(const BinaryOperator& operation) const {
    return isOfKind(operation) && (operation.isIntDivRem() || isInAddress(operation, kDeepestExpression));
  }

  bool isInAddress(const Instruction& value, unsigned depth) const {
    return depth != 0 && llvm::any_of(value.users(), [&](const llvm::User* user) {
             if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(user))
               return load->getPointerOperand() == &value;
             if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user))
               return store->getPointerOperand() == &value;
             return llvm::isa<BinaryOperator, llvm::CastInst, llvm::GetElementPtrInst>(user) &&
                    isInAddress(*llvm::cast<Instruction>(user), depth - 1);
           });
  }

  // Not in loops over a warp: two strips are too few.
  void addByConstant(BinaryOperator& operation, Value& index, const llvm::APInt& other, uint64_t step) {
    if (evolution_.getUnsignedRangeMax(found_.backedgeTakenCount).ult(2 * kModuloStrip)) return;
    ModuloOperation found{
        &operation, &index,
        operation.getOperand(0) == &index ? operation.getOperand(1) : operation.getOperand(0), step, false};
    const llvm::APInt low = other & (found.stripLength() - 1);
    switch (operation.getOpcode()) {
      case Instruction::UDiv:
      case Instruction::SDiv:
        found.isSame = true;
        [[fallthrough]];
      case Instruction::URem:
      case Instruction::SRem:
        if (step != 1 || other.isNegative() || other.ult(kLeastModuloDivisor)) return;
        break;
      case Instruction::And:
        found.isSame = low.isZero();
        if (!low.isZero() && low != found.stripLength() - 1) return;
        break;
      case Instruction::Xor:
        if (!low.isZero()) return;
        break;
      default:
        found.isSame = true;
        if (other.uge(found.bits()) || (uint64_t{1} << other.getZExtValue()) < found.stripLength()) return;
    }
    found_.operations.push_back(found);
  }

  // How much more `value` is from thread to thread, if that is a power of two and all is known that makes it;
  // or 0.
  uint64_t stepOf(Value& value) {
    const auto* sum = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution_.getSCEV(&value));
    if (sum == nullptr || sum->getLoop() != &loop_ || !sum->isAffine()) return 0;
    const auto* step = llvm::dyn_cast<llvm::SCEVConstant>(sum->getStepRecurrence(evolution_));
    if (step == nullptr || !step->getAPInt().isPowerOf2() || step->getAPInt().ugt(kLargestStep)) return 0;
    return isComputable(value, kDeepestExpression) ? step->getAPInt().getZExtValue() : 0;
  }

  bool isComputable(const Value& value, unsigned depth) const {
    if (&value == found_.index || loop_.isLoopInvariant(&value)) return true;
    const auto& instruction = llvm::cast<Instruction>(value);
    if (depth == 0 || !llvm::isa<BinaryOperator, llvm::CastInst>(instruction) || instruction.isIntDivRem())
      return false;
    return llvm::all_of(instruction.operands(),
                        [&](const llvm::Use& operand) { return isComputable(*operand, depth - 1); });
  }

  // Of remainders that are those of GPUs for zero, too: (i % n) | (i & mask), whose mask is ones for n == 0.
  void findZeroMasks(const ModuloOperation& operation) {
    if (!operation.isDivision()) return;
    for (llvm::User* user : operation.instruction->users()) {
      auto* both = llvm::dyn_cast<BinaryOperator>(user);
      if (both == nullptr || both->getOpcode() != Instruction::Or) continue;
      for (Value* side : both->operands()) {
        auto* masked = llvm::dyn_cast<BinaryOperator>(side);
        if (masked == nullptr || masked->getOpcode() != Instruction::And || !loop_.contains(masked)) continue;
        if (llvm::is_contained(found_.zeroMasks, masked)) continue;
        if (found_.isSameForAll(*masked->getOperand(0)) || found_.isSameForAll(*masked->getOperand(1)))
          found_.zeroMasks.push_back(masked);
      }
    }
  }

  Loop& loop_;
  llvm::ScalarEvolution& evolution_;
  ModuloLoop found_;
};

}  // namespace

bool ModuloLoop::isSameForAll(const Value& value) const {
  return !llvm::isa<llvm::Constant>(value) && loop.isLoopInvariant(&value);
}

std::optional<ModuloLoop> findModuloOperations(Loop& loop, llvm::ScalarEvolution& evolution) {
  return Finder(loop, evolution).run();
}

}  // namespace musashim::mcc
