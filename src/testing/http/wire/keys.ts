import { errorOf, type Json, succeeded } from '../api'
import { must, type RuleGroup } from '../rule'

/** Returns a key that no other run has used. */
const freshKey = () => `contract-${crypto.randomUUID()}`

const keyed = (key: string) => ({ 'Idempotency-Key': key })

const sizeOf = ({ features }: Json): number => features[0].changes.length

export const keys: RuleGroup = {
  title: 'Idempotency-Key',
  rules: [
    must('CR-632', 'treat bodies as equal regardless of the order of their keys', async (api, expect) => {
      const key = keyed(freshKey())
      const { action, feature } = api.change()
      await api.propose({ action, feature, payload: { enabled: true, number: 1 } }, 'author', key)
      const again = await api.propose({ payload: { number: 1, enabled: true }, feature, action }, 'author', key)
      expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true'])
    }),

    must('CR-633', 'reject the key with another body with 422', async (api, expect) => {
      const key = keyed(freshKey())
      const { id } = succeeded(await api.propose(api.change(0), 'author', key)).body
      expect(errorOf(await api.propose(api.change(1), 'author', key))).toEqual([422, 'IdempotencyMismatchError'])
      expect(sizeOf(await api.read(id))).toBe(1)
    }),

    must('CR-634', 'reject the key with another path with 422', async (api, expect) => {
      const headers = keyed(freshKey())
      const { id } = succeeded(await api.propose(api.change(), 'author', headers)).body
      const path = api.path(`${id}/comments`)
      const response = await api.send('author', 'POST', path, { body: { text: 'hello' }, headers })
      expect(errorOf(response)).toEqual([422, 'IdempotencyMismatchError'])
    }),

    must('CR-635', 'separate the keys of two callers', async (api, expect) => {
      const key = keyed(freshKey())
      const { id } = succeeded(await api.propose(api.change(), 'author', key)).body
      const other = await api.propose(api.change(), 'admin', key)
      expect([other.status, other.body.id === id, other.headers.get('idempotency-replayed')]).toEqual([
        200,
        false,
        null,
      ])
    }),

    must('CR-636', 'add a comment only once, too', async (api, expect) => {
      const { id } = await api.draft()
      const sent = { body: { text: 'once' }, headers: keyed(freshKey()) }
      const responses = [
        await api.send('author', 'POST', api.path(`${id}/comments`), sent),
        await api.send('author', 'POST', api.path(`${id}/comments`), sent),
      ]
      expect(responses.map(({ status, text }) => [status, text])).toEqual(Array(2).fill([204, '']))
      expect(responses[1]?.headers.get('idempotency-replayed')).toBe('true')
      expect((await api.read(id)).comments.length).toBe(1)
    }),

    must('CR-638', 'keep the key of a rejected call unused', async (api, expect) => {
      const key = keyed(freshKey())
      expect((await api.propose([], 'author', key)).status).toBe(400)
      await api.settings({ changeRequestsEnabled: false })
      expect((await api.propose(api.change(), 'author', key)).status).toBe(400)
      await api.settings({ changeRequestsEnabled: true })
      const response = await api.propose(api.change(), 'author', key)
      expect([response.status, response.headers.get('idempotency-replayed')]).toEqual([200, null])
    }),

    must('CR-639', 'reject a key that is empty, too long or not visible ASCII with 400', async (api, expect) => {
      for (const key of ['', 'x'.repeat(256), 'a b', 'caf\u00e9']) {
        expect([key, ...errorOf(await api.propose(api.change(), 'author', keyed(key)))]).toEqual([
          key,
          400,
          'BadDataError',
        ])
      }
      expect((await api.propose(api.change(), 'author', keyed(freshKey().padEnd(255, '!')))).status).toBe(200)
    }),

    must('CR-640', 'run concurrent calls with the same key once', async (api, expect) => {
      const key = keyed(freshKey())
      const responses = await Promise.all(Array.from({ length: 6 }, () => api.propose(api.change(), 'author', key)))
      const good = responses.filter(({ status }) => status === 200)
      const waiting = responses.filter(({ status }) => status !== 200)
      expect([good.length > 0, new Set(good.map(({ text }) => text)).size]).toEqual([true, 1])
      expect(waiting.map((one) => [...errorOf(one), one.headers.get('retry-after')])).toEqual(
        waiting.map(() => [409, 'ConflictError', '1']),
      )
      expect(sizeOf(await api.read(good[0]?.body.id))).toBe(1)
    }),

    must('CR-641', 'check the permission of a retry, too', async (api, expect) => {
      const key = keyed(freshKey())
      succeeded(await api.propose(api.change(), 'author', key))
      expect(errorOf(await api.propose(api.change(), 'reader', key))).toEqual([403, 'PermissionError'])
    }),

    must('CR-642', 'reject a malformed body with 400, even if the key was used', async (api, expect) => {
      const headers = keyed(freshKey())
      const { id } = succeeded(await api.propose(api.change(), 'author', headers)).body
      expect(errorOf(await api.propose({ action: 'none' }, 'author', headers))).toEqual([400, 'BadDataError'])
      const path = api.path(`${id}/comments`)
      const response = await api.send('author', 'POST', path, { body: { text: '' }, headers })
      expect(errorOf(response)).toEqual([400, 'BadDataError'])
    }),

    must(
      'CR-643',
      'return the response of the first call for a retry, mark it as replayed, and do nothing twice',
      async (api, expect) => {
        const key = keyed(freshKey())
        const first = succeeded(await api.propose(api.change(), 'author', key))
        const again = succeeded(await api.propose(api.change(), 'author', key))
        expect(again.body).toEqual(first.body)
        expect([first, again].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true'])
        expect(again.headers.get('etag')).toBe(first.headers.get('etag'))
        expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'))
        expect(sizeOf(await api.read(first.body.id))).toBe(1)
      },
    ),

    must(
      'CR-644',
      'return the current change request for a retry in every state, without requiring If-Match',
      async (api, expect) => {
        const { id } = await api.draft()
        const headers = { ...keyed(freshKey()), 'If-Match': `"${id}-1"` }
        succeeded(await api.propose(api.change(1), 'author', headers))
        succeeded(await api.move('author', id, 'Cancelled'))
        const again = succeeded(await api.propose(api.change(1), 'author', headers))
        const now = succeeded(await api.get(api.path(id)))
        expect([again.body.id, again.body.state, again.body]).toEqual([id, 'Cancelled', now.body])
        expect([again.headers.get('etag'), again.headers.get('idempotency-replayed')]).toEqual([
          now.headers.get('etag'),
          'true',
        ])
        expect((await api.get(api.path('pending'))).body).toEqual([])
      },
    ),

    must('CR-645', 'return 404 for a retry once the change request is discarded', async (api, expect) => {
      const proposed = keyed(freshKey())
      const { id } = succeeded(await api.propose(api.change(), 'author', proposed)).body
      const commented = { body: { text: 'once' }, headers: keyed(freshKey()) }
      const comment = () => api.send('author', 'POST', api.path(`${id}/comments`), commented)
      expect((await comment()).status).toBe(204)
      expect((await api.send('author', 'DELETE', api.path(id))).status).toBe(200)
      for (const again of [await api.propose(api.change(), 'author', proposed), await comment()]) {
        expect(errorOf(again)).toEqual([404, 'NotFoundError'])
      }
      expect((await api.get(api.path('pending'))).body).toEqual([])
    }),
  ],
}
