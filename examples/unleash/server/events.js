/** The number of events there are, and the newest of them by time behind `offset`: at most `limit`, at most 1,000. */
async function readEvents(client, { limit, offset = 0 }) {
  const { events, total } = await client.send('GET', `search/events?limit=${limit}&offset=${offset}`)
  return { events, total }
}

/** The highest id so far. The server sorts by time, and events of one moment in any order. */
async function newestEventId(client) {
  const { events } = await readEvents(client, { limit: 100 })
  return Math.max(0, ...events.map(({ id }) => id))
}

/** As whom the server takes the token: the author of the events that it causes. */
async function whoAmI(client) {
  const { user } = await client.send('GET', 'user')
  if (Number.isInteger(user.id)) return { createdByUserId: user.id, createdBy: undefined }
  return { createdByUserId: user.internalAdminTokenUserId ?? -42, createdBy: user.username }
}

module.exports = { newestEventId, readEvents, whoAmI }
