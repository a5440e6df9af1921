import { type Api, errorOf, type HttpResponse, succeeded } from '../api'
import { must, type RuleGroup, should } from '../rule'

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const header = (name: string) => (response: HttpResponse) => response.headers.get(name)

/** One error response of each kind that needs nothing but a draft. */
const rejections = async (api: Api): Promise<HttpResponse[]> => {
  const { id } = await api.draft()
  return [
    await api.propose([]),
    await api.send(null, 'GET', api.path(id)),
    await api.get(api.path(id), 'nobody'),
    await api.get(api.path(Number.MAX_SAFE_INTEGER)),
    await api.move('author', id, 'Applied'),
    await api.move('author', id, 'Cancelled', { headers: { 'If-Match': '"0-0"' } }),
    await api.send('author', 'POST', api.proposals, { text: '{}', headers: { 'Content-Type': 'text/plain' } }),
  ]
}

const statuses = [400, 401, 403, 404, 409, 412, 415]

export const answers: RuleGroup = {
  title: 'responses in general',
  rules: [
    must('CR-901', 'return 401 to a caller without credentials for every request', async (api, expect) => {
      for (const path of [api.path(), api.path(1), api.path('count'), '/events', '/search/change-requests']) {
        expect([path, ...errorOf(await api.send(null, 'GET', path))]).toEqual([path, 401, 'AuthenticationRequired'])
      }
      const text = api.parsesBodies ? '{}' : '{'
      const response = await api.send(null, 'POST', api.proposals, { text, headers: { 'Content-Type': 'a/b' } })
      expect(response.status).toBe(401)
    }),

    must('CR-902', 'return errors with id, name, message and details', async (api, expect) => {
      const seen = await rejections(api)
      expect(seen.map(({ status }) => status)).toEqual(statuses)
      for (const { body } of seen) {
        expect(uuid.test(body.id)).toBe(true)
        expect([typeof body.name, typeof body.message, body.details.length > 0]).toEqual(['string', 'string', true])
        expect(typeof body.details[0].message).toBe('string')
      }
      expect(new Set(seen.map(({ body }) => body.id)).size).toBe(seen.length)
    }),

    must('CR-903', 'return problem details to clients that explicitly accept them', async (api, expect) => {
      const ask = (accept: string) => api.get(api.path(Number.MAX_SAFE_INTEGER), 'author', { Accept: accept })
      const problem = await ask('application/problem+json')
      const { type, title, status, detail, name } = problem.body
      expect([header('content-type')(problem), type, title, status, name, typeof detail]).toEqual([
        'application/problem+json',
        'about:blank',
        'Not Found',
        404,
        'NotFoundError',
        'string',
      ])
      expect((await ask('*/*')).body.type).toBe(undefined)
    }),

    must('CR-904', 'prevent caching of change requests and errors', async (api, expect) => {
      const seen = [
        await api.propose(),
        await api.get(api.path()),
        await api.get(api.path('count')),
        await api.get('/search/change-requests'),
        ...(await rejections(api)),
      ]
      expect(seen.map(header('cache-control'))).toEqual(seen.map(() => 'no-store'))
    }),

    must('CR-905', 'allow only private caching of events, with revalidation', async (api, expect) => {
      const response = succeeded(await api.get('/events', 'admin'))
      const vary = (header('vary')(response) ?? '').toLowerCase().split(/, */)
      expect([header('cache-control')(response), vary.includes('authorization')]).toEqual(['private, no-cache', true])
    }),

    must('CR-906', 'send X-Content-Type-Options: nosniff with every response', async (api, expect) => {
      const seen = [await api.propose(), await api.get('/events', 'admin'), ...(await rejections(api))]
      expect(seen.map(header('x-content-type-options'))).toEqual(seen.map(() => 'nosniff'))
    }),

    must('CR-907', 'send JSON as application/json in UTF-8', async (api, expect) => {
      const seen = [await api.propose(), await api.get('/events', 'admin'), ...(await rejections(api))]
      const types = seen.map((response) => header('content-type')(response)?.toLowerCase())
      expect(types).toEqual(seen.map(() => 'application/json; charset=utf-8'))
    }),

    must('CR-908', 'accept every Accept header and unknown query parameters', async (api, expect) => {
      const response = await api.get(`${api.path()}?no=such&no=parameter`, 'author', { Accept: 'text/html' })
      expect([response.status, Array.isArray(response.body)]).toEqual([200, true])
    }),

    must('CR-909', 'keep every character of a text', async (api, expect) => {
      const { id } = await api.draft()
      const text = 'na\u00efve "quoted" back\\slash / \u6f22\u5b57 \u{1f469}\u200d\u{1f680} \u2028 %_\'$1;-- </script>'
      succeeded(await api.send('author', 'POST', api.path(`${id}/comments`), { body: { text } }))
      expect((await api.read(id)).comments[0].text).toBe(text)
    }),

    should('CR-910', 'leave unknown paths and methods to the host app', async (api, expect) => {
      const { id } = await api.draft()
      const kind = ({ status, headers }: HttpResponse) => [status, headers.get('content-type')]
      const elsewhere = kind(await api.get('/no-such-path-here'))
      for (const path of [api.path(`${id}/no-such-path`), api.path(`${id}/state`), `${api.path(id)}/x/y`]) {
        expect([path, ...kind(await api.get(path))]).toEqual([path, ...elsewhere])
      }
      const other = kind(await api.send('author', 'PATCH', '/no-such-path-here', { body: {} }))
      expect(kind(await api.send('author', 'PATCH', api.path(id), { body: {} }))).toEqual(other)
    }),
  ],
}
