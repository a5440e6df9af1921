import { allData, sampleEvent } from '../../../src/testing/samples'
import { openAgain, sqlite } from '../../support/databases'

describe('a BEGIN of the host app that Knex does not know of, on SQLite', () => {
  it.each([
    ['rollback', [], ['kept']],
    ['commit', ['checkout'], ['kept']],
  ] as const)(
    'is joined by no call before its %s: each waits, or is 503 after statementTimeoutMs',
    async (end, flags, events) => {
      const { knex, storage, place, close } = await sqlite.open()
      const impatient = openAgain({ ...place, storage: { ...place.storage, statementTimeoutMs: 20 } })
      const begun = impatient.knex
      try {
        await begun.raw('create table flags (name text primary key)')
        await begun.raw('begin')
        await begun.raw("insert into flags values ('checkout')")

        const write = impatient.storage.appendEvents([sampleEvent('too late')])
        const read = impatient.storage.eventHead({})
        for (const call of [write, read]) {
          const error = await call.catch((thrown: unknown) => thrown)
          expect(error).toMatchObject({ message: 'A transaction of the host app is open on the connection.' })
          expect(impatient.storage.failureOf(error)).toBe('busy')
        }

        await begun.raw(end)
        await impatient.storage.appendEvents([sampleEvent('kept')])
        expect([await knex('flags').pluck('name'), await allData(storage)]).toEqual([flags, events])
      } finally {
        await impatient.close()
        await close()
      }
    },
  )
})
