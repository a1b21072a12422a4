"""MCCL_TOPO_FILE and its kin, on all_reduce_perf as a program of a user: files_test.py PROGRAM MACHINES."""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from xml.etree import ElementTree

PROGRAM, MACHINES = sys.argv[1], Path(sys.argv[2])


def run(devices: int, **environment: str) -> subprocess.CompletedProcess:
    clean = {name: value for name, value in os.environ.items()
             if not name.startswith(("MCCL_", "NCCL_", "MUSASHIM_", "HWLOC_"))}
    return subprocess.run([PROGRAM, "-g", str(devices), "-b", "4096", "-e", "65536", "-f", "16", "-n", "2"],
                          env={**clean, "MUSASHIM_SESSION": "none", **environment}, text=True, timeout=100,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)


def elements(path: Path, name: str) -> list[dict[str, str]]:
    return [element.attrib for element in ElementTree.parse(path).iter(name)]


class Files(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.topo, self.graph = self.folder / "topo.xml", self.folder / "graph.xml"
        self.dumps = {"MCCL_TOPO_DUMP_FILE": str(self.topo), "MCCL_GRAPH_DUMP_FILE": str(self.graph)}

    def testTheMachineOfTheFileIsTheDevices(self) -> None:
        machine = MACHINES / "switched.xml"
        done = run(4, MCCL_TOPO_FILE=str(machine), MCCL_ALGO="Ring", MCCL_DEBUG="TRACE",
                   MCCL_DEBUG_SUBSYS="INIT,GRAPH,ENV", **self.dumps)
        self.assertEqual(done.returncode, 0, done.stdout)
        for words in ("device  0 [0000:10:00]", "device  3 [0010:11:00]", f"MCCL_TOPO_FILE set by environment to {machine}",
                      "Channel 00/12 : 0 1 2 3", "Trees [0] 1/-1/-1->0->-1", "Pattern 4, crossNic 0, nChannels 12",
                      "GPU/0 (0000:10:00.0, rank 0) : GPU/0 (0/5000.0/LOC) GPU/1 (2/240.0/NVL)"):
            self.assertIn(words, done.stdout)
        self.assertEqual(self.topo.read_text(), machine.read_text())
        ring = elements(self.graph, "graph")[0]
        self.assertEqual((ring["nchannels"], ring["speedintra"], ring["typeintra"]), ("12", "20", "NVL"))

    def testOfFewerDevicesTheRestIsNotThere(self) -> None:
        done = run(2, NCCL_TOPO_FILE=str(MACHINES / "pci_only.xml"), **self.dumps)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual([gpu["dev"] for gpu in elements(self.topo, "gpu")], ["0", "1"])
        self.assertEqual(len(elements(self.topo, "net")), 1)
        more = run(9, NCCL_TOPO_FILE=str(MACHINES / "pci_only.xml"))
        self.assertNotEqual(more.returncode, 0, more.stdout)

    def testTheMachineHereIsFound(self) -> None:
        done = run(2, MUSASHIM_DEVICES="2", **self.dumps)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual([gpu["rank"] for gpu in elements(self.topo, "gpu")], ["0", "1"])
        self.assertTrue(elements(self.topo, "cpu"))
        # What was found is a machine as good as any.
        again = run(2, MCCL_TOPO_FILE=str(self.topo), MCCL_TOPO_DUMP_FILE=str(self.folder / "again.xml"))
        self.assertEqual(again.returncode, 0, again.stdout)
        self.assertEqual((self.folder / "again.xml").read_text(), self.topo.read_text())

    def testGraphsOfAFileAreNotSearched(self) -> None:
        own = self.folder / "own.xml"
        own.write_text('<graphs version="1"><graph id="0" pattern="4" crossnic="0" nchannels="1" speedintra="5" '
                       'speedinter="5" latencyinter="0" typeintra="NVL" typeinter="PIX" samechannels="1"><channel>'
                       '<gpu dev="0"/><gpu dev="0x2"/><gpu dev="0x1"/><gpu dev="0x3"/></channel></graph></graphs>')
        machine = {"MCCL_TOPO_FILE": str(MACHINES / "switched.xml"), "MCCL_GRAPH_FILE": str(own)}
        done = run(4, MCCL_DEBUG="INFO", MCCL_ALGO="Ring", **machine)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("Channel 00/01 : 0 2 1 3", done.stdout)
        wrong = run(3, MCCL_DEBUG="WARN", **machine)
        self.assertNotEqual(wrong.returncode, 0, wrong.stdout)
        self.assertIn("its channels are not those of this communicator's 3 devices", wrong.stdout)

    def testWhatIsNoMachineFailsAndIsNamed(self) -> None:
        bad = self.folder / "bad.xml"
        bad.write_text('<system version="1">\n<cpu>\n')
        done = run(1, MCCL_TOPO_FILE=str(bad), MCCL_DEBUG="WARN")
        self.assertNotEqual(done.returncode, 0, done.stdout)
        self.assertIn(f"{bad}:2: no XML", done.stdout)
        missing = run(1, MCCL_TOPO_FILE=str(self.folder / "none.xml"), MCCL_DEBUG="INFO", MCCL_DEBUG_SUBSYS="GRAPH")
        self.assertEqual(missing.returncode, 0, missing.stdout)
        self.assertIn("none.xml is not there", missing.stdout)
        unwritable = run(1, MCCL_TOPO_DUMP_FILE="/nowhere/topo.xml", MCCL_DEBUG="WARN")
        self.assertNotEqual(unwritable.returncode, 0, unwritable.stdout)
        self.assertIn("/nowhere/topo.xml: cannot be written", unwritable.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
