// A bot for Darbar in JavaScript, without dependencies (Node 18 or newer). It waits for questions in all its games, and
// answers them.
//
//     DARBAR_TOKEN=darbar_… node bot.mjs [--open | --join GAME] [URL]
//
// It needs a token with the scopes games:read and games:play. With --open it creates a game with a bot, with --join it
// joins one, and it ends with that game. Otherwise it plays all its games until it is stopped. It promises a seed when it
// joins. When the game is full, it checks the list of the deal, stores its head in a file, and only then reveals the seed.
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { appendFileSync } from "node:fs";

const words = process.argv.slice(2);
const joined = words.includes("--join") ? words.splice(words.indexOf("--join") + 1, 1)[0] : undefined;
const url = words.find((word) => !word.startsWith("-")) ?? "http://localhost:8000";
const HIGHEST_PAUSE = 60;

const sleep = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/** Returns the response and its JSON. Temporary errors are retried with the same key. */
async function ask(method, path, body, headers = {}) {
    headers = { Authorization: `Bearer ${process.env.DARBAR_TOKEN}`, ...headers };
    if (body !== undefined) headers["Content-Type"] = "application/json";
    if (method === "POST") headers["Idempotency-Key"] = randomUUID();
    for (let pause = 1; ; pause = Math.min(2 * pause, HIGHEST_PAUSE)) {
        try {
            const response = await fetch(`${url}/api/v1/${path}`, { method, headers, body: JSON.stringify(body) });
            const text = await response.text();
            if (response.status !== 429 && response.status < 500)
                return { response, json: text === "" ? null : JSON.parse(text) };
            pause = Number(response.headers.get("Retry-After") ?? pause);
        } catch (error) {
            if (!(error instanceof TypeError)) throw error; // fetch raises TypeError if there is no connection
        }
        await sleep(pause);
    }
}

/** Chooses an answer at random. A better bot would look at `games/{game}/view/` first. */
function choose(question) {
    return question.moves[Math.floor(Math.random() * question.moves.length)].move;
}

/** Answers all questions until `game` is over, or without an end. */
async function play(game) {
    let etag = null;
    while (game === undefined || (await ask("GET", `games/${game}/`)).json.state === "running") {
        const condition = etag === null ? {} : { "If-None-Match": etag };
        const { response, json } = await ask("GET", "questions/", undefined, { Prefer: "wait=10", ...condition });
        if (!response.headers.has("Preference-Applied")) await sleep(2); // too many are waiting; the server asks for a pause
        etag = response.headers.get("ETag");
        for (const question of response.ok ? json.results : []) {
            const body = { question: question.id, move: choose(question) };
            const { json: result } = await ask("POST", `games/${question.game}/moves/`, body, { Prefer: "wait=5" });
            console.log(question.game.slice(0, 8), question.reason, JSON.stringify(body.move), result.detail ?? result.state);
        }
    }
}

/** Takes a seat with the digest of a seed, reveals the seed once the game is full, and returns the id of the game. */
async function takeSeat(path, body) {
    const seed = randomBytes(32).toString("hex"), heads = [];
    const seed_commitment = digest(`darbar-seed|${seed}`);
    const { id } = (await ask("POST", path, { ...body, seed_commitment })).json;
    for (;;) {
        const state = (await ask("GET", `games/${id}/`)).json;
        if (state.state !== "open" && state.state !== "starting") return id;
        if (state.deal_head !== "" && !heads.includes(state.deal_head)) {
            heads.push(state.deal_head); // keep it: verify.py --deal-head asks for it after the game
            appendFileSync(`darbar-deal-${id}.txt`, `${state.deal_head}\n`);
        } else if (heads.length > 0 && state.beacon_round === null) {
            checkList(state, heads, seed_commitment); // the second look: the list must be the same
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
function checkList(state, heads, promise) {
    const { game, commitment, seats } = JSON.parse(state.deal_list);
    const promises = seats.map((seat) => seat.seed_commitment);
    const isWhole = `${promises}` === `${state.seats.map((seat) => seat.seed_commitment)}`;
    const isFixed = seats.every((seat) => !seat.player || seat.seed || seat.seed_commitment);
    const isOurs = game === state.id && commitment === state.commitment && promises.filter((other) => other === promise).length === 1;
    if (`${heads}` !== digest(`darbar-deal|${state.deal_list}`) || !isWhole || !isFixed || !isOurs)
        throw new Error("The list of the deal is wrong. The seed stays secret.");
}

if (joined === undefined && !words.includes("--open")) await play();
const created = { rules: "coup", seat_count: 2, bots: [{}] };
const game = await (joined ? takeSeat(`games/${joined}/join/`, {}) : takeSeat("games/", created));
await play(game);
console.log((await ask("GET", `games/${game}/events/`)).json.results.findLast(({ text }) => text !== null).text);
