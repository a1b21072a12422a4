#include "recorder.h"

#include <cxxabi.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>

namespace musashim::record {
namespace {

constexpr uint64_t kUsualLimit = uint64_t{1} << 30;

std::string demangled(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 ? text.get() : name;
}

std::string hex(const unsigned char* data, size_t bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (size_t i = 0; i < bytes; ++i) {
    text += kDigits[data[i] >> 4];
    text += kDigits[data[i] & 15];
  }
  return text;
}

std::string triple(const unsigned* values) {
  return "[" + std::to_string(values[0]) + "," + std::to_string(values[1]) + "," + std::to_string(values[2]) +
         "]";
}

std::string nameOf(TYPE(function) function) {
  const char* name = nullptr;
  if (API(FuncGetName)(&name, function) == SUCCESS && name != nullptr) return name;
  // A kernel of a library is launched as a function.
  if (API(KernelGetName)(&name, reinterpret_cast<TYPE(kernel)>(function)) == SUCCESS && name != nullptr)
    return name;
  return "";
}

bool parameterOf(TYPE(function) function, size_t index, size_t& offset, size_t& bytes) {
  return API(FuncGetParamInfo)(function, index, &offset, &bytes) == SUCCESS ||
         API(KernelGetParamInfo)(reinterpret_cast<TYPE(kernel)>(function), index, &offset, &bytes) == SUCCESS;
}

std::string pointersOf(const Touched& touched) {
  std::string text;
  for (const Pointer& pointer : touched.pointers)
    text += std::string(text.empty() ? "" : ",") + "[" + std::to_string(pointer.at) + "," +
            std::to_string(pointer.allocation) + "," + std::to_string(pointer.offset) + "]";
  return text.empty() ? "" : ",\"pointers\":[" + text + "]";
}

// The buffer of parameters of `extra`, null when there is none.
const unsigned char* bufferOf(void** extra) {
  if (extra == nullptr) return nullptr;
  for (; extra[0] != nullptr; extra += 2)
    if (extra[0] == reinterpret_cast<void*>(1)) return static_cast<const unsigned char*>(extra[1]);
  return nullptr;
}

// Of this thread.
struct Collective {
  std::string text;
  std::vector<Touched> touched;
};
std::vector<Collective>& openCollectives() {
  thread_local auto* const list =
      new std::vector<Collective>;  // never destroyed: threads may end within a call
  return *list;
}

void synchronize(TYPE(context) context) {
  TYPE(context) old = nullptr;
  (void)API(CtxGetCurrent)(&old);
  (void)API(CtxSetCurrent)(context);
  (void)API(CtxSynchronize)();
  (void)API(CtxSetCurrent)(old);
}

}  // namespace

Recorder* Recorder::get() {
  // Never destroyed: programs launch from destructors.
  static auto* const recorder = []() -> Recorder* {
    const char* path = std::getenv("MUSASHIM_RECORD");
    if (path == nullptr || *path == '\0') return nullptr;
    const char* keep = std::getenv("MUSASHIM_RECORD_KEEP");
    const char* limit = std::getenv("MUSASHIM_RECORD_LIMIT");
    return new Recorder(path, keep == nullptr ? "" : keep,
                        limit == nullptr ? kUsualLimit : std::strtoull(limit, nullptr, 10) << 20);
  }();
  return recorder;
}

Recorder::Recorder(const std::string& path, const std::string& keep, uint64_t limit) {
  // Its children would write to the same folder.
  unsetenv("MUSASHIM_RECORD");
  if (!folder_.open(path, limit)) std::exit(2);
  if (keep == "all") {
    keepLast_ = UINT64_MAX;
  } else if (!keep.empty()) {
    char* end = nullptr;
    keepFirst_ = std::strtoull(keep.c_str(), &end, 10);
    keepLast_ = (*end == '-' ? std::strtoull(end + 1, nullptr, 10) : keepFirst_) + 1;
  }
  char program[4096] = {};
  if (std::FILE* self = std::fopen("/proc/self/cmdline", "r"); self != nullptr) {
    const size_t length = std::fread(program, 1, sizeof program - 1, self);
    for (size_t i = 0; i + 1 < length; ++i)
      if (program[i] == '\0') program[i] = ' ';
    std::fclose(self);
  }
  folder_.line("{\"format\":\"musashim-record\",\"version\":1,\"api\":\"" API_NAME "\",\"program\":" +
               quoted(program) + ",\"block\":" + std::to_string(kBlock) + "}");
}

bool Recorder::keeps() const { return next_ >= keepFirst_ && next_ < keepLast_; }

bool Recorder::capturing(TYPE(stream) stream) const {
  TYPE(streamCaptureStatus) status = ENUM(STREAM_CAPTURE_STATUS_NONE);
  const Nested nested;
  return API(StreamIsCapturing)(stream, &status) != SUCCESS || status != ENUM(STREAM_CAPTURE_STATUS_NONE);
}

void Recorder::begin(std::string text, const std::vector<Allocation*>& roots, bool captured) {
  captured_ = captured;
  if (captured) return;
  (void)API(CtxSynchronize)();
  text_ = std::move(text);
  touched_ = memory_.reachable(roots, keeps());
}

std::vector<Allocation*> Recorder::variablesOf(TYPE(function) function, const std::string& kernel) {
  const CodeImage* image = images_.ofKernel(kernel);
  if (image == nullptr) return {};
  TYPE(module) module = nullptr;
  if (API(FuncGetModule)(&module, function) != SUCCESS &&
      (API(KernelGetFunction)(&function, reinterpret_cast<TYPE(kernel)>(function)) != SUCCESS ||
       API(FuncGetModule)(&module, function) != SUCCESS))
    return {};
  std::vector<Allocation*> found;
  for (const std::string& name : image->variables) {
    TYPE(deviceptr) address = 0;
    size_t bytes = 0;
    if (API(ModuleGetGlobal_v2)(&address, &bytes, module, name.c_str()) != SUCCESS || bytes == 0) continue;
    Allocation* known = memory_.at(address);
    if (known == nullptr || known->kind != "variable" || known->bytes != bytes) {
      memory_.allocated(address, bytes, "variable", name);
      known = memory_.at(address);
    }
    found.push_back(known);
  }
  return found;
}

std::string Recorder::arguments(const Launch& launch, const std::string& name,
                                std::vector<Allocation*>& roots) {
  const std::vector<std::string> signature = parametersOf(demangled(name));
  const unsigned char* buffer = bufferOf(launch.extra);
  std::string text = "[";
  for (size_t i = 0;; ++i) {
    size_t offset = 0, bytes = 0;
    if (!parameterOf(launch.function, i, offset, bytes)) break;
    const auto* value = launch.parameters != nullptr ? static_cast<const unsigned char*>(launch.parameters[i])
                                                     : buffer + offset;
    text += std::string(i == 0 ? "" : ",") + "{\"offset\":" + std::to_string(offset) + ",\"bytes\":\"" +
            hex(value, bytes) + "\"";
    std::string pointers;
    for (size_t at = 0; at + 8 <= bytes; at += 8) {
      uintptr_t word;
      std::memcpy(&word, value + at, 8);
      Allocation* allocation = memory_.at(word);
      if (allocation == nullptr) continue;
      roots.push_back(allocation);
      if (i < signature.size() && pointedType(signature[i]) != Type::kUnknown)
        allocation->type = pointedType(signature[i]);
      pointers += std::string(pointers.empty() ? "" : ",") + "[" + std::to_string(at) + "," +
                  std::to_string(allocation->id) + "," + std::to_string(word - allocation->base) + "]";
    }
    text += (pointers.empty() ? "" : ",\"pointers\":[" + pointers + "]") + "}";
  }
  return text + "]";
}

void Recorder::beginKernel(const Launch& launch) {
  mutex_.lock();
  const Nested nested;
  const std::string name = nameOf(launch.function);
  if (capturing(launch.stream)) return begin("", {}, true);
  // Variables first: a pointer among the arguments may point to one.
  std::vector<Allocation*> roots = variablesOf(launch.function, name);
  std::string text = "\"event\":\"kernel\",\"name\":" + quoted(name) +
                     ",\"signature\":" + quoted(demangled(name)) + ",\"grid\":" + triple(launch.grid) +
                     ",\"block\":" + triple(launch.block) + ",\"shared\":" + std::to_string(launch.shared);
  text += ",\"arguments\":" + arguments(launch, name, roots);
  if (const CodeImage* image = images_.ofKernel(name); image != nullptr && keeps()) {
    const std::string hash = hashOf(image->bytes.data(), image->bytes.size());
    if (folder_.keep(hash, image->bytes.data(), image->bytes.size())) text += ",\"image\":" + quoted(hash);
  }
  begin(std::move(text), roots, false);
}

void Recorder::beginCopy(const char* direction, const void* target, size_t bytes, TYPE(stream) stream) {
  mutex_.lock();
  const Nested nested;
  if (capturing(stream)) return begin("", {}, true);
  Allocation* allocation = memory_.at(reinterpret_cast<uintptr_t>(target));
  std::string text = std::string("\"event\":\"copy\",\"direction\":\"") + direction +
                     "\",\"bytes\":" + std::to_string(bytes);
  if (allocation == nullptr || std::strcmp(direction, "DtoH") == 0) return begin(std::move(text), {}, false);
  text += ",\"to\":[" + std::to_string(allocation->id) + "," +
          std::to_string(reinterpret_cast<uintptr_t>(target) - allocation->base) + "]";
  begin(std::move(text), {allocation}, false);
}

void Recorder::beginSet(const void* target, size_t bytes, TYPE(stream) stream) {
  mutex_.lock();
  const Nested nested;
  if (capturing(stream)) return begin("", {}, true);
  Allocation* allocation = memory_.at(reinterpret_cast<uintptr_t>(target));
  std::string text = "\"event\":\"set\",\"bytes\":" + std::to_string(bytes);
  if (allocation == nullptr) return begin(std::move(text), {}, false);
  text += ",\"to\":[" + std::to_string(allocation->id) + "," +
          std::to_string(reinterpret_cast<uintptr_t>(target) - allocation->base) + "]";
  begin(std::move(text), {allocation}, false);
}

void Recorder::beginCall(const char* kind, const std::string& name, const std::vector<const void*>* pointers,
                         TYPE(stream) stream) {
  mutex_.lock();
  const Nested nested;
  if (capturing(stream)) return begin("", {}, true);
  std::vector<Allocation*> roots;
  if (pointers == nullptr) {
    roots = memory_.all();
  } else {
    for (const void* pointer : *pointers)
      if (Allocation* allocation = memory_.at(reinterpret_cast<uintptr_t>(pointer)); allocation != nullptr)
        roots.push_back(allocation);
  }
  begin(std::string("\"event\":") + quoted(kind) + ",\"name\":" + quoted(name), roots, false);
}

void Recorder::end(bool succeeded) {
  if (!captured_) {
    const Nested nested;
    if (API(CtxSynchronize)() != SUCCESS) succeeded = false;
    write(text_, touched_, succeeded);
    touched_.clear();
  }
  captured_ = false;
  mutex_.unlock();
}

void Recorder::write(const std::string& text, std::vector<Touched>& touched, bool succeeded) {
  if (succeeded) memory_.finish(touched, keeps());
  std::string line = "{\"number\":" + std::to_string(next_++) + "," + text +
                     (succeeded ? "" : ",\"failed\":true") + ",\"touched\":[";
  bool first = true;
  for (const Touched& one : touched) {
    if (!first) line += ",";
    first = false;
    line += "{\"allocation\":" + std::to_string(one.allocation->id) + ",\"before\":\"" + one.before +
            "\",\"after\":\"" + one.after + "\"" + pointersOf(one) + one.sketch + "}";
  }
  folder_.line(line + "]}");
}

void Recorder::beginCollective(const std::string& name, const std::vector<const void*>& pointers) {
  const std::lock_guard lock(mutex_);
  const Nested nested;
  std::vector<Allocation*> roots;
  for (const void* pointer : pointers)
    if (Allocation* allocation = memory_.at(reinterpret_cast<uintptr_t>(pointer)); allocation != nullptr)
      roots.push_back(allocation);
  for (const Allocation* allocation : roots) synchronize(allocation->context);
  openCollectives().push_back(
      {"\"event\":\"collective\",\"name\":" + quoted(name), memory_.reachable(roots, keeps())});
}

void Recorder::endCollectives() {
  const Nested nested;
  std::vector<Collective>& open = openCollectives();
  for (const Collective& one : open)
    for (const Touched& touched : one.touched) synchronize(touched.allocation->context);
  const std::lock_guard lock(mutex_);
  for (Collective& one : open) write(one.text, one.touched, true);
  open.clear();
}

void Recorder::allocated(const void* base, size_t bytes, const char* kind) {
  const std::lock_guard lock(mutex_);
  const Nested nested;
  memory_.allocated(reinterpret_cast<uintptr_t>(base), bytes, kind);
}

void Recorder::freed(const void* base) {
  const std::lock_guard lock(mutex_);
  memory_.freed(reinterpret_cast<uintptr_t>(base));
}

void Recorder::loaded(const void* image, size_t bytes) {
  const std::lock_guard lock(mutex_);
  images_.add(image, bytes);
}

void Recorder::loadedFile(const char* path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (!bytes.empty()) loaded(bytes.data(), bytes.size());
}

}  // namespace musashim::record
