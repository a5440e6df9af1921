import { type OpenDatabase, openAgain, postgres } from '../../support/databases'
import { expectConsistent } from '../../support/verify/expect-consistent'
import { inProcess, type Send } from './support/callers'
import { eventTypes, openRouter } from './support/hosts'
import {
  approved,
  changeIds,
  edit,
  FlagTable,
  needApprovals,
  ok,
  reviewed,
  stopBeforeCommit,
  to,
} from './support/walks'

/** Two processes on one Postgres. A call of the first pauses between its decision and its commit. */
describe('two processes that decide on the same version, on Postgres', () => {
  let first: OpenDatabase
  let second: OpenDatabase
  let flags: FlagTable
  let otherFlags: FlagTable
  /** The first process, which pauses at its next commit; the second one; and one without a pause for the setup. */
  let stopped: Send
  let other: Send
  let gate: ReturnType<typeof stopBeforeCommit>

  beforeEach(async () => {
    first = await postgres.open()
    second = openAgain(first.place)
    flags = new FlagTable(first.knex)
    otherFlags = new FlagTable(second.knex)
    await flags.create()
    gate = stopBeforeCommit(first.storage)
    stopped = inProcess(openRouter(gate.storage, { flags }))
    other = inProcess(openRouter(second.storage, { flags: otherFlags }))
  })
  afterEach(async () => {
    gate.letGo()
    await expectConsistent(second.storage)
    await second.close()
    await first.close()
  })

  const stored = async () => {
    const found = await second.storage.find({ project: 'shop' }, 1)
    const { state, approvals, changes } = found?.changeRequest ?? { state: null, approvals: [], changes: [] }
    return {
      state,
      approvals: approvals.map(({ createdBy }) => createdBy.id),
      flags: changes.map(({ feature }) => feature),
    }
  }
  const tail = async (count: number) => (await eventTypes(second.storage)).slice(-count)

  it('an approval that an edit overtook is rejected, because the approver has not seen the new content', async () => {
    const [change = 0] = changeIds(await reviewed(other))
    const approval = to(stopped, 'ben', 'Approved')
    await gate.arrived
    await ok(edit(other, change))
    gate.letGo()
    expect([(await approval).status, (await approval).name]).toEqual([412, 'PreconditionFailedError'])
    expect(await stored()).toEqual({ state: 'In review', approvals: [], flags: ['search'] })
    expect(await tail(1)).toEqual(['change-edited'])
  })

  it('an edit that an approval overtook voids it', async () => {
    const [change = 0] = changeIds(await reviewed(other))
    const editing = edit(stopped, change)
    await gate.arrived
    await ok(to(other, 'ben', 'Approved'))
    gate.letGo()
    expect((await editing).status).toBe(200)
    expect(await stored()).toEqual({ state: 'In review', approvals: [], flags: ['search'] })
  })

  it('two concurrent approvals both count', async () => {
    await needApprovals(other, 2)
    await reviewed(other)
    const approval = to(stopped, 'ben', 'Approved')
    await gate.arrived
    await ok(to(other, 'dora', 'Approved'))
    gate.letGo()
    expect((await approval).body.state).toBe('Approved')
    expect(await stored()).toEqual({ state: 'Approved', approvals: [4, 2], flags: ['checkout'] })
    const added = 'change-request-approval-added'
    expect(await tail(3)).toEqual([added, added, 'change-request-approved'])
  })

  it('two concurrent approvals of one user count once', async () => {
    await needApprovals(other, 2)
    await reviewed(other)
    const approval = to(stopped, 'ben', 'Approved')
    await gate.arrived
    await ok(to(other, 'ben', 'Approved'))
    gate.letGo()
    expect((await approval).name).toBe('ConflictError')
    expect(await stored()).toEqual({ state: 'In review', approvals: [2], flags: ['checkout'] })
  })

  it('an apply that an edit overtook is rolled back, with its changes to the flags', async () => {
    const [change = 0] = changeIds(await approved(other))
    const applying = to(stopped, 'ben', 'Applied')
    await gate.arrived
    await ok(edit(other, change))
    gate.letGo()
    expect((await applying).name).toBe('PreconditionFailedError')
    expect(await stored()).toEqual({ state: 'In review', approvals: [], flags: ['search'] })
    expect(await flags.written()).toEqual({ on: [], changes: [] })
    expect(await tail(1)).toEqual(['change-edited'])
  })

  it('an edit that an apply overtook is rejected', async () => {
    const [change = 0] = changeIds(await approved(other))
    const editing = edit(stopped, change)
    await gate.arrived
    await ok(to(other, 'ben', 'Applied'))
    gate.letGo()
    expect((await editing).name).toBe('ConflictError')
    expect(await stored()).toEqual({ state: 'Applied', approvals: [2], flags: ['checkout'] })
    expect(await flags.written()).toEqual({ on: ['checkout'], changes: ['checkout'] })
  })

  it('of two concurrent applies one succeeds, also if both wrote the flags before either commit', async () => {
    await approved(other)
    flags.locks = false
    otherFlags.locks = false
    flags.midway = async () => {
      flags.midway = null
      // Pauses before the row of the flag is locked, so that both reach their commit.
      await ok(to(other, 'dora', 'Applied'))
    }
    gate.letGo()
    expect((await to(stopped, 'ben', 'Applied')).name).toBe('ConflictError')
    expect(await flags.written()).toEqual({ on: ['checkout'], changes: ['checkout'] })
    expect((await eventTypes(second.storage)).filter((type) => type === 'change-request-applied')).toHaveLength(1)
  })

  it('a rejection that the last approval overtook is rejected, and vice versa', async () => {
    await reviewed(other)
    const rejection = to(stopped, 'dora', 'Rejected')
    await gate.arrived
    await ok(to(other, 'ben', 'Approved'))
    gate.letGo()
    expect((await rejection).name).toBe('ConflictError')
    expect(await stored()).toEqual({ state: 'Approved', approvals: [2], flags: ['checkout'] })
  })
})
