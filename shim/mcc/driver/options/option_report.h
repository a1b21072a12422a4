// Says what became of nvcc's options.
#pragma once

#include "mcc/driver/options/options.h"

namespace musashim::mcc {

// What is said of options.nvccNotes. `saysOnce`: and that no other command of this build says it.
std::string optionReport(const Options& options, bool saysOnce);

// Says it, in the way that options.notesWanted asks for.
void reportNvccOptions(const Options& options);

}  // namespace musashim::mcc
