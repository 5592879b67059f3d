// Reads a server that has grown, with the package darbar-client. Usage: URL GAME.
import { Darbar } from "darbar-client";

const [url, game] = process.argv.slice(2);
const darbar = new Darbar(url, "any");
console.log((await darbar.listEvents(game)).results.map((line) => line.event.type).join(" "));
const table = await darbar.getGame(game);
console.log(table.rules, table.state, table.seats.length);
console.log((await darbar.getView(game)).rules);
const { results: questions } = await darbar.listQuestions();
console.log(questions.flatMap((question) => question.moves.map((answer) => answer.move.type)).join(" "));
console.log((await darbar.listRules()).results.map((rules) => rules.name).join(" "));
await darbar.joinGame(game, {}).catch((refused) => console.log(refused.code));
