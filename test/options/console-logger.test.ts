import { consoleLogger } from '../../src/options/console-logger'

describe('the default logger', () => {
  const lines: (readonly [string, string])[] = []

  beforeEach(() => {
    lines.length = 0
    for (const level of ['debug', 'info', 'log', 'warn', 'error'] as const) {
      jest.spyOn(console, level).mockImplementation((...line) => void lines.push([level, line.join('|')]))
    }
  })

  afterEach(() => jest.restoreAllMocks())

  it('writes warnings and errors, one line each', () => {
    consoleLogger.warn({}, 'Retrying.')
    consoleLogger.error({ id: '7', method: 'GET' }, 'It failed.')
    consoleLogger.info({}, 'no')
    consoleLogger.debug({}, 'no')
    expect(lines).toEqual([
      ['warn', 'express-change-requests: Retrying.'],
      ['error', 'express-change-requests: It failed. {"id":"7","method":"GET"}'],
    ])
  })

  it('adds the stack of the error', () => {
    const err = new Error('gone')
    consoleLogger.error({ err, id: '7' }, 'It failed.')
    consoleLogger.error({ err: 'text' }, 'It failed.')
    expect(lines).toEqual([
      ['error', `express-change-requests: It failed. {"id":"7"}\n${err.stack}`],
      ['error', 'express-change-requests: It failed.\ntext'],
    ])
    expect(err.stack).toContain('console-logger.test')
  })

  it('cannot be made to forge a line', () => {
    consoleLogger.warn({ id: 'a\nb' }, 'one\r\nexpress-change-requests: two\u001b[2J')
    expect(lines).toEqual([['warn', 'express-change-requests: one express-change-requests: two [2J {"id":"a\\nb"}']])
  })
})
