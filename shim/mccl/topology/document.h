// A machine or graphs as XML in NCCL's schema.
#pragma once

#include <pugixml.hpp>
#include <string>
#include <string_view>

#include "mccl.h"

namespace musashim::mccl::topology {

// `text` as elements and attributes; whatever else it holds (comments, a declaration) is left out. `name` is
// for messages: a file. mcclInvalidUsage when it is no XML, nested deeper than any machine is, or has another
// root than `root`.
mcclResult_t parseDocument(std::string_view text, const std::string& name, const char* root,
                           pugi::xml_document& document);

// The file's document; mcclSystemError when it cannot be read.
mcclResult_t readDocument(const std::string& path, const char* root, pugi::xml_document& document);

// In NCCL's form, which its own reader needs: two spaces a level, attributes in their order, no declaration.
std::string textOf(const pugi::xml_document& document);

// mcclSystemError when it cannot be written.
mcclResult_t writeDocument(const pugi::xml_document& document, const std::string& path);

// Sets the attribute, in its place if it is there, or else at the end.
void setAttribute(pugi::xml_node node, const char* name, const std::string& value);
// Sets it if it is not there: what a file says wins.
void initAttribute(pugi::xml_node node, const char* name, const std::string& value);

}  // namespace musashim::mccl::topology
