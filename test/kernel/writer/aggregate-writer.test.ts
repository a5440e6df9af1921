import type { Storage } from '../../../src'
import { listedFacts } from '../../../src/domain/content/summary'
import { AggregateWriter, DoneElsewhere, type Load, type WriteJob } from '../../../src/kernel/writer/aggregate-writer'
import type { StoredChangeRequest, Write } from '../../../src/ports/storage/change-requests'
import type { IdempotencyRecord } from '../../../src/ports/storage/idempotency'
import { createFixture, enable, losing, noon, production, rejection, renameSegment } from '../support/fixture'
import { Gate } from '../support/flags'

const retitle = (title: string): WriteJob => ({
  changeIds: 0,
  decide: (current) => ({
    changeRequest: { ...(current as StoredChangeRequest).changeRequest, title },
    events: [],
  }),
})

/** A draft of Ann, and a writer on a wrapped storage. */
async function draft(inFront: (memory: Storage) => Storage = (memory) => memory) {
  const fixture = createFixture()
  await fixture.propose('ann', [enable(), renameSegment(4)])
  const commits: Write[] = []
  const storage = inFront(fixture.memory)
  const writer = new AggregateWriter(
    {
      ...storage,
      commit(write) {
        commits.push(write)
        return storage.commit(write)
      },
    },
    { pageUrl: '/review', links: {}, clock: fixture.services.clock },
  )
  const load: Load = async (count) => ({
    current: await fixture.memory.find({ project: 'shop' }, 1),
    ids: { changeRequest: 0, changes: count === 0 ? [] : await fixture.memory.nextIds('change', count) },
  })
  return { ...fixture, writer, commits, load }
}

describe('updatedAt of a change request', () => {
  it('is the time of its last write, and does not go back with the clock', async () => {
    const { writer, load, host, stored } = await draft()
    const rename = (title: string) => writer.write('1', load, retitle(title))
    const at = async () => (await stored())?.updatedAt
    const start = host.now
    host.now = start + 2_000
    await rename('One')
    expect(await at()).toBe(new Date(start + 2_000).toISOString())
    host.now = start + 1_000
    await rename('Two')
    expect(await at()).toBe(new Date(start + 2_000).toISOString())
  })
})

