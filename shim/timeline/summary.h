// A timeline in tables, for people.
#pragma once

#include <string>

#include "timeline/timeline.h"

namespace musashim::timeline {

std::string summaryOf(const Timeline& timeline, size_t rows = 20);

}  // namespace musashim::timeline
