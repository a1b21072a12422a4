/* Waiting for variables that others write, and testing them. */
#ifndef MTSHMEM_DETAIL_WAITS_H
#define MTSHMEM_DETAIL_WAITS_H

#include "data.h"

namespace mtshmemi {

template <typename T>
MTSHMEMI_FN bool compares(T value, int comparison, T with) {
  switch (comparison) {
    case 0:
      return value == with;
    case 1:
      return value != with;
    case 2:
      return value > with;
    case 3:
      return value <= with;
    case 4:
      return value < with;
    case 5:
      return value >= with;
    default:
      return false;
  }
}

template <typename T>
MTSHMEMI_FN bool test(const T* variable, int comparison, T with) {
  return compares(load(variable), comparison, with);
}

/* From the first time that what is waited for was not there. The library looks at it now and then: whether
 * all PEs live, and how long it takes. */
template <typename T>
MTSHMEMI_FN mtshmemi_wait_t beginWait(const T* variables, size_t count, int comparison, T with,
                                      int team = -1) {
  mtshmemi_wait_t wait{};
  wait.place = variables;
  wait.count = count;
  wait.wanted = static_cast<uint64_t>(with);
  wait.comparison = comparison;
  wait.width = static_cast<T>(-1) < T{} ? -static_cast<int>(sizeof(T)) : static_cast<int>(sizeof(T));
  wait.team = team;
  return wait;
}

MTSHMEMI_FAR void lookAt(mtshmemi_wait_t& wait) {
  if (wait.begun == 0) needHeap(), sayWhere(wait);
  state().look(&wait, 0);
}

MTSHMEMI_FN void pauseWaiting(mtshmemi_wait_t& wait) {
  rest(++wait.turns);
  if (wait.turns % 256 == 0) lookAt(wait);
}

MTSHMEMI_FN void endWait(mtshmemi_wait_t& wait) {
  if (wait.entry != 0) state().look(&wait, 1);
}

/* The inner loop does nothing but look, by which mcc knows that blocks wait here for others, and lets those
 * run. */
template <typename T>
MTSHMEMI_FN void waitUntil(const T* variable, int comparison, T with, int team = -1) {
  if (test(variable, comparison, with)) return;
  mtshmemi_wait_t wait = beginWait(variable, 1, comparison, with, team);
  for (uint32_t turns = 0;;) {
    do {
      rest(++turns);
      if (test(variable, comparison, with)) return endWait(wait);
    } while (turns % 256 != 0);
    lookAt(wait);
  }
}

/* How many of those that count hold; `one` is the last of them. A status that is not 0 leaves its variable
 * out. */
template <typename T>
MTSHMEMI_FN size_t testSome(const T* variables, size_t count, size_t* which, const int* status,
                            int comparison, const T* with, size_t step, size_t& left) {
  size_t found = 0;
  left = 0;
  for (size_t i = 0; i < count; ++i) {
    if (status != nullptr && status[i] != 0) continue;
    ++left;
    if (!test(variables + i, comparison, with[i * step])) continue;
    if (which != nullptr) which[found] = i;
    ++found;
  }
  return found;
}

template <typename T>
MTSHMEMI_FN void waitAll(const T* variables, size_t count, const int* status, int comparison, const T* with,
                         size_t step) {
  for (size_t i = 0; i < count; ++i) {
    if (status == nullptr || status[i] == 0) waitUntil(variables + i, comparison, with[i * step]);
  }
}

template <typename T>
MTSHMEMI_FN int testAll(const T* variables, size_t count, const int* status, int comparison, const T* with,
                        size_t step) {
  size_t left = 0;
  return testSome(variables, count, nullptr, status, comparison, with, step, left) == left;
}

/* SIZE_MAX if there is none to wait for. */
template <typename T>
MTSHMEMI_FN size_t testAny(const T* variables, size_t count, const int* status, int comparison, const T* with,
                           size_t step, bool& none) {
  none = true;
  for (size_t i = 0; i < count; ++i) {
    if (status != nullptr && status[i] != 0) continue;
    none = false;
    if (test(variables + i, comparison, with[i * step])) return i;
  }
  return SIZE_MAX;
}

template <typename T>
MTSHMEMI_FN size_t waitAny(const T* variables, size_t count, const int* status, int comparison, const T* with,
                           size_t step) {
  bool none = false;
  size_t found = testAny(variables, count, status, comparison, with, step, none);
  if (found != SIZE_MAX || none) return found;
  mtshmemi_wait_t wait = beginWait(variables, count, comparison, *with);
  do {
    pauseWaiting(wait);
    found = testAny(variables, count, status, comparison, with, step, none);
  } while (found == SIZE_MAX);
  endWait(wait);
  return found;
}

template <typename T>
MTSHMEMI_FN size_t waitSome(const T* variables, size_t count, size_t* which, const int* status,
                            int comparison, const T* with, size_t step) {
  size_t left = 0;
  size_t found = testSome(variables, count, which, status, comparison, with, step, left);
  if (found > 0 || left == 0) return found;
  mtshmemi_wait_t wait = beginWait(variables, count, comparison, *with);
  do {
    pauseWaiting(wait);
    found = testSome(variables, count, which, status, comparison, with, step, left);
  } while (found == 0);
  endWait(wait);
  return found;
}

template <typename T>
MTSHMEMI_FN size_t testAnyAlone(const T* variables, size_t count, const int* status, int comparison,
                                const T* with, size_t step) {
  bool none = false;
  return testAny(variables, count, status, comparison, with, step, none);
}

template <typename T>
MTSHMEMI_FN size_t testSomeAlone(const T* variables, size_t count, size_t* which, const int* status,
                                 int comparison, const T* with, size_t step) {
  size_t left = 0;
  return testSome(variables, count, which, status, comparison, with, step, left);
}

}  // namespace mtshmemi

#endif
