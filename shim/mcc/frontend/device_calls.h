// What device code may call although clang's target checks say no.
#pragma once

#include "clang/Sema/Sema.h"

namespace musashim::mcc {

// Lets `caller`, a function for devices, launch the kernel whose name stands at `place`: neither the choice
// of the overload nor the reference is refused there. `caller` counts as implicit, whose calls clang chooses
// without a look at their targets, until forgetDeviceCallers().
void allowLaunch(clang::Sema& sema, clang::FunctionDecl& caller, clang::SourceLocation place);

// Before code is generated.
void forgetDeviceCallers();

}  // namespace musashim::mcc
