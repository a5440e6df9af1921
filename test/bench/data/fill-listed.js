const { join } = require('node:path')
const { isPostgres } = require('./copy')
const { listed, open, scheduled } = require('./listed')

const batchSize = 500
const samples = { listed, open, scheduled }

/** Stores change requests as the writer of the router does, in few commits; with the build in this folder. */
async function fillListed({ build, knex, storage }, { kind, count, actionable }) {
  const { searchText, summarize } = require(join(build, 'domain/content/summary.js'))
  const { subjectsOf } = require(join(build, 'domain/content/grouping.js'))
  const { isOpen } = require(join(build, 'domain/lifecycle.js'))
  for (let from = 0; from < count; from += batchSize) {
    const ids = await storage.nextIds('changeRequest', Math.min(batchSize, count - from))
    await Promise.all(
      ids.map((id, index) => {
        const changeRequest = samples[kind](id, from + index, actionable)
        return storage.commit({
          ...{
            changeRequest,
            summary: summarize(changeRequest),
            version: 1,
            expectedVersion: 0,
            before: null,
            searchText: searchText(summarize(changeRequest)),
          },
          ...{
            open: isOpen(changeRequest.state),
            subjects: subjectsOf(changeRequest),
            applyingSince: null,
            events: [],
          },
          dueAt: changeRequest.schedule?.scheduledAt ?? null,
        })
      }),
    )
  }
  // Autovacuum would do this within a minute.
  if (isPostgres(knex)) await knex.raw('vacuum analyze')
}

module.exports = { fillListed }
