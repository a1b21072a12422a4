"""The reports as files: --report, exit codes by severity. report_test.py MUSAPORT SCHEMA [--chromium]"""
import csv
import io
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

MUSAPORT, SCHEMA = None, None
LEFT = '#include <cudnn.h>\n#include <cuda_runtime.h>\nint a() { return cudaFree(0); }\n#if CUDA_VERSION >= 99999\n#endif\n'
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

    def dom(self, page, fragment):
        browser = shutil.which('chromium')
        if not browser:
            self.skipTest('chromium is not installed')
        result = subprocess.run(
            [browser, '--headless', '--no-sandbox', '--disable-gpu', f'--user-data-dir={self.root}/profile',
             f'--screenshot={self.root}/page.png', '--dump-dom', page.as_uri() + fragment],
            capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    @unittest.skipUnless('--chromium' in sys.argv, 'asks for --chromium')
    def test_html_in_a_browser(self):
        for i in range(10000):
            self.put(f'd{i % 40}/f{i}.cu', LEFT if i % 3 == 0 else 'int x;\n')
        page = self.report('.html')
        whole = self.dom(page, '')
        self.assertIn('d39', whole)
        found = self.dom(page, '#q=clean.cu')
        self.assertIn('>0 of ', found)
        filtered = self.dom(page, '#q=d7%2Ff7.cu&sev=error')
        self.assertIn('>0 of ', filtered)  # 7 is not one of every third
        self.assertIn('>2 of ', self.dom(page, '#q=d9%2Ff9.cu&sev=error'))
        self.assertGreater((self.root / 'page.png').stat().st_size, 10000)


if __name__ == '__main__':
    MUSAPORT, SCHEMA = sys.argv[1:3]
    unittest.main(argv=[sys.argv[0]])
