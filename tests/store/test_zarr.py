"""Saved solutions are Zarr groups: the library zarr reads every array as this package does."""

from __future__ import annotations

import json
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import zarr

from retrosolve.store.blocks import StoredArray, mapped_array, opened_blocks
from tests.support.saved import saved

SAVED = Path(__file__).parent.parent / "data" / "version-7"


@pytest.mark.parametrize("kind", ["graph", "explored", "board", "tiers"])
def test_zarr_reads_every_array(kind: str, tmp_path: Path) -> None:
    path = SAVED / kind if kind == "tiers" else saved(kind, tmp_path)
    manifest = json.loads((path / "manifest.json").read_text())
    group = zarr.open_group(path, mode="r")
    assert group.attrs["retrosolve"] == {"format": manifest["format"], "version": manifest["version"]}
    records = [*manifest["arrays"], *manifest["table"]["arrays"]]
    assert len(records) >= 3
    for record in records:
        stored = StoredArray.from_record(record)
        assert stored is not None
        with ExitStack() as stack:
            files = {name: stack.enter_context((path / name).open("rb")) for name in stored.chunks}
            if stored.block:
                elements = opened_blocks(replace(stored, codes=0), path, files, 1 << 63)
                ours = elements.read(0, len(elements))
            else:
                ours = mapped_array(stored, path, files, manifest["files"])()
        theirs = group[stored.name][...]  # type: ignore[index]
        assert theirs.dtype == ours.dtype
        assert np.array_equal(theirs, ours)
