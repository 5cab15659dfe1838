"""`memgit add`: what is typed is in the store, or in a file that is named."""

import io
import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memgit.cli import main
from memgit.domain.store import Store
from tests.domain.gates.tokens import VENDORS

Run = Callable[..., subprocess.CompletedProcess[str]]
Said = tuple[int, str, str]


@pytest.fixture
def add(
    store: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Said]:
    """`add(*arguments, stdin=, terminal=)`: the command on the store; (exit code, out, err)."""

    def run(*arguments: str, stdin: bytes = b"", terminal: bool = False) -> Said:
        given = io.TextIOWrapper(io.BytesIO(stdin))
        monkeypatch.setattr(given, "isatty", lambda: terminal, raising=False)
        monkeypatch.setattr(sys, "stdin", given)
        monkeypatch.setenv("MEMGIT_REPO", os.environ.get("MEMGIT_REPO", str(store)))
        with pytest.raises(SystemExit) as ended:
            main(["add", *arguments])
        out, err = capsys.readouterr()
        return int(ended.value.code or 0), out, err

    return run


def editor(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """An editor that runs these lines of Python on the file, as `text`."""
    program = folder / "an editor.py"
    program.write_text(
        "import sys, pathlib\nfile = pathlib.Path(sys.argv[1])\ntext = file.read_text()\n" + script
    )
    monkeypatch.setenv("VISUAL", f"'{sys.executable}' '{program}'")


def memory(store: Path, path: str) -> tuple[str, str, str, str]:
    """(name, description, type, body) as they stand in the store's last commit."""
    shown = subprocess.run(
        ["git", "show", f"HEAD:{path}"], cwd=store, capture_output=True, check=True
    ).stdout
    assert shown == (store / path).read_bytes()
    found = Store.at(store).read(path)
    return found.name, found.description, found.type, found.body


def kept(said: Said, code: int = 3) -> str:
    """The text of the file that the error names, frontmatter included."""
    assert said[0] == code
    assert said[1] == ""
    found = re.search(r"your text is kept: memgit import (.+)", said[2])
    assert found, said[2]
    return Path(found[1]).read_bytes().decode()


def test_the_words_are_committed_and_found(add: Callable[..., Said], store: Path, git: Run) -> None:
    body = "Indent with tabs.\n\n**Why:** 規約"
    about = ("--name", "Use tabs", "--type", "feedback", "--description", "indenting\nx")
    code, out, err = add(*about, "--body", body)
    commit = git(store, "rev-parse", "HEAD").stdout.strip()
    assert (code, out, err) == (0, f"added use-tabs (use-tabs.md) in {commit[:12]}\n", "")
    assert memory(store, "use-tabs.md") == (
        "use-tabs", "indenting x", "feedback", "\nIndent with tabs.\n\n**Why:** 規約\n",
    )  # fmt: skip
    assert git(store, "status", "--porcelain").stdout == ""
    assert "Memgit-Memory: use-tabs" in git(store, "log", "-1", "--format=%B").stdout
    head = json.loads((store / ".git/memgit/main/table/head.json").read_text())
    assert head["commit"] == commit


def test_topics_aliases_and_what_it_was_made_from(add: Callable[..., Said], store: Path) -> None:
    assert add("--name", "Port", "--body", "6432")[0] == 0
    assert add("--name", "host", "--body", "staging.test")[0] == 0
    code, _, err = add(
        "--name", "address", "--body", "staging.test:6432", "--topics", "staging, ops、当番",
        "--topics", "OPS", "--alias", "where is staging", "--derived-from", "port,[[host]]",
        "--derived-from", "Host",
    )  # fmt: skip
    assert (code, err) == (0, "")
    found = Store.at(store).read("address.md")
    assert found.words("topics") == ("staging", "ops", "当番")
    assert found.words("aliases") == ("where is staging",)
    assert found.words("derived_from") == ("port", "host")


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("--topics", "a,,b"), 2, "--topics: a word is empty"),
        (("--alias", ""), 2, "--alias: a word is empty"),
        (("--alias", "a\nb"), 2, "--alias: 'a\\nb' is more than one line"),
        (("--derived-from", "prot"), 3, "no memory is named prot"),
    ],
)
def test_wrong_words_of_a_list_write_nothing_and_lose_nothing(
    add: Callable[..., Said], store: Path, git: Run, arguments: tuple[str, ...], code: int,
    says: str,
) -> None:  # fmt: skip
    assert add("--name", "port", "--body", "6432")[0] == 0
    head = git(store, "rev-parse", "HEAD").stdout
    said = add("--name", "address", "--body", "staging.test:6432", *arguments)
    assert says in said[2]
    assert "staging.test:6432" in kept(said, code)
    assert git(store, "rev-parse", "HEAD").stdout == head
    if code == 3:
        assert "did you mean port?" in said[2]


