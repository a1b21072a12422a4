#!/usr/bin/env python3
"""The pages of musashim-prof in a browser: pages.py SDK FOLDER [--write].

Profiles the example of docs/pages/before.md, opens its page in headless Chromium, and looks for what the page asks of any
network (Chromium's own log of it), and whether the screenshot in the documentation is of this page: --write makes that anew.
Leaves with 77 where there is no Chromium; scripts/test --browser installs it.
"""
import http.server
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import threading
import unittest
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHOWN = ROOT / "docs/pages/metrics.png"
WIDTH, HEIGHT = 1180, 1020
SDK = FOLDER = ""


def browser():
    return next(filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"))), None)


def run(command, **more):
    done = subprocess.run([str(word) for word in command], cwd=FOLDER, capture_output=True, text=True, timeout=120, **more)
    if done.returncode != 0:
        raise AssertionError(f"{command}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def show(page, *options):
    """What Chromium prints, and the names of what its log of the network has that goes to one."""
    log = FOLDER / "network.json"
    log.unlink(missing_ok=True)
    words = [browser(), "--headless", "--disable-gpu", "--hide-scrollbars", f"--window-size={WIDTH},{HEIGHT}", f"--log-net-log={log}",
             f"--user-data-dir={FOLDER / 'profile'}", *options, page.as_uri()]
    out = run(words + (["--no-sandbox"] if os.geteuid() == 0 else []))
    recorded = json.loads(log.read_text())
    names = {number: name for name, number in recorded["constants"]["logEventTypes"].items()}
    sources = {number: name for name, number in recorded["constants"]["logSourceType"].items()}
    outside = {"URL_REQUEST", "SOCKET", "UDP_SOCKET", "HOST_RESOLVER_IMPL_JOB", "CONNECT_JOB", "HTTP_STREAM_JOB"}
    return out, [names[event["type"]] for event in recorded["events"] if sources[event["source"]["type"]] in outside]


def pixels(path):
    """Rows of gray values of a PNG of 8 bits a channel, as Chromium writes it."""
    data = path.read_bytes()
    at, packed = 8, b""
    while at < len(data):
        length, = struct.unpack(">I", data[at:at + 4])
        if data[at + 4:at + 8] == b"IHDR":
            width, height, depth, kind = struct.unpack(">IIBB", data[at + 8:at + 18])
        if data[at + 4:at + 8] == b"IDAT":
            packed += data[at + 8:at + 8 + length]
        at += 12 + length
    assert depth == 8, path
    step = {2: 3, 6: 4}[kind]
    raw, rows, above = zlib.decompress(packed), [], bytearray(width * step)
    for start in range(0, height * (width * step + 1), width * step + 1):
        line, way = bytearray(raw[start + 1:start + 1 + width * step]), raw[start]
        for i in range(len(line)):
            left, up = line[i - step] if i >= step else 0, above[i]
            if way == 1:
                line[i] = line[i] + left & 255
            elif way == 2:
                line[i] = line[i] + up & 255
            elif way == 3:
                line[i] = line[i] + (left + up) // 2 & 255
            elif way == 4:
                corner = above[i - step] if i >= step else 0
                guess = left + up - corner
                line[i] = line[i] + min((left, up, corner), key=lambda one: abs(guess - one)) & 255
        rows.append([sum(line[i:i + 3]) / 3 for i in range(0, len(line), step)])
        above = line
    return rows


def coarse(path, side=20):
    """Means of squares, which a font's details hardly change."""
    rows = pixels(path)
    return [sum(sum(row[x:x + side]) for row in rows[y:y + side]) / side ** 2
            for y in range(0, len(rows) - side + 1, side) for x in range(0, len(rows[0]) - side + 1, side)]


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(FOLDER, ignore_errors=True)
        FOLDER.mkdir(parents=True)
        example = re.search(r"^```mu file=transpose.mu\n(.*?)^```$", (ROOT / "docs/pages/before.md").read_text(), re.M | re.S)[1]
        (FOLDER / "transpose.mu").write_text(example)
        environment = {key: value for key, value in os.environ.items() if not key.startswith("MUSASHIM_")} | {"MUSASHIM_SESSION": "none"}
        run([f"{SDK}/bin/mcc", "-O3", "-fmusa-profile", "transpose.mu", "-o", "transpose", "-lmusart"], env=environment)
        run(["./transpose"], env=environment)
        metrics = FOLDER / "musa_metrics.json"
        metrics.write_text(metrics.read_text().replace(f"{FOLDER}/", ""))  # as seen from the folder
        run([f"{SDK}/bin/musashim-prof", "metrics", "--html", "report.html", metrics.name])
        cls.page = FOLDER / "report.html"

    def test_what_it_shows(self):
        text, _ = show(self.page, "--dump-dom")
        for part in ("<title>Metrics of kernels</title>", "Roofline of", "transpose(int, float const*, float*)", "pad the rows of the array",
                     "tile[threadIdx.x][threadIdx.y + j]"):
            self.assertIn(part, text)

    def test_it_asks_no_network(self):
        self.assertEqual(show(self.page, "--dump-dom")[1], [])
        self.assertNotRegex(self.page.read_text(), r"(?i)(src|href)=\"(?!#)|url\(|@import|<script")

    def test_a_page_that_asks_would_be_seen(self):
        asked = []

        class Answer(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                asked.append(self.path)
                self.send_error(404)

            log_message = staticmethod(lambda *_: None)

        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            asking = FOLDER / "asking.html"
            asking.write_text(self.page.read_text().replace("</body>", f'<img src="http://127.0.0.1:{server.server_port}/x.png"></body>'))
            seen = show(asking, "--dump-dom")[1]
            server.shutdown()
        self.assertIn("/x.png", asked)
        self.assertIn("URL_REQUEST_START_JOB", seen)

    def test_the_screenshot_in_the_documentation(self):
        made = FOLDER / "made.png"
        show(self.page, f"--screenshot={made}")
        if "--write" in sys.argv:
            shutil.copy(made, SHOWN)
        self.assertIn(f"]({SHOWN.name})", (ROOT / "docs/pages/before.md").read_text())
        ours, shown = coarse(made), coarse(SHOWN)
        self.assertEqual(len(ours), len(shown))
        self.assertGreater(max(ours) - min(ours), 20, "nothing is shown")
        apart = sum(abs(a - b) for a, b in zip(ours, shown)) / len(ours)
        self.assertLess(apart, 3, "the screenshot is of another page: make it anew with --write")


if __name__ == "__main__":
    if browser() is None:
        print("there is no Chromium: scripts/test --browser installs it")
        sys.exit(77)
    SDK, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    unittest.main(argv=[sys.argv[0], *(word for word in sys.argv[3:] if word != "--write")], verbosity=2)
