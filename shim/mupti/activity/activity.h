// Records of what the process did: which kinds are wanted, and what is told becomes records of those.
#pragma once

#include "mupti.h"
#include "musashim_tables.h"

namespace musashim::mupti {

bool wantsRecords();
bool isWanted(MUpti_ActivityKind kind);
void endRecords();
// Names of records live as long as the process, also when a module is gone.
const char* keep(const char* name);

// What libmusa tells (MUshimListener).
void noteCallBegins(MUshimCall& call);
void noteCallEnds(const MUshimCall& call, int result);
void workEnded(const MUshimWork* work);
void rangeEvent(const MUshimRangeEvent* event);

}  // namespace musashim::mupti
