import { JobQueues } from '../../../src/kernel/writer/job-queues'
import { Gate } from '../support/flags'

interface Job {
  readonly name: string
  readonly single?: boolean
}

/** Queues that record their batches; the gate blocks the first one. */
function createQueues(later: (batch: readonly Job[]) => readonly Job[] = () => []) {
  const batches: string[][] = []
  const gate = new Gate()
  const queues = new JobQueues<Job>({
    isSingle: ({ single = false }) => single,
    async run(jobs) {
      batches.push(jobs.map(({ name }) => name))
      if (batches.length === 1) await gate.pass()
      return later(jobs)
    },
  })
  return { batches, gate, queues }
}

const named = (name: string, single = false): Job => ({ name, single })

describe('JobQueues', () => {
  it('runs waiting jobs of a key as one batch, in order of arrival', async () => {
    const { batches, gate, queues } = createQueues()
    for (const name of ['a', 'b', 'c']) queues.push('one', named(name))
    await gate.arrived
    gate.letGo()
    await queues.idle()
    expect(batches).toEqual([['a'], ['b', 'c']])
  })

  it('never runs two batches of one key concurrently, and does not block other keys', async () => {
    const { batches, gate, queues } = createQueues()
    queues.push('one', named('a'))
    queues.push('one', named('b'))
    queues.push('other', named('c'))
    await gate.arrived
    await new Promise(setImmediate)
    expect(batches).toEqual([['a'], ['c']])
    gate.letGo()
    await queues.idle()
    expect(batches).toEqual([['a'], ['c'], ['b']])
  })

  it('gives a single job a batch of its own', async () => {
    const { batches, gate, queues } = createQueues()
    queues.push('one', named('a'))
    for (const job of [named('b'), named('c', true), named('d', true), named('e'), named('f')]) queues.push('one', job)
    gate.letGo()
    await queues.idle()
    expect(batches).toEqual([['a'], ['b'], ['c'], ['d'], ['e', 'f']])
  })

  it('runs at most 100 jobs in a batch', async () => {
    const { batches, gate, queues } = createQueues()
    for (let count = 0; count < 202; count += 1) queues.push('one', named(`${count}`))
    gate.letGo()
    await queues.idle()
    expect(batches.map(({ length }) => length)).toEqual([1, 100, 100, 1])
  })

  it('runs jobs that a batch left undone before later ones', async () => {
    let again = true
    const { batches, gate, queues } = createQueues((batch) => {
      const rest = again ? batch.slice(1) : []
      if (batch.length > 1) again = false
      return rest
    })
    for (const name of ['a', 'b', 'c', 'd']) queues.push('one', named(name))
    gate.letGo()
    await queues.idle()
    expect(batches).toEqual([['a'], ['b', 'c', 'd'], ['c', 'd']])
  })

  it('runs exclusive work alone, in order of arrival', async () => {
    const { batches, gate, queues } = createQueues()
    queues.push('one', named('a'))
    queues.push('one', named('b'))
    const work = queues.runExclusive('one', async () => {
      batches.push(['exclusive'])
      await new Promise(setImmediate)
      return 'done'
    })
    queues.push('one', named('c'))
    gate.letGo()
    expect(await work).toBe('done')
    await queues.idle()
    expect(batches).toEqual([['a'], ['b'], ['exclusive'], ['c']])
  })

  it('continues after exclusive work that fails', async () => {
    const { batches, gate, queues } = createQueues()
    const work = queues.runExclusive('one', async () => {
      throw new Error('out of order')
    })
    queues.push('one', named('a'))
    await expect(work).rejects.toThrow('out of order')
    gate.letGo()
    await queues.idle()
    expect(batches).toEqual([['a']])
  })

  it('is idle when everything has ended, also tracked work that fails', async () => {
    const { queues } = createQueues()
    await queues.idle()
    const order: string[] = []
    let fail = (_: Error) => {}
    const work = queues.track(
      new Promise<never>((_, reject) => {
        fail = reject
      }),
    )
    const failed = work.catch(() => order.push('work'))
    const idle = queues.idle().then(() => order.push('idle'))
    await new Promise(setImmediate)
    expect(order).toEqual([])
    fail(new Error('late'))
    await Promise.all([failed, idle])
    expect(order).toEqual(['work', 'idle'])
  })

  it('removes ended keys, which can be used again', async () => {
    const { batches, gate, queues } = createQueues()
    gate.letGo()
    for (const name of ['a', 'b', 'c']) {
      queues.push('one', named(name))
      await queues.idle()
    }
    expect(batches).toEqual([['a'], ['b'], ['c']])
  })
})
