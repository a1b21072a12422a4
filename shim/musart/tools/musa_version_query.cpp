// musa_version_query: the versions of the SDK's parts, in the vendor's form. Under the name
// musa_runtime_version, that of the runtime alone.
#include <musa_runtime.h>
#include <unistd.h>

#include <climits>
#include <cstdio>
#include <cstring>
#include <string>

namespace {

// Of this SDK: the folder above the one that the program is in.
std::string folder() {
  char path[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  const std::string program(path, length > 0 ? static_cast<size_t>(length) : 0);
  return program.substr(0, program.find_last_of('/'));
}

std::string text(int version) {
  return std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
         std::to_string(version % 100);
}

// "mcc version 4.3.0 ..." of the compiler beside us; empty where there is none.
std::string compilerVersion() {
  const std::string command = "\"" + folder() + "/mcc\" --version 2>/dev/null";
  FILE* output = popen(command.c_str(), "r");
  if (!output) return "";
  char line[512] = "", version[64] = "";
  while (std::fgets(line, sizeof line, output)) {
    if (version[0] == '\0') std::sscanf(line, "mcc version %63s", version);
  }
  pclose(output);
  return version;
}

void block(const char* name, const std::string& version) {
  std::printf("%s:\n{\n\t\"version\":\t\"%s\"\n}\n", name, version.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) {
    std::puts("musa_version_query: the versions of the SDK's parts; takes no arguments");
    return std::strcmp(argv[1], "--help") == 0 ? 0 : 2;
  }
  int runtime = 0;
  if (musaRuntimeGetVersion(&runtime) != musaSuccess) return 1;
  const char* name = std::strrchr(argv[0], '/');
  const bool isWhole = std::strcmp(name ? name + 1 : argv[0], "musa_runtime_version") != 0;
  if (isWhole) {
    block("musa_toolkits", text(MUSART_VERSION));
    const std::string compiler = compilerVersion();
    if (!compiler.empty()) block("mcc", compiler);
  }
  block("musa_runtime", text(runtime));
  return 0;
}
