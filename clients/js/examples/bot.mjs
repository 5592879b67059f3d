import { Darbar } from "../index.js";

const darbar = new Darbar(...process.argv.slice(2));
const game = await darbar.createGame({ rules: "coup", seat_count: 2, bots: [{}] });
for await (const question of darbar.questions(game.id)) await darbar.answer(question, question.moves[0]);
