"""ProfileContext: profiles the steps of tf.compat.v1 sessions.

    with tfprof.ProfileContext("profiles") as context:
        train()

It replaces the class of the same name in tf.contrib.tfprof.
TensorFlow is imported when an enabled context is entered.
"""

from __future__ import annotations

import os
import random
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from tfprof.compat import v1

if TYPE_CHECKING:
    from types import TracebackType

__all__ = ["ProfileContext"]

_WARM_UP = 10       # automatic tracing starts after this step
_MOST_STEPS = 100   # traced steps; random steps have numbers below it
_DUMP_STEP = 100
_LOW_COVERAGE = 0.5
_SEED = 111         # every run of a program traces the same steps

_METHODS = {"scope": "profile_name_scope", "graph": "profile_graph",
            "op": "profile_operations", "code": "profile_python"}

# Held while a context replaces or restores BaseSession.run.
_replacing = threading.Lock()


def _tensorflow(module: str = "") -> Any:
    """Imported by name, because it has no types for mypy."""
    return import_module(f"tensorflow{module}")


def _base_session() -> Any:
    """The class whose run() all sessions share."""
    return _tensorflow(".python.client.session").BaseSession


def _fetch_names(fetches: Any) -> Iterator[str]:
    """The names of the fetches of a step, from nested lists and dicts."""
    if isinstance(fetches, Mapping):
        fetches = list(fetches.values())
    if isinstance(fetches, (list, tuple)):
        for one in fetches:
            yield from _fetch_names(one)
    else:
        yield str(getattr(fetches, "name", fetches))


