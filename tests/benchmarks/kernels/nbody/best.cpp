// The split kernel with -ffast-math (see driver/table.py): the root's estimate and a step of Newton's
// instead of root and division.
#include "split.cpp"
