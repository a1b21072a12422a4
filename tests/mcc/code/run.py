"""The code that kernels become."""
import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from images import images_of


def image_of(sdk, source, folder, *options):
    """The file of a source's device code."""
    program, image = folder / source.stem, folder / (source.stem + '.so')
    subprocess.run([sdk / 'bin/mcc', '-O3', *options, source, '-o', program, '-lmusart'], check=True)
    images = images_of(program)
    image.write_bytes(images[images.index(b'\x7fELF'):])
    return image


def functions_of(sdk, source, folder, *options):
    """The disassembled device functions of a source, by the names of their symbols."""
    image = image_of(sdk, source, folder, *options)
    code = subprocess.run(['objdump', '-d', '--no-show-raw-insn', image], capture_output=True, text=True, check=True)
    found = {}
    for text in re.split(r'\n\n(?=[0-9a-f]{16} <)', code.stdout):
        if name := re.match(r'[0-9a-f]{16} <([^>]+)>:', text):
            found[name[1]] = text
    return found


def check_spills(sdk, folder, here):
    """Vectors that registers do not hold lie on the stack as they are aligned."""
    functions = functions_of(sdk, here / 'tile.mu', folder)
    body = next(text for name, text in functions.items() if re.search(r'tile\S*32\.32\.1\.wide$', name))
    spills = re.findall(r'(0x[0-9a-f]+)?\(%rsp\),%zmm|zmm\d+,(0x[0-9a-f]+)?\(%rsp\)', body)
    if not spills:
        yield 'a tile of 32 x 32 has room in registers: the test needs another kernel'
    elif not re.search(r'and +\$0xffffffffffffffc0,%rsp', body):
        yield f'{len(spills)} vectors on a stack that is not aligned for them'
    elif any(int(first or second or '0', 16) % 64 for first, second in spills):
        yield 'vectors on the stack across cache lines'


def run(program, **environment):
    environment = dict(os.environ, MUSASHIM_ARCH='mp_31', **environment)
    ran = subprocess.run([program], env=environment, capture_output=True, text=True)
    if ran.returncode != 0:
        yield f'{program.name}: status {ran.returncode}: {ran.stdout}{ran.stderr}'


def check_later_rows(sdk, folder, here):
    """What blocks to come will need is asked for once, in the second cache, where warps go to and fro in memory, and
    in the order of addresses; in the first, where they wait between what they read and the next."""
    functions = functions_of(sdk, here / 'rows.mu', folder, '--offload-arch=mp_31')
    for kernel, wanted in {'pieces': {4}, 'everySecond': {2}, 'piecesOfFour': {16}, 'lookedUp': {0}, 'same': {0},
                           'inOrder': {2}, 'onceMore': {4}}.items():
        found = [text for name, text in functions.items() if re.match(rf'_Z\d+{kernel}PK\w*\.musa_warp32$', name)]
        cache, other = ('prefetcht0', 'prefetcht1') if kernel == 'inOrder' else ('prefetcht1', 'prefetcht0')
        requests = {text.count(cache) for text in found}
        if requests != wanted or any(other in text for text in found):
            yield f'{kernel}: {requests or "no function with"} requests, expected {wanted}'
        # Of the thread's index by which the warp reads; else it goes on from where the last request ended.
        byIndex = any(re.search(r'prefetch\w+ +[^(]*\(%\w+,%\w+', text) for text in found)
        if kernel in ('pieces', 'everySecond') and byIndex != (kernel == 'everySecond'):
            yield f'{kernel}: asks {"not " if not byIndex else ""}as its warps go to and fro'
    yield from run(folder / 'rows')


