import { memoryStorage, type Storage } from '../../../src'
import { inProcess, type Send } from '../../storage/model/support/callers'
import { eventTypes, openRouter } from '../../storage/model/support/hosts'
import {
  approved,
  changeIds,
  enable,
  ok,
  reviewed,
  shop,
  stopBeforeCommit,
  to,
} from '../../storage/model/support/walks'
import { Gate, HostFlags } from '../support/flags'

const own = `${shop}/change-requests/1`
const archive = { action: 'archiveFeature', feature: 'checkout' }

/** @see contract 6.3: a vote, and an application, is for what was there when its request arrived. */
describe('what is decided on', () => {
  let storage: Storage
  let flags: HostFlags
  let send: Send

  beforeEach(() => {
    storage = memoryStorage()
    flags = new HostFlags()
    send = inProcess(openRouter(storage, { flags }))
  })

  const stored = async () => (await storage.find({ project: 'shop' }, 1))?.changeRequest
  const edit = (id: number) => send('ann', 'PUT', `${own}/changes/${id}`, { body: archive })

  /** The next answer of the gateway waits behind the gate; those after it do not. */
  function holdGateway(): Gate {
    const gate = new Gate()
    flags.instead = async (subjects) => {
      flags.instead = null
      await gate.pass()
      return flags.current(subjects)
    }
    return gate
  }

  it.each([
    ['an approval', 'ben', 'Approved'],
    ['a rejection', 'ben', 'Rejected'],
  ] as const)('%s is refused when the author has replaced the change meanwhile', async (_, who, state) => {
    const [change = 0] = changeIds(await reviewed(send))
    const gate = holdGateway()
    const voting = to(send, who, state)
    await gate.arrived
    await ok(edit(change))
    gate.letGo()
    expect([(await voting).status, (await voting).name]).toEqual([412, 'PreconditionFailedError'])
    expect([(await stored())?.state, (await stored())?.approvals]).toEqual(['In review', []])
    expect((await eventTypes(storage)).at(-1)).toBe('change-edited')
  })

  it('an application is refused when the author has replaced the change meanwhile, approved again or not', async () => {
    const [change = 0] = changeIds(await approved(send))
    const gate = holdGateway()
    const applying = to(send, 'ben', 'Applied')
    await gate.arrived
    await ok(edit(change))
    await ok(to(send, 'ben', 'Approved'))
    gate.letGo()
    expect((await applying).name).toBe('PreconditionFailedError')
    expect([(await stored())?.state, flags.applied]).toEqual(['Approved', []])
  })

  it.each([
    ['an approval', 'Approved', reviewed],
    ['an application', 'Applied', approved],
  ] as const)(
    '%s that another process overtook between its decision and its commit is refused',
    async (_, state, way) => {
      const [change = 0] = changeIds(await way(send))
      const gate = stopBeforeCommit(storage)
      const deciding = to(inProcess(openRouter(gate.storage, { flags })), 'ben', state)
      await gate.arrived
      await ok(edit(change))
      gate.letGo()
      expect((await deciding).name).toBe('PreconditionFailedError')
    },
  )

  it('cancelling is decided on what is there by then, and keeps what the flags were for that', async () => {
    const [change = 0] = changeIds(await reviewed(send))
    const gate = holdGateway()
    const cancelling = to(send, 'dora', 'Cancelled')
    await gate.arrived
    await ok(send('ann', 'PUT', `${own}/changes/${change}`, { body: enable('search') }))
    gate.letGo()
    expect((await cancelling).status).toBe(200)
    const { changes, state } = (await stored()) ?? {}
    expect([state, changes?.map(({ payload, snapshot }) => [payload, snapshot])]).toEqual([
      'Cancelled',
      [[{ enabled: true }, { enabled: false }]],
    ])
  })

  it('no hook is awaited while others wait for their turn: a comment passes a vote that waits for the gateway', async () => {
    await reviewed(send)
    const gate = holdGateway()
    const voting = to(send, 'ben', 'Approved')
    await gate.arrived
    await ok(send('ben', 'POST', `${own}/comments`, { body: { text: 'Looking.' } }))
    gate.letGo()
    expect((await voting).body).toMatchObject({ state: 'Approved', comments: [{ text: 'Looking.' }] })
  })

  describe('by a digest in the body', () => {
    const digestOf = async () => (await approvalEvents()).at(-1)?.data.digest
    const approvalEvents = async () => {
      const { json } = await storage.eventPage({ types: ['change-request-approval-added'] }, { after: 0 }, 10)
      return JSON.parse(`[${Buffer.from(json)}]`) as { data: { digest: string } }[]
    }
    const put = (who: 'ben' | 'dora', body: object) => send(who, 'PUT', `${own}/state`, { body })

    it.each(['Approved', 'Rejected', 'Applied'])('%s is refused for another one than the present', async (state) => {
      await (state === 'Applied' ? approved(send) : reviewed(send))
      const answer = await put('dora', { state, digest: 'sha256:other' })
      expect([answer.status, answer.name]).toEqual([412, 'PreconditionFailedError'])
    })

    it('the present one passes, for votes and for the application', async () => {
      await ok(
        send('dora', 'PUT', `${shop}/environments/production/change-requests/config`, {
          body: { changeRequestsEnabled: true, requiredApprovals: 2 },
        }),
      )
      await approved(send)
      const digest = await digestOf()
      await ok(put('dora', { state: 'Approved', digest }))
      expect((await ok(put('ben', { state: 'Applied', digest }))).body.state).toBe('Applied')
    })

    it('one that is no text is 400', async () => {
      await reviewed(send)
      expect((await put('ben', { state: 'Approved', digest: 7 })).status).toBe(400)
    })
  })

  describe('with the option requireRevision', () => {
    beforeEach(() => {
      send = inProcess(openRouter(storage, { flags, requireRevision: true }))
    })

    const put = (state: string, headers: Record<string, string> = {}, body: object = {}) =>
      send('ben', 'PUT', `${own}/state`, { body: { state, ...body }, headers })

    it.each([
      ['Approved', {}],
      ['Rejected', {}],
      ['Applied', {}],
      ['Approved', { 'if-match': '*' }],
    ])('%s with %p names nothing: 428', async (state, headers) => {
      await reviewed(send)
      const answer = await put(state, headers)
      expect([answer.status, answer.name]).toEqual([428, 'PreconditionRequiredError'])
    })

    it('an entity tag names a revision', async () => {
      const { headers } = await reviewed(send)
      expect((await put('Approved', { 'if-match': 'W/"1-1"' })).status).toBe(412)
      expect((await put('Approved', { 'if-match': String(headers.etag) })).status).toBe(200)
    })

    it('all else needs none, and who may not is told so first', async () => {
      await reviewed(send)
      expect((await send('ann', 'PUT', `${own}/state`, { body: { state: 'Approved' } })).status).toBe(403)
      expect((await send('ann', 'PUT', `${own}/state`, { body: { state: 'Cancelled' } })).status).toBe(200)
    })
  })
})
