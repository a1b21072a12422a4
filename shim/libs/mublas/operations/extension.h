// What cuBLAS has beyond BLAS: sums and scaled columns, matrices of mixed types.
#pragma once

#include "libs/mublas/operations/gemm_ex.h"
#include "libs/mublas/operations/grouped.h"
#include "libs/mublas/operations/level1_ex.h"
#include "libs/mublas/operations/level2.h"
#include "libs/mublas/operations/level3.h"
#include "libs/mublas/operations/rearrange.h"
#include "libs/mublas/operations/vectors_ex.h"