def check_tiles(sdk, folder, here):
    """Loops over rows of arrays stay loops, and what tiles to come will need is asked for."""
    functions = functions_of(sdk, here / 'tiles.mu', folder, '--offload-arch=mp_31')
    code = {}
    for kernel, requests in {'looped': 4, 'writtenOut': 4, 'added': 2, 'inOrder': 0}.items():
        found = [text for name, text in functions.items() if re.match(rf'_Z\d+{kernel}i\w*\.musa_block\.32\.8\.1$', name)]
        if [text.count('prefetch') for text in found] != [requests]:
            yield f'{kernel}: {[text.count("prefetch") for text in found]} requests, expected {requests}'
        code[kernel] = len(''.join(found).splitlines())
    if code['looped'] > 0.6 * code['writtenOut']:
        yield f'{code["looped"]} instructions of a loop over rows, {code["writtenOut"]} of the same without one'
    yield from run(folder / 'tiles')


def check_streams(sdk, folder, here):
    """What large grids write and do not read goes past the caches, where no block may tell others of it. Loops over
    rows that are only read and written stay loops."""
    functions = functions_of(sdk, here / 'streams.mu', folder, '--offload-arch=mp_31')
    for kernel, expected in {'plain': True, 'staged': True, 'readAgain': False, 'counted': False,
                             'halfLines': False}.items():
        found = [text for name, text in functions.items() if re.match(rf'_Z\d+{kernel}i\w*\.musa_block\.\d', name)]
        if any(('vmovnt' in text) != expected for text in found) or not found:
            yield f'{kernel}: {len(found)} functions, expected {"writes" if expected else "no writes"} past the caches'
    code = next(text for name, text in functions.items() if re.match(r'_Z\d+added\w*\.musa_block\.256\.1\.1$', name))
    if (reads := len(re.findall(r'\),%ymm', code))) > 16:   # 64 of a row of 1 KiB and what is added to it
        yield f'added: {reads} instructions read a row of 32 vectors: its loop is unrolled'
    yield from run(folder / 'streams')
    yield from run(folder / 'streams', MUSASHIM_PAST_CACHES_MIB='0')


def check_warps(sdk, folder, here):
    """Each place at which warps go on has a loop of its own over them, where the block's size is known without a look
    at each; what all of a warp's threads read is a vector."""
    functions = functions_of(sdk, here / 'warps.mu', folder, '--offload-arch=mp_31')
    code = next(text for name, text in functions.items() if re.match(r'_Z\d+shared\w*\.musa_warp32$', name))
    places = set(re.findall(r'cmpl +\$(0x[0-9a-f]+),[^(]*\((?!%rsp)', code))   # MusaUnit::resume
    if len(places) < 4:   # the start and three barriers
        yield f'shared: loops over warps for the places {sorted(places)}, expected 4'
    sized = [text for name, text in functions.items() if re.match(r'_Z\d+shared\w*\.musa_warp32\.\d+\.1\.1$', name)]
    asked = [len(re.findall(r'cmpl +\$0x[0-9a-f]+,[^(]*\((?!%rsp)', text)) for text in sized]
    if asked != [0]:   # all warps are known to be together
        yield f'shared: code for the size of its blocks asks {asked} times where a warp stands'
    for name, code in functions.items():
        if name.endswith('.musa_warp32') and (asked := re.findall(r'cmp +\$(0x7fffffe\w|0xffffffe\w),', code)):
            yield f'{name}: asks {len(asked)} times whether an index wraps within a warp'
    for kernel, most in {'ranked': 1, 'alike': 1}.items():
        code = next(text for name, text in functions.items() if re.match(rf'_Z\d+{kernel}\w*\.musa_warp32$', name))
        if '__musa_place_threads' in code:
            yield f'{kernel}: leaves a match of all lanes to the runtime'
        if (asked := len(re.findall(r'movmsk|vptest|kortest', code))) > most:
            yield f'{kernel}: compares the values of lanes {asked} times, expected {most}'
        parted = next(text for name, text in functions.items() if re.match(rf'_Z\d+{kernel}\w*\.musa_warp32\.parted', name))
        if not re.search(r'tzcnt|bsf', parted):
            yield f'{kernel}: threads that have parted look one by one whether they are there'
    yield from run(folder / 'warps')


