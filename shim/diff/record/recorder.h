// Events of a run, as the front ends see them (calls.h), to lines of the run's folder.
#pragma once

#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "api.h"
#include "images.h"
#include "memory.h"
#include "run_folder.h"

namespace musashim::record {

struct Launch {
  TYPE(function) function;
  unsigned grid[3], block[3], shared;
  TYPE(stream) stream;
  void** parameters;
  void** extra;
};

// One recorder in a process. An event's begin...() takes the lock that end() gives back, so that no other
// thread's work runs between what is read before and after.
class Recorder {
 public:
  static Recorder* get();  // null when MUSASHIM_RECORD names no folder

  void beginKernel(const Launch& launch);
  void beginCopy(const char* direction, const void* target, size_t bytes, TYPE(stream) stream);
  void beginSet(const void* target, size_t bytes, TYPE(stream) stream);
  // A call that may write to what its pointers reach (a library's), or to anything (`pointers` is null: a
  // graph).
  void beginCall(const char* kind, const std::string& name, const std::vector<const void*>* pointers,
                 TYPE(stream) stream);
  void end(bool succeeded);

  // Collectives wait for other threads' and processes': no lock is held meanwhile. Those of a thread end
  // together.
  void beginCollective(const std::string& name, const std::vector<const void*>& pointers);
  void endCollectives();

  void allocated(const void* base, size_t bytes, const char* kind);
  void freed(const void* base);
  void loaded(const void* image, size_t bytes);
  void loadedFile(const char* path);

 private:
  Recorder(const std::string& path, const std::string& keep, uint64_t limit);
  bool capturing(TYPE(stream) stream) const;
  bool keeps() const;
  void write(const std::string& text, std::vector<Touched>& touched, bool succeeded);
  void begin(std::string text, const std::vector<Allocation*>& roots, bool captured);
  std::string arguments(const Launch& launch, const std::string& name, std::vector<Allocation*>& roots);
  std::vector<Allocation*> variablesOf(TYPE(function) function, const std::string& kernel);

  std::recursive_mutex mutex_;
  RunFolder folder_;
  Memory memory_{folder_};
  Images images_;
  std::set<std::string> knownImages_;  // whose variables are allocations
  uint64_t keepFirst_ = 0, keepLast_ = 0;
  uint64_t next_ = 0;  // number of the next event
  // The one that runs:
  std::string text_;
  std::vector<Touched> touched_;
  bool captured_ = false;
};

}  // namespace musashim::record
