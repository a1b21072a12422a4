#pragma once

// What a run says on standard output and standard error.

#include <cstdio>
#include <string_view>

#include "translator/lib/report/report.h"
#include "translator/tool/arguments.h"
#include "translator/tool/semantic.h"

namespace musashim::translator {

/// Writes all of the text, or throws PortError.
void print(std::FILE* stream, std::string_view text);

/// Tells what the run did, as far as the command line asks for it. `semantic`: of --semantic only.
void tell(const Arguments& arguments, const Report& report, const SemanticOutcome& semantic);

/// The exit status of a run that came to its end.
int exitCodeOf(const Arguments& arguments, const Report& report);

}  // namespace musashim::translator
