#include "mtshmem/job/pmix.h"

#include <dlfcn.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace musashim::mtshmem {
namespace {

// Of PMIx's standard: what is the same in versions 3 to 5.
constexpr int kSuccess = 0;
constexpr uint16_t kString = 3;
constexpr uint8_t kGlobal = 3;
struct Proc {
  char nspace[256];
  uint32_t rank;
};
struct Value {
  uint16_t type;
  union {
    char* string;
    char room[64];
  } data;
};

struct Pmix {
  int (*init)(Proc*, void*, size_t);
  int (*put)(uint8_t scope, const char* key, Value*);
  int (*commit)();
  int (*fence)(const Proc*, size_t, const void*, size_t);
  int (*get)(const Proc*, const char* key, const void*, size_t, Value**);
  int (*finalize)(const void*, size_t);
};

int (*gFinalize)(const void*, size_t) = nullptr;  // where it was begun

template <typename Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr) throw std::runtime_error(std::string("libpmix has no ") + name);
}

Pmix load() {
  void* library = dlopen("libpmix.so.2", RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) {
    throw std::runtime_error(
        "the PEs are on several hosts, and find each other by PMIx, but there is no libpmix.so.2; or start "
        "them by "
        "mtshmrun -hosts, or hand a unique id around (mtshmemx_get_uniqueid)");
  }
  Pmix pmix{};
  find(library, "PMIx_Init", pmix.init);
  find(library, "PMIx_Put", pmix.put);
  find(library, "PMIx_Commit", pmix.commit);
  find(library, "PMIx_Fence", pmix.fence);
  find(library, "PMIx_Get", pmix.get);
  find(library, "PMIx_Finalize", pmix.finalize);
  return pmix;
}

void check(int status, const char* call) {
  if (status != kSuccess) throw std::runtime_error(std::string(call) + " gave " + std::to_string(status));
}

}  // namespace

std::string fromFirstRank(int me, const std::function<std::string()>& make) {
  const Pmix pmix = load();
  Proc self{};
  check(pmix.init(&self, nullptr, 0), "PMIx_Init");
  gFinalize = pmix.finalize;
  constexpr const char* kKey = "mtshmem.meeting";
  if (me == 0) {
    std::string text = make();
    Value value{};
    value.type = kString;
    value.data.string = text.data();
    check(pmix.put(kGlobal, kKey, &value), "PMIx_Put");
  }
  check(pmix.commit(), "PMIx_Commit");
  check(pmix.fence(nullptr, 0, nullptr, 0), "PMIx_Fence");
  Proc first = self;
  first.rank = 0;
  Value* found = nullptr;
  check(pmix.get(&first, kKey, nullptr, 0, &found), "PMIx_Get");
  if (found == nullptr || found->type != kString) throw std::runtime_error("PMIx_Get gave no text");
  return found->data.string;
}

void leavePmix() {
  if (gFinalize != nullptr) (void)std::exchange(gFinalize, nullptr)(nullptr, 0);
}

}  // namespace musashim::mtshmem
