"""What a scenario needs around its job: files, a slow mount, cgroups, processes. Everything that is
made here is unmade by Rig.close(), also after a failure or a signal, and what a killed run left
behind is removed by the next one."""
import contextlib
import ctypes
import os
import pathlib
import random
import shutil
import signal
import subprocess
import time

import probe

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
CGROUP_PREFIX = "gpuwhy_scenario_"
HERE = pathlib.Path(__file__).resolve().parent


class Skip(Exception):
    """This machine can't show the scenario; the text says why."""


def mounts():
    """(mount point, file system type, super options) of each mount."""
    for line in pathlib.Path("/proc/self/mountinfo").read_text(encoding="utf-8").splitlines():
        left, right = line.split(" - ")
        kind, _, options = right.split(" ")[:3]
        yield left.split(" ")[4].replace("\\040", " "), kind, options.split(",")


def unmount_below(folder):
    for point, _, _ in list(mounts()):
        if point.startswith(f"{folder}/"):
            subprocess.run(["umount", "-l", point], check=False, stderr=subprocess.DEVNULL)


class Cgroup:
    """One cgroup of our own under the v1 hierarchy of a controller, or under v2; below `parent` where
    that is given."""

    def __init__(self, controller, name, parent=None):
        self.version, top = self._find(controller)
        self.path = (parent.path if parent else top) / f"{CGROUP_PREFIX}{name}"
        self.path.mkdir(exist_ok=True)

    @staticmethod
    def _find(controller):
        for point, kind, options in mounts():
            if kind == "cgroup" and controller in options:
                return 1, pathlib.Path(point)
        unified = {"blkio": "io"}.get(controller, controller)
        for point, kind, _ in mounts():
            root = pathlib.Path(point)
            if kind == "cgroup2" and unified in (root / "cgroup.controllers").read_text().split():
                with contextlib.suppress(OSError):
                    (root / "cgroup.subtree_control").write_text(f"+{unified}")
                return 2, root
        raise Skip(f"no cgroup hierarchy with the controller {controller}")

    def write(self, name, value):
        try:
            (self.path / name).write_text(str(value))
        except OSError as error:
            raise Skip(f"can't write {self.path / name}: {error}") from error

    def limit_cpu(self, cores):
        period = 100000
        if self.version == 1:
            self.write("cpu.cfs_period_us", period)
            self.write("cpu.cfs_quota_us", round(cores * period))
        else:
            self.write("cpu.max", f"{round(cores * period)} {period}")

    def limit_reads(self, device, iops):
        if self.version == 1:
            self.write("blkio.throttle.read_iops_device", f"{device} {iops}")
        else:
            self.write("io.max", f"{device} riops={iops}")

    def join(self):
        (self.path / "cgroup.procs").write_text(str(os.getpid()))

    def leave(self):
        """Moves this process to the group above."""
        with contextlib.suppress(OSError):
            (self.path.parent / "cgroup.procs").write_text(str(os.getpid()))

    def remove(self):
        for _ in range(50):
            with contextlib.suppress(OSError):
                for pid in (self.path / "cgroup.procs").read_text().split():
                    os.kill(int(pid), signal.SIGKILL)
                self.path.rmdir()
            if not self.path.exists():
                return
            time.sleep(0.05)
        print(f"warning: {self.path} could not be removed", flush=True)


