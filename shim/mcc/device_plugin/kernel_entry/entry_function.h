// Builds entries of kernels, whatever way their threads run. An *entry* is the function that the runtime
// calls for a block (MusaBlockFunction).
#pragma once

#include <array>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "mcc/device_plugin/device_builtins.h"

namespace musashim::mcc {

// A function with the kernel's target and debug attributes: result(ptr, more...).
llvm::Function* createEntry(llvm::Function& kernel, const llvm::Twine& suffix, llvm::Type* result,
                            llvm::ArrayRef<llvm::Type*> more = {});

// An entry that only calls the device runtime: runtime(block, what).
llvm::Function* createRuntimeEntry(
    llvm::Function& kernel, llvm::StringRef runtime,
    llvm::function_ref<llvm::Value*(llvm::IRBuilder<>&, llvm::Value* block)> what);

// Puts `builder` at the start of `entry`. What it makes has a location: calls without
// one cannot be inlined into functions with debug info.
void startEntry(llvm::IRBuilder<>& builder, llvm::Function& entry);

llvm::CallInst* callKernel(llvm::IRBuilder<>& builder, llvm::Function& kernel,
                           llvm::ArrayRef<llvm::Value*> arguments);
void inlineKernel(llvm::CallInst* call);

// The thread-local state of abi/musa_device_abi.h.
llvm::Value* threadStateField(llvm::IRBuilder<>& builder, llvm::Module& module, unsigned field);
llvm::Value* threadIdxAddress(llvm::IRBuilder<>& builder, llvm::Module& module, unsigned axis);
void storeThread(llvm::IRBuilder<>& builder, llvm::Module& module, llvm::ArrayRef<llvm::Value*> threadIdx,
                 llvm::Value* linear);

llvm::SmallVector<std::pair<llvm::CallInst*, const Builtin*>, 16> builtinCalls(llvm::Function& function);
void replaceCall(llvm::CallInst* call, llvm::Value* value);

// Lowers getters of block values to loads from the context, once at `at`. Getters of thread indices stay.
void lowerBlockValues(llvm::Function& entry, llvm::Value* context, llvm::Instruction* at);
// Lowers getters in functions that are not inlined into an entry to loads from the thread-local state.
void lowerByThreadState(llvm::Function& function);

// True when `kernel` may call a function, not inlined into it, that asks for its thread index.
bool calleesReadThreadState(llvm::Function& kernel);

}  // namespace musashim::mcc
