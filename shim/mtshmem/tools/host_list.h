// The hosts of a job, and which of its PEs begin where.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace musashim::mtshmem {

class HostList {
 public:
  // "host0,host1:4"
  void add(const std::string& list);
  // A host on each line; # begins a comment. False if it cannot be read.
  bool addFile(const std::string& path);
  bool isEmpty() const { return hosts_.empty(); }
  // PEs in equal parts, or `perHost` on each, in blocks. False if there is no room.
  bool spread(int size, int perHost);
  // Empty: here, without a launcher.
  std::string hostOf(int pe) const { return places_.empty() ? "" : places_[static_cast<size_t>(pe)]; }

  std::vector<std::string> exported;  // variables of the environment, by name

 private:
  std::vector<std::pair<std::string, int>> hosts_;  // and how many PEs are wanted there; 0: not said
  std::vector<std::string> places_;
};

// A line for a remote shell: with these variables, those of `exported` and those of the library's family, in
// this folder.
std::string remoteCommand(const std::vector<std::pair<std::string, std::string>>& variables,
                          const std::vector<std::string>& exported, char** command);

}  // namespace musashim::mtshmem
