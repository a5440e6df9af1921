import type { ChangeRequestRouterOptions, Logger } from '../../../src'
import { enable } from '../../support/app'
import { fromBody, openGated } from '../gate/gated-app'

const config = '/api/admin/projects/shop/change-requests/config'
const inPlace = (environment: string) => `/api/admin/projects/shop/environments/${environment}/change-requests`

const environments = () => ['development', 'production'].map((name) => ({ name, type: name }))

/** An app with the gate on one route. It logs the causes of errors. */
function open(options: Partial<ChangeRequestRouterOptions>) {
  const logged: unknown[] = []
  const error: Logger['error'] = ({ err }: { err?: Error }) => void logged.push(err?.message)
  const opened = openGated(
    (app, router) => {
      app.patch('/flags/:name', (req, _res, next) => {
        req.body = { environment: req.get('x-environment') }
        next()
      })
      app.patch('/flags/:name', router.gate(fromBody), (_req, res) => void res.end())
      app.patch(
        '/segments/:id',
        router.gate(() => ({ project: 'shop' })),
        (_req, res) => void res.end(),
      )
    },
    { logger: { debug() {}, info() {}, warn: error, error }, ...options },
  )
  const write = (environment: string) =>
    opened.send('ann', 'patch', '/flags/checkout', undefined, { 'x-environment': environment })
  return { ...opened, write, logged }
}

describe('four eyes in production only, by functions', () => {
  const options: Partial<ChangeRequestRouterOptions> = {
    directory: { environments },
    changeRequestsEnabled: ({ type }) => type === 'production',
    requiredApprovals: async ({ project }) => (project === 'shop' ? 2 : 1),
  }

  it('shows them in the settings of each environment', async () => {
    const { body } = await open(options).send('cara', 'get', config).expect(200)
    expect(body).toEqual([
      { environment: 'development', type: 'development', changeRequestEnabled: false, requiredApprovals: null },
      { environment: 'production', type: 'production', changeRequestEnabled: true, requiredApprovals: 2 },
    ])
  })

  it('accepts proposals in production, with two approvals', async () => {
    const { send } = open(options)
    const { body } = await send('ann', 'post', inPlace('production'), enable()).expect(200)
    expect(body.minApprovals).toBe(2)
    await send('ann', 'post', inPlace('development'), enable()).expect(400)
  })

  it('closes the gate in production, and for the whole project', async () => {
    const { send, write, router } = open(options)
    await write('development').expect(200)
    await write('production').expect(403)
    await send('ann', 'patch', '/segments/1').expect(403)
    expect(await router.takesChangeRequests({ project: 'shop' })).toBe(true)
    expect(await router.takesChangeRequests({ project: 'shop', environment: 'development' })).toBe(false)
  })

  it('prefers what is stored', async () => {
    const { send, write } = open(options)
    await send('cara', 'put', `${inPlace('production')}/config`, { changeRequestsEnabled: false }).expect(204)
    await write('production').expect(200)
    await send('cara', 'put', `${inPlace('development')}/config`, { changeRequestsEnabled: true }).expect(204)
    await write('development').expect(403)
  })
})

describe('a function that fails', () => {
  const down = () => {
    throw new Error('down')
  }

  it.each([
    ['changeRequestsEnabled throws', { changeRequestsEnabled: down }, 503, 'down'],
    ['requiredApprovals rejects', { requiredApprovals: async () => down() }, 503, 'down'],
    [
      'changeRequestsEnabled returns a text',
      { changeRequestsEnabled: () => 'yes' as never },
      500,
      "changeRequestsEnabled returned 'yes'; it must be a boolean.",
    ],
    [
      'requiredApprovals returns 11',
      { requiredApprovals: () => 11 },
      500,
      'requiredApprovals returned 11; it must be a whole number from 1 to 10.',
    ],
  ])('%s (%#)', async (_name, options, status, cause) => {
    const { send, write, logged } = open(options)
    const { body } = await send('ann', 'post', inPlace('production'), enable()).expect(status)
    expect(JSON.stringify(body)).not.toContain('down')
    await write('production').expect(status)
    await send('ben', 'patch', '/flags/checkout', undefined, { 'x-environment': 'production' }).expect(200)
    expect(logged).toEqual([cause, cause])
  })
})
