/** Counts the iterations of the event loop until `stop` is called. */
export function countTurns() {
  let turns = 0
  const tick = () => {
    turns += 1
    next = setImmediate(tick)
  }
  let next = setImmediate(tick)
  return { turns: () => turns, stop: () => clearImmediate(next) }
}
