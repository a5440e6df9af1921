import { once } from 'node:events'
import { cpSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { runNode, type Server, startServer, stopAll } from './support/child'
import { removeFolders, root, temporaryFolder } from './support/folders'
import { borrow } from './support/hosts'

const cli = 'node_modules/express-change-requests/dist/cli.js'
const production = '/api/admin/projects/default/environments/production/change-requests'
const names = { ann: 'Ann Lee', ben: 'Ben Ode', cara: 'Cara Diaz', dan: 'Dan Roy' }
let host = ''

const start = (env: Readonly<Record<string, string>> = {}): Promise<Server> =>
  startServer([cli, 'demo'], { cwd: host, env })

beforeAll(() => {
  host = temporaryFolder()
  const target = join(host, 'node_modules/express-change-requests')
  for (const name of ['dist', 'examples/server', 'openapi.json', 'package.json', 'schemas'])
    cpSync(join(root, name), join(target, name), { recursive: true })
  for (const name of ['express', 'ajv', 'ajv-formats', 'fresh']) borrow(host, name)
})

afterAll(async () => {
  await stopAll()
  removeFolders()
})

/** The link of a person, as printed. */
function linkOf(server: Server, person: keyof typeof names): string {
  return new RegExp(`^ +${names[person]} .* (http:\\S+)$`, 'm').exec(server.stdout())?.[1] ?? ''
}

const open = (url: string, init: RequestInit = {}) => fetch(url, { redirect: 'manual', ...init })

/** Calls as a person does in a browser. */
async function signedIn(server: Server, person: keyof typeof names) {
  const answer = await open(linkOf(server, person))
  expect([answer.status, answer.headers.get('location')]).toEqual([302, '/review/'])
  const set = answer.headers.get('set-cookie') ?? ''
  expect(set).toMatch(/; Path=\/; HttpOnly; SameSite=Strict$/)
  const [Cookie = ''] = set.split(';')
  return (path: string, method = 'GET', body?: object, headers: Record<string, string> = { Origin: server.url }) =>
    open(server.url + path, {
      method,
      headers: { Cookie, 'Content-Type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
}

// biome-ignore lint/suspicious/noExplicitAny: the tests name what they read
async function json(answer: Promise<Response>): Promise<any> {
  return (await answer).json()
}

/** Node's fetch does not send another `Host`. */
async function statusFor(server: Server, Host: string): Promise<number | undefined> {
  const { port } = new URL(server.url)
  const [answer] = await once(
    request({ host: '127.0.0.1', port, path: '/review/', headers: { Host } }).end(),
    'response',
  )
  answer.resume()
  return answer.statusCode
}

describe('npx express-change-requests demo, with Express and without a database', () => {
  let server: Server
  const calls = new Map<string, Awaited<ReturnType<typeof signedIn>>>()
  const as = (person: keyof typeof names) => calls.get(person) as Awaited<ReturnType<typeof signedIn>>

  beforeAll(async () => {
    server = await start()
    for (const person of Object.keys(names) as (keyof typeof names)[]) {
      expect((await open(linkOf(server, person), { method: 'HEAD' })).headers.get('set-cookie')).toBeNull()
      calls.set(person, await signedIn(server, person))
    }
  })
  afterAll(async () => {
    const { status, stderr } = await server.stop()
    expect([status, stderr]).toEqual([0, ''])
  })

  it('serves the page to four people, each of whom has a link that works once', async () => {
    expect(new URL(server.url).hostname).toBe('127.0.0.1')
    for (const person of Object.keys(names) as (keyof typeof names)[]) {
      expect(await json(as(person)('/api/admin/me'))).toMatchObject({ username: names[person] })
      const again = await open(linkOf(server, person))
      expect([again.status, again.headers.get('set-cookie')]).toEqual([404, null])
    }
    expect((await open(`${server.url}/review/`)).headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect((await open(`${server.url}/api/admin/me`)).status).toBe(401)
  })

  it('has change requests in several states, one of which Ben approves and applies', async () => {
    const ben = as('ben')
    const { changeRequests } = await json(ben('/api/admin/search/change-requests'))
    const states = changeRequests.map(({ id, state }: { id: number; state: string }) => [id, state])
    expect(states.sort()).toEqual([
      [1, 'Applied'],
      [2, 'In review'],
      [3, 'In review'],
      [4, 'Scheduled'],
    ])
    const { reviews } = await json(ben('/api/admin/reviews?needs=me'))
    expect(reviews.map(({ id }: { id: number }) => id)).toContain(2)
    for (const state of ['Approved', 'Applied']) {
      const answer = await ben('/api/admin/projects/default/change-requests/2/state', 'PUT', { state })
      expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ state })])
    }
    const { flags } = await json(open(`${server.url}/flags`))
    expect(flags[0]).toMatchObject({
      name: 'checkout',
      states: { production: { enabled: true, strategies: [{ parameters: { rollout: '75' } }] } },
    })
  })

  it('requires an approval of the group payments for cards, which Dan gives, and that Ann lifts her objection', async () => {
    const [ann, cara, dan] = [as('ann'), as('cara'), as('dan')]
    const path = '/api/admin/projects/default/change-requests/3'
    const apply = () => json(cara(`${path}/state`, 'PUT', { state: 'Applied' }))
    expect(await json(cara(path))).toMatchObject({ state: 'In review', approvals: [{}] })
    expect(await json(dan(`${path}/state`, 'PUT', { state: 'Approved' }))).toMatchObject({ state: 'Approved' })
    expect(await apply()).toMatchObject({ details: [{ code: 'objection' }] })
    expect((await ann(`${path}/objection`, 'DELETE')).status).toBe(204)
    expect(await apply()).toMatchObject({ state: 'Applied' })
  })

  it('applies every action that it accepts', async () => {
    const [cara, dan] = [as('cara'), as('dan')]
    const strategy = { name: 'flexibleRollout', constraints: [], parameters: { rollout: '1' }, segments: [] }
    const of = (action: string, payload?: object) => ({ action, feature: 'new-search', ...(payload && { payload }) })
    const own = 'new-search-development'
    const development = production.replace('production', 'development')
    const apply = async (...changes: readonly object[]) => {
      const { id } = await json(dan(development, 'POST', changes))
      const path = `/api/admin/projects/default/change-requests/${id}/state`
      await dan(path, 'PUT', { state: 'In review' })
      await cara(path, 'PUT', { state: 'Approved' })
      expect(await json(cara(path, 'PUT', { state: 'Applied' }))).toMatchObject({ state: 'Applied' })
      const { flags } = await json(open(`${server.url}/flags`))
      const { archived, states } = flags.find(({ name }: { name: string }) => name === 'new-search')
      const rollouts = states.development.strategies.map((one: typeof strategy) => one.parameters.rollout)
      return [archived, states.development.enabled, rollouts]
    }
    expect(await apply(of('updateStrategy', { ...strategy, id: own }))).toEqual([false, true, ['1']])
    expect(await apply(of('deleteStrategy', { id: own }))).toEqual([false, false, []])
    expect(await apply(of('addStrategy', strategy))).toEqual([false, false, ['1']])
    expect(await apply(of('updateEnabled', { enabled: true }))).toEqual([false, true, ['1']])
    expect(await apply(of('archiveFeature'))).toEqual([true, true, ['1']])
    const refused = await dan(production, 'POST', of('addDependency', { feature: 'checkout' }))
    expect(refused.status).toBe(400)
    const payload = { ...strategy, parameters: { rollout: '75%' } }
    const unreadable = { action: 'addStrategy', feature: 'checkout', payload }
    expect(await json(dan(development, 'POST', unreadable))).toMatchObject({
      details: [{ code: 'invalid', path: '/body/payload/parameters/rollout' }],
    })
  })

  it('answers only requests to its own address, and writes only from its own page', async () => {
    const { port } = new URL(server.url)
    const hosts = [`127.0.0.1:${port}`, `localhost:${port}`, 'evil.example', `evil.example:${port}`, '127.0.0.1:1']
    const statuses = await Promise.all(hosts.map((name) => statusFor(server, name)))
    expect(statuses).toEqual([200, 200, 421, 421, 421])
    const ann = as('ann')
    const change = { action: 'updateEnabled', feature: 'checkout', payload: { enabled: true } }
    const from = async (headers: Record<string, string>) => (await ann(production, 'POST', change, headers)).status
    expect(await from({ 'Sec-Fetch-Site': 'same-origin' })).toBe(200)
    expect(await from({ 'Sec-Fetch-Site': 'same-site', Origin: server.url })).toBe(403)
    expect(await from({ Origin: 'http://127.0.0.1:1' })).toBe(403)
    await expect(fetch(`http://127.0.0.2:${port}/`)).rejects.toThrow()
  })

  it('takes a free port if the usual one is in use, and none but PORT', async () => {
    const taken = createServer().listen(4242, '127.0.0.1')
    // If another process has it, that is as good.
    await Promise.race([once(taken, 'listening'), once(taken, 'error')]).catch(() => undefined)
    const { port } = new URL((await start({ PORT: '' })).url)
    expect(port).not.toBe('4242')
    const second = await runNode([cli, 'demo'], { cwd: host, env: { PORT: port } }).exit
    expect([second.status, second.stdout, second.stderr]).toEqual([
      1,
      '',
      expect.stringContaining(`Port ${port} is in use`),
    ])
    taken.close()
  })
})
