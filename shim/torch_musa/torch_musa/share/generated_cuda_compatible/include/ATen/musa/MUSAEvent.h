#pragma once

#include "torch_musa/csrc/core/MUSAEvent.h"
