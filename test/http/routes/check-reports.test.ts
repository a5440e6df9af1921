import { type ApiKey, apiKeys, memoryStorage, type Storage } from '../../../src'
import { enable, startApp, type TestApp } from '../../support/app'
import { flagsWereOff, rewrite } from '../../support/rewrite'

const change = ['CREATE_CHANGE_REQUEST', 'APPROVE_CHANGE_REQUEST', 'APPLY_CHANGE_REQUEST']
const all = [...change, 'REPORT_CHECK']

function key(name: string, user: Omit<ApiKey['user'], 'username'>, permissions = all) {
  const grants = permissions.map((permission) => ({ permission }))
  return { key: `key-of-${name}-0123456789`, user: { username: name, ...user }, grants }
}

const cleo = { id: 3, username: 'cleo' }
const callers = {
  ann: key('ann', { id: 1 }),
  ben: key('ben', { id: 2 }),
  cleo: key('cleo', { id: 3 }),
  dora: key('dora', { id: 4 }, ['ADMIN']),
  eve: key('eve', { id: 5 }, change),
  ci: key('ci', { id: 9, kind: 'service' }, ['REPORT_CHECK']),
  robot: key('robot', { id: null }, ['ADMIN']),
  /** An agent, with a key for itself and one for each person. */
  agent: key('agent', { id: 8, kind: 'agent' }),
  agentOfCleo: key('agent-of-cleo', { id: 8, kind: 'agent', onBehalfOf: cleo }),
  agentOfBen: key('agent-of-ben', { id: 8, kind: 'agent', onBehalfOf: { id: 2, username: 'ben' } }),
  serviceOfCleo: key('service-of-cleo', { id: 7, kind: 'service', onBehalfOf: cleo }),
} satisfies Record<string, ApiKey>

type Who = keyof typeof callers

const own = [403, 'OperationDeniedError', 'own-change-request']

/** @see extensions 13 */
describe('PUT …/change-requests/:id/checks/:name', () => {
  let app: TestApp
  let storage: Storage
  let environments = 0

  beforeAll(async () => {
    storage = memoryStorage()
    const checks = [
      { name: 'ci', required: false },
      { name: 'load', required: false, from: { groups: ['load'], users: [9] } },
      { name: 'bot', required: false, byAuthor: true },
    ]
    const authenticate = apiKeys(Object.values(callers))
    app = await startApp({ storage, authenticate, checks, recordOnly: true })
  })
  afterAll(() => app.close())

  async function send(who: Who, method: string, path: string, body?: object) {
    const response = await fetch(`http://127.0.0.1:${app.port}/api/admin/projects/shop/${path}`, {
      method,
      headers: { Authorization: callers[who].key, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }

  async function granted(...sent: Parameters<typeof send>) {
    const { status, body } = await send(...sent)
    if (status >= 300) throw new Error(`${sent[0]} ${sent[2]} returned ${status} ${JSON.stringify(body)}`)
    return body
  }

  const move = (who: Who, id: number, state: string) => granted(who, 'PUT', `change-requests/${id}/state`, { state })

  async function propose(who: Who): Promise<number> {
    environments += 1
    const { id } = await granted(who, 'POST', `environments/e${environments}/change-requests`, enable())
    return id
  }

  async function inReview(who: Who): Promise<number> {
    const id = await propose(who)
    await move(who, id, 'In review')
    return id
  }

  /** A request of Ann that Ben has closed, and what another user made of it, in review. */
  async function madeOf(state: 'Rejected' | 'Applied', who: Who, how: 'copy' | 'revert'): Promise<number> {
    const original = await inReview('ann')
    if (state === 'Applied') await move('ben', original, 'Approved')
    await move('ben', original, state)
    await rewrite(storage, original, flagsWereOff)
    const { id } = await granted(who, 'POST', `change-requests/${original}/${how}`, how === 'revert' ? {} : undefined)
    await move(who, id, 'In review')
    return id
  }

  /** The error of a report for the current content, and its code; for a success only the status. */
  async function report(who: Who, id: number, name = 'ci') {
    const { digest } = await granted('dora', 'GET', `change-requests/${id}/review`)
    const sent = { status: 'passed', digest }
    const { status, body } = await send(who, 'PUT', `change-requests/${id}/checks/${name}`, sent)
    return status === 200 ? [200] : [status, body.name, ...body.details.map(({ code }: { code: string }) => code)]
  }

  it.each<[string, () => Promise<number>, readonly Who[], readonly Who[]]>([
    ['who proposed it', () => inReview('ann'), ['ann'], ['ben', 'dora', 'agent', 'agentOfCleo']],
    ['an ADMIN who proposed it', () => inReview('dora'), ['dora'], ['ann']],
    [
      'an agent that proposed it, the person for whom it did, and another machine of that person',
      () => inReview('agentOfCleo'),
      ['agentOfCleo', 'agent', 'agentOfBen', 'cleo', 'serviceOfCleo'],
      ['ann', 'ben', 'ci'],
    ],
    ['a machine of the person who proposed it', () => inReview('cleo'), ['agentOfCleo', 'serviceOfCleo'], ['agent']],
    [
      'the person for whom an agent edited it, whoever it was for before',
      async () => {
        const id = await inReview('agentOfCleo')
        const { features } = await granted('agent', 'GET', `change-requests/${id}`)
        const path = `change-requests/${id}/changes/${features[0].changes[0].id}`
        await granted('agentOfBen', 'PUT', path, enable('checkout', false))
        return id
      },
      ['agent', 'cleo', 'ben', 'agentOfBen', 'serviceOfCleo'],
      ['ann', 'ci'],
    ],
    ['who copied it, and not the original author', () => madeOf('Rejected', 'cleo', 'copy'), ['cleo'], ['ann', 'ben']],
    ['who reverted it, and not the original author', () => madeOf('Applied', 'cleo', 'revert'), ['cleo'], ['ann']],
    [
      'the person for whom an agent copied it',
      () => madeOf('Rejected', 'agentOfBen', 'copy'),
      ['agent', 'ben', 'agentOfBen'],
      ['ann', 'cleo'],
    ],
  ])('denies a report by %s', async (_, make, involved, others) => {
    const id = await make()
    const stored = await storage.find({ project: 'shop' }, id)
    for (const who of involved) expect([who, await report(who, id)]).toEqual([who, own])
    expect(await storage.find({ project: 'shop' }, id)).toEqual(stored)
    for (const who of others) expect([who, await report(who, id)]).toEqual([who, [200]])
    for (const who of involved) expect([who, await report(who, id, 'bot')]).toEqual([who, [200]])
  })

  it('denies a report without the permission, outside of `from`, and by a key without a user', async () => {
    const id = await inReview('ann')
    expect(await report('eve', id)).toEqual([403, 'PermissionError', 'missing-permission'])
    expect(await report('ben', id, 'load')).toEqual([403, 'PermissionError', 'missing-permission'])
    expect(await report('robot', id)).toEqual([403, 'OperationDeniedError', 'no-user-id'])
    expect((await granted('dora', 'GET', `change-requests/${id}/review`)).checks).toMatchObject([
      { name: 'ci', status: null },
      { name: 'load', status: null },
      { name: 'bot', status: null },
    ])
    expect(await report('ci', id, 'load')).toEqual([200])
  })
})
