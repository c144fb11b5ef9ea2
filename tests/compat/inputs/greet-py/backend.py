# SPDX-License-Identifier: MIT
"""The smallest build backend that pip accepts (PEP 517)."""

import io
import pathlib
import tarfile
import zipfile

INFO = "greet-1.2.3.dist-info"
METADATA = "Metadata-Version: 2.1\nName: greet\nVersion: 1.2.3\n"
FILES = {
    f"{INFO}/METADATA": METADATA,
    f"{INFO}/WHEEL": "Wheel-Version: 1.0\nGenerator: backend\n"
    "Root-Is-Purelib: true\nTag: py3-none-any\n",
    f"{INFO}/entry_points.txt": "[console_scripts]\ngreet = greet:main\n",
}


def build_wheel(directory, config_settings=None, metadata_directory=None):
    name = "greet-1.2.3-py3-none-any.whl"
    module = pathlib.Path("src/greet/__init__.py").read_text(encoding="utf-8")
    files = {"greet/__init__.py": module, **FILES}
    record = "".join(f"{path},,\n" for path in [*files, f"{INFO}/RECORD"])
    with zipfile.ZipFile(pathlib.Path(directory, name), "w") as wheel:
        for path, text in {**files, f"{INFO}/RECORD": record}.items():
            wheel.writestr(path, text)
    return name


def build_sdist(directory, config_settings=None):
    name = "greet-1.2.3.tar.gz"
    with tarfile.open(pathlib.Path(directory, name), "w:gz") as archive:
        for path in ("pyproject.toml", "backend.py", "src"):
            archive.add(path, f"greet-1.2.3/{path}")
        info = tarfile.TarInfo("greet-1.2.3/PKG-INFO")
        info.size = len(METADATA)
        archive.addfile(info, io.BytesIO(METADATA.encode()))
    return name
