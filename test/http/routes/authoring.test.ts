import { Ajv2020 } from 'ajv/dist/2020'
import addFormats from 'ajv-formats'
import type { ChangeRequestRouterOptions, FlagGateway, FlagState, SegmentState } from '../../../src'
import { apiKeys, memoryStorage } from '../../../src'
import { changeSchemas } from '../../../src/validation/core/registry'
import { startApp, type TestApp } from '../../support/app'

const place = '/api/admin/projects/shop/environments/production'
const archive = { permission: 'CREATE_CHANGE_REQUEST', project: 'shop', environment: 'production' } as const
const author = { key: 'key-of-the-author-0123', user: { id: 8, username: 'author' }, grants: [archive] }
const reader = { key: 'key-of-the-reader-0123', user: { id: 9, username: 'reader' }, grants: [] }
const digest = expect.stringMatching(/^sha256:[0-9a-f]{64}$/)
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

  it('is 404 in an unknown project, before anything else is called', async () => {
    const searchFeatures = jest.fn()
    await start({ directory: { hasProject: () => false, searchFeatures } })
    for (const path of ['flags?query=a', 'flags/checkout', 'segments/4', 'change-requests/actions']) {
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
      })
    })

    it('returns no state without a gateway', async () => {
      await start()
      expect((await get('flags/checkout')).body).toEqual({
        ...{ name: 'checkout', state: null, segmentNames: {}, targets: {} },
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
