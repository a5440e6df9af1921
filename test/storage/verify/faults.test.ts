import { generateKeyPairSync } from 'node:crypto'
import { changeRequestEvent } from '../../../src/domain/events/events'
import type { ChangeRequest, EventRow, Storage, VerifyCode, VerifyOptions } from '../../../src/index'
import { createEventChain, verifyStorage } from '../../../src/index'
import { toEventRows } from '../../../src/kernel/log/event-rows'
import { storedFacts } from '../../../src/kernel/writer/stored-facts'
import { databases, type OpenDatabase } from '../../support/databases'
import { memoryLedger } from '../../support/memory-ledger'
import { rewrite } from '../../support/rewrite'
import { fillSample, type Sample } from '../../support/verify/sample'

type Target = OpenDatabase & { readonly sample: Sample }

interface Case {
  readonly code: VerifyCode
  /** Stores faults, and returns the ids that must be found. */
  plant(target: Target): Promise<readonly (number | string | null)[]>
  /** Codes that the same faults cause, too. */
  readonly also?: readonly VerifyCode[]
}

const requests = 'ffcr_change_requests'
const by = { author: { person: { id: 2, username: 'ben', imageUrl: null }, signature: 'ben', ip: null } }

const voteOf = (current: ChangeRequest, change: object) => ({
  approvals: current.approvals.map((vote) => ({ ...vote, ...change })),
})

function rowsOf(type: Parameters<typeof changeRequestEvent>[0], of: ChangeRequest): EventRow[] {
  return toEventRows([changeRequestEvent(type, of, { by, now: of.createdAt })], { pageUrl: '', links: {} })
}

/** A second open change request of the same author in the same place, with its event. */
async function openAnother(storage: Storage, id: number): Promise<number> {
  const [next = 0] = await storage.nextIds('changeRequest', 1)
  const { changeRequest: original } = (await storage.find({}, id)) ?? {}
  if (original === undefined) throw new Error(`There is no change request ${id}.`)
  const { project, environment, createdBy, createdAt, minApprovals } = original
  const changeRequest: ChangeRequest = {
    ...{ id: next, project, environment, createdBy, createdAt, updatedAt: createdAt, minApprovals, title: null },
    state: 'Draft',
    ...{ changes: [], approvals: [], rejections: [], comments: [], requestedApprovers: [], schedule: null },
    stateTimestamps: { Draft: createdAt },
  }
  const facts = storedFacts(changeRequest)
  const events = rowsOf('change-request-created', changeRequest)
  expect(await storage.commit({ changeRequest, ...facts, version: 1, expectedVersion: 0, before: null, events })).toBe(
    true,
  )
  return next
}

