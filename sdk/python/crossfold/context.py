"""Contexts: plugins and defaults of calls, and how a call is made and interrupted."""
import ctypes
import logging
import os
import threading
import weakref

from . import structs
from .error import Error
from .library import library

_logger = logging.getLogger("crossfold")
_LEVELS = (logging.DEBUG, logging.INFO, logging.WARNING, logging.ERROR)


def _log(_, level, message):
    _logger.log(_LEVELS[min(max(level, 0), 3)], message.decode(errors="replace"))


_LOG = structs.LOG(_log)  # the library calls it as long as any context lives


class Handle:
    """An object of the library, which destroys it with this one. Not public."""

    def __init__(self, kind, pointer):
        self.pointer = pointer
        # Also runs when the interpreter ends, before callbacks stop to work.
        weakref.finalize(self, getattr(library(), f"crossfold_{kind}_destroy"), pointer)


class Context:
    """Plugins and defaults that calls share. `evaluate`, `fit`, `read` and `load` make one of their own if they are
    given none; several calls with one context share its worker processes and what it remembers of fits.

    `plugin_paths`: files or folders that are searched for plugins first. `lock`: path of a crossfold.lock; plugins
    that are not in it are not used. `workers`: threads of a run; None = one per core; the number never changes a
    result. `memory`: bytes of work that runs share; None = half of the machine's. `sharing`: False makes every cell a
    fit of its own, with the same results.

    Raises Error. Threads: calls with one context wait for each other; `cancel` may be called from any thread.
    Messages of plugins go to the logger "crossfold" of the module logging.
    """

    def __init__(self, plugin_paths=(), lock=None, workers=None, memory=None, sharing=True):
        if isinstance(plugin_paths, (str, os.PathLike)):
            plugin_paths = [plugin_paths]
        paths = [os.fsencode(path) for path in plugin_paths]
        self._lock = threading.Lock()
        self._progress = None
        self._raised = None
        state = weakref.ref(self)

        def progress(_, finished, total):
            context = state()
            return context._report(finished, total) if context is not None else 1

        self._callback = structs.PROGRESS(progress)
        options = structs.Options(
            flags=0 if sharing else structs.NO_SHARING, plugin_paths=(structs.char_p * len(paths))(*paths),
            n_plugin_paths=len(paths), workers=workers or 0, memory=memory or 0, log=_LOG, progress=self._callback,
            lock=None if lock is None else os.fsencode(lock))
        made = structs.void_p()
        status = library().crossfold_context_create(ctypes.byref(options), ctypes.byref(made))
        self._handle = Handle("context", made)
        self._check(status)

    def cancel(self):
        """Stops the call that runs, and every later one until `reset`."""
        library().crossfold_cancel(self._handle.pointer)

    def reset(self):
        """Takes `cancel` back."""
        library().crossfold_cancel_reset(self._handle.pointer)

    def _report(self, finished, total):
        if self._progress is None:
            return 0
        try:
            self._progress(finished, total)
            return 0
        except BaseException as error:  # it is raised by the call that runs
            self._raised = error
            return 1

    def _check(self, status):
        if status != structs.OK:
            c = library()
            raise Error(c.crossfold_last_error(self._handle.pointer).decode(),
                        c.crossfold_status_name(status).decode())

    def _call(self, name, *arguments):
        """Calls a function of the library that takes the context first."""
        with self._lock:
            self._check(getattr(library(), "crossfold_" + name)(self._handle.pointer, *arguments))

    def _make(self, kind, name, *arguments):
        """The same for one whose last argument is what it makes: a handle."""
        made = structs.void_p()
        self._call(name, *arguments, ctypes.byref(made))
        return Handle(kind, made)

    def _make_slowly(self, kind, name, *arguments, progress=None, partial=False):
        """The same for a call that takes long. KeyboardInterrupt cancels it and is raised, unless a partial result is
        wanted and there is one. So is what `progress` raises."""
        made = structs.void_p()
        with self._lock:
            self._progress, self._raised = progress, None
            try:
                status, interrupted = self._run(getattr(library(), "crossfold_" + name), arguments, made)
            finally:
                self._progress = None
        handle = Handle(kind, made) if made else None
        raised, self._raised = self._raised, None
        if raised is None and interrupted:
            raised = KeyboardInterrupt()
        is_wanted = partial and handle is not None and isinstance(raised, KeyboardInterrupt)
        if raised is not None and not is_wanted:
            raise raised
        self._check(status)
        return handle

    def _run(self, function, arguments, made):
        """Runs a function in a thread of its own if this is the main one, as signals reach only that and not while a
        call of the library runs."""
        call = lambda: function(self._handle.pointer, *arguments, ctypes.byref(made))
        if threading.current_thread() is not threading.main_thread():
            return call(), False
        status, done = [], threading.Event()

        def work():
            try:
                status.append(call())
            finally:
                done.set()

        interrupted = False
        thread = threading.Thread(target=work, name="crossfold", daemon=True)
        try:
            thread.start()
        except KeyboardInterrupt:
            interrupted = True
            self.cancel()
        while not done.is_set():
            try:
                done.wait()
            except KeyboardInterrupt:
                interrupted = True
                self.cancel()
        if interrupted:
            self.reset()
        return status[0], interrupted
