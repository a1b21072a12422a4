#pragma once
#include "torch_musa/csrc/core/Device.h"
