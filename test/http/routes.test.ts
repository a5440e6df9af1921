import { routes } from '../../src/http/routes'
import { memoryStorage } from '../../src/index'
import { people, startApp, type TestApp } from '../support/app'
import { sendRaw } from './raw-request'
import { expectRefusal } from './refusal'

describe('every route', () => {
  let app: TestApp

  beforeAll(async () => {
    app = await startApp({ storage: memoryStorage() })
  })

  afterAll(() => app.close())

  const calls = routes.map(({ method, path, permission, operationId, body }) => ({
    operationId,
    method: method.toUpperCase(),
    path: `/api/admin${path.replace(/:\w+/g, 'shop')}`,
    permission,
    takesBody: body !== undefined,
  }))

  it('has an operation of its own', () => {
    expect(calls.length).toBeGreaterThanOrEqual(2)
    expect(new Set(routes.map(({ operationId }) => operationId)).size).toBe(routes.length)
    expect(new Set(calls.map(({ method, path }) => `${method} ${path}`)).size).toBe(routes.length)
  })

  describe.each(calls)('$method $path', ({ method, path, permission, takesBody }) => {
    const send = (headers: Record<string, string>) =>
      sendRaw(app.port, { method, path, headers: { 'Content-Type': 'application/json', ...headers }, body: '{}' })

    it('is 401 without a key', async () => {
      expectRefusal(await send({}), 401, 'AuthenticationRequired')
    })

    it('is 401 with an unknown key', async () => {
      expectRefusal(await send({ Authorization: 'key-of-nobody-0123456789' }), 401, 'UnauthorizedError')
    })

    it(`is 403 without ${permission}`, async () => {
      const answer = await send({ Authorization: people.eve.key })
      expectRefusal(answer, 403, 'PermissionError')
      expect(answer.body.permissions).toEqual([permission])
    })

    it('passes with ADMIN', async () => {
      const { status } = await send({ Authorization: people.ann.key })
      expect(status).toBe(takesBody ? 400 : 200)
    })
  })

  it.each(calls.filter(({ method }) => method === 'GET'))('HEAD $path is 401 without a key', async ({ path }) => {
    expect((await sendRaw(app.port, { method: 'HEAD', path })).status).toBe(401)
  })
})
