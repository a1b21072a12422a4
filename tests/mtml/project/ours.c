#include <mttx3/mtToolsExt.h>
#include <mtml.h>
#include <stdio.h>

unsigned int theirs(void);

int main(void) {
  MtmlLibrary* library;
  unsigned int count = 0;
  mttxRangePushA("main");
  if (mtmlLibraryInit(&library) != MTML_SUCCESS || mtmlLibraryCountDevice(library, &count) != MTML_SUCCESS) return 1;
  printf("%u %u\n", count, theirs());
  mttxRangePop();
  return mtmlLibraryShutDown(library);
}
