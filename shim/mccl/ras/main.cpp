// Shows how the communicators of this user on this machine are: asks every process that has one.
#include <sys/socket.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include "mccl/bootstrap/socket.h"
#include "mccl/watch/ras.h"

namespace {

using namespace musashim::mccl;

constexpr const char* kHelp =
    "mcclras [-v]: who waits for whom in the communicators of this user on this machine\n"
    "  -v  a line for every rank\n"
    "A process does not answer when it was started with MCCL_RAS_ENABLE=0.\n";

// The doors of all processes; the kernel writes the zero byte of an abstract name as @.
std::set<std::string> findDoors() {
  std::set<std::string> doors;
  std::ifstream sockets("/proc/net/unix");
  const std::string prefix = "@" + rasDoorPrefix();
  for (std::string line; std::getline(sockets, line);) {
    const size_t at = line.find(prefix);
    if (at != std::string::npos) doors.insert(line.substr(at + 1));
  }
  return doors;
}

std::string ask(const std::string& door, bool verbose) {
  const Fd socket = connectToDoor(door);
  const std::string request = verbose ? "VERBOSE STATUS\n" : "STATUS\n";
  if (!socket || !sendAll(socket.get(), request.data(), request.size())) return "";
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  std::string text;
  for (char next;
       receiveAll(socket.get(), &next, 1, [&] { return std::chrono::steady_clock::now() < end; });) {
    text += next;
  }
  return text;
}

// Every process of a communicator tells the same about it: the last one that does is taken.
void collect(const std::string& report, std::map<std::string, std::string>& communicators) {
  constexpr const char* kFirst = "communicator ";
  for (size_t at = report.find(kFirst); at != std::string::npos;) {
    const size_t next = report.find(kFirst, at + 1);
    const std::string block = report.substr(at, next == std::string::npos ? next : next - at);
    communicators[block.substr(0, std::strlen(kFirst) + 32)] = block;
    at = next;
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bool verbose = argc == 2 && (!std::strcmp(argv[1], "-v") || !std::strcmp(argv[1], "--verbose"));
  if (argc > 1 && !verbose) {
    std::fputs(kHelp, stdout);
    return std::strcmp(argv[1], "-h") && std::strcmp(argv[1], "--help") ? 2 : 0;
  }
  const std::set<std::string> doors = findDoors();
  std::map<std::string, std::string> communicators;
  for (const std::string& door : doors) collect(ask(door, verbose), communicators);
  std::printf("%zu processes, %zu communicators\n", doors.size(), communicators.size());
  for (const auto& [name, block] : communicators) std::fputs(block.c_str(), stdout);
}
