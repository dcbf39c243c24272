"""Rows of bits of a table without remoteness, read for the cells that count: as bytes.

A row has a bit for every place, and some of the places stand for nothing. ``keep`` has the bits that
count, and ``steps`` moves those of a word together, in six steps of 1, 2, 4 ... places, so that a row
becomes consecutive bits of a stream.
"""

from retrosolve.kernels.unsigned import u64

LANES = u64(0x0101010101010101)


def decode_rows(planes, won, lost, start, stop, keep, steps, kept, stream, spread, form, out):
    """Decode the bits of some rows to a byte each, without those that do not count.

    Parameters
    ----------
    planes : uint64 [k, sides, words]
    won, lost : int
        The two sides to combine.
    start, stop : int
        The rows ``start..stop-1``.
    keep : uint64 [words]
        The bits that count.
    steps : uint64 [6, words]
        Which bits each step moves.
    kept : int64 [words]
        The number of bits that count.
    stream : uint64 [2, m]
        Zeros; overwritten with the bits of both sides.
    spread : uint64 [256]
        The bits of a byte as bytes.
    form : uint64 [4]
        Bytes that are combined by exclusive or: of every place (eight times), of those with the
        bit of one side, of the other, and of both.
    out : uint64 [8 * m]
        Eight bytes each.
    """
    full, at = u64(64), u64(0)
    for row in range(start, stop):
        for k in range(len(keep)):
            one, other = planes[row, won, k] & keep[k], planes[row, lost, k] & keep[k]
            for step in range(6):
                moved, by = one & steps[step, k], u64(1 << step)
                one = (one ^ moved) | moved >> by
                moved = other & steps[step, k]
                other = (other ^ moved) | moved >> by
            place, shift = at >> u64(6), at & u64(63)
            stream[0, place] |= one << shift
            stream[1, place] |= other << shift
            at += u64(kept[k])
            if at >> u64(6) > place and at & u64(63):
                stream[0, place + u64(1)] = one >> full - shift
                stream[1, place + u64(1)] = other >> full - shift
    low = u64(255)
    for k in range(stream.shape[1]):
        one, other = stream[0, k], stream[1, k]
        for part in range(8):
            by = u64(8 * part)
            a, b = one >> by & low, other >> by & low
            word = form[0] ^ spread[a] * form[1] ^ spread[b] * form[2] ^ spread[a & b] * form[3]
            out[8 * k + part] = word
