import { type Logger, memoryStorage } from '../../../src'
import { Gate, HostFlags, never } from '../../kernel/support/flags'
import { inProcess } from '../../storage/model/support/callers'
import { openRouter } from '../../storage/model/support/hosts'
import { approved, enable, ok, shop, to } from '../../storage/model/support/walks'
import { thrownValues } from '../../support/thrown-values'

const throws = () => {
  throw new Error('secret')
}

describe('a stored write, while the hooks that complete its response fail', () => {
  it('with an Idempotency-Key: the retry also returns the stored state', async () => {
    const users = { find: throws, reviewers: () => [] }
    const storage = memoryStorage()
    const send = inProcess(openRouter(storage, { users }))
    const propose = () =>
      send('ann', 'POST', `${shop}/environments/production/change-requests`, {
        body: enable(),
        headers: { 'idempotency-key': 'once' },
      })
    expect([(await propose()).status, (await propose()).status]).toEqual([200, 200])
    expect((await storage.find({ project: 'shop' }, 1))?.changeRequest.changes).toHaveLength(1)
  })
})

describe('a flag gateway that cannot report the result of an apply', () => {
  it('is warned of at construction', () => {
    const lines: string[] = []
    const logger: Logger = { debug() {}, info() {}, warn: (_, text) => void lines.push(text), error() {} }
    const flags = new HostFlags()
    const mute = { current: flags.current.bind(flags), apply: flags.apply.bind(flags) }
    openRouter(memoryStorage(), { flags: mute, logger })
    expect(lines).toEqual([expect.stringContaining('outcome()')])
    openRouter(memoryStorage(), { flags, logger })
    openRouter(memoryStorage(), { flags: null, logger })
    expect(lines).toHaveLength(1)
  })

  it.each(thrownValues)('and throws %s is settled through the router', async (_, create) => {
    const storage = memoryStorage()
    const flags = new HostFlags()
    const apply = () => {
      throw create()
    }
    const mute = { current: flags.current.bind(flags), apply }
    const router = openRouter(storage, { flags: mute })
    const send = inProcess(router)
    await approved(send)
    expect((await to(send, 'ben', 'Applied')).status).toBe(500)
    await router.settle({ project: 'shop', id: 1, outcome: 'not-applied', force: true })
    await ok(to(send, 'ann', 'Cancelled'))
  })
})

describe('router.start()', () => {
  it.each(['off', 'here'] as const)('settles an interrupted apply immediately, with schedule: %s', async (schedule) => {
    const storage = memoryStorage()
    const flags = new HostFlags()
    const dying = { current: flags.current.bind(flags), apply: throws, outcome: throws }
    const dead = inProcess(openRouter(storage, { flags: dying }))
    await approved(dead)
    expect((await to(dead, 'ben', 'Applied')).status).toBe(503)
    flags.outcome = async () => [{ type: 'feature-environment-enabled', featureName: 'checkout' }]
    const later = () => new Date(Date.now() + 365 * 86_400_000)
    const router = openRouter(storage, { flags, schedule, clock: later })
    const state = async () => (await storage.find({ project: 'shop' }, 1))?.changeRequest.state
    expect([await state(), (await router.health()).interruptedApplies]).toEqual(['Approved', 1])
    router.start()
    while ((await state()) !== 'Applied') await new Promise(setImmediate)
    expect((await router.health()).interruptedApplies).toBe(0)
    await router.close()
    router.start()
  })
})

describe('router.close()', () => {
  it('waits for an apply that a gateway has begun', async () => {
    const storage = memoryStorage()
    const flags = new HostFlags()
    const gate = new Gate()
    const { apply } = flags
    flags.apply = async (...all) => {
      await gate.pass()
      return apply.apply(flags, all)
    }
    let state: string | undefined
    const close = async () => {
      state = (await storage.find({ project: 'shop' }, 1))?.changeRequest.state
    }
    const router = openRouter({ ...storage, close }, { flags })
    const send = inProcess(router)
    await approved(send)
    const applying = to(send, 'ben', 'Applied')
    await gate.arrived
    const closing = router.close({ timeoutMs: 60_000 })
    gate.letGo()
    await closing
    expect([state, (await applying).status]).toEqual(['Applied', 200])
  })

  it('resolves within its timeout, whatever hangs', async () => {
    const lines: string[] = []
    const logger: Logger = { debug() {}, info() {}, warn() {}, error: (_, text) => void lines.push(text) }
    const router = openRouter({ ...memoryStorage(), close: never }, { logger })
    await router.close({ timeoutMs: 20 })
    expect(lines).toEqual(['The router was closed while writes were still running.'])
  })

  it('resolves when the storage cannot be closed', async () => {
    await openRouter({ ...memoryStorage(), close: throws }).close()
  })
})
