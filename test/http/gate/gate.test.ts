import { once } from 'node:events'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { type Freeze, type Freezes, type GatedPlace, type Logger, memoryStorage } from '../../../src'
import { archives, fromBody, keys, openGated, production } from './gated-app'

const flag = '/flags/checkout'
const skipped = (reason: string | null, freeze: string | null = null) => ({
  skippedChangeRequest: { by: 'ben@example.com', id: 2, kind: 'person', reason, freeze },
})

describe('a request that the gate rejects', () => {
  const { send } = openGated((app, router) => {
    app.patch('/flags/:name', router.gate(production), archives(router))
    app.delete(
      '/segments/:id',
      router.gate(() => ({ project: 'shop' })),
      archives(router),
    )
  })

  it('is rejected with the missing permission and where to propose it', async () => {
    const { status, body } = await send('ann', 'patch', flag)
    expect([status, body.name, body.permissions]).toEqual([403, 'PermissionError', ['SKIP_CHANGE_REQUEST']])
    expect(body.details).toEqual([
      { message: body.message, code: 'missing-permission' },
      {
        message: 'Propose the change for production.',
        path: '/api/admin/projects/shop/environments/production/change-requests',
      },
    ])
  })

  it('links the review page, where it can be proposed', async () => {
    const pageUrl = 'https://flags.example/review'
    const { send: sendPage } = openGated(
      (app, router) => {
        app.patch('/flags/:name', router.gate(production), archives(router))
        app.put(
          '/projects/:name',
          router.gate(({ params }) => ({ project: params.name as string })),
        )
      },
      { pageUrl },
    )
    const urlOf = async (method: 'patch' | 'put', path: string) =>
      (await sendPage('ann', method, path).expect(403)).body.url
    expect(await urlOf('patch', flag)).toBe(`${pageUrl}/new?project=shop&environment=production`)
    expect(await urlOf('put', "/projects/it's")).toBe(`${pageUrl}/new?project=it%27s`)
    expect((await send('ann', 'patch', flag)).body).not.toHaveProperty('url')
  })

  it('is rejected, and not proposed, if the open change request of the caller has an objection', async () => {
    const { send: sendTo } = openGated(
      (app, router) => {
        const propose = () => ({ action: 'updateEnabled', feature: 'checkout', payload: { enabled: true } }) as const
        app.patch('/flags/:name', router.gate(production, { propose }), archives(router))
      },
      { objections: true },
    )
    const own = '/api/admin/projects/shop/change-requests/1'
    await sendTo('ann', 'patch', flag).expect(202)
    await sendTo('ann', 'put', `${own}/state`, { state: 'In review' }).expect(200)
    await sendTo('ann', 'patch', flag).expect(202)
    await sendTo('cara', 'put', `${own}/objection`, { text: 'Too early.' }).expect(204)
    const { body } = await sendTo('ann', 'patch', flag).expect(409)
    expect(body.message).toContain('void its approvals and outdate the objections to it')
    expect((await sendTo('ann', 'get', own)).body.features[0].changes.length).toBe(2)
  })

  it('is passed on as an error if the host handles errors', async () => {
    const names: string[] = []
    const { app, send: sendNext } = openGated(
      (host, router) => void host.patch('/flags/:name', router.gate(production), archives(router)),
      { errors: 'next' },
    )
    app.use(((error, _req, res, _next) => {
      names.push(error.name)
      res.status(418).end()
    }) as express.ErrorRequestHandler)
    await sendNext('ann', 'patch', flag).expect(418)
    expect(names).toEqual(['PermissionError'])
  })
})

describe('a request that skips the review', () => {
  it.each(['ben', 'cara'] as const)('is a debug line, also for an ADMIN: %s', async (who) => {
    const lines: unknown[] = []
    const logger: Logger = { debug: (...line) => void lines.push(line), info() {}, warn() {}, error() {} }
    const { send } = openGated(
      (app, router) => void app.patch('/flags/:name', router.gate(production), archives(router)),
      { logger },
    )
    await send(who, 'patch', flag).expect(200)
    const text = 'A write passed the gate without a review: its caller holds SKIP_CHANGE_REQUEST, which ADMIN implies.'
    expect(lines).toEqual([[{ userId: who === 'ben' ? 2 : 3, places: [production()], method: 'PATCH' }, text]])
  })
})

describe('a write to a whole project', () => {
  const environments = (...names: string[]) => ({
    directory: { environments: () => names.map((name) => ({ name, type: 'production' })) },
  })
  const withSettings = async (on: Readonly<Record<string, boolean>>, options = {}) => {
    const storage = memoryStorage()
    const opened = openGated(
      (app, router) =>
        void app.patch(
          '/flags/:name',
          router.gate(() => ({ project: 'shop' })),
          archives(router),
        ),
      { storage, ...options },
    )
    for (const [environment, changeRequestsEnabled] of Object.entries(on)) {
      const path = `/api/admin/projects/shop/environments/${environment}/change-requests/config`
      await opened.send('cara', 'put', path, { changeRequestsEnabled }).expect(204)
    }
    return opened
  }

  it.each([
    ['in the environments that take change requests, where the host names all', false, 200],
    ['in each of them', true, 403],
  ])('requires it %s', async (_, staging, status) => {
    const { send } = await withSettings({ staging, production: true }, environments('staging', 'production'))
    await send('ben', 'patch', flag).expect(status)
  })

  it.each([['does not name them', {}]])('requires it for the whole project where the host %s', async (_, options) => {
    const { send } = await withSettings({ production: true }, options)
    await send('ben', 'patch', flag).expect(403)
    await send('cara', 'patch', flag).expect(200)
  })
})

