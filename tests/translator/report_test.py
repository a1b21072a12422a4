"""The reports as files: --report, exit codes by severity. report_test.py MUSAPORT SCHEMA [--chromium]

SARIF is checked against its published schema where that is at hand, which git ignores: of github.com/oasis-tcs/sarif-spec,
sarif-2.1/schema/sarif-schema-2.1.0.json, as third_party/sarif-schema-2.1.0.json; else against what concerns us of it, below.
--chromium uses the page in Debian's chromium as a person would, with 10,000 files; it leaves a picture in $MUSAPORT_PICTURES."""
import csv
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

from browser import Browser

PUBLISHED = pathlib.Path(__file__).resolve().parents[2] / 'third_party/sarif-schema-2.1.0.json'
MUSAPORT, SCHEMA = None, None
LEFT = '#include <cutensor.h>\n#include <cuda_runtime.h>\nint a() { return cudaFree(0); }\n#if CUDA_VERSION >= 99999\n#endif\n'
# What of SARIF 2.1.0's schema concerns what we write, by hand.
SARIF = {
    'type': 'object', 'required': ['version', 'runs'], 'additionalProperties': False,
    'properties': {
        '$schema': {'type': 'string', 'format': 'uri'}, 'version': {'enum': ['2.1.0']},
        'runs': {'type': 'array', 'items': {
            'type': 'object', 'required': ['tool'], 'additionalProperties': False,
            'properties': {
                'columnKind': {'enum': ['utf16CodeUnits', 'unicodeCodePoints']},
                'tool': {'type': 'object', 'required': ['driver'], 'properties': {'driver': {
                    'type': 'object', 'required': ['name'], 'properties': {
                        'name': {'type': 'string'}, 'version': {'type': 'string'},
                        'rules': {'type': 'array', 'uniqueItems': True, 'items': {
                            'type': 'object', 'required': ['id'], 'properties': {
                                'shortDescription': {'type': 'object', 'required': ['text']},
                                'defaultConfiguration': {'properties': {
                                    'level': {'enum': ['none', 'note', 'warning', 'error']}}}}}}}}}},
                'results': {'type': 'array', 'items': {
                    'type': 'object', 'required': ['message'], 'additionalProperties': False, 'properties': {
                        'ruleId': {'type': 'string'}, 'ruleIndex': {'type': 'integer', 'minimum': -1},
                        'level': {'enum': ['none', 'note', 'warning', 'error']},
                        'message': {'type': 'object', 'required': ['text'], 'properties': {'text': {'type': 'string'}}},
                        'locations': {'type': 'array', 'items': {'properties': {'physicalLocation': {'properties': {
                            'artifactLocation': {'properties': {'uri': {'type': 'string', 'pattern': r'^[!-~]+$'}}},
                            'region': {'properties': {'startLine': {'type': 'integer', 'minimum': 1},
                                                      'startColumn': {'type': 'integer', 'minimum': 1}}}}}}}}}}}}}}}}


def check(document, schema):
    """Skips the rest of a test where python3-jsonschema is not installed."""
    try:
        import jsonschema
    except ImportError as missing:
        raise unittest.SkipTest('python3-jsonschema is not installed') from missing
    jsonschema.validate(document, schema)


