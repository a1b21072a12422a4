#include "check_calls.h"

#include "mcc/device_plugin/device_builtins.h"

namespace musashim::mcc {
namespace {

// Of the checks of words.
constexpr unsigned kWordsPointer = 6, kWordsSite = 7;
// Of those of warp operations.
constexpr unsigned kWarpSite = 0, kWarpMask = 1;
constexpr llvm::StringRef kRacePrefix = "__musa_checked_race", kNearPrefix = "__musa_checked_near";

bool isOne(const llvm::Value* value) {
  const auto* number = llvm::dyn_cast<llvm::ConstantInt>(value);
  return number != nullptr && number->isOne();
}

}  // namespace

bool isCheck(const llvm::Value& value) {
  const llvm::StringRef name = calledName(value);
  return name.starts_with(kInlinePrefix) || name.starts_with(kSlowPrefix);
}

bool isCheckBody(const llvm::Function& function) { return function.getName().starts_with(kInlinePrefix); }

bool remembersRaces(const llvm::CallInst& check) {
  const llvm::StringRef name = calledName(check);
  return name.starts_with(kRacePrefix) || name.starts_with(kNearPrefix);
}

bool remembers(const llvm::CallInst& check) {
  if (remembersRaces(check)) return true;
  if (calledName(check) != kAccessCheck || !isOne(check.getArgOperand(kCheckedInit))) return false;
  const auto* kind = llvm::dyn_cast<llvm::ConstantInt>(check.getArgOperand(kCheckedKind));
  return kind == nullptr || kind->getZExtValue() == MUSA_SITE_WRITE;
}

bool hasRow(const llvm::CallInst& check) {
  const llvm::StringRef name = calledName(check);
  return name == kAccessCheck || name == kBoundsCheck || name == kWarpCheck || remembersRaces(check);
}

llvm::Value* askedAbout(const llvm::CallInst& check) {
  if (calledName(check) == kWarpCheck) return check.getArgOperand(kWarpMask);
  return check.getArgOperand(remembersRaces(check) ? kWordsPointer : kCheckedPointer);
}

llvm::Value* placeIn(const llvm::CallInst& check) {
  return calledName(check) == kBoundsCheck ? check.getArgOperand(kCheckedOffset) : askedAbout(check);
}

llvm::Value* threadIn(const llvm::CallInst& check) { return check.getArgOperand(check.arg_size() - 1); }

llvm::Value* siteOf(const llvm::CallInst& check) {
  if (calledName(check) == kWarpCheck) return check.getArgOperand(kWarpSite);
  return check.getArgOperand(remembersRaces(check) ? kWordsSite : kCheckedSite);
}

}  // namespace musashim::mcc
