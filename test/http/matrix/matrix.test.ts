import { createRoutes } from '../../../src/router/routes'
import { sqlite } from '../../support/databases'
import { MatrixFixture, type Target, type Who } from './matrix-fixture'

const routes = createRoutes()

/** Reads a table with columns between bars: one object per line, by the names in the first line. */
function rowsOf(table: string): Record<string, string>[] {
  const [head = [], ...lines] = table
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
  return lines.map((cells) => Object.fromEntries(head.map((name, index) => [name, cells[index] ?? ''])))
}

/**
 * The response of an operation (contract 11.4) by caller and target. P stands for PermissionError, D for
 * OperationDeniedError; the path of tryChangeRequest names no project. `by` is a user who can do it, on a change request of Ann in the state of the second column.
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
const byWhom = rowsOf(`
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
presetSchedule         | In review | ben | 200 | 404           | 404     | 404         | 404   | 404     | 403 P    | 403 P      | 403 P         | 403 P     | 200       | 403 D     | 412
withdrawPresetSchedule      | In review | ben | 204 | 404           | 404     | 404         | 404   | 404     | 403 P    | 403 P      | 403 P         | 403 P     | 204       | 403 D     | 412
renameChangeRequest   | In review | ann | 204 | 404           | 404     | 404         | 404   | 404     | 403 P    | 403 P      | 403 P         | 403 P     | 403 D     | 403 D     | 412
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
`)

/**
 * The response to the user who can do it in each state (contract 6.2), and during an apply. Ben cannot see drafts of Ann.
 */
const byState = rowsOf(`
operation               | by  | Draft | In review | Approved | Applied | Rejected | Cancelled | Being applied
getChangeRequest        | ann | 200   | 200       | 200      | 200     | 200      | 200 | 200
discardDraft            | ann | 200   | 409       | 409      | 409     | 409      | 409 | 409
discardChange           | ann | 200   | 200       | 200      | 409     | 409      | 409 | 409
editChange              | ann | 200   | 200       | 200      | 409     | 409      | 409 | 409
changeState Draft       | ann | 409   | 409       | 409      | 409     | 409      | 409 | 409
changeState In review   | ann | 200   | 409       | 409      | 409     | 409      | 409 | 409
changeState Approved    | ben | 404   | 200       | 409      | 409     | 409      | 409 | 409
changeState Approved    | ann | 403 D | 403 D     | 403 D    | 403 D   | 403 D    | 403 D | 403 D
changeState Rejected    | cas | 404   | 200       | 409      | 409     | 409      | 409 | 409
changeState Rejected    | ann | 403 D | 403 D     | 403 D    | 403 D   | 403 D    | 403 D | 403 D
changeState Applied     | ann | 409   | 409       | 200      | 409     | 409      | 409 | 409
changeState Scheduled   | ann | 409   | 409       | 200      | 409     | 409      | 409 | 409
presetSchedule           | ann | 409   | 200       | 200      | 409     | 409      | 409 | 409
withdrawPresetSchedule        | ann | 409   | 204       | 204      | 409     | 409      | 409 | 409
changeState Cancelled   | ann | 200   | 200       | 200      | 409     | 409      | 409 | 409
changeState Cancelled   | dora| 404   | 200       | 200      | 409     | 409      | 409 | 409
renameChangeRequest     | ann | 204   | 204       | 204      | 409     | 409      | 409 | 409
addComment              | ann | 204   | 204       | 204      | 204     | 204      | 204 | 409
editComment             | ann | 204   | 204       | 204      | 409     | 409      | 409 | 409
deleteComment           | ann | 204   | 204       | 204      | 409     | 409      | 409 | 409
resolveComment          | ann | 204   | 204       | 204      | 409     | 409      | 409 | 409
requestApprovers        | ann | 204   | 204       | 409      | 409     | 409      | 409 | 409
getRequestedApprovers   | ann | 200   | 200       | 200      | 200     | 200      | 200 | 200
getReview               | ann | 200   | 200       | 200      | 200     | 200      | 200 | 200
getTimeline             | ann | 200   | 200       | 200      | 200     | 200      | 200 | 200
tryChangeRequest        | ann | 409   | 200       | 200      | 409     | 409      | 409 | 200
settleApply             | ben | 404   | 409       | 409      | 409     | 409      | 409 | 409
acknowledgeEmergency    | ben | 404   | 409       | 409      | 409     | 409      | 409 | 409
rebaseChangeRequest     | ann | 200   | 200       | 200      | 409     | 409      | 409 | 409
previewRevert           | ann | 409   | 409       | 409      | 200     | 409      | 409 | 409
revertChangeRequest     | ann | 409   | 409       | 409      | 409     | 409      | 409 | 409
copyChangeRequest       | ann | 409   | 409       | 409      | 200     | 200      | 200 | 409
`)

/** None of these are valid ids (contract 2.1), although a lenient parser accepts most of them. */
const malformed = (id: number): string[] => {
  const fullWidth = String(id).replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)))
  const near = [
    `0${id}`,
    `+${id}`,
    `-${id}`,
    `${id}.0`,
    `${id}.5`,
    `${id}e0`,
    `0x${id.toString(16)}`,
    ` ${id}`,
    fullWidth,
  ]
  return ['0', ...near, '1e3', '9007199254740992', '1'.repeat(20)].map(encodeURIComponent)
}

