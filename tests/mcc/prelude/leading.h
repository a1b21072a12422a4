#ifndef LEADING_H
#define LEADING_H

#include <map>
#include <string>

using Names = std::map<std::string, int>;

#endif
