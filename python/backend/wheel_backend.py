"""Builds the wheel of this package, as PEP 517 asks for it, with the standard library alone.

The wheel contains the shared library if there is one: $NONET_LIBRARY, or that of a build beside this folder. Otherwise
it contains Python alone, and uses the library that is installed on the system.

    python3 wheel_backend.py FOLDER      builds the wheel into a folder, without pip
"""
import base64
import hashlib
import os
import pathlib
import re
import sys
import sysconfig
import tarfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def project():
    """The project table of pyproject.toml; its values are plain strings, so no parser is needed."""
    return dict(re.findall(r'^(\w+(?:-\w+)?) = "(.*)"$', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.M))


def library():
    """The shared library to take along, or None."""
    named = os.environ.get("NONET_LIBRARY")
    if named:
        return pathlib.Path(named).resolve(strict=True)
    built = ROOT.parent / "build/library/libnonet.so.1"
    return built.resolve() if built.exists() else None


def metadata(about):
    return (f"Metadata-Version: 2.1\nName: {about['name']}\nVersion: {about['version']}\nSummary: {about['description']}\n"
            f"License: MIT\nRequires-Python: {about['requires-python']}\n")


def sources():
    return sorted(path for path in (ROOT / "nonet").rglob("*") if path.suffix in (".py", ".typed"))


def digest(content):
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    about, shared = project(), library()
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_") if shared else "any"
    files = {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in sources()}
    if shared:
        files["nonet/libnonet.so.1"] = shared.read_bytes()
    stem = f"{about['name']}-{about['version']}"
    info = f"{stem}.dist-info"
    files[f"{info}/METADATA"] = metadata(about).encode()
    files[f"{info}/WHEEL"] = (f"Wheel-Version: 1.0\nGenerator: nonet\nRoot-Is-Purelib: {'false' if shared else 'true'}\n"
                              f"Tag: py3-none-{platform}\n").encode()
    record = "".join(f"{name},{digest(content)},{len(content)}\n" for name, content in files.items())
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    name = f"{stem}-py3-none-{platform}.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, content in files.items():
            wheel.writestr(zipfile.ZipInfo(path), content, zipfile.ZIP_DEFLATED)  # a fixed date: the same bytes again
    return name


def build_sdist(sdist_directory, config_settings=None):
    about = project()
    stem = f"{about['name']}-{about['version']}"
    with tarfile.open(pathlib.Path(sdist_directory) / f"{stem}.tar.gz", "w:gz") as archive:
        for path in [ROOT / "pyproject.toml", pathlib.Path(__file__).resolve(), *sources()]:
            archive.add(path, f"{stem}/{path.relative_to(ROOT).as_posix()}")
    return f"{stem}.tar.gz"


if __name__ == "__main__":
    target = pathlib.Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    print(target / build_wheel(target))
