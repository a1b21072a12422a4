// The front end on an NVIDIA machine: CUPTI tells of the driver's calls, also those that a CUDA runtime makes
// which is linked into the program. CUDA_INJECTION64_PATH has the driver load this library and call
// InitializeInjection.
#include <cupti.h>
#include <dlfcn.h>

#include <cstdio>

#include "arguments.h"

namespace musashim::record {
namespace {

#define FORM_none(name)
#define FORM_ptsz(name) case CUPTI_DRIVER_TRACE_CBID_cu##name##_ptsz:
#define FORM_ptds(name) case CUPTI_DRIVER_TRACE_CBID_cu##name##_ptds:
#define CASE(name, form) FORM_##form(name) case CUPTI_DRIVER_TRACE_CBID_cu##name: {
#define ARGUMENTS(name) \
  [[maybe_unused]] const auto& p = *static_cast<const cu##name##_params*>(call.functionParams)

void entered(Recorder& r, CUpti_CallbackId id, const CUpti_CallbackData& call) {
  switch (id) {
#define EVENT(name, form, begin)    \
  CASE(name, form) ARGUMENTS(name); \
  begin;                            \
  }                                 \
  break;
#define BEFORE(name, form, tell)    \
  CASE(name, form) ARGUMENTS(name); \
  tell;                             \
  }                                 \
  break;
#define AFTER(name, form, tell)
#include "calls.h"
#undef EVENT
#undef BEFORE
#undef AFTER
    default:
      break;
  }
}

void left(Recorder& r, CUpti_CallbackId id, const CUpti_CallbackData& call) {
  const bool succeeded = *static_cast<const CUresult*>(call.functionReturnValue) == CUDA_SUCCESS;
  switch (id) {
#define EVENT(name, form, begin)     \
  CASE(name, form) r.end(succeeded); \
  }                                  \
  break;
#define BEFORE(name, form, tell)
#define AFTER(name, form, tell)     \
  CASE(name, form) ARGUMENTS(name); \
  if (succeeded) {                  \
    tell;                           \
  }                                 \
  }                                 \
  break;
#include "calls.h"
#undef EVENT
#undef BEFORE
#undef AFTER
    default:
      break;
  }
}

void CUPTIAPI called(void* /*user*/, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data) {
  Recorder* recorder = Recorder::get();
  if (domain == CUPTI_CB_DOMAIN_RESOURCE) {
    if (id != CUPTI_CBID_RESOURCE_MODULE_LOADED) return;
    const auto& resource = *static_cast<const CUpti_ResourceData*>(data);
    const auto& module = *static_cast<const CUpti_ModuleResourceData*>(resource.resourceDescriptor);
    recorder->loaded(module.pCubin, module.cubinSize);
    return;
  }
  // Calls of the recorder's own, and those within a call of a library, are not told.
  if (depth != 0) return;
  const auto& call = *static_cast<const CUpti_CallbackData*>(data);
  if (call.callbackSite == CUPTI_API_ENTER)
    entered(*recorder, id, call);
  else
    left(*recorder, id, call);
}

}  // namespace
}  // namespace musashim::record

extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
  using namespace musashim::record;
  if (Recorder::get() == nullptr) return 1;
  CUpti_SubscriberHandle subscriber = nullptr;
  CUptiResult result = cuptiSubscribe(&subscriber, called, nullptr);
  if (result == CUPTI_SUCCESS) result = cuptiEnableDomain(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API);
  if (result == CUPTI_SUCCESS)
    result = cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_MODULE_LOADED);
  if (result == CUPTI_SUCCESS) return 1;
  const char* why = "";
  (void)cuptiGetResultString(result, &why);
  std::fprintf(stderr, "musashim-record: CUPTI does not tell of calls: %s\n", why);
  return 0;
}
