"""A group: workers that are called all at once, and publish something for all of them to read.

They are in processes of a Ray cluster, each an actor. What workers compute does not depend on where
they are.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import pairwise
from typing import Any, TypeVar

from retrosolve.errors import ClusterError
from retrosolve.runtime.sources import PREFIX
from retrosolve.spaces.tier_window import Span

INSTALL = "solver='ray' needs Ray, which is not installed: expected `pip install 'retrosolve[ray]'`"
SECONDS_TO_BEGIN = 60.0
SECONDS_TO_JOIN = 3.0

_lock = threading.Lock()
_idle: list[tuple[str, str, Any]] = []  # the connection, the node, and the actor
MAX_FRUITLESS = 5  # groups that lose a worker without having come further than those before

T = TypeVar("T")

logger = logging.getLogger(__name__)


class WorkerLost(Exception):  # noqa: N818  # no fault of anybody: the work goes on elsewhere
    """A worker has died, or what it has published is lost."""


def ray_library() -> Any:
    """Return the library. Raises ClusterError, which says how to install it, if it is absent."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    try:
        import fsspec  # noqa: F401  # snapshots are written with it
        import ray
    except ImportError as error:
        if error.name not in ("ray", "fsspec"):
            raise
        raise ClusterError(INSTALL) from None
    return ray


