// Known shapes narrow by their tag, in our client and in the types of openapi-typescript. tsc reads this file; nothing runs it.
import { type Darbar, isKnownEvent, isKnownMove, isKnownView, type types } from "darbar-client";
import type { components } from "./api.js";

export function declaredAction(event: types.GameEvent): string {
    if (isKnownEvent(event)) {
        if (event.type === "coup.declared") return event.action;
        if (event.type === "table.ended") return event.winners.join();
    }
    return event.type;
}

export async function ownGames(darbar: Darbar): Promise<string[]> {
    const ids: string[] = [];
    for await (const game of darbar.results(darbar.listGames({ mine: true }))) ids.push(game.id);
    return ids;
}

export const target = (move: types.GameMove): number | undefined =>
    isKnownMove(move) && move.type === "coup.steal" ? move.target : undefined;

export const treasury = (view: types.GameView): number => (isKnownView(view) && view.rules === "coup" ? view.treasury : 0);

export const asked = (message: types.WebhookMessage): string =>
    message.type === "question" ? message.data.question : "";

type Schemas = components["schemas"];

const TYPES: ReadonlySet<string> = new Set<Schemas["KnownEvent"]["type"]>(["coup.declared", "table.ended"]);
const isKnown = (event: Schemas["GameEvent"]): event is Schemas["KnownEvent"] => TYPES.has(event.type);

export function action(event: Schemas["GameEvent"]): string {
    return isKnown(event) && event.type === "coup.declared" ? event.action : event.type;
}
