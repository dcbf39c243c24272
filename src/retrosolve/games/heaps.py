"""Octal games and Grundy's game: heaps from which tokens are taken and which may be split.

Nimbers are computed for all heaps up to the largest, and so for all sums of heaps. Kayles is 0.77:
knock down one pin or two neighbours, which may divide a row. Dawson's Kayles is 0.07. Both are
periodic, as Guy and Smith showed in 1956; whether all octal games are is not known.

Sources: Guy and Smith, "The G-values of various games" (1956), doi:10.1017/S0305004100031509; Winning
Ways, chapter 4; OEIS A002186 (Kayles), A002187 (Dawson's Kayles), A002188 (Grundy's game).
"""

from __future__ import annotations

from retrosolve.rules.heaps import HeapGame


class Octal(HeapGame):
    """The octal game with a code, from heaps of up to n tokens.

    Parameters
    ----------
    code : str
        The digit d of place t after the point says what a move that takes t tokens may leave: 1 for no
        heap, 2 for one, 4 for two, and sums of these.
    n : int
        The largest heap.

    Raises
    ------
    RulesError
        For another code or a negative ``n``.

    Examples
    --------
    >>> import retrosolve as rs
    >>> kayles = rs.solve(Octal("0.77", n=20))
    >>> [kayles[heap].value.number for heap in range(12)]
    [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6]
    >>> print(kayles[(3, 5)].value, kayles.moves((3, 5))[0])
    *7 5 to 3 -> (3, 3) (*0)
    """

    def __init__(self, code: str = "0.77", n: int = 1000) -> None:
        super().__init__(code, n)


class Grundy(HeapGame):
    """Grundy's game: split a heap into two of different sizes; who cannot loses.

    Parameters
    ----------
    n : int
        The largest heap.

    Raises
    ------
    RulesError
        If ``n`` is negative.

    Examples
    --------
    >>> import retrosolve as rs
    >>> solution = rs.solve(Grundy(n=30))
    >>> [solution[heap].value.number for heap in range(3, 15)]
    [1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 3, 2]
    """

    def __init__(self, n: int = 1000) -> None:
        super().__init__("4.", n, unequal=True)
