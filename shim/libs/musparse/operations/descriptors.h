// Descriptors of the generic interface.
#pragma once

#include "libs/musparse/operations/dense_descriptors.h"
#include "libs/musparse/operations/matrices.h"
