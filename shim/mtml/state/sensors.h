// What a device's sensors tell at this moment: what the machine's description sets, or else what its product
// shows at the load that utilization() measures.
#pragma once

#include <string>

#include "mtml/state/machine.h"

namespace musashim::mtml {

// Of the video units, which are always idle: nothing can use them. An MTT S90 shows so (output of
// mthreads-gmi in musa-deploy's tests); taken for all.
constexpr unsigned int kVideoClockMhz = 1200;

unsigned int celsius(unsigned int device, const MUshimDevice& facts);
unsigned int milliwatts(unsigned int device, const MUshimDevice& facts);  // no more than the limit
unsigned int fanPercent(unsigned int device, const MUshimDevice& facts);  // of each of facts.fans

// Where the vendor's driver has a device's files.
std::string gpuPath(unsigned int device);      // "/dev/mtgpu.0"
std::string primaryPath(unsigned int device);  // "/dev/dri/card0"
std::string renderPath(unsigned int device);   // "/dev/dri/renderD128"

}  // namespace musashim::mtml
