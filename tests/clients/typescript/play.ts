// Plays a whole game of Skulls of Sedlec with the client that openapi-typescript and openapi-fetch make: of every answer offered,
// the first. Usage: play.js URL TOKEN. Says who has won.
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

declare const process: { argv: string[] };
declare const crypto: { randomUUID(): string };

type Game = components["schemas"]["Game"];

const [url, token] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl: url, headers: { Authorization: `Bearer ${token}` } });

function known<T>(answer: { data?: T; error?: unknown }): T {
    if (answer.data === undefined) throw new Error(JSON.stringify(answer.error));
    return answer.data;
}

async function opened(): Promise<Game> {
    const key = crypto.randomUUID();
    const wish = {
        params: { header: { "Idempotency-Key": key } },
        body: { rules: "sedlec", seat_count: 2, bots: [{}] },
    };
    const game = known(await client.POST("/api/v1/games/", wish));
    const again = known(await client.POST("/api/v1/games/", wish));
    if (game.id !== again.id) throw new Error("one key has made two tables");
    return game;
}

async function answered(etag: string | undefined): Promise<string | undefined> {
    const header = { Prefer: "wait=5", ...(etag === undefined ? {} : { "If-None-Match": etag }) };
    const asked = await client.GET("/api/v1/questions/", { params: { header } });
    for (const question of asked.data?.results ?? []) {
        const path = { game: question.game };
        const body = { question: question.id, move: question.moves[0]?.move };
        known(await client.POST("/api/v1/games/{game}/moves/", { params: { path, header: { Prefer: "wait=5" } }, body }));
    }
    return asked.response.headers.get("ETag") ?? undefined;
}

let game = await opened();
const params = { path: { game: game.id } };
for (let etag: string | undefined; game.state === "running"; ) {
    etag = await answered(etag);
    game = known(await client.GET("/api/v1/games/{game}/", { params }));
}
const view = known(await client.GET("/api/v1/games/{game}/view/", { params }));
if (view.rules !== "sedlec") throw new Error(`this is a view of ${view.rules}`);
const log = known(await client.GET("/api/v1/games/{game}/events/", { params }));
for (const { event } of log.results)
    if (event.type === "table.ended" && String(event.winners) !== String(view.winners)) throw new Error("the log says otherwise");
console.log(`seat ${view.winners} has won`);
