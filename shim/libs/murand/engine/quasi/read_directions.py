"""Direction vectors of rocRAND's header (Expat licence) as what they are made of: read_directions.py HEADER DIRECTIONS_BIN.

A dimension's 64 vectors v follow from the first d of them by a polynomial of degree d: with bits a of its inner coefficients,
v[k] = v[k-d] ^ v[k-d] >> d ^ a[1] v[k-1] ^ ... ^ a[d-1] v[k-d+1]. The file has 32-bit words, for each dimension d, the bits a (a[1] the
lowest) and the first d vectors without their zeros at the end. It is a seventh of all vectors.
"""
import array
import re
import sys

BITS = 64


def follows(v, k, degree, bits):
    made = v[k - degree] ^ v[k - degree] >> degree
    for j in range(1, degree):
        if bits >> (j - 1) & 1:
            made ^= v[k - j]
    return made == v[k]


def polynomial(v):
    """(degree, bits) of the least degree; (64, 0) where there is none, as for the first dimension."""
    for degree in range(1, 32):
        rest = v[degree] ^ v[0] ^ v[0] >> degree
        bits = 0
        for j in range(1, degree):  # v[k] ends in bit 63 - k
            if rest >> (BITS - 1 - (degree - j)) & 1:
                rest ^= v[degree - j]
                bits |= 1 << (j - 1)
        if rest == 0 and all(follows(v, k, degree, bits) for k in range(degree, BITS)):
            return degree, bits
    return BITS, 0


def main():
    header, output = sys.argv[1:]
    words = [int(word, 16) for word in re.findall(r"0x([0-9a-f]{16})\b", open(header).read())]
    if len(words) != 20000 * BITS:
        sys.exit(f"{header}: {len(words)} direction vectors, not 20000 x 64; it is not the header of librocrand-dev 5.3")
    made = array.array("I")
    for first in range(0, len(words), BITS):
        v = words[first:first + BITS]
        degree, bits = polynomial(v)
        made.extend([degree, bits, *(v[k] >> (BITS - 1 - k) for k in range(degree))])
    with open(output, "wb") as file:
        made.tofile(file)


if __name__ == "__main__":
    main()
