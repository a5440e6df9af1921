import type { Socket } from 'node:net'
import { allData, eventsOf, sampleEvent } from '../../../src/testing/samples'
import { databases, postgres } from '../../support/databases'
import { connectionsInUse } from '../../support/databases/pool'

// Jest's toThrow does not recognize the errors of SQLite.
const unknownTable = { message: expect.stringContaining('ffcr_events') }

describe.each(databases)('eventPage(scope, cursor, limit) on $name', (database) => {
  it('holds no connection between pages', async () => {
    const { knex, storage, close } = await database.open({ pool: { min: 0, max: 1 } })
    try {
      await storage.appendEvents(Array.from({ length: 9 }, (_, index) => sampleEvent(index)))
      const seen: unknown[] = []
      for (let after = 0; ; ) {
        const page = await storage.eventPage({}, { after }, 2)
        expect(connectionsInUse(knex)).toBe(0)
        // The only connection is free for the host.
        await knex.raw('select 1')
        if (page.count === 0) break
        seen.push(...eventsOf(page).map(({ data }) => data))
        after = page.lastId
      }

      expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
    } finally {
      await close()
    }
  })

  it('leaves the connection usable when the query fails', async () => {
    const { knex, storage, close } = await database.open({ pool: { min: 0, max: 1 } })
    try {
      await storage.appendEvents([sampleEvent('a')])
      await knex.schema.renameTable('ffcr_events', 'elsewhere')
      for (let round = 0; round < 3; round += 1) {
        await expect(storage.eventPage({}, { after: 0 }, 10)).rejects.toMatchObject(unknownTable)
      }
      expect(connectionsInUse(knex)).toBe(0)
      await knex.schema.renameTable('elsewhere', 'ffcr_events')

      expect(await allData(storage)).toEqual(['a'])
    } finally {
      await close()
    }
  })
})

describe.each(databases)('searchEvents(search) on $name', (database) => {
  it('leads a client that pages by the total to each of 10,000 events that two frequent values share', async () => {
    const { storage, close } = await database.open()
    try {
      const events = Array.from({ length: 2_000 }, (_, index) => ({
        ...sampleEvent(index),
        environment: index % 2 === 0 ? 'production' : 'development',
      }))
      for (let round = 0; round < 10; round += 1) await storage.appendEvents(events)
      const filter = { types: [sampleEvent('a').type], environments: ['production'] }
      const seen = new Set<number>()
      for (let total = 1; seen.size < total; ) {
        const search = { filter, offset: seen.size, limit: 1_000, grouped: false, maxCounted: 1_000 }
        const found = await storage.searchEvents(search)
        for (const { id } of eventsOf(found.page)) seen.add(id)
        expect(found.isExact).toBe(seen.size === 10_000)
        ;({ total } = found)
      }

      expect(seen.size).toBe(10_000)
    } finally {
      await close()
    }
  })
})

describe.each(databases)('an offset in the whole log or in a project on $name', (database) => {
  it('skips days by their stored numbers, also where days share ids and events have gaps', async () => {
    const { knex, storage, close } = await database.open()
    try {
      const days = [1, 1, 2, 1, 2, 2, 3, 3, 5, 4, 5, 6, 6].map((day) => `2026-03-0${day}T12:00:00.000Z`)
      const rows = days.map((createdAt, at) => ({
        ...sampleEvent(at),
        createdAt,
        project: at % 3 === 0 ? 'blog' : 'shop',
      }))
      await storage.appendEvents(rows)
      await knex('ffcr_events').where({ id: 8 }).del()
      await storage.recountEvents?.()
      for (const projects of [undefined, ['shop']]) {
        const search = { filter: { ...(projects && { projects }) }, grouped: false, maxCounted: 1 }
        const idsFrom = async (offset: number, limit: number) =>
          eventsOf((await storage.searchEvents({ ...search, offset, limit })).page).map(({ id }) => id)
        const all = await idsFrom(0, 20)

        expect(all).toHaveLength(projects ? 7 : 12)
        for (let offset = 1; offset <= all.length + 1; offset += 1) {
          expect([offset, await idsFrom(offset, 3)]).toEqual([offset, all.slice(offset, offset + 3)])
        }
      }
    } finally {
      await close()
    }
  })
})

describe('eventPage(scope, cursor, limit) on Postgres, over the connection of the host app', () => {
  it('never touches the listeners of its socket', async () => {
    const changes: string[] = []
    // biome-ignore lint/suspicious/noExplicitAny: Knex hands over the driver's connection without a type.
    const afterCreate = (connection: any, done: (error: unknown, connection: unknown) => void) => {
      const { stream } = connection.connection
      stream.on('removeListener', (name: string) => changes.push(name))
      stream.on('newListener', (name: string) => changes.push(name))
      done(undefined, connection)
    }
    const { storage, close } = await postgres.open({ pool: { min: 0, max: 1, afterCreate } })
    try {
      await storage.appendEvents(Array.from({ length: 300 }, (_, index) => sampleEvent('x'.repeat(index * 10))))
      changes.length = 0
      for (const filter of [{}, { projects: ['shop'] }, { types: ['feature-updated'] }, { text: 'xxx' }]) {
        await storage.eventPage(filter, { after: 0 }, 300)
      }

      expect(changes.filter((name) => name === 'data')).toEqual([])
    } finally {
      await close()
    }
  })

  it('prepares the statement of a search again after it failed', async () => {
    const { knex, storage, close } = await postgres.open({ pool: { min: 0, max: 1 } })
    const filter = { types: [sampleEvent('a').type] }
    const search = { filter, offset: 0, limit: 10, grouped: false, maxCounted: 10 }
    const found = async () => eventsOf((await storage.searchEvents(search)).page).map(({ data }) => data)
    const prepared = async () => (await knex.raw(`select name from pg_prepared_statements`)).rows.length
    try {
      await storage.appendEvents([sampleEvent('a')])
      const before = await prepared()
      await knex.schema.renameTable('ffcr_events', 'elsewhere')
      await expect(storage.searchEvents(search)).rejects.toThrow('ffcr_events')
      await knex.schema.renameTable('elsewhere', 'ffcr_events')

      for (let round = 0; round < 3; round += 1) expect(await found()).toEqual(['a'])
      expect(await prepared()).toBe(before + 1)
    } finally {
      await close()
    }
  })

  it('reads events that are larger than all before', async () => {
    const { storage, close } = await postgres.open()
    try {
      const data = ['a', 'b'.repeat(500_000), 'c', '語'.repeat(300_000), 'd']
      await storage.appendEvents(data.map((text) => sampleEvent(text)))

      expect(await allData(storage)).toEqual(data)
      const { json } = await storage.eventPage({ query: '語語' }, { after: 0 }, 10)
      expect(JSON.parse(`[${Buffer.from(json)}]`)).toEqual([expect.objectContaining({ data: data[3] })])
    } finally {
      await close()
    }
  })
})

