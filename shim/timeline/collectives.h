// Collectives of a timeline: what their work on streams was, and how fast.
#pragma once

#include <string>

#include "timeline/timeline.h"

namespace musashim::timeline {

// MCCL's work of a stream is a host function to the driver: it gets the name, bytes and ranks of the calls
// that asked for it, be it alone or in a group.
void nameCollectives(Process& process);

// As nccl-tests counts: bytes over time, and what of that a ring of the ranks would carry.
double busFactor(const std::string& name, uint32_t ranks);

// Empty where there is none.
std::string collectiveTable(const Timeline& timeline);

}  // namespace musashim::timeline
