import { comment } from '../../src/capabilities/discussion/discussion'
import { addChanges } from '../../src/capabilities/proposals/changes'
import { now } from '../../src/kernel/host-services'
import { IdempotentRunner, recordOf, toIdempotentCall } from '../../src/kernel/writer/idempotency'
import type { Storage } from '../../src/ports/storage/storage'
import { by, createFixture, enable, type Fixture, noon, production, rejection } from './support/fixture'

const dayMs = 24 * 60 * 60 * 1000
const request = { userId: 1, key: 'one', method: 'POST', path: '/here', body: { b: [1, { d: 2, c: 3 }], a: 1 } }

/** Runs a POST of changes like the pipeline. */
function post({ services }: Fixture, runner: IdempotentRunner, key = 'one', changes = [enable()]) {
  const call = toIdempotentCall(now(services), { ...request, key, body: changes })
  const idempotency = recordOf(call, 'changes')
  const run = async () => {
    const { changeRequest } = await addChanges(services, { ...by('ann'), ...production, changes, idempotency })
    return changeRequest.changes.length
  }
  return runner.run(call, run, async ({ changeRequestId }) => -changeRequestId)
}

describe('a call with an Idempotency-Key', () => {
  it('has the same fingerprint whatever the order of the keys of its body', () => {
    const { services } = createFixture()
    const { fingerprint } = toIdempotentCall(now(services), request)
    const other = { a: 1, b: [1, { c: 3, d: 2 }] }
    expect(fingerprint).toMatch(/^[0-9a-f]{64}$/)
    expect(toIdempotentCall(now(services), { ...request, body: other }).fingerprint).toBe(fingerprint)
  })

  it.each([
    ['method', { method: 'PUT' }],
    ['path', { path: '/there' }],
    ['body', { body: { ...request.body, a: 2 } }],
    ['order of a list', { body: { ...request.body, b: [{ d: 2, c: 3 }, 1] } }],
  ])('has another fingerprint with another %s', (_name, difference) => {
    const { services } = createFixture()
    const { fingerprint } = toIdempotentCall(now(services), request)
    expect(toIdempotentCall(now(services), { ...request, ...difference }).fingerprint).not.toBe(fingerprint)
  })

  it('is valid for a day', () => {
    const { services } = createFixture()
    expect(toIdempotentCall(now(services), request)).toMatchObject({
      userId: 1,
      key: 'one',
      now: noon,
      since: new Date(Date.parse(noon) - dayMs).toISOString(),
    })
  })

  it.each(['changes', 'comment'] as const)('stores a record of its effect: %s', async (kind) => {
    const { services, storage, propose } = createFixture()
    await propose('ann')
    await comment(services, { ...by('ann'), project: 'shop', id: 1 }, 'first')
    const call = toIdempotentCall(now(services), request)
    const stored = await comment(
      services,
      { ...by('ann'), project: 'shop', id: 1, idempotency: recordOf(call, kind) },
      'second',
    )
    expect(stored.changeRequest.comments).toHaveLength(2)
    expect(await storage.findIdempotencyRecord({ userId: 1, key: 'one' }, call.since)).toEqual({
      userId: 1,
      key: 'one',
      createdAt: noon,
      fingerprint: call.fingerprint,
      project: 'shop',
      changeRequestId: 1,
      commentId: kind === 'comment' ? 2 : null,
    })
  })
})

describe('IdempotentRunner', () => {
  it('runs the first call, and replays a retry from its record', async () => {
    const fixture = createFixture()
    const runner = new IdempotentRunner(fixture.storage)
    expect(await post(fixture, runner)).toEqual({ result: 1, replayed: false })
    expect(await post(fixture, runner)).toEqual({ result: -1, replayed: true })
    expect((await fixture.stored())?.changes).toHaveLength(1)
  })

  it('rejects a different call with the same key', async () => {
    const fixture = createFixture()
    const runner = new IdempotentRunner(fixture.storage)
    await post(fixture, runner)
    expect(await rejection(post(fixture, runner, 'one', [enable(), enable()]))).toMatchObject({
      name: 'IdempotencyMismatchError',
      message: 'This Idempotency-Key was used for another request. Use a new key.',
    })
  })

  it('rejects a retry while the first call runs, and keeps the keys of users apart', async () => {
    const { services, storage } = createFixture()
    const runner = new IdempotentRunner(storage)
    let finish = (_value: string) => {}
    const first = runner.run(
      toIdempotentCall(now(services), request),
      () => new Promise<string>((resolve) => (finish = resolve)),
      async () => 'replayed',
    )
    const again = (userId: number) =>
      runner.run(
        toIdempotentCall(now(services), { ...request, userId }),
        async () => 'second',
        async () => 'replayed',
      )
    expect(await rejection(again(1))).toMatchObject({
      name: 'ConflictError',
      message: 'The first call with this Idempotency-Key is still running.',
      retryAfter: 1,
    })
    expect(await again(2)).toEqual({ result: 'second', replayed: false })
    finish('first')
    expect(await first).toEqual({ result: 'first', replayed: false })
    expect(await again(1)).toEqual({ result: 'second', replayed: false })
  })

  it('runs a call again after a rejection, which leaves no record', async () => {
    const { services, storage } = createFixture()
    const runner = new IdempotentRunner(storage)
    const call = toIdempotentCall(now(services), request)
    const refusal = new Error('refused')
    const refused = runner.run(
      call,
      () => Promise.reject(refusal),
      async () => 'replayed',
    )
    await expect(refused).rejects.toBe(refusal)
    expect(
      await runner.run(
        call,
        async () => 'done',
        async () => 'replayed',
      ),
    ).toEqual({ result: 'done', replayed: false })
  })
})

describe('IdempotentRunner, when another process runs the same call concurrently', () => {
  /** The other process commits after this one has searched for a record. */
  async function meet(changes = [enable()]) {
    let missed = false
    const fixture = createFixture({
      storage: (memory) => ({
        ...memory,
        async findIdempotencyRecord(...asked: Parameters<Storage['findIdempotencyRecord']>) {
          if (missed) return memory.findIdempotencyRecord(...asked)
          missed = true
          const other = { ...fixture, services: { ...fixture.services, storage: memory } }
          await post(other, new IdempotentRunner(memory), 'one', changes)
          return undefined
        },
      }),
    })
    return { fixture, runner: new IdempotentRunner(fixture.storage) }
  }

  it('replays the effect of the other', async () => {
    const { fixture, runner } = await meet()
    expect(await post(fixture, runner)).toEqual({ result: -1, replayed: true })
    expect((await fixture.stored())?.changes).toHaveLength(1)
  })

  it('rejects the call when the other one was different', async () => {
    const { fixture, runner } = await meet([enable(), enable()])
    expect(await rejection(post(fixture, runner))).toMatchObject({ name: 'IdempotencyMismatchError' })
  })

  it('also replays it if a rule rejected this call because of the effect of the other', async () => {
    const { fixture, runner } = await meet()
    const { services } = fixture
    const call = toIdempotentCall(now(services), { ...request, body: [enable()] })
    const { changeRequest } = await fixture.propose('ben')
    const refused = () => addChanges(services, { ...by('ann'), ifMatch: '"9-9"', ...production, changes: [enable()] })
    const { replayed, result } = await runner.run<unknown>(
      call,
      refused,
      async ({ changeRequestId }) => changeRequestId,
    )
    expect([replayed, result]).toEqual([true, changeRequest.id + 1])
  })
})
