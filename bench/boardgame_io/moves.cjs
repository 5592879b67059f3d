// Moves a second of boardgame.io with its PostgreSQL storage, without HTTP: what its server does for each of them.
//
// node moves.cjs SOCKETS USER DATABASE; then a line {"log": 20, "moves": 320} is answered by the moves a second that
// matches make whose logs are that long, 16 matches at once, each a move at a time.

const readline = require("node:readline");
const { performance } = require("node:perf_hooks");
const { CreateGameReducer, InitializeGame } = require("boardgame.io/internal");
const { Master } = require("boardgame.io/master");
const { PostgresStore } = require("bgio-postgres");

const AT_ONCE = 16;
const PLAYERS = 4;
const COURT = ["duke", "assassin", "captain", "ambassador", "contessa"];

const income = {
  name: "income",
  setup: () => ({
    coins: Array(PLAYERS).fill(2),
    hands: Array.from({ length: PLAYERS }, () => ["duke", "contessa"]),
    court: [...COURT, ...COURT, ...COURT].slice(2 * PLAYERS),
    treasury: 50,
  }),
  moves: {
    income: ({ G, playerID, events }) => {
      G.coins[playerID] += 1;
      G.treasury -= 1;
      events.endTurn();
    },
  },
};

function move(playerID) {
  return { type: "MAKE_MOVE", payload: { type: "income", args: [], playerID } };
}

/** A match after so many moves, and the log of them. */
function played(length) {
  const reducer = CreateGameReducer({ game: income });
  const initialState = InitializeGame({ game: income, numPlayers: PLAYERS });
  const log = [];
  let state = initialState;
  for (let count = 0; count < length; count += 1) {
    state = reducer(state, move(state.ctx.currentPlayer));
    log.push(...state.deltalog);
  }
  const { deltalog: _, ...kept } = state;
  return { initialState, state: kept, log };
}

/** Matches in the database that have all been played so far; their ids. */
async function copies(store, length) {
  const { initialState, state, log } = played(length);
  const players = Object.fromEntries(Array.from({ length: PLAYERS }, (_, id) => [id, { id, name: `Player ${id}` }]));
  const ids = Array.from({ length: AT_ONCE }, (_, number) => `${length}-${number}-${Date.now()}`);
  for (const id of ids) {
    await store.createMatch(id, { initialState, metadata: { gameName: income.name, players } });
    await store.setState(id, state, log);
  }
  return ids;
}

async function movesASecond(store, { log, moves }) {
  const master = new Master(income, store, { send() {}, sendAll() {} });
  const ids = await copies(store, log);
  const each = Math.ceil(moves / AT_ONCE);
  const began = performance.now();
  await Promise.all(
    ids.map(async (id) => {
      for (let count = 0; count < each; count += 1) {
        const playerID = String((log + count) % PLAYERS);
        const failed = await master.onUpdate(move(playerID), log + count, id, playerID);
        if (failed) throw new Error(failed.error);
      }
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  for (const id of ids) {
    const found = await store.fetch(id, { log: true });
    const made = found.log.filter(({ action }) => action.type === "MAKE_MOVE").length;
    if (made !== log + each) throw new Error(`${made} moves in a log that should have ${log + each}`);
  }
  return (each * AT_ONCE) / seconds;
}

async function main([host, username, database]) {
  const pool = { max: AT_ONCE, min: AT_ONCE };
  const store = new PostgresStore({ host, username, database, pool, logging: false });
  await store.connect();
  for await (const line of readline.createInterface({ input: process.stdin })) {
    process.stdout.write(`${await movesASecond(store, JSON.parse(line))}\n`);
  }
  await store.sequelize.close();
}

main(process.argv.slice(2)).catch((error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exit(1);
});
