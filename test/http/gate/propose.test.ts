import express, { type RequestHandler } from 'express'
import type { ChangeRequestRouterOptions, GateOptions } from '../../../src'
import { enable } from '../../support/app'
import { archives, openGated, production, type Who } from './gated-app'

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
  it('adds the change to the draft of the caller, and answers 202 with its path', async () => {
    const { write, changes, events } = openProposing()
    const { headers, body } = await write('ann').expect(202)
    expect([headers.location, body]).toEqual([own, { id: 1, path: own }])
    await write('ann', { enabled: false }).expect(202, { id: 1, path: own })
    expect(await changes()).toEqual([{ enabled: true }, { enabled: false }])
    expect((await events()).map(({ type }) => type)).toEqual(['change-added', 'change-added', 'change-request-created'])
  })

  it('adds a list of changes, all or nothing', async () => {
    const list = [enable('checkout'), enable('checkout', false)]
    const { write, changes } = openProposing({ propose: () => list as never })
    await write('ann').expect(202)
    expect(await changes()).toHaveLength(2)
  })

  it.each(['In review', 'Cancelled'])('leaves a change request alone that is %s', async (state) => {
    const { write, setState, changes } = openProposing()
    await write('ann').expect(202)
    await setState('In review')
    if (state === 'Cancelled') await setState(state)
    const { status, body } = await write('ann')
    const refused = [409, 'ConflictError', 'Your change request 1 is In review']
    expect([status, body.name, body.message?.slice(0, 34)]).toEqual(
      state === 'In review' ? refused : [202, undefined, undefined],
    )
    expect(await changes()).toEqual([{ enabled: true }])
  })

  it('lets pass whoever holds SKIP_CHANGE_REQUEST', async () => {
    const { write, send } = openProposing()
    await write('ben').expect(200)
    await send('cara', 'get', own).expect(404)
  })

  it('answers as the host wants', async () => {
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
  ])('answers 202 by itself when the answer of the host %s', async (_, answer) => {
    const { write, changes } = openProposing({ propose, answer }, { limits: { hookTimeoutMs: 20 } })
    await write('ann').expect(202, { id: 1, path: own })
    expect(await changes()).toHaveLength(1)
  })

  it('ends an answer of the host that throws half-way', async () => {
    const answer: GateOptions['answer'] = (_req, res) => {
      res.write('{')
      throw new Error('secret')
    }
    const { write, changes } = openProposing({ propose, answer })
    await expect(write('ann')).rejects.toThrow()
    expect(await changes()).toHaveLength(1)
  })

  it.each([
    ['a caller who may not propose', {}, {}, 'eve', 403, 'PermissionError'],
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
    ['a flag that the host does not know', {}, { directory: { knownFeatures: () => [] } }, 'ann', 404, 'NotFoundError'],
    [
      'a change that the validator rejects',
      {},
      { validate: () => [{ message: 'Not on a Sunday.' }] },
      'ann',
      400,
      'BadDataError',
    ],
  ] satisfies [string, object, object, Who, number, string][])(
    'refuses %s',
    async (_, other, options, who, status, name) => {
      const opened = openProposing({ propose, ...other } as GateOptions, options as never)
      const answer = await opened.write(who)
      expect([answer.status, answer.body.name]).toEqual([status, name])
      await opened.send('cara', 'get', own).expect(404)
    },
  )

  it('refuses a write to a whole project, for which there is no change request', async () => {
    const { send } = openGated((app, router) => {
      const gate: RequestHandler = router.gate(() => ({ project: 'shop' }), { propose })
      app.patch('/flags/:name', gate, archives(router))
    })
    await send('ann', 'patch', flag).expect(403)
  })
})
