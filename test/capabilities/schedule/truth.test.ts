import { ChangeRequestError, type CurrentOptions, type Storage, type Subjects } from '../../../src'
import { changeSettings } from '../../../src/capabilities/settings/change-settings'
import { by, inAnHour, production, renameSegment } from '../../kernel/support/fixture'
import { never } from '../../kernel/support/flags'
import { createScheduledFixture, editStrategy, ScheduledFlags } from '../../kernel/support/schedules'
import { withTransactions } from '../../kernel/support/transactions'

type Fixture = ReturnType<typeof createScheduledFixture>
type Status = Awaited<ReturnType<Fixture['status']>>

const halfPast = '2026-03-04T12:30:00.000Z'
const evening = '2026-03-04T18:00:00.000Z'
const suspendedEvent = 'change-request-schedule-suspended'
const failedEvent = 'change-request-scheduled-application-failure'
const success = [
  'feature-environment-enabled',
  'change-request-applied',
  'change-request-scheduled-application-success',
]
const altered = (what: string) => `${what}: its target was edited after it was scheduled.`
const unapproved =
  'The approved changes no longer match what would be applied. 0 of 1 approvals are still valid; approve again.'

interface Row {
  readonly what: string
  readonly changes?: Parameters<Fixture['scheduled']>[0]
  readonly users?: boolean
  /** What happens between scheduling and the time. */
  readonly happens: (fixture: Fixture) => unknown
  readonly status: Status
  /** Its events, in order. */
  readonly events: readonly string[]
}

const refuses = () => Promise.reject(new ChangeRequestError('ConflictError', 'The flag is locked.'))
const knowsNothing = () => Promise.reject(new ChangeRequestError('UnavailableError', 'Ask again.'))

const gone = { users: true } as const
const known = new Map<number, object>()

