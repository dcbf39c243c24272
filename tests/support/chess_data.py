"""The endgame tables of others, from the source distribution of the package ``chess``.

Its wheel has no tables. ``python -m tests.support.chess_data`` fetches the source distribution of the
installed version from the package index and keeps its tables in the virtual environment; ``make test``
runs that once.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import tempfile
from importlib.metadata import version
from pathlib import Path

DATA = Path(sys.prefix) / "share" / "retrosolve-tests" / "chess"
SYZYGY, GAVIOTA = DATA / "syzygy" / "regular", DATA / "gaviota"
MATES = DATA / "endgame-dm-4.epd"
KEPT = ("syzygy/regular/", "gaviota/", "endgame")


def fetch() -> None:
    """Fetch the tables, in place of any that are there."""
    DATA.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=DATA.parent) as temporary:
        folder = Path(temporary)
        wanted = f"chess=={version('chess')}"
        command = [sys.executable, "-m", "pip", "download", "-q", "--disable-pip-version-check"]
        subprocess.run(
            [*command, "--no-deps", "--no-binary=chess", "--dest", str(folder), wanted], check=True
        )
        (archive,) = folder.glob("*.tar.gz")
        with tarfile.open(archive) as opened:
            for member in opened.getmembers():
                path = member.name.partition("/data/")[2]
                if member.isfile() and path.startswith(KEPT):
                    opened.extract(member, folder, filter="data")
        (found,) = folder.glob("*/data")
        shutil.rmtree(DATA, ignore_errors=True)
        found.rename(DATA)


def require() -> None:
    """Raise AssertionError unless the tables are there."""
    files = len(list(SYZYGY.glob("*.rtbw"))), len(list(GAVIOTA.glob("*.gtb.cp4")))
    assert files[0] >= 35, f"no tables in {DATA}: expected `make test`, or python -m {__name__}"
    assert files[1] >= 5
    assert MATES.is_file()


if __name__ == "__main__":
    fetch()
    require()