def check_guarded(sdk, folder, here):
    """What is chosen and stored for others goes there at once."""
    functions = functions_of(sdk, here / 'guarded.mu', folder, '--offload-arch=mp_31')
    code = [text for name, text in functions.items() if re.match(r'_Z\d+reversed\w*\.musa_block\.128\.1\.1$', name)]
    if len(code) != 1 or '__musa_open_block' in code[0]:
        yield f'reversed: {len(code)} functions for 128 threads, which keep what they chose in memory of their own'
    yield from run(folder / 'guarded')


def check_chains(sdk, folder, here):
    """Threads of chains of any length are vectors; those that stay loops are unrolled, and run in lockstep."""
    functions = functions_of(sdk, here / 'chains.mu', folder, '--offload-arch=mp_31')
    for steps in 16, 64, 200, 1024:
        code = ''.join(text for name, text in functions.items() if re.match(rf'_Z5chainILi{steps}E', name))
        vectors = len(re.findall(r'vfmadd\w+p[sd] .*%ymm|vmulps .*%ymm', code))
        single = len(re.findall(r'vfmadd\w+s[sd] |vmulss ', code))
        if vectors < min(steps, 100) or (steps > 64 and single > 2 * vectors):
            yield f'{steps} steps: {vectors} operations of vectors, {single} of single threads'
    yield from run(folder / 'chains')


def check_sums(sdk, folder, here):
    """What LLVM computes on each way to a place is known there: rows are written as vectors. Rows that are summed
    are read one after the other."""
    functions = functions_of(sdk, here / 'sums.mu', folder, '--offload-arch=mp_31')
    code = [text for name, text in functions.items() if re.match(r'_Z\d+sums\w*\.musa_block\.16\.16\.1$', name)]
    if len(code) != 1 or re.search(r'vextractps|vmovd +%xmm', code[0]):
        yield f'sums: {len(code)} functions for 16 x 16 threads, which write number by number'
    code = [text for name, text in functions.items() if re.match(r'_Z\d+product\w*\.musa_block\.16\.16\.1\.wide$', name)]
    stores = [len(re.findall(r'vmovups +%zmm\d+,', text)) for text in code]
    if len(stores) != 1 or stores[0] >= 60:   # 16 of each tile are read by others, 16 more by nobody
        yield f'product: {stores} stores of vectors, some of rows that nobody reads'
    code = next(text for name, text in functions.items() if re.match(r'_Z\d+halves\w*\.musa_block\.256\.1\.1$', name))
    reads = [int(at or '0', 16) for at in re.findall(r' +(0x[0-9a-f]+)?\(%r\w+,%r\w+,4\),%ymm', code)]
    if len(reads) < 16 or reads != sorted(reads):
        yield f'halves: reads {[hex(at) for at in reads]}, not in the order of addresses'
    if (requests := code.count('prefetcht0')) != 16:   # a row of 1 KiB
        yield f'halves: {requests} requests of what blocks to come will sum, expected 16'
    for kernel, pairs in ('halves', 8), ('differences', 16):   # of 512-bit vectors
        code = next(text for name, text in functions.items()
                    if re.match(rf'_Z\d+{kernel}\w*\.musa_block\.256\.1\.1\.wide$', name))
        reads = len(re.findall(r'\((?!%rsp)[^)]*\),%zmm', code))
        if '__musa_follows_instructions' not in code or reads != 2 * pairs + 2:
            yield f'{kernel}: {reads} reads, expected {2 * pairs} and 2 in a loop where the processor follows instructions'
    yield from run(folder / 'sums')


