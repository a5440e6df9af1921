import { generateKeyPairSync, sign } from 'node:crypto'
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEventChain, type EventCheckpoint, type EventLedger, fileLedger, memoryStorage } from '../../src'
import { sampleEvent } from '../../src/testing/samples'
import { type OpenDatabase, oneDatabase } from '../support/databases'
import { memoryLedger } from '../support/memory-ledger'

const keys = generateKeyPairSync('ed25519')
const others = generateKeyPairSync('ed25519')
const clock = () => new Date('2026-03-04T12:00:00.000Z')

describe.each(oneDatabase)('createEventChain({ storage, ledger, privateKey }) on $name', (database) => {
  let open: OpenDatabase
  let ledger: ReturnType<typeof memoryLedger>
  const chain = () => createEventChain({ storage: open.storage, ledger, privateKey: keys.privateKey, clock })
  const append = (count: number) =>
    open.storage.appendEvents(Array.from({ length: count }, (_, index) => sampleEvent(`event ${index}`)))
  const sql = (text: string) => open.knex.raw(text)

  beforeEach(async () => {
    open = await database.open()
    ledger = memoryLedger()
    await append(3)
    await chain().seal()
    await append(1_200)
    expect(await chain().seal()).toBe(1_200)
  })
  afterEach(() => open.close())

  it('reports an unchanged log as intact', async () => {
    expect(await chain().verify()).toEqual({ intact: true, events: 1_203, lastId: 1_203 })
    expect(ledger.checkpoints.map(({ ids }) => ids)).toEqual([[[1, 3]], [[4, 503]], [[504, 1003]], [[1004, 1203]]])
  })

  it('seals nothing twice, and continues in another process', async () => {
    expect(await chain().seal()).toBe(0)
    await append(2)
    const verifier = createEventChain({ storage: open.storage, ledger, publicKey: keys.publicKey })
    expect(await chain().seal()).toBe(2)
    expect(await verifier.verify()).toMatchObject({ intact: true, events: 1_205 })
  })

  it('leaves one chain where two seal concurrently', async () => {
    await append(700)
    const sealed = await Promise.all([chain().seal(), chain().seal()])
    expect(sealed[0] + sealed[1]).toBe(700)
    expect(await chain().verify()).toMatchObject({ intact: true, events: 1_903 })
  })

  const swap = `update ffcr_events set body = (select body from (select id, body from ffcr_events) as o
    where o.id = case when ffcr_events.id = 600 then 601 else 600 end) where id in (600, 601)`
  const columns = 'created_at, type, project, environment, feature_name, created_by_user_id, group_type, group_id, body'
  const overriding = database.name === 'Postgres' ? 'overriding system value' : ''
  const moved = (id: number) =>
    `insert into ffcr_events (id, ${columns}) ${overriding} select ${id}, ${columns} from ffcr_events where id = 2`
  const tampering: readonly (readonly [what: string, statements: readonly string[], firstBadId: number])[] = [
    ['an edit', [`update ffcr_events set body = replace(body, 'event 5"', 'event 6"') where id = 9`], 9],
    ['a removal', ['delete from ffcr_events where id = 700'], 700],
    ['a removal of the first', ['delete from ffcr_events where id = 1'], 1],
    ['a removal of the last of a checkpoint', ['delete from ffcr_events where id = 503'], 503],
    ['a removal and another in its place', ['delete from ffcr_events where id = 700', moved(700)], 700],
    ['a change of order', [swap], 600],
    ['an insertion at the beginning', [moved(0)], 0],
    ['a cut tail', ['delete from ffcr_events where id > 1100'], 1_101],
    ['an empty log', ['delete from ffcr_events'], 1],
  ]
  it.each(tampering)('names the first bad event after %s', async (_, statements, id) => {
    for (const statement of statements) await sql(statement)
    expect(await chain().verify()).toMatchObject({ intact: false, firstBadId: id, reason: expect.any(String) })
  })

  it('names an event that was inserted into a gap of the ids', async () => {
    await sql('delete from ffcr_events where id = 300')
    ledger = memoryLedger()
    await chain().seal()
    expect(await chain().verify()).toMatchObject({ intact: true, events: 1_202 })
    await sql(moved(300))
    expect(await chain().verify()).toMatchObject({ intact: false, firstBadId: 300 })
  })

  it('detects a log that was sealed again without the key', async () => {
    await sql('delete from ffcr_events where id = 700')
    ledger = memoryLedger()
    await createEventChain({ storage: open.storage, ledger, privateKey: others.privateKey }).seal()
    const verifier = createEventChain({ storage: open.storage, ledger, publicKey: keys.publicKey })
    expect(await verifier.verify()).toMatchObject({
      intact: false,
      firstBadId: null,
      reason: 'The checkpoint that ends with event 500 has no valid signature of the key.',
    })
  })

  it('detects a checkpoint that was changed, removed or moved', async () => {
    const [first, second, third, fourth] = ledger.checkpoints as [
      EventCheckpoint,
      EventCheckpoint,
      EventCheckpoint,
      EventCheckpoint,
    ]
    for (const bad of [
      [{ ...first, ids: [[1, 2] as const] }, second],
      [first, third, fourth],
      [second, third],
      [first, third, second],
    ]) {
      ledger = memoryLedger(bad)
      expect(await chain().verify()).toMatchObject({ intact: false, firstBadId: null })
    }
  })

  it('cannot detect a tail that was removed from both the log and the ledger', async () => {
    await sql('delete from ffcr_events where id > 503')
    ledger = memoryLedger(ledger.checkpoints.slice(0, 2))
    expect(await chain().verify()).toEqual({ intact: true, events: 503, lastId: 503 })
  })

  it('verifies the remaining events after the oldest were removed', async () => {
    await sql('delete from ffcr_events where id <= 503')
    expect(await chain().verify()).toMatchObject({ intact: false, firstBadId: 1 })
    expect(await chain().verify({ after: 503 })).toEqual({ intact: true, events: 700, lastId: 1_203 })
  })

  it('needs a key', async () => {
    expect(() => createEventChain({ storage: open.storage, ledger })).toThrow(TypeError)
    const verifier = createEventChain({ storage: open.storage, ledger, publicKey: keys.publicKey })
    await expect(verifier.seal()).rejects.toThrow('privateKey')
  })

  it('accepts keys as PEM', async () => {
    const privateKey = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const publicKey = keys.publicKey.export({ type: 'spki', format: 'pem' }).toString()
    for (const key of [{ privateKey }, { publicKey }]) {
      const { intact } = await createEventChain({ storage: open.storage, ledger, ...key }).verify()
      expect(intact).toBe(true)
    }
  })
})

