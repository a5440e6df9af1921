import { createHash } from 'node:crypto'
import createKnex from 'knex'
import { type ApiKey, apiKeys, createChangeRequestRouter, type Grant, memoryStorage } from '../src'

const storage = memoryStorage()
const authenticate = () => null
const good = { storage, authenticate }
const { commit: _, ...storageWithoutCommit } = storage

const makeRouter = (options: object) => () => createChangeRequestRouter(options as never)

describe('createChangeRequestRouter(options) refuses', () => {
  it.each([
    ['storage', { authenticate }],
    ['storage', { ...good, storage: null }],
    ['storage', { ...good, storage: {} }],
    ['storage', { ...good, storage: storageWithoutCommit }],
    ['authenticate', { storage }],
    ['authenticate', { ...good, authenticate: 'key' }],
    ['authorize', { ...good, authorize: true }],
    ['directory', { ...good, directory: { hasProject: true } }],
    ['hasProjects', { ...good, directory: { hasProjects: () => true } }],
    ['basePath', { ...good, basePath: '/' }],
    ['basePath', { ...good, basePath: '/api/' }],
    ['basePath', { ...good, basePath: 'api' }],
    ['basePath', { ...good, basePath: '/:tenant' }],
    ['basePath', { ...good, basePath: '/a b' }],
    ['basePath', { ...good, basePath: /api/ }],
    ['basePath', { ...good, basePath: 1 }],
    ['changeRequestsEnabled', { ...good, changeRequestsEnabled: 'yes' }],
    ['requiredApprovals', { ...good, requiredApprovals: 0 }],
    ['requiredApprovals', { ...good, requiredApprovals: 11 }],
    ['requiredApprovals', { ...good, requiredApprovals: 1.5 }],
    ['requiredApprovals', { ...good, requiredApprovals: '2' }],
    ['stateTimestamps', { ...good, stateTimestamps: 1 }],
    ['gravatar', { ...good, gravatar: null }],
    ['recordIp', { ...good, recordIp: 'true' }],
    ['linkBase', { ...good, linkBase: 'https://a.example/ b' }],
    ['linkBase', { ...good, linkBase: 'https://a.example/)' }],
    ['linkBase', { ...good, linkBase: 1 }],
    ['errors', { ...good, errors: 'throw' }],
    ['logger', { ...good, logger: {} }],
    ['logger', { ...good, logger: { info() {}, warn() {}, error() {} } }],
    ['clock', { ...good, clock: new Date() }],
    ['limits.bodyBytes', { ...good, limits: { bodyBytes: 0 } }],
    ['limits.bodyDepth', { ...good, limits: { bodyDepth: -1 } }],
    ['limits.bodyNodes', { ...good, limits: { bodyNodes: 1.5 } }],
    ['limits.changesPerRequest', { ...good, limits: { changesPerRequest: '100' } }],
    ['limits.changesPerChangeRequest', { ...good, limits: { changesPerChangeRequest: Number.NaN } }],
    ['limits.streamTimeoutMs', { ...good, limits: { streamTimeoutMs: Number.POSITIVE_INFINITY } }],
    ['limits.followPollMs', { ...good, limits: { followPollMs: 0 } }],
    ['limits.heartbeatMs', { ...good, limits: { heartbeatMs: '15000' } }],
    ['limits.followMs', { ...good, limits: { followMs: -1 } }],
    ['bodySize', { ...good, limits: { bodySize: 1 } }],
    ['storge', { ...good, storge: storage }],
    ['toString', { ...good, toString: 1 }],
  ])('%s in %j with a TypeError that names it', (name, options) => {
    expect(makeRouter(options)).toThrow(TypeError)
    expect(makeRouter(options)).toThrow(`"${name}"`)
  })

  it.each([[undefined], [null], ['storage'], [[]]])('%p for its options', (options) => {
    expect(() => createChangeRequestRouter(options as never)).toThrow(TypeError)
  })

  it('nothing of an option that is undefined: it counts as absent', () => {
    const absent = { authorize: undefined, limits: undefined, basePath: undefined, errors: undefined }
    expect(makeRouter({ ...good, ...absent })).not.toThrow()
  })

  it('no logger that fits: console is one', () => {
    expect(makeRouter({ ...good, logger: console })).not.toThrow()
  })
})

