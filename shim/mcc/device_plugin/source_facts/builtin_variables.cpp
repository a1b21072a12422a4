#include "builtin_variables.h"

#include <array>
#include <map>

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/ReplaceConstant.h"
#include "mcc/device_plugin/device_builtins.h"

namespace musashim::mcc {
namespace {

using llvm::GlobalVariable;
using llvm::IRBuilder;

struct BuiltinVariable {
  llvm::StringRef name;
  std::vector<llvm::StringRef> getters;  // of its ints, one after the other
};

const std::array<BuiltinVariable, 5>& builtinVariables() {
  static const std::array<BuiltinVariable, 5> variables{{
      {kWarpSizeVariable, {kWarpSizeName}},
      {"__musa_thread_idx", {"__musa_thread_idx_x", "__musa_thread_idx_y", "__musa_thread_idx_z"}},
      {"__musa_block_idx", {"__musa_block_idx_x", "__musa_block_idx_y", "__musa_block_idx_z"}},
      {"__musa_block_dim", {"__musa_block_dim_x", "__musa_block_dim_y", "__musa_block_dim_z"}},
      {"__musa_grid_dim", {"__musa_grid_dim_x", "__musa_grid_dim_y", "__musa_grid_dim_z"}},
  }};
  return variables;
}

constexpr uint64_t kIntBytes = 4;

class Replacement {
 public:
  Replacement(llvm::Module& module, const BuiltinVariable& builtin)
      : module_(module), int_(llvm::Type::getInt32Ty(module.getContext())), builtin_(builtin) {}

  void replace(GlobalVariable& variable) {
    llvm::convertUsersOfConstantsToInstructions({&variable});
    replaceReads(variable, 0);
    for (llvm::Use& use : llvm::make_early_inc_range(variable.uses())) {
      if (auto* user = llvm::dyn_cast<llvm::Instruction>(use.getUser()))
        use.set(copyIn(*user->getFunction()));
    }
  }

 private:
  // Of single ints, through pointers at `offset` within the variable.
  void replaceReads(llvm::Value& pointer, uint64_t offset) {
    for (llvm::User* user : llvm::make_early_inc_range(pointer.users())) {
      if (auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
        llvm::APInt by(module_.getDataLayout().getIndexTypeSizeInBits(address->getType()), 0);
        if (!address->accumulateConstantOffset(module_.getDataLayout(), by)) continue;
        replaceReads(*address, offset + by.getZExtValue());
        if (address->use_empty()) address->eraseFromParent();
      } else if (auto* load = llvm::dyn_cast<llvm::LoadInst>(user)) {
        if (load->getType() != int_ || offset % kIntBytes != 0) continue;
        if (offset / kIntBytes >= builtin_.getters.size()) continue;
        IRBuilder<> builder(load);
        load->replaceAllUsesWith(get(builder, offset / kIntBytes));
        load->eraseFromParent();
      }
    }
  }

  llvm::Value* get(IRBuilder<>& builder, size_t index) {
    auto* type = llvm::FunctionType::get(int_, false);
    llvm::FunctionCallee getter = module_.getOrInsertFunction(builtin_.getters[index], type);
    auto* function = llvm::cast<llvm::Function>(getter.getCallee());
    function->setDoesNotAccessMemory();
    function->setDoesNotThrow();
    function->setWillReturn();
    return builder.CreateCall(getter);
  }

  llvm::Value* copyIn(llvm::Function& function) {
    llvm::Value*& copy = copies_[&function];
    if (copy != nullptr) return copy;
    llvm::BasicBlock& entry = function.getEntryBlock();
    IRBuilder<> builder(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
    auto* type = llvm::ArrayType::get(int_, builtin_.getters.size());
    copy = builder.CreateAlloca(type, nullptr, builtin_.name);
    for (size_t i = 0; i < builtin_.getters.size(); ++i)
      builder.CreateStore(get(builder, i), builder.CreateConstInBoundsGEP2_64(type, copy, 0, i));
    return copy;
  }

  llvm::Module& module_;
  llvm::Type* int_;
  const BuiltinVariable& builtin_;
  std::map<llvm::Function*, llvm::Value*> copies_;
};

}  // namespace

void replaceBuiltinVariables(llvm::Module& module) {
  for (const BuiltinVariable& builtin : builtinVariables()) {
    GlobalVariable* variable = module.getGlobalVariable(builtin.name);
    if (variable == nullptr || !variable->isDeclaration()) continue;
    Replacement(module, builtin).replace(*variable);
    if (variable->use_empty()) variable->eraseFromParent();
  }
}

}  // namespace musashim::mcc
