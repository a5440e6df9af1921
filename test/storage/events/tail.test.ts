import { type EventRow, newest } from '../../../src/ports/storage/events'
import type { Storage } from '../../../src/ports/storage/storage'
import { eventsOf, sampleEvent } from '../../../src/testing/samples'
import { databases, type OpenDatabase, openAgain, postgres } from '../../support/databases'
import { recordStatements } from '../../support/databases/recorded-statements'

const blockSize = 512
/** Some events after the first block. */
const count = blockSize + 300
const everything = Number.MAX_SAFE_INTEGER

/** One of 10 events is of the flag, each of them by another user. */
const eventAt = (n: number, type = 'feature-updated'): EventRow => ({
  ...sampleEvent(n),
  type,
  project: n % 20 === 0 ? 'shop' : 'blog',
  featureName: n % 10 === 0 ? 'checkout' : 'other',
  createdByUserId: n % 10 === 0 ? n + 1 : 0,
})

const rowsFrom = (first: number, length: number) => Array.from({ length }, (_, at) => eventAt(first + at))
const idsBelow = (end: number, step = 10) =>
  Array.from({ length: end }, (_, n) => n)
    .filter((n) => n % step === 0)
    .map((n) => n + 1)
    .reverse()

/** All reads that use the tail. */
async function readFlag(storage: Storage) {
  const filter = { features: ['checkout'] }
  const search = { filter, offset: 0, limit: 500, grouped: false, maxCounted: everything }
  const found = await storage.searchEvents(search)
  const skipped = await storage.searchEvents({ ...search, offset: 7 })
  const both = await storage.searchEvents({ ...search, filter: { ...filter, projects: ['shop'] } })
  const page = await storage.eventPage(filter, newest, 500)
  const text = { filter: { ...filter, query: '1' }, cursor: { before: blockSize + 153 }, limit: 0 }
  const { searched } = (await storage.searchEvents({ ...search, ...text })).page
  const creators = await storage.eventCreators()
  return {
    ids: eventsOf(page).map(({ id }) => id),
    found: eventsOf(found.page).map(({ id }) => id),
    skipped: eventsOf(skipped.page).map(({ id }) => id),
    ofShop: eventsOf(both.page).map(({ id }) => id),
    totals: [found.total, skipped.total, both.total],
    searched,
    creators: creators.map(({ id }) => id).filter((id) => id > 0),
    creatorsOfShop: (await storage.eventCreators(['shop'])).map(({ id }) => id).filter((id) => id > 0),
  }
}

function expectedOf(ids: readonly number[]) {
  const ofShop = ids.filter((id) => (id - 1) % 20 === 0)
  return {
    ...{ ids, found: ids, skipped: ids.slice(7), ofShop },
    totals: [ids.length, ids.length, ofShop.length],
    searched: ids.filter((id) => id < blockSize + 153).length,
    creators: ids.toReversed(),
    creatorsOfShop: ofShop.toReversed(),
  }
}

describe.each(databases)('reads of events after the index on $name', ({ open }) => {
  let database: OpenDatabase
  let other: ReturnType<typeof openAgain>
  beforeEach(async () => {
    database = await open({ blockSize })
    for (let n = 0; n < count; n += 100) {
      await database.storage.appendEvents(rowsFrom(n, Math.min(100, count - n)))
    }
    await database.storage.recountEvents?.()
    other = openAgain(database.place)
    await readFlag(other.storage)
  })
  afterEach(async () => {
    await other.close()
    await database.close()
  })

  it('return what is stored, with and without what this process has already read', async () => {
    expect(await readFlag(other.storage)).toEqual(expectedOf(idsBelow(count)))
    expect(await readFlag(other.storage)).toEqual(expectedOf(idsBelow(count)))
  })

  it.each([1, 20, 700])('include %d events that another process has written since', async (more) => {
    await database.storage.appendEvents(rowsFrom(count, more))
    expect(await readFlag(other.storage)).toEqual(expectedOf(idsBelow(count + more)))
    await database.storage.close?.()
    expect(await readFlag(other.storage)).toEqual(expectedOf(idsBelow(count + more)))
  })

  it('return the events of a restored database, with other events at the same ids', async () => {
    const { knex } = database
    const swapped = [...Array(200).keys()].map((at) => count - at)
    for (const id of swapped) {
      const { project, feature_name, created_by_user_id, body } = await knex('ffcr_events').where({ id }).first()
      const isFlag = feature_name === 'checkout'
      await knex('ffcr_events')
        .where({ id })
        .update({
          project,
          feature_name: isFlag ? 'other' : feature_name,
          created_by_user_id: isFlag ? 0 : created_by_user_id,
          body: body.replace('{', '{ '),
        })
    }
    expect(await readFlag(other.storage)).toEqual(expectedOf(idsBelow(count).filter((id) => id <= count - 200)))
  })

  it('leave out events that have been removed', async () => {
    await database
      .knex('ffcr_events')
      .where('id', '>', count - 50)
      .del()
    const { ids, found, ofShop } = await readFlag(other.storage)
    const expected = idsBelow(count - 50)
    expect([ids, found, ofShop]).toEqual([expected, expected, expected.filter((id) => (id - 1) % 20 === 0)])
  })
})

it('on Postgres, a read compares only the events that were written since a tail was read', async () => {
  const database = await postgres.open({ blockSize })
  const { statements, afterCreate } = recordStatements()
  const other = openAgain(database.place, { pool: { min: 0, max: 3, afterCreate } })
  const append = async (first: number, length: number) => database.storage.appendEvents(rowsFrom(first, length))
  const read = async () => {
    statements.length = 0
    await other.storage.eventPage({ features: ['checkout'] }, newest, 500)
    await other.storage.eventCreators()
    const tails = statements.filter(({ text }) => text.includes('as feature,')).map(({ values }) => values.map(Number))
    const [page, creators] = ['inRange', 'created_by_kind'].map((word) =>
      statements.findLast(({ text }) => text.includes(word)),
    )
    const tallied = statements.filter(({ text }) => text.includes('creator:')).length
    return {
      tails,
      tallied,
      above: [Number(page?.values[0]), creators?.values.map(Number).find((value) => value >= 200)],
    }
  }
  try {
    await append(0, 300)
    expect(await read()).toEqual({ tails: [[0, 300]], tallied: 1, above: [300, 300] })
    await append(300, 31)
    expect(await read()).toEqual({ tails: [], tallied: 0, above: [300, 300] })
    await append(331, 1)
    await read()
    expect(await read()).toEqual({ tails: [], tallied: 0, above: [332, 332] })
  } finally {
    await other.close()
    await database.close()
  }
})