const bodies: { readonly [operationId: string]: object } = {
  editChange: { action: 'updateEnabled', feature: 'checkout', payload: { enabled: false } },
  renameChangeRequest: { title: 'Another title' },
  addComment: { text: 'A comment' },
  editComment: { text: 'Another comment' },
  resolveComment: { resolved: true },
  requestApprovers: { reviewers: [] },
  tryChangeRequest: { context: { appName: 'web' } },
  presetSchedule: { scheduledAt: 'approval' },
  acknowledgeEmergency: {},
  rebaseChangeRequest: {},
  revertChangeRequest: {},
}

function bodyOf(operationId: string, state: string): object | undefined {
  if (operationId !== 'changeState') return bodies[operationId]
  return state === 'Scheduled' ? { state, scheduledAt: '2999-01-01T00:00:00Z' } : { state }
}

const idParameter = /:(?:id|changeRequestId)\b/

function routeOf(operation: string) {
  const [operationId = '', ...state] = operation.split(' ')
  const route = routes.find((one) => one.operationId === operationId)
  if (route === undefined) throw new Error(`There is no operation ${operationId}.`)
  return { ...route, body: bodyOf(operationId, state.join(' ')) }
}

interface Asked {
  readonly project?: string
  readonly id?: string | number
  readonly changeId?: string | number
  readonly commentId?: string | number
  readonly headers?: Readonly<Record<string, string>>
}

describe('the matrix', () => {
  it('has every operation with an id in its path', () => {
    const ids = routes.filter(({ path }) => idParameter.test(path)).map(({ operationId }) => operationId)
    for (const table of [byWhom, byState]) {
      const covered = table.map(({ operation = '' }) => operation.split(' ')[0])
      expect([...new Set(covered)].sort()).toEqual(ids.sort())
    }
  })
})

describe('operation x situation', () => {
  let fixture: MatrixFixture

  beforeAll(async () => {
    fixture = await MatrixFixture.open(await sqlite.open())
  })

  afterAll(() => fixture.close())

  /** The status of a request, with the letter that distinguishes one 403 from another. */
  async function ask(operation: string, who: Who, target: Target, asked: Asked = {}): Promise<string> {
    const { method, path, body } = routeOf(operation)
    const { project = 'shop', id = target.id, changeId = target.changeId, commentId = 1, headers = {} } = asked
    const filled = path
      .replace(':projectId', project)
      .replace(idParameter, String(id))
      .replace(':changeId', String(changeId))
      .replace(':commentId', String(commentId))
    const { status, name } = await fixture.send(method.toUpperCase(), `/api/admin${filled}`, { who, body, headers })
    return status === 403
      ? `403 ${name === 'PermissionError' ? 'P' : name === 'OperationDeniedError' ? 'D' : name}`
      : `${status}`
  }

  /** Runs requests; rejected ones must not change anything. */
  async function unchanged(run: () => Promise<void>): Promise<void> {
    const before = await fixture.contents()
    await run()
    expect(await fixture.contents()).toBe(before)
  }

  describe('by caller and target', () => {
    it.each(byWhom.map((row) => ({ name: row.operation, row })))('$name', async ({ row }) => {
      const { operation = '', on = '', by = '', ...expected } = row
      const may = by as Who
      const fresh = () => fixture.make('ann', on)
      const target = await fresh()
      const theirs = await fixture.make(may === 'ann' ? 'cas' : 'ann', 'Draft')
      const deleted = await fixture.makeDeleted('ann')
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
      for (const one of Object.keys(situations)) seen[one] ??= (await situations[one]?.(await fresh())) ?? ''
      expect(seen).toEqual(expected)
    })
  })

  describe('in each state', () => {
    it.each(byState.map((row) => ({ name: `${row.operation} by ${row.by}`, row })))('$name', async ({ row }) => {
      const { operation = '', by = '', ...expected } = row
      const seen: Record<string, string> = {}
      for (const state of Object.keys(expected)) {
        const target = await fixture.make('ann', state)
        const run = async () => {
          seen[state] = await ask(operation, by as Who, target)
        }
        await (expected[state]?.startsWith('2') ? run() : unchanged(run))
      }
      expect(seen).toEqual(expected)
    })
  })

  describe('an invalid id is 404', () => {
    it.each(byWhom.map(({ operation = '', on = '', by = '' }) => ({ operation, on, by: by as Who })))(
      '$operation',
      async ({ operation, on, by }) => {
        const target = await fixture.make('ann', on)
        const seen: Record<string, string> = {}
        await unchanged(async () => {
          for (const id of malformed(target.id)) seen[id] = await ask(operation, by, target, { id })
          const { path } = routeOf(operation)
          for (const [name, known] of Object.entries({ changeId: target.changeId, commentId: 1 })) {
            if (!path.includes(`:${name}`)) continue
            for (const one of [...malformed(known), known + 1_000_000]) {
              seen[`${name} ${one}`] = await ask(operation, by, target, { [name]: one })
            }
          }
        })
        expect(seen).toEqual(Object.fromEntries(Object.keys(seen).map((one) => [one, '404'])))
      },
    )
  })

  it('a malformed project is 400 for every route', async () => {
    const target = await fixture.make('ann', 'In review')
    for (const { operation = '' } of byWhom.filter(({ operation = '' }) =>
      /:projectId/.test(routeOf(operation).path),
    )) {
      for (const project of ['bad%20name', 'x'.repeat(101), 'a%00']) {
        for (const who of ['ann', 'finn'] as const) {
          expect([operation, project, await ask(operation, who, target, { project })]).toEqual([
            operation,
            project,
            '400',
          ])
        }
      }
    }
  })
})
