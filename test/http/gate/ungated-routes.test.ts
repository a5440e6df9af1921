import express, { type Express, type RequestHandler, type Router } from 'express'
import { createChangeRequestRouter, memoryStorage } from '../../../src'
import { type UngatedOptions, ungatedRoutes } from '../../../src/testing'
import { isExpress4 } from './majors'

const { plant, planted } = require('../../support/gate/plant')

const router = createChangeRequestRouter({ storage: memoryStorage(), authenticate: () => null })
const gate = router.gate(() => ({ project: 'shop' }))
const writes: RequestHandler = (_req, res) => void res.end()
const passes: RequestHandler = (_req, _res, next) => next()

const recovers: express.ErrorRequestHandler = (_error, _req, _res, next) => next()
const guarded = () => express.Router().put('/a', writes).use(recovers)

function listed(mount: (app: Express) => void, options?: UngatedOptions): string[] {
  const app = express()
  mount(app)
  return ungatedRoutes(app, options)
}

/** As `connect()` makes them. */
const connectApp = Object.assign(() => {}, { route: '/', stack: [{ route: '/flags', handle: writes }], handle() {} })

const inner = (mount: (inner: Router) => void, options: express.RouterOptions = {}) => {
  const made = express.Router(options)
  mount(made)
  return made
}

/** An app with a router at a path. */
const mounting =
  (path: string, mount: (inner: Router) => void, ...before: RequestHandler[]) =>
  (app: Express) =>
    app.use(path, ...before, inner(mount))

