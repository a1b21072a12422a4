#include "nvcc_face.h"

#include <cstdlib>
#include <filesystem>

#include "core/cuda_capability.h"
#include "llvm/Support/raw_ostream.h"
#include "mcc/driver/options/option_words.h"

namespace musashim::mcc {
namespace {

// What goes before and behind the arguments of every call.
constexpr const char* kPrepended = "NVCC_PREPEND_FLAGS";
constexpr const char* kAppended = "NVCC_APPEND_FLAGS";

void addVariable(const char* name, std::vector<std::string>& arguments) {
  const char* value = std::getenv(name);
  if (value == nullptr) return;
  for (const std::string& word : wordsOfVariable(value)) arguments.push_back(word);
}

}  // namespace

bool isCalledNvcc(const std::string& program) { return std::filesystem::path(program).stem() == "nvcc"; }

std::vector<std::string> mccArguments(const std::string& self, const std::vector<std::string>& arguments) {
  std::vector<std::string> result{"-x", "cuda"};
  addVariable(kPrepended, result);
  result.insert(result.end(), arguments.begin(), arguments.end());
  addVariable(kAppended, result);
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

void printNvccArchitectures(const Options& options) {
  for (const int number : core::cudaCapabilities()) {
    if (number > core::cudaCapability().capability.number()) break;
    const std::string virtualName = "compute_" + std::to_string(number), realName = "sm_" + std::to_string(number);
    if (options.listGpuArchs && options.listGpuCodes) {
      llvm::outs() << "arch=" << virtualName << ",code=" << realName << "\n";
    } else {
      llvm::outs() << (options.listGpuArchs ? virtualName : realName) << "\n";
    }
  }
}

void printNvccPlaces(const Toolchain& toolchain) {
  const std::string face = toolchain.sdk + "/cuda";
  const std::string libraries = "\"-L" + face + "/lib64/stubs\" \"-L" + face + "/lib64\"";
  const char* path = std::getenv("PATH");
  for (const char* name : {kPrepended, kAppended}) {
    const char* flags = std::getenv(name);
    if (flags != nullptr) llvm::errs() << "#$ " << name << "=\"" << flags << "\"\n";
  }
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
