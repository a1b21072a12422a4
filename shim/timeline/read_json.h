// Reads what json_file.h writes.
#pragma once

#include <string>

#include "timeline/timeline.h"

namespace musashim::timeline {

// Adds to `timeline`. False, with `error`, when the text is none of ours.
bool fromJson(const std::string& text, Timeline& timeline, std::string& error);

bool readFile(const std::string& path, Timeline& timeline, std::string& error);

}  // namespace musashim::timeline