def connect(address: str | None) -> Any:
    """Connect to a cluster, or start one of this machine; return the library.

    Parameters
    ----------
    address : str, optional
        "auto" for the cluster that this machine belongs to, "local" for a new one of this machine
        alone, or ``ray://host:port``. By default the cluster that is connected already, that of
        RAY_ADDRESS, or a new one.

    Raises
    ------
    ClusterError
    """
    ray = ray_library()
    if ray.is_initialized():
        return ray
    # Without an address Ray would take any cluster that it finds running on this machine.
    address = address or os.environ.get("RAY_ADDRESS", "local")
    options: dict[str, Any] = {"include_dashboard": False} if address == "local" else {}
    handler = signal.getsignal(signal.SIGTERM)
    try:
        ray.init(
            address, log_to_driver=False, logging_level=logging.ERROR, configure_logging=True, **options
        )
    except (ConnectionError, ValueError, TimeoutError, RuntimeError, OSError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ClusterError(
            f"no Ray cluster at {address!r}: {reason}: expected local, auto where `ray start` runs, "
            "or ray://host:port"
        ) from None
    finally:
        # Ray leaves a handler of its own, in which processes forked later would not end.
        if threading.current_thread() is threading.main_thread() and handler is not None:
            signal.signal(signal.SIGTERM, handler)
    return ray


class Host:
    """An actor: holds one worker, which is made when a solve begins."""

    def __init__(self) -> None:
        self._worker: Any = None

    def node(self) -> tuple[str, int]:
        """Return the node and the process that this is."""
        import ray

        return ray.get_runtime_context().get_node_id(), os.getpid()

    def make(self, make: Callable[..., Any], *args: Any) -> None:
        """Make the worker."""
        self._worker = make(*args)

    def clear(self) -> None:
        """Forget the worker."""
        self._worker = None

    def call(self, method: str, *args: Any) -> Any:
        """Call a method of the worker."""
        return getattr(self._worker, method)(*args)


class RayGroup:
    """Workers in actors.

    Actors that are let go stay, with what they have imported and compiled, for the next group.

    Parameters
    ----------
    ray : module
    size : int
        The most workers; fewer if the cluster has fewer processors.

    Attributes
    ----------
    size : int
        The number of workers.
    nodes : sequence of str
        The machine that each worker is on.
    processes : sequence of int
        The id of the process of each worker.
    """

    def __init__(self, ray: Any, size: int) -> None:
        self._ray = ray
        with _translated(ray):
            self._actors, places = _ready(ray, size)
        self._exchanges = [actor.call.options(num_returns=2) for actor in self._actors]
        self.size = len(self._actors)
        self.nodes: Sequence[str] = [node for node, _ in places]
        self.processes: Sequence[int] = [process for _, process in places]
        self._published: list[Any] = []

    def start(self, make: Callable[..., Any], *args: Any) -> None:
        """Make the workers anew; what is large in ``args`` is shared by those of a machine."""
        with _translated(self._ray), _by_value(self._ray):
            shared = [self._ray.put(arg) for arg in args]
            self._ray.get([actor.make.remote(make, *shared) for actor in self._actors])
        self._published = []

    def call(self, method: str, *args: Any, each: Sequence[Any] | None = None) -> list[Any]:
        """Call a method of all workers; return what it returns.

        ``each``, if given, holds one more argument for each worker.
        """
        extra = [()] * self.size if each is None else [(own,) for own in each]
        with _translated(self._ray):
            results: list[Any] = self._ray.get(
                [
                    actor.call.remote(method, *args, *own)
                    for actor, own in zip(self._actors, extra, strict=True)
                ]
            )
        return results

    def exchange(self, method: str, *args: Any) -> list[Any]:
        """Call a method that publishes; return what each worker reports.

        The method is called with ``args`` and, for each worker, what that has published last. It
        returns a report and what it publishes.
        """
        with _translated(self._ray):
            pairs = [call.remote(method, *args, *self._published) for call in self._exchanges]
            reports: list[Any] = self._ray.get([report for report, _ in pairs])
        self._published = [published for _, published in pairs]
        return reports

    def handle(self, worker: int, method: str, *args: Any) -> Any:
        """Call a method of one worker; return a handle of its result, to be an argument of others."""
        with _translated(self._ray):
            return self._actors[worker].call.remote(method, *args)

    def get(self, handle: Any) -> Any:
        """Return the object of a handle."""
        with _translated(self._ray):
            return self._ray.get(handle)

    def call_one(self, worker: int, method: str, *args: Any) -> Any:
        """Call a method of one worker; return what it returns."""
        return self.get(self.handle(worker, method, *args))

    def close(self) -> None:
        """Let the workers go; their processes stay for the next group."""
        self._published = []
        with suppress(WorkerLost):
            with _translated(self._ray):
                self._ray.get([actor.clear.remote() for actor in self._actors])
            with _lock:
                session = _session(self._ray)
                actors = zip(self.nodes, self._actors, strict=True)
                _idle.extend((session, node, actor) for node, actor in actors)

    def kill(self) -> None:
        """End the processes."""
        for actor in self._actors:
            with suppress(Exception):
                self._ray.kill(actor)


def _session(ray: Any) -> str:
    """Return the identity of the connection to a cluster."""
    context = ray.get_runtime_context()
    return f"{context.get_node_id()} {context.get_job_id()}"


def _places(ray: Any, size: int) -> list[str]:
    """Return the nodes of as many workers, at most one for each processor, evenly.

    Raises WorkerLost if there is no processor.
    """
    nodes = [
        node["NodeID"]
        for node in ray.nodes()
        if node["Alive"]
        for _ in range(int(node["Resources"].get("CPU", 0)))
    ]
    if not nodes:
        raise WorkerLost("no node of the cluster has a processor")
    wanted = min(size, len(nodes))
    return [nodes[len(nodes) * w // wanted] for w in range(wanted)]


def _ready(ray: Any, size: int) -> tuple[list[Any], list[tuple[str, int]]]:
    """Return actors that are there soon, idle ones first, and where each of them is.

    Actors claim no processor, since those that are idle would keep it from everybody else.

    Raises WorkerLost if there is none.
    """
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    host, session = ray.remote(Host), _session(ray)
    actors = []
    with _lock:
        idle = [(node, actor) for connection, node, actor in _idle if connection == session]
        for node in _places(ray, size):
            place = next((i for i, (where, _) in enumerate(idle) if where == node), None)
            on_node = NodeAffinitySchedulingStrategy(node, soft=False)
            fresh = host.options(num_cpus=0, scheduling_strategy=on_node)
            actors.append(fresh.remote() if place is None else idle.pop(place)[1])
        _idle[:] = [(session, node, actor) for node, actor in idle]
    asked = {actor.node.remote(): actor for actor in actors}
    began = time.monotonic()
    ray.wait(list(asked), num_returns=1, timeout=SECONDS_TO_BEGIN)
    # A node that was lost counts for some seconds more, and nothing will ever start there.
    patience = SECONDS_TO_JOIN + time.monotonic() - began
    ready, late = ray.wait(list(asked), num_returns=len(asked), timeout=patience)
    joined, places = [], []
    for answer in ready:
        with suppress(ray.exceptions.RayError):
            places.append(ray.get(answer))
            joined.append(asked[answer])
    for answer in late:
        ray.kill(asked[answer])
    if not joined:
        raise WorkerLost("no worker of the cluster could be started")
    order = sorted(range(len(joined)), key=lambda w: places[w])
    return [joined[w] for w in order], [places[w] for w in order]


@contextmanager
def _translated(ray: Any) -> Iterator[None]:
    """Raise WorkerLost for what is lost, and errors of workers as they were there."""
    errors = ray.exceptions
    try:
        yield
    except errors.RayTaskError as error:
        cause = getattr(error, "cause", None)
        if cause is None or isinstance(cause, errors.RayError):
            raise WorkerLost(str(error)) from None
        raise cause from None
    except errors.RayError as error:
        raise WorkerLost(str(error)) from None


@contextmanager
def _by_value(ray: Any) -> Iterator[None]:
    """Send rules that were loaded from a file along with what names them."""
    modules = [module for name, module in sys.modules.items() if name.startswith(PREFIX)]
    for module in modules:
        ray.cloudpickle.register_pickle_by_value(module)
    try:
        yield
    finally:
        for module in modules:
            ray.cloudpickle.unregister_pickle_by_value(module)


def open_group(address: str | None, size: int) -> RayGroup:
    """Return a group of a cluster. Raises ClusterError, or WorkerLost if a node is just being lost."""
    return RayGroup(connect(address), size)


def groups_of(address: str | None) -> Callable[[int], RayGroup]:
    """Connect to a cluster, and return a function that opens a group of some size there."""
    connect(address)
    return lambda size: open_group(address, size)


def work_through(
    open_group: Callable[[int], RayGroup],
    size: int,
    work: Callable[[RayGroup], T],
    reached: Callable[[], tuple[int, ...]],
    when: str,
) -> T:
    """Do some work with a group, and go on with a new group if a worker is lost; return the result.

    Parameters
    ----------
    open_group : callable
        Returns a group of at most so many workers.
    size : int
    work : callable
        Goes on from where it was interrupted.
    reached : callable
        Returns how far the work has come.
    when : str
        For the error.

    Raises
    ------
    ClusterError
        If workers are lost again and again without any progress.
    """
    fruitless, furthest = 0, reached()
    while True:
        group = None
        try:
            group = open_group(size)
            result = work(group)
            group.close()
            return result
        except WorkerLost as lost:
            if group is not None:
                group.kill()
            now = reached()
            logger.info("a worker was lost: going on from %s", now)
            fruitless, furthest = 0 if now > furthest else fruitless + 1, now
            if fruitless >= MAX_FRUITLESS:
                why = str(lost).partition("\n")[0]
                raise ClusterError(
                    f"workers were lost {fruitless} times {when}, the last one because of {why}: "
                    "expected a cluster with more memory or better nodes"
                ) from None
        except BaseException:
            if group is not None:
                group.kill()
            raise


def owned(below: int, above: int, partitions: int) -> list[Span]:
    """Return the range of each partition of ``below..above-1``; sizes differ by at most one.

    >>> owned(10, 17, 3)
    [(10, 12), (12, 14), (14, 17)]
    """
    size = above - below
    cuts = [below + size * p // partitions for p in range(partitions + 1)]
    return list(pairwise(cuts))
