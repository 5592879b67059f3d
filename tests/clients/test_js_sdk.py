"""The JavaScript ``darbar-client``: whole games on a running server, from JavaScript and from strict TypeScript."""

import shutil
from pathlib import Path
from typing import Final

from bench.node import NODE
from tests.clients.conftest import assert_generated, code_of, run, token_of, url_of
from tests.clients.test_generated import typescript
from tests.server.darbar import ROOT, Darbar
from tests.server.player import Player

HERE: Final = ROOT / "clients" / "js"
PROGRAM: Final = Path(__file__).parent / "typescript" / "sdk.ts"
RETRIES: Final = """
import { Darbar } from "%s";
let asked = 0;
const keys = new Set();
async function fetch(address, { headers }) {
    keys.add(headers["Idempotency-Key"]);
    const status = ++asked %% 3 ? 503 : 200;
    return new Response('{"id": "1"}', { status, headers: { "Retry-After": "0", "Content-Type": "application/json" } });
}
const darbar = new Darbar("http://darbar.example", "any", { fetch });
const game = await darbar.createGame({ rules: "coup", seat_count: 2 });
console.log(game.id, asked, keys.size);
await darbar.createToken({ email: "maryam@darbar.example" }).catch((error) => console.log(error.status, asked));
"""

LOOPS: Final = r"""
import { Darbar } from "%s";
const questions = [{ game: "1", id: "2.1" }, { game: "2", id: "3.1" }];
const states = { 4: ["open", "running", "over"], 5: ["over"] };
async function fetch(address) {
    const game = /games\/(\w+)\/$/.exec(address)?.[1];
    if (game) return Response.json({ id: game, state: states[game].shift() });
    return Response.json({ next: null, results: questions }, { headers: { ETag: "1" } });
}
const darbar = new Darbar("http://darbar.example", "any", { fetch });
async function first(...games) {
    for await (const question of darbar.questions(...games)) return question.id;
}
console.log(await first("1"), await first("1"));
const [all, one] = [darbar.questions(), darbar.questions("1")];
for await (const question of darbar.questions("4", "5")) console.log("never", question.id);
console.log(JSON.stringify(states));
console.log((await all.next()).value.id, (await one.next()).value.id, (await all.next()).value.id);
"""


REFUSED: Final = r"""
import { Darbar } from "%s";
const listed = { headers: { ETag: "1" } };
async function fetch(address, { method, headers, body }) {
    if (method === "GET" && headers["If-None-Match"]) throw Error("It would wait until the deadline.");
    if (method === "GET") return Response.json({ next: null, results: [{ game: "1", id: "2.1" }] }, listed);
    const code = JSON.parse(body).text === "steal 9" ? "illegal" : "question-closed";
    return Response.json({ code, move: { state: "rejected" } }, { status: 422 });
}
const darbar = new Darbar("http://darbar.example", "any", { fetch });
const questions = darbar.questions();
const { value: question } = await questions.next();
await darbar.answer(question, "steal 9").catch((error) => console.log(error.code));
console.log((await questions.next()).value.id, (await darbar.answer(question, "income")).state);
"""


def test_the_generated_base_is_that_of_the_kept_description() -> None:
    assert_generated(HERE)


def test_a_bot_of_a_few_lines_plays_a_game_to_its_end(running: Darbar, player: Player) -> None:
    bot = HERE / "examples" / "bot.mjs"
    assert len([line for line in bot.read_text().splitlines() if line]) <= 9
    run([NODE, bot, url_of(running), token_of(player)])
    (game,) = player.get("games/?mine=true")["results"]
    assert game["state"] == "over"


def test_the_program_of_the_readme_plays_a_game_to_its_end(running: Darbar, player: Player, tmp_path: Path) -> None:
    modules = tmp_path / "node_modules"
    modules.mkdir()
    shutil.copytree(HERE, modules / "darbar-client")
    program = tmp_path / "readme.mjs"
    program.write_text(code_of(HERE / "README.md", "js", running, player))
    run([NODE, program], tmp_path)
    (game,) = player.get("games/?mine=true")["results"]
    assert game["state"] == "over"


def test_strict_typescript_compiles_plays_and_listens(running: Darbar, player: Player, tmp_path: Path) -> None:
    tools = typescript()
    modules = tmp_path / "node_modules"
    modules.mkdir()
    shutil.copytree(HERE, modules / "darbar-client")
    shutil.copy(PROGRAM, tmp_path)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    strict = ["--strict", "--noUncheckedIndexedAccess", "--target", "es2022", "--module", "nodenext"]
    run([NODE, tools / "typescript" / "bin" / "tsc", *strict, "sdk.ts"], tmp_path)
    text = run([NODE, tmp_path / "sdk.js", url_of(running), token_of(player)], tmp_path)
    assert text == "conflict over true closed event game question ready\n"


def test_what_may_pass_is_tried_again_under_the_same_key_and_nothing_else(tmp_path: Path) -> None:
    program = tmp_path / "retries.mjs"
    program.write_text(RETRIES % (HERE / "index.js"))
    assert run([NODE, program]) == "1 3 1\n503 4\n"


def test_each_loop_gets_every_question_that_it_waits_for(tmp_path: Path) -> None:
    program = tmp_path / "loops.mjs"
    program.write_text(LOOPS % (HERE / "index.js"))
    assert run([NODE, program]) == '2.1 2.1\n{"4":[],"5":[]}\n2.1 2.1 3.1\n'


def test_the_question_of_a_move_against_the_rules_comes_again(tmp_path: Path) -> None:
    program = tmp_path / "refused.mjs"
    program.write_text(REFUSED % (HERE / "index.js"))
    assert run([NODE, program]) == "illegal\n2.1 rejected\n"
