#pragma once

__device__ inline int value() { return 1000; }