const rows: readonly Row[] = [
  { what: 'nothing', happens: () => {}, status: 'Applied', events: success },
  {
    what: 'the approved content is altered in the database',
    async happens({ memory, services }) {
      const found = await memory.find({ project: 'shop' }, 1)
      if (found === undefined) throw new Error('There is none.')
      const changes = found.changeRequest.changes.map((change) => ({ ...change, payload: { enabled: false } }))
      await services.writer.commit(found, { changeRequest: { ...found.changeRequest, changes }, events: [] })
    },
    status: ['suspended', unapproved],
    events: [suspendedEvent],
  },
  {
    what: 'the host changes the strategy',
    changes: [editStrategy],
    happens: ({ flags }) => alter(flags),
    status: ['suspended', altered('Editing “Standard” of checkout')],
    events: [suspendedEvent],
  },
  {
    what: 'the host changes the segment',
    changes: [renameSegment(4)],
    happens: ({ flags }) => alter(flags),
    status: ['suspended', altered('Editing the segment “beta”')],
    events: [suspendedEvent],
  },
  {
    what: 'the strategy is gone',
    changes: [editStrategy],
    happens: ({ flags }) => void Object.assign(flags, { strategies: [{ id: 's2', name: 'default', disabled: false }] }),
    status: ['failed', 'conflicts'],
    events: [failedEvent],
  },
  {
    what: 'the flag is archived',
    happens: ({ flags }) => void Object.assign(flags, { archived: true }),
    status: ['failed', 'conflicts'],
    events: [failedEvent],
  },
  {
    what: 'a segment that the strategy uses is gone',
    changes: [{ ...editStrategy, payload: { id: 's1', segments: [9] } }],
    happens: ({ flags }) => void Object.assign(flags, { deletedSegments: [9] }),
    status: ['failed', 'conflicts'],
    events: [failedEvent],
  },
  {
    what: 'the person is gone',
    ...gone,
    happens: () => void known.delete(3),
    status: ['suspended', 'The user who scheduled it no longer exists: cleo@example.com.'],
    events: [suspendedEvent],
  },
  {
    what: 'a default change appears that nobody approved',
    happens: ({ flags }) => void Object.assign(flags, { strategies: [] }),
    status: ['suspended', unapproved],
    events: [suspendedEvent],
  },
  {
    what: 'the gateway refuses',
    happens: ({ flags }) => void Object.assign(flags, { apply: refuses }),
    status: ['failed', 'The flag is locked.'],
    events: [failedEvent],
  },
  {
    what: 'the validator refuses',
    happens: ({ services }) => void Object.assign(services, { validate: () => [{ message: 'Not on a Friday.' }] }),
    status: ['suspended', 'Not on a Friday.'],
    events: [suspendedEvent],
  },
  {
    what: 'the validator refuses by throwing',
    happens: ({ services }) => void Object.assign(services, { validate: refuses }),
    status: ['suspended', 'The flag is locked.'],
    events: [suspendedEvent],
  },
  {
    what: 'the validator throws that it does not know yet',
    happens: ({ services }) => void Object.assign(services, { validate: knowsNothing }),
    status: ['pending', null],
    events: [],
  },
  {
    what: 'the gateway is out of reach',
    happens: ({ flags }) => void Object.assign(flags, { apply: () => Promise.reject(new Error('ECONNREFUSED')) }),
    status: ['pending', null],
    events: [],
  },
  {
    what: 'the gateway hangs',
    happens: ({ flags }) => void Object.assign(flags, { apply: never }),
    status: ['pending', null],
    events: [],
  },
  {
    what: 'the gateway does not return the flags',
    happens: ({ flags }) => void Object.assign(flags, { instead: () => Promise.reject(new Error('ECONNREFUSED')) }),
    status: ['pending', null],
    events: [],
  },
  {
    what: 'change requests are switched off',
    happens: ({ services }) =>
      changeSettings(services, { ...by('dora'), ...production, changeRequestsEnabled: false, requiredApprovals: null }),
    status: 'Applied',
    events: ['change-request-configuration-updated', ...success],
  },
  {
    what: 'it is rejected',
    happens: (fixture) => fixture.to('ben', 'Rejected'),
    status: 'Rejected',
    events: ['change-request-rejected'],
  },
  {
    what: 'another user applies it',
    happens: (fixture) => fixture.to('ann', 'Applied'),
    status: 'Applied',
    events: ['feature-environment-enabled', 'change-request-applied'],
  },
  {
    what: 'it is scheduled for later',
    happens: (fixture) => fixture.to('dora', 'Scheduled', { scheduledAt: evening }),
    status: ['pending', null],
    events: [],
  },
]

function alter(flags: ScheduledFlags): void {
  flags.rollout = '100'
}

function open({ users = false, changes }: Pick<Row, 'users' | 'changes'>) {
  known.clear()
  for (const id of [1, 2, 3, 4]) known.set(id, { id, email: `${id}@example.com` })
  const directory = {
    find: async (ids: readonly number[]) => ids.flatMap((id) => (known.has(id) ? { id } : [])),
    reviewers: async () => [],
  }
  const fixture = createScheduledFixture({ limits: { applyTimeoutMs: 20 }, ...(users ? { users: directory } : {}) })
  return { fixture, begin: () => fixture.scheduled(changes) }
}

