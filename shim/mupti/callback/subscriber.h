// Who is called back: one subscriber, as with CUPTI, and what it wants to hear of.
#pragma once

#include "musashim_tables.h"

namespace musashim::mupti {

bool wantsCallbacks();
void endSubscription();

// What libmusa tells (MUshimListener), for records and callbacks.
void callBegins(MUshimCall* call);
void callEnds(MUshimCall* call, int result);
void resourceEvent(int what, MUcontext context, MUstream stream);

}  // namespace musashim::mupti
