// Functions of the host that functions for both sides call (frontend/host_calls.h): no device has them.
#pragma once

#include "llvm/IR/Module.h"

namespace musashim::mcc {

// A thread that gets to one of them fails as by an assertion that names it, and so does one that gets to a
// `throw` in a constexpr function. The annotations go: in another file a device may have a function of that
// name.
void failInHostFunctions(llvm::Module& module);

}  // namespace musashim::mcc
