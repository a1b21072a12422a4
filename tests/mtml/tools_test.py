"""The vendor's tools as installed: musaInfo, mthreads-gmi, musa_version_query. tools_test.py SDK SOURCES"""
import fcntl
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

SDK = SOURCES = FOLDER = None
MACHINE = {"MUSASHIM_DEVICES": "2", "MUSASHIM_ARCH": "S4000"}


def environment(session, **more):
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("MUSA", "MCCL", "NCCL"))}
    return {**kept, **MACHINE, "MUSASHIM_SESSION": session, **more}


class ToolsTest(unittest.TestCase):
    def setUp(self):
        # Devices of its own: other tests run beside this one.
        self.session = f"t{os.getpid()}-{self.id().rsplit('_', 1)[-1]}"[:24]

    def tool(self, name, *arguments, code=0, **more):
        result = subprocess.run([SDK / "bin" / name, *arguments], env=environment(self.session, **more),
                                capture_output=True, text=True, timeout=60)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result.stdout

    def gmi(self, *arguments, **more):
        return self.tool("mthreads-gmi", *arguments, **more)

    def hold(self, *arguments):
        """A program that holds memory; it ends with the test."""
        program = subprocess.Popen([FOLDER / "holder", *arguments], env=environment(self.session),
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.addCleanup(self.end, program)
        self.assertEqual(program.stdout.readline(), "ready\n")
        return program

    def end(self, program):
        if program.stdin.closed:
            return
        program.stdin.close()
        self.assertEqual(program.wait(timeout=30), 0)
        program.stdout.close()

    def gpus(self, *parts):
        return json.loads(self.gmi("-q", "--json", *(["-d", ",".join(parts)] if parts else [])))["GPU"]

    def used(self):
        return [gpu["FB Memory Usage"]["Used"] for gpu in self.gpus("MEMORY")]

    def processes(self):
        """{(device, process): memory}, of the table."""
        rows = re.findall(r"^(\d+) +(\d+) +(\S+) +(\d+MiB)$", self.gmi(), re.M)
        self.assertTrue(all(name.endswith("holder") for _, _, name, _ in rows), rows)
        return {(int(device), int(process)): memory for device, process, _, memory in rows}

    # ---- musaInfo

    def test_musa_info(self):
        text = self.tool("musaInfo")
        self.assertTrue(text.startswith("compiler: mcc\n" + "-" * 80 + "\ndevice#"), text[:200])
        first = {}
        for line in text.splitlines()[2:]:
            name, _, value = line.partition(":")
            first.setdefault(name, value.strip())
        # What scripts look for.
        for name, value in {"Name": "MTT S4000", "compute capability": "2.2", "pciBusID": "0x2a", "warpSize": "128",
                            "clockRate": "1680 Mhz", "memoryBusWidth": "384", "totalGlobalMem": "47.91 GB",
                            "sharedMemPerMultiprocessor": "72.00 KB", "maxGridSize.z": "2147483647",
                            "peers": "device#1", "non-peers": "device#0"}.items():
            self.assertEqual(first[name], value, name)
        self.assertRegex(first["Driver Version"], r"^\d+\.\d+$")
        self.assertRegex(first["memInfo.free"], r"^\d+\.\d\d GB \(\d+%\)$")
        self.assertEqual(text.count("device# "), 2)

    def test_musa_info_without_devices(self):
        result = subprocess.run([SDK / "bin/musaInfo"], env=environment("none", MUSASHIM_DEVICES="0"), capture_output=True,
                                text=True, timeout=60)
        self.assertEqual(result.returncode, 1)
        self.assertIn("no MUSA-capable device", result.stderr)

    def test_version_query(self):
        text = self.tool("musa_version_query")
        blocks = dict(re.findall(r"^(\w+):\n(\{\n.*?\n\})", text, re.M | re.S))
        self.assertEqual(list(blocks)[:3], ["musa_toolkits", "mcc", "musa_runtime"])
        for block in blocks.values():
            self.assertRegex(json.loads(block)["version"], r"^\d+\.\d+\.\d+$")
        self.assertEqual(self.tool("musa_runtime_version"), f"musa_runtime:\n{blocks['musa_runtime']}\n")

    # ---- libmtml

    def test_a_cmake_project_in_c_and_an_unported_source_find_their_libraries(self):
        folder = FOLDER / "project"
        shutil.copytree(SOURCES / "project", folder)
        kept = environment(self.session)
        for command in (["cmake", "-S", folder, "-B", folder / "build", f"-DCMAKE_MODULE_PATH={SDK}/cmake"],
                        ["cmake", "--build", folder / "build"]):
            result = subprocess.run(command, env=kept, capture_output=True, text=True, timeout=120)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        result = subprocess.run([folder / "build/devices"], env=kept, capture_output=True, text=True, timeout=60)
        self.assertEqual(result.stdout, "2 2\n")

    # ---- mthreads-gmi

    def test_list(self):
        lines = self.gmi("-L").splitlines()
        self.assertEqual(len(lines), 2)
        for number, line in enumerate(lines):
            self.assertRegex(line, rf"^GPU {number} : MTT S4000 \(UUID : [0-9a-f]{{8}}(-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}}\)$")
        # Also those that programs do not see.
        self.assertEqual(self.gmi("-L", MUSA_VISIBLE_DEVICES="1").splitlines(), lines)

    def test_table_fits_into_80_columns(self):
        text = self.gmi()
        self.assertLessEqual(max(map(len, text.splitlines())), 80)
        self.assertRegex(text, r"mthreads-gmi:\d+\.\d+\.\d+ +Driver Version:\d+\.\d+\.\d+\n")
        self.assertIn("\n0    MTT S4000            |00000000:2a:00.0    |0%    0MiB(49152MiB)\n"
                      "     Physical      P0     |16x(16x)            |35C   NO\n", text)
        self.assertIn("   No running processes found\n", text)

    def test_query_parts(self):
        text = self.gmi("-q", "-i", "1", "-d", "MEMORY")
        total = re.search(r"FB Memory Usage\n +Total +:  (\d+)MiB\n +Used +:  (\d+)MiB\n +Free", text)
        self.assertEqual(total[1], "49152")
        self.assertEqual(re.findall(r"^GPU(\d)", text, re.M), ["1"])
        self.assertNotIn("Clocks", text)
        everything = self.gmi("-q")
        name = re.search("Product Name.*", everything)[0].split(":")[1].replace(" ", "")  # as torch_musa's scripts do
        self.assertEqual(name, "MTTS4000")

    def test_what_monitors_read_is_told_once(self):
        """Scripts take a line of one device by a word of it and expect one number."""
        text = self.gmi("-i", "0", "-q")
        for word, number in (("Graphics", r"\d+(?=MHz)"), ("GPU Current Temp", r"\d+(?=C)"), ("MTBios", r"\d+\.\d+\.\d+")):
            lines = [line for line in text.splitlines() if word in line]
            self.assertEqual(len(re.findall(number, "\n".join(lines))), 1, lines)

    def test_json(self):
        whole = json.loads(self.gmi("-q", "--json"))
        self.assertEqual((whole["Attached GPUs"], len(whole["GPU"])), ("2", 2))
        gpu = whole["GPU"][0]
        self.assertEqual(gpu["PCI"]["Vendor ID"], "0x1ED5")
        self.assertEqual(gpu["Power Readings"], {"Power Draw ": "90.00W", "Current Power Limit": "450.00W"})  # the space is the vendor's
        self.assertEqual(gpu["PCI"]["GPU Link Info"]["Link Width"], {"Max": "16x", "Current": "16x"})
        self.assertEqual(gpu["Processes"], [])

    def test_errors_go_to_stdout(self):
        self.assertIn("-x", self.gmi("-x", code=1))
        self.assertIn("No device 7", self.gmi("-i", "7", code=1))
        self.assertIn("No devices", self.gmi(code=1, MUSASHIM_DEVICES="0"))

    def test_loop_goes_on_until_the_reader_goes(self):
        program = subprocess.Popen([SDK / "bin/mthreads-gmi", "-L", "-l", "0.05"], env=environment(self.session),
                                   stdout=subprocess.PIPE, text=True)
        lines = [program.stdout.readline() for _ in range(6)]
        self.assertEqual(lines[:2], lines[2:4])
        program.stdout.close()
        program.wait(timeout=30)

    def test_topology_is_libmccls(self):
        machines = SOURCES.parent / "mccl/topology/machines"
        text = self.gmi("topo", "-m", MUSASHIM_DEVICES="", MCCL_TOPO_FILE=str(machines / "switched.xml"))
        self.assertIn("\nGPU2  MT12  MT12  X     MT12  SYS   SYS   PIX   PIX   8-15          1\n", text)
        text = self.gmi("topo", "-mg", MUSASHIM_DEVICES="", MCCL_TOPO_FILE=str(machines / "pci_only.xml"))
        self.assertIn("\nGPU1  PIX   X     PXB   PXB   SYS   SYS   SYS   SYS\n", text)
        links = self.gmi("mtlink", "-r", MUSASHIM_DEVICES="", MCCL_TOPO_FILE=str(machines / "square.xml"))
        self.assertIn("    Link 1 : GPU 3 Link 0\n", links)
        # Its log does not come between.
        self.assertEqual(self.gmi("topo", "-m"), self.gmi("topo", "-m", MCCL_DEBUG="INFO"))

    def test_peers(self):
        self.assertTrue(self.gmi("topo", "-p2p", "r").startswith("      GPU0  GPU1\nGPU0  X     OK\nGPU1  OK    X\n"))

    def test_matrix_is_folded_for_a_terminal_of_80_columns(self):
        machine = SOURCES.parent / "mccl/topology/machines/pci_only.xml"
        ours, theirs = os.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("4H", 24, 80, 0, 0))
        program = subprocess.Popen([SDK / "bin/mthreads-gmi", "topo", "-m"], stdout=theirs,
                                   env=environment(self.session, MUSASHIM_DEVICES="", MCCL_TOPO_FILE=str(machine)))
        os.close(theirs)
        text = b""
        try:
            while piece := os.read(ours, 65536):
                text += piece
        except OSError:  # the terminal's other side is closed
            pass
        os.close(ours)
        self.assertEqual(program.wait(timeout=30), 0)
        self.assertLessEqual(max(map(len, text.splitlines())), 80)
        self.assertIn(b"CPU Affinity", text)

    def test_monitor_repeats(self):
        lines = self.gmi("dmon", "-d", "0.01", "-c", "3").splitlines()
        self.assertEqual([line.split()[0] for line in lines], ["#", "#", *"010101"])

    # ---- nvidia-smi

    def smi(self, *arguments, **more):
        return self.tool("../cuda/bin/nvidia-smi", *arguments, **more)

    def test_nvidia_smi_queries(self):
        self.assertEqual(self.smi("--query-gpu=index,name,memory.total,compute_cap", "--format=csv"),
                         "index, name, memory.total [MiB], compute_cap\n0, MTT S4000, 49152 MiB, 8.0\n1, MTT S4000, 49152 MiB, 8.0\n")
        self.assertEqual(self.smi("--query-gpu=compute_cap", "--format=csv,noheader", "-i", "0", MUSASHIM_CUDA_CAPABILITY="7.5"), "7.5\n")
        self.assertIn("MUSASHIM_CUDA_CAPABILITY=2.2 is not usable", self.smi("-L", code=6, MUSASHIM_CUDA_CAPABILITY="2.2"))
        self.assertEqual(self.smi("--query-gpu", "memory.used,temperature.gpu,utilization.gpu", "--format=csv,noheader,nounits", "-i", "1"),
                         "0, 35, 0\n")
        self.assertEqual(self.smi("--query-gpu=power.draw,power.limit,fan.speed,vbios_version", "--format=csv", "-i", "1"),
                         "power.draw [W], power.limit [W], fan.speed [%], vbios_version\n90.00 W, 450.00 W, [N/A], 3.4.8\n")
        self.assertEqual(self.smi("-L").count("\n"), 2)
        self.assertRegex(self.smi("-L"), r"^GPU 0: MTT S4000 \(UUID: GPU-[0-9a-f-]{36}\)\n")
        self.assertIn('Field "speed" is not a valid field to query.', self.smi("--query-gpu=speed", "--format=csv", code=6))
        self.assertIn("--format=csv", self.smi("--query-gpu=name", code=6))
        self.assertIn("--boost", self.smi("--boost", code=6))

    def test_nvidia_smi_shows_programs(self):
        program = self.hold("64", "0")
        text = self.smi()
        self.assertEqual({len(line) for line in text.splitlines()[1:] if line}, {91})
        self.assertIn("|      64MiB /  49152MiB |", text)
        self.assertRegex(text, rf"\|    0   N/A  N/A +{program.pid} +C   \S*holder +64MiB \|")
        line = self.smi("--query-compute-apps=pid,used_memory", "--format=csv,noheader")
        self.assertEqual(line, f"{program.pid}, 64 MiB\n")

    # ---- Live

    def test_without_settings_the_running_programs_devices_are_shown(self):
        self.hold("10", "8")
        kept = {name: value for name, value in environment(self.session).items() if name not in MACHINE}
        text = subprocess.run([SDK / "bin/mthreads-gmi"], env=kept, capture_output=True, text=True, timeout=60).stdout
        self.assertEqual(re.findall(r"^\d +(MTT \w+) .*?(\d+)MiB\(", text, re.M), [("MTT S4000", "10"), ("MTT S4000", "8")])

    def test_memory_and_processes_of_others_live(self):
        self.assertEqual(self.used(), ["0MiB", "0MiB"])
        one = self.hold("100", "0")
        self.assertEqual(self.used(), ["100MiB", "0MiB"])
        other = self.hold("30", "200")
        self.assertEqual(self.used(), ["130MiB", "200MiB"])
        self.assertEqual(self.processes(), {(0, one.pid): "100MiB", (0, other.pid): "30MiB", (1, other.pid): "200MiB"})
        self.assertEqual([entry["Process ID"] for entry in self.gpus("PIDS")[1]["Processes"]], [str(other.pid)])
        self.end(one)
        self.assertEqual(self.used(), ["30MiB", "200MiB"])
        self.assertEqual(list(self.processes()), [(0, other.pid), (1, other.pid)])

    def test_killed_processes_leave_nothing(self):
        program = self.hold("64", "0")
        self.assertEqual(self.used()[0], "64MiB")
        program.kill()
        program.wait(timeout=30)
        program.stdin.close()
        program.stdout.close()
        self.assertEqual(self.used()[0], "0MiB")
        self.assertEqual(self.processes(), {})

    def test_kernels_of_others_are_seen_live(self):
        def load():
            return [int(gpu["Utilization"]["Gpu"].rstrip("%")) for gpu in self.gpus("UTILIZATION")]

        self.assertEqual(load(), [0, 0])
        program = self.hold("1", "0", "spin")
        deadline = time.monotonic() + 30
        while load()[0] < 90 and time.monotonic() < deadline:
            pass
        self.assertGreaterEqual(load()[0], 90)
        self.assertEqual(load()[1], 0)
        self.end(program)
        self.assertEqual(load(), [0, 0])


if __name__ == "__main__":
    SDK, SOURCES = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="mtml-tools-"))
    try:
        subprocess.run([SDK / "bin/mcc", SOURCES / "programs/holder.mu", "-o", FOLDER / "holder"], check=True)
        program = unittest.main(argv=sys.argv[:1] + sys.argv[3:], exit=False)
    finally:
        shutil.rmtree(FOLDER, True)
    sys.exit(not program.result.wasSuccessful())