describe('createChangeRequestRouter(options) tells which slip it was', () => {
  const knex = Object.assign(() => undefined, { raw: () => undefined, client: {} })
  const { commit: _commit, find: _find, ...half } = storage
  const gateway = { current: () => undefined, apply: () => undefined }
  const aStorage = 'option "storage" must be a storage, such as knexStorage({ knex })'

  it.each([
    ['a promise', { storage: Promise.resolve(storage) }, `${aStorage}; this is a promise: await it first.`],
    [
      'its factory',
      { storage: memoryStorage },
      `${aStorage}; this is a function: call it, and hand in what it returns.`,
    ],
    ['a Knex', { storage: knex }, `${aStorage}; this is the Knex itself: take knexStorage({ knex }) of `],
    ['a real Knex', { storage: createKnex({ client: 'pg' }) }, 'this is the Knex itself'],
    ['a storage without a method', { storage: storageWithoutCommit }, `${aStorage}; commit is missing.`],
    ['a storage without two', { storage: half }, `${aStorage}; find, commit are missing.`],
    ['a text', { storage: 'app.sqlite' }, `${aStorage}.`],
    ['a gateway that is a function', { flags: () => gateway }, 'this is a function: call it'],
    ['a gateway that is a promise', { flags: Promise.resolve(gateway) }, 'this is a promise: await it'],
    [
      'a gateway that applies nothing',
      { flags: { current: gateway.current } },
      'with current and apply; apply is missing.',
    ],
    ['users who are a function', { users: () => [] }, 'this is a function: call it'],
  ])('%s', (_name, options, message) => {
    expect(makeRouter({ ...good, ...options })).toThrow(TypeError)
    expect(makeRouter({ ...good, ...options })).toThrow(message)
  })

  it.each([
    ['no list', 'updateEnabled', 'must be a list of actions'],
    ['an empty list', [], 'must be a list of actions'],
    ['an unknown action', ['updateEnabled', 'updateEnable'], /list of updateSegment, .*, without "updateEnable"\.$/],
    ['an inherited name', ['toString'], 'without "toString"'],
    ['something else', [null], 'without what is no text'],
  ])('a gateway whose actions are %s', (_name, actions, message) => {
    const make = makeRouter({ ...good, flags: { ...gateway, actions } })
    expect(make).toThrow(TypeError)
    expect(make).toThrow('"flags.actions"')
    expect(make).toThrow(message)
  })

  it('a gateway that wants a transaction of a storage that has none', () => {
    const make = makeRouter({ ...good, flags: { ...gateway, transactional: true } })
    expect(make).toThrow(TypeError)
    expect(make).toThrow('option "flags" must be without transactional: this storage has no transactions to share.')
  })

  it('a gateway whose actions are known is taken', () => {
    expect(makeRouter({ ...good, flags: { ...gateway, actions: ['archiveFeature', 'updateEnabled'] } })).not.toThrow()
  })
})

