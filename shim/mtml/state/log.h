// What mtmlLogSetConfiguration() asks for: a line for each call of the process, to as many places as it says.
#pragma once

#include <string_view>

#include "mtml.h"

namespace musashim::mtml {

// MTML_ERROR_INVALID_ARGUMENT: a level that is none, a file without a path, a callback that is null.
// MTML_ERROR_NO_PERMISSION, MTML_ERROR_NOT_FOUND: the file cannot be opened. Nothing changes then.
MtmlReturn configureLog(const MtmlLogConfiguration& wanted);
MtmlLogConfiguration logConfiguration();

// Whether any place wants lines; cheap.
bool isLogging();
void logCall(std::string_view name, int status);

const char* errorText(MtmlReturn result);  // in a few words

}  // namespace musashim::mtml
