import { type ApiKey, apiKeys, type Grant } from '../../src'
import { createRoutes } from '../../src/router/routes'
import { noon, startApp, type TestApp, ticketField } from '../support/app'
import { type OpenDatabase, sqlite } from '../support/databases'
import { forbidAlteringEvents } from '../support/databases/append-only'
import { contents } from '../support/databases/tables'
import { flagsWereOff, rewrite } from '../support/rewrite'

const grants = (permissions: string[], place: Omit<Grant, 'permission'> = {}) =>
  permissions.map((permission) => ({ permission, ...place }))
const review = ['APPROVE_CHANGE_REQUEST', 'APPLY_CHANGE_REQUEST', 'REPORT_CHECK']
const all = ['CREATE_CHANGE_REQUEST', ...review]

/**
 * The callers. Grants apply to all projects and environments, except those of Uma, which apply to one environment. Ann
 * and Ben have a second key each, which only permits reading.
 */
const people = {
  ann: key(1, 'ann', grants(all)),
  ben: key(2, 'ben', grants(review)),
  cas: key(3, 'cas', grants(all)),
  dora: key(4, 'dora', grants(['ADMIN'])),
  eve: key(5, 'eve', grants(['READ_CHANGE_REQUEST'])),
  finn: key(6, 'finn', []),
  uma: key(7, 'uma', grants(all, { environment: 'moon' })),
  robot: key(null, 'robot', grants(['ADMIN'])),
  annReading: key(1, 'ann-reading', grants(['READ_CHANGE_REQUEST'])),
  benReading: key(2, 'ben-reading', grants(['READ_CHANGE_REQUEST'])),
} satisfies Record<string, ApiKey>

type Who = keyof typeof people

function key(id: number | null, username: string, grants: readonly Grant[]): ApiKey & { key: string } {
  return { key: `key-of-${username}-0123456789`, user: { id, username }, grants }
}

/**
 * The response of an operation (contract 11.4) by caller and target. P stands for PermissionError, D for
 * OperationDeniedError; the path of tryChangeRequest names no project. `by` is a user who can do it, on a change request of
 * Ann in the state of the second column. What each step needs is tested with the steps (test/domain/steps).
 *
 *   other project   the id in another project where the caller has the same permissions
 *   unknown         the host knows no such project
 *   their draft     a draft of another user
 *   admin           the same for an admin
 *   deleted         a discarded draft
 *   no grant        by a user without any permission
 *   reads only      by a user who has only READ_CHANGE_REQUEST
 *   own key reads   by the user in `by`, with a key that only has READ_CHANGE_REQUEST
 *   elsewhere       by a user who has every permission in another environment of the project
 *   colleague       by another user with the permissions of the author
 *   no person       by a key with ADMIN and no user
 *   stale           bound to another revision by If-Match
 */
