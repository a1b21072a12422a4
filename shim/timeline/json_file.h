// A timeline as a file in the format of Chrome's traces ("Trace Event Format"), which Perfetto and
// chrome://tracing open.
#pragma once

#include <string>

#include "timeline/timeline.h"

namespace musashim::timeline {

// Devices stand beside the processes: this is the number of a process's device there.
int64_t trackOf(const Process& process, int device);

std::string toJson(const Timeline& timeline);

// Writes `path` anew. Processes of one job that name the same file end up in it together: what another one
// wrote there after `since`, in nanoseconds of the clock of files, stays.
bool writeWithOthers(const std::string& path, int64_t since, const Timeline& timeline, std::string& error);

}  // namespace musashim::timeline
