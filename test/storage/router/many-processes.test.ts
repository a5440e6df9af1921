import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { sendRaw } from '../../http/support/raw-request'
import { changeRequestsPath, enable } from '../../support/app'
import { type OpenDatabase, postgres } from '../../support/databases'

const script = join(__dirname, '../../support/processes/server-process.cjs')
const fifty = Array.from({ length: 50 }, (_, index) => index + 1)

describe('POST change-requests to four processes on one Postgres', () => {
  const processes: ChildProcess[] = []
  let database: OpenDatabase
  let ports: number[]

  beforeAll(async () => {
    database = await postgres.open({ migrate: false })
    ports = await Promise.all([1, 2, 3, 4].map(startProcess))
  })

  afterAll(async () => {
    await Promise.all(
      processes.map(async (child) => {
        if (!child.connected) return
        const exited = once(child, 'exit')
        child.disconnect()
        await exited
      }),
    )
    await database.close()
  })

  function startProcess(): Promise<number> {
    const child = fork(script, [JSON.stringify(database.place)])
    processes.push(child)
    return new Promise((resolve, reject) => {
      child.once('message', resolve)
      child.once('exit', () => reject(new Error('A process ended before it listened.')))
    })
  }

  const post = (n: number, user: number) =>
    sendRaw(ports[n % ports.length] as number, {
      path: changeRequestsPath(),
      headers: { Authorization: String(user), 'Content-Type': 'application/json' },
      body: JSON.stringify(enable(`flag-${n}`)),
    })

  const ids = async (table: string) => (await database.knex(`ffcr_${table}`).orderBy('id')).map(({ id }) => Number(id))

  it('50 by one caller create one change request with 50 changes and 51 events, ids in order', async () => {
    const answers = await Promise.all(fifty.map((n) => post(n, 1)))
    expect(answers.map(({ status }) => status)).toEqual(fifty.map(() => 200))
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect(await ids('change_requests')).toHaveLength(1)

    const events = await database.knex('ffcr_events').orderBy('id')
    const [created, ...added] = events.map(({ body }) => JSON.parse(body))
    expect(events).toHaveLength(51)
    expect(created.type).toBe('change-request-created')
    const changeIds = added.map(({ data }) => data.changeId)
    expect(changeIds).toEqual([...changeIds].sort((one, other) => one - other))

    const [{ document }] = await database.knex('ffcr_change_requests')
    expect(JSON.parse(document).changes.map(({ id }: { id: number }) => id)).toEqual(changeIds)
    expect(new Set(added.map(({ featureName }) => featureName))).toEqual(new Set(fifty.map((n) => `flag-${n}`)))
  })

  it('50 by different callers create 50 more change requests', async () => {
    const before = await ids('change_requests')
    const answers = await Promise.all(fifty.map((n) => post(n, 100 + n)))
    expect(answers.map(({ status }) => status)).toEqual(fifty.map(() => 200))
    expect(await ids('change_requests')).toHaveLength(before.length + 50)
    expect(await ids('events')).toHaveLength(51 + 100)
  })

  it('every process returns the same log', async () => {
    const headers = { Authorization: '1' }
    const logs = await Promise.all(
      ports.map((port) => sendRaw(port, { method: 'GET', path: '/api/admin/events?project=shop', headers })),
    )
    expect(new Set(logs.map(({ text }) => text)).size).toBe(1)
    expect(new Set(logs.map(({ headers: { etag } }) => etag)).size).toBe(1)
  })
})
