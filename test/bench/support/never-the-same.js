/** A storage of which each head and total differs from the previous one, so no cached response is valid. */
function neverTheSame(storage) {
  let calls = 0
  return {
    ...storage,
    async eventHead(scope) {
      const head = await storage.eventHead(scope)
      return { ...head, total: head.total + (calls++ % 1_000) }
    },
    async searchEvents(search) {
      const found = await storage.searchEvents(search)
      return { ...found, total: found.total + (calls++ % 1_000) }
    },
  }
}

module.exports = { neverTheSame }
