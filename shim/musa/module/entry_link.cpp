// Modules made of several images while a program runs.
#include <fstream>
#include <iterator>

#include "musa/api/api_call.h"
#include "musa/module/linker.h"

using namespace musashim::musa;

namespace {

Result create(unsigned count, MUjit_option* options, void** values, MUlinkState* state) {
  MUSA_REQUIRE(state && (count == 0 || (options && values)), MUSA_ERROR_INVALID_VALUE, "null pointer");
  Context* context = nullptr;
  MUSA_TRY(currentContext(context));
  *state = driver().linkers.create(options, values, count)->handle();
  return {};
}

Result addData(MUlinkState state, MUjitInputType type, const void* data, size_t size, const char* name) {
  Linker* linker = nullptr;
  MUSA_TRY(findLinker(state, linker));
  MUSA_REQUIRE(data && size > 0, MUSA_ERROR_INVALID_VALUE, "no data");
  return linker->add(type, data, size, name == nullptr ? "" : name);
}

Result addFile(MUlinkState state, MUjitInputType type, const char* path) {
  Linker* linker = nullptr;
  MUSA_TRY(findLinker(state, linker));
  MUSA_REQUIRE(path, MUSA_ERROR_INVALID_VALUE, "null pointer");
  std::ifstream file(path, std::ios::binary);
  MUSA_REQUIRE(file, MUSA_ERROR_FILE_NOT_FOUND, path);
  const std::vector<char> data(std::istreambuf_iterator<char>(file), {});
  MUSA_REQUIRE(!data.empty(), MUSA_ERROR_INVALID_IMAGE, "the file is empty");
  return linker->add(type, data.data(), data.size(), path);
}

Result complete(MUlinkState state, void** data, size_t* size) {
  Linker* linker = nullptr;
  Context* context = nullptr;
  MUSA_TRY(findLinker(state, linker));
  MUSA_REQUIRE(data, MUSA_ERROR_INVALID_VALUE, "null pointer");
  MUSA_TRY(currentContext(context));
  return linker->complete(*context, data, size);
}

}  // namespace

extern "C" {

MUresult muLinkCreate(unsigned int numOptions, MUjit_option* options, void** optionValues,
                      MUlinkState* stateOut) {
  return apiCall(
      "muLinkCreate", [&] { return create(numOptions, options, optionValues, stateOut); }, numOptions,
      options, optionValues, stateOut);
}

MUresult muLinkAddData(MUlinkState state, MUjitInputType type, void* data, size_t size, const char* name,
                       unsigned int numOptions, MUjit_option* options, void** optionValues) {
  return apiCall(
      "muLinkAddData", [&] { return addData(state, type, data, size, name); }, state, type, data, size, name,
      numOptions, options, optionValues);
}

MUresult muLinkAddFile(MUlinkState state, MUjitInputType type, const char* path, unsigned int numOptions,
                       MUjit_option* options, void** optionValues) {
  return apiCall(
      "muLinkAddFile", [&] { return addFile(state, type, path); }, state, type, path, numOptions, options,
      optionValues);
}

MUresult muLinkComplete(MUlinkState state, void** cubinOut, size_t* sizeOut) {
  return apiCall(
      "muLinkComplete", [&] { return complete(state, cubinOut, sizeOut); }, state, cubinOut, sizeOut);
}

MUresult muLinkDestroy(MUlinkState state) {
  return apiCall(
      "muLinkDestroy",
      [&]() -> Result {
        Linker* linker = nullptr;
        MUSA_TRY(findLinker(state, linker));
        driver().linkers.destroy(linker);
        return {};
      },
      state);
}

}  // extern "C"
