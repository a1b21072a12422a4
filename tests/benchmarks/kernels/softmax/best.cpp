// With -ffast-math and a vector exponential (see driver/table.py).
#include "openmp.cpp"
