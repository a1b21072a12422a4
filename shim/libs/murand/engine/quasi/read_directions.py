"""Direction vectors of rocRAND's header (Expat licence) as words in a file: read_directions.py HEADER DIRECTIONS_BIN."""
import array
import re
import sys

header, output = sys.argv[1:]
words = array.array("Q", (int(word, 16) for word in re.findall(r"0x([0-9a-f]{16})\b", open(header).read())))
if len(words) != 20000 * 64:
    sys.exit(f"{header}: {len(words)} direction vectors, not 20000 x 64; it is not the header of librocrand-dev 5.3")
with open(output, "wb") as file:
    words.tofile(file)
