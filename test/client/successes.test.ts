import openapi from '../../openapi.json'
import { type Client, createClient } from '../../src/client'

type Operation = {
  requestBody?: { content: { 'application/json': { schema: Schema } } }
  responses: Record<
    string,
    { headers?: Record<string, unknown>; content?: { 'application/json'?: { schema: Schema } } }
  >
}
type Schema = { $ref?: string; type?: string; required?: string[]; allOf?: Schema[]; oneOf?: Schema[] }

const schemas = openapi.components.schemas as unknown as Record<string, Schema>

const place = { project: 'shop', id: 42 }
const production = { project: 'shop', environment: 'production' }
const change = { action: 'updateEnabled', feature: 'checkout', payload: { enabled: true } } as const

const calls: Partial<Record<keyof Client, (client: Client) => Promise<unknown>>> = {
  me: (client) => client.me(),
  reviews: (client) => client.reviews(),
  review: (client) => client.review(place),
  timeline: (client) => client.timeline(place),
  rules: (client) => client.rules('shop', 'production'),
  freezes: (client) => client.freezes('shop', 'production'),
  revertPreview: (client) => client.revertPreview(place),
  setState: (client) => client.setState(place, { state: 'Approved' }),
  presetSchedule: (client) => client.presetSchedule(place, { scheduledAt: 'approval' }),
  withdrawPresetSchedule: (client) => client.withdrawPresetSchedule(place),
  setTitle: (client) => client.setTitle(place, 'New'),
  setCustomFields: (client) => client.setCustomFields(place, { ticket: 'ABC-1' }),
  comment: (client) => client.comment(place, { text: 'Fine.' }),
  editComment: (client) => client.editComment(place, 1, 'Fine.'),
  deleteComment: (client) => client.deleteComment(place, 1),
  resolveComment: (client) => client.resolveComment(place, 1, true),
  discardChange: (client) => client.discardChange(place, 1),
  discard: (client) => client.discard(place),
  settle: (client) => client.settle(place),
  acknowledge: (client) => client.acknowledge(place),
  object: (client) => client.object(place, { text: 'Too early.' }),
  liftObjection: (client) => client.liftObjection(place),
  dismissObjection: (client) => client.dismissObjection(place, 1, 'It was tested.'),
  takeBackApproval: (client) => client.takeBackApproval(place),
  reportCheck: (client) => client.reportCheck(place, 'ci', { status: 'passed', digest: 'sha256:0' }),
  rebase: (client) => client.rebase(place),
  revert: (client) => client.revert(place),
  copy: (client) => client.copy(place),
  setApprovers: (client) => client.setApprovers(place, [7]),
  availableReviewers: (client) => client.availableReviewers('shop', 'production'),
  settings: (client) => client.settings('shop'),
  updateSettings: (client) => client.updateSettings('shop', 'production', { changeRequestsEnabled: true }),
  searchEvents: (client) => client.searchEvents(),
  activity: (client) => client.activity({ from: '2026-03-01', to: '2026-03-31' }),
  eventCreators: (client) => client.eventCreators(),
  consumers: (client) => client.consumers(),
  retryConsumer: (client) => client.retryConsumer('warehouse'),
  propose: (client) => client.propose(production, change),
  editChange: (client) => client.editChange(place, 1, change),
  searchFlags: (client) => client.searchFlags('shop', 'production', 'check'),
  searchSegments: (client) => client.searchSegments('shop', 'production', 'beta'),
  contextFields: (client) => client.contextFields('shop'),
  places: (client) => client.places(),
  preview: (client) => client.preview(production, [change]),
  flag: (client) => client.flag('shop', 'production', 'checkout'),
  segment: (client) => client.segment('shop', 'production', 4),
  actions: (client) => client.actions('shop', 'production'),
  changeRequest: (client) => client.changeRequest(place),
  approvers: (client) => client.approvers(place),
  counts: (client) => client.counts('shop'),
  actionable: (client) => client.actionable('shop'),
  searchChangeRequests: (client) => client.searchChangeRequests(),
}

/** Empty responses about a change request have its entity tag, too (contract 2.4). */
const tagged = new Set<string>([
  'withdrawPresetSchedule',
  'setTitle',
  'comment',
  'editComment',
  'deleteComment',
  'resolveComment',
  'discardChange',
  'setApprovers',
  'object',
  'liftObjection',
  'dismissObjection',
  'takeBackApproval',
])

