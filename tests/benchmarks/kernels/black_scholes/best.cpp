// With -ffast-math and vector logarithm and exponential (see driver/table.py).
#include "openmp.cpp"
