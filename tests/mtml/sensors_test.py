"""Sensors: the vendor's tool, libmtml, NVML, nvidia-smi and musaInfo agree, and what moves does so with the load.
sensors_test.py SDK PROGRAMS"""
import ctypes
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

SDK = PROGRAMS = FOLDER = None
SET = """devices:
  - {product: S5000, temperature_c: 61, power_w: 410, power_limit_w: 700, fan_percent: 40, mtbios: 4.3.42, serial: MY10YL225BF06077}
  - {product: S80, name: MTT S80 (set), temperature_c: 52, power_w: 153, clock_mhz: 1700, memory_clock_mhz: 6000, pci: "0000:3a:00.0"}
"""

# What a library tells of each device, as JSON: its own process, as libraries read the environment once.
READ = """
import ctypes, json, sys
which, path = sys.argv[1:3]
library = ctypes.CDLL(path)
def number(call, *handles):
    value = ctypes.c_uint()
    status = call(*handles, ctypes.byref(value))
    return value.value if status == 0 else f"status {status}"
def text(call, handle, swapped=False):
    value = ctypes.create_string_buffer(80)
    status = call(handle, 80, value) if swapped else call(handle, value, 80)
    return value.value.decode() if status == 0 else f"status {status}"
devices = []
if which == "mtml":
    handle = ctypes.c_void_p()
    assert library.mtmlLibraryInit(ctypes.byref(handle)) == 0
    def opened(call, of, *more):
        made = ctypes.c_void_p()
        assert call(of, *more, ctypes.byref(made)) == 0
        return made
    for index in range(number(library.mtmlLibraryCountDevice, handle)):
        device = opened(library.mtmlLibraryInitDeviceByIndex, handle, index)
        gpu, memory = opened(library.mtmlDeviceInitGpu, device), opened(library.mtmlDeviceInitMemory, device)
        pci = ctypes.create_string_buffer(104)
        assert library.mtmlDeviceGetPciInfo(device, pci) == 0
        devices.append({
            "name": text(library.mtmlDeviceGetName, device), "serial": text(library.mtmlDeviceGetSerialNumber, device, True),
            "bios": text(library.mtmlDeviceGetVbiosVersion, device), "place": pci.value.decode(),
            "celsius": number(library.mtmlGpuGetTemperature, gpu), "milliwatts": number(library.mtmlDeviceGetPowerUsage, device),
            "fan": number(library.mtmlDeviceGetFanSpeed, device, 0), "clock": number(library.mtmlGpuGetClock, gpu),
            "memory clock": number(library.mtmlMemoryGetClock, memory), "bus": number(library.mtmlMemoryGetBusWidth, memory)})
else:
    assert library.nvmlInit_v2() == 0
    for index in range(number(library.nvmlDeviceGetCount_v2)):
        device = ctypes.c_void_p()
        assert library.nvmlDeviceGetHandleByIndex_v2(index, ctypes.byref(device)) == 0
        pci = ctypes.create_string_buffer(128)
        assert library.nvmlDeviceGetPciInfo_v3(device, pci) == 0
        devices.append({
            "name": text(library.nvmlDeviceGetName, device), "serial": text(library.nvmlDeviceGetSerial, device),
            "bios": text(library.nvmlDeviceGetVbiosVersion, device), "place": pci.raw[36:].split(b"\\0")[0].decode().lower(),
            "celsius": number(library.nvmlDeviceGetTemperature, device, 0), "milliwatts": number(library.nvmlDeviceGetPowerUsage, device),
            "limit": number(library.nvmlDeviceGetPowerManagementLimit, device), "fan": number(library.nvmlDeviceGetFanSpeed_v2, device, 0),
            "clock": number(library.nvmlDeviceGetClockInfo, device, 1), "memory clock": number(library.nvmlDeviceGetClockInfo, device, 2),
            "bus": number(library.nvmlDeviceGetMemoryBusWidth, device)})
print(json.dumps(devices))
"""


