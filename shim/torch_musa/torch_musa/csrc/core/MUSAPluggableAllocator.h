// What extensions include for pools of memory. Allocators of others cannot be plugged in.
#pragma once

#include "torch_musa/csrc/core/MUSACachingAllocator.h"
