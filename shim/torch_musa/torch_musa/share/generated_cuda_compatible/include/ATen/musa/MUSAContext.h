#pragma once

#include "torch_musa/csrc/aten/musa/MUSAContext.h"
