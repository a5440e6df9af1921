/** Random choices that a seed repeats (mulberry32). */
function createRandom(seed) {
  let state = seed | 0
  function next() {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit) => Math.floor(next() * limit)
  return { below, pick: (list) => list[below(list.length)] }
}

module.exports = { createRandom }
