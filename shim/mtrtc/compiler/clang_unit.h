// What all units of clang's in this process share.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "clang/Basic/Diagnostic.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "mcc/driver/toolchain.h"

namespace musashim::mtrtc {

inline constexpr const char* kPreludeName = "/.mtrtc/prelude.pch";

// Loads mcc's plugin, and sets LLVM's options, which all units of a process share: once. False, with `log`,
// if that cannot be.
bool prepareClang(const mcc::Toolchain& toolchain, const std::vector<std::string>& llvmArguments,
                  std::string& log);

// Of arguments that begin with -cc1. Null, after diagnostics, when they are not valid.
std::shared_ptr<clang::CompilerInvocation> invocationOf(const std::vector<std::string>& arguments,
                                                        clang::DiagnosticsEngine& diagnostics);

}  // namespace musashim::mtrtc
