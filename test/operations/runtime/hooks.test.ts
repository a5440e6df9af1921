import { type ChangeRequestRouterOptions, type Logger, memoryStorage } from '../../../src'
import { authenticate, inProcess, type Method, people, type Send, type Who } from '../../storage/model/support/callers'
import { openRouter } from '../../storage/model/support/hosts'
import { approved, enable, ok, reviewed, shop, to } from '../../storage/model/support/walks'
import { Gate, HostFlags, never } from '../support/flags'

const own = `${shop}/change-requests/1`
const users = Object.values(people).map(({ user }) => ({ ...user, id: Number(user.id), email: String(user.email) }))

/** What a hook does from the moment on when it is broken. */
const faults = {
  hangs: never,
  throws: () => {
    throw new Error('secret')
  },
} as const

type Options = Partial<ChangeRequestRouterOptions>
type HookName = keyof typeof hooks

/** The hooks, each of which does its work until it is broken. */
const hooks = {
  authenticate: (broken: () => unknown): Options => ({
    authenticate: (req) => (broken() as never) ?? authenticate(req),
  }),
  authorize: (broken: () => unknown): Options => ({ authorize: () => (broken() as never) ?? true }),
  'directory.hasProject': (broken: () => unknown): Options => ({
    directory: { hasProject: () => (broken() as never) ?? true },
  }),
  'directory.knownFeatures': (broken: () => unknown): Options => ({
    directory: { knownFeatures: (_, features) => (broken() as never) ?? features },
  }),
  'directory.environments': (broken: () => unknown): Options => ({
    directory: { environments: () => (broken() as never) ?? [{ name: 'production', type: 'production' }] },
  }),
  'users.find': (broken: () => unknown): Options => ({
    users: { find: () => (broken() as never) ?? users, reviewers: () => users },
  }),
  'users.reviewers': (broken: () => unknown): Options => ({
    users: { find: () => users, reviewers: () => (broken() as never) ?? users },
  }),
  'flags.current': (broken: () => unknown): Options => {
    const flags = new HostFlags()
    const { current } = flags
    flags.current = async (subjects) => (broken() as never) ?? current.call(flags, subjects)
    return { flags }
  },
} as const

/** Every operation, on a change request of Ann that Ben has approved, or that is in review. */
const operations = {
  'GET settings': ['dora', 'GET', `${shop}/change-requests/config`],
  'GET one': ['ben', 'GET', own],
  'GET list': ['ben', 'GET', `${shop}/change-requests`],
  'GET search': ['dora', 'GET', '/api/admin/search/change-requests'],
  'GET reviewers': ['ben', 'GET', `${shop}/change-requests/available-reviewers/production`],
  'GET events': ['dora', 'GET', '/api/admin/events'],
  'POST changes': ['ann', 'POST', `${shop}/environments/production/change-requests`, enable('search')],
  'PUT change': ['ann', 'PUT', `${own}/changes/1`, enable('search')],
  'POST comment': ['ben', 'POST', `${own}/comments`, { text: 'Well?' }],
  'PUT title': ['ann', 'PUT', `${own}/title`, { title: 'Sale' }],
  'PUT approvers': ['ann', 'PUT', `${own}/approvers`, { reviewers: [2] }],
  approve: ['ben', 'PUT', `${own}/state`, { state: 'Approved' }],
  reject: ['ben', 'PUT', `${own}/state`, { state: 'Rejected' }],
  cancel: ['ann', 'PUT', `${own}/state`, { state: 'Cancelled' }],
  apply: ['ben', 'PUT', `${own}/state`, { state: 'Applied' }],
} as const satisfies Record<string, readonly [Who, Method, string, object?]>

type Operation = keyof typeof operations

/** The hooks that an operation needs for its decision, or for the whole of a read; beside these two of all. */
const needs: Readonly<Record<Operation, readonly HookName[]>> = {
  'GET settings': ['directory.environments', 'directory.hasProject'],
  'GET one': ['users.find', 'flags.current', 'directory.hasProject'],
  'GET list': ['users.find', 'flags.current', 'directory.hasProject'],
  'GET search': ['users.find'],
  'GET reviewers': ['users.reviewers', 'directory.hasProject'],
  'GET events': [],
  'POST changes': ['directory.knownFeatures', 'directory.hasProject'],
  'PUT change': ['directory.knownFeatures', 'directory.hasProject'],
  'POST comment': ['directory.hasProject'],
  'PUT title': ['directory.hasProject'],
  'PUT approvers': ['users.reviewers', 'directory.hasProject'],
  approve: ['flags.current', 'directory.hasProject'],
  reject: ['directory.hasProject'],
  cancel: ['directory.hasProject'],
  apply: ['flags.current', 'directory.hasProject'],
}

