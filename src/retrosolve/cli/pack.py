"""``retrosolve pack``: a saved solution compressed harder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

import retrosolve as rs
from retrosolve.cli.help import epilog
from retrosolve.cli.inputs import json_option, trust_option
from retrosolve.cli.output import print_line
from retrosolve.store import PACKED_LEVEL
from retrosolve.store.directory import LEVELS


@click.command(epilog=epilog("retrosolve pack saved", "retrosolve pack saved small --no-remoteness"))
@click.argument("source", metavar="DIR")
@click.argument("out", required=False)
@click.option(
    "--level",
    default=PACKED_LEVEL,
    show_default=True,
    type=click.IntRange(LEVELS.start, LEVELS.stop - 1),
    help="Level of the compression; saving uses 3.",
)
@click.option(
    "--remoteness/--no-remoteness",
    default=True,
    help="Keep the remoteness (default: yes). Without it, win/loss/draw takes a tenth or less.",
)
@click.option(
    "--round-bounds",
    is_flag=True,
    help="Round the bounds of a game of chance outward to four bytes a position, in OUT.",
)
@trust_option
@json_option
def pack(
    source: str,
    out: str | None,
    level: int,
    remoteness: bool,
    round_bounds: bool,
    trust_rules: bool,
    as_json: bool,
) -> None:
    """Compress the saved solution DIR harder, in place or as OUT.

    Every checksum is compared first, and the directory is replaced in one step. The digest and the
    proof remain valid. Reading is as fast as before.
    """
    before = sum(file.stat().st_size for file in Path(source).rglob("*") if file.is_file())
    rs.pack(source, out, level, remoteness, trust_rules, round_bounds)
    record = _record(before, out or source)
    if as_json:
        click.echo(json.dumps(record))
        return
    print_line(f"{before} bytes before, {record['bytes']} after")
    print_line(
        f"{record['bits_per_position']:.3f} bits a position, {record['bits_per_index']:.3f} an index"
    )


def _record(before: int, path: str) -> dict[str, Any]:
    """Return the size of a solution before and after, ready for JSON."""
    with rs.open(path) as solution:
        size, positions = solution.num_bytes, len(solution)
        indices = solution.table.num_vertices
        return {
            "bytes_before": before,
            "bytes": size,
            "positions": positions,
            "indices": indices,
            "bits_per_position": round(8 * size / max(positions, 1), 4),
            "bits_per_index": round(8 * size / max(indices, 1), 4),
            "digest": solution.digest(),
        }
