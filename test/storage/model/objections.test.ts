import fc from 'fast-check'
import type { ChangeRequest, Storage } from '../../../src'
import { openObjections } from '../../../src/domain/content/objections'
import { openAgain, postgres, sqlite } from '../../support/databases'
import { runs, seed } from '../../support/random'
import { expectConsistent } from '../../support/verify/expect-consistent'
import { type Answer, inProcess, type Send, type Who } from './support/callers'
import { Clock, Flags, openRouter } from './support/hosts'
import { ok } from './support/walks'

const races = runs(5)

const text = 'The load test fails.'
const reason = 'The load test passes now.'
const inAMinute = '2026-03-04T12:01:00.000Z'

/** What a process does with the change request. `ends`: it may end an open objection, so that applying is possible again. */
interface Step {
  readonly ends?: true
  readonly applies?: true
  run(process: Process, path: string): Promise<Answer | number>
}

interface Process {
  readonly send: Send
  runDue(): Promise<number>
}

/** Decides on the revision that it reads. */
const decide =
  (who: Who, state: string): Step['run'] =>
  async ({ send }, path) => {
    const { headers } = await send(who, 'GET', path)
    return send(who, 'PUT', `${path}/state`, { body: { state }, headers: { 'if-match': String(headers.etag) } })
  }
const move =
  (who: Who, body: object): Step['run'] =>
  ({ send }, path) =>
    send(who, 'PUT', `${path}/state`, { body })
const object = (who: Who): Step => ({
  run: ({ send }, path) => send(who, 'PUT', `${path}/objection`, { body: { text } }),
})
const dismiss: Step = {
  ends: true,
  run: ({ send }, path) => send('dora', 'POST', `${path}/objections/1/dismissal`, { body: { reason } }),
}

const steps: { readonly [name: string]: Step } = {
  'object ben': object('ben'),
  'object cleo': object('cleo'),
  'object dora': object('dora'),
  'lift ben': { ends: true, run: ({ send }, path) => send('ben', 'DELETE', `${path}/objection`) },
  'lift cleo': { ends: true, run: ({ send }, path) => send('cleo', 'DELETE', `${path}/objection`) },
  dismiss,
  'dismiss again': dismiss,
  'take back ben': { run: ({ send }, path) => send('ben', 'DELETE', `${path}/approval`) },
  'take back cleo': { run: ({ send }, path) => send('cleo', 'DELETE', `${path}/approval`) },
  'approve ben': { ends: true, run: decide('ben', 'Approved') },
  'approve cleo': { ends: true, run: decide('cleo', 'Approved') },
  'approve dora': { ends: true, run: decide('dora', 'Approved') },
  apply: { applies: true, run: move('ann', { state: 'Applied' }) },
  'apply again': { applies: true, run: move('ben', { state: 'Applied' }) },
  emergency: { run: move('dora', { state: 'Applied', emergency: { reason } }) },
  schedule: { run: move('ann', { state: 'Scheduled', scheduledAt: inAMinute }) },
  preset: {
    run: ({ send }, path) => send('cleo', 'PUT', `${path}/scheduling`, { body: { scheduledAt: 'approval' } }),
  },
  withdraw: { run: ({ send }, path) => send('cleo', 'DELETE', `${path}/scheduling`) },
  run: { applies: true, run: ({ runDue }) => runDue() },
  'run again': { applies: true, run: ({ runDue }) => runDue() },
  edit: {
    run: ({ send }, path) =>
      send('ann', 'POST', `${path.split('/change-requests')[0]}/environments/production/change-requests`, {
        body: [enable('basket')],
      }),
  },
  cancel: { run: move('ann', { state: 'Cancelled' }) },
  reject: { run: move('dora', { state: 'Rejected' }) },
  settle: { run: ({ send }, path) => send('ann', 'POST', `${path}/settlement`) },
}

const enable = (feature: string) => ({ action: 'updateEnabled', feature, payload: { enabled: true } })

/** The steps before a race. */
const beginnings: { readonly [name: string]: readonly string[] } = {
  'half approved': ['approve ben'],
  'half approved with a preset schedule': ['approve ben', 'preset'],
  approved: ['approve ben', 'approve cleo'],
  objected: ['approve cleo', 'approve dora', 'object ben'],
  'objected with a preset schedule': ['approve cleo', 'object ben', 'preset', 'approve dora'],
  due: ['approve ben', 'approve cleo', 'schedule'],
}

const race = fc.record({
  beginning: fc.constantFrom(...Object.keys(beginnings)),
  chosen: fc.uniqueArray(
    fc.record({ name: fc.constantFrom(...Object.keys(steps)), process: fc.nat(1), after: fc.nat(30) }),
    { selector: ({ name }) => name, minLength: 3, maxLength: 7 },
  ),
  /** How long the gateway takes. */
  slow: fc.nat(40),
})

interface Done {
  readonly name: string
  readonly sent: number
  readonly received: number
  readonly succeeded: boolean
}

