// musa_version_query: the versions of the SDK's parts, in the vendor's form. Under the name <part>_version,
// of that part alone; a part that is not installed is not told.
#include <musa_runtime.h>
#include <unistd.h>

#include <climits>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

namespace {

struct Part {
  const char* name;
  const char* version;
  const char* file;  // without which it is not there; empty: it always is
};
struct Commit {
  const char *branch, *tag, *id, *date;
};
#include "release_parts.inc"

// Of this SDK: the folder above the one that the program is in.
std::string folder() {
  char path[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  std::string program(path, length > 0 ? static_cast<size_t>(length) : 0);
  for (int i = 0; i < 2; ++i) program.resize(program.find_last_of('/') + 1 ? program.find_last_of('/') : 0);
  return program;
}

bool isInstalled(const Part& part) {
  return *part.file == '\0' || access((folder() + "/" + part.file).c_str(), F_OK) == 0;
}

std::string text(int version) {
  return std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
         std::to_string(version % 100);
}

// What a program would be told: of the runtime the one that is loaded.
std::string versionOf(const Part& part) {
  int runtime = 0;
  const bool isRuntime = std::string_view(part.name) == "musa_runtime";
  return isRuntime && musaRuntimeGetVersion(&runtime) == musaSuccess ? text(runtime) : part.version;
}

void show(const Part& part) {
  std::printf("%s:\n{\n\t\"version\":\t\"%s\",\n\t\"git branch\":\t\"%s\",\n\t\"git tag\":\t\"%s\",\n",
              part.name, versionOf(part).c_str(), kCommit.branch, kCommit.tag);
  std::printf("\t\"commit id\":\t\"%s\",\n\t\"commit date\":\t\"%s\"\n}\n", kCommit.id, kCommit.date);
}

int showOne(std::string_view name) {
  for (const Part& part : kParts) {
    if (part.name != name || !isInstalled(part)) continue;
    show(part);
    return 0;
  }
  std::fprintf(stderr, "%.*s is not installed in this SDK, %s\n", static_cast<int>(name.size()), name.data(),
               folder().c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view path = argc > 0 ? argv[0] : "";
  const std::string_view name = path.substr(path.rfind('/') + 1);
  if (argc > 1) {
    std::printf("%.*s: versions of the SDK's parts; takes no arguments\n", static_cast<int>(name.size()),
                name.data());
    return std::strcmp(argv[1], "--help") == 0 ? 0 : 2;
  }
  constexpr std::string_view kEnd = "_version";
  if (name.ends_with(kEnd)) return showOne(name.substr(0, name.size() - kEnd.size()));
  for (const Part& part : kParts)
    if (isInstalled(part)) show(part);
  return 0;
}
