"""Decode win and loss bit planes to uint8 or 2-bit codes.

A row has a bit for every place, and some of the places stand for nothing. ``keep`` has the bits that
count, and ``steps`` moves those of a word together, in six steps of 1, 2, 4 ... places, so that a
row becomes consecutive bits of a stream. Rows, parts of arrays and plain loops let the compiler handle
several words at a time.
"""

from retrosolve.compilation.unsigned import num_bits, u64

LANES = u64(0x0101010101010101)
LOW_HALF = u64(0xFFFFFFFF)


def squeeze_rows(planes, won, lost, start, stop, keep, steps, widths, row, first, second, at):
    """Append the bits of some rows that count to two streams.

    Parameters
    ----------
    planes : uint64 [k, sides, words]
    won, lost : int
        The two sides to read.
    start, stop : int
        The rows ``start..stop-1``.
    keep : uint64 [words]
        The bits that count.
    steps : uint64 [6, words]
        Which bits each step moves.
    widths : uint64 [words]
        The number of bits that count.
    row : uint64 [2, words]
        Overwritten.
    first, second : uint64 [m]
        The streams of both sides, with room for a word more. Zeros from ``at`` on in its word.
    at : uint64
        The bit of the streams to begin with.
    """
    for v in range(start, stop):
        source, against, one, other = planes[v, won], planes[v, lost], row[0], row[1]
        for k in range(len(keep)):
            a, b = source[k] & keep[k], against[k] & keep[k]
            for step in range(6):  # unrolled, as a number that is known
                moved = a & steps[step, k]
                a = (a ^ moved) | moved >> u64(1 << step)
                moved = b & steps[step, k]
                b = (b ^ moved) | moved >> u64(1 << step)
            one[k], other[k] = a, b
        for k in range(len(keep)):
            place, shift = at >> u64(6), at & u64(63)
            back = u64(63) - shift
            first[place] |= one[k] << shift
            second[place] |= other[k] << shift
            first[place + u64(1)] = one[k] >> u64(1) >> back
            second[place + u64(1)] = other[k] >> u64(1) >> back
            at += widths[k]


def spread_bits(first, second, spread, form, out):
    """Write a byte for each bit of two streams.

    Parameters
    ----------
    first, second : uint64 [m]
    spread : uint64 [256]
        The bits of a byte as bytes.
    form : uint64 [4]
        Bytes that are combined by exclusive or: of every place (eight times), of those with a bit of
        the first stream, of the second, and of both.
    out : uint64 [8 * m]
        Eight bytes each.
    """
    low = u64(255)
    for k in range(len(first)):
        one, other = first[k], second[k]
        for part in range(8):
            by = u64(8 * part)
            a, b = one >> by & low, other >> by & low
            word = form[0] ^ spread[a] * form[1] ^ spread[b] * form[2] ^ spread[a & b] * form[3]
            out[8 * k + part] = word


def pair_bits(first, second, form, out):
    """Write two bits for each bit of two streams.

    Parameters
    ----------
    first, second : uint32 [m]
    form : uint64 [2, 4]
        For the lower and the higher bit, words that are combined by exclusive or: of every place, of
        those with a bit of the first stream, of the second, and of both.
    out : uint64 [m]
        The pair of the first bit in the lowest bits.
    """
    every, one, other, both = form[0]
    every_high, one_high, other_high, both_high = form[1]
    for k in range(len(out)):
        a, b = u64(first[k]), u64(second[k])
        low = every ^ a & one ^ b & other ^ a & b & both
        high = every_high ^ a & one_high ^ b & other_high ^ a & b & both_high
        word = low & LOW_HALF | high << u64(32)
        # The halves are shuffled like cards: the middle quarters change places, and so on in each half.
        moved = (word ^ word >> u64(16)) & u64(0x00000000FFFF0000)
        word ^= moved ^ moved << u64(16)
        moved = (word ^ word >> u64(8)) & u64(0x0000FF000000FF00)
        word ^= moved ^ moved << u64(8)
        moved = (word ^ word >> u64(4)) & u64(0x00F000F000F000F0)
        word ^= moved ^ moved << u64(4)
        moved = (word ^ word >> u64(2)) & u64(0x0C0C0C0C0C0C0C0C)
        word ^= moved ^ moved << u64(2)
        moved = (word ^ word >> u64(1)) & u64(0x2222222222222222)
        out[k] = word ^ moved ^ moved << u64(1)


def count_row_bits(planes, won, lost, start, stop, keep):
    """Return how many bits that count are set in some rows: of one side, of the other, and of both."""
    ones = others = boths = u64(0)
    for v in range(start, stop):
        source, against = planes[v, won], planes[v, lost]
        for k in range(len(keep)):
            one, other = source[k] & keep[k], against[k] & keep[k]
            ones += num_bits(one)
            others += num_bits(other)
            boths += num_bits(one & other)
    return ones, others, boths
