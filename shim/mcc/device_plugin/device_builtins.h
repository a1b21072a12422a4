// The functions of the device ABI (abi/musa_device_abi.h and the crt headers) that
// the passes know by name.
#pragma once

#include <array>
#include <string_view>

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/IRBuilder.h"

namespace musashim::mcc {

// Getters: lowered by the passes, never called at run time.
enum class BlockValue {
  kThreadIdx,
  kBlockIdx,
  kBlockDim,
  kGridDim,
  kWarpSize,
  kSharedBase,
  kDynamicShared,
  kSharedBytes,
  kCooperative
};
inline constexpr size_t kBlockValues = static_cast<size_t>(BlockValue::kCooperative) + 1;

struct Builtin {
  llvm::StringRef name;
  BlockValue value;
  unsigned axis;  // 0 x, 1 y, 2 z
};

inline constexpr llvm::StringRef kSharedBaseName = "__musa_shared_base";
inline constexpr llvm::StringRef kDynamicSharedName = "__musa_dynamic_shared";
inline constexpr llvm::StringRef kWarpSizeName = "__musa_warp_size";
inline constexpr llvm::StringRef kWarpSizeVariable = "warpSize";
inline constexpr llvm::StringRef kExitThreadName = "__musa_exit_thread";
inline constexpr llvm::StringRef kGridSyncName = "__musa_grid_sync";
inline constexpr llvm::StringRef kStepName = "__musa_step";
inline constexpr llvm::StringRef kOpenBlockName = "__musa_open_block";
inline constexpr llvm::StringRef kClockName = "__musa_clock64";
inline constexpr llvm::StringRef kGlobalTimerName = "__musa_globaltimer";
inline constexpr llvm::StringRef kThreadStateName = "__musa_thread";

// The getter that `name` is, or null.
const Builtin* findBuiltin(llvm::StringRef name);

// The name of the function that `value` calls directly; empty when it is no such call.
llvm::StringRef calledName(const llvm::Value& value);
// `value` is the start of the block's shared memory: pointers into it are based on this.
bool isSharedBase(const llvm::Value& value);
// The thread index that `value` asks for, or null.
const Builtin* calledThreadIdx(const llvm::Value& value);

// IR types of MusaBlockContext and MusaThreadState, and the fields the passes use.
llvm::StructType* blockContextType(llvm::LLVMContext& context);
llvm::StructType* threadStateType(llvm::LLVMContext& context);
enum BlockContextField : unsigned {
  kGridDimField,
  kBlockDimField,
  kBlockIdxField,
  kWarpSizeField,
  kDynamicSharedOffsetField,
  kDynamicSharedBytesField,
  kCooperativeField,
  kParamsField,
  kSharedField,
};
enum ThreadStateField : unsigned { kThreadIdxField, kLinearIdxField, kBlockField };

// An invariant load: of what does not change while the block runs.
llvm::LoadInst* loadInvariant(llvm::IRBuilder<>& builder, llvm::Type* type, llvm::Value* pointer);
// Loads the 64-bit variable of the device runtime, which has its value before kernels run.
llvm::LoadInst* loadRuntimeVariable(llvm::IRBuilder<>& builder, llvm::StringRef name);

// Emits the value of a getter from a block context, which does not change while the block runs.
llvm::Value* emitBlockValue(llvm::IRBuilder<>& builder, const Builtin& builtin, llvm::Value* blockContext);

}  // namespace musashim::mcc
