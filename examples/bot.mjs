// A bot for Darbar in JavaScript, without dependencies (Node 18 or newer): waits for whatever is asked in any of its
// games, and answers.
//
//     DARBAR_TOKEN=darbar_… node bot.mjs [--open | --join GAME] [URL]
//
// It needs a token with the scopes games:read and games:play. With --open it creates a game with a bot first, and with
// --join it joins one, and ends with that game; without, it plays all its games until it is stopped. It promises a seed
// when it joins. When the game is full, it checks the list of the deal, keeps its head in a file, and only then reveals.
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { appendFileSync } from "node:fs";

const words = process.argv.slice(2);
const joined = words.includes("--join") ? words.splice(words.indexOf("--join") + 1, 1)[0] : undefined;
const url = words.find((word) => !word.startsWith("-")) ?? "http://localhost:8000";
const HIGHEST_PAUSE = 60;

const sleep = (seconds) => new Promise((done) => setTimeout(done, seconds * 1000));

/** Returns the answer and its JSON; what may pass is tried again under the same key. */
async function ask(method, path, body, headers = {}) {
    headers = { Authorization: `Bearer ${process.env.DARBAR_TOKEN}`, ...headers };
    if (body !== undefined) headers["Content-Type"] = "application/json";
    if (method === "POST") headers["Idempotency-Key"] = randomUUID();
    for (let pause = 1; ; pause = Math.min(2 * pause, HIGHEST_PAUSE)) {
        try {
            const answer = await fetch(`${url}/api/v1/${path}`, { method, headers, body: JSON.stringify(body) });
            const text = await answer.text();
            if (answer.status !== 429 && answer.status < 500)
                return { answer, json: text === "" ? null : JSON.parse(text) };
            pause = Number(answer.headers.get("Retry-After") ?? pause);
        } catch (error) {
            if (!(error instanceof TypeError)) throw error; // that is how fetch says that nobody answered
        }
        await sleep(pause);
    }
}

/** Chooses an answer. A real player would look at `games/{game}/view/` first; this one is brave and blind. */
function choose(question) {
    return question.moves[Math.floor(Math.random() * question.moves.length)].move;
}

/** Answers whatever is asked, until `game` is over; without one, for ever. */
async function play(game) {
    let etag = null;
    while (game === undefined || (await ask("GET", `games/${game}/`)).json.state === "running") {
        const known = etag === null ? {} : { "If-None-Match": etag };
        const { answer, json } = await ask("GET", "questions/", undefined, { Prefer: "wait=10", ...known });
        if (!answer.headers.has("Preference-Applied")) await sleep(2); // too many are waiting
        etag = answer.headers.get("ETag");
        for (const question of answer.ok ? json : []) {
            const body = { question: question.id, move: choose(question) };
            const sent = await ask("POST", `games/${question.game}/moves/`, body, { Prefer: "wait=5" });
            const said = sent.json.problem ?? sent.json;
            console.log(question.game.slice(0, 8), question.reason, JSON.stringify(body.move), said.detail ?? said.state);
        }
    }
}

/** Takes a seat with the digest of a seed, and reveals the seed once the game is full; returns its id. */
async function takeSeat(path, wanted) {
    const seed = randomBytes(32).toString("hex"), heads = [];
    const seed_commitment = digest(`darbar-seed|${seed}`);
    const { id } = (await ask("POST", path, { ...wanted, seed_commitment })).json;
    for (;;) {
        const seen = (await ask("GET", `games/${id}/`)).json;
        if (seen.state !== "open" && seen.state !== "starting") return id;
        if (seen.deal_head !== "" && !heads.includes(seen.deal_head)) {
            heads.push(seen.deal_head); // keep it: verify.py --deal-head asks for it after the game
            appendFileSync(`darbar-deal-${id}.txt`, `${seen.deal_head}\n`);
        } else if (heads.length > 0 && seen.beacon_round === null) {
            checkList(seen, heads, seed_commitment); // the second look: the list must be the same
            await ask("POST", `games/${id}/seed/`, { seed, head: heads[0] });
        }
        await sleep(0.5);
    }
}

/** Returns the SHA-256 of a text, in hexadecimal. */
function digest(text) {
    return createHash("sha256").update(text).digest("hex");
}

/** Ends the program without revealing its seed if the list of the deal is not fixed, or not of this game. */
function checkList(seen, heads, promise) {
    const { game, commitment, seats } = JSON.parse(seen.deal_list);
    const promises = seats.map((seat) => seat.seed_commitment);
    const isWhole = `${promises}` === `${seen.seats.map((seat) => seat.seed_commitment)}`;
    const isFixed = seats.every((seat) => !seat.player || seat.seed || seat.seed_commitment);
    const isOurs = game === seen.id && commitment === seen.commitment && promises.filter((each) => each === promise).length === 1;
    if (`${heads}` !== digest(`darbar-deal|${seen.deal_list}`) || !isWhole || !isFixed || !isOurs)
        throw new Error("The list of the deal is not the one that it should be. The seed stays secret.");
}

if (joined === undefined && !words.includes("--open")) await play();
const created = { rules: "coup", seat_count: 2, bots: [{}] };
const game = await (joined ? takeSeat(`games/${joined}/join/`, {}) : takeSeat("games/", created));
await play(game);
console.log((await ask("GET", `games/${game}/events/`)).json.events.findLast(({ text }) => text !== null).text);
