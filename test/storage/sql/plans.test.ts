import {
  notApplicableSince,
  notApprovedSince,
  objected,
  objectedInSubject,
  reviewedSince,
} from '../../../src/domain/content/grouping'
import { type EventFilter, newest } from '../../../src/ports/storage/events'
import type { Storage } from '../../../src/ports/storage/storage'
import { creation, freshId, key, moment, sampleChangeRequest, sampleEvent } from '../../../src/testing/samples'
import { postgres } from '../../support/databases'
import { recordStatements } from '../../support/databases/recorded-statements'

const everything = Number.MAX_SAFE_INTEGER
/**
 * Postgres compiles a statement (JIT) above a cost of 100,000. The tables here are so small that only rows that do not exist
 * make a statement this expensive. The Postgres of the tests cannot compile, but its planner estimates the same costs.
 */
const maxCost = 10_000

const all = { limit: 10, bytes: 1_048_576 }

const filters: readonly EventFilter[] = [
  {},
  { projects: ['shop'] },
  { projects: ['shop', 'blog'] },
  { features: ['checkout'] },
  { types: ['feature-updated'] },
  { environments: ['production'] },
  { createdBy: [7] },
  { groupIds: ['G'] },
  { changeRequestIds: [1] },
  { from: '2026-03-01', to: '2026-03-02' },
  { projects: ['shop'], types: ['feature-updated'], environments: ['production'] },
  { history: { features: ['checkout'], subjects: ['feature:checkout'] } },
]

async function fill(storage: Storage): Promise<void> {
  const event = { environment: 'production', createdByUserId: 7, groupType: 'g', groupId: 'G', changeRequestId: 1 }
  for (let n = 0; n < 20; n += 1) {
    const changeRequest = sampleChangeRequest({ id: await freshId(storage), userId: n + 1 })
    await storage.commit({ ...creation(changeRequest, [sampleEvent(n)]), subjects: ['feature:checkout'] })
    await storage.appendEvents(Array.from({ length: 20 }, (_, at) => ({ ...sampleEvent(at), ...event })))
  }
  await storage.recountEvents?.()
}

/** Calls every method that reads, with every filter. */
async function readAll(storage: Storage): Promise<void> {
  for (const filter of filters) {
    for (const cursor of [newest, { before: 300 }, { after: 10 }]) {
      await storage.eventPage(filter, cursor, 10, true)
      const text = { filter: { ...filter, query: 'a' }, cursor, offset: 0, grouped: true, maxCounted: 10 }
      for (const limit of [0, 10]) await storage.searchEvents({ ...text, limit })
      for (const offset of [0, 20]) {
        await storage.searchEvents({ filter, cursor, limit: 10, offset, grouped: true, maxCounted: everything })
      }
    }
  }
  const projects = ['shop']
  const features = ['checkout']
  for (const scope of [{}, { projects }, { features }, { projects, features }]) await storage.eventHead(scope)
  for (const scope of [undefined, projects]) {
    await storage.eventCreators(scope)
    await storage.eventsPerDay({ from: '2026-03-01', to: '2026-03-05' }, scope)
  }
  const subjects = ['feature:checkout', 'segment:4']
  for (const filter of [{}, { projects }, { states: ['Draft'] }, { createdBy: 1 }, { subjects }] as const) {
    await storage.list({ ...filter, viewer: 1 }, all)
    await storage.summaries({ ...filter, viewer: 1 }, all)
    await storage.countByState({ ...filter, viewer: 1 })
    await storage.countGroups({ ...filter, viewer: 1 })
  }
  const groups = [{ project: 'shop', environment: 'production', scope: 'environment', state: 'In review' }] as const
  const ways = [{ groups }, { groups, by: 1 }, { groups, subject: 'stopped:1' }, { groups, afterReview: true }] as const
  const page = { limit: 10, bytes: 1 << 20, counts: { of: [ways], upTo: 1_001 } }
  for (const one of [
    ...ways,
    { groups, notBy: 1, withoutSubject: reviewedSince(1, null) },
    { groups, withoutSubject: objected },
    { groups, withoutSubject: notApplicableSince(moment) },
    { groups, subject: notApprovedSince(moment) },
  ]) {
    for (const order of ['newest', 'waiting', 'recent'] as const) {
      const times = { createdFrom: moment, createdBefore: moment }
      const scheduled = { scheduledFrom: moment, scheduledBefore: moment }
      for (const more of [{}, { createdBy: 1 }, { subjects }, { query: { part: 'a', id: 1 } }, times, scheduled]) {
        await storage.reviews({ cases: [one], order, ...more, ...page })
        await storage.reviews({ cases: [one], order, ...more, ...page, after: { at: moment, id: 1 } })
      }
    }
  }
  const objections = { of: [[{ groups, subject: objectedInSubject('shop') }]], upTo: everything }
  await storage.reviews({ ...{ cases: [], order: 'newest', limit: 1, bytes: 1 }, counts: objections })
  await storage.find({ project: 'shop' }, 1)
  await storage.loadProposal(key, 1)
  await storage.due({ limit: 1 })
  await storage.dueTimes(moment)
  await storage.interrupted(moment, { limit: 1 })
  await storage.projects()
  await storage.settings('shop')
  await storage.findSettings(key)
  await storage.findIdempotencyRecord({ userId: 1, key: 'k' }, moment)
  await storage.health()
}

describe('a Postgres that has never analysed the tables', () => {
  it('estimates so low a cost for each statement that it compiles none (JIT)', async () => {
    const { statements, afterCreate } = recordStatements()
    const open = await postgres.open({ pool: { min: 0, max: 2, afterCreate } })
    try {
      await fill(open.storage)
      await readAll(open.storage)
      const run = [...new Map(statements.map((one) => [one.text, one])).values()].filter(({ text }) =>
        /^\s*(?:select|with|insert|update|delete)\b/i.test(text),
      )
      expect(run.length).toBeGreaterThan(50)
      await open.knex.transaction(async (transaction) => {
        const connection = await transaction.client.acquireConnection()
        for (const { text, values } of run) {
          const { rows } = await connection.query(`explain (format json) ${text}`, values)
          const [{ Plan: plan }] = rows[0]['QUERY PLAN']
          expect([text, plan['Total Cost'] < maxCost]).toEqual([text, true])
        }
      })
    } finally {
      await open.close()
    }
  })
})
