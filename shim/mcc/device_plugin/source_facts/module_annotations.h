// Annotations of the clang half (annotations.h) in a module, for the passes and for the driver, which reads
// modules before any pass has run.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Module.h"

namespace musashim::mcc {

void forEachAnnotation(llvm::Module& module,
                       llvm::function_ref<void(llvm::GlobalValue&, llvm::StringRef)> visit);

// Removes those that begin with `prefix`.
void removeAnnotations(llvm::Module& module, llvm::StringRef prefix);

// A texture or surface reference: the host writes it under its name, also where clang takes it for the file's
// own.
void keepReference(llvm::GlobalVariable& reference);

}  // namespace musashim::mcc
