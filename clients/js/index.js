// Client of a Darbar server, for Node and browsers. See README.md.
import { operations } from "./generated/operations.js";
import { DealRefused } from "./promises.js";
import { MessageReader } from "./stream.js";

export { DealRefused, Promises } from "./promises.js";

const ATTEMPTS = 6;
const LONGEST_PAUSE = 60;
const WAIT = 10;
const QUICK_LOOK = 1;
const ELSEWHERE = 421;
const ENDED = ["over", "cancelled"];
const HEADERS = { idempotencyKey: "Idempotency-Key", prefer: "Prefer", ifNoneMatch: "If-None-Match" };

/** The server refused a request (RFC 9457). Go by `code`; a newer server may send one that is not described yet. */
export class Refused extends Error {
    constructor(status, problem) {
        super(`${status} ${problem.code ?? ""}: ${problem.detail ?? ""}`);
        Object.assign(this, { name: "Refused", status, problem });
        this.code = problem.code ?? "";
        this.detail = problem.detail ?? "";
        this.errors = problem.errors ?? [];
    }
}

/** Nothing has changed since the answer whose ETag was sent. */
export class NotModified extends Error {}

const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, 1000 * seconds));

function pauseBefore(attempt, response) {
    const asked = response?.headers.get("Retry-After") ?? "";
    return Math.min(/^\d+$/.test(asked) ? Number(asked) : 2 ** attempt / 2, LONGEST_PAUSE);
}

async function contentOf(response) {
    if (response.status === 304) throw new NotModified();
    const text = await response.text();
    const isJson = /^application\/(json|[^;]*\+json)\b/.test(response.headers.get("Content-Type") ?? "");
    if (response.status >= 400) throw new Refused(response.status, isJson ? JSON.parse(text) : { detail: text });
    if (text === "") return undefined;
    return isJson ? JSON.parse(text) : text;
}

const keyOf = (question) => `${question.game} ${question.id}`;

export class Darbar {
    #waiting = new Set();

    constructor(url, token = "", { language, fetch = globalThis.fetch } = {}) {
        Object.assign(this, { url: url.replace(/\/$/, ""), token, language, fetch });
    }

