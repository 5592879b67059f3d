// Plays and listens with darbar-client, as strict TypeScript sees it. Usage: sdk.js URL TOKEN.
import { Darbar, Refused, type types } from "darbar-client";

declare const process: { argv: string[] };

const [url = "", token] = process.argv.slice(2);
const darbar = new Darbar(url, token);
const heard: string[] = [];
const stopped = new AbortController();
const listening = (async () => {
    for await (const message of darbar.followEvents({ signal: stopped.signal })) {
        heard.push(message.kind);
        if (message.kind === "game" && message.data.state === "over") return;
    }
})();
while (heard.length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
const game: types.Game = await darbar.createGame({ rules: "sedlec", seat_count: 2, bots: [{}] }, { idempotencyKey: "once" });
const again = await darbar.createGame({ rules: "sedlec", seat_count: 2, bots: [{}] }, { idempotencyKey: "once" });
if (again.id !== game.id) throw new Error("one key has made two games");
for await (const question of darbar.questions(game.id)) {
    const [first] = question.moves;
    if (first) await darbar.answer(question, first);
}
await listening;
let dug = 0;
for await (const { event } of darbar.results(darbar.listEvents(game.id, { after: 1, limit: 3 })))
    if (event.type === "sedlec.dug") dug += 1;
try {
    await darbar.joinGame(game.id, {});
} catch (error) {
    if (!(error instanceof Refused)) throw error;
    console.log(error.code, (await darbar.getGame(game.id)).state, dug >= 0, [...new Set(heard)].sort().join(" "));
}
