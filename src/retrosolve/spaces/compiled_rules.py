"""What a generated space requires of the rules of a game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol


class CompiledRules(Protocol):
    """What a generated space requires of the rules, besides the kernels compiled from them."""

    players: tuple[str, str]
    tier_names: tuple[str, ...] | None

    def terminal(self, position: int, data: Any) -> int: ...  # noqa: D102
    def canonical(self, position: int, data: Any) -> int: ...  # noqa: D102
    def rank(self, position: int, data: Any) -> int: ...  # noqa: D102
    def unrank(self, index: int, data: Any) -> int: ...  # noqa: D102
    def tier_targets(self, tier: int) -> Iterable[int]: ...  # noqa: D102
    def implements(self, name: str) -> bool: ...  # noqa: D102
    def start(self) -> int: ...  # noqa: D102
    def named_moves(self, position: int) -> list[tuple[str, int]]: ...  # noqa: D102
    def text(self, position: int) -> str: ...  # noqa: D102
    def parse(self, text: str) -> int: ...  # noqa: D102
    def passed(self, position: int) -> int | None: ...  # noqa: D102
    def side_to_move(self, position: int) -> int | None: ...  # noqa: D102
    def svg(self, position: int) -> str | None: ...  # noqa: D102
    def move_points(self, position: int, target: int) -> Sequence[str] | None: ...  # noqa: D102
    def spec(self) -> dict[str, Any]: ...  # noqa: D102