describe('apiKeys([...])', () => {
  const key = 'key-of-ann'
  const sha256 = createHash('sha256').update(key).digest('hex')
  const user = { id: 1, username: 'ann' }
  const grants = [{ permission: 'ADMIN' }]

  const ask = (authorization: string | undefined, ...keys: ApiKey[]) =>
    apiKeys(keys)({ headers: { authorization } } as never)

  it.each([
    ['a key', { key, user, grants }],
    ['the digest of a key', { sha256, user, grants }],
    ['a digest in capitals', { sha256: sha256.toUpperCase(), user, grants }],
  ])('knows the caller by %s', (_name, entry) => {
    for (const header of [key, `Bearer ${key}`, `bearer ${key}`, `BEARER   ${key}`]) {
      expect(ask(header, entry)).toEqual({ ...user, grants })
    }
  })

  it('tells callers apart, and knows nobody by the digest itself, by no key or by another', () => {
    const other = { key: `${key}!`, user: { id: 2 } }
    expect(ask(other.key, { key, user, grants }, other)).toEqual({ id: 2, grants: [] })
    for (const header of [sha256, undefined, '', 'Bearer ', `${key}?`, `Basic ${key}`, `${key} `]) {
      expect(ask(header, { key, user, grants }, other)).toBeNull()
    }
  })

  it('keeps what it was given apart: a later change of the list or the grants opens nothing', () => {
    const none: Grant[] = []
    const list: ApiKey[] = [{ key, user, grants: none }]
    const authenticateByKey = apiKeys(list)
    list.push({ key: `${key}!`, user })
    none.push({ permission: 'ADMIN' })
    expect(authenticateByKey({ headers: { authorization: key } } as never)).toEqual({ ...user, grants: [] })
    expect(authenticateByKey({ headers: { authorization: `${key}!` } } as never)).toBeNull()
  })

  it('an empty list lets nobody in', () => {
    expect(ask(key)).toBeNull()
  })

  it.each([
    ['key', [{ user }]],
    ['key', [{ key: '', user }]],
    ['key', [{ key: null, user }]],
    ['key', [{ key: 1234567890123456, user }]],
    ['sha256', [{ sha256: 'abc', user }]],
    ['sha256', [{ sha256: `${sha256.slice(1)}g`, user }]],
    ['sha256', [{ key, sha256, user }]],
    ['user', [{ key }]],
    ['user', [{ key, user: 'ann' }]],
    ['user.id', [{ key, user: {} }]],
    ['user.id', [{ key, user: { id: '1' } }]],
    ['user.id', [{ key, user: { id: 1.5 } }]],
    ['user.id', [{ key, user: { id: 0 } }]],
    ['user.id', [{ key, user: { id: -42 } }]],
    ['grants', [{ key, user, grants: 'ADMIN' }]],
    ['permission', [{ key, user, grants: [{}] }]],
    ['permission', [{ key, user, grants: [{ permission: 'READ_EVENT' }] }]],
    ['permission', [{ key, user, grants: [{ permission: 'read_events' }] }]],
    ['permission', [{ key, user, grants: [{ permission: 'toString' }] }]],
    ['project', [{ key, user, grants: [{ permission: 'ADMIN', project: '' }] }]],
    ['project', [{ key, user, grants: [{ permission: 'ADMIN', project: null }] }]],
    ['environment', [{ key, user, grants: [{ permission: 'ADMIN', project: 'shop', environment: '' }] }]],
    ['environment', [{ key, user, grants: [{ permission: 'ADMIN', environment: ['production'] }] }]],
    ['projects', [{ key, user, grants: [{ permission: 'ADMIN', projects: ['shop'] }] }]],
    ['keys', [{ keys: key, user }]],
  ])('refuses a wrong %s (%j) with a TypeError that names the entry and the option', (option, keys) => {
    const fine = { key: 'key-of-ben', user }
    const make = () => apiKeys([fine, ...(keys as ApiKey[])])
    expect(make).toThrow(TypeError)
    expect(make).toThrow('apiKeys[1]')
    expect(make).toThrow(`"${option}"`)
  })

  it('names the grant, and the permissions that there are', () => {
    const make = () => apiKeys([{ key, user, grants: [...grants, { permission: 'APPROVE' }] }])
    expect(make).toThrow(/^apiKeys\[0\]\.grants\[1\]: option "permission" must be one of READ_CHANGE_REQUEST, /)
    expect(make).toThrow('APPROVE_CHANGE_REQUEST, APPLY_CHANGE_REQUEST')
    expect(() => apiKeys([{ key, user, grants: ['ADMIN'] as never }])).toThrow('apiKeys[0].grants[0]')
    expect(() => apiKeys([{ key, user, grants: [{ permission: 'UPDATE_PROJECT' }] }])).not.toThrow()
  })

  it.each([
    [
      'the same key twice',
      [
        { key, user },
        { key, user },
      ],
    ],
    [
      'a key and its digest',
      [
        { key, user },
        { sha256, user: { id: 2 } },
      ],
    ],
  ])('refuses %s', (_name, keys) => {
    expect(() => apiKeys(keys)).toThrow('apiKeys[1]: the same key stands in the list twice.')
    expect(() => apiKeys(keys)).not.toThrow(key)
  })

  it('refuses what is no list', () => {
    expect(() => apiKeys({ key, user } as never)).toThrow(TypeError)
  })
})
