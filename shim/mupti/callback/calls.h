// Calls of the API by name: what MUPTI's numbers are, and how CUPTI's interface lays their arguments out.
// Generated.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "mupti.h"
#include "musashim_tables.h"

namespace musashim::mupti {

struct Part {
  uint16_t bytes, alignment;
};

struct Call {
  const char* name;
  uint32_t cbid;
  uint32_t partCount;
  const Part* parts;
};

std::span<const Call> runtimeCalls();
std::span<const Call> driverCalls();

// Null where the call is none of the runtime's or the driver's.
const Call* findCall(const MUshimCall& call, MUpti_CallbackDomain& domain);

// The arguments as <name>_params; false where those that are told are others.
bool layOut(const Call& known, const MUshimCall& call, std::vector<uint64_t>& room);

// An argument as it was told; null where it is not there or has another size.
template <class T>
const T* argument(const MUshimCall& call, unsigned place) {
  if (call.arguments == nullptr || place >= call.argumentCount || call.argumentBytes[place] != sizeof(T))
    return nullptr;
  return static_cast<const T*>(call.arguments[place]);
}

}  // namespace musashim::mupti
