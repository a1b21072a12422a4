"""Public clients of the vendor's management library and tools, unmodified from PyPI. clients_test.py SDK ENVIRONMENT [TEST...]

ENVIRONMENT is what scripts/clients makes; without it the exit status is 77 (skipped).
"""
import ctypes
import glob
import importlib.util
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CHECKOUT = ROOT / "third_party/mthreads-ml-py"
SDK = CLIENTS = FOLDER = None
# Two cards with a link between them.
MACHINE = "devices:\n  - {product: S4000, count: 2}\nlinks:\n  - {between: [0, 1], mtlinks: 2}\n"
COLOURS = re.compile(r"\x1b\[[0-9;]*m")
# A view of the system in which /usr/local/musa is the SDK, as its packages make it.
INSTALLED = """set -e
layers=$1
shift
mkdir -p "$layers"
mount -t tmpfs none "$layers"
mkdir "$layers/upper" "$layers/work"
mount -t overlay overlay -o "lowerdir=/usr/local,upperdir=$layers/upper,workdir=$layers/work" /usr/local
rm -rf /usr/local/musa
ln -s "$0" /usr/local/musa
exec "$@"
"""


def installed():
    """What to put before a command so that it finds the SDK in /usr/local/musa; None where the system does not allow it."""
    if pathlib.Path("/usr/local/musa").resolve() == SDK:
        return []
    view = ["unshare", "--mount", *([] if os.getuid() == 0 else ["--map-root-user"]), "sh", "-c", INSTALLED, str(SDK),
            str(FOLDER / "layers")]
    try:
        tried = subprocess.run([*view, "test", "-x", "/usr/local/musa/bin/mcc"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    except FileNotFoundError:
        return None
    return view if tried.returncode == 0 else None


class ClientsTest(unittest.TestCase):
    maxDiff = None

    def environment(self, **more):
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("MUSA", "MCCL", "NCCL", "PYTHON"))}
        path = f"{SDK}/bin:{CLIENTS}/bin:{kept['PATH']}"
        return {**kept, "PATH": path, "LD_LIBRARY_PATH": f"{SDK}/lib", "MUSA_HOME": str(SDK), "MUSASHIM_MACHINE": str(FOLDER / "machine.yaml"),
                "MUSASHIM_SESSION": f"clients{os.getpid()}", "LC_ALL": "C.UTF-8", "EXECUTED_ON_HOST_FLAG": "False", **more}

    def run_(self, *command, code=0, cwd=None, **more):
        program = subprocess.Popen(command, env=self.environment(**more), cwd=cwd or FOLDER, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, start_new_session=True)
        try:
            output, errors = program.communicate(timeout=240)
        except subprocess.TimeoutExpired:
            os.killpg(program.pid, signal.SIGKILL)  # what it has started would use the devices that later tests look at
            program.communicate()
            raise
        done = subprocess.CompletedProcess(command, program.returncode, output, errors)
        self.assertEqual(done.returncode, code, shlex.join(map(str, command)) + "\n" + done.stdout + done.stderr)
        return done

    def hold(self):
        """A program with 100 MiB on the second card."""
        program = subprocess.Popen([FOLDER / "holder", "0", "100"], env=self.environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   text=True)
        self.addCleanup(lambda: (program.stdin.close(), program.wait(timeout=30), program.stdout.close()))
        self.assertEqual(program.stdout.readline(), "ready\n")
        return program

    # ---- musatop

    def test_musatop(self):
        program = self.hold()
        text = self.run_("musatop", "--once").stdout
        # Its own, of the first sample: loads of processors need two.
        text = re.sub(r"(Host: \S+ CPU: )N/A", r"\1?", text)
        text = re.sub(rf"(?m)^(1 +{program.pid} +\S+ +\S+ +)N/A", r"\1?", text)
        self.assertNotIn("N/A", text)
        self.assertNotIn("NOTE", text)
        self.assertRegex(text, r"\n0 +MTT S4000 +\d+% +0MiB/48\.0GiB +\d+C +\d+W/450W\n")
        self.assertRegex(text, rf"\n1 +{program.pid} +\S+ +100MiB .*holder")

    def test_musatop_json(self):
        program = self.hold()
        data = json.loads(self.run_("musatop", "--json").stdout)
        self.assertEqual((data["errors"], data["devices_stale"], data["processes_stale"]), ([], False, False))
        for device in data["devices"]:
            self.assertEqual([name for name, value in device.items() if value is None], ["power_limit_reason"], device)
        self.assertEqual([device["memory_used_bytes"] for device in data["devices"]], [0, 100 << 20])
        self.assertEqual([device["power_limit_w"] for device in data["devices"]], [450, 450])
        self.assertEqual([(one["device_index"], one["pid"], one["gpu_memory_bytes"]) for one in data["processes"]],
                         [(1, program.pid, 100 << 20)])
        self.assertRegex(str(data["musa_version"]), r"^\d+\.\d+")

    # ---- nvitop, xpustat

    def test_nvitop(self):
        # It ends with 1 on any card: it asks the binding for _nvmlGetFunctionPointer, which pymtml leaves out on purpose in each release
        # (2.2.1 to 2.4.3), and takes that for a broken nvidia-ml-py. nvitop-musa has one release, so no other pair of versions does better.
        done = self.run_("nvitop", "-1", code=1)
        self.assertRegex(done.stderr, "nvidia-ml-py` package is corrupted")
        self.assertNotIn("ERROR", done.stdout + done.stderr)
        for device, place in enumerate(("2a", "2b")):
            self.assertRegex(done.stdout, rf"│ +{device}  MTT S4000 .*│ 00000000:{place}:00\.0 ")
        self.assertEqual(len(re.findall(r"\d+%   \d+C   N/A +\d+W / 0W │ +\S+ / 48\.00GiB │ +\d+% ", done.stdout)), 2, done.stdout)

    def test_xpustat(self):
        self.hold()
        text = self.run_("xpustat", "--no-color").stdout
        self.assertRegex(text, r"#0 +MTT S4000 +│ +0 / 49,152 MB")
        self.assertRegex(text, r"#1 +MTT S4000 +│ +100 / 49,152 MB")

    # ---- musa-deploy

    def deploy(self, check, before=(), **more):
        text = COLOURS.sub("", self.run_(*before, *more.pop("program", ["musa-deploy"]), "-c", check, **more).stdout)
        self.assertIn(f"{check.upper()} CHECK OVERALL Status: SUCCESSFUL", text)
        return text

    def test_musa_deploy_driver(self):
        text = self.deploy("driver")
        self.assertRegex(text, r"0\.Driver +Version: \d+\.\d+\.\d+\n +MTBios +Version: 3\.4\.8\n")
        # It knows how much memory an S4000 has.
        self.assertNotIn("standard memory", text)

    def test_musa_deploy_host_and_mtlink(self):
        self.deploy("host")
        self.deploy("mtlink")

    def test_musa_deploy_musa(self):
        before = installed()
        if before is None:
            self.skipTest("/usr/local/musa is not the SDK, and no mount can make it so")
        self.assertRegex(self.deploy("musa", before), r"0\.MUSAToolkits +Version: \d+\.\d+\.\d+\+[0-9a-f]{7}")

    def test_musa_deploy_torch_musa(self):
        pythons = sorted(glob.glob(str(ROOT / "build/torch-*/bin/python")))
        has = [one for one in pythons if subprocess.run([one, "-c", "import torch_musa"], env=self.environment(MUSA_PATH=str(SDK)),
                                                        capture_output=True).returncode == 0]
        before = installed()
        if not has or before is None:
            self.skipTest("scripts/torch_tests has made no environment" if not has else "no mount can make /usr/local/musa the SDK")
        packages = glob.glob(str(CLIENTS / "lib/python*/site-packages"))[0]
        environment = self.environment()
        self.deploy("torch_musa", before, program=[has[-1], "-c", "import musa_deploy.main; musa_deploy.main.main()"], PYTHONPATH=packages,
                    PATH=f"{pathlib.Path(has[-1]).parent}:{environment['PATH']}", MUSA_PATH=str(SDK))

    # ---- mthreads-ml-py

    def binding(self):
        path = glob.glob(str(CLIENTS / "lib/python*/site-packages/pymtml.py"))[0]
        spec = importlib.util.spec_from_file_location("pymtml", path)
        module = importlib.util.module_from_spec(spec)
        sys.modules["pymtml"] = module
        spec.loader.exec_module(module)
        return module, pathlib.Path(path).read_text()

    def test_all_functions_are_there(self):
        names = sorted(set(re.findall(r"_mtmlGetFunctionPointer\(['\"](\w+)", self.binding()[1])))
        self.assertEqual(len(names), 115)
        library = ctypes.CDLL(str(SDK / "lib/libmtml.so"))
        self.assertEqual([name for name in names if not hasattr(library, name)], [])

    def test_records_are_laid_out_alike(self):
        module = self.binding()[0]
        expected, lines = {}, []
        for name, record in vars(module).items():
            found = re.fullmatch(r"c_mtml(\w+)_t", name)
            if not found or not isinstance(record, type) or not issubclass(record, ctypes.Structure):
                continue
            ours = "Mtml" + found[1]
            expected[ours] = ctypes.sizeof(record)
            lines.append(f'printf("{ours} %zu\\n", sizeof({ours}));')
            for field in record._fields_:
                if len(field) == 2:  # no bits
                    expected[f"{ours}.{field[0]}"] = getattr(record, field[0]).offset
                    lines.append(f'printf("{ours}.{field[0]} %zu\\n", offsetof({ours}, {field[0]}));')
        self.assertGreater(len(expected), 100)
        source = FOLDER / "layout.c"
        source.write_text("#include <mtml.h>\n#include <stddef.h>\n#include <stdio.h>\nint main(void) {\n" + "\n".join(lines) + "\n}\n")
        self.run_("gcc", "-Wall", "-Werror", f"-I{SDK}/include", source, "-o", FOLDER / "layout")
        told = dict(line.split() for line in self.run_(FOLDER / "layout").stdout.splitlines())
        self.assertEqual({name: int(value) for name, value in told.items()}, expected)

    @unittest.skipUnless(CHECKOUT.is_dir(), "no third_party/mthreads-ml-py; see scripts/clients")
    def test_examples_and_tests_end(self):
        scripts = [CHECKOUT / "example.py", *sorted(CHECKOUT.glob("examples/*.py")), *sorted(CHECKOUT.glob("test_*.py"))]
        self.assertGreaterEqual(len(scripts), 17)
        for script in scripts:
            with self.subTest(script.name):
                # Beside no pymtml.py but that of the package.
                own = FOLDER / "scripts"
                own.mkdir(exist_ok=True)
                text = self.run_(CLIENTS / "bin/python", shutil.copy(script, own), cwd=own).stdout
                self.assertNotRegex(text, r"Traceback|\[FAIL|Function Not Found|FAILED")


if __name__ == "__main__":
    SDK, CLIENTS = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    if not (CLIENTS / "installed").exists():
        print(f"{CLIENTS} is not there: scripts/clients makes it")
        sys.exit(77)
    FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="clients-"))
    try:
        (FOLDER / "machine.yaml").write_text(MACHINE)
        subprocess.run([SDK / "bin/mcc", "--offload-arch=mp_22", ROOT / "tests/mtml/programs/holder.mu", "-o", FOLDER / "holder"], check=True)
        program = unittest.main(argv=sys.argv[:1] + sys.argv[3:], exit=False)
    finally:
        shutil.rmtree(FOLDER, True)
    sys.exit(not program.result.wasSuccessful())
