"""Inputs in object stores: addresses such as s3://bucket/key, read through the
file systems of pyarrow.

Objects are copied into a temporary folder, which is removed with the profile.
The library reads the copy, because it reads traces more than once, and so that
the rules of local folders apply. Messages show the addresses.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from errno import EACCES, ENOENT
from typing import Any

from tfprof import _errors
from tfprof._native import Handle

_SCHEMES = ("s3", "s3a", "gs", "gcs", "abfs", "abfss", "hdfs", "viewfs")
_ADDRESS = re.compile(rf"({'|'.join(_SCHEMES)})://", re.ASCII)
_MOST_FILES = 10_000  # as in a local folder
_CHUNK = 1 << 20

# Parts of the messages of pyarrow, by cause. The first match is used.
_NO_ACCESS = ("ACCESS_DENIED", "INVALID_ACCESS_KEY", "SIGNATURE",
              "INVALID_CLIENT_TOKEN", "EXPIRED_TOKEN", "HTTP status 403",
              "HTTP status 401", "MISSING_AUTHENTICATION", "UNAUTHENTICATED",
              "PERMISSION_DENIED", "No credentials")
_NO_BUCKET = ("NO_SUCH_BUCKET", "NoSuchBucket", "Bucket '")
_NO_SERVER = ("NETWORK_CONNECTION", "curlCode", "Could not resolve",
              "UNAVAILABLE")

_CREDENTIALS = {
    "s3": "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE",
    "gs": "set GOOGLE_APPLICATION_CREDENTIALS",
    "abfs": "sign in with az login, or set AZURE_CLIENT_ID, AZURE_TENANT_ID "
            "and AZURE_CLIENT_SECRET",
}
_SERVERS = {"s3": "check the network, AWS_ENDPOINT_URL and AWS_REGION"}


def is_address(thing: object) -> bool:
    """Whether an input is the address of an object or folder in a store."""
    return isinstance(thing, str) and _ADDRESS.match(thing) is not None


def _kind(url: str) -> str:
    """The kind of store: the scheme of an address, without its variants."""
    scheme = url.partition("://")[0]
    return {"s3a": "s3", "gcs": "gs", "abfss": "abfs"}.get(scheme, scheme)


# ---- Errors

def _bucket(url: str) -> str:
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{re.split('[/?]', rest, maxsplit=1)[0]}"


def _missing(url: str) -> _errors.ReadError:
    return _errors.ReadError(f"{url}: no object or folder has this address "
                             "(check its spelling)", ENOENT)


def _no_bucket(url: str) -> _errors.ReadError:
    return _errors.ReadError(f"{_bucket(url)}: no such bucket (check its "
                             "name, and the region and the server)", ENOENT)


def _explain(url: str, error: Exception) -> _errors.Error:
    """Converts an error of pyarrow to an error of tfprof."""
    why = " ".join(str(error).split())
    if any(part in why for part in _NO_ACCESS):
        fix = _CREDENTIALS.get(_kind(url), "check your credentials")
        return _errors.ReadError(f"{url}: access denied ({fix}): {why}", EACCES)
    if any(part in why for part in _NO_BUCKET):
        return _no_bucket(url)
    if any(part in why for part in _NO_SERVER):
        fix = _SERVERS.get(_kind(url), "check the network")
        return _errors.ReadError(f"{url}: cannot reach the server ({fix}): "
                                 f"{why}")
    if isinstance(error, FileNotFoundError):
        return _missing(url)
    if isinstance(error, (ValueError, NotImplementedError)):
        return _errors.UnsupportedInput(
            f"{url}: pyarrow cannot open this address (copy the file, and "
            f"give its path): {why}")
    return _errors.ReadError(f"{url}: cannot read: {why}",
                             getattr(error, "errno", None))


@contextlib.contextmanager
def explained(url: str) -> Iterator[None]:
    """Turns errors of pyarrow into errors that name the address, the problem
    and what to do."""
    try:
        yield
    except (OSError, ValueError, NotImplementedError) as error:
        if isinstance(error, _errors.Error):
            raise
        raise _explain(url, error) from error


# ---- File systems

def _pyarrow_fs(url: str) -> Any:
    import importlib
    try:
        return importlib.import_module("pyarrow.fs")
    except ImportError as error:
        raise ImportError(f"{url}: reading from object stores requires the "
                          "package pyarrow: pip install pyarrow",
                          name="pyarrow") from error


def _s3(fs: Any, url: str) -> tuple[Any, str]:
    """The file system of S3 or a server with its protocol, and the path. The
    environment variables are those of the AWS tools. The path is not decoded:
    pyarrow would decode "%" in keys."""
    words: dict[str, Any] = {}
    path = url.partition("://")[2]
    endpoint = (os.environ.get("AWS_ENDPOINT_URL_S3")
                or os.environ.get("AWS_ENDPOINT_URL"))
    region = (os.environ.get("AWS_REGION")
              or os.environ.get("AWS_DEFAULT_REGION"))
    if endpoint:
        scheme, dashes, host = endpoint.partition("://")
        words["endpoint_override"] = (host if dashes else scheme).rstrip("/")
        words["scheme"] = scheme if dashes else "https"
        region = region or "us-east-1"
    elif not region:
        region = fs.resolve_s3_region(path.partition("/")[0])
    return fs.S3FileSystem(
        region=region, connect_timeout=10,
        retry_strategy=fs.AwsStandardS3RetryStrategy(max_attempts=3),
        **words), path


def filesystem(url: str) -> tuple[Any, str]:
    """Returns the pyarrow.fs.FileSystem of an address and the path in it.

    For S3, the environment of the AWS tools applies: AWS_ENDPOINT_URL,
    AWS_REGION, AWS_PROFILE, AWS_ACCESS_KEY_ID and so on. pyarrow interprets
    an address with settings, such as s3://bucket/key?region=eu-west-1.
    """
    fs = _pyarrow_fs(url)
    scheme, _, rest = url.partition("://")
    if not rest.partition("/")[0] and _kind(url) in ("s3", "gs", "abfs"):
        raise _errors.ReadError(f"{url}: the address has no bucket (write "
                                f"{scheme}://BUCKET/KEY)", ENOENT)
    with explained(url):
        if _kind(url) == "s3" and "?" not in rest:
            found, path = _s3(fs, url)
        else:
            found, path = fs.FileSystem.from_uri(
                url.replace("s3a://", "s3://", 1))
    return found, path.rstrip("/")


# ---- Inputs

def _is_wanted(name: str) -> bool:
    """Whether the library would read this file of a folder: files in it, the
    variables of a SavedModel and the traces of a log directory. The values of
    checkpoints are not copied: they can be large, and views rarely need
    them."""
    if re.search(r"\.data-\d{5}-of-\d{5}$", name):
        return False
    return ("/" not in name or name == "variables/variables.index"
            or re.fullmatch(r"plugins/profile/[^/]+/[^/]+", name) is not None)


def _is_safe(name: str) -> bool:
    """Whether the name of an object is a path below a folder."""
    return "\0" not in name and not any(
        part in ("", ".", "..") for part in name.split("/"))


def _copy(fs: Any, path: str, target: str, modified: int | None) -> None:
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with fs.open_input_stream(path) as source, open(target, "wb") as file:
        while True:
            data = source.read(_CHUNK)
            if not data:
                break
            file.write(data)
    if modified is not None:  # the library reads the newest run of a folder
        os.utime(target, ns=(modified, modified))


def _download(fs: Any, url: str, path: str, folder: str) -> None:
    """Copies the files of a folder that the library would read."""
    import importlib
    pyarrow_fs = importlib.import_module("pyarrow.fs")
    found = fs.get_file_info(pyarrow_fs.FileSelector(path, recursive=True))
    files = [(about.path[len(path):].lstrip("/"), about) for about in found
             if about.type == pyarrow_fs.FileType.File]
    files = [(name, about) for name, about in files
             if _is_safe(name) and _is_wanted(name)]
    if len(files) > _MOST_FILES:
        raise _errors.LimitExceeded(
            f"{url}: the folder contains more than {_MOST_FILES} files (give "
            "the files instead)")
    for name, about in files:
        with explained(f"{url.rstrip('/')}/{name}"):
            _copy(fs, about.path, os.path.join(folder, name), about.mtime_ns)


def _new_folder(handle: Handle) -> str:
    """A temporary folder that is removed with the profile."""
    import shutil
    import tempfile
    import weakref
    folder = tempfile.mkdtemp(prefix="tfprof-")
    weakref.finalize(handle, shutil.rmtree, folder, ignore_errors=True)
    return folder


def _add_folder(handle: Handle, fs: Any, url: str, path: str,
                role: str | None) -> None:
    folder = _new_folder(handle)
    _download(fs, url, path, folder)
    handle.add_copy(folder, url.rstrip("/"), role)


def _add_object(handle: Handle, fs: Any, url: str, path: str,
                role: str | None, step: int | None) -> None:
    target = os.path.join(_new_folder(handle), "object")
    with explained(url):
        _copy(fs, path, target, None)
    handle.add_copy(target, url, role, step)


def add(handle: Handle, url: str, role: str | None = None,
        step: int | None = None) -> None:
    """Adds the object or the folder with this address. See _inputs.add()."""
    fs, path = filesystem(url)
    found = _pyarrow_fs(url).FileType
    names = [path]
    if role == "checkpoint_path":  # a prefix; its index is read
        names.insert(0, f"{path}.index")
    with explained(url):
        for about in fs.get_file_info(names):
            if about.type == found.File:
                _add_object(handle, fs, url + about.path[len(path):],
                            about.path, role, step)
                return
        if about.type == found.Directory and step is None:
            _add_folder(handle, fs, url, path, role)
            return
        bucket = fs.get_file_info(path.partition("/")[0])
    if _kind(url) == "s3" and bucket.type == found.NotFound:
        raise _no_bucket(url)
    raise _missing(url)
