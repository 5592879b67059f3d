// Makes and stores promised seeds. A seed is revealed only after the list of the deal was checked. See README.md.

const bytes = (text) => new TextEncoder().encode(text);
const hex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Returns the SHA-256 of a text, in hexadecimal. */
export const digest = async (text) => hex(await crypto.subtle.digest("SHA-256", bytes(text)));

/** The list of the deal is wrong, so the seed was not revealed. Tell the other players. */
export class DealRefused extends Error {}

/** The promises of one account. `storage` has `getItem` and `setItem`, as `localStorage` does, and must outlive games. */
export class Promises {
    #storage;

    constructor(storage = globalThis.localStorage) {
        if (!storage) throw new TypeError("Give a storage with getItem and setItem that keeps seeds and heads.");
        this.#storage = storage;
    }

    /** Makes and stores a seed. Returns its commitment, for the field `seed_commitment` of a request. */
    async make() {
        const seed = hex(crypto.getRandomValues(new Uint8Array(32)));
        const commitment = await digest(`darbar-seed|${seed}`);
        this.#store(commitment, { seed, game: "", heads: [] });
        return commitment;
    }

    /** Stores the head of the deal that the server shows for this game, beside earlier ones. */
    note(game) {
        const { ownSeat, promise } = this.#of(game);
        if (!promise) return;
        promise.game = game.id;
        if (game.deal_head && !promise.heads.includes(game.deal_head)) promise.heads.push(game.deal_head);
        this.#store(ownSeat.seed_commitment, promise);
        if (game.deal_head) this.#storage.setItem(`darbar-deal:${game.id}`, JSON.stringify(promise.heads));
    }

    /** Returns the stored heads of the deal of a game, for `verify.py --deal-head`. */
    heads(game) {
        return JSON.parse(this.#storage.getItem(`darbar-deal:${game}`) ?? "[]");
    }

    /**
     * Returns the body of `revealSeed` and stores the head of the deal. Returns null if there is nothing to reveal. Throws
     * DealRefused if the list of the deal is wrong.
     */
    async checked(game) {
        const { ownSeat, promise } = this.#of(game);
        if (!promise || ownSeat.seed || game.state !== "starting" || game.beacon_round !== null) return null;
        if (promise.game !== "" && promise.game !== game.id) throw new DealRefused("the seed was promised in another game");
        if (promise.heads.some((head) => head !== game.deal_head)) throw new DealRefused("the list of the deal has changed");
        await check(game, ownSeat.seed_commitment);
        this.note(game);
        return { seed: promise.seed, head: game.deal_head };
    }

    #of(game) {
        const ownSeat = game.seats.find((seat) => seat.seat === game.seat);
        const text = ownSeat?.seed_commitment && this.#storage.getItem(`darbar-seed:${ownSeat.seed_commitment}`);
        return { ownSeat, promise: text ? JSON.parse(text) : undefined };
    }

    #store(commitment, promise) {
        this.#storage.setItem(`darbar-seed:${commitment}`, JSON.stringify(promise));
    }
}

/** Throws DealRefused unless the list of the deal fits the game and has this commitment at our own seat only. */
async function check(game, ownCommitment) {
    const text = game.deal_list, same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
    if ((await digest(`darbar-deal|${text}`)) !== game.deal_head)
        throw new DealRefused("the head is not that of the list of the deal");
    const { game: id, commitment, round, seats } = JSON.parse(text);
    if (id !== game.id || commitment !== game.commitment || round !== null)
        throw new DealRefused("the list of the deal is not of this game");
    if (!same(seats.map((seat) => seat.seat), game.seats.map((seat) => seat.seat)))
        throw new DealRefused("the list of the deal does not name each seat once");
    const promises = seats.map((seat) => seat.seed_commitment);
    if (!same(promises, game.seats.map((seat) => seat.seed_commitment)))
        throw new DealRefused("the promises in the list of the deal are not those of the seats");
    if (seats.some((seat) => seat.player && (seat.seed + seat.seed_commitment).length !== 64))
        throw new DealRefused("the seed of a seat is not fixed");
    if (promises.filter((commitment) => commitment === ownCommitment).length !== 1 || promises[game.seat - 1] !== ownCommitment)
        throw new DealRefused("your own promise is not on your seat in the list of the deal");
}
