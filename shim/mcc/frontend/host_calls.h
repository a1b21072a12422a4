// Functions for both sides (`__host__ __device__`) that call functions of the host: nvcc warns, and nothing
// is wrong until a device gets there.
#pragma once

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Sema/Sema.h"

namespace musashim::mcc {

// From here on, such calls are said when clang knows that the caller becomes code, and are no errors of the
// caller's body (DeviceDiagnostics makes warnings of them).
void deferHostCalls(clang::CompilerInstance& compiler);
void deferHostCallsOfInstances(clang::Sema& sema);

// Annotates what `caller`, whose body has been read, calls of the host (annotations.h). A constexpr function
// that nobody has made one for both sides may also throw.
void annotateHostCallees(clang::Sema& sema, const clang::FunctionDecl& caller);

}  // namespace musashim::mcc
