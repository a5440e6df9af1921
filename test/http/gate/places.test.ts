import express from 'express'
import type { ChangeRequestRouterOptions, GatedPlace, GateOptions } from '../../../src'
import { enable } from '../../support/app'
import { archives, openGated } from './gated-app'

const flag = '/flags/checkout'
const proposals = (environment: string, project = 'shop') =>
  `/api/admin/projects/${project}/environments/${environment}/change-requests`
const shop = (environment: string): GatedPlace => ({ project: 'shop', environment })

/** A route that writes to the places in its body, in a host with change requests in production and edge. */
async function open(options: GateOptions = {}, routerOptions: Partial<ChangeRequestRouterOptions> = {}) {
  const opened = openGated(
    (app, router) => {
      const gate = router.gate(({ body }) => body.places, options)
      app.patch('/flags/:name', express.json(), gate, archives(router))
    },
    { changeRequestsEnabled: false, ...routerOptions },
  )
  for (const environment of ['production', 'edge']) {
    await opened.send('cara', 'put', `${proposals(environment)}/config`, { changeRequestsEnabled: true }).expect(204)
  }
  const write = (who: 'ann' | 'ben' | 'cara' | null, ...places: GatedPlace[]) =>
    opened.send(who, 'patch', flag, { places })
  return { ...opened, write }
}

describe('a write to several places', () => {
  it.each([
    ['passes if none takes change requests', null, [shop('staging'), { project: 'blog' }], 200],
    ['identifies the caller if one does', null, [shop('staging'), shop('production')], 401],
    ['is rejected if one does', 'ann', [shop('staging'), shop('production')], 403],
    ['passes by the permission in the one that does', 'ben', [shop('staging'), shop('production')], 200],
    ['is rejected without the permission in another one', 'ben', [shop('production'), shop('edge')], 403],
    ['passes by the permission in all', 'cara', [shop('production'), shop('edge'), { project: 'shop' }], 200],
  ] as const)('%s', async (_, who, places, status) => {
    const { write } = await open()
    await write(who, ...places).expect(status)
  })

  it('is rejected with one path for each place that takes change requests', async () => {
    const { write } = await open()
    const { body } = await write('ben', shop('edge'), shop('staging'), shop('production'), shop('edge')).expect(403)
    const [, ...others] = body.details
    expect(others).toEqual([
      { message: 'Propose the change for edge.', path: proposals('edge') },
      { message: 'Propose the change for production.', path: proposals('production') },
    ])
    expect(body.message).toMatch(
      /^Changes in edge of the project shop and production of the project shop need a review\./,
    )
  })

  it('is proposed if exactly one place takes change requests', async () => {
    let asked = 0
    const propose: GateOptions['propose'] = ({ params }) => {
      asked += 1
      return enable(params.name as string) as never
    }
    const { write, send } = await open({ propose })
    await write('ann', shop('edge'), shop('production')).expect(403)
    expect(asked).toBe(0)
    const { body } = await write('ann', shop('staging'), shop('edge'), shop('edge')).expect(202)
    expect([asked, (await send('ann', 'get', body.path).expect(200)).body.environment]).toEqual([1, 'edge'])
  })
})

describe('a describe that fails', () => {
  const now = Date.parse('2026-11-22T12:00:00Z')

  function openFailing(options: Partial<ChangeRequestRouterOptions> = {}) {
    const errors: { id?: string; err?: Error; message: string }[] = []
    const silent = () => {}
    const clock = { ms: now }
    const fails = () => {
      throw new Error('secret')
    }
    const opened = openGated(
      (app, router) => {
        app.patch('/a/:name', router.gate(fails), archives(router))
        app.patch('/b/:name', router.gate((() => 'shop') as never), archives(router))
      },
      {
        clock: () => new Date(clock.ms),
        logger: {
          debug: silent,
          info: silent,
          warn: silent,
          error: (facts, message) => void errors.push({ ...facts, message }),
        },
        ...options,
      },
    )
    return { ...opened, errors, clock }
  }

  it('is logged once per gate and minute, with the id of the first response, and after the clock was set back', async () => {
    const { send, errors, clock } = openFailing()
    const { body: first } = await send('ann', 'patch', '/a/x').expect(500)
    await send('cara', 'patch', '/a/x').expect(500)
    const { body: other } = await send('ann', 'patch', '/b/x').expect(500)
    clock.ms += 59_999
    await send('ann', 'patch', '/a/x').expect(500)
    clock.ms += 1
    const { body: later } = await send('ann', 'patch', '/a/x').expect(500)
    expect(errors.map(({ id, message }) => [id, message])).toEqual([
      [first.id, 'describe threw an error.'],
      [
        other.id,
        "describe returned 'shop'; it must return an object { project, environment? }, a list of these, or null for nothing to review.",
      ],
      [later.id, 'describe threw an error.'],
    ])
    clock.ms -= 3_600_000
    await send('ann', 'patch', '/a/x').expect(500)
    expect(errors).toHaveLength(4)
    expect(errors[0]).toMatchObject({ err: { cause: { message: 'secret' } } })
  })
})
