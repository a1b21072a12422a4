// Jacobi's methods: eigenvalues and singular values.
#pragma once

#include "libs/musolver/operations/singular.h"
#include "libs/musolver/operations/symmetric.h"
