#include "mccl/comm/unique_id.h"

#include <sys/random.h>
#include <unistd.h>

#include <cstring>
#include <mutex>
#include <unordered_map>

#include "mccl/core/log.h"

namespace musashim::mccl {
namespace {

constexpr char kMagic[8] = {'M', 'C', 'C', 'L', 'I', 'D', '0', '1'};

// What an mcclUniqueId holds.
struct IdContent {
  char magic[8];
  uint64_t secret;  // of this id: nobody can guess another's
  uint64_t serial;
  int64_t process;
  char host[64];
};
static_assert(sizeof(IdContent) <= sizeof(mcclUniqueId));

struct Issued {
  uint64_t secret;
  std::shared_ptr<Meeting> meeting;  // from the first rank on
};

struct IdTable {
  std::mutex mutex;
  uint64_t nextSerial = 1;
  std::unordered_map<uint64_t, Issued> open;
};

IdTable& idTable() {
  static IdTable* const kTable = new IdTable;
  return *kTable;
}

}  // namespace

mcclResult_t makeUniqueId(mcclUniqueId& id) {
  IdContent content{};
  std::memcpy(content.magic, kMagic, sizeof kMagic);
  if (getrandom(&content.secret, sizeof content.secret, 0) != sizeof content.secret) {
    return fail(mcclSystemError, "no random numbers for a unique id");
  }
  content.process = getpid();
  gethostname(content.host, sizeof content.host - 1);
  IdTable& table = idTable();
  {
    std::lock_guard lock(table.mutex);
    std::erase_if(table.open,
                  [](const auto& entry) { return entry.second.meeting && entry.second.meeting->decided(); });
    content.serial = table.nextSerial++;
    table.open.emplace(content.serial, Issued{content.secret, nullptr});
  }
  std::memset(&id, 0, sizeof id);
  std::memcpy(&id, &content, sizeof content);
  return mcclSuccess;
}

mcclResult_t meetingOf(const mcclUniqueId& id, int ranks, std::shared_ptr<Meeting>& meeting) {
  IdContent content;
  std::memcpy(&content, &id, sizeof content);
  if (std::memcmp(content.magic, kMagic, sizeof kMagic) != 0) {
    return fail(mcclInvalidArgument, "the unique id does not come from mcclGetUniqueId");
  }
  content.host[sizeof content.host - 1] = '\0';
  IdTable& table = idTable();
  std::lock_guard lock(table.mutex);
  const auto issued = table.open.find(content.serial);
  const bool ours = content.process == getpid();
  if (!ours || (issued != table.open.end() && issued->second.secret != content.secret)) {
    return fail(mcclInvalidUsage,
                "the unique id was made by process {} on {}, this is process {}: "
                "communicators across processes are not supported yet",
                content.process, content.host, getpid());
  }
  if (issued == table.open.end() || (issued->second.meeting && issued->second.meeting->decided())) {
    return fail(mcclInvalidUsage, "the unique id was already used for a communicator; each needs its own");
  }
  Issued& entry = issued->second;
  if (!entry.meeting) entry.meeting = std::make_shared<Meeting>(ranks);
  meeting = entry.meeting;
  if (meeting->seats() != ranks) {
    // The ranks who are here would wait for ever.
    const int expected = meeting->seats();
    meeting->cancel(mcclInvalidUsage);
    return fail(mcclInvalidUsage, "mismatch in rank count from procs {} : {}", expected, ranks);
  }
  return mcclSuccess;
}

}  // namespace musashim::mccl
