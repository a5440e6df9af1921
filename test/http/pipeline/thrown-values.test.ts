import express from 'express'
import { type ChangeRequestRouterOptions, type Logger, memoryStorage } from '../../../src'
import { HostFlags } from '../../kernel/support/flags'
import { inProcess, type Method, type Who } from '../../storage/model/support/callers'
import { openRouter } from '../../storage/model/support/hosts'
import { approved, shop } from '../../storage/model/support/walks'
import { thrownValues } from '../../support/thrown-values'

type Options = Partial<ChangeRequestRouterOptions>
type Request = readonly [Who, Method, string, object?]

const own = `${shop}/change-requests/1`
const review: Request = ['ben', 'GET', `${own}/review`]
const apply: Request = ['ben', 'PUT', `${own}/state`, { state: 'Applied' }]

const gateway = (broken: object): Options => {
  const flags = new HostFlags()
  return { flags: { current: flags.current.bind(flags), apply: flags.apply.bind(flags), ...broken } }
}

/** One hook for each way to call it, with a request that needs it and its status while the hook throws. */
const hooks: readonly (readonly [hook: string, status: number, Request, (fail: () => never) => Options])[] = [
  ['authenticate', 503, review, (fail) => ({ authenticate: fail })],
  ['flags.apply', 500, apply, (fail) => gateway({ apply: fail })],
  ['flags.apply and flags.outcome', 503, apply, (fail) => gateway({ apply: fail, outcome: fail })],
]

describe.each(thrownValues)('%s that a hook of the host app throws', (_, create) => {
  const fail = (): never => {
    throw create()
  }

  it.each(hooks)(
    '%s: the request is %i, with a line in the log',
    async (_hook, status, [who, method, path, body], options) => {
      const lines: string[] = []
      const note = (_facts: object, text: string) => void lines.push(text)
      const logger: Logger = { debug() {}, info: note, warn: note, error: note }
      const storage = memoryStorage()
      await approved(inProcess(openRouter(storage)))
      const send = inProcess(openRouter(storage, { ...options(fail), logger }))
      lines.length = 0
      const answer = await send(who, method, path, body === undefined ? {} : { body })
      expect(answer.status).toBe(status)
      expect(JSON.stringify(answer.body)).not.toMatch(/secret|out of order/)
      expect(lines.length).toBeGreaterThan(0)
    },
  )

  it('describe of a gate: the request is 500, with a line in the log', async () => {
    const lines: string[] = []
    const error = (_facts: object, text: string) => void lines.push(text)
    const router = openRouter(memoryStorage(), { logger: { debug() {}, info() {}, warn() {}, error } })
    const app = express.Router().put('/flags', router.gate(fail), (_req, res) => void res.end('written'))
    expect((await inProcess(app as never)('ann', 'PUT', '/flags')).status).toBe(500)
    expect(lines).toEqual(['describe threw an error.'])
  })

  it('the logger, too: the request is 503', async () => {
    jest.spyOn(console, 'error').mockImplementation(() => {})
    const logger: Logger = { debug: fail, info: fail, warn: fail, error: fail }
    const send = inProcess(openRouter(memoryStorage(), { authenticate: fail, logger }))
    expect((await send('ben', 'GET', own)).status).toBe(503)
    jest.restoreAllMocks()
  })
})
