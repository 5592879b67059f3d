// Reads a server that has grown, with the typescript-fetch client of openapi-generator. Usage: URL GAME.
import { Configuration, GamesApi, PlayApi, ResponseError, RulesApi } from "./client";

declare const process: { argv: string[] };

async function main(): Promise<void> {
    const [url = "", game = ""] = process.argv.slice(2);
    const configuration = new Configuration({ basePath: url, accessToken: "any" });
    const play = new PlayApi(configuration), games = new GamesApi(configuration);
    const { events } = await play.listEvents({ game });
    console.log(events.map((line) => line.event.type).join(" "));
    const table = await games.getGame({ game });
    console.log(table.rules, table.state, table.seats.length);
    console.log((await play.getView({ game })).rules);
    const asked = await play.listQuestions();
    console.log(asked.flatMap((question) => question.moves.map((answer) => answer.move.type)).join(" "));
    console.log((await new RulesApi(configuration).listRules()).map((each) => each.name).join(" "));
    try {
        await games.joinGame({ game, joinRequest: {} });
    } catch (error) {
        if (!(error instanceof ResponseError)) throw error;
        console.log((await error.response.json()).code);
    }
}

main();
