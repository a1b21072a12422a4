// Records of what is there: devices, contexts and streams.
#pragma once

#include <cstdint>

#include "mupti.h"
#include "musashim_tables.h"

namespace musashim::mupti {

// 0 where there is none.
uint32_t currentContextId();
uint32_t currentDeviceId();

// At the end of a call, which may ask the API: devices and contexts nobody was told of yet, and a stream that
// it made.
void noteObjects(const MUshimCall& call, int result);
// Compute capabilities are those of the CUDA face: the records are read by CUPTI's names.
void tellCudaCapability(bool wanted);
// A kind is wanted anew: all that is there is to be told again.
void forgetTold(MUpti_ActivityKind kind);

}  // namespace musashim::mupti