class ReportTest(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix='musaport-'))
        self.addCleanup(shutil.rmtree, self.root, True)
        self.source = self.root / 'in'
        self.put('sub dir/left, "one" 100%.cu', LEFT)
        self.put('clean.cu', 'int b() { return cudaDeviceReset(); }\n')

    def put(self, name, text):
        path = self.source / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding='utf-8')

    def run_tool(self, *arguments):
        return subprocess.run([MUSAPORT, *map(str, arguments)], capture_output=True, text=True, timeout=120, check=False)

    def report(self, suffix):
        path = self.root / ('report' + suffix)
        result = self.run_tool(self.source, '--report', path, '-q')
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, '', ''))
        return path

    def expected(self):
        return [(f['source'], g['line'], g['column'], g['subject'])
                for f in json.loads(self.report('.json').read_text('utf-8'))['files'] for g in f['findings']
                if g['kind'] in ('unported', 'note', 'conflict', 'audit')]

    def test_json(self):
        self.assertEqual(len({line for _, line, _, _ in self.expected()}), 2)
        check(json.loads(self.report('.json').read_text('utf-8')), json.loads(pathlib.Path(SCHEMA).read_text('utf-8')))

    def test_sarif(self):
        document = json.loads(self.report('.sarif').read_text('utf-8'))
        run = document['runs'][0]
        rules = [rule['id'] for rule in run['tool']['driver']['rules']]
        places = []
        for result in run['results']:
            self.assertEqual(rules[result['ruleIndex']], result['ruleId'])
            place = result['locations'][0]['physicalLocation']
            places.append((urllib.parse.unquote(place['artifactLocation']['uri']), place['region']['startLine'],
                           place['region']['startColumn'], result['message']['text'].split(':')[0]))
        self.assertEqual(places, self.expected())
        check(document, SARIF)
        if PUBLISHED.exists():
            check(document, json.loads(PUBLISHED.read_text('utf-8')))

    def test_columns_of_sarif_are_letters(self):
        """In code units of UTF-16, which it says; others count bytes."""
        for text, column in (('/* \u00e4 */ ', 9), ('/* \u4e2d\u6587 */ ', 10), ('/* \U0001f600 */ ', 10), ('\ufeff', 1), ('/* a */\t', 9)):
            self.put('sub dir/left, "one" 100%.cu', text + 'nvJitLinkGetInfoLog(&h);\n')
            run = json.loads(self.report('.sarif').read_text('utf-8'))['runs'][0]
            self.assertEqual(run['columnKind'], 'utf16CodeUnits')
            self.assertEqual([r['locations'][0]['physicalLocation']['region']['startColumn'] for r in run['results']], [column], text)
            self.assertEqual([place[2] for place in self.expected()], [len(text.encode()) + 1])
        (self.source / 'sub dir/left, "one" 100%.cu').write_bytes(b'/* \xe4\xb8 \xff */ nvJitLinkGetInfoLog(&h);\n')
        run = json.loads(self.report('.sarif').read_text('utf-8'))['runs'][0]
        self.assertEqual(run['results'][0]['locations'][0]['physicalLocation']['region']['startColumn'], 12)

    def test_csv(self):
        with open(self.report('.csv'), newline='', encoding='utf-8') as file:
            rows = list(csv.DictReader(io.StringIO(file.read(), newline='')))
        self.assertEqual([(r['file'], int(r['line']), int(r['column']), r['subject']) for r in rows], self.expected())
        self.assertEqual({r['severity'] for r in rows}, {'error'})

    def test_exit_by_severity(self):
        def code(*more):
            return self.run_tool(self.source, '--dry-run', '-q', '--exit-by-severity', *more).returncode
        self.assertEqual(code(), 1)
        self.assertEqual(code('--exclude', 'sub dir'), 0)
        self.put('note.cu', '#include <cuda_runtime.h>\nvoid c(cudaLaunchConfig_t*);\n')
        self.assertEqual(code('--exclude', 'sub dir', '--sdk', '3.1'), 3)
        self.put('note.cu', '#include <cuda.h>\nint d = CU_AD_FORMAT_AYUV;\n')
        self.assertEqual(code('--exclude', 'sub dir'), 4)

    def test_wrong_suffix(self):
        result = self.run_tool(self.source, '--report', self.root / 'r.xml')
        self.assertEqual(result.returncode, 2)
        self.assertIn('.json, .sarif, .csv or .html', result.stderr)

    def test_pipe_stays(self):
        pipe = self.root / 'pipe.json'
        os.mkfifo(pipe)
        result = self.run_tool(self.source, '--report', pipe)
        self.assertEqual(result.returncode, 2)
        self.assertIn(f'{pipe}: is no file; choose another name', result.stderr)
        self.assertTrue(pipe.is_fifo())

    def test_nothing_on_a_pipe(self):
        for i in range(300):
            self.put(f'many/{i}.cu', LEFT)
        self.assertNotIn('\r', self.run_tool(self.source, '--dry-run').stderr)

    def test_html_needs_nothing(self):
        page = self.report('.html').read_text('utf-8')
        for outside in ('http://', 'https://', 'src=', '<link', '@import', 'fetch('):
            self.assertNotIn(outside, page)
        data = page.split('id="data">')[1].split('</script>')[0]
        self.assertEqual(len(json.loads(data)['places']), len(self.expected()))

    @unittest.skipUnless('--chromium' in sys.argv, 'asks for --chromium')
    def test_html_in_a_browser(self):
        for i in range(10000):
            self.put(f'd{i % 40}/f{i}.cu', LEFT if i % 3 == 0 else 'int x;\n')
        page = self.report('.html')
        program = shutil.which('chromium')
        if not program:
            self.skipTest('chromium is not installed')
        with Browser(program, self.root / 'profile') as browser:
            browser.open(page.as_uri())
            self.assertEqual(browser.requests(), [page.as_uri()])  # it needs nothing else
            shown = 'document.querySelector("#shown").textContent'
            rows = 'document.querySelector("#places").tBodies[0].rows.length'
            places = 2 * 3334 + 2
            self.assertEqual(browser.value(shown), f'{places} of {places} places')
            self.assertEqual(browser.value(rows), 301)
            self.assertIn('d39', browser.value('document.querySelector("#folders").textContent'))
            self.keep_picture(browser, 'whole')
            browser.click('#q')
            browser.type('d9/f9.cu')
            browser.wait_for(f'{shown} === "2 of {places} places"')
            self.assertEqual(browser.value(rows), 2)
            self.assertIn('q=d9%2Ff9.cu', browser.value('location.hash'))
            browser.click('#sev')
            for _ in range(2):
                browser.press('ArrowDown', 40)
            browser.press('Enter', 13)
            browser.wait_for('document.querySelector("#sev").value === "warning"')
            browser.wait_for(f'{shown} === "0 of {places} places"')
            self.keep_picture(browser, 'filtered')
            browser.open('about:blank')
            browser.open(page.as_uri() + '#q=d7%2Ff7.cu&sev=error')  # 7 is not one of every third
            self.assertEqual(browser.value(shown), f'0 of {places} places')
            browser.open('about:blank')
            browser.open(page.as_uri() + '#q=d9%2Ff9.cu&sev=error')
            self.assertEqual(browser.value(shown), f'2 of {places} places')
            hours = browser.value('document.querySelector("#effort").textContent')
            browser.click('#rates input')
            browser.type('0')
            browser.wait_for(f'document.querySelector("#effort").textContent !== {json.dumps(hours)}')

    @staticmethod
    def keep_picture(browser, name):
        folder = os.environ.get('MUSAPORT_PICTURES')
        if folder:
            browser.picture(pathlib.Path(folder) / f'{name}.png')


if __name__ == '__main__':
    MUSAPORT, SCHEMA = sys.argv[1:3]
    unittest.main(argv=[sys.argv[0]])
