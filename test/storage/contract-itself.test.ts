import { deepStrictEqual, strictEqual } from 'node:assert'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { Storage } from '../../src/ports/storage/storage'
import { memoryStorage } from '../../src/storage/memory'
import { describeStorage, nodeTestRunner, type OpenStorage, type Runner } from '../../src/testing/index'
import { sqlite } from '../support/databases'

interface Rule {
  readonly title: string
  readonly run: () => Promise<void>
}

const strictly: Runner['expect'] = (actual) => ({
  toBe: (expected) => strictEqual(actual, expected),
  toEqual: (expected) => deepStrictEqual(actual, expected),
})

/** All tests of the suite, collected with a minimal `Runner`. */
function rulesOn(open: () => Promise<OpenStorage>, check: Runner['expect'] = strictly): Rule[] {
  const rules: Rule[] = []
  const titles: string[] = []
  const runner = {
    describe(title: string, body: () => void) {
      titles.push(title)
      body()
      titles.pop()
    },
    it: (title: string, run: () => Promise<void>) => rules.push({ title: [...titles.slice(1), title].join(' '), run }),
    expect: check,
  }
  describeStorage(runner, 'this one', open)
  return rules
}

async function passing(open: () => Promise<OpenStorage>): Promise<string[]> {
  return passed(rulesOn(open))
}

async function passed(rules: readonly Rule[]): Promise<string[]> {
  const titles: string[] = []
  for (const { title, run } of rules) {
    await run().then(
      () => titles.push(title),
      () => undefined,
    )
  }
  return titles
}

/** Has only what every opener must provide. */
const bare = (storage: () => Storage) => async () => ({ storage: storage(), close: async () => {} })
const memory = bare(memoryStorage)

function everyMethod(method: () => Promise<unknown>, failureOf: Storage['failureOf']): Storage {
  const { transaction, within, onAppend, ...methods } = memoryStorage()
  return { ...Object.fromEntries(Object.keys(methods).map((name) => [name, method])), failureOf } as unknown as Storage
}

/** Optional, and missing. */
const optional = [
  'recountEvents() matches the log after its oldest events were removed, if the store allows it',
  'recountEvents() returns nothing after all events were removed, if the store allows it, and gives the next event a new id',
  'onAppend(listener), if the storage has it stops when its return value is called',
  'onProblem(listener), if the storage has it reports nothing without problems, and stops when its return value is called',
  'inspect (optional) lacks no table and no column after migrate()',
  'inspect (optional) returns a change request with everything that is stored with it',
  'inspect (optional) returns a hash that each write of a document renews',
  'inspect (optional) returns events with their columns and their text',
  'inspect (optional) returns stored counts of change requests that are what counting gives',
  'inspect (optional) returns consumers by name',
  'inspect (optional) returns pages that are bounded by their items and bytes',
  'has within(transaction) and either transaction(work) or transactionSync(work), or none of them',
  'transaction(work), if the storage has it returns the result of work, and commits its writes',
  'transaction(work), if the storage has it rolls back when work throws, and rejects with the same error',
  'transaction(work), if the storage has it lets a write lose a race inside it as outside',
  'transactionSync(work), if the storage has it commits the write that work returns',
  'transactionSync(work), if the storage has it rejects with the error of work, and stores nothing',
  'transactionSync(work), if the storage has it returns false for a write that lost a race, and calls work once',
  'within(transaction), if the storage has it commits or rolls back with the transaction',
  'failureOf(error) reports an unreachable store, if the store can be stopped',
  'health() reports an unreachable store, if the store can be stopped',
]

