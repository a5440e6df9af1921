import { key, sampleEvent } from '../../../src/testing/samples'
import { nightly } from '../../support/nightly'
import { type OpenHandle, openHandles } from '../support/open-handles'
import { type ReplicatedPostgres, startReplicatedPostgres } from '../support/replicated-postgres'
import { until } from '../support/server'

/** The write of an event in the transaction of a gateway, whose COMMIT is a statement of its own. */
const inTransaction = ({ storage }: OpenHandle, event: string) =>
  storage.transaction((_: unknown, inside) => inside.appendEvents([sampleEvent(event)]))
const alone = ({ storage }: OpenHandle, event: string) => storage.appendEvents([sampleEvent(event)])
const writes = [
  ['an event', alone],
  ['a transaction', inTransaction],
] as const

nightly.each(openHandles)('a storage with %s on a replicated Postgres', (name, openHandle) => {
  const tablePrefix = name === 'Knex' ? 'knex_' : 'pool_'
  let pair: ReplicatedPostgres
  const open: OpenHandle[] = []

  beforeAll(async () => {
    pair = await startReplicatedPostgres()
  })

  afterAll(() => pair?.end())

  afterEach(async () => {
    await pair.standby.thaw()
    for (const handle of open.splice(0)) await handle.close()
  })

  function start(url: string, options: Parameters<typeof openHandle>[1] = {}): OpenHandle {
    const handle = openHandle(url, { tablePrefix, ...options })
    open.push(handle)
    return handle
  }

  async function events({ storage }: OpenHandle): Promise<string[]> {
    const { json } = await storage.eventPage({}, { after: 0 }, 500, false)
    return JSON.parse(`[${json.toString().replace(/^,/, '')}]`).map(({ data }: { data: string }) => data)
  }

  const failureOf = async ({ storage }: OpenHandle, running: Promise<unknown>) =>
    running.then(
      () => 'none',
      (error) => storage.failureOf(error),
    )

  it('says of a standby without tables that it is one, not that migrate() was forgotten', async () => {
    const standby = start(pair.standby.url)
    const isStandby = { name: 'StandbyError', message: expect.stringMatching(/^The database is a standby/) }
    await expect(standby.storage.migrate()).rejects.toMatchObject(isStandby)
    await expect(standby.storage.eventHead({})).rejects.toMatchObject(isStandby)
    expect(await failureOf(standby, standby.storage.migrate())).toBe('read-only')
    expect(await standby.storage.health()).toMatchObject({ reachable: true, compatible: false, recovery: true })
  })

  it('reads from a standby, and neither writes nor calls a gateway there', async () => {
    const primary = start(pair.primary.url)
    await primary.storage.migrate()
    await alone(primary, 'written')
    await pair.synchronize(false)
    const standby = start(pair.standby.url)
    expect(await events(standby)).toEqual(['written'])
    expect(await standby.storage.loadProposal(key, 0)).toMatchObject({ open: undefined })
    expect(await failureOf(standby, standby.storage.loadProposal(key, 1))).toBe('read-only')
    expect(await failureOf(standby, standby.storage.nextIds('change', 1))).toBe('read-only')
    expect(await failureOf(standby, alone(standby, 'refused'))).toBe('read-only')
    expect(await failureOf(standby, Promise.resolve(standby.storage.recountEvents?.()))).toBe('read-only')
    expect(await failureOf(standby, standby.storage.migrate())).toBe('read-only')
    let calls = 0
    const gateway = async () => {
      calls += 1
    }
    expect(await failureOf(standby, standby.storage.transaction(gateway))).toBe('read-only')
    expect(calls).toBe(0)
    expect(standby.inUse()).toBe(0)
  })

  it('reports the replication in health()', async () => {
    const health = async (url: string) => (await start(url).storage.health()) as object
    const replication = { synchronousCommit: 'on', synchronousStandbyNames: '', standbyConnected: true }
    expect(await health(pair.primary.url)).toMatchObject({ recovery: false, replication })
    expect(await health(pair.standby.url)).toMatchObject({
      recovery: true,
      replication: { ...replication, standbyConnected: false },
    })
    await pair.primary.query(`create role ${tablePrefix}app login password 'app'; grant usage on schema public to ${tablePrefix}app;
      grant select on all tables in schema public to ${tablePrefix}app`)
    const unprivileged = new URL(pair.primary.url)
    Object.assign(unprivileged, { username: `${tablePrefix}app`, password: 'app' })
    expect(await health(unprivileged.href)).toMatchObject({
      reachable: true,
      replication: { ...replication, standbyConnected: 'unknown' },
    })
  })

  it.each(writes)('rejects %s as unknown when the wait for the standby is cancelled', async (what, write) => {
    await pair.synchronize(true)
    const primary = start(pair.primary.url)
    await primary.storage.migrate()
    await pair.standby.freeze()
    const failure = failureOf(primary, write(primary, `cancelled ${what}`))
    const waiting = `from pg_stat_activity where wait_event = 'SyncRep'`
    await until(async () => (await pair.primary.query(`select ${waiting}`)).length === 1)
    await pair.primary.query(`select pg_cancel_backend(pid) ${waiting}`)
    expect(await failure).toBe('unreachable')
    expect(primary.inUse()).toBe(0)
    // It is committed on the primary, where a retry finds it.
    expect(await events(primary)).toContain(`cancelled ${what}`)
  })

  it.each(['on', 'remote_apply'])(
    'fails writes in time, and reads, while a slow standby with synchronous_commit = %s holds them up',
    async (level) => {
      await pair.synchronize(true)
      const url = new URL(pair.primary.url)
      url.searchParams.set('options', `-c synchronous_commit=${level}`)
      const primary = start(url.href, { lockTimeoutMs: 300, statementTimeoutMs: 2_000 })
      await primary.storage.migrate()
      await alone(primary, 'before')
      await pair.standby.freeze()
      const other = start(url.href, { lockTimeoutMs: 300, statementTimeoutMs: 2_000 })
      await other.storage.health()
      const first = failureOf(primary, alone(primary, `held up ${level}`))
      await until(
        async () => (await pair.primary.query(`select from pg_stat_activity where wait_event = 'SyncRep'`)).length > 0,
      )
      expect(await failureOf(other, alone(other, 'too late'))).toBe('busy')
      expect(await failureOf(other, inTransaction(other, 'too late'))).toBe('busy')
      expect(await events(other)).toContain(`before`)
      expect(await first).toBe('unreachable')
      await pair.standby.thaw()
      await until(async () => (await failureOf(other, alone(other, `after ${level}`))) === 'none')
      const stored = await events(other)
      expect(stored).toEqual(expect.arrayContaining([`held up ${level}`, `after ${level}`]))
      expect(stored).not.toContain('too late')
      expect([primary.inUse(), other.inUse()]).toEqual([0, 0])
    },
  )

  it('leaves no connection to an old primary that ended no session', async () => {
    await pair.synchronize(true)
    const { primary: oldPrimary, standby: newPrimary } = pair
    const through = start(pair.proxy.url)
    await through.storage.migrate()
    const readAll = () => Promise.all(Array.from({ length: 5 }, () => events(through)))
    await readAll()
    expect(pair.proxy.openTo(new URL(oldPrimary.url))).toBeGreaterThan(1)
    await oldPrimary.query('alter system set default_transaction_read_only = on')
    await oldPrimary.query('select pg_reload_conf()')
    await newPrimary.promote()
    pair.proxy.pointAt(new URL(newPrimary.url))
    expect(await failureOf(through, alone(through, 'refused'))).toBe('read-only')
    await alone(through, 'after the switch')
    await readAll()
    await until(() => pair.proxy.openTo(new URL(oldPrimary.url)) === 0)
    expect(await events(through)).toContain('after the switch')
  })
})
