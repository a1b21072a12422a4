// What clang writes for make.
#pragma once

#include <string>
#include <vector>

namespace musashim::mcc {

// The words of rules, without what escapes their characters; targets have their colon.
std::vector<std::string> wordsOfRules(const std::string& text);

// The prerequisites in a file of make's rules, whose target is "read".
std::vector<std::string> prerequisites(const std::string& file);

}  // namespace musashim::mcc
