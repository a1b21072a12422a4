#include "mccl/bootstrap/unique_id.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <functional>
#include <mutex>
#include <unordered_map>

#include "mccl/bootstrap/listener.h"
#include "mccl/core/log.h"
#include "mccl/core/system_error.h"

namespace musashim::mccl {
namespace {

constexpr char kMagic[8] = {'M', 'C', 'C', 'L', 'I', 'D', '0', '3'};
constexpr uint64_t kFromEnvironment = 0;  // serial

struct Issued {
  IdContent content;
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

// No protection against one's own programs: who reads the environment knows it.
Secret secretFrom(const std::string& text, uint64_t salt) {
  const std::hash<std::string> hash;
  return {hash(text + "#" + std::to_string(salt)), hash(std::to_string(salt + getuid()) + text)};
}

// "127.0.0.1:7000", "localhost:7000"
mcclResult_t fromEnvironment(const std::string& text, IdContent& content) {
  if (!parseAddress(text, AF_UNSPEC, content.address)) {
    return fail(mcclInvalidArgument,
                "Invalid MCCL_COMM_ID, please use format: <ipv4>:<port>, [<ipv6>]:<port> or "
                "<hostname>:<port>, not '{}'",
                text);
  }
  content.serial = kFromEnvironment;
  content.rankSecret = secretFrom(text, 1);
  content.rootSecret = secretFrom(text, 2);
  content.process = {};
  return mcclSuccess;
}

void sweep(IdTable& table) {
  std::erase_if(table.open,
                [](const auto& entry) { return entry.second.meeting && entry.second.meeting->decided(); });
}

}  // namespace

mcclResult_t makeUniqueId(mcclUniqueId& id, bool forOthers) {
  IdContent content{};
  std::memcpy(content.magic, kMagic, sizeof kMagic);
  content.process = processToken();
  content.pid = getpid();
  gethostname(content.host, sizeof content.host - 1);
  if (forOthers && !settings().commId.empty()) {
    MCCL_RETURN_IF_ERROR(fromEnvironment(settings().commId, content));
  } else {
    content.rankSecret = randomBytes();
    content.rootSecret = randomBytes();
    if (content.rankSecret == Secret{} || content.rootSecret == Secret{}) {
      return fail(mcclSystemError, "no random numbers for a unique id");
    }
    // Ranks of other processes would never come, and those of this one wait for them.
    if (forOthers) MCCL_RETURN_IF_ERROR(Listener::open(content.address));
    IdTable& table = idTable();
    std::lock_guard lock(table.mutex);
    sweep(table);
    content.serial = table.nextSerial++;
    table.open.emplace(content.serial, Issued{content, nullptr});
  }
  std::memset(&id, 0, sizeof id);
  std::memcpy(&id, &content, sizeof content);
  return mcclSuccess;
}

mcclResult_t readUniqueId(const mcclUniqueId& id, IdContent& content) {
  std::memcpy(&content, &id, sizeof content);
  content.host[sizeof content.host - 1] = '\0';
  if (std::memcmp(content.magic, kMagic, sizeof kMagic) == 0) return mcclSuccess;
  return fail(mcclInvalidArgument, "the unique id does not come from mcclGetUniqueId");
}

bool isHere(const IdContent& content) {
  if (content.serial != kFromEnvironment) return content.process == processToken();
  std::lock_guard lock(idTable().mutex);
  return idTable().open.contains(kFromEnvironment);
}

mcclResult_t hostMeeting(const IdContent& content) {
  if (content.serial != kFromEnvironment) return mcclSuccess;
  if (!Listener::openAt(content.address)) {
    return fail(mcclSystemError, "cannot listen at MCCL_COMM_ID: {}", std::strerror(errno));
  }
  IdTable& table = idTable();
  std::lock_guard lock(table.mutex);
  sweep(table);
  table.open.try_emplace(kFromEnvironment, Issued{content, nullptr});
  return mcclSuccess;
}

bool findIssued(uint64_t serial, const Secret& rankSecret, IdContent& content) {
  std::lock_guard lock(idTable().mutex);
  const auto issued = idTable().open.find(serial);
  if (issued == idTable().open.end() || issued->second.content.rankSecret != rankSecret) return false;
  content = issued->second.content;
  return true;
}

std::vector<std::shared_ptr<Meeting>> openMeetings() {
  std::vector<std::shared_ptr<Meeting>> meetings;
  std::lock_guard lock(idTable().mutex);
  for (const auto& [serial, issued] : idTable().open) {
    if (issued.meeting && !issued.meeting->decided()) meetings.push_back(issued.meeting);
  }
  return meetings;
}

mcclResult_t meetingOf(const IdContent& content, int ranks, std::shared_ptr<Meeting>& meeting) {
  IdTable& table = idTable();
  std::lock_guard lock(table.mutex);
  const auto issued = table.open.find(content.serial);
  const bool known = issued != table.open.end() && issued->second.content.rankSecret == content.rankSecret;
  if (!known || (issued->second.meeting && issued->second.meeting->decided())) {
    std::string reason;
    const mcclResult_t failed = known ? issued->second.meeting->failure(reason) : mcclSuccess;
    if (failed != mcclSuccess)
      return fail(failed, "the initialisation with this unique id has failed: {}", reason);
    return fail(mcclInvalidUsage, "the unique id was already used for a communicator; each needs its own");
  }
  Issued& entry = issued->second;
  if (!entry.meeting) entry.meeting = std::make_shared<Meeting>(ranks);
  meeting = entry.meeting;
  if (meeting->seats() == ranks) return mcclSuccess;
  // The ranks who are here would wait for ever.
  const int expected = meeting->seats();
  const mcclResult_t result =
      fail(mcclInvalidUsage, "mismatch in rank count from procs {} : {}", expected, ranks);
  meeting->cancel(mcclInvalidUsage, lastError());
  return result;
}

mcclResult_t meetingOf(const mcclUniqueId& id, int ranks, std::shared_ptr<Meeting>& meeting) {
  IdContent content;
  MCCL_RETURN_IF_ERROR(readUniqueId(id, content));
  if (isHere(content)) return meetingOf(content, ranks, meeting);
  return fail(mcclInvalidUsage, "the unique id was made by process {} on {}, this is process {}", content.pid,
              content.host, getpid());
}

}  // namespace musashim::mccl
