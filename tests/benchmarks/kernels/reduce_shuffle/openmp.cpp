#include "../reduce_shared/openmp.cpp"
