#include "mupti/callback/subscriber.h"

#include <atomic>
#include <bitset>
#include <mutex>
#include <string_view>

#include "mupti.h"
#include "mupti/activity/activity.h"
#include "mupti/callback/calls.h"
#include "mupti/library/entry.h"
#include "mupti/library/names.h"
#include "musa_runtime_api.h"

using namespace musashim::mupti;

// Lives for ever, as calls may be under way when it ends.
struct MUpti_Subscriber_st {
  MUpti_CallbackFunc callback;
  void* userdata;
  std::bitset<1024> wanted[MUPTI_CB_DOMAIN_SIZE];  // guarded by `mutex`
};

namespace musashim::mupti {
namespace {

std::mutex mutex;
std::atomic<MUpti_Subscriber_st*> theSubscriber{nullptr};
std::atomic<bool> wantsAny{false};

// What a call leaves from its begin to its end: one of a thread at a time.
struct Open {
  uint64_t correlationData;
  bool told;
};
constinit thread_local Open open{};

MUpti_Subscriber_st* subscriberOf(MUpti_CallbackDomain domain, uint32_t cbid) {
  if (!wantsAny.load(std::memory_order_relaxed)) return nullptr;
  const std::lock_guard lock(mutex);
  MUpti_Subscriber_st* subscriber = theSubscriber.load();
  return subscriber != nullptr && cbid < 1024 && subscriber->wanted[domain][cbid] ? subscriber : nullptr;
}

bool isDomain(MUpti_CallbackDomain domain) {
  return domain == MUPTI_CB_DOMAIN_DRIVER_API || domain == MUPTI_CB_DOMAIN_RUNTIME_API ||
         domain == MUPTI_CB_DOMAIN_RESOURCE || domain == MUPTI_CB_DOMAIN_SYNCHRONIZE;
}

// With `mutex`.
void countWanted() {
  bool any = false;
  if (const MUpti_Subscriber_st* subscriber = theSubscriber.load()) {
    for (const auto& domain : subscriber->wanted) any = any || domain.any();
  }
  wantsAny.store(any);
}

// Of a launch: the kernel, as the linker knows it.
const char* kernelOf(const MUshimCall& call) {
  const std::string_view name = call.name;
  const char* kernel = nullptr;
  if (name == "musaLaunchKernel" || name == "musaLaunchCooperativeKernel") {
    if (const auto* function = argument<const void*>(call, 0)) (void)musaFuncGetName(&kernel, *function);
  } else if (name == "musaLaunchKernelExC") {
    if (const auto* function = argument<const void*>(call, 1)) (void)musaFuncGetName(&kernel, *function);
  } else if (name == "muLaunchKernel" || name == "muLaunchCooperativeKernel") {
    if (const auto* function = argument<MUfunction>(call, 0)) (void)muFuncGetName(&kernel, *function);
  }
  return kernel;
}

void tellCall(MUpti_ApiCallbackSite site, const MUshimCall& call, int* result) {
  MUpti_CallbackDomain domain = MUPTI_CB_DOMAIN_INVALID;
  const Call* known = findCall(call, domain);
  if (known == nullptr) return;
  MUpti_Subscriber_st* subscriber = subscriberOf(domain, known->cbid);
  if (subscriber == nullptr) return;
  // Who comes in between hears of no end without a begin.
  if (site == MUPTI_API_EXIT && !open.told) return;
  open.told = site == MUPTI_API_ENTER;
  std::vector<uint64_t> room;
  MUpti_CallbackData data = {};
  data.callbackSite = site;
  data.functionName = call.name;
  data.functionParams = layOut(*known, call, room) ? room.data() : nullptr;
  data.functionReturnValue = result;
  (void)muCtxGetCurrent(&data.context);
  if (data.context != nullptr) (void)muptiGetContextId(data.context, &data.contextUid);
  data.symbolName = kernelOf(call);
  data.correlationData = &open.correlationData;
  data.correlationId = call.correlation;
  subscriber->callback(subscriber->userdata, domain, known->cbid, &data);
}

void tellSynchronized(const MUshimCall& call) {
  const std::string_view name = call.name;
  const bool ofStream = name == "musaStreamSynchronize" || name == "muStreamSynchronize";
  if (!ofStream && name != "musaDeviceSynchronize" && name != "muCtxSynchronize") return;
  const uint32_t id =
      ofStream ? MUPTI_CBID_SYNCHRONIZE_STREAM_SYNCHRONIZED : MUPTI_CBID_SYNCHRONIZE_CONTEXT_SYNCHRONIZED;
  MUpti_Subscriber_st* subscriber = subscriberOf(MUPTI_CB_DOMAIN_SYNCHRONIZE, id);
  if (subscriber == nullptr) return;
  MUpti_SynchronizeData data = {};
  (void)muCtxGetCurrent(&data.context);
  if (const auto* stream = ofStream ? argument<MUstream>(call, 0) : nullptr) data.stream = *stream;
  subscriber->callback(subscriber->userdata, MUPTI_CB_DOMAIN_SYNCHRONIZE, id, &data);
}

// The subscriber a handle names, or why not.
MUptiResult check(MUpti_SubscriberHandle subscriber, MUpti_CallbackDomain domain) {
  if (subscriber == nullptr || subscriber != theSubscriber.load()) return MUPTI_ERROR_INVALID_PARAMETER;
  return isDomain(domain) ? MUPTI_SUCCESS : MUPTI_ERROR_INVALID_PARAMETER;
}

template <class Change>
MUptiResult change(MUpti_SubscriberHandle subscriber, MUpti_CallbackDomain domain, Change&& body) {
  {
    const std::lock_guard lock(mutex);
    if (const MUptiResult bad = check(subscriber, domain); bad != MUPTI_SUCCESS) return remember(bad);
    body(*subscriber);
    countWanted();
  }
  return remember(listenAsWanted());
}

}  // namespace

bool wantsCallbacks() { return wantsAny.load(); }

void endSubscription() {
  const std::lock_guard lock(mutex);
  theSubscriber.store(nullptr);
  countWanted();
}

void callBegins(MUshimCall* call) {
  noteCallBegins(*call);
  open = {};
  if (wantsCallbacks()) tellCall(MUPTI_API_ENTER, *call, nullptr);
}

void callEnds(MUshimCall* call, int result) {
  noteCallEnds(*call, result);
  if (!wantsCallbacks()) return;
  tellSynchronized(*call);
  tellCall(MUPTI_API_EXIT, *call, &result);
}

void resourceEvent(int what, MUcontext context, MUstream stream) {
  constexpr uint32_t kIds[] = {MUPTI_CBID_RESOURCE_INVALID, MUPTI_CBID_RESOURCE_CONTEXT_CREATED,
                               MUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING,
                               MUPTI_CBID_RESOURCE_STREAM_CREATED,
                               MUPTI_CBID_RESOURCE_STREAM_DESTROY_STARTING};
  MUpti_Subscriber_st* subscriber = subscriberOf(MUPTI_CB_DOMAIN_RESOURCE, kIds[what]);
  if (subscriber == nullptr) return;
  MUpti_ResourceData data = {};
  data.context = context;
  data.resourceHandle.stream = stream;
  subscriber->callback(subscriber->userdata, MUPTI_CB_DOMAIN_RESOURCE, kIds[what], &data);
}

}  // namespace musashim::mupti

