import type { Operations } from "./generated/operations.js";
import type * as types from "./generated/types.js";

export type { types };
export * from "./generated/known.js";

/** One message of the stream. */
export interface Message {
    /** `question`, `closed`, `event`, `game`, `chat`, `presence`, `ready`, `reset`, or a kind of a newer server. */
    kind: string;
    data: Record<string, any>;
    /** The position in the stream from which to continue after an interruption. */
    id: string;
}

/** The server refused a request (RFC 9457). */
export class Refused extends Error {
    status: number;
    problem: types.Problem;
    /** A code for programs. */
    code: string;
    /** A sentence for people. */
    detail: string;
    errors: Array<{ pointer?: string; parameter?: string; code: string; detail: string }>;
}

/** Nothing has changed since the answer whose ETag was sent. */
export class NotModified extends Error {}

/** The list of the deal is wrong, so the seed was not revealed. Tell the other players. */
export class DealRefused extends Error {}

/** The promised seeds of one account. The storage must keep them until the games are over, as `localStorage` does. */
export class Promises {
    constructor(storage?: { getItem(name: string): string | null; setItem(name: string, value: string): void });
    make(): Promise<string>;
    note(game: types.Game): void;
    heads(game: string): string[];
    checked(game: types.Game): Promise<{ seed: string; head: string } | null>;
}

/** A page of a list. `next` is the address of the page after it. */
export interface Page<T> {
    next: string | null;
    results: T[];
}

export interface Darbar extends Operations {}

/** A client for one account of a server. Every operation of the API is a method. */
export class Darbar {
    constructor(url: string, token?: string, options?: { language?: string; fetch?: typeof fetch });
    results<T>(page: Page<T> | Promise<Page<T>>): AsyncGenerator<T, void>;
    questions(...games: string[]): AsyncGenerator<types.Question, void>;
    answer(question: types.Question, move: types.Answer | string): Promise<types.StoredMove>;
    reveal(promises: Promises, game: string): Promise<types.Game>;
    followOpenGames(options?: { rules?: string; seat_count?: number; signal?: AbortSignal }): AsyncGenerator<Message, void>;
    followEvents(options?: { last?: string; signal?: AbortSignal }): AsyncGenerator<Message, void>;
}
