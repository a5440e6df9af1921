import { safeLogger } from '../../src/kernel/host/safe-logger'
import type { Logger } from '../../src/ports/logger'
import { thrownValues } from '../support/thrown-values'

describe('safeLogger(logger)', () => {
  const printed: string[] = []
  beforeEach(() => {
    printed.length = 0
    jest.spyOn(console, 'error').mockImplementation((line) => void printed.push(line))
  })
  afterEach(() => jest.restoreAllMocks())

  const every = (log: Logger['error']): Logger => ({ debug: log, info: log, warn: log, error: log })
  const levels = ['debug', 'info', 'warn', 'error'] as const

  it('calls the methods on the logger itself, with the same values', () => {
    const seen: unknown[] = []
    const logger: Logger = every(function log(this: unknown, ...all: unknown[]) {
      seen.push([this === logger, ...all])
    })
    const facts = { err: new Error('x') }
    for (const level of levels) safeLogger(logger)[level](facts, 'It failed.')
    expect(seen).toEqual(levels.map(() => [true, facts, 'It failed.']))
    expect(printed).toEqual([])
  })

  it.each(thrownValues)('reports a logger that throws %s once, on the console', (_, create) => {
    const safe = safeLogger(
      every(() => {
        throw create()
      }),
    )
    for (const level of levels) safe[level]({ err: create() }, 'It failed.')
    expect(printed).toEqual([expect.stringContaining('The option "logger" failed.')])
  })

  it('reports a logger whose promise rejects', async () => {
    const logger = every((() => Promise.reject(new Error('disk full'))) as never)
    safeLogger(logger).warn({}, 'It failed.')
    await new Promise(setImmediate)
    expect(printed).toEqual([expect.stringContaining('disk full')])
  })

  it.each(thrownValues)('gives a logger that cannot write %s its text instead', (_, create) => {
    const seen: unknown[] = []
    const writesTexts = ({ err }: { readonly err?: unknown }) => {
      if (typeof err !== 'string') throw new TypeError('cannot be written')
      seen.push(err)
    }
    const err = create()
    safeLogger(every(writesTexts)).error({ err }, 'It failed.')
    // Facts without an error are not written again.
    expect(seen).toEqual(err === undefined ? [] : [expect.stringMatching(/^\P{Cc}{1,1000}$/u)])
  })
})
