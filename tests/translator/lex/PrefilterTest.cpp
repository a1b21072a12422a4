// Texts that hold nothing to port are told by their bytes: what licences, guards of headers and other
// platforms' assembly look like costs no scan.

#include <gtest/gtest.h>

#include <string_view>

#include "translator/lib/lex/prefilter.h"
#include "translator/lib/port.h"

namespace musashim::translator {
namespace {

bool holdsSomething(std::string_view text) {
  PortOptions options;
  options.shortcuts = false;
  const Match match = findEdits(text, options, noProject());
  return !match.edits.empty() || !match.findings.empty() || !match.definitions.empty() || match.wantsMacros;
}

TEST(Prefilter, WhatIsNothingIsToldByItsBytes) {
  for (const std::string_view text : {
           "// it under the terms of the // GNU licence\n",
           "#ifndef __max_H\n#define __max_H\n#endif\n",
           "#define MAXIMUM 3 /* max # of names */\n",
           "#ifdef __has_include\n#if __has_include(<asm/unistd.h>) || "
           "__has_include(\"x.h\")\n#endif\n#endif\n",
           "#include <asm/unistd.h>\n#include \"no-asm.h\"\n",
           "int a = (std::min)(b, c), d = f(min);\n",
           "#define SET_FUNC(ctx, func) \\\n  g_set_func(ctx, func)\n",
           "void f(int this_, int device) { g(is, // the other\n  as); }\n",
           "printf(\"no such device\\n\");\n",
           "/* of the host. The device. */\n",
           "const char* s = \"%s\\n\";\n",
       }) {
    EXPECT_FALSE(holdsSomething(text)) << text;
    EXPECT_FALSE(Prefilter::standard().mayMatter(text)) << text;
  }
}

TEST(Prefilter, WhatIsSomethingMatters) {
  for (const std::string_view text : {
           "#if __has_include(<cuda_runtime.h>)\n#endif\n",
           "#include <curand_kernel.h>\n",
           "asm /* a comment */ (\"mov.u32 %0, %%laneid;\" : \"=r\"(x));\n",
           "asm\n#if A\n(\"mov.u32 %0, %%laneid;\"\n#endif\n: \"=r\"(x));\n",
           "asm \\\n  (\"mov.u32 %0, %%laneid;\" : \"=r\"(x));\n",
           "#define T(x) x##cpy\nT(cudaMem)(a, b, n, k);\n",
           "#define T(x) x##cpy\nint i = f(T(/* half */ cudaMem), 1);\n",
           "auto f = T(cudaMem)(a);\n",
           "auto f = T(cudaMem /* half */ ) \\\n (a);\n",
           "CAT(cudaMem, // half\n  cpy)(a, b, n, k);\n",
           "#define N(x) CUBLAS_OP_ \\\n  ##x\n",
           "#define N(x) CUBLAS_OP_ /* joined */ ##x\n",
           "#define N(x) CUBLAS_OP_ #\\\n#x\n",
           "#define N(x) nvshmem##x##_put\n",
           "cuda\\\nMalloc(&p, n);\n",
           "const char* s = \"cudaMalloc\\n\";\n",
           "const char* k = \"kernel.cu\";\n",
           "dlopen(\"libcudart.so.12\", 0);\n",
       }) {
    EXPECT_TRUE(Prefilter::standard().mayMatter(text)) << text;
  }
}

}  // namespace
}  // namespace musashim::translator
