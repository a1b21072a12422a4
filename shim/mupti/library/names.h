// Generated tables of names.
#pragma once

#include <cstdint>
#include <span>

#include "mupti.h"

namespace musashim::mupti {

struct Name {
  uint32_t number;
  const char* name;
};

std::span<const Name> namesRuntime();
std::span<const Name> namesDriver();
std::span<const Name> namesResults();
std::span<const Name> namesResources();
std::span<const Name> namesSynchronizations();

// Null where there is none. Tables are sorted.
const char* nameOf(std::span<const Name> names, uint32_t number);

}  // namespace musashim::mupti
