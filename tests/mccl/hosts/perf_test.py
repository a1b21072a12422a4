"""mccl-tests over hosts that are network name spaces (scripts/cluster): PERF_TEST ALL_REDUCE_PERF.

How its processes find each other: by a file, an address, Slurm's environment, PMI, and the MPIs that are installed.
"""
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import unittest
from xml.etree import ElementTree

sys.dont_write_bytecode = True
from cluster_file import PATH, load

PROGRAM = ""
OPTIONS = ["-b", "64", "-e", "1M", "-f", "128", "-g", "2", "-n", "2", "-w", "1"]
HOSTS = 2
TUTORIAL_BYTES = os.environ.get("TUTORIAL_BYTES", "4M")  # 128M there


def environment(**more):
    launchers = ("MCCL_", "NCCL_", "OMPI_", "PMIX_", "PMI_", "SLURM_", "MPI_")
    ours = {name: value for name, value in os.environ.items() if not name.startswith(launchers)}
    return {**ours, "MUSASHIM_DEVICES": "8", **more}


class PmiServer(threading.Thread):
    """Version 1 of PMI for one process: lines over a socket."""
    store, lock = {}, threading.Lock()
    barrier = threading.Barrier(HOSTS)

    def __init__(self):
        super().__init__(daemon=True)
        self.own, self.others = socket.socketpair()
        self.lines = []

    def run(self):
        with self.own.makefile("rw") as stream:
            for line in stream:
                words = dict(word.split("=", 1) for word in line.split())
                self.lines.append(words["cmd"])
                print(self.answer(words), file=stream, flush=True)

    def answer(self, words):
        if words["cmd"] == "init":
            return "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0"
        if words["cmd"] == "get_my_kvsname":
            return "cmd=my_kvsname kvsname=kvs_1_0"
        if words["cmd"] == "put":
            with self.lock:
                self.store[words["key"]] = words["value"]
            return "cmd=put_result rc=0 msg=success"
        if words["cmd"] == "barrier_in":
            self.barrier.wait(30)
            return "cmd=barrier_out"
        if words["cmd"] == "get":
            with self.lock:
                return f"cmd=get_result rc=0 msg=success value={self.store[words['key']]}"
        return "cmd=finalize_ack"


