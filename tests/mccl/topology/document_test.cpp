// XML in and out.
#include <cstring>
#include <fstream>

#include "mccl/core/log.h"
#include "support.h"

namespace musashim::mccl::topology {
namespace {

bool isSame(pugi::xml_node a, pugi::xml_node b) {
  if (std::strcmp(a.name(), b.name()) != 0) return false;
  auto left = a.first_attribute(), right = b.first_attribute();
  for (; left && right; left = left.next_attribute(), right = right.next_attribute()) {
    if (std::strcmp(left.name(), right.name()) != 0 || std::strcmp(left.value(), right.value()) != 0)
      return false;
  }
  if (left || right) return false;
  auto one = a.first_child(), other = b.first_child();
  for (; one && other; one = one.next_sibling(), other = other.next_sibling()) {
    if (!isSame(one, other)) return false;
  }
  return !one && !other;
}

TEST(TopologyDocument, WhatIsWrittenIsWhatWasRead) {
  for (const char* name : {"switched.xml", "pci_only.xml", "square.xml"}) {
    pugi::xml_document read, again;
    ASSERT_EQ(readDocument(fileOf(name), "system", read), mcclSuccess);
    ASSERT_EQ(parseDocument(textOf(read), name, "system", again), mcclSuccess);
    EXPECT_TRUE(isSame(read.document_element(), again.document_element())) << name;
    // The files themselves are in the form that is written.
    std::ifstream file(fileOf(name));
    EXPECT_EQ(textOf(read), std::string(std::istreambuf_iterator<char>(file), {})) << name;
  }
}

TEST(TopologyDocument, DeclarationsCommentsAndTabsAreRead) {
  pugi::xml_document document;
  ASSERT_EQ(parseDocument(
                "<?xml version=\"1.0\"?>\n<!-- a -->\n<system\tversion='1'>\n\t<cpu numaid=\"a&amp;&quot;\"/>"
                "</system>",
                "text", "system", document),
            mcclSuccess);
  EXPECT_EQ(textOf(document), "<system version=\"1\">\n  <cpu numaid=\"a&amp;&quot;\"/>\n</system>\n");
}

TEST(TopologyDocument, WhatIsNoMachineIsNamedWithItsLine) {
  pugi::xml_document document;
  EXPECT_EQ(parseDocument("<system version=\"1\">\n<cpu>\n</system>", "a.xml", "system", document),
            mcclInvalidUsage);
  EXPECT_EQ(lastError().find("a.xml:3: no XML"), 0u) << lastError();
  EXPECT_EQ(parseDocument("<graphs/>", "a.xml", "system", document), mcclInvalidUsage);
  EXPECT_NE(lastError().find("<graphs>"), std::string::npos) << lastError();
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "<system>";
  for (int i = 0; i < 100'000; ++i) deep += "</system>";
  EXPECT_EQ(parseDocument(deep, "a.xml", "system", document), mcclInvalidUsage);
  EXPECT_EQ(readDocument("/nowhere/a.xml", "system", document), mcclSystemError);
}

TEST(TopologyMachine, WhatCannotBeAMachineIsRefused) {
  const auto resultOf = [](const char* text) {
    pugi::xml_document document;
    Machine machine;
    EXPECT_EQ(parseDocument(text, "a.xml", "system", document), mcclSuccess);
    return Machine::make(document, "a.xml", machine);
  };
  EXPECT_EQ(resultOf("<system version=\"3\"><cpu/></system>"), mcclInvalidUsage);
  EXPECT_EQ(resultOf("<system version=\"1\"/>"), mcclInvalidUsage);
  EXPECT_EQ(resultOf("<system version=\"1\"><cpu><pci busid=\"a\"><gpu dev=\"1\"/></pci>"
                     "<pci busid=\"b\"><gpu dev=\"1\"/></pci></cpu></system>"),
            mcclInvalidUsage);
  EXPECT_NE(lastError().find("dev=\"1\""), std::string::npos) << lastError();
}

TEST(TopologyGraphs, WhatIsWrittenIsWhatWasRead) {
  const Loaded loaded("switched.xml");
  const Paths paths(loaded.machine);
  const std::vector<Graph> graphs = searchGraphs(paths, true, 2);
  pugi::xml_document document, second;
  writeGraphs(graphs, document);
  std::vector<Graph> read;
  ASSERT_EQ(readGraphs(document, "g.xml", read), mcclSuccess);
  ASSERT_EQ(read.size(), graphs.size());
  for (size_t i = 0; i < read.size(); ++i) EXPECT_EQ(read[i].channels, graphs[i].channels);
  writeGraphs(read, second);
  EXPECT_EQ(textOf(second), textOf(document));
  EXPECT_NE(textOf(document).find("<gpu dev=\"0\"/>\n"), std::string::npos);
  EXPECT_NE(textOf(document).find("<gpu dev=\"0x1\"/>\n"), std::string::npos);
}

TEST(TopologyGraphs, WhatIsNoGraphIsRefused) {
  const auto resultOf = [](const std::string& attributes, const char* inside) {
    pugi::xml_document document;
    std::vector<Graph> graphs;
    EXPECT_EQ(parseDocument("<graphs version=\"1\"><graph " + attributes + ">" + inside + "</graph></graphs>",
                            "g.xml", "graphs", document),
              mcclSuccess);
    return readGraphs(document, "g.xml", graphs);
  };
  const std::string good = "id=\"0\" pattern=\"4\" typeintra=\"NVL\" typeinter=\"PIX\" ";
  EXPECT_EQ(resultOf(good + "nchannels=\"1\"", "<channel><gpu dev=\"0x0\"/></channel>"), mcclSuccess);
  EXPECT_EQ(resultOf(good + "nchannels=\"2\"", "<channel><gpu dev=\"0x0\"/></channel>"), mcclInvalidUsage);
  EXPECT_EQ(resultOf(good + "nchannels=\"1\"", "<channel><cpu dev=\"0x0\"/></channel>"), mcclInvalidUsage);
  EXPECT_EQ(resultOf("id=\"9\" pattern=\"4\"", ""), mcclInvalidUsage);
  EXPECT_EQ(resultOf("id=\"0\" pattern=\"4\" typeintra=\"FAR\" typeinter=\"PIX\"", ""), mcclInvalidUsage);
}

}  // namespace
}  // namespace musashim::mccl::topology
