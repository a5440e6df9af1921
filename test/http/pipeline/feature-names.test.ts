import express, { type RequestHandler } from 'express'
import { type FlagGateway, memoryStorage } from '../../../src'
import { enable, people, startApp, type TestApp } from '../../support/app'
import { csv, ndjson, openExport, parseCsvExport, parseNdjson, readExport } from '../events/support/export-request'

/** Each is escaped somewhere: in paths, lists, CSV, markdown, SQL or patterns. */
const names = [
  'a/b',
  'a,b',
  'a%2Cb',
  'a%252Cb',
  'a?b#c',
  'a b',
  '日本',
  '<b>',
  '*',
  '__proto__',
  '\'a\';"b"',
  '=1+1',
  'a\\b',
  'a](https://b)',
  '🚩'.repeat(100),
]
const place = { project: 'shop', environment: 'production' }
const inProject = '/projects/shop'
const inProduction = `${inProject}/environments/production`

/** All flags exist, and are off. */
const flags: FlagGateway = {
  async current({ features }) {
    const off = { enabled: false, archived: false }
    return { features: new Map(features.map((name) => [name, off])), segments: new Map() }
  },
  apply: async (changes) =>
    changes.map(({ feature }) => ({ type: 'feature-environment-enabled', featureName: feature })),
}

