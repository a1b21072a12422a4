#include "nvcc_face.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "core/cuda_capability.h"
#include "llvm/Support/raw_ostream.h"

namespace musashim::mcc {
namespace {

bool isMacro(const std::string& argument) {
  return argument.rfind("-D", 0) == 0 && argument.find('=') != std::string::npos;
}

// nvcc's values are lists, so a build writes -DSIZES=1\,2 where it means 1,2.
std::string keptCommas(std::string argument) {
  for (size_t at; (at = argument.find("\\,")) != std::string::npos;) argument.erase(at, 1);
  return argument;
}

}  // namespace

bool isCalledNvcc(const std::string& program) { return std::filesystem::path(program).stem() == "nvcc"; }

std::vector<std::string> mccArguments(const std::string& self, const std::vector<std::string>& arguments) {
  std::vector<std::string> result{"-x", "cuda"};
  for (const std::string& argument : arguments)
    result.push_back(isMacro(argument) ? keptCommas(argument) : argument);
  // Its own libraries come behind the user's folders and before the system's, where another toolkit's may
  // lie.
  result.push_back("-L" + std::filesystem::path(self).parent_path().parent_path().string() + "/cuda/lib64");
  return result;
}

void printNvccVersion() {
  llvm::outs() << "nvcc: NVIDIA (R) Cuda compiler driver\n"
                  "Here it is mcc " MUSASHIM_VERSION
                  " (musashim), which takes its place for emulated MUSA devices\n"
                  "Cuda compilation tools, release " MCC_NVCC_MAJOR "." MCC_NVCC_MINOR ", V" MCC_NVCC_MAJOR
                  "." MCC_NVCC_MINOR "." MCC_NVCC_BUILD "\n";
}

void printNvccArchitectures(const std::vector<std::string>& arguments) {
  const bool code = std::ranges::any_of(arguments, [](const std::string& argument) {
    return argument.ends_with("-list-gpu-code") || argument.ends_with("-code-ls");
  });
  for (const int number : core::cudaCapabilities()) {
    if (number <= core::cudaCapability().capability.number())
      llvm::outs() << (code ? "sm_" : "compute_") << number << '\n';
  }
}

void printNvccPlaces(const Toolchain& toolchain) {
  const std::string face = toolchain.sdk + "/cuda";
  const std::string libraries = "\"-L" + face + "/lib64/stubs\" \"-L" + face + "/lib64\"";
  const char* path = std::getenv("PATH");
  llvm::errs() << "#$ _HERE_=" << face << "/bin\n"
               << "#$ TOP=" << face << "\n"
               << "#$ NVVMIR_LIBRARY_DIR=" << face << "/nvvm/libdevice\n"
               << "#$ PATH=" << face << "/bin:" << (path != nullptr ? path : "") << "\n"
               << "#$ INCLUDES=\"-I" << face << "/include\"\n"
               << "#$ LIBRARIES=  " << libraries
               << "\n"
               // The architecture that nvcc would compile for, and how it would link.
               << "#$ cicc -arch compute_" << core::cudaCapability().capability.number() << "\n"
               << "#$ g++ -m64 -o \"a.out\" " << libraries
               << " -lcudadevrt -lcudart_static -lrt -lpthread -ldl\n";
}

}  // namespace musashim::mcc