const table = `
operation             | on        | by  | own | other project | unknown | their draft | admin | deleted | no grant | reads only | own key reads | elsewhere | colleague | no person | stale
getChangeRequest      | In review | ann | 200 | 404           | 404     | 404         | 404   | 404     | 403 P    | 200        | 200           | 200       | 200       | 200       | 200
discardDraft          | Draft     | ann | 200 | 404           | 404     | 404         | 404   | 404     | 403 P    | 404        | 403 P         | 404       | 404       | 404       | 412
discardChange         | In review | ann | 200 | 404           | 404     | 404         | 404   | 404     | 403 P    | 403 P      | 403 P         | 403 P     | 403 D     | 403 D     | 412
editChange            | In review | ann | 200 | 404           | 404     | 404         | 404   | 404     | 403 P    | 403 P      | 403 P         | 403 P     | 403 D     | 403 D     | 412
changeState In review | Draft     | ann | 200 | 404           | 404     | 404         | 404   | 404     | 403 P    | 404        | 403 P         | 404       | 404       | 404       | 412
changeState Approved  | In review | ben | 200 | 404           | 404     | 404         | 404   | 404     | 403 P    | 403 P      | 403 P         | 403 P     | 200       | 403 D     | 412
changeState Rejected  | In review | ben | 200 | 404           | 404     | 404         | 404   | 404     | 403 P    | 403 P      | 403 P         | 403 P     | 200       | 403 D     | 412
changeState Cancelled | In review | ann | 200 | 404           | 404     | 404         | 404   | 404     | 403 P    | 403 P      | 403 P         | 403 P     | 403 D     | 403 D     | 412
changeState Applied   | Approved  | ben | 200 | 404           | 404     | 404         | 404   | 404     | 403 P    | 403 P      | 403 P         | 403 P     | 200       | 403 D     | 412
objectToChangeRequest | In review | ben | 204 | 404           | 404     | 404         | 404   | 404     | 403 P    | 403 P      | 403 P         | 403 P     | 204       | 403 D     | 412
liftObjection         | Objected  | ben | 204 | 404           | 404     | 404         | 404   | 404     | 403 P    | 409        | 204           | 409       | 409       | 403 D     | 412
dismissObjection      | Objected  | dora | 204 | 404          | 404     | 404         | 404   | 404     | 403 P    | 403 P      | 403 P         | 403 P     | 403 P     | 403 D     | 412
takeBackApproval      | Approved  | ben | 204 | 404           | 404     | 404         | 404   | 404     | 403 P    | 409        | 204           | 409       | 409       | 403 D     | 412
presetSchedule         | In review | ben | 200 | 404           | 404     | 404         | 404   | 404     | 403 P    | 403 P      | 403 P         | 403 P     | 200       | 403 D     | 412
withdrawPresetSchedule      | In review | ben | 204 | 404           | 404     | 404         | 404   | 404     | 403 P    | 403 P      | 403 P         | 403 P     | 204       | 403 D     | 412
reportCheck           | In review | ben | 200 | 404           | 404     | 404         | 404   | 404     | 403 P    | 403 P      | 403 P         | 403 P     | 200       | 403 D     | 412
renameChangeRequest   | In review | ann | 204 | 404           | 404     | 404         | 404   | 404     | 403 P    | 403 P      | 403 P         | 403 P     | 403 D     | 403 D     | 412
setCustomFields       | In review | ann | 200 | 404           | 404     | 404         | 404   | 404     | 403 P    | 403 P      | 403 P         | 403 P     | 403 D     | 403 D     | 412
addComment            | In review | ann | 204 | 404           | 404     | 404         | 404   | 404     | 403 P    | 204        | 204           | 204       | 204       | 403 D     | 412
editComment           | In review | ann | 204 | 404           | 404     | 404         | 404   | 404     | 403 P    | 403 D      | 204           | 403 D     | 403 D     | 403 D     | 412
deleteComment         | In review | ann | 204 | 404           | 404     | 404         | 404   | 404     | 403 P    | 403 D      | 204           | 403 D     | 403 D     | 403 D     | 412
resolveComment        | In review | ben | 204 | 404           | 404     | 404         | 404   | 404     | 403 P    | 403 P      | 403 P         | 403 P     | 204       | 403 D     | 412
requestApprovers      | In review | ann | 204 | 404           | 404     | 404         | 404   | 404     | 403 P    | 403 P      | 403 P         | 403 P     | 403 D     | 403 D     | 412
getRequestedApprovers | In review | ann | 200 | 404           | 404     | 404         | 404   | 404     | 403 P    | 200        | 200           | 200       | 200       | 200       | 200
getReview             | In review | ann | 200 | 404           | 404     | 404         | 404   | 404     | 403 P    | 200        | 200           | 200       | 200       | 200       | 200
getTimeline           | In review | ann | 200 | 404           | 404     | 404         | 404   | 404     | 403 P    | 200        | 200           | 200       | 200       | 200       | 200
tryChangeRequest      | In review | ann | 200 | 200           | 200     | 404         | 404   | 404     | 404      | 200        | 200           | 200       | 200       | 200       | 200
settleApply           | Being applied | ben | 409 | 404       | 404     | 404         | 404   | 404     | 403 P    | 403 P      | 403 P         | 403 P     | 409       | 403 D     | 412
acknowledgeEmergency  | Emergency | ben | 200 | 404           | 404     | 404         | 404   | 404     | 403 P    | 403 P      | 403 P         | 403 P     | 200       | 403 D     | 412
rebaseChangeRequest   | In review | ann | 200 | 404           | 404     | 404         | 404   | 404     | 403 P    | 403 P      | 403 P         | 403 P     | 403 D     | 403 D     | 412
previewRevert         | Reversible | ann | 200 | 404          | 404     | 404         | 404   | 404     | 403 P    | 200        | 200           | 200       | 200       | 200       | 200
revertChangeRequest   | Reversible | ann | 200 | 404          | 404     | 404         | 404   | 404     | 403 P    | 403 P      | 403 P         | 403 P     | 200       | 403 D     | 412
copyChangeRequest     | Rejected  | ann | 200 | 404           | 404     | 404         | 404   | 404     | 403 P    | 403 P      | 403 P         | 403 P     | 200       | 403 D     | 412
`
const rows = table
  .trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
const [head = [], ...lines] = rows
const byWhom = lines.map((cells) => Object.fromEntries(head.map((name, index) => [name, cells[index] ?? ''])))

