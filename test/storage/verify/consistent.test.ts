import { generateKeyPairSync } from 'node:crypto'
import { memoryStorage, type VerifyOptions, type VerifyProgress, verifyStorage } from '../../../src/index'
import { sampleEvent } from '../../../src/testing/samples'
import { databases, type OpenDatabase, openAgain, type Place } from '../../support/databases'
import { memoryLedger } from '../../support/memory-ledger'
import { expectConsistent } from '../../support/verify/expect-consistent'
import { fillSample } from '../../support/verify/sample'

describe.each(databases)('verifyStorage on $name', ({ open }) => {
  it('finds nothing in change requests of each state', async () => {
    const { storage, close } = await open()
    try {
      await fillSample(storage)
      const { checked, skipped } = await expectConsistent(storage)
      expect(checked).toEqual({ changeRequests: 15, events: 102, consumers: 0 })
      expect(skipped).toEqual({ older: 0, withoutEvent: 0, recorded: 9, codes: [] })
    } finally {
      await close()
    }
  })

  it('finds nothing after retention and a recount, and skips change requests that are older', async () => {
    const { storage, close, removeEvents } = await open()
    try {
      await fillSample(storage)
      await removeEvents(40)
      expect((await verifyStorage(storage)).findings.every(({ code }) => code === 'counts')).toBe(true)
      await storage.recountEvents?.()
      const { skipped } = await expectConsistent(storage)
      expect(skipped).toMatchObject({ older: 7 })
    } finally {
      await close()
    }
  })

  it('reads on a connection that rejects writes', async () => {
    const { storage, place, close } = await open()
    try {
      await fillSample(storage)
      const readOnly = openReadOnly(place)
      try {
        const message = expect.stringMatching(/read-?only/)
        await expect(readOnly.storage.appendEvents([sampleEvent(1)])).rejects.toMatchObject({ message })
        await expectConsistent(readOnly.storage)
      } finally {
        await readOnly.close()
      }
    } finally {
      await close()
    }
  })

  it('reports progress, and ends when it is aborted', async () => {
    const { storage, close } = await open()
    try {
      await fillSample(storage)
      const done = new Map<string, number>()
      await verifyStorage(storage, { onProgress: (progress) => done.set(progress.part, progress.done) })
      expect(Object.fromEntries(done)).toEqual({ counts: 2, events: 102, changeRequests: 15 })
      const abort = new AbortController()
      const onProgress = () => abort.abort(new Error('enough'))
      await expect(verifyStorage(storage, { signal: abort.signal, onProgress })).rejects.toThrow('enough')
    } finally {
      await close()
    }
  })
})

/** The same store on connections that only read, as on a standby. */
function openReadOnly(place: Place): OpenDatabase {
  if (place.knex.client === 'pg') {
    const connection = new URL(place.knex.connection)
    connection.searchParams.set('options', '-c default_transaction_read_only=on')
    return openAgain({ ...place, knex: { ...place.knex, connection: connection.href } })
  }
  const connection = { ...place.knex.connection, options: { readonly: true } }
  return openAgain(place, { connection })
}

describe('verifyStorage with an unknown option', () => {
  it('throws a TypeError that names it', async () => {
    const options = { ledgers: {} } as VerifyOptions
    await expect(verifyStorage(memoryStorage(), options)).rejects.toThrow('unknown option "ledgers"')
  })
})

describe('verifyStorage with a ledger that has no checkpoint', () => {
  it('rejects before it reads', async () => {
    const ledger = { ledger: memoryLedger(), publicKey: generateKeyPairSync('ed25519').publicKey }
    const read: VerifyProgress[] = []
    const verified = verifyStorage(memoryStorage(), { ledger, onProgress: (progress) => read.push(progress) })
    await expect(verified).rejects.toThrow('The ledger has no checkpoint.')
    expect(read).toEqual([])
  })
})

describe('verifyStorage on a storage without inspect', () => {
  it('compares documents, events and counts through the port, and lists what it left out', async () => {
    const storage = memoryStorage()
    await fillSample(storage)
    const { checked, skipped } = await expectConsistent(storage)
    // Drafts are not listed.
    expect(checked).toEqual({ changeRequests: 14, events: 102, consumers: 0 })
    expect(skipped).toEqual({ older: 0, withoutEvent: 0, recorded: 9, codes: ['columns', 'documents', 'schema'] })
  })
})
