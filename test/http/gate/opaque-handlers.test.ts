import express, { type Express, type RequestHandler } from 'express'
import { createChangeRequestRouter, memoryStorage } from '../../../src'
import { reviewPage } from '../../../src/page'
import { opaqueHandlers } from '../../../src/testing'
import { isExpress4 } from './majors'

const router = createChangeRequestRouter({ storage: memoryStorage(), authenticate: () => null })
const gate = router.gate(() => ({ project: 'shop' }))
const passes: RequestHandler = (_req, _res, next) => next()

/** Of the functions that Express 4 puts into each app. */
const first = isExpress4 ? 2 : 0

function listed(mount: (app: Express) => void) {
  const app = express()
  mount(app)
  return opaqueHandlers(app).map(({ position, name }) => `${position} ${name}`)
}

describe('opaqueHandlers', () => {
  it('lists the functions that are called for all paths, with their positions and names', () => {
    const recovers: express.ErrorRequestHandler = (_error, _req, _res, next) => next()
    expect(
      listed((app) => void app.use(passes, [((_req, _res, next) => next()) as RequestHandler]).use(recovers)),
    ).toEqual([`${first} passes`, `${first + 1} <anonymous>`, `${first + 2} recovers`])
  })

  it('includes mounted routers and apps', () => {
    const nested = express.Router().use(passes)
    const mounted = express().use(passes)
    const found = listed((app) => {
      app.use('/a', express.Router().get('/', passes).use('/b', nested))
      app.use('/c', mounted)
    })
    expect(found).toEqual([`${first}.1.0 passes`, `${first + 1}.${first} passes`])
  })

  it('lists a router once if it is mounted in two places, or in itself', () => {
    const own = express.Router()
    own.use(own).use(passes)
    expect(listed((app) => void app.use(['/a', '/b'], own))).toEqual([`${first}.1 passes`])
  })

  it('lists functions after a gate, which can write when the gate lets requests pass', () => {
    expect(listed((app) => void app.use(gate, passes))).toEqual([`${first + 1} passes`])
  })

  it.each<[string, (app: Express) => unknown]>([
    ['functions at a path, which ungatedRoutes lists', (app) => app.use('/a', passes)],
    ['routes', (app) => app.all('/a', passes)],
    ['gates', (app) => app.use(gate)],
    ['this router', (app) => app.use(router)],
    ['the review page', (app) => app.use(reviewPage({ api: '/api/admin', signIn: 'host' }))],
    [
      'functions of Express',
      (app) => {
        app.use(
          express.json(),
          express.urlencoded({ extended: false }),
          express.text(),
          express.raw(),
          express.static('.'),
        )
        // Express 4 adds its own functions with the first layer.
        app.get('/a', passes)
      },
    ],
  ])('leaves out %s', (_, mount) => {
    expect(listed((app) => void mount(app))).toEqual([])
  })

  it('lists a function that has the name of one of Express', () => {
    const jsonParser: RequestHandler = (_req, res) => void res.end()
    expect(listed((app) => void app.use(jsonParser))).toEqual([`${first} jsonParser`])
  })

  it('lists what a host adds to this router', () => {
    const own = createChangeRequestRouter({ storage: memoryStorage(), authenticate: () => null })
    own.use(passes)
    expect(opaqueHandlers(own).map(({ name }) => name)).toEqual(['passes'])
  })

  it.each([undefined, {}, () => {}])('throws immediately for %p', (other) => {
    expect(() => opaqueHandlers(other)).toThrow(/takes an app or a router/)
  })
})
