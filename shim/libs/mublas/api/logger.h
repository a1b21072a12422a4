// The library's log: its calls with their arguments and results, for whoever asked by
// mublasLoggerConfigure().
#pragma once

#include <atomic>
#include <string>

namespace musashim::mublas {

extern std::atomic<bool> logIsOn;

// One line, to the places that were asked for and to the callback.
void logLine(const std::string& line);

}  // namespace musashim::mublas
