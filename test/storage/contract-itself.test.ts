import { deepStrictEqual, strictEqual } from 'node:assert'
import type { Storage } from '../../src/ports/storage'
import { memoryStorage } from '../../src/storage/memory'
import { describeStorage } from '../../src/testing/index'

interface Rule {
  readonly title: string
  readonly run: () => Promise<void>
}

/** All tests of the suite as a runner gets them, with no more than a `Runner` needs. */
function rulesOn(storage: () => Storage): Rule[] {
  const rules: Rule[] = []
  const titles: string[] = []
  const runner = {
    describe(title: string, body: () => void) {
      titles.push(title)
      body()
      titles.pop()
    },
    it: (title: string, run: () => Promise<void>) => rules.push({ title: [...titles.slice(1), title].join(' '), run }),
    expect: (actual: unknown) => ({
      toBe: (expected: unknown) => strictEqual(actual, expected),
      toEqual: (expected: unknown) => deepStrictEqual(actual, expected),
    }),
  }
  describeStorage(runner, 'this one', async () => ({ storage: storage(), close: async () => {} }))
  return rules
}

async function passing(storage: () => Storage): Promise<string[]> {
  const passed: string[] = []
  for (const { title, run } of rulesOn(storage)) {
    await run().then(
      () => passed.push(title),
      () => undefined,
    )
  }
  return passed
}

function everyMethod(method: () => Promise<unknown>): Storage {
  const { transaction, within, onAppend, ...methods } = memoryStorage()
  return Object.fromEntries(Object.keys(methods).map((name) => [name, method])) as unknown as Storage
}

/** Optional, and not there. */
const optional = [
  'onAppend(listener), where the storage has it is over once its answer was called',
  'has both transaction(work) and within(transaction), or neither',
  'transaction(work), where the storage has it answers what work answers, and keeps what it wrote',
  'transaction(work), where the storage has it keeps nothing when work throws, and rejects with that very error',
  'transaction(work), where the storage has it lets a write lose inside it as it does outside',
  'within(transaction), where the storage has it writes what stands or falls with the transaction',
]

describe('the suite for storages', () => {
  it('runs on any runner with describe, it, toBe and toEqual', async () => {
    expect(await passing(memoryStorage)).toEqual(rulesOn(memoryStorage).map(({ title }) => title))
  })

  it('says of each rule which method promises it', () => {
    const methods = Object.keys(memoryStorage())
    const named = rulesOn(memoryStorage).map(({ title }) => title.split(/[( ]/)[0] ?? '')
    const others = [...new Set(named)].filter((name) => !methods.includes(name))

    expect(others).toEqual(['has', 'transaction', 'within', 'what'])
    expect(methods.filter((name) => !named.includes(name))).toEqual([])
  })

  it('has no title twice', () => {
    const titles = rulesOn(memoryStorage).map(({ title }) => title)

    expect(titles.filter((title, index) => titles.indexOf(title) < index)).toEqual([])
  })

  it('lets nothing pass that a storage does which does nothing, but what it need not do', async () => {
    expect(await passing(() => everyMethod(async () => undefined))).toEqual([
      'findOpen(key) answers undefined when there is none',
      ...optional,
      'close() may be called twice',
    ])
  })

  it('lets nothing pass that a storage does which always throws', async () => {
    expect(await passing(() => everyMethod(() => Promise.reject(new Error('out of order'))))).toEqual(optional)
  })
})
