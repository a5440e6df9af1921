import { generateKeyPairSync } from 'node:crypto'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { createEventChain, verifyStorage } from '../../../src/index'
import { createSqliteStorage } from '../../../src/storage/handles/sqlite/storage'
import { migrations } from '../../../src/storage/sql/migrations'
import { memoryLedger } from '../../support/memory-ledger'
import { isNightly } from '../../support/nightly'
import { runs, seed } from '../../support/random'
import { fillSample } from '../../support/verify/sample'

/** What is read of the tables, without their indexes. */
type Dump = ReadonlyMap<string, readonly (readonly [column: string, value: unknown])[]>

function dumpOf(database: Database.Database): Dump {
  const tables = database.prepare(`select name from sqlite_master where type = 'table' and name like 'ffcr_%'`).all()
  return new Map(
    (tables as { name: string }[]).map(({ name }) => {
      const columns = database.pragma(`table_info("${name}")`) as { name: string; pk: number }[]
      const keys = columns.filter(({ pk }) => pk > 0).map((one) => `"${one.name}"`)
      // Without an order, SQLite may read another index.
      const rows = database.prepare(`select * from "${name}" order by ${keys}`).all() as { total?: number }[]
      // A count of 0 is the same as none, and an empty value adds nothing to the sums that are read.
      const counted = rows.filter(({ total }) => Number(total) !== 0)
      return [name.slice('ffcr_'.length), counted.flatMap((row) => Object.entries(row))]
    }),
  )
}

/** The columns with another value, or the table if it has another number of values. */
function changesOf(before: Dump, after: Dump): string[] {
  const changes = new Set<string>()
  for (const [table, values] of before) {
    const found = after.get(table) ?? []
    if (found.length !== values.length) changes.add(table)
    else {
      for (const [at, [column, value]] of values.entries()) {
        if (!Object.is(found[at]?.[1], value)) changes.add(`${table}.${column}`)
      }
    }
  }
  return [...changes]
}

/** What `docs/operations.md` lists as not compared; the body of an event is compared with a ledger. */
const notCompared =
  /^(events\.(body|group_type|group_id)|(settings|idempotency|ids|event_log|meta)(\..+)?|consumers(\.(owner|epoch|lease_until|status))?)$/

const { privateKey, publicKey } = generateKeyPairSync('ed25519')

async function original() {
  const database = new Database(':memory:')
  const storage = createSqliteStorage({ database }, migrations)
  await storage.migrate()
  await fillSample(storage)
  const { lastId: id, fingerprint } = await storage.eventHead({})
  await storage.consumers?.create('audit', { position: id, event: { id, fingerprint } })
  const ledger = memoryLedger()
  await createEventChain({ storage, ledger, privateKey }).seal()
  return { file: database.serialize(), dump: dumpOf(database), ledger: { ledger, publicKey } }
}

type Kind = 'no effect' | 'only an index' | 'error' | 'finding' | 'finding with a ledger' | 'not compared' | 'missed'

async function kindOf(
  { file, dump, ledger }: Awaited<ReturnType<typeof original>>,
  bit: number,
): Promise<[Kind, string]> {
  const flipped = Buffer.from(file)
  flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7))
  let database: Database.Database | undefined
  try {
    database = new Database(flipped)
    const changes = changesOf(dump, dumpOf(database))
    const [{ integrity_check: integrity } = { integrity_check: '' }] = database.pragma('integrity_check') as {
      integrity_check: string
    }[]
    const storage = createSqliteStorage({ database }, migrations)
    const { findings, total } = await verifyStorage(storage)
    if (total > 0) return ['finding', findings[0]?.code ?? '']
    if (changes.length === 0) return [integrity === 'ok' ? 'no effect' : 'only an index', '']
    if ((await verifyStorage(storage, { ledger })).total > 0) return ['finding with a ledger', changes.join()]
    return [changes.every((one) => notCompared.test(one)) ? 'not compared' : 'missed', changes.join()]
  } catch (error) {
    // Its class can come from another module registry.
    const { name, code, stack } = error as Error & { code: string }
    return name === 'SqliteError' ? ['error', code] : ['missed', String(stack)]
  } finally {
    database?.close()
  }
}

describe('a single bit that flips in a SQLite file', () => {
  it('is a finding where it gives a subject to another change request, although a search by id still finds the row', async () => {
    const { file } = await original()
    // The id fills one byte before the subject, only in rows of the table.
    const at = file.indexOf('\tfeature:other-9')
    file[at] = 1
    const database = new Database(file)
    try {
      const { findings } = await verifyStorage(createSqliteStorage({ database }, migrations))
      expect(findings).toMatchObject([{ code: 'columns', id: 9 }])
    } finally {
      database.close()
    }
  })

  it(`has no effect, or is an error or a finding of verifyStorage (SEED=${seed})`, async () => {
    const whole = await original()
    const bits = fc.sample(fc.noBias(fc.nat(whole.file.length * 8 - 1)), { numRuns: runs(30), seed })
    const tally = new Map<string, number>()
    const missed: unknown[] = []
    for (const bit of bits) {
      const [kind, detail] = await kindOf(whole, bit)
      const name = kind === 'no effect' || kind === 'only an index' ? kind : `${kind}: ${detail}`
      tally.set(name, (tally.get(name) ?? 0) + 1)
      if (kind === 'missed') missed.push({ bit, detail })
    }
    if (isNightly || process.env.RUNS !== undefined) {
      console.log(
        [...tally]
          .sort()
          .map(([name, count]) => `${String(count).padStart(5)} ${name}`)
          .join('\n'),
      )
    }
    expect(missed).toEqual([])
  })
})
