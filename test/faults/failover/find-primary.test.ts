import { transformSync } from '@swc/core'
import type { Knex } from 'knex'
import type { Client, Pool } from 'pg'
import type { Storage } from '../../../src'
import { postgresStorage } from '../../../src/storage/handles/postgres'
import { knexStorage } from '../../../src/storage/knex'
import { sampleEvent } from '../../../src/testing/samples'
import { blocks, readText, section } from '../../package/support/markdown'
import { nightly } from '../../support/nightly'
import { expectConsistent } from '../../support/verify/expect-consistent'
import { type FailoverMode, type ReplicatedPostgres, startReplicatedPostgres } from '../support/replicated-postgres'
import { until } from '../support/server'

const [findPrimaryCode, knexCode, poolCode] = blocks(
  section(readText('docs/high-availability.md'), '## Find the primary'),
).map(({ text }) => text)

/** Runs a block of the guide as it is written; returns what it calls by this name. */
function run(code: string | undefined, name: string, findPrimary?: unknown): unknown {
  const { code: script } = transformSync(`${code}\nexport { ${name} }`, {
    jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
    module: { type: 'commonjs' },
  })
  const exported: Record<string, unknown> = {}
  new Function('require', 'exports', 'findPrimary', script)(require, exported, findPrimary)
  return exported[name]
}

interface Opened {
  readonly storage: Storage
  /** Takes a connection of the pool and never uses it, as a listener does; the function that it returns releases it. */
  hold(): Promise<() => unknown>
  close(): Promise<void>
}

const recipes: readonly (readonly [name: string, open: (findPrimary: unknown) => Opened])[] = [
  [
    'Knex',
    (findPrimary) => {
      const knex = run(knexCode, 'knex', findPrimary) as Knex
      knex.client.logger = { debug() {}, warn() {}, error() {}, deprecate() {} }
      return {
        storage: knexStorage({ knex, tablePrefix: 'knex_', statementTimeoutMs: 1_000 }),
        async hold() {
          const connection: Client = (await knex.client.acquireConnection()).on('error', () => undefined)
          return () => knex.client.releaseConnection(connection)
        },
        close: () => knex.destroy(),
      }
    },
  ],
  [
    'pg.Pool',
    (findPrimary) => {
      const pool = run(poolCode, 'pool', findPrimary) as Pool
      return {
        storage: postgresStorage({ pool, tablePrefix: 'pool_', statementTimeoutMs: 1_000 }),
        async hold() {
          const client = (await pool.connect()).on('error', () => undefined)
          return () => client.release(true)
        },
        close: () => pool.end(),
      }
    },
  ],
]

nightly('"Find the primary" in docs/high-availability.md', () => {
  const environment = { ...process.env }
  let pair: ReplicatedPostgres

  beforeAll(async () => {
    jest.spyOn(console, 'error').mockReturnValue()
    pair = await startReplicatedPostgres()
    const { username, password, pathname } = new URL(pair.primary.url)
    const hosts = [pair.primary, pair.standby].map(({ url }) => new URL(url).host)
    Object.assign(process.env, {
      DATABASE_HOSTS: hosts.join(','),
      PGUSER: username,
      PGPASSWORD: password,
      PGDATABASE: pathname.slice(1),
    })
  })

  afterAll(async () => {
    process.env = environment
    jest.restoreAllMocks()
    await pair?.end()
  })

  describe.each(recipes)('with %s', (_, open) => {
    let opened: Opened

    beforeAll(async () => {
      opened = open(run(findPrimaryCode, 'findPrimary'))
      await opened.storage.migrate()
    })

    afterAll(() => opened?.close())

    const write = (data: string) => opened.storage.appendEvents([sampleEvent(data)])
    const failureOf = (work: Promise<unknown>) =>
      work.then(
        () => 'none',
        (error) => opened.storage.failureOf(error) ?? String(error),
      )

    it.each<FailoverMode>(['kill', 'freeze'])('writes to the new primary after the old one: %s', async (mode) => {
      await pair.synchronize(true)
      await write(`before ${mode}`)
      const release = await opened.hold()
      await pair.failOver(mode)
      const failures = new Set<string>()
      await until(async () => {
        const failure = await failureOf(write(`after ${mode}`))
        failures.add(failure)
        return failure === 'none'
      })
      failures.delete('none')
      expect([...failures].filter((failure) => !['unreachable', 'busy', 'read-only'].includes(failure))).toEqual([])
      const { json } = await opened.storage.eventPage({}, { after: 0 }, 500, false)
      expect(json.toString()).toContain(`before ${mode}`)
      await pair.rebuild()
      await release()
    })

    it('writes to the new primary after the old one became its standby', async () => {
      await write('before a switchover')
      const release = await opened.hold()
      await opened.storage.eventHead({})
      await pair.failOver('fast')
      await pair.rebuild()
      await until(async () => (await failureOf(write('after a switchover'))) === 'none')
      await release()
    })

    it('looks for it again if the host that it found is gone', async () => {
      const findPrimary = run(findPrimaryCode, 'findPrimary') as () => Promise<object>
      let asked = 0
      const late = open(async () => (asked++ === 0 ? { host: '127.0.0.1', port: 1 } : findPrimary()))
      expect(await failureOf(late.storage.eventHead({}))).toBe('unreachable')
      expect(await failureOf(late.storage.eventHead({}))).toBe('none')
      await late.close()
    })

    it('rejects with a failure that is a 503 while no host accepts writes', async () => {
      await pair.primary.stop('fast')
      await until(async () => (await failureOf(write('never'))) === 'unreachable')
      expect(await failureOf(write('never'))).toBe('unreachable')
      await pair.primary.start()
      await until(async () => (await failureOf(write('again'))) === 'none')
      await expectConsistent(opened.storage)
    })
  })
})
