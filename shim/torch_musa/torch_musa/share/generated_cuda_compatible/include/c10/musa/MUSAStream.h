#pragma once

#include "torch_musa/csrc/core/MUSAStream.h"