describe('eventPage(scope, cursor, limit) on Postgres, when the server sends more than rows', () => {
  /** Replaces the events by a view. Postgres runs `statements` for the body of each row. */
  async function openNoisy(statements: string) {
    const received = { notices: 0, notifications: 0 }
    // biome-ignore lint/suspicious/noExplicitAny: Knex hands over the driver's connection without a type.
    const afterCreate = (connection: any, done: (error: unknown, connection: unknown) => void) => {
      connection.on('notice', () => (received.notices += 1))
      connection.on('notification', () => (received.notifications += 1))
      connection.query('listen noise', (error: unknown) => done(error, connection))
    }
    const open = await postgres.open({ pool: { min: 0, max: 1, afterCreate } })
    const { knex, storage } = open
    await storage.appendEvents(Array.from({ length: 200 }, (_, index) => sampleEvent(`${index} ${'語'.repeat(200)}`)))
    await knex.raw(
      `create function noisy(id bigint, body text) returns text language plpgsql stable as
       $$ begin ${statements} return body; end $$`,
    )
    await knex.schema.renameTable('ffcr_events', 'quiet')
    await knex.raw('create view ffcr_events as select id, project, noisy(id, body) as body from quiet')
    return { ...open, received }
  }

  const expected = Array.from({ length: 200 }, (_, index) => `${index} ${'語'.repeat(200)}`)

  it('returns the rows, and passes notices, notifications and settings to the driver', async () => {
    const { knex, storage, received, close } = await openNoisy(
      `raise notice 'row %', id; perform pg_notify('noise', id::text), set_config('application_name', 'a' || id, false);`,
    )
    try {
      for (let round = 0; round < 3; round += 1) {
        const page = await storage.eventPage({}, { after: 0 }, 1_000)
        expect(eventsOf(page).map(({ data }) => data)).toEqual(expected)
      }
      const { rows } = await knex.raw('select 1 as one')

      expect(rows).toEqual([{ one: 1 }])
      expect(received).toEqual({ notices: 600, notifications: 600 })
    } finally {
      await close()
    }
  })

  it('rejects when the query fails after some rows, and leaves the connection usable', async () => {
    const { knex, storage, close } = await openNoisy(`if id = 150 then raise 'row % is broken', id; end if;`)
    try {
      for (let round = 0; round < 3; round += 1) {
        await expect(storage.eventPage({}, { after: 0 }, 1_000)).rejects.toThrow('row 150 is broken')
        expect((await knex.raw('select 1 as one')).rows).toEqual([{ one: 1 }])
        const page = await storage.eventPage({}, { after: 0 }, 100)
        expect(eventsOf(page).map(({ data }) => data)).toEqual(expected.slice(0, 100))
      }
      expect(connectionsInUse(knex)).toBe(0)
    } finally {
      await close()
    }
  })
})

describe('eventPage(scope, cursor, limit) on Postgres, when the network splits the response', () => {
  it.each([1, 2, 3, 4, 5, 7, 64, 1_000])('into chunks of %i bytes, returns all rows', async (size) => {
    // biome-ignore lint/suspicious/noExplicitAny: Knex hands over the driver's connection without a type.
    const afterCreate = (connection: any, done: (error: unknown, connection: unknown) => void) => {
      cutData(connection.connection.stream, size)
      done(undefined, connection)
    }
    const { knex, storage, close } = await postgres.open({ pool: { min: 0, max: 1, afterCreate } })
    try {
      const data = Array.from({ length: 40 }, (_, index) => `${index} ${'語é👍'.repeat((index * 37) % 50)}`)
      await storage.appendEvents(data.map((text) => sampleEvent(text)))

      expect(await allData(storage)).toEqual(data)
      expect((await knex.raw('select 1 as one')).rows).toEqual([{ one: 1 }])
      expect(await allData(storage)).toEqual(data)
    } finally {
      await close()
    }
  })
})

function cutData(stream: Socket, size: number): void {
  const emit = stream.emit.bind(stream) as (name: string, ...values: unknown[]) => boolean
  stream.emit = (name: string, ...values: unknown[]) => {
    const [chunk] = values
    if (name !== 'data' || !Buffer.isBuffer(chunk)) return emit(name, ...values)
    for (let start = 0; start < chunk.length; start += size) emit('data', chunk.subarray(start, start + size))
    return true
  }
}