const cases: readonly Case[] = [
  {
    code: 'state',
    async plant({ storage, sample }) {
      const at = (name: keyof Sample) => sample[name]
      await rewrite(storage, at('in review'), () => ({ state: 'Approved' }))
      await rewrite(storage, at('scheduled'), (one) => {
        return { schedule: one.schedule && { ...one.schedule, status: 'failed', reason: 'x' } }
      })
      await rewrite(storage, at('approved twice'), () => ({ approvals: [] }))
      const { changeRequest } = (await storage.find({}, at('applied'))) ?? {}
      if (changeRequest === undefined) throw new Error('There is no applied one.')
      await rewrite(storage, at('applied'), (one) => one, rowsOf('change-request-applied', changeRequest))
      return [at('in review'), at('scheduled'), at('approved twice'), at('applied')]
    },
  },
  {
    code: 'state',
    also: ['counts'],
    async plant({ knex, sample }) {
      // Rows that a restore has lost.
      const [request, applied] = [sample.rejected, sample.applied]
      await knex(requests).where({ id: request }).del()
      await knex('ffcr_events').where({ change_request_id: applied, type: 'change-request-applied' }).del()
      await knex('ffcr_events').where({ change_request_id: sample.run, type: 'change-request-created' }).del()
      return [request, applied, sample.run]
    },
  },
  {
    code: 'columns',
    async plant({ knex, sample }) {
      await knex(requests).where({ id: sample.rejected }).update({ after_review: true })
      await knex(requests).where({ id: sample.scheduled }).update({ updated_at: '2026-03-04T11:59:59.999Z' })
      await knex(requests).where({ id: sample.draft }).update({ applying_since: '2026-03-04T12:00:00.000Z' })
      await knex('ffcr_change_request_texts').where({ change_request_id: sample.applied }).update({ text: 'other' })
      await knex('ffcr_change_request_subjects').where({ change_request_id: sample.edited }).del()
      const { summary } = await knex(requests).where({ id: sample.cancelled }).first('summary')
      await knex(requests)
        .where({ id: sample.cancelled })
        .update({ summary: JSON.stringify({ ...JSON.parse(summary), title: 'Another title' }) })
      return [sample.rejected, sample.scheduled, sample.draft, sample.applied, sample.edited, sample.cancelled]
    },
  },
  {
    code: 'votes',
    async plant({ storage, sample }) {
      const { 'approved twice': approved, scheduled, suspended } = sample
      await rewrite(storage, approved, (one) => voteOf(one, { digest: 'of other content' }))
      await rewrite(storage, scheduled, (one) =>
        voteOf(one, { createdBy: { id: 4, username: 'cleo', imageUrl: null, kind: 'agent' } }),
      )
      await rewrite(storage, suspended, () => ({ otherAuthors: [4] }))
      return [approved, scheduled, suspended]
    },
  },
  {
    code: 'open',
    async plant({ knex, storage, sample }) {
      await knex.raw('drop index ffcr_change_requests_open')
      const ids: number[] = []
      for (const name of ['draft', 'in review', 'edited'] as const) ids.push(await openAnother(storage, sample[name]))
      return ids
    },
  },
  {
    code: 'counts',
    async plant({ knex }) {
      await knex('ffcr_event_counts').where({ project: 'shop' }).increment('total', 1)
      await knex('ffcr_event_tallies').where({ project: 'shop', term: 'creator:9' }).del()
      await knex('ffcr_event_tallies').where({ project: '', term: 'creator:4' }).update({ first_id: 1 })
      await knex('ffcr_change_request_counts')
        .where({ author: '2', state: 'Draft', environment: 'place-1' })
        .decrement('total', 1)
      return [null, null, null, null]
    },
  },
  {
    code: 'events',
    async plant({ knex, sample }) {
      const events = () => knex('ffcr_events').where({ change_request_id: sample.rejected }).orderBy('id')
      const [first, second, third, fourth, fifth] = (await events().select('id')).map(({ id }) => Number(id))
      const change = (id: number | undefined, values: object) => knex('ffcr_events').where({ id }).update(values)
      await change(first, { environment: 'elsewhere' })
      await change(second, { feature_name: 'another' })
      await change(third, { group_id: 'a group' })
      await change(fourth, { body: knex.raw(`replace(body, '"type":"', '"type":"x-')`) })
      await change(fifth, { body: knex.raw(`replace(body, '"type":', '"tipe":')`) })
      return [first, second, third, fourth, fifth].map(Number)
    },
  },
  {
    code: 'consumers',
    async plant({ knex, storage }) {
      const { lastId: id, fingerprint } = await storage.eventHead({})
      for (const name of ['ahead', 'audit', 'other', 'right']) {
        await storage.consumers?.create(name, { position: id, event: { id, fingerprint } })
      }
      const change = (name: string, values: object) => knex('ffcr_consumers').where({ name }).update(values)
      await change('ahead', { position: id + 1 })
      await change('audit', { fingerprint: '00000000' })
      await change('other', { event_id: id - 1 })
      return ['ahead', 'audit', 'other']
    },
  },
  {
    code: 'documents',
    async plant({ knex, sample }) {
      const change = (id: number, values: object) => knex(requests).where({ id }).update(values)
      await change(sample.rejected, { document: knex.raw(`replace(document, '"minApprovals":1', '"minApprovals":0')`) })
      await change(sample.draft, { content: knex.raw(`replace(content, 'updateEnabled', 'updateEnable')`) })
      await change(sample.applied, { version: 1 })
      await change(sample.edited, { document: 'not JSON' })
      return [sample.rejected, sample.draft, sample.applied, sample.edited]
    },
  },
  {
    code: 'schema',
    async plant({ knex }) {
      await knex.raw('drop table ffcr_change_request_texts')
      await knex.raw('drop table ffcr_event_tallies')
      await knex.raw('alter table ffcr_consumers drop column fingerprint')
      return [null, null, null]
    },
  },
]

const sorted = (ids: readonly unknown[]) => [...ids].map(String).sort()

describe.each(databases)('verifyStorage on $name', ({ open }) => {
  let database: OpenDatabase
  beforeEach(async () => {
    database = await open({ namedSchema: false })
  })
  afterEach(() => database.close())

  it.each(cases)('names each fault that is planted: $code', async ({ code, plant, also = [] }) => {
    const sample = await fillSample(database.storage)
    const planted = await plant({ ...database, sample })
    const { findings, total } = await verifyStorage(database.storage)
    const found = findings.filter((one) => one.code === code)
    expect({ ids: sorted(found.map(({ id }) => id)), findings }).toEqual({ ids: sorted(planted), findings })
    expect([...new Set(findings.map((one) => one.code))].filter((one) => one !== code)).toEqual(also)
    expect(total).toBe(findings.length)
  })

  it('names the first event that differs from the ledger', async () => {
    const { storage, knex } = database
    await fillSample(storage)
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    const ledger = memoryLedger()
    const options: VerifyOptions = { ledger: { ledger, publicKey } }
    await createEventChain({ storage, ledger, privateKey }).seal()
    expect((await verifyStorage(storage, options)).findings).toEqual([])
    for (const id of [40, 20, 3]) {
      await knex('ffcr_events')
        .where({ id })
        .update({ body: knex.raw(`replace(body, '"tags":[]', '"tags":[ ]')`) })
      const { findings } = await verifyStorage(storage, options)
      expect(findings).toMatchObject([{ code: 'ledger', id }])
    }
  })
})
