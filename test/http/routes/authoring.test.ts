import { Ajv2020 } from 'ajv/dist/2020'
import addFormats from 'ajv-formats'
import type { ChangeRequestRouterOptions, FlagGateway, FlagState, SegmentState } from '../../../src'
import { apiKeys, memoryStorage } from '../../../src'
import { changeSchemas } from '../../../src/validation/core/registry'
import { type Host, startApp, type TestApp } from '../../support/app'

const place = '/api/admin/projects/shop/environments/production'
const archive = { permission: 'CREATE_CHANGE_REQUEST', project: 'shop' } as const
const author = { key: 'key-of-the-author-0123', user: { id: 8, username: 'author' }, grants: [archive] }
const reader = { key: 'key-of-the-reader-0123', user: { id: 9, username: 'reader' }, grants: [] }
const digest = expect.stringMatching(/^sha256:[0-9a-f]{64}$/)
/** Paths outside the environment. */
const fields = '../../context-fields'
const places = '../../../../places'
const enable = (feature = 'checkout') => ({ action: 'updateEnabled', feature, payload: { enabled: true } })
const strategy = { id: 's1', name: 'default', disabled: false, segments: [4, 5] }

describe('what a page needs to propose changes', () => {
  let app: TestApp | undefined
  afterEach(() => app?.close())

  const start = async (options: Partial<ChangeRequestRouterOptions> = {}) => {
    app = await startApp({ storage: memoryStorage(), authenticate: apiKeys([author, reader]), ...options })
  }
  const get = async (path: string, key = author.key) => {
    const response = await fetch(`http://127.0.0.1:${app?.port}${place}/${path}`, { headers: { Authorization: key } })
    // biome-ignore lint/suspicious/noExplicitAny: the tests assert what the body holds.
    return { status: response.status, body: (await response.json()) as any }
  }

  const reads = ['flags?query=a', 'flags/checkout', 'segments?query=a', 'segments/4', 'change-requests/actions', fields]

  const show = async (changes: unknown, key = author.key) => {
    const headers = { Authorization: key, 'Content-Type': 'application/json' }
    const address = `http://127.0.0.1:${app?.port}${place}/change-requests/preview`
    const response = await fetch(address, { method: 'POST', headers, body: JSON.stringify({ changes }) })
    // biome-ignore lint/suspicious/noExplicitAny: the tests assert what the body holds.
    return { status: response.status, body: (await response.json()) as any }
  }

  it('is 403 for a caller who can only read, and 401 without a key', async () => {
    await start()
    for (const path of reads) {
      expect([path, (await get(path, reader.key)).status, (await get(path, '')).status]).toEqual([path, 403, 401])
    }
    expect([(await show([enable()], reader.key)).status, (await show([enable()], '')).status]).toEqual([403, 401])
    expect([(await get(places, reader.key)).body.places, (await get(places, '')).status]).toEqual([[], 401])
  })

  it('is 404 in an unknown project, before anything else is called', async () => {
    const searchFeatures = jest.fn()
    await start({ directory: { hasProject: () => false, searchFeatures } })
    for (const path of reads) {
      expect([path, (await get(path)).status]).toEqual([path, 404])
    }
    expect(searchFeatures).not.toHaveBeenCalled()
  })

  describe('GET …/flags', () => {
    it('returns at most 20 names that the host app finds', async () => {
      const searchFeatures = jest.fn(() => Array.from({ length: 30 }, (_, index) => `flag-${index}`))
      await start({ directory: { searchFeatures } })
      const { body } = await get('flags?query=fl%20ag')
      expect([body.flags.length, body.flags[0]]).toEqual([20, 'flag-0'])
      expect(searchFeatures).toHaveBeenCalledWith('fl ag', { project: 'shop', environment: 'production' })
    })

    it('returns null if the host app cannot search', async () => {
      await start()
      expect((await get('flags?query=a')).body).toEqual({ flags: null })
    })

    it.each([
      ['without a query', 'flags'],
      ['for an empty query', 'flags?query='],
      ['for a query that is too long', `flags?query=${'x'.repeat(101)}`],
      ['for two queries', 'flags?query=a&query=b'],
    ])('is 400 %s', async (_, path) => {
      await start()
      const { status, body } = await get(path)
      expect([status, body.details[0].path]).toEqual([400, '/query/query'])
    })

    it('is 500 for a result that is no list of names, and 503 if the search fails or hangs', async () => {
      const results = [undefined, 'checkout!', [1], Promise.reject(new Error('down')), new Promise(() => undefined)]
      await start({ directory: { searchFeatures: () => results.shift() as never }, limits: { hookTimeoutMs: 50 } })
      const statuses = [0, 1, 2, 3, 4].map(async () => (await get('flags?query=a')).status)
      expect(await Promise.all(statuses)).toEqual([500, 500, 500, 503, 503])
    })
  })

  describe('GET …/flags/:featureName', () => {
    const flags = {
      current: async ({
        features,
        segments,
      }: {
        readonly features: readonly string[]
        readonly segments: readonly number[]
      }) => ({
        features: new Map(
          features
            .filter((name) => name !== 'gone')
            .map((name) => [name, { archived: false, enabled: true, strategies: [strategy] }] as const),
        ),
        segments: new Map(segments.filter((id) => id === 4).map((id) => [id, { name: 'beta users' }] as const)),
      }),
      apply: async () => [],
    }

    it('returns its state, with the names of its segments', async () => {
      await start({ flags })
      expect((await get('flags/checkout')).body).toEqual({
        name: 'checkout',
        state: { archived: false, enabled: true, strategies: [strategy] },
        segmentNames: { 4: 'beta users' },
        targets: { s1: digest, enabled: digest, activation: digest, order: digest },
        environments: [],
      })
    })

    it('returns its state in at most 20 other environments, read in parallel, null where the gateway fails or hangs', async () => {
      const names = [
        'production',
        'hangs',
        'fails',
        'gone',
        ...Array.from({ length: 30 }, (_, index) => `env-${index}`),
      ]
      const calls: string[] = []
      let allCalled = () => {}
      const inParallel = new Promise<void>((resolve) => {
        allCalled = resolve
      })
      const current: FlagGateway['current'] = async (subjects) => {
        const { environment } = subjects
        calls.push(environment)
        if (calls.length === 21) allCalled()
        if (environment !== 'production') await inParallel
        if (environment === 'hangs') return new Promise(() => undefined)
        if (environment === 'fails') throw new Error('down')
        return environment === 'gone' ? { features: new Map(), segments: new Map() } : flags.current(subjects)
      }
      const directory = { environments: () => names.map((name) => ({ name, type: 'test' })) }
      await start({ flags: { ...flags, current }, directory, limits: { hookTimeoutMs: 50 } })
      const { environments } = (await get('flags/checkout')).body
      const state = { archived: false, enabled: true, strategies: [strategy] }
      expect(environments).toEqual(names.slice(1, 21).map((name, index) => ({ name, state: index < 3 ? null : state })))
      expect(calls.filter((one) => one !== 'production').length).toBe(20)
    })

    it('returns no state without a gateway', async () => {
      await start()
      expect((await get('flags/checkout')).body).toEqual({
        ...{ name: 'checkout', state: null, segmentNames: {}, targets: {}, environments: [] },
      })
    })

    it('is 404 for a flag that the directory or the gateway does not know', async () => {
      await start({ flags, directory: { knownFeatures: (_, names) => names.filter((name) => name !== 'ghost') } })
      expect([(await get('flags/ghost')).status, (await get('flags/gone')).status]).toEqual([404, 404])
    })

    it('is 503 if the gateway fails', async () => {
      await start({ flags: { ...flags, current: () => Promise.reject(new Error('down')) } })
      expect((await get('flags/checkout')).status).toBe(503)
    })
  })

  describe('GET …/segments/:id', () => {
    const used = Array.from({ length: 120 }, (_, index) => ({
      project: index < 110 ? 'shop' : 'secret',
      feature: `flag-${index}`,
    }))
    const use = [{ project: 'secret', feature: 'hidden' }, ...used]

    const known = new Map<number, SegmentState>([
      [4, { name: 'beta users', project: 'shop', constraints: [] }],
      [5, { name: 'of another project', project: 'secret' }],
      [6, { name: 'of all projects', project: null }],
    ])
    const gateway = (more: Partial<FlagState> = {}): FlagGateway => ({
      current: async ({ segments }) => ({
        features: new Map(),
        segments: new Map([...known].filter(([id]) => segments.includes(id))),
        ...more,
      }),
      apply: async () => [],
    })

    it('returns its state, its digest, and the first 100 flags that use it, of all others only their number', async () => {
      await start({ flags: gateway({ segmentUse: new Map([[4, use]]) }) })
      const { status, body } = await get('segments/4')
      expect([status, { ...body, usedBy: body.usedBy.length }]).toEqual([
        200,
        { id: 4, state: known.get(4), targets: { segment: digest }, usedBy: 101 },
      ])
      expect(body.usedBy.at(-2)).toEqual({ project: 'shop', feature: 'flag-99' })
      expect(body.usedBy.at(-1)).toEqual({ others: 21 })
      expect(JSON.stringify(body)).not.toMatch(/secret|hidden/)
    })

    it('returns no flags where the gateway does not return them, and no state without a gateway', async () => {
      await start({ flags: gateway() })
      expect((await get('segments/6')).body).toMatchObject({ state: known.get(6), usedBy: null })
      await app?.close()
      await start()
      expect((await get('segments/4')).body).toEqual({ id: 4, state: null, targets: {}, usedBy: null })
    })

    it.each(['7', '5', '0', '-1', 'x', '1.5', '9007199254740993'])('is 404 for the segment %s', async (id) => {
      await start({ flags: gateway() })
      expect((await get(`segments/${id}`)).status).toBe(404)
    })

    it('is 500 for an invalid result, and 503 if the gateway fails or hangs', async () => {
      const broken = (current: () => Promise<never>) => ({ ...gateway(), current })
      await start({ flags: gateway({ segmentUse: {} as never }) })
      expect((await get('segments/4')).status).toBe(500)
      for (const current of [() => Promise.reject(new Error('down')), () => new Promise<never>(() => undefined)]) {
        await app?.close()
        await start({ flags: broken(current), limits: { hookTimeoutMs: 50 } })
        expect((await get('segments/4')).status).toBe(503)
      }
    })
  })

  describe('GET …/segments, GET …/context-fields', () => {
    it('return what the host app finds, at most 20 segments and 200 fields', async () => {
      const searchSegments = jest.fn(() => Array.from({ length: 30 }, (_, id) => ({ id, name: `s${id}`, secret: 1 })))
      const contextFields = jest.fn(() => [
        ...[{ name: 'country', description: 'Two letters', legalValues: ['de'], stickiness: true }, { name: 'userId' }],
        ...Array.from({ length: 300 }, (_, index) => ({ name: `field-${index}` })),
      ])
      await start({ directory: { searchSegments, contextFields } })
      const { segments } = (await get('segments?query=s')).body
      expect([segments.length, segments[0]]).toEqual([20, { id: 0, name: 's0' }])
      expect(searchSegments).toHaveBeenCalledWith('s', { project: 'shop' })
      const found = (await get(fields)).body.fields
      expect([found.length, ...found.slice(0, 2)]).toEqual([
        ...[200, { name: 'country', description: 'Two letters', legalValues: ['de'], stickiness: true }],
        { name: 'userId', description: null, legalValues: null, stickiness: false },
      ])
      expect(contextFields).toHaveBeenCalledWith({ project: 'shop' })
    })

    it('return null without the hooks, and need a query for segments', async () => {
      await start()
      expect((await get('segments?query=a')).body).toEqual({ segments: null })
      expect((await get(fields)).body).toEqual({ fields: null })
      expect((await get('segments')).status).toBe(400)
    })

    it.each([undefined, 'text', [null], [{ id: 4, name: 1 }], [{ name: 'a', legalValues: [1] }]])(
      'are 500 for the result %j',
      async (result) => {
        await start({ directory: { searchSegments: () => result as never, contextFields: () => result as never } })
        expect([(await get('segments?query=a')).status, (await get(fields)).status]).toEqual([500, 500])
      },
    )
  })

  describe('GET /places', () => {
    const named = (name: string) => ({ name, type: 'test' })

    it('returns where the caller can propose changes, by name, and whether that is all', async () => {
      const directory = { projects: () => ['shop', 'blog'], environments: () => [named('b'), named('a')] }
      await start({ directory, changeRequestsEnabled: false })
      const environments = ['a', 'b'].map((name) => ({ ...named(name), changeRequestsEnabled: false }))
      expect((await get(places)).body).toEqual({ places: [{ project: 'shop', environments }], complete: true })
      expect((await get(`${places}?query=SH`)).body.places).toHaveLength(1)
      expect((await get(`${places}?query=blog`)).body).toEqual({ places: [], complete: true })
      expect((await get(`${places}?query=${'x'.repeat(101)}`)).status).toBe(400)
    })

    it('cuts at 50 projects and 20 environments', async () => {
      const all = Array.from({ length: 60 }, (_, index) => `p${String(index).padStart(2, '0')}`)
      const everywhere = { ...author, grants: [{ permission: 'CREATE_CHANGE_REQUEST' } as const] }
      const environments = () => Array.from({ length: 30 }, (_, index) => named(`e${index}`))
      await start({ authenticate: apiKeys([everywhere]), directory: { projects: () => all, environments } })
      const { body } = await get(places)
      expect([body.places.length, body.places[49].project, body.places[0].environments.length, body.complete]).toEqual([
        ...[50, 'p49', 20, false],
      ])
      expect((await get(`${places}?query=p59`)).body).toMatchObject({ places: [{ project: 'p59' }], complete: false })
    })

    it('returns what is stored without a directory, and is then not complete', async () => {
      const storage = memoryStorage()
      const settings = { changeRequestsEnabled: true, requiredApprovals: 1 }
      await storage.commitSettings({
        project: 'shop',
        environment: 'production',
        settings,
        expectedVersion: 0,
        events: [],
      })
      await start({ storage })
      expect((await get(places)).body).toEqual({ places: [], complete: false })
      await fetch(`http://127.0.0.1:${app?.port}${place}/change-requests`, {
        ...{ method: 'POST', body: JSON.stringify(enable()) },
        headers: { Authorization: author.key, 'Content-Type': 'application/json' },
      })
      const production = { name: 'production', type: 'production', changeRequestsEnabled: true }
      expect((await get(places)).body).toEqual({
        places: [{ project: 'shop', environments: [production] }],
        complete: false,
      })
    })
  })

  describe('POST …/change-requests/preview', () => {
    it('returns what the changes would do', async () => {
      await start()
      const { status, body } = await show([enable()])
      expect([status, body]).toEqual([
        200,
        {
          changes: [
            {
              ...{
                index: 0,
                action: 'updateEnabled',
                feature: 'checkout',
                scope: 'environment',
                before: null,
                after: null,
              },
              ...{ fields: [], conflict: null, baseKnown: false, endsAtEverybody: null },
            },
          ],
          ...{ implied: [], freezes: [], otherRequests: [], customFields: null },
          requirements: [expect.objectContaining({ name: 'minimum', approvals: 1, given: 0, approvedBy: [] })],
          steps: [expect.objectContaining({ step: 'applyInEmergency', allowed: false, offered: false })],
        },
      ])
    })

    it.each([
      ['no list', undefined, '/body/changes'],
      ['an empty list', [], '/body/changes'],
      ['an invalid change', [enable(), { ...enable(), payload: {} }], '/body/changes/1/payload/enabled'],
    ])('is 400 for %s', async (_name, changes, path) => {
      await start()
      const { status, body } = await show(changes)
      expect([status, body.details[0].path]).toEqual([400, path])
    })

    it('is 400 for too many changes, and names the change that the host app rejects', async () => {
      await start({ validate: () => [{ message: 'no', path: '/body/0/payload' }], limits: { changesPerRequest: 1 } })
      expect((await show([enable(), enable()])).body.name).toBe('ExceedsLimitError')
      expect((await show([enable()])).body.details).toEqual([
        { message: 'no', path: '/body/changes/0/payload', code: 'invalid' },
      ])
    })
  })

  describe('flags.actions as a map', () => {
    const payload = { type: 'object', properties: { enabled: { enum: [false] } }, additionalProperties: false }
    const schema = { type: 'object', properties: { payload }, required: ['payload'] }
    const flags: FlagGateway = {
      actions: { updateEnabled: schema },
      current: async () => ({ features: new Map(), segments: new Map() }),
      apply: async () => [],
    }

    it('is offered, and enforced in addition to our schemas wherever a change is sent', async () => {
      const propose = () => enable() as never
      const after: Host['after'] = (express) =>
        express.post('/write', (...call) =>
          app?.router.gate(() => ({ project: 'shop', environment: 'production' }), { propose })(...call),
        )
      app = await startApp({ storage: memoryStorage(), authenticate: apiKeys([author]), flags }, { after })
      expect((await get('change-requests/actions')).body.actions).toEqual([
        { action: 'updateEnabled', scope: 'environment', schema: { description: expect.any(String), ...schema } },
      ])
      const send = async (method: string, path: string, body: object) => {
        const headers = { Authorization: author.key, 'Content-Type': 'application/json' }
        const address = `http://127.0.0.1:${app?.port}${path}`
        const response = await fetch(address, { method, headers, body: JSON.stringify(body) })
        // biome-ignore lint/suspicious/noExplicitAny: the tests assert what the body holds.
        return { status: response.status, body: (await response.json()) as any }
      }
      const disable = { ...enable(), payload: { enabled: false }, expected: undefined, note: 'dropped' }
      const own = '/api/admin/projects/shop/change-requests/1/changes/1'
      expect((await send('POST', `${place}/change-requests`, disable)).status).toBe(200)
      const enabling = [
        ['POST', `${place}/change-requests`, enable(), ''],
        ['POST', `${place}/change-requests`, [disable, enable()], ' at /body/1/payload/enabled'],
        ['PUT', own, enable(), ''],
        ['POST', `${place}/change-requests/preview`, { changes: [enable()] }, ' at /body/changes/0/payload/enabled'],
        ['POST', '/write', {}, ''],
      ] as const
      for (const [method, path, body, at] of enabling) {
        const { status, body: answer } = await send(method, path, body)
        expect([path, status, answer.details]).toEqual([
          ...[path, 400],
          [{ path: 'enabled', message: `enabled must be one of false, got true${at}` }],
        ])
      }
      const loose = { ...disable, payload: { enabled: 'no' } }
      expect((await send('PUT', own, loose)).body.details[0].message).toBe('must be boolean, got "no"')
    })
  })

  describe('GET …/change-requests/actions', () => {
    it('lists what the gateway takes, and all actions without one', async () => {
      await start({
        flags: {
          actions: ['archiveFeature', 'updateEnabled'],
          current: async () => ({ features: new Map(), segments: new Map() }),
          apply: async () => [],
        },
      })
      const { body } = await get('change-requests/actions')
      expect(body.actions.map(({ action, scope }: { action: string; scope: string }) => [action, scope])).toEqual([
        ['updateEnabled', 'environment'],
        ['archiveFeature', 'project'],
      ])
      await app?.close()
      await start()
      expect((await get('change-requests/actions')).body.actions).toHaveLength(changeSchemas.size)
    })

    it('returns schemas without references that accept their own examples', async () => {
      await start()
      const { body } = await get('change-requests/actions')
      expect(JSON.stringify(body)).not.toContain('$ref')
      const ajv = addFormats(new Ajv2020({ strict: false }))
      for (const { action, schema } of body.actions) {
        const check = ajv.compile(schema)
        for (const example of schema.examples) expect([action, check(example)]).toEqual([action, true])
        expect([action, check({ action, feature: 1 })]).toEqual([action, false])
      }
    })
  })
})
