const { figure, progress } = require('./figures')
const { project } = require('./fill')
const { openFollowers } = require('./followers')
const { postFor } = require('./posts')

const postMs = 2_500
const catchUpRounds = 2

/** The effect of followers on proposals. */
async function benchPosts({ database, rounds, server, prefix }) {
  const followers = 100
  const ways = { ours: [], 'without followers': [] }
  await postFor(server.port, prefix, 500)
  for (let round = 0; round < Math.min(rounds, 3); round += 1) {
    ways['without followers'].push((await postFor(server.port, prefix, postMs)).p99)
    const closeAll = await openFollowers(server.port, `/${prefix}/events`, followers, () => {})
    ways.ours.push((await postFor(server.port, prefix, postMs)).p99)
    closeAll()
  }
  figure({ database, name: `POST with ${followers} followers, p99`, unit: 'ms', lower: true, ways })
}

/** A follower that begins with the oldest event, compared with an export of the same events. */
async function benchCatchUp({ database, rounds, server, reader, log }) {
  const { port } = server
  const path = `/${log.prefix}/events?project=${project}`
  const perSecond = { ours: [], NDJSON: [] }
  const headers = { Accept: 'application/x-ndjson' }
  const work = {
    ours: () => reader.ask('catchUp', { port, path, lastId: log.rows }),
    NDJSON: () => reader.ask('download', { port, path: `${path}&order=asc`, headers }),
  }
  const grown = []
  for (let round = 0; round < Math.min(rounds, catchUpRounds); round += 1) {
    for (const way of Object.keys(perSecond)) {
      const { totalMs, peak, before } = await server.watched(work[way])
      perSecond[way].push((log.rows / totalMs) * 1_000)
      if (way === 'ours') grown.push((peak - before) / 1e6)
    }
  }
  const name = `catching up with ${log.rows} events`
  figure({ database, name, unit: '1/s', ways: perSecond })
  figure({
    database,
    name: `${name}: memory grown`,
    unit: 'MB',
    lower: true,
    ways: { ours: grown },
    thresholds: [{ max: 50 }],
  })
  progress(`${database}: catching up measured`)
}

module.exports = { benchCatchUp, benchPosts }