MUPTI_ENTRY MUptiResult MUPTIAPI muptiSupportedDomains(size_t* domainCount, MUpti_DomainTable* domainTable) {
  static constinit MUpti_CallbackDomain domains[] = {MUPTI_CB_DOMAIN_DRIVER_API, MUPTI_CB_DOMAIN_RUNTIME_API,
                                                     MUPTI_CB_DOMAIN_RESOURCE, MUPTI_CB_DOMAIN_SYNCHRONIZE};
  if (domainCount == nullptr || domainTable == nullptr) return remember(MUPTI_ERROR_INVALID_PARAMETER);
  *domainCount = std::size(domains);
  *domainTable = domains;
  return MUPTI_SUCCESS;
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiSubscribe(MUpti_SubscriberHandle* subscriber,
                                                MUpti_CallbackFunc callback, void* userdata) {
  if (subscriber == nullptr || callback == nullptr) return remember(MUPTI_ERROR_INVALID_PARAMETER);
  const std::lock_guard lock(mutex);
  if (theSubscriber.load() != nullptr) return remember(MUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED);
  *subscriber = new MUpti_Subscriber_st{callback, userdata, {}};
  theSubscriber.store(*subscriber);
  return MUPTI_SUCCESS;
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiUnsubscribe(MUpti_SubscriberHandle subscriber) {
  if (subscriber == nullptr || subscriber != theSubscriber.load())
    return remember(MUPTI_ERROR_INVALID_PARAMETER);
  endSubscription();
  return remember(listenAsWanted());
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiGetCallbackState(uint32_t* enable, MUpti_SubscriberHandle subscriber,
                                                       MUpti_CallbackDomain domain, MUpti_CallbackId cbid) {
  const std::lock_guard lock(mutex);
  if (enable == nullptr || cbid >= 1024) return remember(MUPTI_ERROR_INVALID_PARAMETER);
  if (const MUptiResult bad = check(subscriber, domain); bad != MUPTI_SUCCESS) return remember(bad);
  *enable = subscriber->wanted[domain][cbid] ? 1 : 0;
  return MUPTI_SUCCESS;
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiEnableCallback(uint32_t enable, MUpti_SubscriberHandle subscriber,
                                                     MUpti_CallbackDomain domain, MUpti_CallbackId cbid) {
  if (cbid >= 1024) return remember(MUPTI_ERROR_INVALID_PARAMETER);
  return change(subscriber, domain, [&](auto& of) { of.wanted[domain][cbid] = enable != 0; });
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiEnableDomain(uint32_t enable, MUpti_SubscriberHandle subscriber,
                                                   MUpti_CallbackDomain domain) {
  return change(subscriber, domain,
                [&](auto& of) { enable != 0 ? of.wanted[domain].set() : of.wanted[domain].reset(); });
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiEnableAllDomains(uint32_t enable, MUpti_SubscriberHandle subscriber) {
  return change(subscriber, MUPTI_CB_DOMAIN_RUNTIME_API, [&](auto& of) {
    for (auto& domain : of.wanted) enable != 0 ? domain.set() : domain.reset();
  });
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiGetCallbackName(MUpti_CallbackDomain domain, uint32_t cbid,
                                                      const char** name) {
  if (name == nullptr) return remember(MUPTI_ERROR_INVALID_PARAMETER);
  *name = domain == MUPTI_CB_DOMAIN_DRIVER_API    ? nameOf(namesDriver(), cbid)
          : domain == MUPTI_CB_DOMAIN_RUNTIME_API ? nameOf(namesRuntime(), cbid)
          : domain == MUPTI_CB_DOMAIN_RESOURCE    ? nameOf(namesResources(), cbid)
          : domain == MUPTI_CB_DOMAIN_SYNCHRONIZE ? nameOf(namesSynchronizations(), cbid)
                                                  : nullptr;
  return *name != nullptr ? MUPTI_SUCCESS : remember(MUPTI_ERROR_INVALID_PARAMETER);
}
