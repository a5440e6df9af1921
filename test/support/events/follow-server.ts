import type { AddressInfo } from 'node:net'
import express from 'express'
import { createChangeRequestRouter } from '../../../src'
import { openAgain, type Place } from '../databases'
import { longTimeoutLimits } from '../databases/long-timeouts'
import { type WriterTask, writeEvents } from './event-writers'

// Forked with a Place and limits of the router as its arguments; sends its port when it listens, and `done` for each task that it is sent.
const place: Place = JSON.parse(process.argv[2] ?? '')
const database = openAgain(place, place.knex.client === 'pg' ? { pool: { min: 0, max: 8 } } : {})
const router = createChangeRequestRouter({
  storage: database.storage,
  authenticate: () => ({ id: 1, grants: [{ permission: 'ADMIN' }] }),
  limits: { ...longTimeoutLimits, followPollMs: 50, heartbeatMs: 5, ...JSON.parse(process.argv[3] ?? '{}') },
})

process.on('disconnect', () => process.exit())
process.on('message', (task: WriterTask) => {
  writeEvents(database, task, Math.random).then(
    () => process.send?.('done'),
    (error: unknown) => process.send?.(String(error)),
  )
})
const server = express()
  .use(router)
  .listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
