// Machines of tests/mccl/topology/machines.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "mccl/topology/document.h"
#include "mccl/topology/search.h"

namespace musashim::mccl::topology {

inline std::string fileOf(const std::string& name) { return std::string(MACHINES) + "/" + name; }

struct Loaded {
  explicit Loaded(const std::string& name) {
    EXPECT_EQ(readDocument(fileOf(name), "system", document), mcclSuccess);
    EXPECT_EQ(Machine::make(document, name, machine), mcclSuccess);
  }
  pugi::xml_document document;
  Machine machine;
};

}  // namespace musashim::mccl::topology