def check_lanes(sdk, folder, here):
    """Lanes that nobody asks for are not computed, and nobody asks who of a warp decides what its index decides."""
    functions = functions_of(sdk, here / 'lanes.mu', folder, '--offload-arch=mp_31')
    code = next(text for name, text in functions.items() if re.match(r'_Z\d+sumOfWarps\w*\.musa_warp32$', name))
    if (sums := len(re.findall(r'vadd[ps]s', code))) > 6:
        yield f'sumOfWarps: {sums} sums of vectors for 32 lanes, of which each step halves the number'
    code = next(text for name, text in functions.items() if re.match(r'_Z\d+byWarp\w*\.musa_warp32$', name))
    if (asked := code.count('movmsk')) > 4:   # for the part of a warp
        yield f'byWarp: asks {asked} times whether all lanes go one way'
    yield from run(folder / 'lanes')
    functions = functions_of(sdk, here / 'lanes.mu', folder, '--offload-arch=mp_31', '-fmusa-cpu=x86-64-v4')
    for kernel in 'sumOfWarps', 'sumsOfEight':
        code = next(text for name, text in functions.items() if re.match(rf'_Z\d+{kernel}\w*\.musa_warp32$', name))
        if (scatters := code.count('vscatter')) > 0:
            yield f'{kernel}: scatters {scatters} vectors of which one or two lanes are written'
    image_of(sdk, here / 'lanes.mu', folder, '-fmusa-cpu=x86-64-v3,x86-64-v4')   # runs what the processor can
    yield from run(folder / 'lanes')


def check_neighbours(sdk, folder, here):
    """What neighbours have written is taken from registers, where it lies in two vectors that are known."""
    functions = functions_of(sdk, here / 'neighbours.mu', folder, '--offload-arch=mp_31')
    for kernel in ('scan', 'looked', 'smoothed'):
        found = [text for name, text in functions.items()
                 if re.match(rf'_Z\d+{kernel}\w*\.musa_block\.256\.1\.1(\.wide)?$', name)]
        shuffles = [len(re.findall(r'valign[dq]|vperm[it]2[dp]|vperm2[fi]128', text)) for text in found]
        if len(found) != 2 or min(shuffles) < 28:   # of 16 vectors, two steps at least; by what shuffles is LLVM's choice
            yield f'{kernel}: {shuffles} times taken from two vectors, expected 28 or more in two functions'
    yield from run(folder / 'neighbours')


def check_look_back(sdk, folder, here, kernel_flags):
    """Kernels whose blocks wait for others are marked, with how they do, and no others."""
    image = image_of(sdk, here / 'look_back.mu', folder, '--offload-arch=mp_31')
    table = subprocess.run([kernel_flags, image], stdout=subprocess.PIPE, text=True, check=True).stdout
    marks = {re.match(r'_Z\d+(\w+?)P', line)[1]: line.partition(' ')[2] for line in table.splitlines()}
    turns = 'looks-back takes-turns'
    expected = {'byThread': turns, 'byAtomic': turns, 'byWarp': turns, 'byWeakVote': turns,
                'byWeakShuffle': turns, 'bySleep': turns, 'byCount': turns + ' waits-for-count',
                'byFlag': turns, 'byLock': 'looks-back', 'byWalking': '', 'plain': '', 'counted': '', 'inShared': '', 'inDynamic': ''}
    if marks != expected:
        yield f'kernels that look back: {marks}, expected {expected}'


def check_single(sdk, folder, here):
    """A kernel that has one thread a block by its bounds has a version for that, whose loops are in vectors."""
    functions = functions_of(sdk, here / 'single.mu', folder, '--offload-arch=mp_31')
    found = [text for name, text in functions.items() if re.match(r'single\.musa_block\.1\.1\.1', name)]
    if not found or not all(re.search(r'vfmadd\S*ps .*%[yz]mm', text) for text in found):
        yield f'single: {len(found)} versions for one thread, expected some whose loop is in vectors'


def check_wrapped(sdk, folder, here):
    """Indices that are remainders are rows where they do not wrap: what a ring or a butterfly reads is read in vectors."""
    functions = functions_of(sdk, here / 'wrapped.mu', folder, '--offload-arch=mp_31')
    for kernel, loads in {'ring': 3, 'butterflies': 2}.items():
        found = [text for name, text in functions.items() if re.match(rf'_Z\d+{kernel}i?\w*\.musa_block\.256\.1\.1$', name)]
        vectors = [len(re.findall(r'v(?:mov[ua]|add|sub)ps +[^,]*\(%[^,]*,%\w+(?:,4)?\),(?:%ymm\d+,)?%ymm', text)) for text in found]
        if len(found) != 1 or vectors[0] < loads:
            yield f'{kernel}: {vectors} rows are read in vectors, expected {loads}'
    yield from run(folder / 'wrapped')


