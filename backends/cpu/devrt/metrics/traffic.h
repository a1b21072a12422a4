// Sums of what accesses have moved.
#pragma once

#include "abi/musa_metrics_abi.h"

namespace musashim::devrt::metrics {

// Of numbers that no other thread changes.
inline void addUp(MusaMetricsTraffic& sum, const MusaMetricsTraffic& more) {
  sum.requests += more.requests;
  sum.lanes += more.lanes;
  sum.parts += more.parts;
  sum.least += more.least;
  sum.serial += more.serial;
}

}  // namespace musashim::devrt::metrics
