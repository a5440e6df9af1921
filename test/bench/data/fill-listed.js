const { isPostgres } = require('./copy')
const { firstWrite } = require('./first-write')
const { listed, open, scheduled } = require('./listed')

const batchSize = 500
const samples = { listed, open, scheduled }

/** Stores change requests as the writer of the router does, in few commits; with the build in this folder. */
async function fillListed({ build, knex, storage }, { kind, count, actionable }) {
  for (let from = 0; from < count; from += batchSize) {
    const ids = await storage.nextIds('changeRequest', Math.min(batchSize, count - from))
    await Promise.all(
      ids.map((id, index) => storage.commit(firstWrite(build, samples[kind](id, from + index, actionable)))),
    )
  }
  // Autovacuum would do this within a minute.
  if (isPostgres(knex)) await knex.raw('vacuum analyze')
}

module.exports = { fillListed }
