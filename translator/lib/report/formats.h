#pragma once

// A report in the formats that other programs and browsers read. JSON, the complete one, is Report::json().

#include <string>
#include <string_view>

#include "translator/lib/report/report.h"

namespace musashim::translator {

/// SARIF 2.1.0: what is left, not portable or wants a look. `version`: of this program.
std::string sarifOf(const Report& report, std::string_view version);

/// The same as rows of RFC 4180, with a heading.
std::string csvOf(const Report& report);

/// One page that needs nothing else: heat of the folders, what is left by rank, estimate, places, a filter.
std::string htmlOf(const Report& report, std::string_view version);

}  // namespace musashim::translator