const bodies: { readonly [operationId: string]: object } = {
  editChange: { action: 'updateEnabled', feature: 'checkout', payload: { enabled: false } },
  renameChangeRequest: { title: 'Another title' },
  setCustomFields: { ticket: 'ABC-1' },
  addComment: { text: 'A comment' },
  editComment: { text: 'Another comment' },
  resolveComment: { resolved: true },
  requestApprovers: { reviewers: [] },
  tryChangeRequest: { context: { appName: 'web' } },
  presetSchedule: { scheduledAt: 'approval' },
  reportCheck: { status: 'passed' },
  acknowledgeEmergency: {},
  objectToChangeRequest: { text: 'Not yet.' },
  dismissObjection: { reason: 'It was solved.' },
  rebaseChangeRequest: {},
  revertChangeRequest: {},
}

/** The steps to each state, by the author or a reviewer. */
const stepsTo: { readonly [state: string]: readonly (readonly ['author' | 'reviewer' | 'dora', object])[] } = {
  'In review': [['author', { state: 'In review' }]],
  Approved: [
    ['author', { state: 'In review' }],
    ['reviewer', { state: 'Approved' }],
  ],
  Reversible: [
    ['author', { state: 'In review' }],
    ['reviewer', { state: 'Approved' }],
    ['author', { state: 'Applied' }],
  ],
  'Being applied': [
    ['author', { state: 'In review' }],
    ['reviewer', { state: 'Approved' }],
  ],
  Objected: [['author', { state: 'In review' }]],
  Rejected: [
    ['author', { state: 'In review' }],
    ['reviewer', { state: 'Rejected' }],
  ],
  Emergency: [
    ['author', { state: 'In review' }],
    ['dora', { state: 'Applied', emergency: { reason: 'It cannot wait.' } }],
  ],
}

const routes = createRoutes()
const idParameter = /:(?:id|changeRequestId)\b/

function routeOf(operation: string) {
  const [operationId = '', ...state] = operation.split(' ')
  const route = routes.find((one) => one.operationId === operationId)
  if (route === undefined) throw new Error(`There is no operation ${operationId}.`)
  return { ...route, body: operationId === 'changeState' ? { state: state.join(' ') } : bodies[operationId] }
}

/** A change request and the first of its two changes, in a separate environment. Its author has commented on it last. */
interface Target {
  readonly id: number
  readonly changeId: number
}

