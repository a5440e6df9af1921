import express, { type Express, type RequestHandler } from 'express'
import supertest from 'supertest'
import {
  type ChangeRequestRouter,
  type ChangeRequestRouterOptions,
  createChangeRequestRouter,
  type GateOptions,
  memoryStorage,
} from '../../../src'
import { never } from '../../kernel/support/flags'
import { enable } from '../../support/app'
import { archives, authenticate, keys, openGated, production, type Who } from './gated-app'

const flag = '/flags/checkout'
const own = '/api/admin/projects/shop/change-requests/1'

const propose: NonNullable<GateOptions['propose']> = ({ params, body }) =>
  enable(params.name as string, body.enabled as boolean) as never

function openProposing(options: GateOptions = { propose }, routerOptions: Partial<ChangeRequestRouterOptions> = {}) {
  const opened = openGated((app, router) => {
    app.patch('/flags/:name', express.json(), router.gate(production, options), archives(router))
  }, routerOptions)
  const write = (who: Who, body: object = { enabled: true }) => opened.send(who, 'patch', flag, body)
  const setState = (state: string) => opened.send('ann', 'put', `${own}/state`, { state }).expect(200)
  const changes = async (who: Who = 'ann') => {
    const { body } = await opened.send(who, 'get', own).expect(200)
    return body.features.flatMap(({ changes }: { changes: { payload: object }[] }) => changes.map((one) => one.payload))
  }
  return { ...opened, write, setState, changes }
}

