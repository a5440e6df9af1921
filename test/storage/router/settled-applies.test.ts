import type { FlagEvent, Storage } from '../../../src'
import { Settler } from '../../../src/capabilities/apply/settler'
import { revert } from '../../../src/capabilities/revert/routes'
import { applyScheduled } from '../../../src/capabilities/schedule/apply-scheduled'
import { FreezeRound } from '../../../src/capabilities/schedule/freeze-round'
import { presetSchedule } from '../../../src/capabilities/schedule/schedule'
import type { NewChange } from '../../../src/domain/change-request'
import { settle } from '../../../src/kernel/step/settle'
import { by, createFixture, type Fixture, type FixtureOptions, inAnHour, until } from '../../kernel/support/fixture'
import { HostFlags } from '../../kernel/support/flags'
import { databases, type OpenDatabase } from '../../support/databases'
import { expectConsistent } from '../../support/verify/expect-consistent'

const hour = 3_600_000
const reason = 'Nobody can pay since 10:40.'
const rename: NewChange = { action: 'updateStrategy', feature: 'checkout', payload: { id: 's1', title: 'new' } }

/** A kind of apply. */
interface Kind {
  readonly emergency: boolean
  /** A user preset a schedule; the runner applies it unless there is an emergency. */
  readonly preset: boolean
  readonly reverts: boolean
}

const either = [false, true]
const kinds: readonly Kind[] = either.flatMap((emergency) =>
  either.flatMap((preset) => either.map((reverts) => ({ emergency, preset, reverts }))),
)

interface Interrupted {
  readonly kind: Kind
  readonly id: number
  /** What the gateway applied. */
  readonly events: readonly FlagEvent[]
}

/** Who ends an apply whose process died after the gateway had applied the changes. */
const settlers: { readonly [name: string]: (fixture: Fixture, interrupted: Interrupted) => Promise<unknown> } = {
  async 'another process'({ services, stored }, { id }) {
    const settler = new Settler(services, 1)
    settler.start()
    await until(async () => (await stored(id))?.state === 'Applied')
    await settler.close()
  },
  'the next apply': (fixture, { kind, id }) => apply(fixture, kind, id),
  'an operator': ({ services }, { id, events }) =>
    settle(services, { project: 'shop', id, outcome: 'applied', events }),
}

const options: FixtureOptions = {
  emergency: true,
  overwrites: 'allow',
  schedule: 'elsewhere',
  recordIp: true,
  approvalRules: [
    { name: 'owners', approvals: 1, from: { users: [2] } },
    { name: 'titles', mode: 'trial', when: { fields: [{ path: '/title' }] }, approvals: 2 },
  ],
  freezes: [
    { name: 'Sale', reason: 'Sales', from: '2030-01-01T00:00:00Z' },
    { name: 'Night', mode: 'trial', reason: 'Nobody is there', from: '2026-03-01T00:00:00Z' },
  ],
  checks: [{ name: 'ci', mode: 'trial' }],
}

class TitledFlags extends HostFlags {
  set title(title: string) {
    this.strategies = [{ id: 's1', name: 'default', disabled: false, title }]
  }
}

/** A change request that another user's edit has overtaken, ready to be applied. */
async function prepare({ services, propose, to }: Fixture, flags: TitledFlags, kind: Kind): Promise<number> {
  const { emergency, preset, reverts } = kind
  flags.title = 'old'
  let { id } = (await propose('ann', [rename])).changeRequest
  if (reverts) {
    await to('ann', 'In review', { id })
    await to('ben', 'Approved', { id })
    await to('ben', 'Applied', { id })
    flags.title = 'new'
    id = (await revert(services, { ...by('ann'), project: 'shop', id }, false)).changeRequest.id
  }
  flags.title = 'edited'
  await to('ann', 'In review', { id })
  if (preset)
    await presetSchedule(services, { ...by('cleo'), project: 'shop', id, digest: null, scheduledAt: inAnHour })
  if (!emergency) await to('ben', 'Approved', { id })
  return id
}