describe('AggregateWriter.write', () => {
  it('loads, decides and commits, with everything that a storage stores with a change request', async () => {
    const { writer, commits, load, stored } = await draft()
    expect((await writer.write('1', load, retitle('Sale'))).version).toBe(2)
    expect(await stored()).toMatchObject({ title: 'Sale' })
    expect(commits).toEqual([
      {
        changeRequest: await stored(),
        version: 2,
        expectedVersion: 1,
        before: { state: 'Draft', scope: 'project', reviewedBy: [], searchText: '\ncheckout\nsegment 4' },
        searchText: 'sale\ncheckout\nsegment 4',
        open: true,
        subjects: ['feature:checkout', 'segment:4'],
        dueAt: null,
        applyingSince: null,
        summary: expect.objectContaining({ id: 1, title: 'Sale', features: ['checkout'] }),
        events: [],
      },
    ])
  })

  it('stores the events with links that link the review page', async () => {
    const { writer, load, events } = await draft()
    const event = {
      type: 'change-request-created',
      createdAt: noon,
      createdBy: 'ann',
      createdByUserId: 1,
      ...production,
      featureName: null,
      data: { changeRequestId: 1 },
      preData: null,
      tags: [],
      ip: null,
      groupType: null,
      groupId: null,
    } as const
    const { decide } = retitle('Sale')
    await writer.write('1', load, {
      changeIds: 0,
      decide: (current, ids) => ({ ...decide(current, ids), events: [event] }),
    })
    expect((await events()).at(-1)?.summary).toContain('(/review/projects/shop/change-requests/1)')
  })

  it('commits nothing if a decision changes nothing', async () => {
    const { writer, commits, load } = await draft()
    const keep: WriteJob = {
      changeIds: 0,
      decide: (current) => ({ changeRequest: (current as StoredChangeRequest).changeRequest, events: [] }),
    }
    expect((await writer.write('1', load, keep)).version).toBe(1)
    expect(commits).toEqual([])
  })

  it('decides on the newest content when another process was faster', async () => {
    const { writer, load, stored, memory } = await draft((memory) =>
      losing([async () => memory.commit(await rival())], memory),
    )
    const rival = async (): Promise<Write> => {
      const { changeRequest, version } = (await load(0)).current as StoredChangeRequest
      return {
        changeRequest: { ...changeRequest, comments: [], title: 'Rival' },
        summary: {} as never,
        version: version + 1,
        expectedVersion: version,
        before: listedFacts(changeRequest),
        searchText: '',
        open: true,
        subjects: [],
        dueAt: null,
        applyingSince: null,
        events: [],
      }
    }
    const seen: unknown[] = []
    const command: WriteJob = {
      changeIds: 0,
      decide(current, ids) {
        seen.push(current?.changeRequest.title)
        return retitle('Ours').decide(current, ids)
      },
    }
    expect((await writer.write('1', load, command)).version).toBe(3)
    expect([seen, (await stored())?.title]).toEqual([[null, 'Rival'], 'Ours'])
    expect((await memory.find({ project: 'shop' }, 1))?.version).toBe(3)
  })

  it('commits waiting writes of a change request together, and rejects those that a rule rejects', async () => {
    const { writer, commits, load, stored } = await draft()
    const refused: WriteJob = {
      changeIds: 0,
      decide() {
        throw new Error('refused')
      },
    }
    const [first, ...others] = [retitle('a'), retitle('b'), refused, retitle('c')].map((command) =>
      writer.write('1', load, command).then(
        ({ version }) => version,
        ({ message }: Error) => message,
      ),
    )
    expect([await first, ...(await Promise.all(others))]).toEqual([2, 3, 'refused', 4])
    expect(commits.map(({ version, expectedVersion }) => [expectedVersion, version])).toEqual([
      [1, 2],
      [2, 4],
    ])
    expect((await stored())?.title).toBe('c')
  })

  it('rejects all that were to be committed together when the storage fails', async () => {
    const { writer, load, stored } = await draft((memory) => ({
      ...memory,
      commit: async () => {
        throw new Error('disk full')
      },
    }))
    const writes = ['a', 'b', 'c'].map((title) => writer.write('1', load, retitle(title)))
    expect(await Promise.allSettled(writes)).toMatchObject(
      Array.from({ length: 3 }, () => ({ status: 'rejected', reason: new Error('disk full') })),
    )
    await writer.idle()
    expect((await stored())?.title).toBeNull()
  })

  it('decides writes after a removal on the result', async () => {
    const { writer, commits, load } = await draft()
    const remove: WriteJob = {
      changeIds: 0,
      decide: (current, ids) => ({ ...retitle('gone').decide(current, ids), removed: true }),
    }
    const seen: unknown[] = []
    const late: WriteJob = {
      changeIds: 0,
      decide(current) {
        seen.push(current)
        throw new Error('not found')
      },
    }
    const writes = [retitle('a'), remove, late].map((command) => writer.write('1', load, command))
    expect((await Promise.allSettled(writes)).map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
    ])
    expect(seen).toEqual([undefined])
    expect(commits.map(({ removed }) => removed)).toEqual([undefined, true])
  })

  it('loads ids for the changes of all commands together, and gives each its own', async () => {
    const { writer, load } = await draft()
    const asked: number[] = []
    const ids: unknown[] = []
    const counting: Load = (count) => {
      asked.push(count)
      return load(count)
    }
    const command = (changeIds: number): WriteJob => ({
      changeIds,
      decide(current, fresh) {
        ids.push(fresh)
        return retitle('Sale').decide(current, fresh)
      },
    })
    await Promise.all([command(2), command(1), command(3)].map((each) => writer.write('1', counting, each)))
    await writer.write('1', counting, command(0))
    expect(asked).toEqual([2, 4, 0])
    expect(ids).toEqual([
      { changeRequest: 0, changes: [3, 4] },
      { changeRequest: 0, changes: [5] },
      { changeRequest: 0, changes: [6, 7, 8] },
      { changeRequest: 0, changes: [] },
    ])
  })
})

