#include "mccl/perf/pmi.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <sstream>

namespace musashim::perf {

bool Pmi::open() {
  const char* const fd = std::getenv("PMI_FD");
  if (!fd) return false;
  fd_ = std::atoi(fd);
  if (!ask("cmd=init pmi_version=1 pmi_subversion=1", "response_to_init") || answer_["rc"] != "0")
    return false;
  if (!ask("cmd=get_my_kvsname", "my_kvsname")) return false;
  store_ = answer_["kvsname"];
  return !store_.empty();
}

bool Pmi::put(const std::string& key, const std::string& value) {
  return ask(fmt::format("cmd=put kvsname={} key={} value={}", store_, key, value), "put_result") &&
         answer_["rc"] == "0";
}

bool Pmi::barrier() { return ask("cmd=barrier_in", "barrier_out"); }

bool Pmi::get(const std::string& key, std::string& value) {
  if (!ask(fmt::format("cmd=get kvsname={} key={}", store_, key), "get_result") || answer_["rc"] != "0")
    return false;
  value = answer_["value"];
  return true;
}

void Pmi::close() {
  if (fd_ >= 0) (void)ask("cmd=finalize", "finalize_ack");
  fd_ = -1;
}

bool Pmi::ask(const std::string& line, const std::string& wanted) {
  const std::string text = line + "\n";
  for (size_t done = 0; done < text.size();) {
    const ssize_t written = write(fd_, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    done += static_cast<size_t>(written);
  }
  std::string heard;
  for (char c = 0; c != '\n';) {
    const ssize_t got = read(fd_, &c, 1);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    if (c != '\n') heard += c;
  }
  answer_.clear();
  std::istringstream words(heard);
  for (std::string word; words >> word;) {
    const size_t equals = word.find('=');
    if (equals != std::string::npos) answer_[word.substr(0, equals)] = word.substr(equals + 1);
  }
  return answer_["cmd"] == wanted;
}

}  // namespace musashim::perf
