#!/usr/bin/env python3
"""Turns device profiles (YAML) into the C++ table that settings.cpp looks them up in.

usage: generate.py OUTPUT PROFILE.yaml...
"""
import pathlib
import sys

import yaml

# Field of DeviceProfile -> key in the YAML. Every key must be given.
FIELDS = {
    "id": "id", "name": "name", "arch": "arch", "major": "major", "minor": "minor",
    "warpSize": "warp_size", "multiprocessors": "multiprocessors",
    "maxThreadsPerBlock": "max_threads_per_block",
    "maxThreadsPerMultiprocessor": "max_threads_per_multiprocessor",
    "maxBlocksPerMultiprocessor": "max_blocks_per_multiprocessor",
    "registersPerBlock": "registers_per_block",
    "registersPerMultiprocessor": "registers_per_multiprocessor",
    "sharedBytesPerBlock": "shared_bytes_per_block",
    "sharedBytesPerBlockOptin": "shared_bytes_per_block_optin",
    "sharedBytesPerMultiprocessor": "shared_bytes_per_multiprocessor",
    "constantBytes": "constant_bytes", "l2Bytes": "l2_bytes", "memoryBytes": "memory_bytes",
    "boardMemoryBytes": "board_memory_bytes",
    "memoryBusBits": "memory_bus_bits", "clockKHz": "clock_khz", "memoryClockKHz": "memory_clock_khz",
    "maxGrid": "max_grid", "maxBlock": "max_block",
    "pciVendorId": "pci_vendor_id", "pciDeviceId": "pci_device_id",
    "asyncEngines": "async_engines", "cooperativeLaunch": "cooperative_launch",
    "powerLimitMilliwatts": "power_limit_mw", "idleMilliwatts": "power_idle_mw", "fullMilliwatts": "power_full_mw",
    "idleCelsius": "temperature_idle_c", "fullCelsius": "temperature_full_c",
    "fans": "fans", "idleFanPercent": "fan_idle_percent", "fullFanPercent": "fan_full_percent", "mostFanRpm": "fan_most_rpm",
    "mtbios": "mtbios", "serialPrefix": "serial_prefix", "memoryType": "memory_type", "memoryVendor": "memory_vendor",
}


def literal(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, list):
        return "{" + ", ".join(literal(item) for item in value) + "}"
    return str(value)


def row(path):
    data = yaml.safe_load(pathlib.Path(path).read_text())
    wanted = set(FIELDS.values())
    unknown, missing = set(data) - wanted - {"default_for_arch"}, wanted - set(data)
    if unknown or missing:
        sys.exit(f"{path}: unknown keys {sorted(unknown)}, missing keys {sorted(missing)}")
    if data["id"] != pathlib.Path(path).stem:
        sys.exit(f"{path}: the id must be the file's name")
    fields = ",\n     ".join(f".{field} = {literal(data[key])}" for field, key in FIELDS.items())
    return f"    {{{{{fields}}},\n     {literal(data.get('default_for_arch', False))}}},\n"


def main():
    output, paths = sys.argv[1], sys.argv[2:]
    text = ('// Generated from backends/cpu/profiles/*.yaml by generate.py. Do not edit.\n'
            '#include <vector>\n\n#include "cpu/core/profiles.h"\n\n'
            'namespace musashim::backend::cpu {\n\n'
            '// Never destroyed: threads run until the process is gone.\n'
            'static const auto& kProfiles = *new std::vector<ProfileEntry>{\n'
            + "".join(row(path) for path in paths)
            + '};\n\nstd::span<const ProfileEntry> profiles() { return kProfiles; }\n\n'
            '}  // namespace musashim::backend::cpu\n')
    pathlib.Path(output).write_text(text)


main()
