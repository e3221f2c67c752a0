// Matches of two of boardgame.io's socket clients each, which move in turn: `node client.cjs PORT MATCHES SECONDS`.
// Prints, as JSON, moves a second and the milliseconds from each move to its arrival at the other client.

const { Client } = require("boardgame.io/client");
const { SocketIO } = require("boardgame.io/multiplayer");
const { game } = require("./game.cjs");

const [port, matches, seconds] = process.argv.slice(2).map(Number);
const server = `http://127.0.0.1:${port}`;
const times = [];
let end = Infinity;

function play(matchID) {
  return new Promise((resolve) => {
    let sent = 0;
    let turn = 0;
    const clients = ["0", "1"].map((playerID) => {
      const client = Client({ game, numPlayers: 2, matchID, playerID, debug: false, multiplayer: SocketIO({ server }) });
      client.subscribe((state) => {
        // A client runs its own move at once; what counts is that the other is told it.
        if (state === null || !state.isActive || state.ctx.currentPlayer !== playerID || state.ctx.turn <= turn) return;
        const now = performance.now();
        turn = state.ctx.turn;
        if (sent && now < end) times.push(now - sent);
        if (now >= end) {
          clients.forEach((one) => one.stop());
          resolve();
          return;
        }
        sent = performance.now();
        setImmediate(() => client.moves.put(turn % 64, turn));
      });
      client.start();
      return client;
    });
  });
}

(async () => {
  const began = performance.now() + 500;
  end = began + 1000 * seconds;
  const playing = Array.from({ length: matches }, (_, number) => play(`${process.pid}-${number}`));
  await new Promise((resolve) => setTimeout(resolve, 500));
  times.length = 0; // everybody has connected
  await Promise.all(playing);
  process.stdout.write(JSON.stringify({ rate: times.length / seconds, times }), () => process.exit(0));
})();