    /** The response to a request; what may pass is tried again, where it has no second effect. */
    async send(method, path, { query = {}, headers = {}, body, signal, isRepeatable = method !== "POST" } = {}) {
        const given = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== undefined));
        const address = `${this.url}${path}${given.size ? `?${given}` : ""}`;
        const sent = { method, signal, headers: this.#headers(headers, body), body: body && JSON.stringify(body) };
        for (let attempt = 0; ; attempt++) {
            const isLast = attempt === ATTEMPTS - 1;
            let response;
            try {
                response = await this.fetch.call(globalThis, address, sent);
            } catch (error) {
                if (isLast || !isRepeatable || signal?.aborted) throw error;
            }
            // 409 with Retry-After: the same request is being processed.
            const isBusy = response?.status === 409 && response.headers.has("Retry-After");
            const isPassing = isBusy || [502, 503, 504].includes(response?.status);
            const passes = response && response.status !== 429 && !(isRepeatable && isPassing);
            if (passes || (response && isLast)) return response;
            await pause(pauseBefore(attempt, response));
        }
    }

    #headers(headers, body) {
        return {
            ...(this.token && { Authorization: `Bearer ${this.token}` }),
            ...(this.language && { "Accept-Language": this.language }),
            ...(body && { "Content-Type": "application/json" }),
            ...headers,
        };
    }

    /** Yields the questions that wait for me as they come: of these games until they are over, or of all for ever. */
    async *questions(...games) {
        const waiting = { open: new Set(), over: new Set() };
        this.#waiting.add(waiting);
        try {
            yield* this.#asked(games, waiting);
        } finally {
            this.#waiting.delete(waiting);
        }
    }

    async *#asked(games, waiting) {
        let etag;
        let isQuiet = false;
        for (;;) {
            const wait = games.length && !isQuiet ? QUICK_LOOK : WAIT;
            const headers = { Prefer: `wait=${wait}`, ...(waiting.open.size && etag && { "If-None-Match": etag }) };
            const response = await this.send("GET", "/api/v1/questions/", { headers });
            const asked = response.status === 304 ? [] : await contentOf(response);
            const ours = asked.filter((each) => !games.length || games.includes(each.game));
            const fresh = ours.filter((each) => !waiting.open.has(keyOf(each)));
            if (response.status !== 304) waiting.open = new Set(ours.map(keyOf));
            etag = response.headers.get("ETag") ?? etag;
            isQuiet = fresh.length === 0;
            yield* fresh;
            if (isQuiet && games.length && (await this.#areOver(games, waiting.over))) return;
        }
    }

    /** Looks at one game after the other until one goes on: that is one request, and one more for each that ended. */
    async #areOver(games, over) {
        for (const game of games.filter((each) => !over.has(each))) {
            if (!ENDED.includes((await this.getGame(game)).state)) return false;
            over.add(game);
        }
        return true;
    }

    /** Answers a question by one of its moves, or in notation; gives what became of it. */
    async answer(question, move) {
        const said = typeof move === "string" ? { text: move } : { move: move.move };
        const stored = await this.sendMove(question.game, { question: question.id, ...said }, { prefer: `wait=${WAIT}` });
        for (const waiting of this.#waiting) waiting.open.delete(keyOf(question));
        return stored;
    }

    /**
     * Reveals the seed that was promised in a game, if it waits for it, and keeps the heads of its deal. The list of the
     * deal is looked at twice, and once without the token. Throws DealRefused if it is not the one that it should be.
     */
    async reveal(promises, game) {
        const seen = await this.getGame(game);
        const body = await promises.checked(seen);
        if (body === null) {
            promises.note(seen);
            return seen;
        }
        const published = await new Darbar(this.url, "", { fetch: this.fetch }).getCommitment(game);
        const again = await promises.checked(await this.getGame(game));
        if (published.deal_head !== body.head || again?.head !== body.head)
            throw new DealRefused("others are shown another list of the deal");
        return this.revealSeed(game, body);
    }

    /** Yields the messages that concern me as they come, without an end. It goes on where it was interrupted. */
    async *stream({ last = "", signal } = {}) {
        yield* this.#messages("", new MessageReader(last), signal);
    }

    /**
     * Yields the public games that can be joined, as they come and go: `open-game` and `closed-game`. After an
     * interruption all that there are are told again.
     */
    async *streamGames({ signal, ...wanted } = {}) {
        yield* this.#messages(`games/?${new URLSearchParams(wanted)}`, new MessageReader(), signal);
    }

    async *#messages(part, reader, signal) {
        const stream = `${await this.#streamAddress(signal)}${part}`;
        for (let attempt = 0; !signal?.aborted; attempt = Math.min(attempt + 1, ATTEMPTS)) {
            try {
                for await (const message of this.#heard(stream, reader, signal)) {
                    attempt = 0;
                    yield message;
                }
            } catch (error) {
                if (error instanceof Refused || signal?.aborted) throw error;
            }
            reader.interrupt();
            await pause(pauseBefore(attempt));
        }
    }

    /** Finds the address of the stream: where it has one of its own, the server says so. */
    async #streamAddress(signal) {
        const address = `${this.url}/api/v1/stream/`;
        const stopped = new AbortController();
        signal?.addEventListener("abort", () => stopped.abort());
        const sent = { headers: this.#headers({}), signal: stopped.signal };
        const response = await this.fetch.call(globalThis, address, sent);
        if (response.status === ELSEWHERE) return (await response.json()).stream;
        if (response.status >= 400) await contentOf(response);
        stopped.abort();
        return address;
    }

    async *#heard(address, reader, signal) {
        const headers = { Accept: "text/event-stream", ...(reader.last && { "Last-Event-ID": reader.last }) };
        const response = await this.fetch.call(globalThis, address, { headers: this.#headers(headers), signal });
        if (response.status >= 400) await contentOf(response);
        const decoder = new TextDecoder();
        for await (const piece of response.body) yield* reader.read(decoder.decode(piece, { stream: true }));
    }
}

/** A method for each operation: its places in the path, its body, then options. */
for (const [name, [method, path, hasBody, takesKey]] of Object.entries(operations)) {
    const places = [...path.matchAll(/{(\w+)}/g)].map(([place]) => place);
    Darbar.prototype[name] = async function (...given) {
        const filled = places.reduce((at, place, index) => at.replace(place, encodeURIComponent(given[index])), path);
        const body = hasBody ? (given[places.length] ?? {}) : undefined;
        const { signal, ...options } = given[places.length + (hasBody ? 1 : 0)] ?? {};
        const headers = takesKey ? { "Idempotency-Key": crypto.randomUUID() } : {};
        const query = {};
        for (const [option, value] of Object.entries(options)) {
            if (option in HEADERS) headers[HEADERS[option]] = value;
            else query[option] = value;
        }
        const isRepeatable = method !== "POST" || takesKey;
        return contentOf(await this.send(method, filled, { query, headers, body, signal, isRepeatable }));
    };
}
