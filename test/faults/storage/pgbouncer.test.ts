import { sampleEvent } from '../../../src/testing/samples'
import { type OpenDatabase, postgres } from '../../support/databases'
import { isNightly } from '../../support/nightly'
import { type OpenHandle, openHandles } from '../support/open-handles'
import { hasPgbouncer, startPgbouncer } from '../support/pgbouncer'
import { until } from '../support/server'

const handles = isNightly ? openHandles : openHandles.slice(0, 1)

/** Skipped where pgbouncer is not installed. */
const withPgbouncer = hasPgbouncer ? describe : describe.skip

withPgbouncer.each(handles)('a storage with %s behind pgbouncer in transaction mode', (_, openHandle) => {
  let database: OpenDatabase
  let pgbouncer: Awaited<ReturnType<typeof startPgbouncer>>
  let open: OpenHandle[] = []

  beforeEach(async () => {
    database = await postgres.open()
    pgbouncer = await startPgbouncer(new URL(process.env.TEST_POSTGRES_URL ?? ''))
  })
  afterEach(async () => {
    for (const handle of open) await handle.close()
    open = []
    await pgbouncer.end()
    await database.close()
  })

  /** Another process. */
  function start(options: Parameters<typeof openHandle>[1]): OpenHandle {
    const { durability: _, ...place } = database.place.storage
    const handle = openHandle(pgbouncer.url, { ...place, ...options })
    open.push(handle)
    return handle
  }

  const write = ({ storage }: OpenHandle) => storage.appendEvents([sampleEvent('a')])
  const page = ({ storage }: OpenHandle) => storage.eventPage({ projects: ['shop'] }, { after: 0 }, 10, false)
  const transact = ({ storage }: OpenHandle) =>
    storage.transaction((_: unknown, inside) => inside.appendEvents([sampleEvent('b')]))

  it('works with preparedStatements: false', async () => {
    const [one, other] = [start({ preparedStatements: false }), start({ preparedStatements: false })]
    for (const handle of [one, other, one, other]) {
      await write(handle)
      await transact(handle)
      await page(handle)
    }
    expect((await other.storage.eventHead({})).total).toBe(8)
    expect([one.problems, other.problems]).toEqual([[], []])
  })

  it('fails with 503 when prepared statements are mixed up, and reports the option once', async () => {
    const [one, other, plain] = [start({}), start({}), start({ preparedStatements: false })]
    const codes: string[] = []
    const failure = async (handle: OpenHandle) => {
      try {
        await write(handle)
      } catch (error) {
        codes.push(`${(error as { code: string }).code} ${handle.storage.failureOf(error)}`)
      }
    }
    await failure(one)
    // The statement of the other process exists already on the only connection of the server.
    await failure(other)
    await failure(other)
    await database.knex.raw(`select pg_terminate_backend(pid) from pg_stat_activity
      where query like '%${database.place.storage.schema}%' and pid <> pg_backend_pid() and state = 'idle'`)
    // pgbouncer may notice it with the next statement only.
    await write(plain).catch(() => write(plain))
    // The statement of the first process does not exist on the next one.
    await failure(one)
    await failure(one)
    expect(codes).toEqual(expect.arrayContaining(['42P05 busy', '26000 busy']))
    for (const { problems, inUse } of [one, other]) {
      expect(problems).toEqual([
        { level: 'warn', message: expect.stringContaining('preparedStatements'), details: expect.anything() },
      ])
      expect(inUse()).toBe(0)
    }
  })

  it('reports once that notifications do not arrive, and stops listening', async () => {
    const follower = start({ preparedStatements: false, notify: true })
    let wakes = 0
    const unsubscribe = follower.storage.onAppend?.(() => {
      wakes += 1
    })
    await until(() => follower.problems.length > 0)
    await until(() => follower.inUse() === 0)
    expect(follower.problems).toEqual([{ level: 'warn', message: expect.stringContaining('option notify') }])
    expect(wakes).toBeGreaterThan(0)
    unsubscribe?.()
  })
})
