const { ChangeRequestError } = require('express-change-requests')
const { createAttempts } = require('../ledger/attempts')
const { createMirrored } = require('../ledger/mirrored')
const { createTables } = require('../ledger/tables')
const { unleashClient } = require('../server/client')
const { newestEventId, readEvents, whoAmI } = require('../server/events')
const { ownEvents } = require('./own-events')
const { readWindow } = require('./read-window')
const { toBareRecorded, toRecorded } = require('./to-recorded')

/** How many events are recorded in one transaction. */
const batchSize = 100

/**
 * Copies events of direct writes on an Unleash server to the log of the router: each event exactly once, starting with its first
 * run. Call `migrate()`, then `start()`; any number of processes may run it.
 *
 * @param {object} options
 * @param {string} options.url The server.
 * @param {string} options.token The token of the gateway.
 * @param {import('knex').Knex} options.knex The database of the router, because ids and events are committed together.
 * @param {import('express-change-requests').EventLog['record']} options.record `router.events.record`.
 * @param {number} [options.pollMs] How long to wait between two reads. Default: 1 second.
 * @param {number} [options.callTimeoutMs] How long one call may take. Default: 30 seconds.
 * @param {import('express-change-requests').Logger} [options.logger]
 */
function unleashMirror({ url, token, knex, record, pollMs = 1_000, callTimeoutMs = 30_000, logger }) {
  const client = unleashClient({ url, token, callTimeoutMs })
  const attempts = createAttempts(knex)
  const mirrored = createMirrored(knex)
  let self
  let lookedAt
  let timer
  let running = Promise.resolve()

  return { migrate: () => createTables(knex), run, start, close }

  /** Copies new events. */
  async function run() {
    self ??= await whoAmI(client)
    const position = await mirrored.position()
    if (position === undefined) return mirrored.begin(await newestEventId(client))
    // The total number also shows an event that was committed late.
    const { total } = await readEvents(client, { limit: 1 })
    if (total === lookedAt) return
    await copy(position)
    lookedAt = total
  }

  async function copy({ first, last }) {
    const events = (await readWindow(client, last)).filter(({ id }) => id > first)
    if (events.length === 0) return
    const unseen = new Set(await mirrored.unseen(events.map(({ id }) => id)))
    const fresh = events.filter(({ id }) => unseen.has(id))
    // Read after the events: an apply is in the ledger before its events are on the server.
    const isOwn = ownEvents(self, await attempts.causing(events[0].id - 1))
    for (let start = 0; start < fresh.length; start += batchSize) {
      await recordBatch(fresh.slice(start, start + batchSize), isOwn)
    }
    await mirrored.advance(events.at(-1).id, events[0].id)
  }

  async function recordBatch(events, isOwn) {
    await knex.transaction(async (transaction) => {
      const noted = await mirrored.note(
        transaction,
        events.map(({ id }) => id),
      )
      const foreign = events.filter((event) => noted.has(event.id) && !isOwn(event))
      if (foreign.length > 0) await recordAll(foreign, transaction)
    })
  }

  /** An event that the log rejects must not block the others. */
  async function recordAll(events, transaction) {
    try {
      await record(events.map(toRecorded), { transaction })
    } catch (error) {
      if (!isBadData(error)) throw error
      for (const event of events) await recordOne(event, transaction)
    }
  }

  async function recordOne(event, transaction) {
    for (const toEvent of [toRecorded, toBareRecorded]) {
      try {
        return await record(toEvent(event), { transaction })
      } catch (err) {
        if (!isBadData(err)) throw err
        const { id, type } = event
        logger?.warn({ err, id, type }, 'The log rejected an event of the Unleash server.')
      }
    }
  }

  function start() {
    const again = async () => {
      await run().catch((err) => logger?.error({ err }, 'The events of the Unleash server could not be copied.'))
      if (timer !== undefined) schedule(pollMs)
    }
    const schedule = (delayMs) => {
      timer = setTimeout(() => {
        running = again()
      }, delayMs)
    }
    schedule(0)
  }

  /** Stops after the running copy. */
  async function close() {
    clearTimeout(timer)
    timer = undefined
    await running
  }
}

/** Errors before anything is written; the transaction can continue. */
function isBadData(error) {
  return ChangeRequestError.is(error) && error.name === 'BadDataError'
}

module.exports = { unleashMirror }
