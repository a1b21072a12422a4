// links: cudnn
// The log by a callback: what is asked for, what is told, what is set and gotten.
#include <string.h>

#include "../../framework/dnn_values.h"

CONFORMANCE_CASE("dnn.callbacks");

struct Told {
  int errors = 0, warnings = 0, infos = 0;
  bool hasText = false;
};

static void tell(cudnnSeverity_t severity, void* place, const cudnnDebug_t*, const char* text) {
  Told& told = *static_cast<Told*>(place);
  told.errors += severity == CUDNN_SEV_ERROR;
  told.warnings += severity == CUDNN_SEV_WARNING;
  told.infos += severity == CUDNN_SEV_INFO;
  told.hasText = text && strlen(text) > 0;
}

int main() {
  unsigned mask = 77;
  void* place = &mask;
  cudnnCallback_t callback = tell;
  STATUS("get", cudnnGetCallback(&mask, &place, &callback));
  OBSERVE("first", std::to_string(mask) + (place ? " a place" : " no place") +
                       (callback ? " a callback" : " no callback"));
  Told told;
  STATUS("set", cudnnSetCallback(CUDNN_SEV_INFO_EN, &told, tell));
  STATUS("get_again", cudnnGetCallback(&mask, &place, &callback));
  OBSERVE("kept", std::to_string(mask) + (place == &told ? " this place" : " another place") +
                      (callback == tell ? " this callback" : " another callback"));
  const cudnnHandle_t handle = makeHandle();
  cudnnDestroy(handle);
  OBSERVE("infos", told.infos > 0);
  OBSERVE("errors", told.errors > 0);
  OBSERVE("text", told.hasText);
  told = Told();
  STATUS("set_none", cudnnSetCallback(0, nullptr, nullptr));
  const cudnnHandle_t again = makeHandle();
  cudnnDestroy(again);
  OBSERVE("silent", told.infos + told.errors + told.warnings == 0);
}
