import { must, type RuleGroup, should } from '../rule'
import { type Answer, granted, refusal, type World } from '../world'

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const header = (name: string) => (answer: Answer) => answer.headers.get(name)

/** One refusal of each kind that needs nothing but a draft. */
const refusals = async (world: World): Promise<Answer[]> => {
  const { id } = await world.draft()
  return [
    await world.propose([]),
    await world.send(null, 'GET', world.path(id)),
    await world.get(world.path(id), 'nobody'),
    await world.get(world.path(Number.MAX_SAFE_INTEGER)),
    await world.move('author', id, 'Applied'),
    await world.move('author', id, 'Cancelled', { headers: { 'If-Match': '"0-0"' } }),
    await world.send('author', 'POST', world.proposals, { text: '{}', headers: { 'Content-Type': 'text/plain' } }),
  ]
}

const statuses = [400, 401, 403, 404, 409, 412, 415]

export const answers: RuleGroup = {
  title: 'answers in general',
  rules: [
    must('CR-901', 'answer 401 to a caller without credentials, whatever they ask for', async (world, expect) => {
      for (const path of [world.path(), world.path(1), world.path('count'), '/events', '/search/change-requests']) {
        expect([path, ...refusal(await world.send(null, 'GET', path))]).toEqual([path, 401, 'AuthenticationRequired'])
      }
      const text = world.parsesBodies ? '{}' : '{'
      const answer = await world.send(null, 'POST', world.proposals, { text, headers: { 'Content-Type': 'a/b' } })
      expect(answer.status).toBe(401)
    }),

    must('CR-902', 'answer refusals with id, name, message and details', async (world, expect) => {
      const seen = await refusals(world)
      expect(seen.map(({ status }) => status)).toEqual(statuses)
      for (const { body } of seen) {
        expect(uuid.test(body.id)).toBe(true)
        expect([typeof body.name, typeof body.message, body.details.length > 0]).toEqual(['string', 'string', true])
        expect(typeof body.details[0].message).toBe('string')
      }
      expect(new Set(seen.map(({ body }) => body.id)).size).toBe(seen.length)
    }),

    must('CR-903', 'answer problem details to those who accept them by name', async (world, expect) => {
      const ask = (accept: string) => world.get(world.path(Number.MAX_SAFE_INTEGER), 'author', { Accept: accept })
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

    must('CR-904', 'let no cache keep change requests and refusals', async (world, expect) => {
      const seen = [
        await world.propose(),
        await world.get(world.path()),
        await world.get(world.path('count')),
        await world.get('/search/change-requests'),
        ...(await refusals(world)),
      ]
      expect(seen.map(header('cache-control'))).toEqual(seen.map(() => 'no-store'))
    }),

    must('CR-905', 'let only the caller keep the events, and ask again each time', async (world, expect) => {
      const answer = granted(await world.get('/events', 'admin'))
      const vary = (header('vary')(answer) ?? '').toLowerCase().split(/, */)
      expect([header('cache-control')(answer), vary.includes('authorization')]).toEqual(['private, no-cache', true])
    }),

    must('CR-906', 'send X-Content-Type-Options: nosniff with every answer', async (world, expect) => {
      const seen = [await world.propose(), await world.get('/events', 'admin'), ...(await refusals(world))]
      expect(seen.map(header('x-content-type-options'))).toEqual(seen.map(() => 'nosniff'))
    }),

    must('CR-907', 'send JSON as such, in UTF-8', async (world, expect) => {
      const seen = [await world.propose(), await world.get('/events', 'admin'), ...(await refusals(world))]
      const types = seen.map((answer) => header('content-type')(answer)?.toLowerCase())
      expect(types).toEqual(seen.map(() => 'application/json; charset=utf-8'))
    }),

    must('CR-908', 'refuse no Accept and no unknown query parameter', async (world, expect) => {
      const answer = await world.get(`${world.path()}?no=such&no=parameter`, 'author', { Accept: 'text/html' })
      expect([answer.status, Array.isArray(answer.body)]).toEqual([200, true])
    }),

    must('CR-909', 'keep every character of a text', async (world, expect) => {
      const { id } = await world.draft()
      const text = 'na\u00efve "quoted" back\\slash / \u6f22\u5b57 \u{1f469}\u200d\u{1f680} \u2028 %_\'$1;-- </script>'
      granted(await world.send('author', 'POST', world.path(`${id}/comments`), { body: { text } }))
      expect((await world.read(id)).comments[0].text).toBe(text)
    }),

    should('CR-910', 'leave unknown paths and methods to the host', async (world, expect) => {
      const { id } = await world.draft()
      const kind = ({ status, headers }: Answer) => [status, headers.get('content-type')]
      const elsewhere = kind(await world.get('/no-such-path-here'))
      for (const path of [world.path(`${id}/no-such-path`), world.path(`${id}/state`), `${world.path(id)}/x/y`]) {
        expect([path, ...kind(await world.get(path))]).toEqual([path, ...elsewhere])
      }
      const other = kind(await world.send('author', 'PATCH', '/no-such-path-here', { body: {} }))
      expect(kind(await world.send('author', 'PATCH', world.path(id), { body: {} }))).toEqual(other)
    }),
  ],
}