describe('the suite for storages', () => {
  it('runs on any runner with describe, it, toBe and toEqual', async () => {
    expect(await passing(memory)).toEqual(rulesOn(memory).map(({ title }) => title))
  })

  it('names the method of each rule', () => {
    const methods = Object.keys(memoryStorage())
    const named = rulesOn(memory).map(({ title }) => title.split(/[( ]/)[0] ?? '')
    const others = [...new Set(named)].filter((name) => !methods.includes(name))

    const optionalOnes = [
      'recountEvents',
      'onProblem',
      'inspect',
      'has',
      'transaction',
      'transactionSync',
      'within',
      'an',
    ]
    expect(others).toEqual(optionalOnes)
    expect(methods.filter((name) => !named.includes(name))).toEqual([])
  })

  it('has no title twice', () => {
    const titles = rulesOn(memory).map(({ title }) => title)

    expect(titles.filter((title, index) => titles.indexOf(title) < index)).toEqual([])
  })

  it('fails every rule for a storage that does nothing, except optional ones', async () => {
    const idle = everyMethod(
      async () => undefined,
      () => undefined,
    )
    expect((await passing(bare(() => idle))).sort()).toEqual(
      [
        'failureOf(error) returns undefined for an unknown error, and never throws',
        'close() can be called twice',
        ...optional,
      ].sort(),
    )
  })

  it('fails every rule for a storage that always throws', async () => {
    const broken = everyMethod(
      () => Promise.reject(new Error('out of order')),
      () => {
        throw new Error('out of order')
      },
    )
    expect(await passing(bare(() => broken))).toEqual(optional)
  })
})

describe('the suite on SQLite', () => {
  /** The rules of the method that still pass when the storage is changed. */
  async function holding(method: string, change: Partial<Storage>): Promise<string[]> {
    const changed = async () => {
      const opened = await sqlite.open()
      return { ...opened, storage: { ...opened.storage, ...change } }
    }
    return passed(rulesOn(changed, expect).filter(({ title }) => title.startsWith(method)))
  }

  it('detects a recountEvents() that does nothing', async () => {
    const removed = async (change: Partial<Storage>) =>
      (await holding('recountEvents()', change)).filter((title) => title.includes(' were removed, '))

    expect(await removed({})).toHaveLength(2)
    expect(await removed({ recountEvents: async () => {} })).toEqual([])
  })

  it('detects a failureOf() that knows no error, and one that knows every error', async () => {
    expect(await holding('failureOf(', {})).toHaveLength(2)
    expect(await holding('failureOf(', { failureOf: () => undefined })).toHaveLength(1)
    expect(await holding('failureOf(', { failureOf: () => 'unreachable' })).toHaveLength(1)
  })
})

describe('a rule that fails', () => {
  it('shows what the storage must do and why, before what was expected', async () => {
    const forgetful = () => ({ ...memoryStorage(), find: async () => undefined })
    const [rule] = rulesOn(bare(forgetful)).filter(({ title }) => title.startsWith('find('))
    const error: Error = await Promise.resolve(rule?.run()).then(
      () => new Error('It passed.'),
      (reason) => reason,
    )
    expect(error.message).toMatch(
      /^Expected: .+\.\nWhy: The router decides on the change request that it reads, .+\.\n\nExpected values to be /,
    )
    expect(error.cause).toMatchObject({ code: 'ERR_ASSERTION' })
  })

  it('has a time limit of its own', () => {
    const limits = new Set<unknown>()
    const it = (_title: string, _run: () => Promise<void>, timeoutMs?: number) => limits.add(timeoutMs)
    describeStorage({ describe: (_, body) => body(), it, expect: strictly }, 'this one', memory)
    expect([...limits]).toEqual([300_000])
  })
})

describe('nodeTestRunner', () => {
  it('runs the suite with node:test', () => {
    const script = `
      const { memoryStorage } = require('./dist/index.js')
      const { describeStorage, nodeTestRunner } = require('./dist/testing/index.js')
      describeStorage(nodeTestRunner, 'memory', async () => ({ storage: memoryStorage(), close: async () => {} }))`
    const { status, stdout } = spawnSync(process.execPath, ['--test-reporter=tap', '-e', script], {
      cwd: join(__dirname, '../..'),
      encoding: 'utf8',
      env: { ...process.env, NODE_TEST_CONTEXT: undefined },
    })
    expect([status, /^# fail (\d+)$/m.exec(stdout)?.[1]]).toEqual([0, '0'])
    expect(Number(/^# pass (\d+)$/m.exec(stdout)?.[1])).toBeGreaterThan(100)
  })

  it('fails where a value differs', () => {
    const { expect: check } = nodeTestRunner
    expect(() => check(1).toBe(2)).toThrow()
    expect(() => check({ one: 1 }).toEqual({ one: 2 })).toThrow()
  })
})
