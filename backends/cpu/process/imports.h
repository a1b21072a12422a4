// Memory of other processes' devices, mapped into this one.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "cpu/process/exports.h"
#include "interface/sharing.h"

namespace musashim::backend::cpu {

class ImportTable {
 public:
  ~ImportTable();

  // Maps what `ticket` names: one mapping of exactly that memory, and no copy. The same
  // ticket again gives the same address. kNotFound when it names nothing (any more),
  // kInvalidValue when it is none, or one of this process.
  Status open(const ShareTicket& ticket, OpenedMemory& opened);

  // Undoes one open(). `last` says whether the mapping is gone. kInvalidValue when
  // nothing was opened at `base`.
  Status close(void* base, bool& last);

 private:
  // A file of another process with its table; open while anything of it is mapped.
  struct Source {
    UniqueFd file;
    const ExportPage* page = nullptr;
    ~Source();
  };
  struct Mapping {
    std::shared_ptr<Source> source;
    OpenedMemory memory;
    void* start = nullptr;  // of the mapped pages, which begin before `memory`
    size_t length = 0;
    unsigned opens = 0;
  };
  using SourceKey = std::pair<PeerFileName, uint64_t>;  // with the table's key
  using MappingKey = std::pair<SourceKey, std::pair<uint32_t, uint64_t>>;

  Status findSource(const MemoryTicket& ticket, std::shared_ptr<Source>& source);
  static Status map(const MemoryTicket& ticket, Mapping& mapping);
  static void unmap(const Mapping& mapping);

  std::mutex mutex_;
  std::map<SourceKey, std::weak_ptr<Source>> sources_;
  std::map<MappingKey, Mapping> mappings_;
  std::map<void*, MappingKey> byAddress_;
};

}  // namespace musashim::backend::cpu
