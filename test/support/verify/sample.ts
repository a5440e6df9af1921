import supertest from 'supertest'
import { apiKeys, type FlagGateway, type Storage } from '../../../src/index'
import { changeRequestsPath, enable, noon, people, startApp } from '../app'

const ann = { key: people.ann.key, user: { id: 1, username: 'ann' }, grants: [{ permission: 'ADMIN' }] }
const ben = { key: people.ben.key, user: { id: 2, username: 'ben' }, grants: [{ permission: 'CREATE_CHANGE_REQUEST' }] }
const cleo = { key: 'key-of-cleo-0123456789', user: { id: 4, username: 'cleo' }, grants: [{ permission: 'ADMIN' }] }
const agent = {
  key: 'key-of-agent-0123456789',
  user: { id: 9, username: 'agent', kind: 'agent' as const },
  grants: [{ permission: 'CREATE_CHANGE_REQUEST' }],
}

export type SampleName =
  | 'draft'
  | 'in review'
  | 'approved twice'
  | 'own approval'
  | 'scheduled'
  | 'suspended'
  | 'applied'
  | 'settled'
  | 'record only'
  | 'run'
  | 'from a draft'
  | 'rejected'
  | 'cancelled'
  | 'edited'
  | 'of an agent'

export type Sample = { readonly [Name in SampleName]: number }

/** Stores a change request in each state and of each kind, through the router, and events that the host app recorded. */
export async function fillSample(storage: Storage): Promise<Sample> {
  let now = Date.parse(noon)
  const archived = new Set<string>()
  const strategies = [{ id: 'all', name: 'default', disabled: false }]
  const flags: FlagGateway = {
    current: async ({ features = [] }) => ({
      features: new Map(
        features.map((name) => [name, { archived: archived.has(name), enabled: false, strategies }] as const),
      ),
      segments: new Map(),
    }),
    apply: async (changes) =>
      changes.map(({ feature }) => ({ type: 'feature-environment-enabled', featureName: feature ?? '' })),
  }
  let isInterrupted = false
  const options: Parameters<typeof startApp>[0] = {
    storage: {
      ...storage,
      // The clock of the test is not that of the database.
      health: async () => ({ ...(await storage.health()), now: new Date(now).toISOString() }),
      async commit(write) {
        if (isInterrupted && write.changeRequest.state === 'Applied') throw new Error('The process was killed.')
        return storage.commit(write)
      },
    },
    authenticate: apiKeys([ann, ben, cleo, agent]),
    adminSelfApproval: true,
    emergency: true,
    schedule: 'elsewhere',
    clock: () => {
      now += 1_000
      return new Date(now)
    },
  }
  const app = await startApp({ ...options, flags })
  const withoutGateway = await startApp({ ...options, recordOnly: true })
  const send = async (
    method: 'put' | 'post' | 'delete',
    path: string,
    body: object | undefined,
    key: string,
    { server } = app,
  ) => {
    const { status, body: answer } = await supertest(server)[method](path).set({ Authorization: key }).send(body)
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`)
    return answer
  }
  const pathOf = (id: number) => `/api/admin/projects/shop/change-requests/${id}`
  const move = (id: number, key: string, state: string, more: object = {}) =>
    send('put', `${pathOf(id)}/state`, { state, ...more }, key)
  let count = 0
  const propose = async (key: string): Promise<number> => {
    count += 1
    const changes = [enable(`flag-${count}`), enable(`other-${count}`)]
    return (await send('post', changeRequestsPath('shop', `place-${count}`), changes, key)).id
  }
  const inReview = async (key: string) => {
    const id = await propose(key)
    await move(id, key, 'In review')
    return id
  }
  const approved = async (key: string, by: string) => {
    const id = await inReview(key)
    await move(id, by, 'Approved', { comment: 'Looks good.' })
    return id
  }
  const soon = () => new Date(now + 60_000).toISOString()
  const later = new Date(now + 3_600_000).toISOString()
  try {
    const draft = await propose(ben.key)
    const discarded = await propose(ben.key)
    await send('delete', pathOf(discarded), undefined, ben.key)
    const reviewed = await inReview(ben.key)
    const twice = await approved(ben.key, cleo.key)
    const own = await approved(ann.key, ann.key)
    const scheduled = await approved(ben.key, cleo.key)
    await move(scheduled, cleo.key, 'Scheduled', { scheduledAt: later })
    const suspended = await approved(ben.key, cleo.key)
    await move(suspended, cleo.key, 'Scheduled', { scheduledAt: soon() })
    archived.add(`flag-${count}`)
    const run = await approved(ben.key, ann.key)
    await move(run, ann.key, 'Scheduled', { scheduledAt: soon() })
    const applied = await approved(ben.key, cleo.key)
    await move(applied, cleo.key, 'Applied')
    const settled = await approved(ben.key, cleo.key)
    isInterrupted = true
    await move(settled, cleo.key, 'Applied').catch(() => undefined)
    isInterrupted = false
    const events = [{ type: 'feature-environment-enabled', featureName: `flag-${count}` }] as const
    await app.router.settle({ project: 'shop', id: settled, outcome: 'applied', events, force: true })
    const recordOnly = await approved(ben.key, cleo.key)
    await send('put', `${pathOf(recordOnly)}/state`, { state: 'Applied' }, cleo.key, withoutGateway)
    const fromDraft = await propose(ann.key)
    await move(fromDraft, ann.key, 'Applied', { emergency: { reason: 'The shop is down since noon.' } })
    const rejected = await inReview(ben.key)
    await move(rejected, cleo.key, 'Rejected')
    const cancelled = await inReview(ben.key)
    await move(cancelled, ben.key, 'Cancelled')
    const edited = await approved(ben.key, cleo.key)
    await send('post', changeRequestsPath('shop', `place-${count}`), enable('late'), ben.key)
    const ofAgent = await inReview(agent.key)
    await app.router.events.record([
      { type: 'feature-created', featureName: 'flag-1', project: 'shop', data: { name: 'flag-1' }, createdBy: 'host' },
      { type: 'segment-created', project: null, data: { id: 1 }, createdBy: 'host', createdByUserId: 7 },
    ])
    now += 120_000
    await app.router.runDue()
    return {
      draft,
      'in review': reviewed,
      'approved twice': twice,
      'own approval': own,
      scheduled,
      suspended,
      applied,
      settled,
      'record only': recordOnly,
      run,
      'from a draft': fromDraft,
      rejected,
      cancelled,
      edited,
      'of an agent': ofAgent,
    }
  } finally {
    await app.close()
    await withoutGateway.close()
  }
}
