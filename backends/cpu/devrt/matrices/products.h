// Products of matrix fragments: words that 32 lanes share, results behind them (abi/matrix_layout.h).
#pragma once

#include "cpu/devrt/matrices/fragments.h"

namespace musashim::devrt::matrices {

void multiplyFloats(const Product& product, uint32_t* words);    // of 16 bits and less, and TF32
void multiplyIntegers(const Product& product, uint32_t* words);  // of 8, 4 and 1 bits
void multiplyDoubles(const Product& product, uint32_t* words);

}  // namespace musashim::devrt::matrices
