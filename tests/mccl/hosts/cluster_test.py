"""Communicators over hosts that are network name spaces (scripts/cluster): CLUSTER_TEST RANK_PROGRAM [PLUGIN].

What only shows where hosts have addresses and links of their own; everything else is in hosts_test.cpp.
"""
import os
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
from cluster_file import PATH, load

PROGRAM = PLUGIN = ""


def may_make_hosts():
    cluster = load().Cluster(tempfile.mkdtemp())
    try:
        cluster.open(1)
        return True
    except OSError as error:
        print(f"no name spaces here: {error}", file=sys.stderr)
        return False
    finally:
        cluster.close()
        os.rmdir(cluster.folder)


class OverHosts(unittest.TestCase):
    def run_on(self, hosts, scenario, each=1, options=(), environment=None, only=""):
        """`only`: the interfaces of the last host."""
        with tempfile.TemporaryDirectory() as folder:
            choice = f"[ $CLUSTER_HOST != {hosts - 1} ] || export MCCL_SOCKET_IFNAME={only}; " if only else ""
            script = (f'{choice}exec "{PROGRAM}" "{scenario}" $((CLUSTER_HOST * {each})) {each} $((CLUSTER_HOSTS * {each})) '
                      f"{folder}/id")
            ours = {name: value for name, value in os.environ.items() if not name.startswith(("MCCL_", "NCCL_"))}
            done = subprocess.run([str(PATH), str(hosts), "--each", *options, "--", "sh", "-c", script], text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=100,
                                  env={**ours, "MUSASHIM_DEVICES": "16", **(environment or {})})
            self.assertEqual(done.returncode, 0, done.stdout)
            return done.stdout

    def test_two_three_and_eight_hosts(self):
        for hosts, each in ((2, 1), (2, 3), (3, 2), (8, 1)):
            with self.subTest(hosts=hosts, each=each):
                self.run_on(hosts, "collectives", each)

    def test_an_interface_is_found_without_being_told(self):
        output = self.run_on(2, "collectives", environment={"MCCL_DEBUG": "INFO", "MCCL_DEBUG_SUBSYS": "ALL",
                                                            "MCCL_SOCKET_IFNAME": ""})
        self.assertIn("Bootstrap : Using eth0:10.77.0.1", output)
        self.assertIn("NET/Socket : Using [0]eth0", output)
        self.assertIn("Channel 00/01 : 0 1", output)
        self.assertRegex(output, r"Trees \[0\] 1/-1/-1->0->-1")
        self.assertIn("0[0] -> 1[1] [send] via NET/Socket/0", output)

    def test_an_interface_that_is_not_there(self):
        with self.assertRaises(AssertionError) as caught:
            self.run_on(2, "collectives", environment={"MCCL_SOCKET_IFNAME": "nothing"})
        self.assertIn("none that is up is taken by MCCL_SOCKET_IFNAME=nothing", str(caught.exception))

    def test_channels_by_several_interfaces(self):
        output = self.run_on(3, "collectives", 2, ("--nics", "2"), {"MCCL_DEBUG": "INFO", "MCCL_DEBUG_SUBSYS": "ALL"})
        self.assertIn("NET/Socket : Using [0]eth0 [1]eth1", output)
        self.assertIn(" 1 : NET/1 GPU/0 GPU/1 NET/1", output)
        for channel in (0, 1):
            self.assertIn(f"Channel 0{channel}/02 : 0 1 2 3 4 5", output)
            self.assertIn(f"Channel 0{channel}/0 : 1[1] -> 2[2] [send] via NET/Socket/{channel}", output)
        # Rank 2 stands for its host: one chain of the host, two hosts below the first.
        self.assertRegex(output, r"Trees \[0\] 1/2/4->0->-1 \[1\] 1/2/4->0->-1")
        # Where rings were ordered, channels have no part in the results.
        self.run_on(2, "collectives", 2, ("--nics", "2"), {"MCCL_ALGO": "Ring"})
        self.run_on(2, "collectives", 2, ("--nics", "2"), {"MCCL_ALGO": "Tree"})

    def test_hosts_with_different_numbers_of_interfaces(self):
        output = self.run_on(2, "collectives", 1, ("--nics", "2"), {"MCCL_DEBUG": "INFO"}, only="=eth0")
        self.assertIn("Channel 00/01 : 0 1", output)

    def test_several_ids(self):
        self.run_on(2, "scalable", 2)

    def test_another_engine(self):
        if not PLUGIN:
            self.skipTest("libfabric's headers are not installed")
        output = self.run_on(2, "collectives", 2, (), {"MCCL_NET_PLUGIN": PLUGIN, "MCCL_DEBUG": "INFO"})
        self.assertIn("[send] via NET/libfabric/0", output)

    def test_splits(self):
        self.run_on(2, "split", 2)


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    if len(sys.argv) > 1 and "/" in sys.argv[1]:
        PLUGIN = sys.argv.pop(1)
    if not may_make_hosts():
        sys.exit(77)
    unittest.main(verbosity=2)
