// Machines and fabrics of these tests.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <memory>

#include "mccl/core/log.h"
#include "mccl/sim/predict.h"

namespace musashim::mccl::sim {

// One GPU and one network device of 100 Gbit/s behind PCI Express 4.0: 12.5 GB/s are its bottleneck.
inline std::string smallMachine() {
  static const std::string kPath = [] {
    const std::string path = testing::TempDir() + "small_machine_" + std::to_string(getpid()) + ".xml";
    std::ofstream(path) << R"(<system version="1"><cpu numaid="0" arch="x86_64" vendor="AuthenticAMD">
  <pci busid="0000:01:00.0" class="0x060400" link_speed="16.0 GT/s PCIe" link_width="16">
    <pci busid="0000:02:00.0" class="0x030200" link_speed="16.0 GT/s PCIe" link_width="16">
      <gpu dev="0" sm="80" rank="0" gdr="1"/></pci>
    <pci busid="0000:03:00.0" class="0x020700" link_speed="16.0 GT/s PCIe" link_width="16">
      <nic><net name="a" dev="0" speed="100000" port="1" gdr="1"/></nic></pci>
  </pci></cpu></system>)";
    return path;
  }();
  return kPath;
}
inline std::string machine(const std::string& name) { return std::string(MACHINES) + "/" + name; }

inline FabricFile fabricOf(const std::string& text) {
  FabricFile fabric;
  EXPECT_EQ(parseFabric(text, "test.yaml", fabric), mcclSuccess) << lastError();
  return fabric;
}
inline std::unique_ptr<Cluster> clusterOf(const std::string& machineFile, int hosts,
                                          const FabricFile& fabric = {}) {
  std::unique_ptr<Cluster> cluster;
  EXPECT_EQ(Cluster::make(machineFile, fabric, hosts, 0, cluster), mcclSuccess) << lastError();
  return cluster;
}
inline Plan planOf(const Cluster& cluster, CollectiveKind kind, Way way) {
  Plan plan;
  EXPECT_EQ(makePlan(cluster, kind, way, plan), mcclSuccess) << lastError();
  return plan;
}

}  // namespace musashim::mccl::sim
