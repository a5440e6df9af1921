const { readEvents } = require('../server/events')

/** How many events are read again: an event that is committed late has a lower id and an earlier time than others. */
const reread = 1_000

/**
 * Page sizes to try, one after another. The server sorts only by time: if events of the same time are on both sides of a page
 * boundary, some may be on neither page. Other page sizes have other boundaries.
 */
const pageSizes = [1_000, 870, 740, 610, 530]

/**
 * All events after an id, and the last 1,000 before it, by id.
 *
 * @param {number} last All events up to this id are processed.
 * @throws if events are missing, so that they are read again
 */
async function readWindow(client, last) {
  for (const size of pageSizes) {
    const events = await readPages(client, last, size)
    if (events !== undefined) return events.sort((a, b) => a.id - b.id)
  }
  throw new Error('Too many events have the same time: the server cannot page through them.')
}

/** Undefined if something may be missing. */
async function readPages(client, last, size) {
  const found = new Map()
  let first
  for (let offset = 0; ; ) {
    const { events, total } = await readEvents(client, { limit: size, offset })
    first ??= total
    // The server returns no events if its database fails.
    if (events.length < Math.min(size, total - offset)) throw new Error('The server did not return all events.')
    offset += events.length
    for (const event of events) found.set(event.id, event)
    const old = [...found.keys()].filter((id) => id <= last).length
    if (old < reread && offset < total) continue
    // Events added in the meantime shift others to later pages, where they appear again.
    return found.size >= offset - (total - first) ? [...found.values()] : undefined
  }
}

module.exports = { readWindow }
