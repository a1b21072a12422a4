"""Machines that hwloc has recorded: RECORDED_TEST ALL_REDUCE_PERF FOLDER. What a dump says of NUMA nodes, PCI switches and
network devices is what the files say, read here without hwloc; and, where lstopo is installed, what that shows."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from xml.etree import ElementTree

PROGRAM, FOLDER = "", Path()
NETWORK, RDMA = 1 << 4, 1 << 5  # kinds of devices, in files of hwloc 3


def maskOf(text: str) -> int:
    """Groups of 32 bits, the highest first; of one that is empty nothing may be written."""
    mask = 0
    for group in text.split(","):
        mask = mask << 32 | int(group or "0", 16)
    return mask


def dumpOf(machine: Path, folder: str) -> ElementTree.Element:
    clean = {name: value for name, value in os.environ.items()
             if not name.startswith(("MCCL_", "NCCL_", "MUSASHIM_", "HWLOC_"))}
    dump = Path(folder) / "dump.xml"
    done = subprocess.run([PROGRAM, "-g", "1", "-b", "8", "-e", "8", "-n", "1"], text=True, timeout=100, check=False,
                          env={**clean, "MUSASHIM_SESSION": "none", "HWLOC_XMLFILE": str(machine),
                               "MCCL_TOPO_DUMP_FILE": str(dump)}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode == 0, done.stdout
    return ElementTree.parse(dump).getroot()


def chainsIn(dump: ElementTree.Element) -> dict[str, tuple[str, list[str]]]:
    """{network device: (NUMA node, PCI bus ids from the CPU down)}"""
    chains = {}

    def visit(element: ElementTree.Element, numa: str, buses: list[str]) -> None:
        for child in element:
            if child.tag == "net":
                chains[child.get("name")] = (numa, buses)
            visit(child, numa, [*buses, child.get("busid")] if child.tag == "pci" else buses)

    for cpu in dump.iter("cpu"):
        visit(cpu, cpu.get("numaid"), [])
    return chains


def chainsOf(machine: ElementTree.Element) -> dict[str, tuple[str, list[str]]]:
    """The same of a file of hwloc's. A switch is a PCI bridge with one above and goes by that one's bus id; ports of the
    root are none."""
    found = {NETWORK: {}, RDMA: {}}

    def visit(element: ElementTree.Element, nodes: int, bridges: list[str], pci: str) -> None:
        for child in element.findall("object"):
            kind, inside = child.get("type"), nodes
            if child.get("nodeset"):
                inside = maskOf(child.get("nodeset"))
            if kind == "OSDev":
                kinds = int(child.get("osdev_type"))
                wanted = RDMA if kinds & RDMA else NETWORK if kinds & NETWORK else 0
                if wanted and pci:
                    found[wanted][child.get("name")] = (str((inside & -inside).bit_length() - 1), [*bridges[:-1], pci])
                visit(child, inside, bridges, pci)
            elif kind == "Bridge" and child.get("bridge_type", "").startswith("1-"):
                visit(child, inside, [*bridges, child.get("pci_busid")], pci)
            else:
                visit(child, inside, bridges, child.get("pci_busid") if kind == "PCIDev" else pci)

    visit(machine, 0, [], "")
    return found[RDMA] or found[NETWORK]


class RecordedMachines(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = self.enterContext(tempfile.TemporaryDirectory())

    def testTheyAreWhatTheirFilesSay(self) -> None:
        for path in sorted(FOLDER.glob("*.xml")):
            with self.subTest(machine=path.name):
                dump, machine = dumpOf(path, self.folder), ElementTree.parse(path).getroot()
                nodes = [node for node in machine.iter("object") if node.get("type") == "NUMANode"]
                self.assertEqual(sorted(cpu.get("numaid") for cpu in dump.iter("cpu")),
                                 sorted(node.get("os_index") for node in nodes))
                masks = {node.get("os_index"): maskOf(node.get("cpuset")) for node in nodes}
                for cpu in dump.iter("cpu"):
                    self.assertEqual(maskOf(cpu.get("affinity", "0")), masks[cpu.get("numaid")])
                self.assertEqual(chainsIn(dump), chainsOf(machine))

    @unittest.skipUnless(shutil.which("lstopo-no-graphics"), "no lstopo")
    def testLstopoShowsTheSame(self) -> None:
        for path in sorted(FOLDER.glob("*.xml")):
            with self.subTest(machine=path.name):
                text = path.read_text().replace('<topology version="3.0">', '<topology version="2.0">')
                kinds = lambda match: f'osdev_type="{3 if int(match[1]) & RDMA else 2 if int(match[1]) & NETWORK else 0}"'
                copy = Path(self.folder) / "machine.xml"
                copy.write_text(re.sub(r'osdev_type="(\d+)"', kinds, text))
                shown = subprocess.run(["lstopo-no-graphics", "-i", str(copy), "--of", "console", "--whole-io", "-v"],
                                       text=True, capture_output=True, check=True).stdout
                dump = dumpOf(path, self.folder)
                self.assertEqual(len(re.findall(r"^ *NUMANode ", shown, re.M)), len(list(dump.iter("cpu"))))
                for name, (_, buses) in chainsIn(dump).items():
                    # A device's own bus id is the last one shown before it.
                    before = shown[:re.search(rf'(Network|OpenFabrics).*"{name}"', shown).start()]
                    self.assertEqual(re.findall(r"busid=([0-9a-f:.]+)", before)[-1], buses[-1])


if __name__ == "__main__":
    PROGRAM, FOLDER = sys.argv[1], Path(sys.argv[2])
    del sys.argv[1:]
    if not list(FOLDER.glob("*.xml")):
        print(f"no recorded machines in {FOLDER}")
        sys.exit(77)
    unittest.main(verbosity=2)