describe('a request that skips the review', () => {
  it('records who skipped it, and why, in each of its events', async () => {
    const { send, events } = openGated((app, router) => {
      app.patch('/flags/:name', router.gate(production), async (_req, res) => {
        const place = { ...production(), featureName: 'checkout' }
        await router.events.record([
          { type: 'feature-archived', ...place },
          {
            type: 'feature-environment-variants-updated',
            ...place,
            data: { variants: [] },
            preData: { variants: [1] },
          },
          { type: 'feature-strategy-update', ...place, data: { id: 's' }, preData: { id: 's' } },
        ])
        res.end()
      })
    })
    const reason = { 'Change-Request-Skip-Reason': encodeURIComponent(' Zahlung fällt aus ') }
    await send('ben', 'patch', flag, undefined, reason).expect(200)
    expect((await events()).map(({ type, data }) => [type, data])).toEqual([
      ['feature-environment-variants-updated', { variants: [], ...skipped('Zahlung fällt aus') }],
      ['feature-archived', skipped('Zahlung fällt aus')],
    ])
  })

  it.each([
    ['before the parser of the body', 'before'],
    ['behind the parser of the body', 'behind'],
    ['before a parser that reads the request by itself', 'own'],
  ] as const)('records them with a gate %s', async (_, order) => {
    const own: express.RequestHandler = (req, _res, next) => {
      const chunks: Buffer[] = []
      req.on('data', (chunk: Buffer) => chunks.push(chunk))
      req.on('end', () => {
        req.body = JSON.parse(Buffer.concat(chunks).toString())
        next()
      })
    }
    const { send, events } = openGated((app, router) => {
      const gate = router.gate(order === 'behind' ? fromBody : production, { reason: 'optional' })
      const parser = order === 'own' ? own : express.json()
      app.patch('/flags/:name', order === 'behind' ? [parser, gate] : [gate, parser], archives(router))
    })
    const body = { environment: 'production', padding: 'x'.repeat(80_000) }
    await send('ben', 'patch', flag, body).expect(200, body)
    await send('ann', 'patch', flag, body).expect(403)
    expect((await events()).map(({ data }) => data)).toEqual([skipped(null)])
  })

  it('marks those of a machine with its kind and id', async () => {
    const { send, events } = openGated(
      (app, router) => void app.patch('/flags/:name', router.gate(production), archives(router)),
    )
    await send('bot', 'patch', flag).expect(200)
    expect((await events()).map(({ data }) => data)).toEqual([
      { skippedChangeRequest: { by: 'bot', id: 9, kind: 'service', reason: null, freeze: null } },
    ])
  })

  describe('during a freeze', () => {
    const [past, future] = ['2026-01-01T00:00:00Z', '2999-01-01T00:00:00Z']
    const sale: Freeze = { name: 'Sale', reason: 'Sales', from: past, until: future }
    const marked = async (freezes: Freezes, who: 'ben' | 'cara' = 'ben', place: () => GatedPlace = production) => {
      const { send, events } = openGated(
        (app, router) => void app.patch('/flags/:name', router.gate(place), archives(router)),
        { freezes, directory: { environments: () => [{ name: 'production', type: 'production' }] } },
      )
      await send(who, 'patch', flag).expect(200)
      return (await events()).map(({ data }) => data?.skippedChangeRequest)
    }
    const expected = (freeze: string | null) => [skipped(null, freeze).skippedChangeRequest]

    it('pass, and name the freeze with the latest end', async () => {
      const open: Freeze = { name: 'Incident 12', reason: 'Down', from: past }
      expect(await marked([sale, open])).toEqual(expected('Incident 12'))
    })

    it('name no freeze that is over, of another environment, or of certain flags and segments', async () => {
      const over = { ...sale, until: '2026-01-02T00:00:00Z' }
      const others = [{ environments: ['staging'] }, { features: ['checkout'] }, { segments: true as const }]
      const freezes = others.map((when, at) => ({ ...sale, name: `other ${at}`, when }))
      expect(await marked([over, ...freezes])).toEqual(expected(null))
    })

    it('name the freezes of every gated environment for a whole project', async () => {
      const freezes = [{ ...sale, when: { environments: ['production'] } }]
      expect(await marked(freezes, 'cara', () => ({ project: 'shop' }))).toMatchObject([{ by: 'cara', freeze: 'Sale' }])
    })

    it('pass if the freezes cannot be read', async () => {
      const fail = () => {
        throw new Error('down')
      }
      expect(await marked(fail)).toEqual(expected('unknown'))
      expect(await marked(() => [{ ...sale, until: past }])).toEqual(expected('unknown'))
    })
  })

  it('records them after the caller has disconnected', async () => {
    const { app, router, events } = openGated(() => {})
    const left = new Promise((resolve, reject) => {
      app.patch('/left', router.gate(production), (_req, res) => {
        res.on('close', () => {
          router.events.record({ type: 'feature-archived', ...production(), featureName: 'left' }).then(resolve, reject)
        })
        res.write('begun')
      })
    })
    const server = app.listen(0)
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const caller = request({ port, method: 'PATCH', path: '/left', headers: { Authorization: keys.ben } }).end()
    await once(caller, 'response')
    caller.destroy()
    await left
    server.close()
    expect((await events()).map(({ data }) => data)).toEqual([skipped(null)])
  })

  it('records nothing in the events of other requests', async () => {
    const { send, events } = openGated((app, router) => {
      app.patch('/flags/:name', router.gate(production), archives(router))
      app.put('/flags/:name', archives(router))
      app.post(
        '/flags/:name',
        router.gate(() => null),
        archives(router),
      )
    })
    const all = [send('ben', 'patch', flag), send('ben', 'put', flag), send('cara', 'post', flag)]
    expect((await Promise.all(all)).map(({ status }) => status)).toEqual([200, 200, 200])
    const marked = (await events()).filter(({ data }) => data?.skippedChangeRequest !== undefined)
    expect(marked).toHaveLength(1)
  })

  it('records them with a second gate that lets it pass', async () => {
    const { send, events } = openGated((app, router) => {
      const second = router.gate(() => null)
      app.use('/flags', router.gate(production)).patch('/flags/:name', second, archives(router))
    })
    await send('ben', 'patch', flag).expect(200)
    expect((await events()).map(({ data }) => data)).toEqual([skipped(null)])
  })
})

