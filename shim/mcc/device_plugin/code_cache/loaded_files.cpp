#include "loaded_files.h"

#include <elf.h>
#include <link.h>

#include <set>

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MathExtras.h"

namespace musashim::mcc {
namespace {

// The kernel's, which is no compiler's.
constexpr llvm::StringRef kVirtual = "linux-vdso";

// The GNU build id among the notes at `notes`; empty where there is none.
llvm::StringRef buildIdIn(llvm::StringRef notes) {
  while (notes.size() >= sizeof(ElfW(Nhdr))) {
    const auto* note = reinterpret_cast<const ElfW(Nhdr)*>(notes.data());
    const size_t nameBytes = llvm::alignTo(note->n_namesz, 4), valueBytes = llvm::alignTo(note->n_descsz, 4);
    notes = notes.drop_front(sizeof *note);
    if (nameBytes > notes.size() || valueBytes > notes.size() - nameBytes) return {};
    const bool isBuildId =
        note->n_type == NT_GNU_BUILD_ID && notes.take_front(note->n_namesz) == llvm::StringRef("GNU", 4);
    if (isBuildId) return notes.substr(nameBytes, note->n_descsz);
    notes = notes.drop_front(nameBytes + valueBytes);
  }
  return {};
}

llvm::StringRef buildIdOf(const dl_phdr_info& file) {
  for (size_t i = 0; i < file.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = file.dlpi_phdr[i];
    if (segment.p_type != PT_NOTE) continue;
    const auto* start = reinterpret_cast<const char*>(file.dlpi_addr + segment.p_vaddr);
    const llvm::StringRef id = buildIdIn({start, segment.p_memsz});
    if (!id.empty()) return id;
  }
  return {};
}

struct BuildIds {
  std::set<std::string> found;  // in an order that does not depend on who loads what first
  bool areWhole = true;
};

int addBuildId(dl_phdr_info* file, size_t /*size*/, void* result) {
  if (llvm::StringRef(file->dlpi_name).starts_with(kVirtual)) return 0;
  auto& ids = *static_cast<BuildIds*>(result);
  const llvm::StringRef id = buildIdOf(*file);
  ids.areWhole = ids.areWhole && !id.empty();
  ids.found.insert(id.str());
  return 0;
}

}  // namespace

std::string loadedBuildIds() {
  BuildIds ids;
  dl_iterate_phdr(addBuildId, &ids);
  std::string result;
  if (ids.areWhole)
    for (const std::string& id : ids.found) result += id;
  return result;
}

}  // namespace musashim::mcc