describe.each([sqlite, postgres])(
  'objections, approvals taken back and everything else at the same time, on $name',
  ({ open }) => {
    it(`nothing that is stopped is applied (SEED=${seed})`, async () => {
      const database = await open()
      const other = openAgain(database.place)
      let project = 0
      const property = fc.asyncProperty(race, async ({ beginning, chosen, slow }) => {
        project += 1
        const clock = new Clock()
        const flags = new SlowFlags(slow)
        const versions: ChangeRequest[] = []
        const opened = [database.storage, other.storage].map((storage) =>
          openRouter(recording(storage, versions), {
            ...{ flags, clock: clock.now, objections: true, emergency: true, schedule: 'elsewhere' },
          }),
        )
        const processes = opened.map(
          (router): Process => ({
            send: inProcess(router),
            runDue: async () => (await router.runDue()).applied,
          }),
        )
        const [first] = processes as [Process]
        const place = `/api/admin/projects/p${project}`
        const settings = { changeRequestsEnabled: true, requiredApprovals: 2 }
        const config = `${place}/environments/production/change-requests/config`
        await ok(first.send('dora', 'PUT', config, { body: settings }))
        const proposals = `${place}/environments/production/change-requests`
        const { body } = await ok(first.send('ann', 'POST', proposals, { body: [enable('checkout')] }))
        const path = `${place}/change-requests/${body.id}`
        await ok(first.send('ann', 'PUT', `${path}/state`, { body: { state: 'In review' } }))
        const history: Done[] = []
        let moment = 0
        const take = async (name: string, process: Process) => {
          moment += 1
          const sent = moment
          const answer = await (steps[name] as Step).run(process, path)
          moment += 1
          const succeeded = typeof answer === 'number' ? answer > 0 : answer.status < 300
          if (typeof answer !== 'number') expect([name, answer.status >= 500]).toEqual([name, false])
          history.push({ name, sent, received: moment, succeeded })
        }
        for (const name of beginnings[beginning] ?? []) await take(name, first)
        // What is scheduled in a minute is due.
        clock.forward(90_000)
        const calls = chosen.map(async ({ name, process, after }) => {
          await ticks(after)
          await take(name, processes[process] as Process)
        })
        await Promise.all(calls)
        const left = await first.send('ann', 'GET', `${path}/review`)
        await take('apply', first)
        await take('run', first)
        expect([beginning, history, breaches(versions, history)]).toEqual([beginning, history, []])
        const open = left.body.objections.filter(({ ended }: { ended: unknown }) => ended === null)
        const after = (await first.send('ann', 'GET', path)).body.state
        if (open.length > 0) expect(after).toBe(left.body.state)
        expect(flags.times(body.id)).toBe(after === 'Applied' ? 1 : 0)
      })
      try {
        await fc.assert(property, { numRuns: races, seed, endOnFailure: true })
        await expectConsistent(database.storage)
      } finally {
        await other.close()
        await database.close()
      }
    })
  },
)

/** Lets others go on before it applies. */
class SlowFlags extends Flags {
  readonly #slow: number

  constructor(slow: number) {
    super()
    this.#slow = slow
  }

  override async apply(...given: Parameters<Flags['apply']>) {
    await ticks(this.#slow)
    return super.apply(...given)
  }
}

async function ticks(count: number): Promise<void> {
  for (let tick = 0; tick < count; tick += 1) await new Promise(setImmediate)
}

/** Keeps every version that is stored. */
function recording(storage: Storage, versions: ChangeRequest[]): Storage {
  return {
    ...storage,
    async commit(write) {
      const isStored = await storage.commit(write)
      if (isStored) versions.push(write.changeRequest)
      return isStored
    },
  }
}

/** Versions that are Applied with an open objection, and applies of what was stopped before they were sent. */
function breaches(versions: readonly ChangeRequest[], history: readonly Done[]): string[] {
  const found = versions.flatMap((version) => {
    const { state, emergency, objections = [] } = version
    if (state !== 'Applied') return []
    const named = emergency?.missing.filter(({ code }) => code === 'objection').length ?? 0
    const passed = objections.filter(({ ended }) => ended?.how === 'emergency').length
    return [
      ...(openObjections(version).length > 0 ? ['it is applied with an open objection'] : []),
      ...(passed === named ? [] : [`its emergency names ${named} of ${passed} objections`]),
    ]
  })
  const succeeded = history.filter((one) => one.succeeded)
  for (const objected of succeeded.filter(({ name }) => name.startsWith('object'))) {
    for (const applied of succeeded.filter(({ name }) => steps[name]?.applies)) {
      if (applied.sent < objected.received) continue
      const mayHaveEnded = ({ name, sent, received }: Done) =>
        steps[name]?.ends && received > objected.sent && sent < applied.received
      if (!succeeded.some(mayHaveEnded)) found.push(`${objected.name} did not stop ${applied.name}`)
    }
  }
  return found
}
