"""Kernels that kernels call are not made into machine code of their own: half of numba's compile time is saved.

Numba turns every function that it compiles into machine code with two wrappers, also one that only other kernels call:
then everything below it is optimised once for it and once more for each of its callers, all the way up. Here a kernel
that is called by a kernel is only translated to LLVM's language (it is *inner*); it is linked, optimised and made into
machine code with the kernel that Python calls, once. If Python calls an inner kernel after all, as tests do, it is
compiled as usual then.

This relies on the inside of numba's dispatchers and code libraries: pyproject.toml bounds its version, and
tests/test_jit.py watches what is relied on.
"""

from __future__ import annotations

from typing import Any

from numba.core import compiler, event, sigutils, typing
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import _FunctionCompiler  # type: ignore[attr-defined]
from numba.core.registry import CPUDispatcher


class _InnerLibrary(JITCodeLibrary):  # type: ignore[misc]  # numba has no types, here and below
    """The code of an inner kernel, in LLVM's language, without that of the kernels that it calls."""

    def finalize(self) -> None:
        """Say that nothing is added any more; whoever links this makes machine code of it."""
        self._raise_if_finalized()
        self._finalize_dynamic_globals()
        self._finalized = True


class _Library(JITCodeLibrary):  # type: ignore[misc]
    """The code of a kernel that Python calls, linked with all kernels that it needs, near and far."""

    _linking_libraries: list[Any]

    def finalize(self) -> None:
        """Link everything, optimise it and make machine code."""
        self._linking_libraries = _callers_first(self._linking_libraries)
        super().finalize()


def _callers_first(libraries: list[Any]) -> list[Any]:
    """Return some libraries and all that they need, each before those that it needs.

    LLVM leaves out what nobody has asked for yet, so a kernel must be linked after all that call it: the reverse of the
    order in which a depth-first search leaves the libraries.
    """
    left: dict[Any, None] = {}  # a set that keeps its order

    def visit(library: Any) -> None:
        if library not in left:
            if isinstance(library, _InnerLibrary):
                for needed in library._linking_libraries:
                    visit(needed)
            left[library] = None

    for library in libraries:
        visit(library)
    return list(reversed(left))


class _InnerEntry:
    """Stands where other kernels have the function that Python calls: numba tells overloads apart by it."""


class _Compiler(_FunctionCompiler):  # type: ignore[misc]
    """Compiles a function into one of these libraries."""

    is_inner = False

    def _compile_core(self, args: Any, return_type: Any) -> Any:
        flags = compiler.Flags()
        self.targetdescr.options.parse_as_flags(flags, self.targetoptions)
        target = self.targetdescr.target_context
        kind = _InnerLibrary if self.is_inner else _Library
        library = kind(target.codegen(), self.py_func.__qualname__)
        if self.is_inner:
            flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        else:
            library.enable_object_caching()
        return compiler.compile_extra(
            self.targetdescr.typing_context,
            target,
            self.py_func,
            args=args,
            return_type=return_type,
            flags=flags,
            locals=self.locals,
            library=library,
            pipeline_class=self.pipeline_class,
        )


class KernelDispatcher(CPUDispatcher):  # type: ignore[misc]
    """A function that is compiled when it is called: for Python, or as an inner kernel for another one."""

    _compiler: Any
    _cache: Any

    def __init__(self, py_func: Any, locals: Any, targetoptions: Any, **more: Any) -> None:  # noqa: A002  # numba's name
        super().__init__(py_func, locals, targetoptions, **more)
        usual = self._compiler
        self._compiler = _Compiler(py_func, usual.targetdescr, targetoptions, locals, usual.pipeline_class)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Return how another kernel calls this one with arguments of these types."""
        signature, folded = self._compiler.fold_argument_types(args, kws)
        if self._can_compile:
            self._compile_inner(tuple(folded))
        name = self.py_func.__name__
        template = typing.make_concrete_template(f"CallTemplate({name})", key=name, signatures=self.nopython_signatures)
        return template, signature, folded, {}

    def compile(self, sig: Any) -> Any:
        """Compile for Python: what was compiled as an inner kernel is compiled again, with machine code."""
        args, _ = sigutils.normalize_signature(sig)
        existing = self.overloads.get(tuple(args))
        if existing is not None and isinstance(existing.entry_point, _InnerEntry):
            del self.overloads[tuple(args)]
        return super().compile(sig)

    def _compile_inner(self, args: Any) -> None:
        """Compile as an inner kernel, unless there is code for these types already."""
        with global_compiler_lock, self._compiling_counter:
            if args in self.overloads:
                return
            told = {"dispatcher": self, "args": args, "return_type": None, "is_inner": True}
            with event.trigger_event("numba:compile", data=told):
                self._compiler.is_inner = True
                try:
                    result = self._compiler.compile(args, None)
                finally:
                    self._compiler.is_inner = False
                entry = _InnerEntry()
                self.targetctx.insert_user_function(entry, result.fndesc, [result.library])
                self.overloads[args] = result._replace(entry_point=entry)
