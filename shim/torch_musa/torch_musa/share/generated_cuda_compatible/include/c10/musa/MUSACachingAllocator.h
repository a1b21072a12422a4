#pragma once

#include "torch_musa/csrc/core/MUSACachingAllocator.h"
