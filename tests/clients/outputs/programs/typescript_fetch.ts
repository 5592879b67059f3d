// Reads a server that has grown, with the typescript-fetch client of openapi-generator. Usage: URL GAME.
import { Configuration, GamesApi, PlayApi, ResponseError, RulesApi } from "./client";

declare const process: { argv: string[] };

async function main(): Promise<void> {
    const [url = "", game = ""] = process.argv.slice(2);
    const configuration = new Configuration({ basePath: url, accessToken: "any" });
    const play = new PlayApi(configuration), games = new GamesApi(configuration);
    // Its models merge all shapes of a union, so what has one is read from the response itself.
    const { results: events } = await (await play.listEventsRaw({ game })).raw.json();
    console.log(events.map((line: any) => line.event.type).join(" "));
    const table = await (await games.getGameRaw({ game })).raw.json();
    console.log(table.rules, table.state, table.seats.length);
    console.log((await (await play.getViewRaw({ game })).raw.json()).rules);
    const { results: asked } = await (await play.listQuestionsRaw({})).raw.json();
    console.log(asked.flatMap((question: any) => question.moves.map((answer: any) => answer.move.type)).join(" "));
    console.log((await new RulesApi(configuration).listRules()).results.map((each) => each.name).join(" "));
    try {
        await games.joinGame({ game, joinRequest: {} });
    } catch (error) {
        if (!(error instanceof ResponseError)) throw error;
        console.log((await error.response.json()).code);
    }
}

main();
