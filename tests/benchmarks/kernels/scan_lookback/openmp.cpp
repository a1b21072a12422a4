// What the kernel computes cannot be had in one pass without blocks that wait for each other: the CPU's own
// form.
#include "../scan/best.cpp"