class Rig:
    def __init__(self, name, build, binaries):
        self.name, self.binaries = name, binaries
        self.work = build / "work" / name
        self.data, self.mount = self.work / "data", self.work / "mnt"
        self.processes, self.cgroups, self.shelter = [], [], None
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
        self._remove_leftovers()
        for folder in (self.data, self.mount):
            folder.mkdir(parents=True)

    def _remove_leftovers(self):
        unmount_below(self.work)
        shutil.rmtree(self.work, ignore_errors=True)
        for point, kind, _ in list(mounts()):
            if kind in ("cgroup", "cgroup2"):
                # Only empty ones can be removed; scenarios run one at a time.
                for pattern in (f"{CGROUP_PREFIX}*/{CGROUP_PREFIX}*", f"{CGROUP_PREFIX}*"):
                    for path in pathlib.Path(point).glob(pattern):
                        with contextlib.suppress(OSError):
                            path.rmdir()

    def take_shelter(self):
        """Gives the scenario, this process included, nearly all of the cores whenever it wants them, so
        that a busy host does not change the answer. v1 only: in v2 a group with processes can't have
        the groups below it that quotas need."""
        with contextlib.suppress(Skip, OSError):
            group = Cgroup("cpu", self.name)
            self.cgroups.append(group)
            if group.version == 1:
                group.write("cpu.shares", 262144)
                group.join()
                self.shelter = group

    def make_files(self, count, size_kib, seed):
        chance = random.Random(seed)
        for number in range(count):
            (self.data / f"sample{number:05}.bin").write_bytes(chance.randbytes(size_kib * 1024))

    def drop_caches(self):
        os.sync()
        pathlib.Path("/proc/sys/vm/drop_caches").write_text("3")

    def start(self, command, user=None, cgroups=(), output=None, at_our_death=signal.SIGKILL):
        """Starts a process in a session of its own; it is killed with all its descendants by close()."""
        def prepare():
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, at_our_death)
            for cgroup in cgroups:
                cgroup.join()
        assert not (user and cgroups), "the cgroup could not be joined as an ordinary user"
        identity = {"user": user, "group": "nogroup", "extra_groups": []} if user else {}
        with open(output or os.devnull, "w", encoding="utf-8") as out:
            process = subprocess.Popen(command, start_new_session=True, preexec_fn=prepare, cwd="/",
                                       stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT,
                                       **identity)
        self.processes.append(process)
        return process

    def mount_slow_fs(self, options):
        program = self.binaries / "slow_fs"
        if not program.exists():
            raise Skip("slow_fs was not built: libfuse3-dev is missing")
        command = [program, "--source", self.data]
        for name, value in options.items():
            flag = "--" + name.replace("_", "-")
            command += [flag] if value is True else [flag, str(value)]
        log = self.work / "slow_fs.log"
        process = self.start([*map(str, command), str(self.mount)], output=log,
                             at_our_death=signal.SIGTERM)  # then it unmounts
        for _ in range(100):
            if process.poll() == 77:
                raise Skip(log.read_text().strip())
            if process.poll() is not None:
                raise Skip(f"slow_fs did not start here: {log.read_text().strip()}")
            if any(point == str(self.mount) for point, _, _ in mounts()):
                return
            time.sleep(0.05)
        raise Skip("slow_fs did not mount within 5 s")

    def make_cgroup(self, controller, suffix):
        cgroup = Cgroup(controller, self.name + suffix, self.shelter if controller == "cpu" else None)
        self.cgroups.append(cgroup)
        return cgroup

    def disk(self):
        """MAJOR:MINOR of the whole disk that holds the files."""
        number = os.stat(self.data).st_dev
        device = f"{os.major(number)}:{os.minor(number)}"
        block = pathlib.Path(f"/sys/dev/block/{device}")
        if not block.exists() or (block / "partition").exists():
            raise Skip(f"the work folder is not on a whole disk ({device}): its reads can't be limited")
        return device

    def stop_processes(self):
        for process in reversed(self.processes):
            if process.poll() is None and "slow_fs" not in str(process.args[0]):
                self._kill_tree(process.pid)
        unmount_below(self.work)
        for process in self.processes:
            if process.poll() is None:
                process.terminate()
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
        self.processes = []
        with contextlib.suppress(ChildProcessError):  # descendants that became ours when their parent died
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass

    def close(self):
        self.stop_processes()
        if self.shelter:
            self.shelter.leave()
        for cgroup in reversed(self.cgroups):
            cgroup.remove()
        shutil.rmtree(self.work, ignore_errors=True)

    @staticmethod
    def _kill_tree(pid):
        for member in probe.tree(pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(member, signal.SIGKILL)


def own_ticks():
    """CPU ticks used so far by this process and its descendants, the ended ones included."""
    total = 0
    for pid in probe.tree(os.getpid()):
        text = probe.read(f"/proc/{pid}/stat")
        if text:
            total += sum(int(word) for word in text[text.rindex(")") + 2:].split()[11:15])
    return total


def cores_given(duration=0.5):
    """Which share of all cores the scenario gets when it wants them all: one spinning child a core."""
    def spin(core):
        os.sched_setaffinity(0, {core})
        end = time.monotonic() + duration
        used = time.process_time()
        while time.monotonic() < end:
            pass
        os._exit(min(100, round(100 * (time.process_time() - used) / duration)))
    children = []
    for core in sorted(os.sched_getaffinity(0)):
        child = os.fork()
        if child == 0:
            spin(core)
        children.append(child)
    shares = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) / 100 for child in children]
    return sum(shares) / len(shares)


class Bystanders:
    """The share of all cores that processes outside the scenario used since start()."""

    def __init__(self):
        self.start()

    def start(self):
        self.own, (self.busy, self.total) = own_ticks(), probe.host_busy()

    def share(self):
        own, (busy, total) = own_ticks(), probe.host_busy()
        return max(0.0, (busy - self.busy - (own - self.own)) / max(1, total - self.total))