describe('verify() of a chain whose checkpoints are signed', () => {
  const storage = memoryStorage()
  let ledger = memoryLedger()
  let first: EventCheckpoint
  const chain = () => createEventChain({ storage, ledger, privateKey: keys.privateKey, clock })

  beforeAll(async () => {
    await storage.appendEvents([1, 2, 3].map((index) => sampleEvent(`event ${index}`)))
    await chain().seal()
    first = ledger.checkpoints[0] as EventCheckpoint
  })
  beforeEach(() => {
    ledger = memoryLedger([first])
  })

  /** The checkpoint with another content, signed with the key. */
  const signed = (checkpoint: EventCheckpoint, change: Partial<EventCheckpoint>): EventCheckpoint => {
    const content = { ...checkpoint, ...change }
    const { ids, hashes, hash, previous, sealedAt } = content
    const bytes = Buffer.from(JSON.stringify([ids, hashes, hash, previous, sealedAt]))
    return { ...content, signature: sign(null, bytes, keys.privateKey).toString('base64') }
  }

  it('compares the whole hash of the last event', async () => {
    ledger = memoryLedger([signed(first, { hash: first.hash.slice(0, 16) + '0'.repeat(48) })])
    expect(await chain().verify()).toMatchObject({ intact: false, firstBadId: 3 })
  })

  const contradictions: readonly (readonly [what: string, change: (first: EventCheckpoint) => object])[] = [
    ['another hash', () => ({ hash: 'f'.repeat(64) })],
    ['no hash', () => ({ hash: '' })],
    ['a truncated hash', ({ hash }) => ({ hash: hash.slice(0, 16) })],
    ['a hash in upper case', ({ hash }) => ({ hash: hash.toUpperCase() })],
    ['a longer hash', ({ hash }) => ({ hash: `${hash}00` })],
    ['fewer hashes than ids', ({ hashes }) => ({ hashes: hashes.slice(16) })],
    ['more hashes than ids', ({ hashes }) => ({ hashes: hashes + hashes.slice(-16) })],
    [
      'ids in another order',
      () => ({
        ids: [
          [2, 3],
          [1, 1],
        ],
      }),
    ],
    [
      'an id twice',
      () => ({
        ids: [
          [1, 2],
          [2, 2],
        ],
      }),
    ],
    [
      'a range without ids',
      () => ({
        ids: [
          [1, 4],
          [5, 3],
        ],
      }),
    ],
    ['no ids', () => ({ ids: [], hashes: '' })],
  ]
  it.each(contradictions)('detects a signed checkpoint with %s', async (_, change) => {
    ledger = memoryLedger([signed(first, change(first))])
    expect(await chain().verify()).toMatchObject({ intact: false, firstBadId: null })
  })

  it.each([{}, null, { ids: 1 }, { ids: [[1]] }, { ids: [[1, 3]], hashes: 1 }])(
    'detects %j in a ledger',
    async (bad) => {
      ledger = memoryLedger([bad as never])
      const reason = 'The checkpoint after event 0 is malformed.'
      expect(await chain().verify()).toEqual({ intact: false, firstBadId: null, reason })
    },
  )

  it.each([502, 10_000, Number.NaN, -1])('verifies nothing after %d, where no checkpoint ends', async (after) => {
    expect(await chain().verify({ after })).toMatchObject({ intact: false })
  })

  it('accepts Ed25519 keys only', () => {
    const { privateKey, publicKey } = generateKeyPairSync('x25519')
    for (const key of [{ privateKey }, { publicKey }, { ...keys, publicKey }]) {
      expect(() => createEventChain({ storage, ledger, ...key })).toThrow('must be an Ed25519 key')
    }
  })
})

