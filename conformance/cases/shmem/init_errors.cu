// Ids and attributes that cannot be.
// requires: devices>=2
// links: nvshmem
#include "../../framework/pes.h"

CONFORMANCE_CASE("shmem.init_errors");

int main(int argc, char** argv) {
  if (Pes::isFirst(argc)) {
    nvshmemx_uniqueid_t id = NVSHMEMX_UNIQUEID_INITIALIZER;
    nvshmemx_init_attr_t attributes = NVSHMEMX_INIT_ATTR_INITIALIZER;
    OBSERVE("id", nvshmemx_get_uniqueid(&id));
    OBSERVE("set_good", nvshmemx_set_attr_uniqueid_args(0, 2, &id, &attributes));
    OBSERVE("status", static_cast<int>(nvshmemx_init_status()));
  }
  return Pes::run(observedCase, argc, argv, [](Pes& pe) { pe.observe("n_pes", nvshmem_n_pes()); });
}