describe('with featureNames: any', () => {
  let app: TestApp
  let gate: RequestHandler

  beforeAll(async () => {
    const before = (host: express.Express) =>
      void host.patch('/flags/:name', express.json(), (req, res, next) => gate(req, res, next))
    const options = { featureNames: 'any', adminSelfApproval: true, pageUrl: 'https://flags.example' } as const
    app = await startApp({ storage: memoryStorage(), flags, ...options }, { before })
    gate = app.router.gate(() => place, { propose: ({ params }) => enable(params.name as string) as never })
  })
  afterAll(() => app.close())

  const request = async (method: string, path: string, body?: object, key = people.ann.key) => {
    const headers = { Authorization: key, ...(body && { 'Content-Type': 'application/json' }) }
    const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const response = await fetch(`http://127.0.0.1:${app.port}${path}`, sent)
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} is ${response.status}: ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
  const send = (method: string, path: string, body?: object) => request(method, `/api/admin${path}`, body)
  const get = (path: string) => send('GET', path)
  const idsOf = (list: readonly { id: number }[]) => list.map(({ id }) => id)
  const typesOf = ({ events }: { events: readonly { type: string }[] }) => events.map(({ type }) => type)
  const search = async (filter: string) =>
    typesOf(await get(`/search/events?${new URLSearchParams({ feature: filter })}`))
  const escaped = (name: string) => name.replaceAll('%', '%25').replaceAll(',', '%2C')

  it.each(names)('a flag named %j is proposed, found, applied and logged', async (name) => {
    const dependency = { action: 'addDependency', feature: 'child', payload: { feature: name } }
    const { id, features } = await send('POST', `${inProduction}/change-requests`, [enable(name), dependency])
    expect(features.find((one: { name: string }) => one.name === name).changes).toHaveLength(1)
    const own = `${inProject}/change-requests/${id}`
    const [, ofChild] = (await get(`${own}/review`)).changes
    await send('PUT', `${own}/changes/${ofChild.id}`, enable(name, false))
    await send('PUT', `${own}/state`, { state: 'In review' })

    const inPath = encodeURIComponent(name)
    expect((await get(`${own}/review`)).changeRequest.features).toMatchObject([{ name, changes: [{}, {}] }])
    expect(idsOf(await get(`${inProject}/change-requests/pending/${inPath}`))).toEqual([id])
    expect(idsOf((await get(`/reviews?feature=${inPath}`)).reviews)).toEqual([id])
    expect(idsOf((await get(`/reviews?query=${inPath}`)).reviews)).toContain(id)
    expect(await get(`${inProduction}/flags/${inPath}`)).toMatchObject({ name, state: { enabled: false } })

    await send('PUT', `${own}/state`, { state: 'Approved' })
    await send('PUT', `${own}/state`, { state: 'Applied' })
    const { toggleName, events } = await get(`/events/${inPath}`)
    expect([toggleName, ...new Set(events.map((one: { featureName: string }) => one.featureName))]).toEqual([
      name,
      name,
    ])
    expect(typesOf({ events })).toContain('feature-environment-enabled')
    const link = /\]\(https:\/\/flags\.example\/projects\/shop\/flags\/([^?)]*)\?/
    expect(decodeURIComponent(link.exec(events[0].summary)?.[1] ?? '')).toBe(name)
    expect(await search(`IS:${escaped(name)}`)).toContain('change-request-applied')
    expect(await search(`IS_ANY_OF:none,${escaped(name)}`)).toEqual(await search(`IS:${escaped(name)}`))
  })

  it.each(names)('a flag named %j is recorded, read and exported', async (name) => {
    const { router, port } = app
    const { events: newest } = await router.events.read({ limit: 1 })
    const after = newest[0]?.id ?? 0
    await router.events.record([
      { type: 'feature-created', ...place, featureName: name, createdBy: 'ann' },
      { type: 'feature-created', ...place, featureName: `x${[...name].slice(1).join('')}`, createdBy: 'ann' },
    ])
    const { events } = await router.events.read({ filter: { features: [name] }, after })
    expect(events.map(({ featureName }) => featureName)).toEqual([name])
    const path = `/search/events?${new URLSearchParams({ feature: `IS:${escaped(name)}`, after: String(after) })}`
    const exported = async (accept: string) => (await readExport(await openExport({ port, path, accept }))).text
    expect(parseNdjson(await exported(ndjson)).events).toMatchObject([{ featureName: name }])
    // Only a name that a spreadsheet program runs as a formula has an apostrophe before it.
    const [row] = parseCsvExport(await exported(csv)).events
    expect(row.featureName).toBe(name === '=1+1' ? "'=1+1" : name)
  })

  it.each(names)('a direct write of a flag named %j is proposed by the gate', async (name) => {
    const { id, path } = await request('PATCH', `/flags/${encodeURIComponent(name)}`, {}, people.ben.key)
    expect((await request('GET', path, undefined, people.ben.key)).features).toMatchObject([{ name }])
    await request('DELETE', `/api/admin${inProject}/change-requests/${id}`, undefined, people.ben.key)
  })

  it('a path is decoded once', async () => {
    const response = await fetch(`http://127.0.0.1:${app.port}/api/admin/events/a%252Fb`, {
      headers: { Authorization: people.ann.key },
    })
    expect(await response.json()).toMatchObject({ toggleName: 'a%2Fb' })
  })

  it('a search unescapes only commas and percent signs', async () => {
    const event = { type: 'feature-archived', ...place } as const
    await app.router.events.record(['x%41', 'y,%2C'].map((featureName) => ({ ...event, featureName })))
    expect(await search('IS:x%41')).toEqual(['feature-archived'])
    expect(await search('IS:y%2c%252C')).toEqual(['feature-archived'])
    expect(await search('IS:y%2C%2C')).toEqual([])
    expect(await search('IS:y,%252C')).toEqual([])
  })

  it('other names are 400, with the rule', async () => {
    for (const path of ['/events/%20a', `${inProject}/change-requests/pending/a%00`, '/reviews?feature=a%E2%80%AEb']) {
      await expect(get(path)).rejects.toThrow(/ is 400: .*no control or invisible characters, no blank at either end/)
    }
  })

  it('the documents for clients have no pattern for the names of flags', async () => {
    const { schemas = {} } = app.router.openapi().components
    expect(schemas).toMatchObject({ FeatureName: { type: 'string', minLength: 1, maxLength: 100 } })
    expect(schemas.FeatureName).not.toHaveProperty('pattern')
    expect(schemas.Name).toHaveProperty('pattern')
    const { actions } = await get(`${inProduction}/change-requests/actions`)
    const { properties } = actions.find((one: { action: string }) => one.action === 'updateEnabled').schema
    expect(properties.feature).toMatchObject({ title: 'FeatureName', maxLength: 100 })
    expect(properties.feature).not.toHaveProperty('pattern')
  })
})
