// A small game for two: in turn, each puts a number into one of 64 cells; endless. Its state is about as large as ours.

const game = {
  name: "cells",
  setup: () => ({ cells: Array(64).fill(null), last: null }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    put: ({ G, playerID }, cell, value) => {
      G.cells[cell] = `${playerID}:${value}`;
      G.last = cell;
    },
  },
};

module.exports = { game };
