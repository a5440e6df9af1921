import fc from 'fast-check'
import { memoryStorage } from '../../../src/index'
import { runs, seed } from '../../support/random'
import { expectConsistent } from '../../support/verify/expect-consistent'
import type { Action, Target } from './support/actions'
import { inProcess, type Method, type Who } from './support/callers'
import { Clock, Flags, openRouter } from './support/hosts'
import { breaches, everything } from './support/invariants'
import { Rules } from './support/rules'

const schedules = runs(5)

const shop = '/api/admin/projects/shop'
const withoutVariants = (feature: string) => ({ action: 'patchVariant', feature, payload: { variants: [] } })
const aimed = { request: 0, bound: 'free' } as const
const to = (who: Who, state: Target): Action => ({ do: 'state', who, state, comment: null, ...aimed })
const minimum = (approvals: number): Action => ({
  do: 'settings',
  who: 'dora',
  environment: 'production',
  enabled: true,
  approvals,
})
const add = (...flags: string[]): Action => ({
  do: 'add',
  who: 'ann',
  environment: 'production',
  changes: flags.map(withoutVariants),
  bound: 'free',
})

/** The start states: in review, half approved, approved. */
const beginnings: readonly (readonly Action[])[] = [
  [add('checkout', 'search'), to('ann', 'In review')],
  [minimum(2), add('checkout', 'search'), to('ann', 'In review'), to('ben', 'Approved')],
  [add('checkout', 'search'), to('ann', 'In review'), to('ben', 'Approved')],
]

/** `change` is the index of a change in the start state. */
const steps: readonly Action[] = [
  to('ben', 'Approved'),
  to('cleo', 'Approved'),
  to('dora', 'Approved'),
  to('ben', 'Applied'),
  to('dora', 'Applied'),
  to('dora', 'Rejected'),
  to('ann', 'Cancelled'),
  { do: 'edit', who: 'ann', change: 0, to: withoutVariants('basket'), ...aimed },
  { do: 'edit', who: 'ann', change: 1, to: withoutVariants('basket'), ...aimed },
  { do: 'discard change', who: 'ann', change: 0, ...aimed },
  { do: 'discard change', who: 'ann', change: 1, ...aimed },
  add('basket'),
  { do: 'comment', who: 'ben', text: 'why?', ...aimed },
]

const several = fc.array(fc.record({ step: fc.constantFrom(...steps), process: fc.nat(1) }), {
  minLength: 2,
  maxLength: 4,
})

/** Two processes on one memory storage. A scheduler orders their calls of the storage and of the flags. */
async function open(scheduler: fc.Scheduler, beginning: readonly Action[]) {
  const storage = memoryStorage()
  const flags = new Flags()
  const clock = new Clock()
  const before = inProcess(openRouter(storage, { clock: clock.now }))
  const changeIds: number[] = []
  for (const action of beginning) {
    const { body } = await call(before, action, changeIds)
    for (const { changes } of body?.features ?? []) for (const { id } of changes) changeIds.push(id)
  }
  const order: string[] = []
  const processes = ['one', 'two'].map((name) =>
    inProcess(
      openRouter(inTurn(storage, `${name}: storage`), { flags: inTurn(flags, `${name}: flags`), clock: clock.now }),
    ),
  )
  return { storage, flags, clock, processes, changeIds: [...new Set(changeIds)], order }

  function inTurn<Port extends object>(port: Port, name: string): Port {
    return new Proxy(port, {
      get(target, property) {
        const method: unknown = Reflect.get(target, property)
        if (typeof method !== 'function') return method
        return async (...values: unknown[]) => {
          const point = `${name}.${String(property)}`
          await scheduler.schedule(Promise.resolve(), point)
          order.push(point)
          return method.apply(target, values)
        }
      },
    })
  }
}

type Send = ReturnType<typeof inProcess>

function call(send: Send, action: Action, changeIds: readonly number[]) {
  const one = `${shop}/change-requests/1`
  const request = (method: Method, path: string, body?: unknown) =>
    'who' in action ? send(action.who, method, path, { body }) : Promise.reject(new Error('Nobody calls.'))
  switch (action.do) {
    case 'add':
      return request('POST', `${shop}/environments/production/change-requests`, action.changes)
    case 'settings': {
      const body = { changeRequestsEnabled: action.enabled, requiredApprovals: action.approvals }
      return request('PUT', `${shop}/environments/production/change-requests/config`, body)
    }
    case 'state':
      return request('PUT', `${one}/state`, { state: action.state })
    case 'edit':
      return request('PUT', `${one}/changes/${changeIds[action.change]}`, action.to)
    case 'discard change':
      return request('DELETE', `${one}/changes/${changeIds[action.change]}`)
    default:
      return request('POST', `${one}/comments`, { text: 'why?' })
  }
}