describe('fileLedger(path)', () => {
  let folder: string
  let path: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'change-requests-ledger-'))
    path = join(folder, 'events.ledger')
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  const checkpoint = (previous: string, hash: string): EventCheckpoint => ({
    ids: [[1, 2]],
    hashes: '',
    hash,
    previous,
    sealedAt: '2026-03-04T12:00:00.000Z',
    signature: '',
  })
  const all = async (ledger: EventLedger) => {
    const hashes: string[] = []
    for await (const { hash } of ledger.read()) hashes.push(hash)
    return hashes
  }

  it('stores checkpoints in order, for the next process as well', async () => {
    const ledger = fileLedger(path)
    expect([await ledger.last(), await all(ledger)]).toEqual([undefined, []])
    expect(await ledger.append(checkpoint('0', 'a'))).toBe(true)
    expect(await ledger.append(checkpoint('a', 'b'))).toBe(true)
    const again = fileLedger(path)
    expect([(await again.last())?.hash, await all(again)]).toEqual(['b', ['a', 'b']])
  })

  it('rejects a checkpoint that does not follow the last one', async () => {
    const ledger = fileLedger(path)
    await ledger.append(checkpoint('0', 'a'))
    const answers = await Promise.all([ledger.append(checkpoint('a', 'b')), ledger.append(checkpoint('a', 'c'))])
    expect(answers).toEqual([true, false])
    expect(await all(ledger)).toEqual(['a', 'b'])
  })

  it('continues after a line that a crash truncated', async () => {
    await fileLedger(path).append(checkpoint('0', 'a'))
    await appendFile(path, '\n{"ids":[[3,4]],"hashes":"12')
    const ledger = fileLedger(path)
    expect((await ledger.last())?.hash).toBe('a')
    expect(await ledger.append(checkpoint('a', 'b'))).toBe(true)
    expect(await all(fileLedger(path))).toEqual(['a', 'b'])
    expect((await readFile(path, 'utf8')).split('\n')).toHaveLength(3)
  })

  it('rejects with the error of the file system', async () => {
    await writeFile(path, 'not a checkpoint}\n')
    await expect(fileLedger(path).last()).rejects.toThrow(SyntaxError)
    await expect(fileLedger(folder).last()).rejects.toMatchObject({ code: 'EISDIR' })
  })
})
