#include "mtshmem/tools/host_list.h"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace musashim::mtshmem {
namespace {

constexpr const char* kHandedOn[] = {"MTSHMEM_", "MUSASHIM_",        "MUSA_", "MCCL_",
                                     "NCCL_",    "LD_LIBRARY_PATH=", "PATH="};

std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace

void HostList::add(const std::string& list) {
  std::stringstream stream(list);
  for (std::string one; std::getline(stream, one, ',');) {
    const size_t colon = one.rfind(':');
    const bool isSaid = colon != std::string::npos && one.find(':') == colon;
    if (!one.empty())
      hosts_.emplace_back(one.substr(0, isSaid ? colon : one.size()),
                          isSaid ? std::atoi(one.c_str() + colon + 1) : 0);
  }
}

bool HostList::addFile(const std::string& path) {
  std::ifstream file(path);
  if (!file) return false;
  for (std::string line; std::getline(file, line);) {
    std::stringstream words(line.substr(0, line.find('#')));
    std::string host;
    if (words >> host) add(host);
  }
  return true;
}

bool HostList::spread(int size, int perHost) {
  if (hosts_.empty()) return true;
  const int count = static_cast<int>(hosts_.size());
  const int each = perHost > 0 ? perHost : (size + count - 1) / count;
  for (const auto& [host, wanted] : hosts_) {
    for (int i = 0; i < (wanted > 0 ? wanted : each) && static_cast<int>(places_.size()) < size; ++i)
      places_.push_back(host);
  }
  return static_cast<int>(places_.size()) == size;
}

std::string remoteCommand(const std::vector<std::pair<std::string, std::string>>& variables,
                          const std::vector<std::string>& exported, char** command) {
  char folder[4096];
  std::string line = "cd " + quoted(getcwd(folder, sizeof folder) != nullptr ? folder : "/") + " && exec env";
  for (char** one = environ; *one != nullptr; ++one) {
    const std::string text = *one;
    bool isWanted = false;
    for (const char* const prefix : kHandedOn) isWanted |= text.starts_with(prefix);
    for (const std::string& name : exported) isWanted |= text.starts_with(name + "=");
    if (isWanted) line += " " + quoted(text);
  }
  for (const auto& [name, value] : variables) line += " " + quoted(name + "=" + value);
  for (char** word = command; *word != nullptr; ++word) line += " " + quoted(*word);
  return line;
}

}  // namespace musashim::mtshmem
