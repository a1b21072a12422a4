// Waiting for values in memory and writing them, in stream order (muStreamWaitValue32 ...).
#pragma once

#include <span>
#include <vector>

#include "interface/command.h"
#include "musa.h"
#include "musa/api/result.h"

namespace musashim::musa {

class Context;

// Kinds, flags, alignment, and that devices can reach the addresses.
Result checkMemoryOperations(std::span<const MUstreamBatchMemOpParams> operations);

// A command that carries them out in order, and what must live as long as it. A wait that is
// never fulfilled ends when the device faults or its context does.
backend::HostCall memoryOperationsCall(Context& context, std::vector<MUstreamBatchMemOpParams> operations,
                                       std::shared_ptr<void>& keep);

}  // namespace musashim::musa