class SensorsTest(unittest.TestCase):
    maxDiff = None

    def environment(self, **more):
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("MUSA", "MCCL", "NCCL"))}
        return {**kept, "MUSASHIM_SESSION": f"s{os.getpid()}", **more}

    def run_(self, *command, **more):
        result = subprocess.run(command, env=self.environment(**more), capture_output=True, text=True, timeout=60)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result.stdout

    def library(self, which, path, **more):
        return json.loads(self.run_(sys.executable, "-c", READ, which, SDK / path, **more))

    def mtml(self, **more):
        return self.library("mtml", "lib/libmtml.so", **more)

    def gmi(self, **more):
        """The same of `mthreads-gmi -q`."""
        def number(value, unit):
            self.assertTrue(value.endswith(unit), value)
            return value[:-len(unit)]
        devices = []
        for gpu in json.loads(self.run_(SDK / "bin/mthreads-gmi", "-q", "--json", **more))["GPU"]:
            power, speed = gpu["Power Readings"], gpu["Fan"]["Speed"]
            devices.append({
                "name": gpu["Product Name"], "serial": gpu["Serial Number"], "bios": gpu["MTBios Version"], "place": gpu["PCI"]["Bus ID"],
                "celsius": int(number(gpu["Temperature"]["GPU Current Temp"], "C")),
                "milliwatts": round(float(number(power["Power Draw "], "W")) * 1000),
                "limit": round(float(number(power["Current Power Limit"], "W")) * 1000),
                "fan": int(number(speed["Fan0"], "%")) if speed != "N/A" else None,
                "clock": int(number(gpu["Clocks"]["Graphics"], "MHz")), "memory clock": int(number(gpu["Clocks"]["Memory"], "MHz")),
                "bus": int(number(gpu["FB Memory Spec"]["Bus Width"], "bits"))})
        return devices

    def test_all_agree_on_what_is_set(self):
        path = FOLDER / "set.yaml"
        path.write_text(SET)
        machine = {"MUSASHIM_MACHINE": str(path)}
        tool = self.gmi(**machine)
        self.assertEqual(tool[0], {"name": "MTT S5000", "serial": "MY10YL225BF06077", "bios": "4.3.42", "place": "00000000:2a:00.0",
                                   "celsius": 61, "milliwatts": 410000, "limit": 700000, "fan": 40, "clock": 1500,
                                   "memory clock": 10000, "bus": 640})
        self.assertEqual((tool[1]["celsius"], tool[1]["milliwatts"], tool[1]["limit"], tool[1]["clock"]), (52, 153000, 255000, 1700))
        nvml = self.library("nvml", "cuda/lib64/libnvidia-ml.so.1", **machine)
        self.assertEqual(nvml, tool)
        # libmtml has no call for the limit.
        self.assertEqual(self.mtml(**machine), [{name: value for name, value in one.items() if name != "limit"} for one in tool])
        smi = self.run_(SDK / "cuda/bin/nvidia-smi", "--format=csv,noheader,nounits", "--query-gpu=name,serial,vbios_version,pci.bus_id,"
                        "temperature.gpu,power.draw,power.limit,fan.speed,clocks.sm,clocks.mem", **machine)
        self.assertEqual(smi.lower().splitlines(),
                         [", ".join([one["name"].lower(), one["serial"].lower(), one["bios"], one["place"], str(one["celsius"]),
                                     f"{one['milliwatts'] / 1000:.2f}", f"{one['limit'] / 1000:.2f}", str(one["fan"]), str(one["clock"]),
                                     str(one["memory clock"])]) for one in tool])
        info = self.run_(SDK / "bin/musaInfo", **machine)
        field = lambda name: re.findall(rf"^{name}: +(.*)$", info, re.M)
        self.assertEqual(field("Name"), [one["name"] for one in tool])
        self.assertEqual(field("pciBusID"), ["0x" + one["place"].split(":")[1] for one in tool])
        self.assertEqual(field("clockRate"), [f"{one['clock']} Mhz" for one in tool])
        self.assertEqual(field("memoryClockRate"), [f"{one['memory clock']} Mhz" for one in tool])
        self.assertEqual(field("memoryBusWidth"), [str(one["bus"]) for one in tool])

    def test_nothing_of_a_product_is_missing(self):
        for product in ("S80", "S3000", "S4000", "S5000"):
            with self.subTest(product):
                one = self.mtml(MUSASHIM_ARCH=product)[0]
                self.assertGreater(one["celsius"], 20)
                self.assertGreater(one["milliwatts"], 10000)
                self.assertRegex(one["bios"], r"^\d+\.\d+\.\d+$")
                self.assertRegex(one["serial"], r"^MY[0-9A-Z]{14}$")
                # Where a server's fans cool it, it has none (MTML_ERROR_NOT_SUPPORTED).
                self.assertEqual(one["fan"], 30 if product == "S80" else "status 4")

    def test_serials_differ_and_stay(self):
        machine = {"MUSASHIM_ARCH": "S4000", "MUSASHIM_DEVICES": "8"}
        serials = [one["serial"] for one in self.mtml(**machine)]
        self.assertEqual(len(set(serials)), 8)
        self.assertEqual(serials, [one["serial"] for one in self.gmi(**machine)])

    def test_readings_move_with_the_load(self):
        machine = {"MUSASHIM_ARCH": "S80"}
        idle = self.mtml(**machine)[0]
        program = subprocess.Popen([FOLDER / "holder", "1", "0", "spin"], env=self.environment(**machine), stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, text=True)
        try:
            self.assertEqual(program.stdout.readline(), "ready\n")
            deadline = time.monotonic() + 30
            while (loaded := self.mtml(**machine)[0])["milliwatts"] < 200000 and time.monotonic() < deadline:
                pass
        finally:
            program.stdin.close()
            program.wait(timeout=30)
            program.stdout.close()
        self.assertEqual((idle["milliwatts"], idle["celsius"], idle["fan"]), (75000, 40, 30))
        self.assertGreaterEqual(loaded["milliwatts"], 200000)
        self.assertLessEqual(loaded["milliwatts"], 230000)
        self.assertGreater(loaded["celsius"], 65)
        self.assertGreater(loaded["fan"], 60)
        again = self.mtml(**machine)[0]
        self.assertEqual(again, idle)

    def test_no_more_power_than_the_limit(self):
        path = FOLDER / "limit.yaml"
        path.write_text("devices:\n  - {product: S4000, power_limit_w: 60}\n")
        self.assertEqual(self.gmi(MUSASHIM_MACHINE=str(path))[0]["milliwatts"], 60000)


if __name__ == "__main__":
    SDK, PROGRAMS = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="mtml-sensors-"))
    try:
        subprocess.run([SDK / "bin/mcc", "--offload-arch=mp_21", PROGRAMS / "holder.mu", "-o", FOLDER / "holder"], check=True)
        program = unittest.main(argv=sys.argv[:1] + sys.argv[3:], exit=False)
    finally:
        shutil.rmtree(FOLDER, True)
    sys.exit(not program.result.wasSuccessful())
