// The compiler's module, loaded when it is needed.
#pragma once

#include <string>

#include "mtrtc/compiler/compiler.h"

namespace musashim::mtrtc {

// Root of the SDK that this library belongs to, or that MUSA_HOME or MUSA_PATH name; empty when none is
// found.
const std::string& sdkRoot();

std::string compilerPath();

void compileRequest(const CompileRequest& request, CompileResult& result);

}  // namespace musashim::mtrtc
