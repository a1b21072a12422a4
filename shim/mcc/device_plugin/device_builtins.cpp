#include "device_builtins.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"

namespace musashim::mcc {
namespace {

constexpr uint64_t kMostThreads = 1024;  // of a block

constexpr Builtin kBuiltins[] = {
    {"__musa_thread_idx_x", BlockValue::kThreadIdx, 0},
    {"__musa_thread_idx_y", BlockValue::kThreadIdx, 1},
    {"__musa_thread_idx_z", BlockValue::kThreadIdx, 2},
    {"__musa_block_idx_x", BlockValue::kBlockIdx, 0},
    {"__musa_block_idx_y", BlockValue::kBlockIdx, 1},
    {"__musa_block_idx_z", BlockValue::kBlockIdx, 2},
    {"__musa_block_dim_x", BlockValue::kBlockDim, 0},
    {"__musa_block_dim_y", BlockValue::kBlockDim, 1},
    {"__musa_block_dim_z", BlockValue::kBlockDim, 2},
    {"__musa_grid_dim_x", BlockValue::kGridDim, 0},
    {"__musa_grid_dim_y", BlockValue::kGridDim, 1},
    {"__musa_grid_dim_z", BlockValue::kGridDim, 2},
    {kWarpSizeName, BlockValue::kWarpSize, 0},
    {kSharedBaseName, BlockValue::kSharedBase, 0},
    {kDynamicSharedName, BlockValue::kDynamicShared, 0},
    {"__musa_shared_bytes", BlockValue::kSharedBytes, 0},
    {"__musa_is_cooperative", BlockValue::kCooperative, 0},
};

unsigned fieldOf(BlockValue value) {
  switch (value) {
    case BlockValue::kBlockIdx:
      return kBlockIdxField;
    case BlockValue::kBlockDim:
      return kBlockDimField;
    case BlockValue::kGridDim:
      return kGridDimField;
    case BlockValue::kWarpSize:
      return kWarpSizeField;
    default:
      return kSharedField;
  }
}

}  // namespace

llvm::LoadInst* loadInvariant(llvm::IRBuilder<>& builder, llvm::Type* type, llvm::Value* pointer) {
  llvm::LoadInst* load = builder.CreateLoad(type, pointer);
  load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(builder.getContext(), {}));
  return load;
}

llvm::LoadInst* loadRuntimeVariable(llvm::IRBuilder<>& builder, llvm::StringRef name) {
  llvm::Module& module = *builder.GetInsertBlock()->getModule();
  llvm::Type* type = builder.getInt64Ty();
  return loadInvariant(builder, type, module.getOrInsertGlobal(name, type));
}

const Builtin* findBuiltin(llvm::StringRef name) {
  const auto* found =
      llvm::find_if(kBuiltins, [name](const Builtin& builtin) { return builtin.name == name; });
  return found == std::end(kBuiltins) ? nullptr : found;
}

llvm::StringRef calledName(const llvm::Value& value) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&value);
  if (call == nullptr || call->getCalledFunction() == nullptr) return {};
  return call->getCalledFunction()->getName();
}

bool isSharedBase(const llvm::Value& value) {
  const llvm::StringRef name = calledName(value);
  return name == kSharedBaseName || name == kDynamicSharedName;
}

const Builtin* calledThreadIdx(const llvm::Value& value) {
  const Builtin* builtin = findBuiltin(calledName(value));
  return builtin != nullptr && builtin->value == BlockValue::kThreadIdx ? builtin : nullptr;
}

llvm::StructType* blockContextType(llvm::LLVMContext& context) {
  llvm::Type* i32 = llvm::Type::getInt32Ty(context);
  llvm::Type* ptr = llvm::PointerType::getUnqual(context);
  llvm::Type* dim3 = llvm::ArrayType::get(i32, 3);
  return llvm::StructType::get(context, {dim3, dim3, dim3, i32, i32, i32, i32, ptr, ptr, ptr, ptr});
}

llvm::StructType* threadStateType(llvm::LLVMContext& context) {
  llvm::Type* i32 = llvm::Type::getInt32Ty(context);
  llvm::Type* ptr = llvm::PointerType::getUnqual(context);
  return llvm::StructType::get(context, {llvm::ArrayType::get(i32, 3), i32, ptr, ptr});
}

llvm::Value* emitBlockValue(llvm::IRBuilder<>& builder, const Builtin& builtin, llvm::Value* blockContext) {
  llvm::LLVMContext& context = builder.getContext();
  llvm::StructType* type = blockContextType(context);
  llvm::Type* i32 = builder.getInt32Ty();
  const auto field = [&](unsigned index) { return builder.CreateStructGEP(type, blockContext, index); };
  switch (builtin.value) {
    case BlockValue::kWarpSize:
      return loadInvariant(builder, i32, field(kWarpSizeField));
    case BlockValue::kCooperative:
      return loadInvariant(builder, i32, field(kCooperativeField));
    case BlockValue::kSharedBase:
      return loadInvariant(builder, builder.getPtrTy(), field(kSharedField));
    case BlockValue::kDynamicShared: {
      llvm::Value* base = loadInvariant(builder, builder.getPtrTy(), field(kSharedField));
      llvm::Value* offset = loadInvariant(builder, i32, field(kDynamicSharedOffsetField));
      return builder.CreateInBoundsGEP(builder.getInt8Ty(), base,
                                       builder.CreateZExt(offset, builder.getInt64Ty()));
    }
    case BlockValue::kSharedBytes:  // static, then dynamic
      return builder.CreateAdd(loadInvariant(builder, i32, field(kDynamicSharedOffsetField)),
                               loadInvariant(builder, i32, field(kDynamicSharedBytesField)));
    default: {
      llvm::Value* axis = builder.CreateConstInBoundsGEP2_32(llvm::ArrayType::get(i32, 3),
                                                             field(fieldOf(builtin.value)), 0, builtin.axis);
      llvm::LoadInst* load = loadInvariant(builder, i32, axis);
      // So loops over threads run at least once. Else LLVM looks for conditions that say so, in all code
      // before a loop, which takes time that grows with the square of the number of loops.
      if (builtin.value == BlockValue::kBlockDim)
        load->setMetadata(
            llvm::LLVMContext::MD_range,
            llvm::MDBuilder(context).createRange(llvm::APInt(32, 1), llvm::APInt(32, kMostThreads + 1)));
      return load;
    }
  }
}

}  // namespace musashim::mcc