async function apply({ services, to }: Fixture, { emergency, preset }: Kind, id: number): Promise<unknown> {
  if (emergency) return to('ben', 'Applied', { id, reason })
  if (!preset) return to('ben', 'Applied', { id })
  return applyScheduled(services, { project: 'shop', id }, new FreezeRound(services))
}

describe.each(databases)(
  'an apply that was interrupted after the gateway had applied the changes, on $name',
  (kind) => {
    let database: OpenDatabase
    beforeAll(async () => {
      database = await kind.open()
    })
    afterAll(async () => {
      await expectConsistent(database.storage)
      await database.close()
    })

    /** A process on this database, this number of hours after noon. */
    function open(flags: HostFlags, hours: number, more: Partial<Storage> = {}): Fixture {
      const { storage } = database
      // The clock of the fixture is not that of the database.
      const health = async () => ({ ...(await storage.health()), now: new Date(fixture.host.now).toISOString() })
      const fixture = createFixture({ ...options, flags, storage: () => ({ ...storage, health, ...more }) })
      fixture.host.now += hours * hour
      return fixture
    }

    /** A process that dies before it stores an outcome. */
    const commit: Storage['commit'] = (write) => {
      if (write.changeRequest.state === 'Applied') return Promise.reject(new Error('The process was killed.'))
      return database.storage.commit(write)
    }

    it.each(kinds)(
      'leaves the same: emergency $emergency, preset schedule $preset, revert $reverts',
      async (applied) => {
        const flags = new TitledFlags()
        const id = await prepare(open(flags, 0), flags, applied)
        await apply(open(flags, 1), applied, id)
        const [expected, ...further] = await left(id)
        const { emergency, preset } = applied
        const given = emergency ? 0 : 1
        const approval = {
          by: { id: 2, username: 'ben@example.com' },
          at: '2026-03-04T12:00:00.000Z',
          rules: ['owners'],
        }
        const missing = ['minimum', 'owners'].map((name) => ({
          code: 'missing-approvals',
          name,
          approvals: 1,
          given: 0,
        }))
        expect(expected?.data).toEqual({
          ...(emergency ? { emergency: { reason, missing } } : preset && { scheduled: true }),
          approvals: emergency ? [] : [approval],
          requirements: [
            { name: 'minimum', environment: null, approvals: 1, given },
            { name: 'owners', environment: 'production', approvals: 1, given },
          ],
          checks: [{ name: 'ci', required: true, status: null, reportedBy: null, reportedAt: null }],
          overwrote: [{ feature: 'checkout', path: '/title' }],
          trial: [
            { kind: 'rule', name: 'titles', met: false },
            { kind: 'freeze', name: 'Night', met: false },
            { kind: 'check', name: 'ci', met: false },
          ],
          policy: expect.stringMatching(/^[0-9a-f]{64}$/),
        })
        for (const [name, end] of Object.entries(settlers)) {
          const host = new TitledFlags()
          const other = await prepare(open(host, 0), host, applied)
          await expect(apply(open(host, 1, { commit }), applied, other)).rejects.toThrow()
          const events = [...host.outcomes.values()].at(-1) ?? []
          expect(events).toHaveLength(1)
          await end(open(host, 2), { kind: applied, id: other, events })
          const settled = name === 'an operator' && { settled: 'operator' }
          expect([name, ...(await left(other))]).toEqual([
            name,
            { ...expected, data: { ...expected?.data, ...settled } },
            ...further,
          ])
        }
      },
    )

    /** The events that an apply left, without what differs between any two. */
    async function left(of: number) {
      const events = await open(new HostFlags(), 0).events()
      return events
        .filter(({ type, data }) => /appl(ied|ication)/.test(type) && data.changeRequestId === of)
        .map(({ id, createdAt, summary, data: { changeRequestId, ...data }, ...event }) => ({ ...event, data }))
    }
  },
)