const cells = Object.keys(hooks).flatMap((hook) =>
  (['hangs', 'throws'] as const).flatMap((fault) =>
    Object.keys(operations).map((operation) => [hook, fault, operation] as [HookName, typeof fault, Operation]),
  ),
)

describe('a hook of the host that hangs or throws', () => {
  it.each(cells)('%s %s: %s is answered, holds nobody up, and tells what happened', async (hook, fault, operation) => {
    const storage = memoryStorage()
    let broken = false
    const lines: string[] = []
    const note = (_: object, text: string) => void lines.push(text)
    const logger: Logger = { debug() {}, info: note, warn: note, error: note }
    const flags = hook === 'flags.current' ? {} : { flags: new HostFlags() }
    const own = hooks[hook](() => (broken ? faults[fault]() : undefined))
    const router = openRouter(storage, { ...flags, ...own, logger, limits: { hookTimeoutMs: 20 } })
    const send = inProcess(router)
    const whole = inProcess(openRouter(storage, { flags: new HostFlags() }))
    await (operation === 'apply' ? approved(whole) : reviewed(whole))
    const before = await storage.find({ project: 'shop' }, 1)

    broken = true
    const answer = await call(send, operation)
    const isNeeded = hook === 'authenticate' || hook === 'authorize' || needs[operation].includes(hook)
    const after = await storage.find({ project: 'shop' }, 1)
    const written = after?.version !== before?.version
    const [, method] = operations[operation]
    if (isNeeded) expect([answer.status, answer.name, written]).toEqual([503, 'UnavailableError', false])
    else expect([Math.floor(answer.status / 100), written]).toEqual([2, method !== 'GET'])
    expect(JSON.stringify(answer.body ?? {})).not.toContain('secret')
    if (!isNeeded && method !== 'GET') expect(lines.length).toBeLessThanOrEqual(2)

    // Another process of the host, whose hooks work, is held up by nothing that this one left behind.
    await ok(whole('ben', 'POST', `${shop}/change-requests/1/comments`, { body: { text: 'Go on.' } }))
    await router.close()
  })

  it('that hangs in one request lets the others of its change request through', async () => {
    const flags = new HostFlags()
    const send = inProcess(openRouter(memoryStorage(), { flags, limits: { hookTimeoutMs: 60_000 } }))
    await reviewed(send)
    const { current } = flags
    flags.current = never
    void to(send, 'ben', 'Approved')
    await new Promise(setImmediate)
    await ok(send('ben', 'POST', `${own}/comments`, { body: { text: 'Well?' } }))
    flags.current = current
    expect((await ok(to(send, 'ann', 'Cancelled'))).body.state).toBe('Cancelled')
  })

  it('with an Idempotency-Key: what was stored is told, also to the retry, whose hooks fail', async () => {
    const flags = new HostFlags()
    const send = inProcess(openRouter(memoryStorage(), { flags }))
    flags.instead = faults.throws
    const propose = () =>
      send('ann', 'POST', `${shop}/environments/production/change-requests`, {
        body: enable(),
        headers: { 'idempotency-key': 'once' },
      })
    expect([(await propose()).status, (await propose()).status]).toEqual([200, 200])
    flags.instead = null
    expect((await send('ann', 'GET', own)).body.features[0].changes).toHaveLength(1)
  })
})

describe('router.close()', () => {
  it('waits for an application that a gateway has begun', async () => {
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

  it('resolves in its time, whatever hangs', async () => {
    const storage = memoryStorage()
    const lines: string[] = []
    const logger: Logger = { debug() {}, info() {}, warn() {}, error: (_, text) => void lines.push(text) }
    const router = openRouter({ ...storage, close: never }, { logger })
    await router.close({ timeoutMs: 20 })
    expect(lines).toEqual(['The router was closed before everything under way had ended.'])
  })

  it('resolves when the storage cannot be closed', async () => {
    const router = openRouter({ ...memoryStorage(), close: faults.throws })
    await router.close()
  })
})

function call(send: Send, operation: Operation) {
  const [who, method, path, body] = operations[operation] as readonly [Who, Method, string, object?]
  return send(who, method, path, body === undefined ? {} : { body })
}
