import supertest from 'supertest'
import type { FlagGateway } from '../../../src'
import { enable, people, startApp } from '../../support/app'
import { databases } from '../../support/databases'
import { expectConsistent } from '../../support/verify/expect-consistent'

describe.each(databases)('a change request with 500 changes on $name', ({ open }) => {
  it('is proposed, read, edited, reviewed and applied like any other', async () => {
    const database = await open()
    const carriedOut: string[] = []
    const strategies = [{ id: 's1', name: 'default', disabled: false }]
    const flags: FlagGateway = {
      transactional: true,
      current: async ({ features }) => ({
        features: new Map(features.map((name) => [name, { archived: false, enabled: false, strategies }])),
        segments: new Map(),
      }),
      apply: async (changes) => {
        carriedOut.push(...changes.map(({ feature }) => String(feature)))
        return changes.map(({ feature }) => ({ type: 'feature-environment-enabled', featureName: feature }))
      },
    }
    const app = await startApp({ storage: database.storage, flags })
    const own = '/api/admin/projects/shop/change-requests/1'
    const send = (method: 'get' | 'put' | 'delete', path: string, key: string, body?: object) =>
      supertest(app.server)[method](path).set({ Authorization: key }).send(body)
    const to = (key: string, state: string) => send('put', `${own}/state`, key, { state })
    try {
      for (let list = 0; list < 5; list += 1) {
        const changes = Array.from({ length: 100 }, (_, index) => enable(`flag-${list}-${index}`))
        expect((await app.propose(changes, { key: people.ben.key })).status).toBe(200)
      }
      const { body } = await send('get', own, people.ben.key)
      const ids: number[] = body.features.flatMap((group: { changes: { id: number }[] }) =>
        group.changes.map(({ id }) => id),
      )
      expect(ids).toEqual(Array.from({ length: 500 }, (_, index) => index + 1))

      expect((await send('put', `${own}/changes/250`, people.ben.key, enable('another'))).status).toBe(200)
      expect((await send('delete', `${own}/changes/251`, people.ben.key)).status).toBe(200)
      for (const [key, state] of [
        [people.ben.key, 'In review'],
        [people.ann.key, 'Approved'],
        [people.ann.key, 'Applied'],
      ] as const) {
        expect((await to(key, state)).body.state).toBe(state)
      }

      expect(carriedOut).toHaveLength(499)
      expect(carriedOut.at(-1)).toBe('another')
      const events = (await app.events('?project=shop')).body
      // Created, 500 added, edited, discarded, sent, approval, approved, 499 flags, applied.
      expect(events.totalEvents).toBe(1 + 500 + 1 + 1 + 1 + 1 + 1 + 499 + 1)
      await expectConsistent(database.storage)
    } finally {
      await app.close()
      await database.close()
    }
  })
})
