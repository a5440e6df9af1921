const { readEvents } = require('../server/events')

/** How many events are read again: one that was committed late has a lower id and an earlier time than its turn. */
const reread = 1_000

/**
 * Sizes of pages that are tried in turn. The server sorts by time alone: where events of one moment lie on both sides of
 * the end of a page, some may be on neither page. Other pages end elsewhere.
 */
const pageSizes = [1_000, 870, 740, 610, 530]

/**
 * All events behind a position, and the last 1,000 before it, by id.
 *
 * @param {number} last Up to this id everything has been dealt with.
 * @throws if the server left something out, so that it is read again
 */
async function readWindow(client, last) {
  for (const size of pageSizes) {
    const events = await readPages(client, last, size)
    if (events !== undefined) return events.sort((a, b) => a.id - b.id)
  }
  throw new Error('More events have the same time than the server can page through.')
}

/** Undefined if something may be missing. */
async function readPages(client, last, size) {
  const found = new Map()
  let first
  for (let offset = 0; ; ) {
    const { events, total } = await readEvents(client, { limit: size, offset })
    first ??= total
    // The server answers with no events where its database fails.
    if (events.length < Math.min(size, total - offset)) throw new Error('The server has not sent all events.')
    offset += events.length
    for (const event of events) found.set(event.id, event)
    const old = [...found.keys()].filter((id) => id <= last).length
    if (old < reread && offset < total) continue
    // What was added meanwhile moved as many events to later pages, where they came once more.
    return found.size >= offset - (total - first) ? [...found.values()] : undefined
  }
}

module.exports = { readWindow }
