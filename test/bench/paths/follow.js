const { setTimeout } = require('node:timers/promises')
const { catchUp, openFollowers } = require('../support/followers')
const { loopDelay, ms } = require('./measures')

const path = '/log/events'
const idleMs = 1_000

let markers = 0

/** Followers of the log, each with its own connection. */
function follow({ rows, sampleMs }) {
  const [some, many] = [500, 5_000].map((count) => Math.min(count, rows))
  const arrival = (count) => ({ ...ms, ...following(count), sample: toLastFollower })
  return {
    'from a commit to a follower': { ...arrival(1), others: ['naive'] },
    [`from a commit to the last of ${some} followers`]: { ...arrival(some), others: ['naive'] },
    [`from a commit to the last of ${many} followers`]: arrival(many),
    [`from a commit to the last of ${many} followers: worst loop delay`]: loopDelay(arrival(many), { atMost: 15 }),
    [`statements of ${some} followers`]: {
      ...{ unit: '1/s', lower: true, ...following(some) },
      async sample({ ask }) {
        const before = await ask('statements')
        const waitMs = Math.min(idleMs, 10 * sampleMs)
        await setTimeout(waitMs)
        return ((await ask('statements')) - before) / (waitMs / 1_000)
      },
    },
    'all events to a follower that catches up': {
      ...ms,
      sample: async (server) => (await catchUp(server, path, server.rows)).totalMs,
    },
  }
}

/** The followers of a path are opened once for each server, and closed after its last sample. */
const following = (count) => ({
  async prepare(server) {
    const arrivals = { count, left: 0, marker: 0, arrived: () => undefined }
    const seen = (marker, at) => {
      if (marker === arrivals.marker && --arrivals.left === 0) arrivals.arrived(at)
    }
    return { arrivals, close: await openFollowers(server, path, count, seen) }
  },
  finish: ({ close }) => close(),
})

async function toLastFollower({ recorder, ask }, { arrivals }) {
  const last = new Promise((resolve) => {
    Object.assign(arrivals, { marker: ++markers, left: arrivals.count, arrived: resolve })
  })
  const committed = await (recorder?.ask ?? ask)('record', markers)
  return (await last) - committed
}

module.exports = { follow }
