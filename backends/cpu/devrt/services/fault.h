// Leaving device code for good.
#pragma once

#include <string>

#include "cpu/devrt/host_thread.h"

namespace musashim::devrt {

// Records the fault and jumps to the recovery point of runBlocks(). Device code only.
[[noreturn]] void raiseFault(StatusCode code, std::string message);

// The jump alone, after HostThread::fault was filled in.
[[noreturn]] void leaveDeviceCode(HostThread& thread);

// Installs the signal handlers once per process, and a signal stack for this thread.
void prepareSignals(HostThread& thread);
void discardSignalStack(HostThread& thread);

}  // namespace musashim::devrt
