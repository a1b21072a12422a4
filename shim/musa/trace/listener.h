// Another library that is told what the process does while it does it (MUshimListener): libmupti.
#pragma once

#include <atomic>
#include <string_view>

#include "interface/observer.h"
#include "musashim_tables.h"

namespace musashim::musa {

extern std::atomic<const MUshimListener*> theListener;
// Null: nobody listens.
inline const MUshimListener* currentListener() { return theListener.load(std::memory_order_acquire); }

// Whether a library has asked for the table by which one listens.
bool mayBeListenedTo();
const MUshimListenTable& listenTable();

void tellResource(int what, MUcontext context, MUstream stream);
void tellWork(const MUshimListener& listener, const backend::CommandRun& run, int64_t begin, int64_t end);

}  // namespace musashim::musa