class ProfileContext:
    """Traces steps of sessions and writes profiles of them.

    A step is one call of Session.run, in any thread. The first one is 0.

    profile_dir: the directory for the files; it is created if needed.
    trace_steps: the steps to trace, 100 at most. None chooses them
        automatically: after step 10, each step with new fetches; and below
        step 100, 2 of 11 steps at random while the traces cover less than
        half of the graph's nodes. At most 100 steps are traced.
    dump_steps: the steps after which the profile is written to profile_STEP;
        None means step 100.
    enabled: False disables the context, at no cost.
    debug: True also writes the run metadata of each traced step as text, to
        run_meta_STEP.

    Only one context can be active. If two threads run steps at the same
    time, only one of the steps is traced.
    """

    def __init__(self, profile_dir: str | os.PathLike[str],
                 trace_steps: Iterable[int] | None = None,
                 dump_steps: Iterable[int] | None = None,
                 enabled: bool = True, debug: bool = False) -> None:
        self._is_enabled = enabled
        self._profiler: v1.Profiler | None = None
        self._profiles: list[tuple[str, Any, frozenset[int]]] = []
        self._found: dict[str, dict[int, Any]] = {}
        if not enabled:
            return
        if not profile_dir:
            raise ValueError("profile_dir must name a directory")
        given = list(trace_steps) if trace_steps is not None else []
        if len(given) > _MOST_STEPS:
            raise ValueError(f"trace_steps has {len(given)} steps, more than "
                             f"{_MOST_STEPS}")
        self._folder = os.fsdecode(profile_dir)
        self._is_debug = debug
        self._is_automatic = trace_steps is None
        self._trace_steps = set(given)
        self._dump_steps = frozenset(
            (_DUMP_STEP,) if dump_steps is None else dump_steps)
        self._random = random.Random(_SEED)
        self._fetched: set[frozenset[str]] = set()
        self._step = 0
        self._traced = 0
        self._traces_next = self._dumps_next = False
        self._counting = threading.Lock()  # protects the fields above, briefly
        self._watching = threading.Lock()  # held by the watched step
        self._making = threading.Lock()    # protects the profiler
        self._session_class: Any = None
        self._run: Any = None              # the original BaseSession.run

    # -- Public methods

    def add_auto_profiling(self, cmd: str, options: Any,
                           profile_steps: Iterable[int]) -> None:
        """Traces these steps and creates a view after each.

        cmd, options: as in profile().
        """
        if not self._is_enabled:
            return
        v1._check_view(cmd)
        steps = frozenset(profile_steps)
        with self._counting:
            self._profiles.append((cmd, options, steps))
            self._trace_steps |= steps

    def get_profiles(self, cmd: str) -> dict[int, Any]:
        """The views of add_auto_profiling(), by step. Raises ValueError if
        there are none yet."""
        if cmd not in self._found:
            raise ValueError(f"no step was profiled with cmd {cmd!r}")
        return self._found[cmd]

    @property
    def profiler(self) -> v1.Profiler | None:
        """The Profiler that the traced steps are added to; None if the
        context is not enabled."""
        if not self._is_enabled:
            return None
        with self._making:
            if self._profiler is None:
                self._profiler = v1.Profiler(
                    _tensorflow().compat.v1.get_default_graph())
            return self._profiler

    def trace_next_step(self) -> None:
        """Traces the next step."""
        if self._is_enabled:
            with self._counting:
                self._traces_next = True

    def dump_next_step(self) -> None:
        """Writes the profile after the next step."""
        if self._is_enabled:
            with self._counting:
                self._dumps_next = True

    # -- Sessions

    def __enter__(self) -> ProfileContext:
        if not self._is_enabled:
            return self
        base = _base_session()
        with _replacing:
            if hasattr(base.run, "_tfprof_context"):
                raise _tensorflow().errors.InternalError(
                    None, None, "a ProfileContext is already active")
            self._session_class, self._run = base, base.run
            base.run = self._watcher(base.run)
        return self

    def __exit__(self, kind: type[BaseException] | None,
                 value: BaseException | None,
                 trace: TracebackType | None) -> None:
        if self._is_enabled:
            with _replacing:
                self._session_class.run = self._run

    def _watcher(self, original: Callable[..., Any]) -> Callable[..., Any]:
        """The function that replaces BaseSession.run."""
        def run(session: Any, fetches: Any, feed_dict: Any = None,
                options: Any = None, run_metadata: Any = None) -> Any:
            return self._run_step(original, session, fetches, feed_dict,
                                  options, run_metadata)

        run.__doc__ = original.__doc__
        run._tfprof_context = self  # type: ignore[attr-defined]
        return run

    # -- Steps

    def _run_step(self, run: Callable[..., Any], session: Any, fetches: Any,
                  feed_dict: Any, options: Any, run_metadata: Any) -> Any:
        """Runs a step, and watches it if needed. A step never waits for
        another step, because that step may wait for its results."""
        with self._counting:
            step = self._step
            self._step += 1
            is_watched = (self._is_of_interest(step)
                          and self._watching.acquire(blocking=False))
            if is_watched:
                traces, self._traces_next = self._traces_next, False
                dumps, self._dumps_next = self._dumps_next, False
        if not is_watched:
            return run(session, fetches, feed_dict, options, run_metadata)
        try:
            if self._is_to_trace(step, traces, fetches):
                self._traced += 1
                result = self._trace(step, run, session, fetches, feed_dict,
                                     options, run_metadata)
            else:
                result = run(session, fetches, feed_dict, options,
                             run_metadata)
            if dumps or step in self._dump_steps:
                self._write(f"profile_{step}",
                            self._known().serialize_to_string())
            self._make_views(step)
            return result
        finally:
            self._watching.release()

    def _is_of_interest(self, step: int) -> bool:
        return (self._traces_next or self._dumps_next
                or step in self._trace_steps or step in self._dump_steps
                or (self._is_automatic and step > _WARM_UP
                    and self._traced < _MOST_STEPS))

    def _is_to_trace(self, step: int, is_asked: bool, fetches: Any) -> bool:
        if self._traced >= _MOST_STEPS:
            return False
        if is_asked or step in self._trace_steps:
            return True
        if not self._is_automatic or step <= _WARM_UP:
            return False
        names = frozenset(_fetch_names(fetches))
        if names not in self._fetched:
            self._fetched.add(names)
            return True
        return (self._known()._coverage < _LOW_COVERAGE
                and step < _MOST_STEPS and self._random.randrange(11) < 2)

    def _trace(self, step: int, run: Callable[..., Any], session: Any,
               fetches: Any, feed_dict: Any, options: Any,
               run_metadata: Any) -> Any:
        """Runs a step with a full trace. The options of the script are not
        changed."""
        tf1 = _tensorflow().compat.v1
        traced = tf1.RunOptions()
        if options is not None:
            traced.CopyFrom(options)
        traced.trace_level = tf1.RunOptions.FULL_TRACE
        if run_metadata is None:
            run_metadata = tf1.RunMetadata()
        result = run(session, fetches, feed_dict, traced, run_metadata)
        if self._is_debug:
            self._write(f"run_meta_{step}", str(run_metadata).encode())
        profiler = self._known()
        profiler._use_graph(session.graph)
        profiler.add_step(step, run_metadata)
        return result

    def _make_views(self, step: int) -> None:
        for cmd, options, steps in tuple(self._profiles):
            if step in steps:
                view = getattr(self._known(), _METHODS[cmd])(options)
                self._found.setdefault(cmd, {})[step] = view

    def _known(self) -> v1.Profiler:
        profiler = self.profiler
        assert profiler is not None  # only enabled contexts run steps
        return profiler

    def _write(self, name: str, data: bytes) -> None:
        os.makedirs(self._folder, exist_ok=True)
        with open(os.path.join(self._folder, name), "wb") as file:
            file.write(data)
