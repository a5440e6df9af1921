/** The total number of events, and the newest ones by time after `offset`: at most `limit`, at most 1,000. */
async function readEvents(client, { limit, offset = 0 }) {
  const { events, total } = await client.send('GET', `search/events?limit=${limit}&offset=${offset}`)
  return { events, total }
}

/** The highest id. The server sorts only by time, so events of the same time are in any order. */
async function newestEventId(client) {
  const { events } = await readEvents(client, { limit: 100 })
  return Math.max(0, ...events.map(({ id }) => id))
}

/** The user of the token on the server: the author of its events. */
async function whoAmI(client) {
  const { user } = await client.send('GET', 'user')
  if (Number.isInteger(user.id)) return { createdByUserId: user.id, createdBy: undefined }
  return { createdByUserId: user.internalAdminTokenUserId ?? -42, createdBy: user.username }
}

module.exports = { newestEventId, readEvents, whoAmI }