@pytest.mark.parametrize("arguments", [("-",), ("--body", "-"), ()])
def test_words_from_a_pipe(
    add: Callable[..., Said], store: Path, arguments: tuple[str, ...]
) -> None:
    assert add(*arguments, stdin="Piped words.\r\n日本".encode())[0] == 0
    assert memory(store, "piped-words.md")[3] == "\nPiped words.\r\n日本\n"


@pytest.mark.parametrize(
    ("data", "body"),
    [
        ("日本語のメモ\n".encode("cp932"), "\n日本語のメモ\n"),
        ("naïve\n".encode("latin-1"), "\nnaïve\n"),
        ("印 marked\n".encode("utf-16"), "\n印 marked\n"),
        (b"---\nname: not a head\n---\n", "\n---\nname: not a head\n---\n"),
    ],
)
def test_words_in_any_encoding(
    add: Callable[..., Said], store: Path, data: bytes, body: str
) -> None:
    assert add("--name", "x", stdin=data)[0] == 0
    assert memory(store, "x.md")[3] == body


@pytest.mark.parametrize("data", [b"nul \0 byte\n", b"half \xed\xa0\xbd\n", b"red \x1b[31m\n"])
def test_words_that_the_gates_find_fault_with_are_not_lost(
    add: Callable[..., Said], store: Path, data: bytes
) -> None:
    """Whether a gate only tells or refuses: the words are in the store, or kept, byte for byte."""
    code, _, err = add("--name", "x", stdin=data)
    file = re.search(r"memgit import (.+)", err)
    assert (code == 0) is (file is None)
    assert "x.md:" in err
    where = Path(file[1]) if file else store / "x.md"
    assert where.read_bytes().endswith(b"---\n\n" + data)


def test_arguments_in_another_encoding(add: Callable[..., Said], store: Path) -> None:
    latin = os.fsdecode("café".encode("latin-1"))
    assert add("--name", latin, "--description", latin, "--body", latin)[0] == 0
    assert memory(store, "café.md") == ("café", "café", "project", "\ncafé\n")


@pytest.mark.parametrize(
    ("arguments", "path"),
    [
        (("--name", "本番デプロイの手順"), "本番デプロイの手順.md"),
        (("--description", "When we deploy: 火曜"), "when-we-deploy-火曜.md"),
        ((), "first-line-of-the-text.md"),
        (("--name", "MEMORY"), "memory-2.md"),
        (("--name", "profile"), "profile-2.md"),
        (("--name", "drafts/x"), "drafts-x.md"),
        (("--name", "../../x"), "x.md"),
        (("--name", ".hidden"), "hidden.md"),
        (("--name", "-x --y"), "x-y.md"),
        (("--name", "👍"), "first-line-of-the-text.md"),
        (("--name", "a\x00b\nc"), "a-b-c.md"),
        (("--name", "長" * 300), "長" * 60 + ".md"),
        (("--name", "𠮷" * 300), "𠮷" * 45 + ".md"),
    ],
)
def test_names(
    add: Callable[..., Said], store: Path, arguments: tuple[str, ...], path: str
) -> None:
    assert add(*arguments, "--body", "First line: of the text!\nsecond")[0] == 0
    assert memory(store, path)[3].startswith("\nFirst line")
    assert sorted(file.name for file in store.glob("*.md")) == [path]


def test_a_secret_for_a_name_is_refused(add: Callable[..., Said], store: Path) -> None:
    token = VENDORS["GitHub personal"](random.Random("name"))
    code, out, err = add("--name", token, "--body", "x")
    assert (code, out) == (3, "")
    assert err.startswith("memgit: refused: the name looks like a secret: GitHub token\n")
    assert token not in err
    assert list(store.glob("*.md")) == []


