// The names under which ported extensions know it.
#pragma once
#include "torch_musa/csrc/core/Device.h"
