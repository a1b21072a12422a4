#pragma once

// The files of --report.

#include "translator/lib/report/report.h"
#include "translator/tool/arguments.h"

namespace musashim::translator {

/// Writes each file of --report, all or none. Throws PortError.
void writeReports(const Arguments& arguments, const Report& report);

}  // namespace musashim::translator
