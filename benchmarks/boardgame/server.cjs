// boardgame.io's own server, in memory: `node server.cjs PORT`.

const { Server } = require("boardgame.io/server");
const { game } = require("./game.cjs");

const port = Number(process.argv[2]);
Server({ games: [game], origins: ["*"] }).run({ port }, () => console.log("listening"));