def check_rotation(sdk, folder, here):
    """Values that a loop hands on from variable to variable stay where they are: a row of threads is 32 vectors, and each
    kernel stores two or three of them before the loop and as many in each round."""
    functions = functions_of(sdk, here / 'rotation.mu', folder, '--offload-arch=mp_31')
    for kernel, rows in {'handedOn': 5, 'swapped': 4, 'remembered': 4}.items():
        found = [text for name, text in functions.items() if re.match(rf'_Z\d+{kernel}i\w*\.musa_block\.256\.1\.1$', name)]
        stores = [len(re.findall(r'vmov\w+ +%ymm\d+,\S*\(', text)) for text in found]
        if len(stores) != 1 or stores[0] >= 32 * rows:
            yield f'{kernel}: {stores} stores of vectors, expected one function of less than {32 * rows}'
    yield from run(folder / 'rotation')


def check_planes(sdk, folder, here):
    """What a block reads and writes of the plane after the next is asked for in each round: two lines of a row and where it ends."""
    functions = functions_of(sdk, here / 'planes.mu', folder, '--offload-arch=mp_31')
    found = [text for name, text in functions.items() if re.match(r'_Z6planes\w*\.musa_block\.32\.8\.1$', name)]
    requests = [text.count('prefetch') for text in found]
    if len(requests) != 1 or requests[0] < 6 or requests[0] % 3:
        yield f'planes: {requests} requests, expected three or more for each of two rows'
    found = [text for name, text in functions.items() if re.match(r'_Z7borders\w*\.musa_block\.32\.8\.1$', name)]
    requests = [text.count('prefetch') for text in found]
    if len(requests) != 1 or requests[0] < 12 or requests[0] % 3:
        yield f'borders: {requests} requests, expected three or more for each of four rows'
    yield from run(folder / 'planes')


def check_steps(sdk, folder, here):
    """A kernel of very many loops has no second version, and a remark says so."""
    said = subprocess.run([sdk / 'bin/mcc', '-O3', '-Rpass-missed=musa-multiversioning', here / 'steps.mu', '-o', folder / 'steps',
                           '-lmusart', '--offload-arch=mp_31'], capture_output=True, text=True, check=True).stderr
    if len(re.findall(r'no version for AVX-512: \d+ loops over threads are more than 100', said)) != 1:
        yield f'steps: one of two kernels has too many loops, but the remarks are: {said}'
    image = folder / 'steps.so'
    images = images_of(folder / 'steps')
    image.write_bytes(images[images.index(b'\x7fELF'):])
    symbols = subprocess.run(['nm', image], capture_output=True, text=True, check=True).stdout
    wide = {int(steps) for steps in re.findall(r'_Z5stepsILi(\d+)E\w*\.musa_\S*\.wide', symbols)}
    if wide != {8}:
        yield f'steps: kernels of {sorted(wide)} steps have a version for AVX-512, expected those of 8'
    yield from run(folder / 'steps')


def main():
    sdk, here, folder, kernel_flags = map(pathlib.Path, sys.argv[1:])
    folder.mkdir(parents=True, exist_ok=True)
    failures = [*check_spills(sdk, folder, here), *check_later_rows(sdk, folder, here), *check_tiles(sdk, folder, here),
                *check_streams(sdk, folder, here), *check_warps(sdk, folder, here), *check_guarded(sdk, folder, here),
                *check_sums(sdk, folder, here), *check_chains(sdk, folder, here), *check_lanes(sdk, folder, here),
                *check_neighbours(sdk, folder, here), *check_single(sdk, folder, here), *check_wrapped(sdk, folder, here), *check_planes(sdk, folder, here),
                *check_rotation(sdk, folder, here),
                *check_look_back(sdk, folder, here, kernel_flags), *check_steps(sdk, folder, here)]
    print('\n'.join(failures) or 'ok')
    return len(failures) > 0


if __name__ == '__main__':
    sys.exit(main())
