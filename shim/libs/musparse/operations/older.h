// Calls of cuSPARSE before 12, and those that 12 still has but tells to leave.
#pragma once

#include "libs/musparse/older/blocks.h"
#include "libs/musparse/older/coloring.h"
#include "libs/musparse/older/dense.h"
#include "libs/musparse/older/products.h"
#include "libs/musparse/older/sparse_product.h"
#include "libs/musparse/older/triangles.h"
#include "libs/musparse/older/vectors.h"
