// What processes of a job ask their launcher, by version 1 of PMI's lines over a socket that they were given
// (PMI_FD): MPICH's Hydra, and others that speak it.
#pragma once

#include <map>
#include <string>

namespace musashim::perf {

class Pmi {
 public:
  // These are false where the launcher does not answer as it should.
  bool open();
  bool put(const std::string& key, const std::string& value);  // neither with spaces
  bool barrier();
  bool get(const std::string& key, std::string& value);
  void close();

 private:
  // Sends a line and takes the answer, which has to be `wanted`; its words are in answer_.
  bool ask(const std::string& line, const std::string& wanted);

  int fd_ = -1;
  std::string store_;
  std::map<std::string, std::string> answer_;
};

}  // namespace musashim::perf
