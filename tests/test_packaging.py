"""What is installed: the wheel's contents, and the locks that the set-up installs from."""

import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest
from inspect_ai.log import read_eval_log
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from suite_runs import clean_environment

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
LOCKS = ("requirements.txt", "requirements-dev.txt")
DATA_FOLDERS = ("tasks", "oracles", "sandboxes")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds what the wheel would put into site-packages."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def python(installed: Path, code: str) -> str:
    """Runs code against the unpacked wheel, away from the source tree."""
    program = f"import sys; sys.path.insert(0, {str(installed)!r})\n{code}"
    command = [sys.executable, "-c", program]
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=installed).stdout.strip()


@pytest.mark.parametrize("folder", DATA_FOLDERS)
def test_the_wheel_carries_the_data_byte_for_byte(installed: Path, folder: str) -> None:
    """Hashes of the installed bank equal those of the source tree, so nothing is missing or added."""
    command = ["git", "ls-files", "-z", "--", folder]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    tracked = {path: (ROOT / path).read_bytes() for path in listed.split("\0") if path}
    data = installed / "inspect_agentbench" / "_data"
    carried = {
        path.relative_to(data).as_posix(): path.read_bytes()
        for path in (data / folder).rglob("*")
        if path.is_file()
    }
    assert tracked.keys() <= carried.keys()
    assert {path: carried[path] for path in tracked} == tracked
    assert not [path for path in carried if "__pycache__" in path]


def test_the_installed_package_uses_its_own_data(installed: Path) -> None:
    """Away from a source tree the copy in the wheel is found, with the same image."""
    code = (
        "from inspect_agentbench.bank.locate import data_root\n"
        "from inspect_agentbench.engine import image_tag\n"
        "print(data_root()); print(image_tag())"
    )
    root, tag = python(installed, code).splitlines()
    assert Path(root) == installed / "inspect_agentbench" / "_data"
    assert (
        tag
        == subprocess.run(
            [sys.executable, "-c", "from inspect_agentbench.engine import image_tag; print(image_tag())"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
    )


def test_inspect_finds_the_entry_point(installed: Path) -> None:
    """The entry point's name must equal the package's, or Inspect finds no task."""
    (metadata,) = installed.glob("*.dist-info")
    text = (metadata / "entry_points.txt").read_text()
    assert "[inspect_ai]\ninspect_agentbench = inspect_agentbench._registry" in text
    assert "agentbench = inspect_agentbench.cli:main" in text
    assert (installed / "inspect_agentbench" / "py.typed").exists()


@pytest.fixture
def fresh(installed: Path, tmp_path: Path) -> Path:
    """The Python of a fresh environment that holds the wheel, and borrows its dependencies from this one."""
    environment = tmp_path / "environment"
    venv.create(environment, with_pip=False)
    python_there = environment / "bin" / "python"
    (wheel,) = installed.parent.glob("*.whl")
    command = [sys.executable, "-m", "pip", "--python", str(python_there), "install", "--quiet"]
    subprocess.run([*command, "--no-deps", "--no-index", str(wheel)], check=True, timeout=60)
    site = environment / "lib" / f"python{sys.version_info.major}.{sys.version_info.minor}" / "site-packages"
    # Such a path is searched last, and the .pth files in it (an editable install's) are not read.
    (site / "borrowed.pth").write_text(f"{sysconfig.get_path('purelib')}\n")
    return python_there


@pytest.mark.docker
def test_the_wheel_alone_runs_a_graded_episode(fresh: Path, tmp_path: Path) -> None:
    """After `pip install`, in a folder that knows nothing of the repository, a right fix is solved."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    where = "import inspect_agentbench; print(inspect_agentbench.__file__)"
    found = subprocess.run(
        [str(fresh), "-c", where], cwd=elsewhere, capture_output=True, text=True, check=True
    )
    assert Path(found.stdout.strip()).is_relative_to(fresh.parents[1])
    words = [
        "inspect_agentbench/tailer",
        "--model",
        "replay/correct",
        "--display",
        "plain",
        "--log-dir",
        "logs",
    ]
    done = subprocess.run(
        [str(fresh), "-m", "inspect_ai", "eval", *words],
        cwd=elsewhere,
        env=clean_environment({}),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (path,) = elsewhere.glob("logs/*.eval")
    log = read_eval_log(str(path))
    (sample,) = log.samples or []
    assert sample.error is None
    assert {name: score.value for name, score in (sample.scores or {}).items()} == {"oracle_grade": "solved"}
    assert (log.eval.metadata or {})["agentbench"]["bank"]["frozen"] is True
    assert str(ROOT) not in log.model_dump_json()


def pins(lock: str) -> dict[str, list[Requirement]]:
    found: dict[str, list[Requirement]] = {}
    for line in (ROOT / lock).read_text().splitlines():
        if line.strip() and not line.lstrip().startswith("#"):
            requirement = Requirement(line)
            found.setdefault(canonicalize_name(requirement.name), []).append(requirement)
    return found


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_holds_pins_and_nothing_else(lock: str) -> None:
    """No address and no option of pip: the lock works with whatever index a machine is set up for."""
    for requirement in (pin for same in pins(lock).values() for pin in same):
        assert requirement.url is None
        assert [specifier.operator for specifier in requirement.specifier] == ["=="]


@pytest.mark.parametrize(
    ("lock", "declared"),
    [
        ("requirements.txt", PROJECT["dependencies"]),
        ("requirements-dev.txt", sum(PROJECT["optional-dependencies"].values(), PROJECT["dependencies"])),
    ],
)
def test_the_locks_fit_what_is_declared(lock: str, declared: list[str]) -> None:
    """A dependency added to pyproject.toml without `make lock` would be missing on a bare machine."""
    locked = pins(lock)
    for requirement in map(Requirement, declared):
        same = locked.get(canonicalize_name(requirement.name), [])
        assert same, f"{requirement.name} is not in {lock}: run make lock"
        versions = [next(iter(pin.specifier)).version for pin in same]
        assert all(requirement.specifier.contains(version) for version in versions), f"{lock}: {requirement}"


def test_both_locks_agree() -> None:
    """Tests run with the versions that users get."""
    users, developers = pins("requirements.txt"), pins("requirements-dev.txt")
    assert {name: developers.get(name) for name in users} == users
