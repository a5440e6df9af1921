import { createChangeRequestRouter, memoryStorage } from '../../src'
import { maxDurationMs, maxTimerMs } from '../../src/check-options'
import { createClient } from '../../src/client'
import { pause } from '../../src/client/retry'
import { defaultLimits } from '../../src/options/limits'
import { webhooks } from '../../src/webhooks'

const base = { storage: memoryStorage(), authenticate: () => null }
const router = (options: object) => () => createChangeRequestRouter({ ...base, ...options })
const durations = Object.keys(defaultLimits).filter((name) => name.endsWith('Ms'))

/** The durations of the timers that run while this runs. */
async function timersOf(run: () => Promise<unknown>): Promise<readonly number[]> {
  const timers = jest.spyOn(globalThis, 'setTimeout')
  try {
    await run()
    return timers.mock.calls.map(([, duration = 0]) => duration)
  } finally {
    timers.mockRestore()
  }
}

function expectNoOverflow(found: readonly number[]) {
  expect(found.filter((duration) => duration > maxTimerMs)).toEqual([])
  expect(found).toContain(maxTimerMs)
}

describe('a duration that is longer than a timer can wait, which would be 1 ms', () => {
  const compared = ['presetScheduleMs']
  const timed = durations.filter((name) => !compared.includes(name))

  it.each(timed)('is a TypeError for limits.%s', (name) => {
    for (const value of [maxTimerMs + 1, 2 ** 32, Number.MAX_SAFE_INTEGER]) {
      expect(router({ limits: { [name]: value } })).toThrow(
        new TypeError(`createChangeRequestRouter: option "limits.${name}" must be at most ${maxTimerMs}.`),
      )
    }
    expect(router({ limits: { [name]: maxTimerMs } })).not.toThrow()
  })

  const target = {
    name: 'chat',
    url: 'https://chat.example',
    secrets: [`whsec_${'A'.repeat(32)}`],
    types: '*',
  } as const
  it.each<[string, (value: number) => () => unknown]>([
    ['limits.presetScheduleMs', (presetScheduleMs) => router({ limits: { presetScheduleMs } })],
    ['approvalsExpireAfterMs', (approvalsExpireAfterMs) => router({ approvalsExpireAfterMs })],
    ['stopAfterMs', (stopAfterMs) => () => webhooks({ targets: [{ ...target, stopAfterMs }] })],
  ])('is accepted for %s, which no timer gets, up to 100 years', (name, create) => {
    for (const value of [maxTimerMs + 1, maxDurationMs]) expect(create(value)).not.toThrow()
    for (const value of [maxDurationMs + 1, Number.MAX_SAFE_INTEGER]) expect(create(value)).toThrow(`"${name}"`)
  })

  it('is shortened for close(), which never rejects', async () => {
    for (const timeoutMs of [maxTimerMs + 1, Number.POSITIVE_INFINITY]) {
      expectNoOverflow(await timersOf(() => router({ logger: false })().close({ timeoutMs })))
    }
  })

  it('is shortened for the client: silenceMs', async () => {
    const event = 'id: 1\ndata: {"id":1}\n\n'
    const headers = { 'Content-Type': 'text/event-stream' }
    const client = createClient({ api: '', fetch: async () => new Response(new Blob([event]).stream(), { headers }) })
    const first = () => client.follow({}, { silenceMs: Number.POSITIVE_INFINITY }).next()
    expectNoOverflow(await timersOf(first))
  })

  it('is shortened for the client: Retry-After', async () => {
    const leaving = new AbortController()
    const paused = () => {
      const ended = pause(Number.POSITIVE_INFINITY, leaving.signal)
      leaving.abort()
      return ended
    }
    expectNoOverflow(await timersOf(paused))
  })
})