describe('AggregateWriter.write of a call with an Idempotency-Key', () => {
  const key = { userId: 1, key: 'once' }
  const record: IdempotencyRecord = {
    ...key,
    createdAt: noon,
    fingerprint: 'f',
    project: 'shop',
    changeRequestId: 1,
    commentId: null,
  }
  const keyed = (title: string): WriteJob => ({
    ...retitle(title),
    idempotency: {
      key,
      since: noon,
      record: ({ version }) => ({ ...record, fingerprint: `of version ${version}` }),
    },
  })

  it('stores the record in the same commit, which it does not share', async () => {
    const { writer, commits, load, storage } = await draft()
    await Promise.all(
      [retitle('a'), retitle('b'), keyed('c'), retitle('d')].map((each) => writer.write('1', load, each)),
    )
    expect(commits.map(({ version, idempotency }) => [version, idempotency?.fingerprint])).toEqual([
      [2, undefined],
      [3, undefined],
      [4, 'of version 4'],
      [5, undefined],
    ])
    expect((await storage.findIdempotencyRecord(key, noon))?.fingerprint).toBe('of version 4')
  })

  it('ends after a lost race when another process has applied the same call', async () => {
    const asked: unknown[] = []
    const { writer, load, stored } = await draft((memory) => ({
      ...losing([() => {}], memory),
      async findIdempotencyRecord(...all) {
        asked.push(all)
        return record
      },
    }))
    const error = await writer.write('1', load, keyed('Sale')).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(DoneElsewhere)
    expect(error).toMatchObject({ message: 'Another process has run this call.', record })
    expect([asked, (await stored())?.title]).toEqual([[[key, noon]], null])
  })

  it('tries again after a lost race when no other process has', async () => {
    const { writer, load, stored } = await draft((memory) => losing([() => {}], memory))
    await writer.write('1', load, keyed('Sale'))
    expect((await stored())?.title).toBe('Sale')
  })

  it('reads no record if the call has no key, and none at the first attempt', async () => {
    let asked = 0
    const { writer, load } = await draft((memory) => ({
      ...losing([() => {}], memory),
      async findIdempotencyRecord() {
        asked += 1
        return undefined
      },
    }))
    await writer.write('1', load, retitle('Sale'))
    await writer.write('1', load, keyed('Sale again'))
    expect(asked).toBe(0)
  })
})

describe('AggregateWriter.retryOnConflict', () => {
  it('retries for undefined and for a lost race, and marks the first attempt', async () => {
    const lostRace = new Error('could not serialize access')
    const { writer } = await draft((memory) => ({
      ...memory,
      failureOf: (error) => (error === lostRace ? 'lost-race' : undefined),
    }))
    const tries: boolean[] = []
    const value = await writer.retryOnConflict(async (first) => {
      tries.push(first)
      if (tries.length === 1) return undefined
      if (tries.length === 2) throw lostRace
      return 'won'
    })
    expect([value, tries]).toEqual(['won', [true, false, false]])
  })

  it('throws every other error immediately: the write may have succeeded', async () => {
    const { writer } = await draft()
    let tries = 0
    const error = new Error('COMMIT; - Connection terminated unexpectedly')
    const attempt = async () => {
      tries += 1
      throw error
    }
    await expect(writer.retryOnConflict(attempt)).rejects.toBe(error)
    expect(tries).toBe(1)
  })

  it('waits a random time before each further try: at most 4, 8, 16, … 100 ms', async () => {
    jest.useFakeTimers()
    jest.spyOn(Math, 'random').mockReturnValue(1)
    const { writer } = await draft()
    const started = Date.now()
    const times: number[] = []
    const failed = rejection(
      writer.retryOnConflict(async () => {
        times.push(Date.now() - started)
        return undefined
      }),
    )
    await jest.runAllTimersAsync()
    await failed
    expect(times).toEqual([0, 4, 12, 28, 60, 124, 224, 324, 424, 524, 624, 724])
    jest.restoreAllMocks()
    jest.useRealTimers()
  })
})

describe('AggregateWriter.commit', () => {
  it('commits a decision, and is undefined for a lost race', async () => {
    const { writer, load, commits } = await draft()
    const { current: loaded } = await load(0)
    const decision = retitle('Sale').decide(loaded, { changeRequest: 0, changes: [] })
    expect(await writer.commit(loaded, decision)).toEqual({ version: 2, changeRequest: decision.changeRequest })
    expect(await writer.commit(loaded, decision)).toBeUndefined()
    expect(commits).toHaveLength(2)
  })
})

describe('AggregateWriter.idle', () => {
  it('waits for writes, exclusive work and tracked work', async () => {
    const { writer, load } = await draft()
    const ended: string[] = []
    const gate = new Gate()
    const slow: Load = (count) => gate.pass().then(() => load(count))
    void writer.write('1', slow, retitle('Sale')).then(() => ended.push('write'))
    void writer.runExclusive('2', () => gate.pass()).then(() => ended.push('exclusive'))
    void writer.track(gate.pass()).then(() => ended.push('tracked'))
    const idle = writer.idle().then(() => ended.push('idle'))
    await new Promise(setImmediate)
    expect(ended).toEqual([])
    gate.letGo()
    await idle
    expect(ended).toHaveLength(4)
    expect(ended.at(-1)).toBe('idle')
  })
})