describe('router.gate() after routers', () => {
  it('can describe by parameters of the path', async () => {
    const { send } = openGated((app, router) => {
      const inner = express.Router({ mergeParams: true })
      inner.use(router.gate(({ params }) => ({ project: String(params.project), environment: 'production' })))
      inner.patch('/flags/:name', archives(router))
      app.use('/:project', inner)
    })
    await send('ben', 'patch', '/shop/flags/checkout').expect(200)
    await send('ben', 'patch', '/bank/flags/checkout').expect(403)
    await send('ann', 'patch', '/shop/flags/checkout').expect(403)
  })

  it('responds once when the next handler throws', async () => {
    const errors: string[] = []
    const { app, send } = openGated((host, router) => {
      host.patch('/flags/:name', router.gate(production), () => {
        throw new Error('of the handler')
      })
    })
    app.use(((error, _req, res, _next) => {
      errors.push(error.message)
      res.status(418).end()
    }) as express.ErrorRequestHandler)
    await send('ben', 'patch', flag).expect(418)
    expect(errors).toEqual(['of the handler'])
  })
})

describe('router.takesChangeRequests', () => {
  it('returns whether change requests are enabled in an environment or anywhere in a project', async () => {
    const { router, send } = openGated(() => {})
    const path = '/api/admin/projects/shop/environments/staging/change-requests/config'
    await send('cara', 'put', path, { changeRequestsEnabled: false }).expect(204)
    const asked = ['staging', 'production', undefined].map((environment) =>
      router.takesChangeRequests({ project: 'shop', environment }),
    )
    expect(await Promise.all(asked)).toEqual([false, true, true])
  })

  it('rejects an invalid name, and with the error of the storage', async () => {
    const { router } = openGated(() => {})
    await expect(router.takesChangeRequests({ project: '../' })).rejects.toMatchObject({ name: 'BadDataError' })
    const error = new Error('The disk is gone.')
    const storage = { ...memoryStorage(), findSettings: () => Promise.reject(error) }
    const failing = openGated(() => {}, { storage }).router
    await expect(failing.takesChangeRequests(production())).rejects.toBe(error)
  })

  it.each([
    [undefined, /an object/],
    [{ project: 'shop', enviroment: 'production' }, /unknown option "enviroment"/],
  ])('rejects %p, which would mean all environments', async (place, message) => {
    const { router } = openGated(() => {})
    await expect(router.takesChangeRequests(place as never)).rejects.toThrow(message)
  })
})

describe('router.gate with wrong options', () => {
  const { router } = openGated(() => {})

  it.each([
    [undefined, {}, /pass a function/],
    [production, { reasons: 'required' }, /unknown option "reasons"/],
    [production, { reason: 'always' }, /"reason" must be/],
    [production, { propose: {} }, /"propose" must be/],
    [production, { answer: () => {} }, /"answer" must be used with propose/],
  ])('throws immediately: %p %p', (describeWrite, options, message) => {
    expect(() => router.gate(describeWrite as never, options as never)).toThrow(message)
  })
})