describe('router.gate with propose', () => {
  it('adds the change to the draft of the caller, and responds 202 with its path', async () => {
    const { write, changes, events } = openProposing()
    const { headers, body } = await write('ann').expect(202)
    expect([headers.location, body]).toEqual([own, { id: 1, path: own }])
    await write('ann', { enabled: false }).expect(202, { id: 1, path: own })
    expect(await changes()).toEqual([{ enabled: true }, { enabled: false }])
    expect((await events()).map(({ type }) => type)).toEqual(['change-added', 'change-added', 'change-request-created'])
  })

  const mounts: readonly (readonly [where: string, mount: (app: Express, router: ChangeRequestRouter) => unknown])[] = [
    ['', (app, router) => app.use(router)],
    ['/internal/ff', (app, router) => app.use('/internal', express.Router().use('/ff', router))],
    ['/acme', (app, router) => app.use('/:tenant', router)],
  ]
  it.each([
    ...mounts.map(([where, mount]) => [where, '', mount] as const),
    ...mounts.map(([where, mount]) => [where, '/admin', mount] as const),
  ])('responds with the Location of a router at %j in an app at %j', async (where, prefix, mount) => {
    const router = createChangeRequestRouter({ storage: memoryStorage(), authenticate })
    const inner = express()
    inner.patch('/:tenant/flags/:name', express.json(), router.gate(production, { propose }), archives(router))
    mount(inner, router)
    const app = prefix === '' ? inner : express().use(prefix, inner)
    const as = (method: 'get' | 'patch', path: string) => supertest(app)[method](path).set('Authorization', keys.ann)
    const { headers } = await as('patch', `${prefix}/acme/flags/checkout`).send({ enabled: true }).expect(202)
    expect(headers.location).toBe(`${prefix}${where}${own}`)
    await as('get', headers.location as string).expect(200)
  })

  it('responds with a Location without the mount path of a router that is not found in the app', async () => {
    const router = createChangeRequestRouter({ storage: memoryStorage(), authenticate })
    const app = express()
    app.patch('/flags/:name', express.json(), router.gate(production, { propose }))
    app.use('/ff', (req, res, next) => router(req, res, next))
    const { headers } = await supertest(app).patch(flag).set('Authorization', keys.ann).send({ enabled: true })
    expect(headers.location).toBe(own)
  })

  it('links the change request on the review page, also if it refuses to edit it', async () => {
    const { write, setState, send } = openProposing(undefined, { requiredApprovals: 2, pageUrl: '/review' })
    const url = '/review/projects/shop/change-requests/1'
    await write('ann').expect(202, { id: 1, path: own, url })
    await setState('In review')
    await send('cara', 'put', `${own}/state`, { state: 'Approved' }).expect(200)
    expect((await write('ann').expect(409)).body.url).toBe(url)
  })

  it('adds the change to one in review while nobody has voted on it', async () => {
    const { write, setState, changes, send } = openProposing()
    await write('ann').expect(202)
    await setState('In review')
    await write('ann', { enabled: false }).expect(202, { id: 1, path: own })
    expect(await changes()).toEqual([{ enabled: true }, { enabled: false }])
    expect((await send('ann', 'get', own).expect(200)).body.state).toBe('In review')
  })

  it.each([
    ['In review', 2],
    ['Approved', 1],
  ])(
    'does not edit a change request that is %s and has votes, and explains how to add the change there',
    async (state, minimum) => {
      const { write, setState, changes, send } = openProposing(undefined, { requiredApprovals: minimum })
      await write('ann').expect(202)
      await setState('In review')
      await send('cara', 'put', `${own}/state`, { state: 'Approved' }).expect(200)
      const { status, body } = await write('ann', { enabled: false })
      expect([status, body.name]).toEqual([409, 'ConflictError'])
      const proposals = '/api/admin/projects/shop/environments/production/change-requests'
      expect(body.message).toBe(
        `Your change request 1 is ${state}; another change would void its approvals. To add the change anyway, ` +
          `send it to POST ${proposals}. All approvals are then removed and the review starts again.`,
      )
      expect(body.details).toEqual([
        { message: body.message, code: 'wrong-state' },
        { message: 'See your change request 1.', path: own },
        { message: 'Add the change here.', path: proposals },
      ])
      expect(await changes()).toEqual([{ enabled: true }])
      const before = await send('ann', 'get', own).expect(200)
      expect([before.body.state, before.body.approvals.length]).toEqual([state, 1])
      const added = await send('ann', 'post', body.details[2].path, [enable('checkout', false)]).expect(200)
      expect([added.body.id, added.body.state, added.body.approvals]).toEqual([1, 'In review', []])
    },
  )

  it('responds with the `answer` hook of the host', async () => {
    const { write } = openProposing({
      propose,
      answer: (_req, res, { id, state }) => res.status(403).json({ message: `See change request ${id} (${state}).` }),
    })
    await write('ann').expect(403, { message: 'See change request 1 (Draft).' })
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('secret')
      },
    ],
    ['rejects', () => Promise.reject(new Error('secret'))],
    ['does not answer', () => new Promise(() => {})],
    ['returns without an answer', () => {}],
    ['resolves without an answer', async () => {}],
  ])('responds 202 itself when the `answer` hook %s', async (_, answer) => {
    const { write, changes } = openProposing({ propose, answer }, { limits: { hookTimeoutMs: 20 } })
    await write('ann').expect(202, { id: 1, path: own })
    expect(await changes()).toHaveLength(1)
  })

  it('allows a host to respond after the hook has returned', async () => {
    const answer: GateOptions['answer'] = (_req, res) => {
      setImmediate(() => {
        res.write('{')
        setImmediate(() => res.end('}'))
      })
    }
    const { write, changes } = openProposing({ propose, answer })
    const { text } = await write('ann').expect(200)
    expect([text, (await changes()).length]).toEqual(['{}', 1])
  })

  it('does not touch a response that the host has begun, even if it is slow', async () => {
    const opened = openGated(
      (app, router) => {
        const answer: GateOptions['answer'] = (_req, res) => {
          setImmediate(async () => {
            res.write('{')
            // Its timeout has passed when that of a later hook has.
            await opened.send('ann', 'patch', '/hangs').expect(503)
            res.end('}')
          })
        }
        app.patch('/flags/:name', express.json(), router.gate(production, { propose, answer }), archives(router))
        app.patch('/hangs', router.gate(never), archives(router))
      },
      { limits: { hookTimeoutMs: 20 } },
    )
    const { text } = await opened.send('ann', 'patch', flag, { enabled: true }).expect(200)
    expect(text).toBe('{}')
  })

  it('ends a response of the host that throws half-way', async () => {
    const answer: GateOptions['answer'] = (_req, res) => {
      res.write('{')
      throw new Error('secret')
    }
    const { write, changes } = openProposing({ propose, answer })
    await expect(write('ann')).rejects.toThrow()
    expect(await changes()).toHaveLength(1)
  })

  it.each([
    ['a caller without permission to propose', {}, {}, 'eve', 403, 'PermissionError'],
    ['nothing that can be proposed', { propose: () => null }, {}, 'ann', 403, 'PermissionError'],
    ['a hook that throws', { propose: () => Promise.reject(new Error('secret')) }, {}, 'ann', 503, 'UnavailableError'],
    ['a hook that returns nothing', { propose: () => undefined }, {}, 'ann', 400, 'BadDataError'],
    ['a change that is none', { propose: () => ({ action: 'explode' }) }, {}, 'ann', 400, 'BadDataError'],
    [
      'a project that the host does not know',
      {},
      { directory: { hasProject: () => false } },
      'ann',
      404,
      'NotFoundError',
    ],
  ] satisfies [string, object, object, Who, number, string][])(
    'rejects %s',
    async (_, other, options, who, status, name) => {
      const opened = openProposing({ propose, ...other } as GateOptions, options as never)
      const answer = await opened.write(who)
      expect([answer.status, answer.body.name]).toEqual([status, name])
      await opened.send('cara', 'get', own).expect(404)
    },
  )

  it('adds the change once for an Idempotency-Key, also concurrently, and is 422 for another request', async () => {
    const opened = openProposing()
    const keyed = { 'Idempotency-Key': 'key-1' }
    const write = (path: string, enabled: boolean) => opened.send('ann', 'patch', path, { enabled }, keyed)
    const statuses = (await Promise.all([write(flag, true), write(flag, true)])).map(({ status }) => status)
    expect(statuses.every((status) => status === 202 || status === 409)).toBe(true)
    const again = await write(flag, true).expect(202, { id: 1, path: own })
    expect([again.headers['idempotency-replayed'], (await opened.changes()).length]).toEqual(['true', 1])
    for (const other of [write(flag, false), write('/flags/basket', true)]) {
      expect((await other).body.name).toBe('IdempotencyMismatchError')
    }
    await opened.setState('In review')
    await opened.send('cara', 'put', `${own}/state`, { state: 'Approved' }).expect(200)
    await write(flag, true).expect(202, { id: 1, path: own })
  })

  describe('with a write to a whole project', () => {
    const names = ['development', 'staging', 'production', 'edge']
    const directory = { environments: () => names.map((name) => ({ name, type: 'production' })) }

    async function openProject(minima: Readonly<Record<string, number>>, options: Partial<ChangeRequestRouterOptions>) {
      const opened = openGated(
        (app, router) => {
          const gate: RequestHandler = router.gate(() => ({ project: 'shop' }), { propose })
          app.patch('/flags/:name', express.json(), gate, archives(router))
        },
        { changeRequestsEnabled: false, ...options },
      )
      for (const [environment, requiredApprovals] of Object.entries(minima)) {
        const path = `/api/admin/projects/shop/environments/${environment}/change-requests/config`
        await opened.send('cara', 'put', path, { changeRequestsEnabled: true, requiredApprovals }).expect(204)
      }
      return opened
    }

    it.each([
      [
        'the environment with the highest minimum',
        { development: 1, staging: 3, production: 2 },
        { directory },
        'staging',
      ],
      ['of several, the last that the host names', { edge: 1, staging: 2, production: 2 }, { directory }, 'production'],
      ['the only one that is known', { staging: 1 }, {}, 'staging'],
    ])('proposes it in %s', async (_, minima, options, expected) => {
      const { send } = await openProject(minima, options)
      const { body } = await send('ann', 'patch', flag, { enabled: true }).expect(202)
      expect((await send('ann', 'get', body.path).expect(200)).body.environment).toBe(expected)
    })

    it('is rejected if no environment is known', async () => {
      const { send } = await openProject({}, { changeRequestsEnabled: true })
      const { body } = await send('ann', 'patch', flag, { enabled: true }).expect(403)
      expect(body.details).toHaveLength(1)
    })
  })
})
