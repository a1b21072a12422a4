#include "diff/tool/extract.h"

#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace musashim::diff {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!file.flush()) throw std::runtime_error("cannot write '" + path.string() + "'");
}

std::string kept(const Run& run, const Event& event, const std::string& hash, const std::string& what) {
  std::optional<std::string> content = run.content(hash);
  if (!content)
    throw std::runtime_error(fmt::format("'{}' did not keep {} of event {}: record it again with --keep {}",
                                         run.path, what, event.number, event.number));
  return *content;
}

std::string hexOf(const std::string& bytes) {
  std::string text;
  for (const char byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return text;
}

// One side's image and outputs.
std::string sideOf(const Run& run, const Event& event, char side, const fs::path& folder) {
  if (event.image.empty()) kept(run, event, "none", "the image");
  write(folder / fmt::format("image.{}", side), kept(run, event, event.image, "the image"));
  std::string text = fmt::format("side {} {}\nkernel {} {}\n", side, run.api, side, event.name);
  for (const Touched& one : event.touched) {
    if (!one.written()) continue;
    write(folder / fmt::format("output.{}.{}", side, one.allocation),
          kept(run, event, one.after, "the output"));
  }
  return text;
}

}  // namespace

bool extract(const Run& a, const Run& b, const Step& step, const std::string& sources,
             const std::string& folder, std::string& error) {
  if (!step.pair.a || !step.pair.b || a.events[*step.pair.a].kind != "kernel") {
    error = "only a kernel that both runs have can be extracted";
    return false;
  }
  const Event &event = a.events[*step.pair.a], &other = b.events[*step.pair.b];
  try {
    fs::create_directories(folder);
    std::string text = fmt::format("# {}\ngrid {} {} {}\nblock {} {} {}\nshared {}\n", event.signature,
                                   event.grid[0], event.grid[1], event.grid[2], event.block[0],
                                   event.block[1], event.block[2], event.shared);
    text += sideOf(a, event, 'a', folder) + sideOf(b, other, 'b', folder);
    for (const Touched& one : event.touched) {
      const Allocation& allocation = a.allocations.at(static_cast<size_t>(one.allocation));
      write(fs::path(folder) / fmt::format("input.{}", one.allocation),
            kept(a, event, one.before, "the input"));
      text += fmt::format("allocation {} {} {} {}\n", one.allocation, allocation.bytes, allocation.kind,
                          allocation.name.empty() ? "-" : allocation.name);
    }
    for (const Touched& one : event.touched)
      for (const Pointer& pointer : one.pointers)
        text += fmt::format("pointer {} {} {} {}\n", one.allocation, pointer.at, pointer.allocation,
                            pointer.offset);
    for (size_t i = 0; i < event.arguments.size(); ++i) {
      text += fmt::format("argument {}\n", hexOf(event.arguments[i].bytes));
      for (const Pointer& pointer : event.arguments[i].pointers)
        text +=
            fmt::format("argument_pointer {} {} {} {}\n", i, pointer.at, pointer.allocation, pointer.offset);
    }
    for (const Output& output : step.outputs) {
      const Comparison& rule = output.comparison;
      text += fmt::format("output {} {} {} {} {}\n", output.a, output.b, record::typeName(rule.type),
                          rule.relative, rule.magnitude);
    }
    write(fs::path(folder) / "launch.txt", text);
    for (const char* source : {"replay.cpp", "sketch.cpp", "sketch.h"})
      fs::copy_file(fs::path(sources) / source, fs::path(folder) / source,
                    fs::copy_options::overwrite_existing);
  } catch (const std::exception& problem) {
    error = problem.what();
    return false;
  }
  return true;
}

}  // namespace musashim::diff
