// Events: what of a device's work is counted. Kernels are, as they were launched; nothing else of a real
// device's counters has a counterpart here.
#pragma once

#include <cstdint>
#include <span>

#include "mupti.h"
#include "musashim_tables.h"

namespace musashim::mupti {

struct Event {
  MUpti_EventID id;
  const char *name, *shortText, *longText;
  // What a kernel adds, on a device of so many threads in a warp.
  uint64_t (*count)(const MUshimWork& kernel, unsigned warp);
};

std::span<const Event> events();
const Event* findEvent(MUpti_EventID id);  // null: there is none

inline constexpr MUpti_EventDomainID kDomain = 1;  // the only one, of one instance: the whole device

// Whether groups count, and what a kernel that has ended adds to them.
bool countsEvents();
void countKernel(const MUshimWork& kernel);
// Nobody counts any more.
void endEvents();

// An attribute's value for a caller with room for *valueSize bytes; of a text, as much as there is room for.
MUptiResult giveBytes(size_t* valueSize, void* value, const void* what, size_t bytes);
MUptiResult giveText(size_t* valueSize, void* value, const char* text);
// Ids, as many as there is room for.
MUptiResult giveIds(size_t* arraySizeBytes, uint32_t* array, std::span<const uint32_t> ids);

template <class T>
MUptiResult give(size_t* valueSize, void* value, const T& what) {
  return giveBytes(valueSize, value, &what, sizeof(T));
}

bool isDevice(MUdevice device);

}  // namespace musashim::mupti