describe('ungatedRoutes', () => {
  it('finds a planted route, however it is mounted', () => {
    expect(listed((app) => plant(app, express))).toEqual(planted)
  })

  it('finds nothing in the router itself, nor in an app without routes', () => {
    expect(listed((app) => void app.use(express.json(), router))).toEqual([])
    expect(listed(() => {})).toEqual([])
  })

  it('finds a route that a host adds to the router', () => {
    const own = createChangeRequestRouter({ storage: memoryStorage(), authenticate: () => null })
    own.delete('/flags/:name', writes)
    expect(listed((app) => void app.use('/own', own))).toEqual(['DELETE /own/flags/:name'])
  })

  it.each<[string, (app: Express) => unknown]>([
    ['a route that reads', (app) => app.get('/flags', writes)],
    ['a gate before the handler', (app) => app.patch('/flags/:name', express.json(), gate, writes)],
    ['a gate in an array', (app) => app.patch('/flags/:name', [passes, gate], writes)],
    ['a gate for all methods of a route', (app) => app.route('/flags').all(gate).put(writes).post(writes)],
    ['a gate in a route of its own', (app) => app.all('/flags', gate).put('/flags', writes)],
    ['a gate before everything', (app) => app.use(gate).patch('/flags', writes)],
    ['a gate at a path above', (app) => app.use('/api', gate).patch('/api/flags/:name', writes)],
    ['a gate at a path with a parameter', (app) => app.use('/:tenant', gate).patch('/shop/flags', writes)],
    ['a gate next to a router', mounting('/:tenant/flags', (flags) => flags.patch('/:name', writes), gate)],
    ['a gate within a router', mounting('/flags', (flags) => flags.use(gate).patch('/:name', writes))],
    ['a gate in an app that is mounted', (app) => app.use('/flags', express().use(gate).patch('/:name', writes))],
    ['a gate at several paths', (app) => app.use(['/a', '/b'], gate).patch(['/a/x', '/b/x'], writes)],
    ['error handlers behind it, and in a router', (app) => app.use(gate, guarded()).put('/b', writes).use(recovers)],
    ['middleware at the path of a gated route', (app) => app.use('/flags', express.json()).put('/flags', gate, writes)],
    [
      'middleware of a router that is only read',
      mounting('/flags', (flags) => flags.use(passes).get('/:name', writes)),
    ],
    ['files at a path', (app) => app.use('/static', express.static('.', { fallthrough: false }))],
    [
      'a parser at a path',
      (app) =>
        app.use('/static', express.json(), express.urlencoded({ extended: false }), express.text(), express.raw()),
    ],
    ['an app that is mounted and only read', (app) => app.use('/flags', express().use(passes).get('/:name', writes))],
  ])('lists nothing for %s', (_, mount) => {
    expect(listed((app) => void mount(app))).toEqual([])
  })

  it.each<[string, (app: Express) => unknown, string[]]>([
    ['a gate behind the handler', (app) => app.patch('/flags', writes, gate), ['PATCH /flags']],
    ['a gate on a later route', (app) => app.put('/a', writes).use(gate).put('/b', writes), ['PUT /a']],
    ['a gate for another method', (app) => app.route('/flags').put(gate).post(writes), ['POST /flags']],
    ['a handler for all methods behind it', (app) => app.route('/flags').put(gate).all(writes), ['ALL /flags']],
    ['a gate at another path', (app) => app.use('/a', gate).put('/b', writes), ['PUT /b']],
    ['a gate below the route', (app) => app.use('/flags/x', gate).put('/flags/:name', writes), ['PUT /flags/:name']],
    ['a gate on one of two paths', (app) => app.use('/a', gate).put(['/a', '/b'], writes), ['PUT /b']],
    [
      'a gate that another function may bypass',
      (app) => app.put('/flags', passes, gate).put('/flags', writes),
      ['PUT /flags'],
    ],
    [
      'a gate that an error handler lets requests bypass',
      (app) => app.use(gate).use(recovers).put('/flags', writes),
      ['PUT /flags'],
    ],
    [
      'a gate in a router that a request can leave',
      (app) => mounting('/flags', (left) => left.use(gate))(app).put('/flags', writes),
      ['PUT /flags'],
    ],
    [
      'a case-sensitive gate before a router that ignores case',
      (app) => {
        const flags = inner((flags) => flags.patch('/b', writes))
        const strict = { caseSensitive: true }
        app.use(inner((outer) => outer.use('/a/b', gate).use('/a', flags), strict))
      },
      ['PATCH /a/b'],
    ],
    [
      'a gate that a function of the same route may skip',
      (app) => {
        app.route('/flags').put(passes).all(gate).put(passes, gate, writes)
        app.put('/flags', writes)
      },
      ['PUT /flags'],
    ],
    [
      'a gate that a function for all methods of the same route may skip',
      (app) => {
        app.route('/flags').all(passes).put(gate, writes).all(gate, writes)
        app.put('/flags', writes)
      },
      ['PUT /flags'],
    ],
    [
      'a gate that a function for its parameter may skip',
      (app) => {
        app.param('tenant', (_req, _res, next) => (next as (to: string) => void)('route'))
        app.use('/:tenant', gate).put('/shop/flags', writes)
      },
      ['PUT /shop/flags'],
    ],
    [
      'a gate on the route with a slash at the end, where that is another route',
      (app) => app.use(inner((flags) => flags.all('/flags/', gate).put('/flags', writes), { strict: true })),
      ['PUT /flags'],
    ],
    [
      'a gate at a path with two slashes',
      (app) => app.use('/api//flags', gate).put('/api/flags/:name', writes),
      ['PUT /api/flags/:name'],
    ],
    [
      'a gate in a list with the path of all, which Express 5 also matches with an extra slash',
      (app) => app.use(['/', '/flags/new'], gate).put('/flags/:name', writes),
      isExpress4 ? [] : ['PUT /flags/:name'],
    ],
    [
      'a gate above a mounted router, where the mount also matches an extra slash',
      (app) => mounting('/api', (api) => api.patch('/flags/:name', writes))(app.use('/api/flags', gate)),
      isExpress4 ? ['PATCH /api/flags/:name'] : [],
    ],
    [
      'a gate above a router in a mounted router, where the inner mount also matches an extra slash',
      (app) => {
        const flags = inner((flags) => flags.patch('/:name/on', writes))
        app.use('/api/flags/:name', gate).use(inner((api) => api.use('/api/flags', flags)))
      },
      isExpress4 ? ['PATCH /api/flags/:name/on'] : [],
    ],
    [
      'a function at a path that only files come after',
      (app) => app.use('/flags', writes).use('/flags', express.static('.')),
      ['ALL /flags'],
    ],
    [
      'a function with the name of one of Express',
      (app) =>
        app.use('/flags', function serveStatic(_req, res) {
          res.end()
        } as RequestHandler),
      ['ALL /flags'],
    ],
    ['an app of connect', (app) => app.use('/flags', connectApp), ['ALL /flags']],
    [
      'a function at a path that is read below',
      (app) => app.use('/flags', writes).get('/flags/:name', writes),
      ['ALL /flags'],
    ],
    ['a function at a path', (app) => app.use('/flags', writes).put('/other', gate, writes), ['ALL /flags']],
    ['a route with a regular expression', (app) => app.use('/flags', gate).put(/flags/, writes), ['PUT /...']],
    [
      'an app that is mounted',
      (app) => app.use('/shop', express().use(passes).put('/flags', writes)),
      ['PUT /shop/flags'],
    ],
  ])('lists the route for %s', (_, mount, expected) => {
    expect(listed((app) => void mount(app))).toEqual(expected)
  })

  it('runs no code of the app that it inspects', () => {
    const calls: string[] = []
    const note: RequestHandler = (_req, _res, next) => {
      calls.push('called')
      next()
    }
    const fails: express.ErrorRequestHandler = (_error, _req, _res, next) => {
      calls.push('failed')
      next()
    }
    const mounted = express().use(note).put('/flags', note, writes).use(fails)
    expect(listed((app) => void app.use(note).use('/a', mounted).use(fails))).toEqual(['PUT /a/flags'])
    expect(calls).toEqual([])
  })

  it('lists routes below a path, and routes that may be below it', () => {
    const mount = (app: Express) => {
      app.put('/api/flags/:name', writes)
      app.put('/:tenant/flags', writes)
      app.put('/login', writes)
      app.put(/^.api/, writes)
    }
    expect(listed(mount, { under: '/api/flags' })).toEqual(['PUT /api/flags/:name', 'PUT /:tenant/flags', 'PUT /...'])
  })

  it('leaves out the complete paths of the option except', () => {
    const mount = (app: Express) => {
      for (const path of ['/login', '/login/again', '/users/:id', '/flags']) app.post(path, writes)
    }
    expect(listed(mount, { except: ['/login', /^\/USERS\//gi] })).toEqual(['POST /login/again', 'POST /flags'])
  })

  it('accepts an app or a router, and nothing else', () => {
    expect(ungatedRoutes(inner((flags) => flags.put('/flags', writes)))).toEqual(['PUT /flags'])
    const none = /takes an app or a router/
    for (const other of [undefined, {}, () => {}, connectApp]) expect(() => ungatedRoutes(other)).toThrow(none)
  })

  it.each([
    [null, /options must be an object/],
    [{ exept: ['/login'] }, /unknown option "exept"/],
    [{ except: '/login' }, /"except" must be/],
    [{ except: [null] }, /"except" must be/],
    [{ under: /flags/ }, /"under" must be/],
  ])('throws immediately for the options %p', (options, message) => {
    expect(() => ungatedRoutes(express(), options as never)).toThrow(message)
  })

  it('lists a path with an optional parameter if the gate requires that parameter', () => {
    const path = isExpress4 ? '/flags/:name?' : '/flags{/:name}'
    expect(listed((app) => void app.use(gate).put(path, writes))).toEqual([])
    expect(listed((app) => void app.use('/flags/:name', gate).put(path, writes))).toEqual([`PUT ${path}`])
  })

  /** Paths below or next to a gate at `/flags`, and whether each of their requests passes through it. */
  const paths: [string, boolean][] = isExpress4
    ? [
        ['/flags/?', true],
        ['/flags/*', true],
        ['/flags/:name?', true],
        ['/flags/:id(\\d+|new)', true],
        ['/flags/?*', false],
        ['/flags/:name?x', false],
        ['/flags/{0}x', false],
        ['/flags/a|/other', false],
      ]
    : [
        ['/flags/*rest', true],
        ['/flags/a{/:b}', true],
        ['/flags{/:name}', false],
      ]

  it.each(paths)('decides whether %s is below a gate at /flags: %p', (path, meetsGate) => {
    expect(listed((app) => void app.use('/flags', gate).put(path, writes))).toEqual(meetsGate ? [] : [`PUT ${path}`])
  })
})
