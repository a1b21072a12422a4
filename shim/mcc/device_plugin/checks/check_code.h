// The code that checks are made of: calls of the device runtime and of musa_check_inline.h.
#pragma once

#include <cstddef>
#include <cstdint>

#include "abi/musa_check_abi.h"
#include "check_sites.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace musashim::mcc {

inline constexpr llvm::StringRef kInlinePrefix = "__musa_checked_";  // of musa_check_inline.h's functions
inline constexpr llvm::StringRef kSlowPrefix = "__musa_check_";      // of the device runtime's

// A builder before `at`, with its source location: calls without one cannot be inlined into functions with
// debug info.
class BuilderBefore : public llvm::IRBuilder<> {
 public:
  explicit BuilderBefore(llvm::Instruction& at);
};

class CheckCode {
 public:
  CheckCode(llvm::Module& module, uint8_t checks);

  bool wants(unsigned checks) const { return (checks_ & checks) != 0; }

  // A function of the device runtime.
  llvm::FunctionCallee runtime(llvm::StringRef name, llvm::Type* result, llvm::ArrayRef<llvm::Type*> types);
  // A function of musa_check_inline.h, without the prefix of its name.
  llvm::Function* inlined(llvm::StringRef name);
  // They are needed no more.
  void releaseInlined();

  llvm::Value* state(llvm::IRBuilder<>& builder);  // MusaCheckState of the block that runs
  // One of its fields that stay the same while a kernel runs.
  llvm::Value* field(llvm::IRBuilder<>& builder, size_t offset, llvm::Type* type);
  // The first operands of the checks of whole words of shared memory ("race1", "near1" and so on).
  llvm::SmallVector<llvm::Value*, 16> wordOperands(llvm::IRBuilder<>& builder);
  // How many words such a check is for; 0: none is for so many bytes.
  static uint64_t wordsOf(uint64_t bytes) { return bytes == 4 || bytes == 8 || bytes == 16 ? bytes / 4 : 0; }
  llvm::Value* thread(llvm::IRBuilder<>& builder);  // its linear index
  llvm::ConstantInt* number(uint64_t value);        // of 32 bits

  llvm::Module& module;
  llvm::LLVMContext& context;
  const llvm::DataLayout& layout;
  SiteTable sites;
  llvm::Type* const none;
  llvm::PointerType* const ptr;
  llvm::Type* const i32;
  llvm::Type* const i64;

 private:
  const uint8_t checks_;
};

}  // namespace musashim::mcc
