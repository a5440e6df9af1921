import { join } from 'node:path'
import { applyRecords } from '../../../src/storage/knex'
import { type OpenDatabase, postgres, sqlite } from '../../support/databases'
import { longTimeoutLimits } from '../../support/databases/long-timeouts'
import { isNightly } from '../../support/nightly'
import { expectConsistent } from '../../support/verify/expect-consistent'
import { listening, mark, propose, type Server, until } from '../support/server'

const reviewer = 100

/** Where the process dies that applies, and whether the flags have changed then. The gate has one of each kind. */
const allApplyPoints = [
  ['apply: at the start', false],
  ['apply: before the work', false],
  ['apply: after the work', false],
  ['apply: before COMMIT', false, 'gate'],
  ['apply: after COMMIT', true, 'gate'],
  ['apply: before our commit', true],
  ['apply: in our commit', true],
  ['apply: after our commit', true],
] as const
const applyPoints = allApplyPoints.filter(([, , isInGate]) => isNightly || isInGate)
const notApplied = applyPoints.filter(([, isApplied]) => !isApplied).length

/** Where the process dies that settles an apply. */
const outcomePoints = isNightly
  ? ['outcome: at the start', 'outcome: before COMMIT', 'outcome: after COMMIT']
  : ['outcome: before COMMIT']

/** @see contract 12, "Interrupted applies" */
describe.each([
  ['SQLite', 'Postgres', sqlite, postgres],
  ['Postgres', 'SQLite', postgres, sqlite],
] as const)('applyRecords with flags on %s and change requests on %s', (_, __, hostKind, kind) => {
  let ours: OpenDatabase
  let host: OpenDatabase
  let server: Server | undefined

  beforeEach(async () => {
    ours = await kind.open()
    host = await hostKind.open({ migrate: false })
    await host.knex.schema.createTable('our_flags', (table) => {
      table.string('name').primary()
      table.boolean('enabled').notNullable().defaultTo(false)
      table.integer('times').notNullable().defaultTo(0)
    })
    await applyRecords({ knex: host.knex }).migrate()
  })
  afterEach(async () => {
    await server?.kill()
    await host.close()
    await ours.close()
  })

  async function start(point?: string): Promise<Server> {
    const limits = { ...longTimeoutLimits, applyTimeoutMs: 1_000 }
    const config = { ...ours.place, host: host.place.knex, limits, point }
    const script = join(__dirname, 'two-databases-server.cjs')
    server = await listening([process.execPath, script, JSON.stringify(config)])
    return server
  }

  const rows = async (): Promise<{ id: number; state: string; isApplying: boolean }[]> => {
    const found = await ours.knex('ffcr_change_requests').select('id', 'state', 'applying_since').orderBy('id')
    return found.map(({ id, state, applying_since }) => ({
      id: Number(id),
      state,
      isApplying: applying_since !== null,
    }))
  }
  const flags = async () => {
    const found = await host.knex('our_flags').orderBy('name')
    return found.map(({ enabled, times }) => [Boolean(enabled), times])
  }

  it('keeps flags and change requests equal when the process dies at any point', async () => {
    await host.knex('our_flags').insert(applyPoints.map((_, index) => ({ name: `flag-${index}` })))
    const ids: number[] = []
    for (const [index, [point]] of applyPoints.entries()) {
      const mortal = await start(point)
      ids.push(await approved(mortal, index))
      await toDeath(mortal, ids.at(-1) as number)
      // The first apply was not committed. It is settled by processes that die meanwhile.
      if (index === 0) for (const outcomePoint of outcomePoints) await (await start(outcomePoint)).gone()
    }
    const heir = await start()
    await until(async () => (await rows()).every(({ isApplying }) => !isApplying))
    const expected = applyPoints.map(([, isApplied], index) => ({
      id: ids[index],
      state: isApplied ? 'Applied' : 'Approved',
      isApplying: false,
    }))
    expect(await rows()).toEqual(expected)
    expect(await flags()).toEqual(applyPoints.map(([, isApplied]) => [isApplied, isApplied ? 1 : 0]))

    // What was reported as not applied stays so, however late a request for it arrives.
    const abandoned = await host.knex('ffcr_apply_records').whereNull('events').pluck('apply_id')
    expect(abandoned).toHaveLength(notApplied)
    const records = applyRecords({ knex: host.knex })
    const work = () => Promise.reject(new Error('It was called.'))
    for (const applyId of abandoned) {
      await expect(records.run(applyId, work)).rejects.toMatchObject({ name: 'ConflictError' })
    }

    for (const id of ids.slice(0, notApplied)) expect(await to(heir, id, 'Applied', reviewer)).toBe(200)
    expect((await rows()).map(({ state }) => state)).toEqual(applyPoints.map(() => 'Applied'))
    expect(await flags()).toEqual(applyPoints.map(() => [true, 1]))
    const events = await ours.knex('ffcr_events').select('type', 'feature_name', 'body').orderBy('id')
    const enabled = events.filter(({ type }) => type === 'feature-environment-enabled')
    expect(enabled.map(({ feature_name }) => feature_name).sort()).toEqual(
      applyPoints.map((_, index) => `flag-${index}`),
    )
    // Those that were settled have the same event as those that were applied without an interruption.
    const applied = events.filter(({ type }) => type === 'change-request-applied')
    const requirements = [{ name: 'minimum', environment: null, approvals: 1, given: 1 }]
    expect(applied.map(({ body }) => JSON.parse(body).data)).toEqual(
      applyPoints.map(() => ({
        changeRequestId: expect.any(Number),
        approvals: [{ by: { id: reviewer, username: `user-${reviewer}` }, at: expect.any(String), rules: [] }],
        requirements,
        policy: expect.stringMatching(/^[0-9a-f]{64}$/),
      })),
    )
    await expectConsistent(ours.storage)
  })
})

/** Each in an environment of its own, so that one user can have several open change requests. */
async function approved(server: Server, index: number): Promise<number> {
  const answer = await propose(server, [mark(`flag-${index}`)], { environment: `e${index}` })
  const { id } = (await answer.json()) as { id: number }
  expect([await to(server, id, 'In review', 1), await to(server, id, 'Approved', reviewer)]).toEqual([200, 200])
  return id
}

/** On a slow machine the gateway exceeds its time limit before the point, so the call is repeated. */
async function toDeath(server: Server, id: number): Promise<void> {
  while (server.ended() === undefined) {
    const isDying = await to(server, id, 'Applied', reviewer).then(
      () => false,
      () => true,
    )
    if (isDying) await server.gone()
  }
}

async function to({ url }: Server, id: number, state: string, user: number): Promise<number> {
  const answer = await fetch(`${url}/api/admin/projects/shop/change-requests/${id}/state`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json', 'x-user': String(user) },
    body: JSON.stringify({ state }),
  })
  await answer.arrayBuffer()
  return answer.status
}
