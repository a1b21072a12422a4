#include "mccl/topology/detect/later_file.h"

#include <hwloc.h>

#include <pugixml.hpp>
#include <sstream>

namespace musashim::mccl::topology {
namespace {

// From hwloc 3 on a device may be of several kinds, and these are bits. The one that hwloc 2 knows it by.
hwloc_obj_osdev_type_e kindOf(unsigned kinds) {
  constexpr struct {
    unsigned bit;
    hwloc_obj_osdev_type_e kind;
  } kKinds[] = {{1u << 5, HWLOC_OBJ_OSDEV_OPENFABRICS},
                {1u << 4, HWLOC_OBJ_OSDEV_NETWORK},
                {1u << 3, HWLOC_OBJ_OSDEV_COPROC},
                {1u << 2, HWLOC_OBJ_OSDEV_GPU},
                {1u << 6, HWLOC_OBJ_OSDEV_DMA}};
  for (const auto& [bit, kind] : kKinds) {
    if ((kinds & bit) != 0) return kind;
  }
  return HWLOC_OBJ_OSDEV_BLOCK;
}

void translate(pugi::xml_node object) {
  if (pugi::xml_attribute kinds = object.attribute("osdev_type"))
    kinds.set_value(static_cast<int>(kindOf(kinds.as_uint())));
  for (pugi::xml_node child : object.children("object")) translate(child);
}

}  // namespace

std::string readLaterFile(const std::string& path) {
  pugi::xml_document document;
  constexpr unsigned kAll = pugi::parse_default | pugi::parse_doctype | pugi::parse_declaration;
  if (!document.load_file(path.c_str(), kAll)) return "";
  pugi::xml_node root = document.child("topology");
  if (root.attribute("version").as_int() != 3) return "";
  root.attribute("version").set_value("2.0");
  // What the file tells of itself, and not of an object, is new.
  while (root.remove_child("info")) {
  }
  for (pugi::xml_node object : root.children("object")) translate(object);
  std::ostringstream text;
  document.save(text, "  ");
  return text.str();
}

}  // namespace musashim::mccl::topology