def test_a_name_that_is_taken_gets_a_number(
    add: Callable[..., Said], store: Path, git: Run
) -> None:
    assert add("--name", "tabs", "--body", "one")[0] == 0
    assert "added tabs-2 (tabs-2.md)" in add("--name", "Tabs", "--body", "two")[1]
    (store / "tabs-3.md").write_text("not committed")
    (store / "Other.md").write_text("---\nname: TABS-4\n---\n")
    git(store, "add", "Other.md")
    git(store, "commit", "--quiet", "--message=other")
    said = json.loads(add("--name", "tabs", "--body", "five", "--json")[1])
    assert (said["name"], said["path"], said["taken"]) == ("tabs-5", "tabs-5.md", "tabs")
    assert said["commit"] == git(store, "rev-parse", "HEAD").stdout.strip()
    assert "the name tabs was taken" in add("--name", "tabs", "--body", "six")[1]
    assert memory(store, "tabs.md")[3] == "\none\n"


@pytest.mark.parametrize("name", ["step " * 20, "記録" * 40, "𠀀" * 60])
def test_a_name_that_is_cut_is_told(add: Callable[..., Said], name: str) -> None:
    whole = "-".join(name.split())
    _, out, err = add("--name", name, "--body", "one")
    cut = out.split()[1]
    assert whole.startswith(cut)
    assert len(cut) <= 60
    assert f"--name was too long, so it is {cut};" in err
    said = json.loads(add("--name", name, "--body", "two", "--json")[1])
    assert (said["taken"], said["cut"]) == (cut, whole)


def test_a_name_that_is_whole_is_told_so(add: Callable[..., Said]) -> None:
    code, out, err = add("--name", "a" * 60, "--description", "word " * 30, "--body", "x", "--json")
    assert (code, err, json.loads(out)["cut"]) == (0, "", None)
    said = add("--description", "word " * 30, "--body", "made from words", "--json")
    assert json.loads(said[1])["cut"] is None  # nobody asked for a name


def test_files_that_differ_in_case_or_form_only_are_taken(
    add: Callable[..., Said], store: Path, git: Run
) -> None:
    (store / "TABS.md").write_text("---\nname: something-else\n---\n")
    (store / "e\u0301te\u0301.md").write_text("---\nname: another\n---\n")
    (store / "gone.md").write_text("---\nname: third\n---\n")
    (store / ".gitignore").write_text("ignored.md\n")
    (store / "ignored.md").symlink_to("nowhere")
    git(store, "add", "--all")
    git(store, "commit", "--quiet", "--message=some")
    (store / "gone.md").unlink()
    for name in ("tabs", "été", "gone", "ignored"):
        assert f"added {name}-2" in add("--name", name, "--body", "x")[1]


@pytest.mark.parametrize(
    "arguments", [(), ("--body", ""), ("--body", " \n"), ("--name", "x"), ("-",)]
)
def test_nothing_is_refused(
    add: Callable[..., Said], store: Path, arguments: tuple[str, ...]
) -> None:
    code, out, err = add(*arguments, stdin=b" \n\n")
    assert (code, out) == (2, "")
    assert err.startswith("memgit: there is nothing to remember\n")
    assert sorted(store.iterdir()) == [store / ".git", store / "memgit.toml"]


def test_a_description_alone_is_enough(add: Callable[..., Said], store: Path) -> None:
    assert add("--description", "Tabs, never spaces")[0] == 0
    assert memory(store, "tabs-never-spaces.md")[1:] == ("Tabs, never spaces", "project", "")


@pytest.mark.parametrize("arguments", [("text",), ("--type", "rule", "--body", "x"), ("--nope",)])
def test_a_call_that_does_not_fit(add: Callable[..., Said], arguments: tuple[str, ...]) -> None:
    code, out, _ = add(*arguments)
    assert (code, out) == (2, "")


def test_two_texts_are_refused_and_both_kept(add: Callable[..., Said]) -> None:
    said = add("--body", "typed", "-", stdin=b"piped")
    assert "--body and `-` both give the text" in said[2]
    text = kept(said, 2)
    assert "typed" in text
    assert "piped" in text


