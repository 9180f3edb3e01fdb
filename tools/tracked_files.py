"""The files of the tree as the checks see them: tracked or new, never ignored or generated."""

import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
NOT_OURS = {".git", ".cache", "build", "__pycache__"}


def tracked_files(root=ROOT):
    """Paths relative to root, sorted. Works in a source archive too, where there is no git."""
    # safe.directory: a checkout that belongs to another user (a container's mount) is read as well.
    git = ["git", "-c", "safe.directory=*", "-C", str(root)]
    if (root / ".git").exists():
        listed = subprocess.run(git + ["ls-files", "-z", "-co", "--exclude-standard"],
                                capture_output=True, check=False)
        if listed.returncode == 0:
            names = listed.stdout.decode("utf-8", "surrogateescape").split("\0")
            return sorted({pathlib.PurePath(n) for n in names if n and (root / n).is_file()})
    found = (p.relative_to(root) for p in root.rglob("*") if p.is_file())
    return sorted(pathlib.PurePath(p) for p in found if not NOT_OURS & set(p.parts))