describe('concurrent approvals, edits and applies in two processes on one memory storage', () => {
  it(`have the result of a serial execution, in every order of their awaits (SEED=${seed})`, async () => {
    const seen = new Set<string>()
    const property = fc.asyncProperty(
      fc.scheduler(),
      fc.constantFrom(...beginnings),
      several,
      async (scheduler, beginning, chosen) => {
        const { storage, flags, processes, changeIds, order } = await open(scheduler, beginning)
        const calls = chosen.map(({ step, process }) => call(processes[process] as Send, step, changeIds))
        const answers = await scheduler.waitFor(Promise.all(calls))
        seen.add(order.join())
        const statuses = answers.map(({ status }) => status)
        const left = (await everything(storage)).map(({ changeRequest }) => changeRequest)
        expect(await breaches(storage, flags)).toEqual([])
        await expectConsistent(storage)
        const outcomes = permutations(chosen.map(({ step }, index) => ({ step, status: statuses[index] ?? 0 }))).map(
          (sequence) => replay(beginning, sequence, changeIds),
        )
        expect(outcomes).toContainEqual(left.sort((one, other) => one.id - other.id).map(toOutcome))
      },
    )
    await fc.assert(property, { numRuns: schedules, seed })
    expect(seen.size).toBeGreaterThanOrEqual(Math.min(schedules / 2, 100))
  })

  it(`keep the guarantees while applies are interrupted and settled by others (SEED=${seed})`, async () => {
    const property = fc.asyncProperty(
      fc.scheduler(),
      several,
      fc.array(fc.nat(1), { minLength: 1, maxLength: 3 }),
      async (scheduler, chosen, applications) => {
        const { storage, flags, clock, processes, changeIds } = await open(scheduler, beginnings[2] ?? [])
        const timePasses = scheduler.schedule(Promise.resolve(), 'time passes').then(() => clock.forward(120_000))
        const all = [...chosen, ...applications.map((process) => ({ step: to('ben', 'Applied'), process }))]
        const calls = all.map(({ step, process }) => call(processes[process] as Send, step, changeIds))
        const answers = await scheduler.waitFor(Promise.all(calls))
        await scheduler.waitFor(timePasses)
        expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([])
        // The next call finds out the result of an apply that was not recorded.
        clock.forward(120_000)
        await call(inProcess(openRouter(storage, { flags, clock: clock.now })), to('ben', 'Applied'), changeIds)
        expect(await breaches(storage, flags)).toEqual([])
        await expectConsistent(storage)
      },
    )
    await fc.assert(property, { numRuns: schedules, seed })
  })
})

interface Recorded {
  readonly step: Action
  readonly status: number
}

/** The result of the rules for one order; null if a response would differ in it. */
function replay(beginning: readonly Action[], sequence: readonly Recorded[], changeIds: readonly number[]) {
  const rules = new Rules()
  let fresh = 0
  const nameNew = () => {
    for (const [index, one] of rules.requests.entries()) {
      one.id = index + 1
      for (const change of one.changes) if (change.id === 0) change.id = changeIds[fresh++] ?? -1
    }
  }
  for (const action of beginning) {
    rules.judge(action)
    nameNew()
  }
  // While an apply runs, everything else may be rejected without an effect.
  const applying = sequence.some(({ step }) => 'state' in step && step.state === 'Applied')
  // After an edit, an earlier vote or apply refers to content that no longer exists.
  const altered = sequence.some(({ step, status }) => alters(step) && status === 200)
  for (const { step, status } of sequence) {
    if (status === 409 && applying) continue
    if (status === 412 && altered && decides(step)) continue
    const [first] = rules.requests
    const position = 'change' in step ? first?.changes.findIndex(({ id }) => id === changeIds[step.change]) : undefined
    const change = position === -1 ? first?.changes.length : position
    const request = rules.requests.length - 1
    const action = { ...step, ...(change === undefined ? {} : { change }), ...('request' in step ? { request } : {}) }
    if (rules.judge(action as Action).status !== status) return null
    nameNew()
  }
  return rules.requests.map(({ state, changes, approvals, comments }) => ({
    state,
    changes: changes.map(({ feature }) => feature),
    approvals: [...approvals].sort(),
    comments,
  }))
}

function alters(step: Action): boolean {
  return ['add', 'edit', 'discard change'].includes(step.do)
}

function decides(step: Action): boolean {
  return 'state' in step && ['Approved', 'Rejected', 'Applied'].includes(step.state)
}

type Stored = Awaited<ReturnType<typeof everything>>[number]['changeRequest']

function toOutcome({ state, changes, approvals, comments }: Stored) {
  return {
    state,
    changes: changes.map(({ feature }) => feature),
    approvals: approvals.map(({ createdBy }) => createdBy.username?.split('@')[0]).sort(),
    comments: comments.length,
  }
}

function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length < 2) return [[...items]]
  return items.flatMap((item, index) =>
    permutations(items.filter((_, other) => other !== index)).map((rest) => [item, ...rest]),
  )
}