describe('each operation, by caller and target', () => {
  let database: OpenDatabase
  let app: TestApp
  let environments = 0

  beforeAll(async () => {
    database = await sqlite.open()
    await forbidAlteringEvents(database)
    app = await startApp({
      storage: database.storage,
      authenticate: apiKeys(Object.values(people)),
      directory: { hasProject: (project) => ['shop', 'blog'].includes(project) },
      playground: () => ({ input: {}, features: [] }),
      recordOnly: true,
      schedule: 'elsewhere',
      emergency: true,
      customFields: ticketField,
      checks: [{ name: 'ci', required: false }],
      objections: true,
    })
  })

  afterAll(async () => {
    await app.close()
    await database.close()
  })

  async function send(who: Who, method: string, path: string, body?: object, more: object = {}) {
    const content = body === undefined ? {} : { 'Content-Type': 'application/json' }
    const response = await fetch(`http://127.0.0.1:${app.port}/api/admin${path}`, {
      method,
      headers: { Authorization: people[who].key, ...content, ...more },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }

  async function granted(...sent: Parameters<typeof send>) {
    const { status, body } = await send(...sent)
    if (status >= 300) throw new Error(`${sent.join(' ')} returned ${status} ${JSON.stringify(body)}`)
    return body
  }

  /** A fresh change request of the author in the state. */
  async function make(author: Who, state: string): Promise<Target> {
    environments += 1
    const change = { action: 'updateEnabled', feature: 'checkout', payload: { enabled: true } }
    const proposals = `/projects/shop/environments/e${environments}/change-requests`
    const { id, features } = await granted(author, 'POST', proposals, [change, change])
    const own = `/projects/shop/change-requests/${id}`
    const reviewer = author === 'ben' ? 'cas' : 'ben'
    for (const [who, step] of stepsTo[state] ?? []) {
      await granted(who === 'author' ? author : who === 'reviewer' ? reviewer : who, 'PUT', `${own}/state`, step)
    }
    await granted(author, 'POST', `${own}/comments`, { text: 'Look' })
    if (state === 'Objected') await granted(reviewer, 'PUT', `${own}/objection`, { text: 'Not yet.' })
    if (state === 'Being applied') await beginApply(id)
    if (state === 'Reversible') await rewrite(database.storage, id, flagsWereOff)
    return { id, changeId: features[0].changes[0].id }
  }

  /** The state during an apply of a gateway without a shared transaction. */
  const beginApply = (id: number) =>
    rewrite(database.storage, id, ({ createdBy: person }) => ({
      applying: {
        applyId: 'an-apply',
        startedAt: noon,
        digest: 'sha256:0',
        by: { person, signature: 'ben', ip: null },
      },
    }))

  /** Of no change request if it is a draft. */
  async function digestOf({ id }: Target): Promise<string> {
    const { body } = await send('dora', 'GET', `/projects/shop/change-requests/${id}/review`)
    return body.digest ?? 'unknown'
  }

  /** The status of a request, with the letter that distinguishes one 403 from another. */
  async function ask(operation: string, who: Who, target: Target, more: Readonly<Record<string, unknown>> = {}) {
    const { method, path, body } = routeOf(operation)
    const {
      project = 'shop',
      id = target.id,
      changeId = target.changeId,
      commentId = 1,
      objectionId = 1,
      headers = {},
    } = more
    const filled = path
      .replace(':projectId', String(project))
      .replace(idParameter, String(id))
      .replace(':changeId', String(changeId))
      .replace(':commentId', String(commentId))
      .replace(':objectionId', String(objectionId))
      .replace(':name', 'ci')
    const sent = operation === 'reportCheck' ? { ...body, digest: await digestOf(target) } : body
    const answer = await send(who, method.toUpperCase(), filled, sent, headers as object)
    const letter = { PermissionError: ' P', OperationDeniedError: ' D' }[answer.body?.name as string]
    return `${answer.status}${letter ?? ''}`
  }

  /** Runs requests; rejected ones must not change anything. */
  async function unchanged(run: () => Promise<void>): Promise<void> {
    const rows = async () => JSON.stringify(await contents(database.knex))
    const before = await rows()
    await run()
    expect(await rows()).toBe(before)
  }

  it('has every operation with an id in its path', () => {
    const ids = routes.filter(({ path }) => idParameter.test(path)).map(({ operationId }) => operationId)
    const covered = byWhom.map(({ operation = '' }) => operation.split(' ')[0])
    expect([...new Set(covered)].sort()).toEqual(ids.sort())
  })

  it.each(byWhom.map((row) => ({ name: row.operation, row })))('$name', async ({ row }) => {
    const { operation = '', on = '', by = '', ...expected } = row
    const may = by as Who
    const target = await make('ann', on)
    const theirs = await make(may === 'ann' ? 'cas' : 'ann', 'Draft')
    const deleted = await make('ann', 'Draft')
    await granted('ann', 'DELETE', `/projects/shop/change-requests/${deleted.id}`)
    const situations: Record<string, (target: Target) => Promise<string>> = {
      'other project': (own) => ask(operation, may, own, { project: 'blog' }),
      unknown: (own) => ask(operation, may, own, { project: 'nowhere' }),
      'their draft': () => ask(operation, may, theirs),
      admin: () => ask(operation, 'dora', theirs),
      deleted: () => ask(operation, may, deleted),
      'no grant': (own) => ask(operation, 'finn', own),
      'reads only': (own) => ask(operation, 'eve', own),
      'own key reads': (own) => ask(operation, may === 'ben' ? 'benReading' : 'annReading', own),
      elsewhere: (own) => ask(operation, 'uma', own),
      colleague: (own) => ask(operation, 'cas', own),
      'no person': (own) => ask(operation, 'robot', own),
      stale: (own) => ask(operation, may, own, { headers: { 'If-Match': '"1-0"' } }),
      own: (own) => ask(operation, may, own),
    }
    const reads = routeOf(operation).method === 'get'
    const harmless = Object.keys(situations).filter((one) => reads || !expected[one]?.startsWith('2'))
    const seen: Record<string, string> = {}
    await unchanged(async () => {
      for (const one of harmless) seen[one] = (await situations[one]?.(target)) ?? ''
    })
    for (const one of Object.keys(situations)) seen[one] ??= (await situations[one]?.(await make('ann', on))) ?? ''
    expect(seen).toEqual(expected)
  })

  it('is 404 for an invalid id, although a lenient parser accepts it', async () => {
    const target = await make('ann', 'In review')
    await unchanged(async () => {
      for (const { operation = '', by = '' } of byWhom) {
        const { path } = routeOf(operation)
        const ids = { id: target.id, changeId: target.changeId, commentId: 1, objectionId: 1 }
        for (const [name, id] of Object.entries(ids)) {
          if (!(name === 'id' ? idParameter : new RegExp(`:${name}\\b`)).test(path)) continue
          for (const one of [
            '0',
            `0${id}`,
            `${id}.0`,
            `%20${id}`,
            '9007199254740992',
            name === 'id' ? '-1' : `${id + 1e6}`,
          ]) {
            expect([operation, name, one, await ask(operation, by as Who, target, { [name]: one })]).toEqual([
              operation,
              name,
              one,
              '404',
            ])
          }
        }
      }
    })
  })
})
