#include "mccl/perf/launcher.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include "mccl/net/job.h"
#include "mccl/perf/pmi.h"

namespace musashim::perf {
namespace {

constexpr auto kFileFor = std::chrono::seconds(60);

const char* firstSet(std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (const char* value = std::getenv(name)) return value;
  }
  return nullptr;
}

std::string hexOf(const Place& place) {
  std::string text;
  const auto* bytes = reinterpret_cast<const unsigned char*>(&place);
  for (size_t i = 0; i < sizeof place; ++i) text += fmt::format("{:02x}", bytes[i]);
  return text;
}

bool fromHex(const std::string& text, Place& place) {
  if (text.size() != 2 * sizeof place) return false;
  auto* bytes = reinterpret_cast<unsigned char*>(&place);
  for (size_t i = 0; i < sizeof place; ++i)
    bytes[i] = static_cast<unsigned char>(std::stoul(text.substr(2 * i, 2), nullptr, 16));
  return true;
}

// The file of an earlier job is not this one's: process 0 writes it anew, and others look for the job's name.
std::string shareByFile(const std::string& path, const Launched& launched, Place& place) {
  if (launched.rank == 0) {
    const std::string draft = fmt::format("{}.{}", path, getpid());
    std::ofstream file(draft);
    file << launched.job << '\n' << hexOf(place) << '\n';
    file.close();
    std::error_code error;
    if (file) std::filesystem::rename(draft, path, error);
    return file && !error ? "" : "MCCL_TESTS_FILE cannot be written";
  }
  for (const auto end = std::chrono::steady_clock::now() + kFileFor;
       std::chrono::steady_clock::now() < end;) {
    std::ifstream file(path);
    std::string job, text;
    if (std::getline(file, job) && std::getline(file, text) && job == launched.job && fromHex(text, place))
      return "";
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return "MCCL_TESTS_FILE does not appear: it has to be in a folder that all hosts share";
}

std::string shareByPmi(const Launched& launched, Place& place) {
  Pmi pmi;
  std::string text = hexOf(place);
  const bool good = pmi.open() && (launched.rank != 0 || pmi.put("mccl-tests", text)) && pmi.barrier() &&
                    pmi.get("mccl-tests", text) && fromHex(text, place);
  pmi.close();
  return good ? "" : "the launcher's PMI does not answer as version 1 does; set MCCL_TESTS_FILE";
}

// Its PMIx is not for others, but its library is there where its launcher is.
std::string shareByOpenMpi(Place& place) {
  void* const library = dlopen("libmpi.so.40", RTLD_NOW | RTLD_GLOBAL);
  if (!library) return fmt::format("{}; set MCCL_TESTS_FILE", dlerror());
  using Init = int(int*, char***);
  using Broadcast = int(void*, int, void*, int, void*);
  using Finalize = int();
  auto* const init = reinterpret_cast<Init*>(dlsym(library, "MPI_Init"));
  auto* const broadcast = reinterpret_cast<Broadcast*>(dlsym(library, "MPI_Bcast"));
  auto* const finalize = reinterpret_cast<Finalize*>(dlsym(library, "MPI_Finalize"));
  void* const world = dlsym(library, "ompi_mpi_comm_world");
  void* const byte = dlsym(library, "ompi_mpi_byte");
  if (!init || !broadcast || !finalize || !world || !byte) return "libmpi.so.40 is not Open MPI's";
  const bool good =
      init(nullptr, nullptr) == 0 && broadcast(&place, static_cast<int>(sizeof place), byte, 0, world) == 0;
  return finalize() == 0 && good ? "" : "Open MPI's processes do not reach each other";
}

}  // namespace

Launched Launched::byEnvironment() {
  Launched launched;
  const char* rank = firstSet({"MCCL_TESTS_RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"});
  const char* size = firstSet({"MCCL_TESTS_SIZE", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS"});
  if (!rank || !size || std::atoi(size) < 2) return launched;
  launched.rank = std::atoi(rank);
  launched.size = std::atoi(size);
  // The launcher's own name for the job, or else its process.
  const char* job = firstSet({"MCCL_TESTS_JOB", "PMIX_NAMESPACE", "PMI_JOBID", "SLURM_JOB_ID"});
  launched.job = job ? job : std::to_string(getppid());
  const char* const step = std::getenv("SLURM_STEP_ID");
  if (job && step && job == std::getenv("SLURM_JOB_ID")) launched.job += fmt::format(".{}", step);
  const bool isNamed = firstSet({"MCCL_TESTS_ROOT", "MCCL_TESTS_FILE"}) != nullptr;
  const bool isOurs = std::getenv("MCCL_TESTS_RANK") != nullptr;  // without either all are on one host
  const bool tellsHosts =
      firstSet({"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "SLURM_NNODES"}) != nullptr;
  launched.hasSeveralHosts = isNamed || (!isOurs && tellsHosts && !mccl::isJobOfOneHost());
  return launched;
}

std::string firstOfNodes(const std::string& list) {
  std::string name;
  bool inside = false, isFirst = true;  // of brackets, and of what is in them
  for (const char c : list) {
    if (c == '[') {
      inside = isFirst = true;
    } else if (c == ']') {
      inside = false;
    } else if (inside) {
      isFirst = isFirst && c != '-' && c != ',';
      if (isFirst) name += c;
    } else if (c == ',') {
      break;
    } else {
      name += c;
    }
  }
  return name;
}

std::optional<Place> placeInEnvironment(const Launched& launched) {
  std::string where;
  if (const char* root = std::getenv("MCCL_TESTS_ROOT")) where = root;
  const char* const nodes = firstSet({"SLURM_STEP_NODELIST", "SLURM_JOB_NODELIST", "SLURM_NODELIST"});
  const std::hash<std::string> hash;
  // PMI, where Slurm gives one of version 1, needs no port that may be taken.
  const bool isElsewhere = firstSet({"MCCL_TESTS_FILE", "PMI_FD", "OMPI_COMM_WORLD_SIZE"}) != nullptr;
  if (where.empty() && nodes && !isElsewhere)
    where = fmt::format("{}:{}", firstOfNodes(nodes), 15000 + hash(launched.job) % 10000);
  Place place;
  if (where.empty() || !mccl::parseAddress(where, AF_UNSPEC, place.address)) return std::nullopt;
  // No protection against one's own programs: who reads the environment knows it.
  place.secret = {hash(launched.job + "#1"), hash(launched.job + where + std::to_string(getuid()))};
  return place;
}

std::string sharePlace(const Launched& launched, Place& place) {
  if (const char* path = std::getenv("MCCL_TESTS_FILE")) return shareByFile(path, launched, place);
  if (std::getenv("PMI_FD")) return shareByPmi(launched, place);
  if (std::getenv("OMPI_COMM_WORLD_SIZE")) return shareByOpenMpi(place);
  return "its processes are on several hosts: set MCCL_TESTS_ROOT to an address and port of process 0, or "
         "MCCL_TESTS_FILE to a file in a folder that all hosts share";
}

}  // namespace musashim::perf
