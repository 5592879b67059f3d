// Client of a Darbar server, for Node and browsers. See README.md.
import { operations } from "./generated/operations.js";
import { DealRefused } from "./promises.js";
import { MessageReader } from "./stream.js";

export * from "./generated/known.js";
export { DealRefused, Promises } from "./promises.js";

const ATTEMPTS = 6;
const LONGEST_PAUSE = 60;
const WAIT = 10;
const QUICK_LOOK = 1;
const ENDED = ["over", "cancelled"];
const HEADERS = { idempotencyKey: "Idempotency-Key", prefer: "Prefer", ifNoneMatch: "If-None-Match" };

/** The server refused a request (RFC 9457). Decide by `code`. A newer server may send codes that are not described yet. */
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
    const retryAfter = response?.headers.get("Retry-After") ?? "";
    return Math.min(/^\d+$/.test(retryAfter) ? Number(retryAfter) : 2 ** attempt / 2, LONGEST_PAUSE);
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
    #loops = new Set();

    constructor(url, token = "", { language, fetch = globalThis.fetch } = {}) {
        Object.assign(this, { url: url.replace(/\/$/, ""), token, language, fetch });
    }

    /** Returns the response to a request. Tries again after a temporary failure if the request can be repeated safely. */
    async send(method, path, { query = {}, headers = {}, body, signal, isRepeatable = method !== "POST" } = {}) {
        const parameters = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== undefined));
        const address = `${this.url}${path}${parameters.size ? `?${parameters}` : ""}`;
        const request = { method, signal, headers: this.#headers(headers, body), body: body && JSON.stringify(body) };
        for (let attempt = 0; ; attempt++) {
            const isLast = attempt === ATTEMPTS - 1;
            let response;
            try {
                response = await this.fetch.call(globalThis, address, request);
            } catch (error) {
                if (isLast || !isRepeatable || signal?.aborted) throw error;
            }
            // 409 with Retry-After: the same request is being processed.
            const isBusy = response?.status === 409 && response.headers.has("Retry-After");
            const isTemporary = isBusy || [502, 503, 504].includes(response?.status);
            const isFinal = response && response.status !== 429 && !(isRepeatable && isTemporary);
            if (isFinal || (response && isLast)) return response;
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

    /**
     * Yields new questions without an end. With games, yields only their questions, and returns when all are over.
     */
    async *questions(...games) {
        const loop = { open: new Set(), over: new Set() };
        this.#loops.add(loop);
        try {
            yield* this.#newQuestions(games, loop);
        } finally {
            this.#loops.delete(loop);
        }
    }

    async *#newQuestions(games, loop) {
        let etag;
        let isQuiet = false;
        for (;;) {
            const wait = games.length && !isQuiet ? QUICK_LOOK : WAIT;
            const headers = { Prefer: `wait=${wait}`, ...(loop.open.size && etag && { "If-None-Match": etag }) };
            const response = await this.send("GET", "/api/v1/questions/", { headers });
            const questions = response.status === 304 ? [] : (await contentOf(response)).results;
            const ofGames = questions.filter((question) => !games.length || games.includes(question.game));
            const fresh = ofGames.filter((question) => !loop.open.has(keyOf(question)));
            if (response.status !== 304) loop.open = new Set(ofGames.map(keyOf));
            etag = response.headers.get("ETag") ?? etag;
            isQuiet = fresh.length === 0;
            yield* fresh;
            if (isQuiet && games.length && (await this.#areOver(games, loop.over))) return;
        }
    }

    /** Returns whether all games are over. Stops at the first game that goes on, so it needs few requests. */
    async #areOver(games, over) {
        for (const game of games.filter((id) => !over.has(id))) {
            if (!ENDED.includes((await this.getGame(game)).state)) return false;
            over.add(game);
        }
        return true;
    }

    /** Yields the results of a list: those on this page, such as `listGames()` returns, and on all pages after it. */
    async *results(page) {
        for (let { results, next } = await page; ; { results, next } = await page) {
            yield* results;
            if (next === null) return;
            // Without the host, so that the token is never sent to another server.
            const { pathname, search } = new URL(next);
            page = this.send("GET", pathname + search).then(contentOf);
        }
    }

    /**
     * Answers a question by one of its moves, or by a text in notation. Returns the stored move with its outcome. Throws
     * Refused if the move is against the rules: `questions()` yields the question again. If the question was closed in
     * the meantime, the state is `rejected`.
     */
    async answer(question, move) {
        const body = { question: question.id, ...(typeof move === "string" ? { text: move } : { move: move.move }) };
        try {
            return await this.sendMove(question.game, body, { prefer: `wait=${WAIT}` });
        } catch (error) {
            if (error.code !== "question-closed") throw error;
            return error.problem.move;
        } finally {
            for (const loop of this.#loops) loop.open.delete(keyOf(question));
        }
    }

    /**
     * Reveals the seed that was promised in a game, if the game waits for it, and stores the heads of its deal. Checks the
     * list of the deal twice, and its head once without the token. Throws DealRefused if the list is wrong.
     */
    async reveal(promises, game) {
        const state = await this.getGame(game);
        const body = await promises.checked(state);
        if (body === null) {
            promises.note(state);
            return state;
        }
        const published = await new Darbar(this.url, "", { fetch: this.fetch }).getCommitment(game);
        const again = await promises.checked(await this.getGame(game));
        if (published.deal_head !== body.head || again?.head !== body.head)
            throw new DealRefused("others are shown another list of the deal");
        return this.revealSeed(game, body);
    }

    /** Yields the messages of my event stream without an end. Continues after an interruption. */
    async *followEvents({ last = "", signal } = {}) {
        yield* this.#messages("", new MessageReader(last), signal);
    }

    /**
     * Yields the public games that can be joined, as they appear and disappear: `open-game` and `closed-game`. After an
     * interruption, yields all open games again.
     */
    async *followOpenGames({ signal, ...filters } = {}) {
        yield* this.#messages(`games/?${new URLSearchParams(filters)}`, new MessageReader(), signal);
    }

    async *#messages(part, reader, signal) {
        const stream = `${(await this.getMe({ signal })).stream}${part}`;
        for (let attempt = 0; !signal?.aborted; attempt = Math.min(attempt + 1, ATTEMPTS)) {
            try {
                for await (const message of this.#connect(stream, reader, signal)) {
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

    async *#connect(address, reader, signal) {
        const headers = { Accept: "text/event-stream", ...(reader.last && { "Last-Event-ID": reader.last }) };
        const response = await this.fetch.call(globalThis, address, { headers: this.#headers(headers), signal });
        if (response.status >= 400) await contentOf(response);
        const decoder = new TextDecoder();
        for await (const piece of response.body) yield* reader.read(decoder.decode(piece, { stream: true }));
    }
}

// Adds a method for each operation. Its arguments are the parameters of the path, the body, and an object of options.
for (const [name, [method, path, hasBody, takesKey]] of Object.entries(operations)) {
    const parameters = [...path.matchAll(/{(\w+)}/g)].map(([parameter]) => parameter);
    const count = parameters.length;
    Darbar.prototype[name] = async function (...values) {
        const filledPath = parameters.reduce(
            (filled, parameter, index) => filled.replace(parameter, encodeURIComponent(values[index])),
            path,
        );
        const body = hasBody ? (values[count] ?? {}) : undefined;
        const { signal, ...options } = values[count + (hasBody ? 1 : 0)] ?? {};
        const headers = takesKey ? { "Idempotency-Key": crypto.randomUUID() } : {};
        const query = {};
        for (const [option, value] of Object.entries(options)) {
            if (option in HEADERS) headers[HEADERS[option]] = value;
            else query[option] = value;
        }
        const isRepeatable = method !== "POST" || takesKey;
        return contentOf(await this.send(method, filledPath, { query, headers, body, signal, isRepeatable }));
    };
}