def test_without_stdin_at_all(
    store: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(SystemExit) as ended:
        main(["--store", str(store), "add"])
    assert ended.value.code == 2
    assert "nothing to remember" in capsys.readouterr().err


# -------------------------------------------------------------------------------------- the editor


def test_an_editor_opens_on_a_terminal(
    add: Callable[..., Said], store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor(
        tmp_path,
        monkeypatch,
        "file.write_text('When indenting\\n' + text + '# Tabs\\n\\nTabs, 規約.\\n---\\nmore')",
    )
    assert add("--name", "tabs", terminal=True)[0] == 0
    assert memory(store, "tabs.md") == (
        "tabs", "When indenting", "project", "\n# Tabs\n\nTabs, 規約.\n---\nmore\n",
    )  # fmt: skip
    assert not list(store.glob(".git/memgit/main/unsaved/*"))


def test_a_description_that_was_given_stands_in_the_editor(
    add: Callable[..., Said], store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor(tmp_path, monkeypatch, "file.write_text(text.replace('tabs', 'tabs and spaces') + 'B')")
    assert add("--name", "x", "--description", "tabs {and} more", terminal=True)[0] == 0
    assert memory(store, "x.md")[1] == "tabs and spaces {and} more"


@pytest.mark.parametrize("script", ["", "file.write_text('')", "file.write_text(text + '\\n')"])
def test_an_editor_that_writes_nothing(
    add: Callable[..., Said],
    store: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    script: str,
) -> None:
    editor(tmp_path, monkeypatch, script)
    assert add(terminal=True)[0] == 2
    assert not list(store.glob(".git/memgit/main/unsaved/*"))


def test_a_text_without_the_dividing_line_is_all_body(
    add: Callable[..., Said], store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor(tmp_path, monkeypatch, "file.write_text('# Title\\r\\n\\r\\nThe text.\\r\\n')")
    assert add("--name", "x", terminal=True)[0] == 0
    assert memory(store, "x.md")[1:] == ("", "project", "\n# Title\n\nThe text.\n")


def test_an_editor_that_fails_leaves_the_words(
    add: Callable[..., Said], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor(tmp_path, monkeypatch, "file.write_text(text + 'my words'); sys.exit(1)")
    code, out, err = add(terminal=True)
    assert (code, out) == (2, "")
    found = re.search(r"what was typed is in (.+)", err)
    assert found
    assert "my words" in Path(found[1]).read_text()


def test_an_editor_that_is_not_there(
    add: Callable[..., Said], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VISUAL", "no-editor-of-this-name")
    code, out, err = add(terminal=True)
    assert (code, out) == (2, "")
    assert "no-editor-of-this-name" in err


def test_no_editor_opens_where_nothing_can_be_committed(
    add: Callable[..., Said], store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor(tmp_path, monkeypatch, f"pathlib.Path({str(tmp_path / 'opened')!r}).touch()")
    (store / ".git/MERGE_HEAD").write_text("")
    assert "a merge is in progress" in add(terminal=True)[2]
    monkeypatch.setenv("MEMGIT_REPO", str(tmp_path))
    assert add(terminal=True)[0] == 3
    assert not (tmp_path / "opened").exists()


# ------------------------------------------------------------------------------ words are not lost


@pytest.mark.parametrize("mark", ["MERGE_HEAD", "rebase-merge", "CHERRY_PICK_HEAD", "BISECT_LOG"])
def test_words_are_kept_when_something_is_unfinished(
    add: Callable[..., Said], store: Path, mark: str
) -> None:
    (store / ".git" / mark).write_text("")
    said = add("--name", "x", "--description", "d", stdin="言葉\n".encode())
    assert "is in progress" in said[2]
    assert kept(said).endswith("---\n\n言葉\n")
    assert sorted(store.iterdir()) == [store / ".git", store / "memgit.toml"]


def test_words_are_kept_when_git_has_no_name(
    add: Callable[..., Said], store: Path, sealed: Path
) -> None:
    (sealed / "gitconfig").write_text("[user]\nuseConfigOnly = true\n")
    said = add("--body", "my words")
    assert "git does not know your name and e-mail" in said[2]
    assert len(said[2].splitlines()) == 2
    assert "my words" in kept(said)


def test_words_are_kept_when_there_is_no_store(
    add: Callable[..., Said], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "plain").mkdir()
    monkeypatch.setenv("MEMGIT_REPO", str(tmp_path / "plain"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert "my words" in kept(add(stdin=b"my words"))


def test_words_are_kept_when_the_program_fails_or_is_stopped(
    add: Callable[..., Said], monkeypatch: pytest.MonkeyPatch
) -> None:
    for fault, code in ((KeyboardInterrupt(), 130), (ZeroDivisionError("ours"), 70)):

        def fail(*ignored: Any, fault: BaseException = fault) -> None:
            raise fault

        monkeypatch.setattr("memgit.commands.add.remember", fail)
        assert "my words" in kept(add("--body", "my words"), code)


def test_words_are_said_when_no_disk_takes_them(
    add: Callable[..., Said], monkeypatch: pytest.MonkeyPatch, store: Path
) -> None:
    def full(*ignored: object, **named: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    monkeypatch.setattr("tempfile.mkdtemp", full)
    code, out, err = add("--body", "my words")
    assert (code, out) == (3, "")
    assert "No space left on device" in err
    assert "which no disk takes: my words" in err


def test_what_was_kept_can_be_imported(add: Callable[..., Said], store: Path, memgit: Run) -> None:
    (store / ".git/MERGE_HEAD").write_text("")
    said = add("--name", "tabs", "--type", "feedback", "--body", "Indent with tabs.")
    file = re.search(r"memgit import (.+)", said[2])
    assert file
    (store / ".git/MERGE_HEAD").unlink()
    done = memgit("--store", store, "import", file[1])
    assert done.returncode == 0, done.stderr
    assert Store.at(store).paths() == ["tabs.md"]
    assert memory(store, "tabs.md")[2:] == ("feedback", "\nIndent with tabs.\n")


def test_the_memory_counts_even_if_the_index_cannot_follow(
    add: Callable[..., Said], store: Path
) -> None:
    (store / ".git/memgit").mkdir()
    (store / ".git/memgit/main").mkdir()
    (store / ".git/memgit/main/index.lock").mkdir()
    code, out, err = add("--name", "x", "--body", "words")
    assert (code, out[:7]) == (0, "added x")
    assert "index.lock" in err
    assert memory(store, "x.md")[3] == "\nwords\n"


def test_a_detached_head_is_told(add: Callable[..., Said], store: Path, git: Run) -> None:
    git(store, "checkout", "--quiet", "--detach")
    code, out, err = add("--name", "x", "--body", "words")
    assert (code, out[:7]) == (0, "added x")
    assert err == (
        "HEAD is on no branch, so only this work tree knows the commit; `git switch -c NAME`\n"
    )


@pytest.mark.parametrize(
    "environment",
    [
        {"LC_ALL": "C"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONIOENCODING": "cp932"},
        {"PYTHONIOENCODING": "ascii"},
    ],
)
def test_in_any_locale(store: Path, memgit: Run, environment: dict[str, str]) -> None:
    about = ("--name", "本番手順", "--description", "説明", "--body", "火曜の本番", "--json")
    done = memgit("add", *about, cwd=store, env=environment)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["path"] == "本番手順.md"
    assert memory(store, "本番手順.md") == ("本番手順", "説明", "project", "\n火曜の本番\n")
    found = memgit("search", "本番", "--json", cwd=store, env=environment)
    assert json.loads(found.stdout)["name"] == "本番手順"


def test_the_first_commit_of_a_store(tmp_path: Path, git: Run, memgit: Run) -> None:
    git(tmp_path, "init", "--quiet", "new")
    (tmp_path / "new/memgit.toml").touch()
    done = memgit("add", "--body", "first words", cwd=tmp_path / "new")
    assert done.returncode == 0, done.stderr
    assert git(tmp_path / "new", "log", "--format=%s").stdout == "add: first-words\n"


def test_forty_at_once(store: Path, memgit: Run, git: Run) -> None:
    """Eight processes, five memories each, one after the other: none is lost, all are indexed."""
    loop = (
        "import sys\nfrom memgit.cli import main\n"
        "for number in range(5):\n    try:\n"
        "        main(['--store', sys.argv[1], 'add', '--name', 'same',\n"
        "              '--body', f'{sys.argv[2]}-{number}', '--json'])\n"
        "    except SystemExit as ended:\n        assert ended.code == 0, ended.code\n"
    )
    started = [
        subprocess.Popen(
            [sys.executable, "-c", loop, str(store), f"process{number}"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for number in range(8)
    ]  # fmt: skip
    said = []
    for process in started:
        out, err = process.communicate(timeout=300)
        assert (process.returncode, err) == (0, "")
        said += [json.loads(line) for line in out.splitlines()]
    assert {row["name"] for row in said} == {"same", *(f"same-{n}" for n in range(2, 41))}
    bodies = {memory(store, row["path"])[3].strip() for row in said}
    assert bodies == {f"process{p}-{n}" for p in range(8) for n in range(5)}
    assert git(store, "rev-list", "--count", "HEAD").stdout == "41\n"
    assert git(store, "status", "--porcelain").stdout == ""
    listed = memgit("--store", store, "list", "--json").stdout.splitlines()
    assert len(listed) == 40
