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

  describe('adds the causes of the error', () => {
    const shown = (err: unknown) => {
      consoleLogger.error({ err }, 'It failed.')
      return lines
        .at(-1)?.[1]
        .replaceAll(/\n +at .*/g, '')
        .split('\n')
        .slice(1)
    }

    it('one after the other', () => {
      const inner = new TypeError('inner', { cause: 'a text' })
      expect(shown(new Error('outer', { cause: new Error('middle', { cause: inner }) }))).toEqual([
        'Error: outer',
        'Caused by: Error: middle',
        'Caused by: TypeError: inner',
        'Caused by: a text',
      ])
    })

    it('and the errors of an AggregateError, each with its causes', () => {
      const errors = [new Error('one', { cause: new Error('why') }), 'two']
      expect(shown(new Error('outer', { cause: new AggregateError(errors, 'all') }))).toEqual([
        'Error: outer',
        'Caused by: AggregateError: all',
        'One of its errors: Error: one',
        'Caused by: Error: why',
        'One of its errors: two',
      ])
    })

    it('each once, and at most ten', () => {
      const first = new Error('first')
      first.cause = new Error('second', { cause: first })
      expect(shown(first)).toEqual([
        'Error: first',
        'Caused by: Error: second',
        'Caused by: an error that is shown above',
      ])
      const many = shown(
        new AggregateError(
          Array.from({ length: 1_000 }, (_, index) => new Error(`${index}`)),
          'all',
        ),
      )
      expect(many?.slice(-2)).toEqual(['One of its errors: Error: 8', '991 more errors are left out.'])
    })

    it('whatever was thrown', () => {
      const broken = Object.defineProperties(new Error('broken'), {
        cause: {
          get: () => {
            throw new Error('getter')
          },
        },
        stack: {
          get: () => {
            throw new Error('getter')
          },
        },
      })
      expect(shown(broken)).toEqual(['Error: broken'])
      expect(shown(Object.create(null))).toEqual(['a value without a text'])
      expect(shown(null)).toEqual(['null'])
      expect(shown({ cause: new Error('why') })).toEqual(['[object Object]', 'Caused by: Error: why'])
    })
  })

  it('cannot be made to forge a line', () => {
    consoleLogger.warn({ id: 'a\nb' }, 'one\r\nexpress-change-requests: two\u001b[2J')
    expect(lines).toEqual([['warn', 'express-change-requests: one express-change-requests: two [2J {"id":"a\\nb"}']])
  })
})
