// Promised seeds: made, kept, and revealed only for a list of the deal that was checked. See README.md.

const bytes = (text) => new TextEncoder().encode(text);
const hex = (buffer) => [...new Uint8Array(buffer)].map((each) => each.toString(16).padStart(2, "0")).join("");

/** Returns the SHA-256 of a text, in hexadecimal. */
export const digest = async (text) => hex(await crypto.subtle.digest("SHA-256", bytes(text)));

/** The list of the deal is not what it should be. The seed was not revealed; tell the other players. */
export class DealRefused extends Error {}

/** The promises of one account. `storage` has `getItem` and `setItem`, as `localStorage` does, and must outlive games. */
export class Promises {
    #storage;

    constructor(storage = globalThis.localStorage) {
        if (!storage) throw new TypeError("Give a storage with getItem and setItem that keeps seeds and heads.");
        this.#storage = storage;
    }

    /** Makes a seed, keeps it, and returns its commitment: the `seed_commitment` of a request. */
    async make() {
        const seed = hex(crypto.getRandomValues(new Uint8Array(32)));
        const commitment = await digest(`darbar-seed|${seed}`);
        this.#keep(commitment, { seed, game: "", heads: [] });
        return commitment;
    }

    /** Keeps each head of the deal that the server shows of this game. */
    note(game) {
        const { own, kept } = this.#of(game);
        if (!kept) return;
        kept.game = game.id;
        if (game.deal_head && !kept.heads.includes(game.deal_head)) kept.heads.push(game.deal_head);
        this.#keep(own.seed_commitment, kept);
        if (game.deal_head) this.#storage.setItem(`darbar-deal:${game.id}`, JSON.stringify(kept.heads));
    }

    /** Returns the heads of the deal of a game that were kept: give them to `verify.py --deal-head`. */
    heads(game) {
        return JSON.parse(this.#storage.getItem(`darbar-deal:${game}`) ?? "[]");
    }

    /**
     * Returns the seed and the head for `revealSeed`, and keeps the head; null if nothing is to be revealed. Throws
     * DealRefused if the list of the deal is not the one that it should be.
     */
    async checked(game) {
        const { own, kept } = this.#of(game);
        if (!kept || own.seed || game.state !== "starting" || game.beacon_round !== null) return null;
        if (kept.game !== "" && kept.game !== game.id) throw new DealRefused("the seed was promised in another game");
        if (kept.heads.some((head) => head !== game.deal_head)) throw new DealRefused("the list of the deal has changed");
        await check(game, own.seed_commitment);
        this.note(game);
        return { seed: kept.seed, head: game.deal_head };
    }

    #of(game) {
        const own = game.seats.find((seat) => seat.seat === game.seat);
        const text = own?.seed_commitment && this.#storage.getItem(`darbar-seed:${own.seed_commitment}`);
        return { own, kept: text ? JSON.parse(text) : undefined };
    }

    #keep(commitment, kept) {
        this.#storage.setItem(`darbar-seed:${commitment}`, JSON.stringify(kept));
    }
}

async function check(game, own) {
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
    if (promises.filter((each) => each === own).length !== 1 || promises[game.seat - 1] !== own)
        throw new DealRefused("your own promise is not on your seat in the list of the deal");
}
