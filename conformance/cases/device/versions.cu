// Versions of driver and runtime.
#include "../../framework/observe.h"

CONFORMANCE_CASE("device.versions");

int main() {
  int runtime = 0;
  int driver = 0;
  OBSERVE("runtime", cudaRuntimeGetVersion(&runtime));
  OBSERVE("driver", cudaDriverGetVersion(&driver));
  OBSERVE("runtime_positive", runtime > 0);
  OBSERVE("driver_not_older", driver >= runtime);
  OBSERVE("runtime_null", cudaRuntimeGetVersion(nullptr));
  OBSERVE("driver_null", cudaDriverGetVersion(nullptr));
}
