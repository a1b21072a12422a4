#!/usr/bin/env python3
"""What a recording costs beside the copies that it needs: overhead.py NVCC RECORD FOLDER PROGRAM ARGUMENT...

Runs the program as it is, recorded without contents (RECORD as in samples.sh), and the same copies from the device alone (copies.cu). Each is the
fastest of three; prints seconds, and how many times the copies the recording took.
"""
import json
import pathlib
import shlex
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent


def fastest(command, before=lambda: None):
    times = []
    for _ in range(3):
        before()
        start = time.monotonic()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        times.append(time.monotonic() - start)
    return min(times)


def main():
    nvcc, record, folder, *program = sys.argv[1:]
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    copies, run = folder / "copies", folder / "run"
    if not copies.exists():
        subprocess.run([*shlex.split(nvcc), "-std=c++17", "-O2", str(HERE / "copies.cu"), "-o", str(copies)], check=True)
    plain = fastest(program)
    recorded = fastest([*shlex.split(record), str(run), *program], lambda: shutil.rmtree(run, ignore_errors=True))
    bytes_of, sizes = {}, []
    for line in (run / "index.jsonl").read_text().splitlines():
        event = json.loads(line)
        if event.get("event") == "allocate":
            bytes_of[event["allocation"]] = event["bytes"]
        sizes += [str(bytes_of[one["allocation"]]) for one in event.get("touched", ())]
    needed = min(float(subprocess.run([str(copies), *sizes], check=True, capture_output=True, text=True).stdout) for _ in range(3))
    print(f"{program[0].split('/')[-1]}: {plain:.3f} s, recorded {recorded:.3f} s, {len(sizes)} copies of {sum(map(int, sizes)) / 1e6:.0f} MB "
          f"alone {needed:.3f} s: {(recorded - plain) / needed:.2f} times the copies")


if __name__ == "__main__":
    main()
