#!/usr/bin/env python3
"""MUSASHIM_SCHEDULE orders blocks, warps and threads, and repeats its order.

usage: run_schedule.py SDK PROGRAM.mu FOLDER
"""
import os
import subprocess
import sys

LANES = 32


def run(program, schedule):
    environment = dict(os.environ, MUSASHIM_THREADS="1")
    environment.pop("MUSASHIM_SCHEDULE", None)
    if schedule:
        environment["MUSASHIM_SCHEDULE"] = schedule
    result = subprocess.run([program], env=environment, capture_output=True, text=True, timeout=60, check=True)
    values = {}
    for line in result.stdout.splitlines():
        name, text = line.split(": ")
        values[name] = text if name == "race" else [int(number) for number in text.split()]
    values["stderr"] = result.stderr
    return values


def settled(program, schedule):
    """What two runs give alike.

    Blocks start in the order that is asked for, but when the system takes the processor away from the one
    thread for milliseconds, another comes to help: that thread's blocks might wait for blocks to come.
    """
    seen = []
    for _ in range(20):
        values = run(program, schedule)
        if values in seen:
            return values
        seen.append(values)
    raise AssertionError(f"no two of {len(seen)} runs with MUSASHIM_SCHEDULE={schedule} are alike: {seen}")


def warps_in_order(threads):
    """The warps as they first appear."""
    return list(dict.fromkeys(thread // LANES for thread in threads))


def main():
    sdk, source, folder = sys.argv[1:4]
    os.makedirs(folder, exist_ok=True)
    program = os.path.join(folder, "order")
    # Fibers run the threads, as they do whenever a block's threads must be told apart.
    subprocess.run([f"{sdk}/bin/mcc", "-fmusa-check=synccheck", source, "-o", program, "-lmusart"], check=True)

    forward, reverse = settled(program, None), settled(program, "reverse")
    count = {name: len(forward[name]) for name in ("blocks", "before", "after")}
    for name in ("blocks", "before"):
        assert forward[name] == list(range(count[name])), (name, forward[name])
        assert reverse[name] == list(range(count[name]))[::-1], (name, reverse[name])
    assert settled(program, "forward") == forward

    seeds = [settled(program, f"seed:{seed}") for seed in range(6)]
    for seed, values in enumerate(seeds):
        again = [run(program, f"seed:{seed}") for _ in range(2)]
        for name, number in count.items():
            assert sorted(values[name]) == list(range(number)), (seed, name)
            assert name == "blocks" or all(values[name] == other[name] for other in again), (seed, name)
    for name in count:
        assert len({tuple(values[name]) for values in seeds}) > 1, f"all seeds give one order of {name}"
    assert any(warps_in_order(values["before"]) != [0, 1, 2] for values in seeds)

    assert forward["race"] == "hidden" and reverse["race"] == "shown"
    assert any(values["race"] == "shown" for values in seeds)

    refused = settled(program, "seed:x")
    assert "MUSASHIM_SCHEDULE=seed:x is not usable" in refused["stderr"] and refused["blocks"] == forward["blocks"]


main()
