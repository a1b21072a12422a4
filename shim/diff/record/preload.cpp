// The front end on this SDK and the vendor's: functions by the driver's names, which the dynamic linker finds
// before the driver's own when this library is preloaded. The runtime calls the driver by them.
#include <dlfcn.h>

#include "arguments.h"

namespace musashim::record {

#define STRUCTURES
#include "preload_calls.inc"
#undef STRUCTURES

namespace {

template <class Parameters>
struct Told;

#define EVENT(name, form, begin)                                                                     \
  template <>                                                                                        \
  struct Told<name##_params> {                                                                       \
    static void before(Recorder& r, [[maybe_unused]] const name##_params& p) { begin; }              \
    static void after(Recorder& r, const name##_params& /*p*/, bool succeeded) { r.end(succeeded); } \
  };
#define BEFORE(name, form, tell)                                                          \
  template <>                                                                             \
  struct Told<name##_params> {                                                            \
    static void before(Recorder& r, const name##_params& p) { tell; }                     \
    static void after(Recorder& /*r*/, const name##_params& /*p*/, bool /*succeeded*/) {} \
  };
#define AFTER(name, form, tell)                                              \
  template <>                                                                \
  struct Told<name##_params> {                                               \
    static void before(Recorder& /*r*/, const name##_params& /*p*/) {}       \
    static void after(Recorder& r, const name##_params& p, bool succeeded) { \
      if (succeeded) tell;                                                   \
    }                                                                        \
  };
#include "calls.h"
#undef EVENT
#undef BEFORE
#undef AFTER

// The driver's own function.
template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

template <class Parameters, class Call>
MUresult told(const Parameters& p, const Call& call) {
  Recorder* const recorder = depth == 0 ? Recorder::get() : nullptr;
  if (recorder == nullptr) return call();
  Told<Parameters>::before(*recorder, p);
  MUresult result;
  {
    const Nested nested;
    result = call();
  }
  Told<Parameters>::after(*recorder, p, result == MUSA_SUCCESS);
  return result;
}

struct Entry {
  const char* name;
  void* function;
};

}  // namespace
}  // namespace musashim::record

using namespace musashim::record;

#define ENTRY extern "C" __attribute__((visibility("default")))
#include "preload_calls.inc"

// Programs that ask the driver for its functions get these.
ENTRY MUresult muGetProcAddress_v2(const char* symbol, void** pfn, int driverVersion, muuint64_t flags,
                                   MUdriverProcAddressQueryResult* symbolStatus) {
  static const auto real = next<decltype(muGetProcAddress_v2)>("muGetProcAddress_v2");
  const MUresult result = real(symbol, pfn, driverVersion, flags, symbolStatus);
  if (result != MUSA_SUCCESS || pfn == nullptr || *pfn == nullptr) return result;
  for (const Entry& entry : kEntries) {
    if (dlsym(RTLD_NEXT, entry.name) != *pfn) continue;
    *pfn = entry.function;
    break;
  }
  return result;
}
