#pragma once

#include "torch_musa/csrc/core/MUSAFunctions.h"
