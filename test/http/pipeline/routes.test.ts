import { memoryStorage } from '../../../src'
import { createRoutes } from '../../../src/router/routes'
import { readText } from '../../package/support/markdown'
import { people, startApp, type TestApp, ticketField } from '../../support/app'
import { sendRaw } from '../support/raw-request'
import { expectRefusal } from '../support/refusal'

const routes = createRoutes()

describe('every route', () => {
  let app: TestApp

  beforeAll(async () => {
    app = await startApp({ storage: memoryStorage(), customFields: ticketField, objections: true })
  })

  afterAll(() => app.close())

  const calls = routes.map(({ method, path, permissions, operationId, body }) => ({
    operationId,
    method: method.toUpperCase(),
    // A well-formed id of nothing.
    path: `/api/admin${path
      .replace(/activity$/, '$&?from=2026-03-01&to=2026-03-31')
      .replace(/(flags|segments)$/, '$&?query=check')
      .replace(/:(id|changeRequestId|changeId|segmentId)\b/g, '7')
      .replace(/:\w+/g, 'shop')}`,
    permission: permissions[0],
    // These routes accept an empty body.
    passes:
      body !== undefined &&
      !['acknowledgeEmergency', 'rebaseChangeRequest', 'revertChangeRequest', 'setCustomFields'].includes(operationId)
        ? 400
        : /:(id|changeRequestId)\b/.test(path) || operationId === 'retryConsumer'
          ? 404
          : 200,
  }))

  it('comes before every route whose parameter would match its literal segment (contract 2.1)', () => {
    const [, row = ''] = /^\| Routing +\| (.*?) take precedence over `:id`/m.exec(readText('docs/contract.md')) ?? []
    const literals = [...row.matchAll(/`([a-z-]+)`/g)].map(([, name]) => name)
    const prefix = '/projects/:projectId/change-requests/'
    const segments = routes
      .filter(({ path }) => path.startsWith(prefix))
      .map(({ path }) => path.slice(prefix.length).split('/')[0] ?? '')
    const first = segments.indexOf(':id')
    expect(new Set(segments.filter((segment) => !segment.startsWith(':')))).toEqual(new Set(literals))
    expect(segments.slice(first).filter((segment) => !segment.startsWith(':'))).toEqual([])
  })

  it('needs a permission, except routes that return only what the caller may read', () => {
    expect(calls.flatMap(({ permission, operationId }) => (permission === undefined ? operationId : []))).toEqual([
      'getReviews',
      'getPlaces',
      'getMe',
      'getEventCreators',
      'searchChangeRequests',
      'exportChangeRequests',
      'searchEvents',
      'getEventActivity',
      'tryChangeRequest',
      'getEventsForFeature',
    ])
  })

  it.each(calls)('$method $path', async ({ method, path, permission, passes }) => {
    const send = (headers: Record<string, string>) =>
      sendRaw(app.port, { method, path, headers: { 'Content-Type': 'application/json', ...headers }, body: '{}' })
    expectRefusal(await send({}), 401, 'AuthenticationRequired')
    expectRefusal(await send({ Authorization: 'key-of-nobody-0123456789' }), 401, 'UnauthorizedError')
    if (permission !== undefined) {
      const answer = await send({ Authorization: people.eve.key })
      expectRefusal(answer, 403, 'PermissionError')
      expect(answer.body.permissions).toEqual([permission])
    }
    expect((await send({ Authorization: people.ann.key })).status).toBe(passes)
    if (method === 'GET') expect((await sendRaw(app.port, { method: 'HEAD', path })).status).toBe(401)
  })
})