class PerfOverHosts(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.cluster = load().Cluster(self.folder.name)
        self.addCleanup(self.folder.cleanup)
        self.addCleanup(self.cluster.close)
        try:
            self.cluster.open(HOSTS)
        except OSError as error:
            print(f"no name spaces here: {error}", file=sys.stderr)
            self.skipTest("no name spaces")

    def check(self, outputs):
        """One table, of the job's four ranks, in which nothing is wrong."""
        rows = [line.split() for output in outputs for line in output.splitlines() if re.match(r" +\d+ ", line)]
        self.assertTrue(all(f"Rank  {rank} " in "".join(outputs) for rank in range(4)), "\n".join(outputs))
        self.assertEqual([row[0] for row in rows], ["64", "8192", "1048576"], "\n".join(outputs))
        for row in rows:
            self.assertEqual((row[8], row[12]), ("0", "0"))
        # The bus carries 2 (n - 1) / n of an all-reduce.
        self.assertAlmostEqual(float(rows[-1][7]) / float(rows[-1][6]), 1.5, delta=0.25)

    def run_each(self, variables, **options):
        """A process on each host; `variables` of its number."""
        processes = [subprocess.Popen([*self.cluster.on(pid), PROGRAM, *OPTIONS], env=environment(**variables(host)),
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                      **({"pass_fds": options["fds"](host)} if options else {}))
                     for host, pid in enumerate(self.cluster.hosts)]
        outputs = [process.communicate(timeout=60)[0] for process in processes]
        self.assertEqual([process.returncode for process in processes], [0] * HOSTS, "\n".join(outputs))
        self.check(outputs)

    def ours(self, host, **more):
        return {"MCCL_TESTS_RANK": str(host), "MCCL_TESTS_SIZE": str(HOSTS), "MCCL_TESTS_JOB": "job", **more}

    def test_by_a_file(self):
        path = f"{self.folder.name}/place"
        self.run_each(lambda host: self.ours(host, MCCL_TESTS_FILE=path))

    def test_by_an_address(self):
        self.run_each(lambda host: self.ours(host, MCCL_TESTS_ROOT="10.77.0.1:7077"))

    def test_by_the_nodes_of_slurm(self):
        self.run_each(lambda host: {"SLURM_PROCID": str(host), "SLURM_NTASKS": str(HOSTS), "SLURM_NNODES": str(HOSTS),
                                    "SLURM_NTASKS_PER_NODE": "1", "SLURM_JOB_ID": "77", "SLURM_STEP_ID": "0",
                                    "SLURM_STEP_NODELIST": "10.77.0.[1-2]"})

    def test_by_pmi(self):
        servers = [PmiServer() for _ in range(HOSTS)]
        for server in servers:
            server.start()
        fd = lambda host: servers[host].others.fileno()
        self.run_each(lambda host: {"PMI_RANK": str(host), "PMI_SIZE": str(HOSTS), "MPI_LOCALNRANKS": "1",
                                    "PMI_FD": str(fd(host))}, fds=lambda host: (fd(host),))
        self.assertEqual(servers[1].lines, ["init", "get_my_kvsname", "barrier_in", "get", "finalize"])
        for server in servers:
            server.own.shutdown(socket.SHUT_RDWR)
            server.join()
            server.own.close()
            server.others.close()

    def launch(self, command, **more):
        done = subprocess.run([*self.cluster.on(self.cluster.hosts[0]), *command, PROGRAM, *OPTIONS], text=True,
                              env={**environment(**more), **self.cluster.environment()}, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=90)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.check([done.stdout])

    @unittest.skipUnless(shutil.which("mpirun.openmpi"), "no Open MPI")
    def test_by_open_mpi(self):
        self.launch(["mpirun.openmpi", "-np", str(HOSTS), "--map-by", "node", "-x", "MUSASHIM_DEVICES"])

    @unittest.skipUnless(shutil.which("mpirun.openmpi"), "no Open MPI")
    def test_the_command_of_a_tutorial(self):
        """As it is written for NCCL on two machines, with the names ported (sizes end earlier)."""
        folder = pathlib.Path(self.folder.name)
        settings = {"LD_LIBRARY_PATH": os.environ.get("LD_LIBRARY_PATH", ""), "MCCL_IB_HCA": "mlx5_0:1", "MCCL_DEBUG": "TRACE",
                    "MCCL_PROTOS": "2", "MCCL_TOPO_DUMP_FILE": "./topo.txt", "MCCL_GRAPH_DUMP_FILE": "./graph.txt"}
        exports = [word for name, value in settings.items() for word in ("-x", f"{name}={value}")]
        environment_ = {**environment(), **self.cluster.environment()}
        hosts = environment_.pop("OMPI_MCA_orte_default_hostfile")
        done = subprocess.run([*self.cluster.on(self.cluster.hosts[0]), "mpirun.openmpi", "-hostfile", hosts, "-np", "2",
                               "--allow-run-as-root", *exports, os.path.abspath(PROGRAM), "-b", "1M", "-e", TUTORIAL_BYTES,
                               "-f", "2", "-g", "1", "-t", "1"], cwd=folder, env=environment_, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=200)
        self.assertEqual(done.returncode, 0, done.stdout)
        rows = [line.split() for line in done.stdout.splitlines() if re.match(r" +\d+ ", line)]
        self.assertGreaterEqual(len(rows), 3)
        for row in rows:
            self.assertEqual((row[8], row[12]), ("0", "0"))
        for words in (r"NET/Socket : Using \[0\]eth0", r"Channel 00/01 : 0 1", r"Trees \[0\] 1/-1/-1->0->-1",
                      r"Channel 00/0 : 0\[\d+\] -> 1\[\d+\] \[send\] via NET/Socket/0"):
            self.assertRegex(done.stdout, words)
        topo, graphs = (ElementTree.parse(folder / name).getroot() for name in ("topo.txt", "graph.txt"))
        self.assertEqual([gpu.get("rank") for gpu in topo.iter("gpu")], ["0"])
        self.assertEqual([net.get("name") for net in topo.iter("net")], ["eth0"])
        ring, tree = graphs.findall("graph")[:2]
        self.assertEqual((ring.get("id"), ring.get("pattern"), tree.get("id")), ("0", "4", "1"))
        for graph in (ring, tree):
            self.assertEqual([[child.tag for child in channel] for channel in graph], [["net", "gpu", "net"]])

    @unittest.skipUnless(shutil.which("mpiexec.hydra"), "no MPICH")
    def test_by_mpich(self):
        shell = self.cluster.environment()["OMPI_MCA_plm_rsh_agent"]
        hosts = ",".join(self.cluster.address(host) for host in range(HOSTS))
        self.launch(["mpiexec.hydra", "-launcher", "ssh", "-launcher-exec", shell, "-hosts", hosts, "-iface", "eth0",
                     "-n", str(HOSTS), "-ppn", "1"])


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main(verbosity=2)
