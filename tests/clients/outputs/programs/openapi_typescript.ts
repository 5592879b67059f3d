// Reads a server that has grown, with the types of openapi-typescript and openapi-fetch. Usage: URL GAME.
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

declare const process: { argv: string[] };

const [url, game = ""] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl: url, headers: { Authorization: "Bearer any" } });
const params = { path: { game } };

function known<T>(answer: { data?: T; error?: unknown }): T {
    if (answer.data === undefined) throw new Error(JSON.stringify(answer.error));
    return answer.data;
}

const { results: events } = known(await client.GET("/api/v1/games/{game}/events/", { params }));
console.log(events.map((line) => line.event.type).join(" "));
const table: components["schemas"]["Game"] = known(await client.GET("/api/v1/games/{game}/", { params }));
console.log(table.rules, table.state, table.seats.length);
console.log(known(await client.GET("/api/v1/games/{game}/view/", { params })).rules);
const { results: asked } = known(await client.GET("/api/v1/questions/"));
console.log(asked.flatMap((question) => question.moves.map((answer) => answer.move.type)).join(" "));
console.log(known(await client.GET("/api/v1/rules/")).results.map((each) => each.name).join(" "));
const refused = await client.POST("/api/v1/games/{game}/join/", { params, body: {} });
console.log(refused.error?.code);
