// The 64-bit interface.
#pragma once

#include "libs/musolver/operations/wide_eigenvalues.h"
#include "libs/musolver/operations/wide_general.h"
#include "libs/musolver/operations/wide_systems.h"