interface Sent {
  readonly status: number
  readonly body: string | null
  readonly tag: boolean
  readonly type?: string
  /** The properties that the body of the request must have. */
  readonly required?: readonly string[]
}

/** What a call makes of a response; and what the router declares for its request. */
async function outcomeOf(name: keyof Client, answer: (declared: Sent) => Sent) {
  let method = 'GET'
  const missing: string[] = []
  const client = createClient({
    api: '/api/admin',
    fetch: async (url, init) => {
      method = init.method ?? 'GET'
      const declared = declaredFor(name, method, url)
      const sent = init.body === undefined ? {} : JSON.parse(String(init.body))
      missing.push(...(declared.required ?? []).filter((property) => !(property in sent)))
      const { status, body, tag, type = 'application/json' } = answer(declared)
      return new Response(body, { status, headers: { 'Content-Type': type, ...(tag && { ETag: '"42-7"' }) } })
    },
  })
  const result = await calls[name]?.(client).then(
    () => 'success',
    (error) => error,
  )
  return { result, missing, isRead: method === 'GET' }
}

function declaredFor(name: string, method: string, url: string): Sent {
  const { pathname } = new URL(url, 'http://localhost')
  const matches = Object.entries(openapi.paths).filter(([path]) =>
    new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`).test(pathname),
  )
  // A literal segment takes precedence over a parameter.
  const [found] = matches.sort(([a], [b]) => a.split('{').length - b.split('{').length)
  const operation = (found?.[1] as unknown as Record<string, Operation> | undefined)?.[method.toLowerCase()]
  const [status = '', response] = Object.entries(operation?.responses ?? {}).find(([code]) => /^2/.test(code)) ?? []
  const schema = response?.content?.['application/json']?.schema
  const tag = response?.headers?.ETag !== undefined || tagged.has(name)
  const required = requiredBy(operation?.requestBody?.content['application/json'].schema ?? {})
  const body = schema === undefined ? null : JSON.stringify(minBodyOf(schema))
  return { status: Number(status), body, tag, required }
}

/** The smallest body that a schema accepts, as far as the client looks. */
function minBodyOf(schema: Schema): object {
  const resolved = resolve(schema)
  return resolved.type === 'array' ? [] : Object.fromEntries(requiredBy(resolved).map((property) => [property, null]))
}

function requiredBy(schema: Schema): string[] {
  const { required = [], allOf = [], oneOf = [] } = resolve(schema)
  return [...required, ...[...allOf, ...oneOf.slice(0, 1)].flatMap(requiredBy)]
}

function resolve(schema: Schema): Schema {
  const { $ref, ...rest } = schema
  return $ref === undefined ? rest : { ...schemas[$ref.split('/').at(-1) ?? ''], ...rest }
}

const names = Object.keys(calls) as (keyof Client)[]

it('each call of the client is one of those below, or a stream of the log', () => {
  const others: (keyof Client)[] = ['exportChangeRequests', 'exportEvents', 'follow']
  expect([...names, ...others].sort()).toEqual(Object.keys(createClient({ api: '' })).sort())
})

describe.each(names)('client.%s()', (name) => {
  it('sends the body of the route, and accepts the success that the route declares and no other', async () => {
    expect(await outcomeOf(name, (declared) => declared)).toMatchObject({ result: 'success', missing: [] })
    const others: ((declared: Sent) => Sent | undefined)[] = [
      (declared) => ({ ...declared, status: declared.status === 200 ? 201 : 200, body: declared.body ?? '' }),
      ({ status, ...rest }) => ({ ...rest, status: status === 200 ? 204 : 200, body: null }),
      (declared) => (declared.tag ? { ...declared, tag: false } : undefined),
      (declared) => (declared.status === 204 ? undefined : { ...declared, body: declared.body === null ? '{}' : '' }),
      ({ body, ...rest }) => (body === null ? undefined : { ...rest, body: body.startsWith('[') ? '{}' : '[]' }),
      ({ body, ...rest }) => (body === null ? undefined : { ...rest, body: body.slice(0, -1) }),
      ({ body, ...rest }) => (body === null ? undefined : { ...rest, body: '{"status":"ok"}' }),
    ]
    for (const other of others) {
      let isOther = true
      const { result, isRead } = await outcomeOf(name, (declared) => {
        const changed = other(declared)
        isOther = changed !== undefined
        return changed ?? declared
      })
      if (!isOther) continue
      expect([String(other), result]).toMatchObject([
        String(other),
        { name: isRead ? 'HttpError' : 'UnknownResult', isTemporary: false },
      ])
    }
  })
})
