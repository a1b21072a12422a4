// Compares answers about the compute capability with the one that the program was told to expect, 80.
#pragma once

#include <stdio.h>
#include <stdlib.h>

static int expected, wrong;

static void expect(const char* who, int capability) {
  if (capability == expected) return;
  printf("%s: %d, not %d\n", who, capability, expected);
  ++wrong;
}

static void require(const char* what, int status) {
  if (status == 0) return;
  printf("%s failed: %d\n", what, status);
  exit(100);
}
