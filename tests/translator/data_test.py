"""Checks translator/mappings for sense. data_test.py MAPPINGS [VENDOR_TABLE.json]

The vendor's public table is compared if it is at hand: the second argument, or ../shared/data/musify
beside the repository.
"""
import collections
import json
import pathlib
import re
import sys
import unittest

MAPPINGS = pathlib.Path(sys.argv.pop(1))
VENDOR = pathlib.Path(sys.argv.pop(1)) if len(sys.argv) > 1 and sys.argv[1].endswith('.json') else (
    MAPPINGS.resolve().parents[2] / 'shared/data/musify/general.json')
sys.path.insert(0, str(MAPPINGS / 'tools'))
import check_headers  # noqa: E402
import mapping  # noqa: E402
import matrix  # noqa: E402
import ptx  # noqa: E402
import sdk_names  # noqa: E402
import vendor  # noqa: E402


class DataTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.libraries, cls.entries = mapping.load_entries(str(MAPPINGS))
        cls.known = mapping.load_known(str(MAPPINGS))
        cls.disagreements = mapping.load_yaml(str(MAPPINGS), 'disagreements.yml')

    def test_every_rule_and_exception_is_used(self):
        for library in self.libraries:
            for kind, rows in (('rule', library.rules), ('exception', library.exceptions)):
                for index, row in enumerate(rows):
                    self.assertIn((kind, index), library.hits, f'{library.name}: no known name meets {row}')

    def test_exceptions_say_why(self):
        for library in self.libraries:
            for row in library.exceptions:
                self.assertTrue(row.get('reason') or row.get('unported'), row)
                if 'unported' in row:
                    self.assertTrue(row.get('remedy'), row)

    def test_every_known_name_is_changed_or_reported(self):
        kept = {e.library for e in self.entries.values() if e.kind == 'keep'}
        self.assertEqual(kept, {'management'})  # the SDK has NVML's names; the use of the header is noted
        self.assertGreater(len(self.entries), 15000)

    def test_names_are_identifiers_and_lists_are_sorted(self):
        for path in (MAPPINGS / 'names').glob('*.txt'):
            names = path.read_text(encoding='ascii').split()
            self.assertEqual(names, sorted(set(names)), path.name)
            for name in names:
                self.assertRegex(name, r'^[A-Za-z_]\w*$' if path.stem in ('unchanged', 'members') else r'^[A-Za-z_]\w{2,}$')

    def test_what_the_vendors_sdk_lacks_is_here(self):
        gaps = vendor.load(MAPPINGS)
        words = sdk_names.declared(MAPPINGS)
        names = {name for gap in gaps for name in gap['names'] if '::' not in name}
        names = {name for name in names if not re.search('_system$|^h2?exp$', name)}  # made by macros
        self.assertEqual(sorted(names - words), [])
        self.assertGreater(len(names), 200)
        for gap in gaps:
            self.assertNotRegex(gap['remedy'] + gap['reason'], r'\.$', gap['id'])

    @unittest.skipUnless(VENDOR.exists(), 'the vendor\'s table is not at hand')
    def test_names_in_no_public_source(self):
        gaps = vendor.load(MAPPINGS)
        found = set(vendor.unproven(MAPPINGS, VENDOR.parents[1]))
        listed = {name for gap in gaps if gap['id'].startswith('unproven-') for name in gap['names']}
        spoken = {name for gap in gaps if gap['says'] != 'unproven' for name in gap['names']}
        self.assertEqual((sorted(found - listed - spoken), sorted(listed - found)), ([], []))

    def test_no_everyday_words(self):
        for name in self.entries:
            self.assertTrue(any(c.isupper() for c in name) or '_' in name or name in ('curand', 'curand4', 'nvcuda', 'nvstd', 'nvtx3'), name)

    def test_targets_are_no_sources(self):
        """Otherwise a second run would change a ported file."""
        words = mapping.load_yaml(str(MAPPINGS), 'words.yml')['paste']
        for entry in self.entries.values():
            if entry.kind != 'keep':
                self.assertFalse(entry.target in self.entries or entry.target in words, entry)

    def test_collisions_are_listed(self):
        targets = collections.defaultdict(list)
        for entry in self.entries.values():
            if entry.kind == 'rename':
                targets[entry.target].append(entry.name)
        found = {target: sorted(names) for target, names in targets.items() if len(names) > 1}
        listed = {row['target']: sorted(row['names']) for row in self.disagreements['collisions']}
        self.assertEqual(found, listed)

    def test_irregular_names(self):
        wanted = {
            'CUDA_SUCCESS': 'MUSA_SUCCESS', 'CUDA_ERROR_NOT_READY': 'MUSA_ERROR_NOT_READY', 'CUresult': 'MUresult',
            'CUDA_ERROR_NVLINK_UNCORRECTABLE': 'MUSA_ERROR_MTLINK_UNCORRECTABLE', 'cuuint64_t': 'muuint64_t',
            'cudaErrorCudartUnloading': 'musaErrorMusartUnloading', 'ncclCommCuDevice': 'mcclCommMuDevice',
            'pncclCommCuDevice': 'pmcclCommMuDevice', 'ncclFloat8e4m3': 'mcclFloat8e4m3', 'nv_bfloat16': 'mt_bfloat16',
            '__nv_bfloat162': '__mt_bfloat162', '__nv_cvt_float_to_fp8': '__musa_cvt_float_to_fp8', '__NV_SATFINITE': '__MT_SATFINITE',
            'nvcuda': 'mtmusa', 'nvstd': 'mtstd', '__NVCC__': '__MUSACC__', '__CUDACC__': '__MUSACC__',
            '__cudaRegisterFatBinary': '__musaRegisterFatBinary', 'CU_JIT_INPUT_NVVM': 'MU_JIT_INPUT_MTVM',
            'CU_JIT_INPUT_PTX': 'MU_JIT_INPUT_PTX', 'CU_STREAM_PER_THREAD': 'MU_STREAM_PER_THREAD',
            'CU_CUBEMAP_FACE_POSITIVE_X': 'MU_CUBEMAP_FACE_POSITIVE_X', 'CUDA_ARRAY3D_CUBEMAP': 'MUSA_ARRAY3D_CUBEMAP',
            'CUBLASLT_ALGO_CAP_CUSTOM_OPTION_MAX': 'MUBLASLT_ALGO_CAP_CUSTOM_OPTION_MAX', 'PFN_cuInit': 'PFN_muInit',
            'CUpti_ActivityKind': 'MUpti_ActivityKind', '__nv_sinf': '__mt_sinf', 'cudaMemcpyBatchAsync': 'musaMemcpyBatchAsync'}
        self.assertEqual({name: self.entries[name].target for name in wanted if name in self.entries}, wanted)

    def test_words_that_must_stay(self):
        for name in ('cuda', 'cu', 'nccl', 'CUDA', 'cudaCheck', 'CUDA_CHECK', 'CUDACHECK', 'Accumulate', 'half', '__half', 'dim3',
                     'warpSize', 'cub', 'thrust', 'CUDA_VERSION', 'CUDART_VERSION', '__CUDA_ARCH__', 'CUB_NS_PREFIX', 'cutlass'):
            self.assertFalse(name in self.entries, name)

    def test_face_keeps_what_answers_otherwise_by_cudas_name(self):
        """shim/api says which functions do; spellings of theirs end in _v2. Types of later versions than the face's are the program's."""
        face = mapping.load_yaml(str(MAPPINGS), 'face.yml')['names']
        self.assertEqual(face, sorted(face, key=str.lower))
        own = set()
        for name in ('runtime.yml', 'driver.yml'):
            records = mapping.load_yaml(str(MAPPINGS.resolve().parents[1] / 'shim/api'), name)
            own |= {re.sub('^mu(?=sa)?', 'cu', r['name']).replace('cusa', 'cuda') for r in records['apis'] if 'cuda_differs' in r}
        headers = mapping.load_yaml(str(MAPPINGS.resolve().parents[1] / 'shim/mupti'), 'api.yml')['headers']
        own |= {re.sub('^mu', 'cu', name) for content in headers.values() for name in content.get('cuda_differs', ())}
        since = re.search(r'^SINCE = {(.*)}$', (MAPPINGS.resolve().parents[1] / 'shim/codegen/alias.py').read_text(encoding='utf-8'), re.M)
        own |= set(re.findall(r'"(\w+)":', since.group(1)))
        self.assertEqual({name.removesuffix('_v2') for name in face if name.startswith('cu')}, own)
        rtc = mapping.load_yaml(str(MAPPINGS.resolve().parents[1] / 'shim/api'), 'mtrtc.yml')['apis']
        self.assertEqual({name for name in face if name.startswith('nvrtc')}, {r['name'] for r in rtc if r['name'].startswith('nvrtc')})
        for name in face:
            self.assertIn(name, self.known)

    def test_levels_rise(self):
        guards = mapping.load_yaml(str(MAPPINGS), 'guards.yml')
        for part in ('architecture', 'version'):
            rows = [(row['cuda'], 0 if row['musa'] == 'same' else row['musa']) for row in guards[part]['levels']]
            self.assertEqual(rows, sorted(rows))
            self.assertEqual([m for _, m in rows], sorted({m for _, m in rows}))

    def test_vendor_table(self):
        """Every entry of the vendor's table: the same name, or a listed reason why not."""
        if not VENDOR.exists():
            self.skipTest(f'the vendor table is not here ({VENDOR})')
        vendor = json.loads(VENDOR.read_text(encoding='utf-8'))
        patterns = [re.compile(row['match']) for row in self.disagreements['names']]
        used, same = set(), 0
        for name, target in vendor.items():
            self.assertTrue(name in self.known or any(p.search(name) for p in patterns), f'{name} is not known')
            ours = self.known[name].target if name in self.known else ''
            if ours == target:
                same += 1
                continue
            reasons = [i for i, pattern in enumerate(patterns) if pattern.search(name)]
            self.assertTrue(reasons, f'{name}: we say {ours or "unported"}, the vendor {target}, and no reason is listed')
            used.update(reasons)
        self.assertEqual(used, set(range(len(patterns))), 'a listed disagreement no longer exists')
        print(f'{same} of {len(vendor)} names are as in the vendor table', file=sys.stderr)
        self.assertGreaterEqual(same, len(vendor) - 25)

    def test_vendor_headers(self):
        path = VENDOR.with_name('include.json')
        if not path.exists():
            self.skipTest(f'the vendor table is not here ({path})')
        ours = mapping.load_yaml(str(MAPPINGS), 'headers.yml')['exact']
        different = {}
        for header, target in json.loads(path.read_text(encoding='utf-8')).items():
            if '.' in header and ours.get(header) != target:  # the one that is no header is PyTorch's
                different[header] = ours.get(header)
        self.assertEqual(different, self.disagreements['headers'])

    def test_vendor_dnn(self):
        """cuDNN's names become those that the vendor's table has, or a reason is listed."""
        path = VENDOR.with_name('dnn-naming.json')
        if not path.exists():
            self.skipTest(f'the vendor table is not here ({path})')
        patterns = [(re.compile(row['match']), row['known']) for row in self.disagreements['dnn']]
        headers = mapping.load_yaml(str(MAPPINGS), 'headers.yml')['exact']
        targets = {name: entry.target for name, entry in self.known.items()} | headers
        tables = (json.loads(VENDOR.with_name(name).read_text(encoding='utf-8')) for name in (path.name, 'dnn-header.json'))
        for name, target in (pair for table in tables for pair in table.items()):
            if targets.get(name) == target:
                continue
            known = next((known for pattern, known in patterns if pattern.search(name)), None)
            self.assertIsNotNone(known, f'{name}: we say {targets.get(name)}, the vendor {target}, and no reason is listed')
            if not name.endswith('.h'):
                self.assertEqual(self.known[name].kind if name in self.known else 'unknown', 'unported' if known else 'unknown', name)

    def test_every_name_of_the_headers_is_known(self):
        """Where CUDA's headers are on this machine: tools/check_headers.py finds nothing unknown."""
        include = check_headers.find_include()
        if not include:
            self.skipTest('no CUDA headers on this machine')
        unknown = check_headers.unknown_names(str(MAPPINGS), include)
        self.assertEqual({library: names for library, names in unknown.items() if names}, {})

    def test_matrix_is_current(self):
        self.assertEqual((MAPPINGS / 'MATRIX.md').read_text(encoding='utf-8'), matrix.text(str(MAPPINGS)),
                         'run mappings/tools/matrix.py')

    def test_ptx_functions_exist(self):
        """PTX becomes only what the device library has."""
        data = mapping.load_yaml(str(MAPPINGS), 'ptx.yml')
        texts = [becomes for _, _, _, becomes, _, _ in ptx.expand(data['rewrite'])]
        texts += [row['is'] for row in data['registers'].values()]
        called = {name for text in texts for name in re.findall(r'([A-Za-z_]\w*)\(', text)} - {'for', 'if', 'char', 'int', '__half2', 'make_float2'}
        library = (MAPPINGS.parents[1] / 'shim/include/device_functions.yml').read_text(encoding='utf-8')
        there = set()
        for declaration in re.findall(r'"([^"]*\()', library):
            word = re.search(r'((?:[\w]|\{[^}]*\})+)\($', declaration)
            if word:
                for kind in ('word', 'half', 'bfloat16'):  # `with` of the chapters on narrow numbers
                    there |= expand_braces(word.group(1).replace('word', kind))
        for header in (MAPPINGS.parents[1] / 'shim/include').rglob('*.h'):  # what has no documented name
            text = header.read_text(encoding='utf-8')
            there |= set(re.findall(r'\b(__(?:musa|mbarrier)_\w+)\(', text))
            there |= warp_functions(text)
        self.assertEqual(called - there, set())
        for prefix in data['meanings']:
            self.assertRegex(prefix, r'^[a-z0-9.]+$')


def warp_functions(text):
    """The functions that musa_warp_matrix.h makes by macros."""
    parts = {'MMA': ['mma_'], 'MMA_PAIRS': ['mma_'], 'WMMA_FACTORS': ['wmma_load_a_', 'wmma_load_b_'],
             'WMMA_SUMS': ['wmma_load_c_', 'wmma_store_d_'], 'WMMA_MMA': ['wmma_mma_']}
    names = {f'__musa_warp_{part}{name}' for macro, name in re.findall(r'^MUSASHIM_(\w+)\((m\w+),', text, re.M)
             for part in parts.get(macro, [])}
    moves = re.findall(r'^MUSASHIM_MATRIX_MOVES\((\d)\)', text, re.M)
    return names | {f'__musa_warp_{move}_x{count}{kind}' for count in moves for move in ('ldmatrix', 'stmatrix')
                    for kind in ('', '_trans')}


def expand_braces(text):
    match = re.search(r'\{([^}]*)\}', text)
    if not match:
        return {text}
    return {name for choice in re.split('[,|]', match.group(1))
            for name in expand_braces(text[:match.start()] + choice + text[match.end():])}


if __name__ == '__main__':
    unittest.main()
