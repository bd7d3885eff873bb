"""The extension that cffi builds from the public headers.

C declarations are known only at run time, so structs, pointers and functions
are Any. Only the methods of ffi that the package uses are listed.
"""

from collections.abc import Callable
from typing import Any, TypeVar

_Function = TypeVar("_Function", bound=Callable[..., Any])

class _FFI:
    NULL: Any
    error: type[Exception]

    def buffer(self, cdata: Any, size: int = ...) -> Any: ...
    def cast(self, cdecl: str, value: Any) -> Any: ...
    def def_extern(
        self,
        name: str = ...,
        error: Any = ...,
        onerror: Callable[..., Any] | None = ...,
    ) -> Callable[[_Function], _Function]: ...
    def from_buffer(
        self,
        cdecl: Any,
        python_buffer: Any = ...,
        require_writable: bool = ...,
    ) -> Any: ...
    def from_handle(self, handle: Any) -> Any: ...
    def gc(
        self,
        cdata: Any,
        destructor: Callable[[Any], Any] | None,
        size: int = ...,
    ) -> Any: ...
    def new(self, cdecl: str, init: Any = ...) -> Any: ...
    def new_handle(self, value: Any) -> Any: ...
    def release(self, cdata: Any) -> None: ...
    def sizeof(self, cdecl: Any) -> int: ...
    def typeof(self, cdata: Any) -> Any: ...
    def string(self, cdata: Any, maxlen: int = ...) -> Any: ...
    def unpack(self, cdata: Any, length: int) -> Any: ...

ffi: _FFI
lib: Any
