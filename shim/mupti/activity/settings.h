// What a program asks of records.
#pragma once

#include <map>
#include <vector>

#include "mupti.h"

namespace musashim::mupti {

// muptiSetThreadIdType(): the system's numbers of threads instead of pthread's.
bool systemThreadIds();
// muptiActivityEnableRuntimeApi(), muptiActivityEnableDriverApi().
bool isCallWanted(MUpti_ActivityKind kind, uint32_t cbid);
// Of the calling thread.
std::map<MUpti_ExternalCorrelationKind, std::vector<uint64_t>>& externalIds();

}  // namespace musashim::mupti
