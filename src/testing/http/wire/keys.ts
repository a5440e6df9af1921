import { must, type RuleGroup } from '../rule'
import { granted, type Json, refusal } from '../world'

/** A key that no other run has used. */
const freshKey = () => `contract-${crypto.randomUUID()}`

const keyed = (key: string) => ({ 'Idempotency-Key': key })

const sizeOf = ({ features }: Json): number => features[0].changes.length

export const keys: RuleGroup = {
  title: 'Idempotency-Key',
  rules: [
    must('CR-632', 'take bodies for the same whatever the order of their keys', async (world, expect) => {
      const key = keyed(freshKey())
      const { action, feature } = world.change()
      await world.propose({ action, feature, payload: { enabled: true, number: 1 } }, 'author', key)
      const again = await world.propose({ payload: { number: 1, enabled: true }, feature, action }, 'author', key)
      expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true'])
    }),

    must('CR-633', 'refuse the key for another body with 422', async (world, expect) => {
      const key = keyed(freshKey())
      const { id } = granted(await world.propose(world.change(0), 'author', key)).body
      expect(refusal(await world.propose(world.change(1), 'author', key))).toEqual([422, 'IdempotencyMismatchError'])
      expect(sizeOf(await world.read(id))).toBe(1)
    }),

    must('CR-634', 'refuse the key for another path with 422', async (world, expect) => {
      const headers = keyed(freshKey())
      const { id } = granted(await world.propose(world.change(), 'author', headers)).body
      const path = world.path(`${id}/comments`)
      const answer = await world.send('author', 'POST', path, { body: { text: 'hello' }, headers })
      expect(refusal(answer)).toEqual([422, 'IdempotencyMismatchError'])
    }),

    must('CR-635', 'keep the keys of two callers apart', async (world, expect) => {
      const key = keyed(freshKey())
      const { id } = granted(await world.propose(world.change(), 'author', key)).body
      const other = await world.propose(world.change(), 'admin', key)
      expect([other.status, other.body.id === id, other.headers.get('idempotency-replayed')]).toEqual([
        200,
        false,
        null,
      ])
    }),

    must('CR-636', 'keep comments to one as well', async (world, expect) => {
      const { id } = await world.draft()
      const sent = { body: { text: 'once' }, headers: keyed(freshKey()) }
      const answers = [
        await world.send('author', 'POST', world.path(`${id}/comments`), sent),
        await world.send('author', 'POST', world.path(`${id}/comments`), sent),
      ]
      expect(answers.map(({ status, text }) => [status, text])).toEqual(Array(2).fill([204, '']))
      expect(answers[1]?.headers.get('idempotency-replayed')).toBe('true')
      expect((await world.read(id)).comments.length).toBe(1)
    }),

    must('CR-638', 'leave the key of a refused call free', async (world, expect) => {
      const key = keyed(freshKey())
      expect((await world.propose([], 'author', key)).status).toBe(400)
      await world.settings({ changeRequestsEnabled: false })
      expect((await world.propose(world.change(), 'author', key)).status).toBe(400)
      await world.settings({ changeRequestsEnabled: true })
      const answer = await world.propose(world.change(), 'author', key)
      expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([200, null])
    }),

    must('CR-639', 'refuse a key that is empty, too long or not visible ASCII with 400', async (world, expect) => {
      for (const key of ['', 'x'.repeat(256), 'a b', 'caf\u00e9']) {
        expect([key, ...refusal(await world.propose(world.change(), 'author', keyed(key)))]).toEqual([
          key,
          400,
          'BadDataError',
        ])
      }
      expect((await world.propose(world.change(), 'author', keyed(freshKey().padEnd(255, '!')))).status).toBe(200)
    }),

    must('CR-640', 'do once what is sent several times at once', async (world, expect) => {
      const key = keyed(freshKey())
      const answers = await Promise.all(Array.from({ length: 6 }, () => world.propose(world.change(), 'author', key)))
      const good = answers.filter(({ status }) => status === 200)
      const waiting = answers.filter(({ status }) => status !== 200)
      expect([good.length > 0, new Set(good.map(({ text }) => text)).size]).toEqual([true, 1])
      expect(waiting.map((one) => [...refusal(one), one.headers.get('retry-after')])).toEqual(
        waiting.map(() => [409, 'ConflictError', '1']),
      )
      expect(sizeOf(await world.read(good[0]?.body.id))).toBe(1)
    }),

    must('CR-641', 'ask for the permission of a retry as well', async (world, expect) => {
      const key = keyed(freshKey())
      granted(await world.propose(world.change(), 'author', key))
      expect(refusal(await world.propose(world.change(), 'reader', key))).toEqual([403, 'PermissionError'])
    }),

    must('CR-642', 'refuse a malformed body with 400, whatever the key was used for', async (world, expect) => {
      const headers = keyed(freshKey())
      const { id } = granted(await world.propose(world.change(), 'author', headers)).body
      expect(refusal(await world.propose({ action: 'none' }, 'author', headers))).toEqual([400, 'BadDataError'])
      const path = world.path(`${id}/comments`)
      const answer = await world.send('author', 'POST', path, { body: { text: '' }, headers })
      expect(refusal(answer)).toEqual([400, 'BadDataError'])
    }),

    must('CR-643', 'answer a retry as the first call, say so, and do nothing twice', async (world, expect) => {
      const key = keyed(freshKey())
      const first = granted(await world.propose(world.change(), 'author', key))
      const again = granted(await world.propose(world.change(), 'author', key))
      expect(again.body).toEqual(first.body)
      expect([first, again].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true'])
      expect(again.headers.get('etag')).toBe(first.headers.get('etag'))
      expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'))
      expect(sizeOf(await world.read(first.body.id))).toBe(1)
    }),

    must(
      'CR-644',
      'answer a retry with the change request as it is now, whatever became of it, without asking for If-Match',
      async (world, expect) => {
        const { id } = await world.draft()
        const headers = { ...keyed(freshKey()), 'If-Match': `"${id}-1"` }
        granted(await world.propose(world.change(1), 'author', headers))
        granted(await world.move('author', id, 'Cancelled'))
        const again = granted(await world.propose(world.change(1), 'author', headers))
        const now = granted(await world.get(world.path(id)))
        expect([again.body.id, again.body.state, again.body]).toEqual([id, 'Cancelled', now.body])
        expect([again.headers.get('etag'), again.headers.get('idempotency-replayed')]).toEqual([
          now.headers.get('etag'),
          'true',
        ])
        expect((await world.get(world.path('pending'))).body).toEqual([])
      },
    ),

    must('CR-645', 'answer a retry with 404 once the change request is discarded', async (world, expect) => {
      const proposed = keyed(freshKey())
      const { id } = granted(await world.propose(world.change(), 'author', proposed)).body
      const commented = { body: { text: 'once' }, headers: keyed(freshKey()) }
      const comment = () => world.send('author', 'POST', world.path(`${id}/comments`), commented)
      expect((await comment()).status).toBe(204)
      expect((await world.send('author', 'DELETE', world.path(id))).status).toBe(200)
      for (const again of [await world.propose(world.change(), 'author', proposed), await comment()]) {
        expect(refusal(again)).toEqual([404, 'NotFoundError'])
      }
      expect((await world.get(world.path('pending'))).body).toEqual([])
    }),
  ],
}
