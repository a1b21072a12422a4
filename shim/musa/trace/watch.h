// Who looks at what the process does: the trace of MUSASHIM_TRACE_FILE (recorder.h), and a listener of
// another library (listener.h). Calls of all libraries come here, and commands from the backend.
#pragma once

#include <cstdint>

#include "interface/backend.h"
#include "musashim_tables.h"

namespace musashim::musa {

// For all libraries; `enter` is null while nobody looks.
const MUshimTraceTable& traceTable();

// One more looks, or one less.
void beginWatching(bool wantsArguments);
void endWatching(bool wantsArguments);
bool isWatched();
// Commands of `backend` are watched from now on.
void watchDevices(backend::Backend& backend);

// The system's number of the calling thread.
uint32_t threadId();

}  // namespace musashim::musa