/** @see contract 6.5, issue 12 */
describe('a scheduled change request, at its time', () => {
  it.each(rows)('after $what: $status', async ({ happens, status, events, ...more }) => {
    const { fixture, begin } = open(more)
    await begin()
    fixture.host.now = Date.parse(halfPast)
    await happens(fixture)
    await fixture.runAt(inAnHour)
    expect(await fixture.status()).toEqual(status)
    expect(await fixture.loggedTypes()).toEqual(events)
  })

  it('has the same result when it is run again, and in several processes concurrently', async () => {
    const { fixture, begin } = open({})
    await begin()
    fixture.host.now = Date.parse(inAnHour)
    await Promise.all([fixture.scheduler, fixture.another(), fixture.another()].map((process) => process.runDue()))
    await fixture.scheduler.runDue()
    expect([fixture.flags.applied.length, await fixture.loggedTypes()]).toEqual([1, success])
  })

  it.each([
    ['on time', inAnHour, 'Applied'],
    ['a day late, after nothing ran', '2026-03-05T13:00:00.000Z', 'Applied'],
    ['three days late', '2026-03-07T13:00:00.000Z', ['suspended', 'missed by 3 days']],
  ] as const)('runs %s', async (_, time, status) => {
    const { fixture, begin } = open({})
    await begin()
    await fixture.runAt(time)
    expect(await fixture.status()).toEqual(status)
  })

  it('runs in the name of the user who scheduled it last', async () => {
    const { fixture, begin } = open({})
    await begin()
    await fixture.to('dora', 'Scheduled', { scheduledAt: halfPast })
    await fixture.runAt(halfPast)
    const written = (await fixture.events()).slice(-3).map(({ createdBy, data }) => [createdBy, data?.scheduled])
    expect(written).toEqual([
      ['dora@example.com', undefined],
      ['dora@example.com', true],
      ['dora@example.com', undefined],
    ])
  })

  it.each([
    ['later', evening, ['pending', null], []],
    ['earlier', '2026-03-04T12:59:30.000Z', 'Applied', success],
  ] as const)('respects a change that is made %s while it is about to run', async (_, scheduledAt, status, events) => {
    const { fixture, begin } = open({})
    await begin()
    fixture.flags.instead = async (subjects) => {
      fixture.flags.instead = null
      await fixture.to('dora', 'Scheduled', { scheduledAt })
      return fixture.flags.current(subjects)
    }
    await fixture.runAt(inAnHour)
    expect([await fixture.status(), await fixture.loggedTypes()]).toEqual([status, events])
  })

  it('is applied after an outage, once', async () => {
    const { fixture, begin } = open({})
    await begin()
    const working = fixture.flags.current
    fixture.flags.instead = () => Promise.reject(new Error('ECONNREFUSED'))
    expect(await fixture.runAt(inAnHour)).toMatchObject({ applied: 0, left: 1 })
    fixture.flags.instead = null
    expect(fixture.flags.current).toBe(working)
    expect(await fixture.runAt('2026-03-04T14:00:00.000Z')).toEqual({ applied: 1, failed: 0, suspended: 0, left: 0 })
    expect(await fixture.loggedTypes()).toEqual(success)
  })
})

/** @see contract 6.2 */
describe('a change request that was suspended or failed', () => {
  async function suspended() {
    const { fixture, begin } = open({ changes: [editStrategy] })
    await begin()
    alter(fixture.flags)
    await fixture.runAt(inAnHour)
    return fixture
  }

  it('is not run again', async () => {
    const fixture = await suspended()
    expect(await fixture.runAt(evening)).toEqual({ applied: 0, failed: 0, suspended: 0, left: 0 })
    expect(await fixture.loggedTypes()).toEqual([suspendedEvent])
  })

  it('runs at the new time when it is scheduled again, on the content at that time', async () => {
    const fixture = await suspended()
    await fixture.to('ben', 'Scheduled', { scheduledAt: evening })
    expect(await fixture.status()).toEqual(['pending', null])
    await fixture.runAt(evening)
    expect(await fixture.status()).toBe('Applied')
  })
})

describe('a transactional gateway', () => {
  /** Its transaction reads other flags than those before it. */
  class OvertakenFlags extends ScheduledFlags {
    readonly transactional = true

    override current(subjects: Subjects, options?: CurrentOptions) {
      if (options !== undefined) this.rollout = '100'
      return super.current(subjects)
    }
  }

  it('is checked again inside the transaction, and nothing is applied that has changed', async () => {
    const logs: { committed: number; rolledBack: number }[] = []
    const storage = (memory: Storage) => {
      const { storage: shared, log } = withTransactions(memory)
      logs.push(log)
      return shared
    }
    const fixture = createScheduledFixture({ storage }, new OvertakenFlags())
    await fixture.scheduled([editStrategy])
    expect(await fixture.runAt(inAnHour)).toEqual({ applied: 0, failed: 0, suspended: 1, left: 0 })
    expect(logs).toEqual([{ committed: 0, rolledBack: 1 }])
    expect([fixture.flags.applied, await fixture.loggedTypes()]).toEqual([[], [suspendedEvent]])
  })
})
