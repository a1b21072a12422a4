// Build files and scripts: what their words become.
#include <gtest/gtest.h>

#include <string>

#include "translator/lib/build/architecture_words.h"
#include "translator/lib/build/build.h"
#include "translator/lib/build/cmake_lexer.h"
#include "translator/lib/build/dialect.h"
#include "translator/lib/edit/apply.h"
#include "translator/lib/port.h"

namespace musashim::translator {
namespace {

struct Ported {
  std::string text;
  std::string left;  // subjects of what is left, with spaces
};

Ported port(std::string_view path, std::string_view text) {
  PortOptions options;
  BuildFacts facts;
  collectBuildFacts(path, text, facts);
  const Match match = findBuildEdits(path, text, options, noProject(), facts);
  Ported result{applyEdits(text, match.edits), {}};
  for (const Finding& finding : match.findings) {
    if (finding.kind == FindingKind::Unported) result.left += finding.subject + " ";
  }
  return result;
}

std::string make(std::string_view text) { return port("Makefile", text).text; }
std::string cmake(std::string_view text) { return port("x.cmake", text).text; }
std::string shell(std::string_view text) { return port("run.sh", text).text; }

TEST(Dialect, ByName) {
  EXPECT_EQ(dialectOf("a/CMakeLists.txt"), Dialect::CMake);
  EXPECT_EQ(dialectOf("cmake/FindX.cmake.in"), Dialect::CMake);
  EXPECT_EQ(dialectOf("Makefile.linux"), Dialect::Make);
  EXPECT_EQ(dialectOf("src/common.mk"), Dialect::Make);
  EXPECT_EQ(dialectOf("docker/Dockerfile.dev"), Dialect::Docker);
  EXPECT_EQ(dialectOf("setup.py"), Dialect::Python);
  EXPECT_EQ(dialectOf("run.sh"), Dialect::Shell);
  EXPECT_EQ(dialectOf("notes.txt"), Dialect::None);
  EXPECT_EQ(dialectOf("a.cu"), Dialect::None);
}

TEST(Architectures, PtxMeansLaterOnesToo) {
  EXPECT_EQ(architectureList("70;80-real;90a"), "21;22;31");
  EXPECT_EQ(architectureList("80-real"), "22");
  EXPECT_EQ(architectureList("86"), "22;31");
  EXPECT_EQ(architectureList("8.0 8.6"), "22");
  EXPECT_EQ(architectureList("7.5+PTX"), "21;22;31");
  EXPECT_EQ(architectureList("native"), std::nullopt);
  EXPECT_EQ(architecturesOfOption("arch=compute_80,code=sm_80"), std::vector<int>({22}));
  EXPECT_EQ(architecturesOfOption("arch=compute_80,code=[sm_80,compute_80]"), std::vector<int>({22, 31}));
  EXPECT_EQ(architecturesOfOption("sm_75"), std::vector<int>({21, 22, 31}));
  EXPECT_EQ(architecturesOfOption("native"), std::vector<int>());
  EXPECT_EQ(architecturesOfOption("compute_$(SM)"), std::nullopt);
}

TEST(Make, RulesAndVariables) {
  EXPECT_EQ(make("CUDA_HOME ?= /usr/local/cuda-12.4\nNVCC = $(CUDA_HOME)/bin/nvcc\n"),
            "MUSA_HOME ?= /usr/local/musa\nNVCC = $(MUSA_HOME)/bin/mcc\n");
  EXPECT_EQ(make("%.o: %.cu k.cuh\n\t$(NVCC) -c $< -o $@\n"), "%.o: %.mu k.muh\n\t$(NVCC) -c $< -o $@\n");
  EXPECT_EQ(make(".SUFFIXES: .cu .o\n.cu.o:\n\tnvcc -c $<\n"), ".SUFFIXES: .mu .o\n.mu.o:\n\tmcc -c $<\n");
  EXPECT_EQ(make("OBJ := $(patsubst %.cu,%.cu.o,$(wildcard src/*.cu))\n"),
            "OBJ := $(patsubst %.mu,%.mu.o,$(wildcard src/*.mu))\n");
  EXPECT_EQ(make("LDFLAGS += -L$(CUDA_PATH)/lib64 -lcudart -lcublas -lnccl -lm\n"),
            "LDFLAGS += -L$(MUSA_PATH)/lib -lmusart -lmublas -lmccl -lm\n");
  EXPECT_EQ(make("LIBS = cudart nccl pthread\n"), "LIBS = musart mccl pthread\n");
  EXPECT_EQ(make("NAMES = cudart nccl\n"), "NAMES = cudart nccl\n");  // not a list of libraries by its name
  EXPECT_EQ(make("# nvcc and /usr/local/cuda\n"), "# nvcc and /usr/local/musa\n");
  EXPECT_EQ(make("all:\n\t@echo \"nvcc makes a.cu\"; nvcc a.cu\n"),
            "all:\n\t@echo \"nvcc makes a.cu\"; mcc a.mu\n");
  EXPECT_EQ(make("$(info found nvcc in $(CUDA_HOME))\n"), "$(info found nvcc in $(MUSA_HOME))\n");
  EXPECT_EQ(make("run:\r\n\tNCCL_DEBUG=INFO CUDA_VISIBLE_DEVICES=0,1 ./app\r\n"),
            "run:\r\n\tMCCL_DEBUG=INFO MUSA_VISIBLE_DEVICES=0,1 ./app\r\n");
}

TEST(Make, Options) {
  EXPECT_EQ(make("NVCCFLAGS = -O3 --expt-relaxed-constexpr -Xcompiler -Wall,-Wextra -lineinfo\n"),
            "NVCCFLAGS = -O3 -Wall -Wextra -gline-tables-only\n");
  EXPECT_EQ(make("NVCCFLAGS := -ccbin $(CXX) -m64 -G\n"), "NVCCFLAGS := -m64 -g\n");
  EXPECT_EQ(make("CFLAGS = -G\n"), "CFLAGS = -G\n");  // of another compiler
  EXPECT_EQ(make("NVCCFLAGS = -Xptxas -v,-O3 -maxrregcount=64 -rdc=true\n"), "NVCCFLAGS = -rdc=true\n");
  EXPECT_EQ(make("G = -gencode arch=compute_70,code=sm_70 \\\n    -gencode arch=compute_75,code=sm_75 \\\n"
                 "    -gencode=arch=compute_80,code=sm_80\n"),
            "G = --offload-arch=mp_21 \\\n    --offload-arch=mp_22\n");
  EXPECT_EQ(make("ARCH = -arch=sm_90\n"), "ARCH = --offload-arch=mp_31\n");
  EXPECT_EQ(make("X = -arch x86_64\n"), "X = -arch x86_64\n");
  EXPECT_EQ(make("D = -DCUDA_API_PER_THREAD_DEFAULT_STREAM -DUSE_CUDA\n"),
            "D = -DMUSA_API_PER_THREAD_DEFAULT_STREAM -DUSE_CUDA\n");
  EXPECT_EQ(make("F += --default-stream per-thread\n"), "F += --default-stream per-thread\n");
  EXPECT_EQ(make("F += --default-stream=per-thread\n"), "F += -fdefault-stream=per-thread\n");
  EXPECT_EQ(port("Makefile", "G = -gencode arch=compute_$(SM),code=sm_$(SM)\n").left,
            "-gencode arch=compute_$(SM),code=sm_$(SM) ");
  EXPECT_EQ(port("Makefile", "F = -arch=sm_$(SM_VERSION)\n").left, "-arch=sm_$(SM_VERSION) ");
  EXPECT_EQ(port("Makefile", "F = -arch=$(ARCH)\n").left, "");  // of any compiler
  EXPECT_EQ(port("Makefile", "x:\n\tnvcc -ptx a.cu\n").left, "-ptx ");
  EXPECT_EQ(port("Makefile", "L = -lcutensor -lnvToolsExt\n").left, "cutensor ");
  EXPECT_EQ(port("Makefile", "L = -lnvToolsExt -lnvidia-ml\n").text, "L = -lmttx -lmtml_nvml\n");
}

TEST(Comments, NamesFollowAndWordsStay) {
  EXPECT_EQ(
      cmake("# set CMAKE_CUDA_ARCHITECTURES, link CUDA::cudart: nvcc of CUDA_HOME, cuda, main.cu -lcuda\n"),
      "# set CMAKE_MUSA_ARCHITECTURES, link MUSA::musart: nvcc of MUSA_HOME, cuda, main.cu -lcuda\n");
  EXPECT_EQ(cmake("set(x 1 # of CUDA::cublas\n)\n#[[ /usr/local/cuda/lib64 ]]\n"),
            "set(x 1 # of MUSA::mublas\n)\n#[[ /usr/local/musa/lib ]]\n");
  EXPECT_EQ(make("CC = gcc # or $(CUDA_HOME)/bin/nvcc for cudaMalloc\n"),
            "CC = gcc # or $(MUSA_HOME)/bin/nvcc for musaMalloc\n");
  EXPECT_EQ(shell("#!/bin/cuda\n# NCCL_DEBUG=INFO helps \\\nnvcc a.cu  # in /usr/local/cuda-12.4\n"),
            "#!/bin/cuda\n# MCCL_DEBUG=INFO helps \\\nmcc a.mu  # in /usr/local/musa\n");
  PortOptions options;
  options.comments = CommentPolicy::Keep;
  EXPECT_TRUE(findBuildEdits("x.mk", "# CUDA_HOME\n", options, noProject(), {}).edits.empty());
}

TEST(Meson, LibrariesFollowAndTheLanguageIsReported) {
  const auto meson = [](std::string_view text) { return port("meson.build", text); };
  EXPECT_EQ(meson("project('cuda_app', 'cpp', 'cuda', version: '1.0')\n").left, "cuda ");
  EXPECT_EQ(meson("add_languages('cuda', required: true)\nnvcc = meson.get_compiler('cuda')\n").left,
            "cuda cuda ");
  EXPECT_EQ(meson("d = dependency('cuda', version: '>=11', modules: ['cublas'])\n").left, "cuda ");
  EXPECT_EQ(meson("cuda = import('unstable-cuda')\n").left, "unstable-cuda ");
  EXPECT_EQ(meson("add_project_arguments('-DX', language: 'cuda')\n").left, "cuda ");
  EXPECT_EQ(meson("lib = cxx.find_library('cufft', required: false)\n").text,
            "lib = cxx.find_library('mufft', required: false)\n");
  const auto own =
      "g = get_option('cuda')\nsubdir('cuda')\n# dependency('cuda')\nm = 'it\\'s "
      "cuda'\ndependency('cuda_helpers')\n";
  EXPECT_EQ(meson(own).left, "");
  EXPECT_EQ(meson(own).text, own);
  EXPECT_EQ(meson("executable('app', 'main.cpp', 'kernel.cu')\n").text,
            "executable('app', 'main.cpp', 'kernel.mu')\n");
}

TEST(Bazel, RulesAreReported) {
  EXPECT_EQ(port("BUILD.bazel", "load(\"@rules_cuda//cuda:defs.bzl\", \"cuda_library\")\n").left,
            "@rules_cuda//cuda:defs.bzl cuda_library ");
  const Ported rule =
      port("BUILD",
           "cuda_library(\n    name = \"k\",\n    srcs = [\"k.cu\"],\n    deps = [\"@local_cuda//:cublas\", "
           "\"//base:cuda_library_x\"],\n)\n");
  EXPECT_EQ(rule.left, "cuda_library @local_cuda//:cublas ");
  EXPECT_NE(rule.text.find("\"k.mu\""), std::string::npos);
  EXPECT_EQ(port("MODULE.bazel", "bazel_dep(name = \"rules_cuda\", version = \"0.2.3\")\n").left,
            "rules_cuda ");
}

TEST(CMake, Lexer) {
  const std::string_view text =
      "# c\nset(A \"b \\\" c\" [[d)]] e#f\n g (h AND i))\n#[[ set(x) ]]\nfoo ( ${a b} )\n";
  const auto commands = cmakeCommands(text);
  ASSERT_EQ(commands.size(), 2U);
  EXPECT_EQ(text.substr(commands[0].begin, 3), "set");
  ASSERT_EQ(commands[0].arguments.size(), 8U);
  EXPECT_EQ(text.substr(commands[0].arguments[2].begin, 2), "d)");
  EXPECT_EQ(commands[0].arguments[1].kind, CMakeArgument::Kind::Quoted);
  EXPECT_EQ(commands[1].arguments.size(), 2U);
}

TEST(CMake, LanguagesAndPackages) {
  EXPECT_EQ(cmake("project(p LANGUAGES C CXX CUDA)\n"),
            "# Where CMake finds the language MUSA, FindMUSA, FindMUSAToolkit and FindMCCL.\n"
            "list(APPEND CMAKE_MODULE_PATH \"$ENV{MUSA_PATH}/cmake\" \"$ENV{MUSA_HOME}/cmake\" "
            "\"/usr/local/musa/cmake\")\nproject(p LANGUAGES C CXX MUSA)\n");
  EXPECT_EQ(cmake("project(CUDA LANGUAGES CXX)\n"), "project(CUDA LANGUAGES CXX)\n");  // its name
  const std::string path = "$ENV{MUSA_PATH}/cmake";  // there already: nothing is added
  const auto behind = [&](std::string_view text) {
    return cmake("#" + path + "\n" + std::string(text)).substr(path.size() + 2);
  };
  EXPECT_EQ(behind("enable_language(CUDA)\n"), "enable_language(MUSA)\n");
  EXPECT_EQ(behind("find_package(CUDAToolkit 11.8 REQUIRED)\n"), "find_package(MUSAToolkit 3.1 REQUIRED)\n");
  EXPECT_EQ(behind("find_package(CUDA REQUIRED)\ncuda_add_executable(a a.cu)\n"),
            "find_package(MUSA REQUIRED)\nmusa_add_executable(a a.mu)\n");
  EXPECT_EQ(behind("target_link_libraries(a PRIVATE CUDA::cudart CUDA::cublas ${NCCL_LIBRARIES} cuda)\n"),
            "target_link_libraries(a PRIVATE MUSA::musart MUSA::mublas ${MCCL_LIBRARIES} musa)\n");
  EXPECT_EQ(behind("find_package(NVSHMEM REQUIRED)\n"), "find_package(MTSHMEM REQUIRED)\n");
  EXPECT_EQ(behind("target_link_libraries(a nvshmem::nvshmem_host nvshmem_device ${NVSHMEM_LIBRARIES})\n"),
            "target_link_libraries(a mtshmem::mtshmem mtshmem ${MTSHMEM_LIBRARIES})\n");
  EXPECT_EQ(behind("add_library(nccl SHARED IMPORTED)\ntarget_link_libraries(a nccl)\n"),
            "add_library(nccl SHARED IMPORTED)\ntarget_link_libraries(a nccl)\n");
  EXPECT_EQ(behind("set(NVML_LIB_NAME \"nvidia-ml\")\nlist(APPEND MY_LIBS cublas m)\nset(MY_LIB_DIR cuda)\n"),
            "set(NVML_LIB_NAME \"mtml_nvml\")\nlist(APPEND MY_LIBS mublas m)\nset(MY_LIB_DIR cuda)\n");
  EXPECT_EQ(behind("register_link_library(cufft)\nadd_model(cufft)\n"),
            "register_link_library(mufft)\nadd_model(cufft)\n");
  EXPECT_EQ(behind("message(STATUS \"CUDA is ${CUDAToolkit_VERSION}, nvcc\")\n"),
            "message(STATUS \"CUDA is ${MUSAToolkit_VERSION}, nvcc\")\n");
}

TEST(CMake, PropertiesAndExpressions) {
  EXPECT_EQ(cmake("set(CMAKE_CUDA_ARCHITECTURES 70-real 80-real)\n"),
            "set(CMAKE_MUSA_ARCHITECTURES 21 22)\n");
  EXPECT_EQ(cmake("set(CMAKE_CUDA_STANDARD 17)\n"), "set(CMAKE_MUSA_STANDARD 17)\n");
  EXPECT_EQ(
      cmake("set_target_properties(a PROPERTIES CUDA_ARCHITECTURES \"80;90\" CUDA_STANDARD 17 OUTPUT_NAME "
            "80)\n"),
      "set_target_properties(a PROPERTIES MUSA_ARCHITECTURES \"22;31\" MUSA_STANDARD 17 OUTPUT_NAME 80)\n");
  EXPECT_EQ(cmake("set_target_properties(a PROPERTIES CUDA_ARCHITECTURES 80 CUDA_STANDARD 17)\n"),
            "set_target_properties(a PROPERTIES MUSA_ARCHITECTURES \"22;31\" MUSA_STANDARD 17)\n");
  EXPECT_EQ(cmake("target_compile_options(a PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-lineinfo -G>)\n"),
            "target_compile_options(a PRIVATE $<$<COMPILE_LANGUAGE:MUSA>:-gline-tables-only -G>)\n");
  EXPECT_EQ(
      cmake("target_compile_options(a PRIVATE "
            "\"$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-Xcompiler=-Wall,-Wextra>\")\n"),
      "target_compile_options(a PRIVATE \"$<$<COMPILE_LANG_AND_ID:MUSA,MooreThreads>:-Wall;-Wextra>\")\n");
  EXPECT_EQ(cmake("set(CMAKE_CUDA_FLAGS \"${CMAKE_CUDA_FLAGS} --extended-lambda -Xcompiler -Wall\")\n"),
            "set(CMAKE_MUSA_FLAGS \"${CMAKE_MUSA_FLAGS} -Wall\")\n");
  EXPECT_EQ(cmake("if(CMAKE_CUDA_COMPILER_ID STREQUAL \"NVIDIA\")\nendif()\n"),
            "if(CMAKE_MUSA_COMPILER_ID STREQUAL \"MooreThreads\")\nendif()\n");
  EXPECT_EQ(cmake("if(CUDAToolkit_VERSION VERSION_LESS 11.0)\nendif()\n"),
            "if(MUSAToolkit_VERSION VERSION_LESS 3.1)\nendif()\n");
  EXPECT_EQ(cmake("target_compile_features(a PUBLIC cuda_std_17)\n"),
            "target_compile_features(a PUBLIC cxx_std_17)\n");
  EXPECT_EQ(cmake("set_source_files_properties(a.cpp PROPERTIES LANGUAGE CUDA)\n"),
            "set_source_files_properties(a.cpp PROPERTIES LANGUAGE MUSA)\n");
  EXPECT_EQ(cmake("option(USE_CUDA \"Build with CUDA\" ON)\n"), "option(USE_CUDA \"Build with CUDA\" ON)\n");
  EXPECT_EQ(
      cmake("check_cxx_source_compiles(\"#include <cuda_runtime.h>\nint main() { return cudaFree(0); }\" "
            "OK)\n"),
      "check_cxx_source_compiles(\"#include <musa_runtime.h>\nint main() { return musaFree(0); }\" OK)\n");
  EXPECT_EQ(cmake("find_library(X NAMES nccl libnccl PATHS /usr/local/cuda/lib64)\n"),
            "find_library(X NAMES mccl libmccl PATHS /usr/local/musa/lib)\n");
  EXPECT_EQ(cmake("find_path(X cuda_runtime.h HINTS ${CUDA_TOOLKIT_ROOT_DIR}/include)\n"),
            "find_path(X musa_runtime.h HINTS ${MUSA_TOOLKIT_ROOT_DIR}/include)\n");
  EXPECT_EQ(cmake("file(GLOB S src/*.cu)\nconfigure_file(v.cu.in v.cu)\n"),
            "file(GLOB S src/*.mu)\nconfigure_file(v.cu.in v.mu)\n");
  EXPECT_EQ(port("x.cmake", "cuda_compile_ptx(P a.cu)\n").left, "cuda_compile_ptx ");
}

TEST(Shell, CommandsAndSpeech) {
  EXPECT_EQ(shell("export CUDA_HOME=/usr/local/cuda PATH=$CUDA_HOME/bin:$PATH\n"),
            "export MUSA_HOME=/usr/local/musa PATH=$MUSA_HOME/bin:$PATH\n");
  EXPECT_EQ(shell("export LD_LIBRARY_PATH=$CUDA_HOME/lib64\n"), "export LD_LIBRARY_PATH=$MUSA_HOME/lib\n");
  EXPECT_EQ(shell("nvcc -O3 -arch=sm_80 -o a a.cu -lcudart && nvidia-smi\n"),
            "mcc -O3 --offload-arch=mp_22 --offload-arch=mp_31 -o a a.mu -lmusart && mthreads-gmi\n");
  EXPECT_EQ(shell("cmake -B b -DCMAKE_CUDA_ARCHITECTURES=80-real -DCMAKE_CUDA_COMPILER=nvcc -DUSE_CUDA=ON\n"),
            "cmake -B b -DCMAKE_MUSA_ARCHITECTURES=22 -DCMAKE_MUSA_COMPILER=mcc -DUSE_CUDA=ON\n");
  EXPECT_EQ(shell("echo \"install nvcc in $CUDA_HOME\"\n"), "echo \"install nvcc in $CUDA_HOME\"\n");
  EXPECT_EQ(shell("NVSHMEM_SYMMETRIC_SIZE=1G $NVSHMEM_HOME/bin/nvshmrun -np 4 ./app\n"),
            "MTSHMEM_SYMMETRIC_SIZE=1G $MTSHMEM_HOME/bin/mtshmrun -np 4 ./app\n");
  EXPECT_EQ(shell("mpirun -x NCCL_DEBUG=INFO -x NCCL_SOCKET_IFNAME=eth0 ./app\n"),
            "mpirun -x MCCL_DEBUG=INFO -x MCCL_SOCKET_IFNAME=eth0 ./app\n");
  EXPECT_EQ(port("run.sh", "nsys profile ./app\n").left, "nsys ");
}

TEST(Docker, ImagesAndPackages) {
  const Ported ported =
      port("Dockerfile",
           "FROM nvidia/cuda:12.4.0-devel-ubuntu22.04\n"
           "ENV PATH=/usr/local/cuda/bin:$PATH\n"
           "RUN apt-get install -y libnccl2 git && make -C src CUDA_HOME=/usr/local/cuda\n");
  EXPECT_EQ(ported.text,
            "FROM nvidia/cuda:12.4.0-devel-ubuntu22.04\n"
            "ENV PATH=/usr/local/musa/bin:$PATH\n"
            "RUN apt-get install -y libnccl2 git && make -C src MUSA_HOME=/usr/local/musa\n");
  EXPECT_EQ(ported.left, "nvidia/cuda:12.4.0-devel-ubuntu22.04 libnccl2 ");
}

}  // namespace
}  // namespace musashim::translator
