// Reads a server that has grown, with the client of hey-api. Usage: URL GAME.
import { client } from "./client/client.gen.js";
import { getGame, getView, joinGame, listEvents, listQuestions, listRules } from "./client/sdk.gen.js";

const [baseUrl = "", game = ""] = process.argv.slice(2);
client.setConfig({ baseUrl, auth: "any" });
const path = { game };

function known<T>(answer: { data?: T; error?: unknown }): T {
    if (answer.data === undefined) throw new Error(JSON.stringify(answer.error));
    return answer.data;
}

const { results: events } = known(await listEvents({ path }));
console.log(events.map((line) => line.event.type).join(" "));
const table = known(await getGame({ path }));
console.log(table.rules, table.state, table.seats.length);
console.log(known(await getView({ path })).rules);
const { results: asked } = known(await listQuestions());
console.log(asked.flatMap((question) => question.moves.map((answer) => answer.move.type)).join(" "));
console.log(known(await listRules()).results.map((each) => each.name).join(" "));
const refused = await joinGame({ path, body: {} });
console.log(refused.error?.code);
