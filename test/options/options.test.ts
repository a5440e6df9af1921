import createKnex from 'knex'
import { createChangeRequestRouter, memoryStorage } from '../../src'

const storage = memoryStorage()
const authenticate = () => null
const good = { storage, authenticate }
const { commit: _, ...storageWithoutCommit } = storage

const makeRouter = (options: object) => () => createChangeRequestRouter(options as never)

const tag = { type: 'team', value: 'payments' }

describe('createChangeRequestRouter(options) rejects', () => {
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
    ['validate', { ...good, validate: [] }],
    ['playground', { ...good, playground: {} }],
    ['basePath', { ...good, basePath: '/api/' }],
    ['basePath', { ...good, basePath: '/:tenant' }],
    ['basePath', { ...good, basePath: /api/ }],
    ['changeRequestsEnabled', { ...good, changeRequestsEnabled: 'yes' }],
    ['requiredApprovals', { ...good, requiredApprovals: 0 }],
    ['requiredApprovals', { ...good, requiredApprovals: 11 }],
    ['stateTimestamps', { ...good, stateTimestamps: 1 }],
    ['gravatar', { ...good, gravatar: null }],
    ['recordIp', { ...good, recordIp: 'true' }],
    ['approvalRules', { ...good, approvalRules: { name: 'owners', approvals: 1 } }],
    ['payments owners', { ...good, approvalRules: [{ name: 'payments owners', approvals: 0 }] }],
    ['checks', { ...good, checks: { name: 'ci' } }],
    ['requird', { ...good, checks: [{ name: 'ci', requird: true }] }],
    ['freezes', { ...good, freezes: { name: 'Sale' } }],
    ['Sale', { ...good, freezes: [{ name: 'Sale', reason: 'Sales', from: '2026-11-27' }] }],
    ['payments owners', { ...good, approvalRules: [{ name: 'payments owners', approvals: 1, when: { tags: [tag] } }] }],
    ['recheckApprovers', { ...good, recheckApprovers: true }],
    ['approvalsExpireAfterMs', { ...good, approvalsExpireAfterMs: 59_999 }],
    ['emergency', { ...good, emergency: 'yes' }],
    ['pageUrl', { ...good, pageUrl: 'https://a.example/ b' }],
    ['pageUrl', { ...good, pageUrl: 'https://a.example/' }],
    ['pageUrl', { ...good, pageUrl: 'https://a.example/?a=b' }],
    ['pageUrl', { ...good, pageUrl: 'a.example/review' }],
    ['pageUrl', { ...good, pageUrl: 'javascript:alert(1)' }],
    ['pageUrl', { ...good, pageUrl: null }],
    ['links.project', { ...good, links: { project: 'teams/{project}' } }],
    ['flags', { ...good, links: { flags: '/{flag}' } }],
    ['links.flag', { ...good, links: { flag: 'javascript:{flag}' } }],
    ['links.flag', { ...good, links: { flag: '/a)b/{flag}' } }],
    ['links.flag', { ...good, links: { flag: null } }],
    ['{feature}', { ...good, links: { flag: 'https://a.example/{project}/{feature}' } }],
    ['{flag', { ...good, links: { flag: '/{flag' } }],
    ['{Flag}', { ...good, links: { flag: '/{Flag}' } }],
    ['{flag}', { ...good, links: { project: '/{project}/{flag}' } }],
    ['errors', { ...good, errors: 'throw' }],
    ['schedule', { ...good, schedule: true }],
    ['logger', { ...good, logger: { info() {}, warn() {}, error() {} } }],
    ['clock', { ...good, clock: new Date() }],
    ['limits.bodyBytes', { ...good, limits: { bodyBytes: 0 } }],
    ['limits.changesPerRequest', { ...good, limits: { changesPerRequest: '100' } }],
    ['limits.changesPerChangeRequest', { ...good, limits: { changesPerChangeRequest: Number.NaN } }],
    ['limits.heartbeatMs', { ...good, limits: { heartbeatMs: '15000' } }],
    ['bodySize', { ...good, limits: { bodySize: 1 } }],
    ['storge', { ...good, storge: storage }],
    ['toString', { ...good, toString: 1 }],
  ])('%s in %j with a TypeError that names it', (name, options) => {
    expect(makeRouter(options)).toThrow(TypeError)
    expect(makeRouter(options)).toThrow(`"${name}"`)
  })

  it.each([[undefined], [null], ['storage'], [[]]])('%p as its options', (options) => {
    expect(() => createChangeRequestRouter(options as never)).toThrow(TypeError)
  })

  it('no option that is undefined: it counts as absent', () => {
    const absent = { authorize: undefined, limits: undefined, basePath: undefined, errors: undefined }
    expect(makeRouter({ ...good, ...absent })).not.toThrow()
  })

  it('no logger with the needed methods, such as console', () => {
    expect(makeRouter({ ...good, logger: console })).not.toThrow()
  })
})

describe('createChangeRequestRouter(options) names the mistake', () => {
  const knex = Object.assign(() => undefined, { raw: () => undefined, client: {} })
  const { commit: _commit, find: _find, ...half } = storage
  const gateway = { current: () => undefined, apply: () => undefined }
  const anotherVersion = 'createChangeRequestRouter: option "storage" must be a storage with portVersion 1'
  const aStorage = 'option "storage" must be a storage, such as knexStorage({ knex })'

  it.each([
    ['a promise', { storage: Promise.resolve(storage) }, `${aStorage}; this is a promise: await it first.`],
    ['its factory', { storage: memoryStorage }, `${aStorage}; this is a function: call it, and pass what it returns.`],
    ['a Knex', { storage: knex }, `${aStorage}; this is a Knex: pass knexStorage({ knex }) from `],
    ['a real Knex', { storage: createKnex({ client: 'pg' }) }, 'this is a Knex'],
    ['a storage without a method', { storage: storageWithoutCommit }, `${aStorage}; commit is missing.`],
    ['a storage without two', { storage: half }, `${aStorage}; find, commit are missing.`],
    [
      'a storage without a version',
      { storage: { ...storage, portVersion: undefined } },
      `${anotherVersion}, not none: `,
    ],
    [
      'a storage of another version',
      { storage: { ...storage, portVersion: 2 } },
      `${anotherVersion}, not portVersion 2: `,
    ],
    [
      'one of another version that lacks a method',
      { storage: { ...storage, portVersion: 2, commit: undefined } },
      'update the storage to this version of the package, or install the version that the storage was written for.',
    ],
    ['a text', { storage: 'app.sqlite' }, `${aStorage}.`],
    ['a gateway that is a function', { flags: () => gateway }, 'this is a function: call it'],
    ['a gateway that is a promise', { flags: Promise.resolve(gateway) }, 'this is a promise: await it'],
    [
      'a gateway that applies nothing',
      { flags: { current: gateway.current } },
      'with current and apply; apply is missing.',
    ],
    ['users who are a function', { users: () => [] }, 'this is a function: call it'],
    ['a clock of numbers', { clock: Date.now }, 'option "clock" must be a function that returns a Date.'],
    ['a clock without a time', { clock: () => new Date('now') }, 'must be a function that returns a Date.'],
    ['a clock that throws', { clock: () => knex() }, 'must be a function that returns a Date.'],
    ['a logger that is true', { logger: true }, 'option "logger" must be false, or a logger with debug, info, '],
  ])('%s', (_name, options, message) => {
    expect(makeRouter({ ...good, ...options })).toThrow(TypeError)
    expect(makeRouter({ ...good, ...options })).toThrow(message)
  })

  it.each([
    ['no list', 'updateEnabled', 'must be a list of actions'],
    ['an empty list', [], 'must be a list of actions'],
    ['an unknown action', ['updateEnabled', 'updateEnable'], /list of updateSegment, .*, without "updateEnable"\.$/],
    ['an inherited name', ['toString'], 'without "toString"'],
    ['something else', [null], 'without values that are not strings'],
    ['a map with an unknown action', { updateEnable: {} }, 'without "updateEnable"'],
    [
      'a map with an action without a schema',
      { updateEnabled: null },
      '"flags.actions.updateEnabled" must be a JSON Schema',
    ],
  ])('a gateway whose actions are %s', (_name, actions, message) => {
    const make = makeRouter({ ...good, flags: { ...gateway, actions } })
    expect(make).toThrow(TypeError)
    expect(make).toThrow('"flags.actions')
    expect(make).toThrow(message)
  })

  it('a transactional gateway with a storage without transactions', () => {
    const make = makeRouter({ ...good, flags: { ...gateway, transactional: true } })
    expect(make).toThrow(TypeError)
    expect(make).toThrow('option "flags" must be without transactional: this storage has no transactions.')
  })

  it.each([
    ['outcomes', 'outcome'],
    ['outcom', 'outcome'],
    ['otucome', 'outcome'],
    ['Outcome', 'outcome'],
    ['action', 'actions'],
    ['transactionel', 'transactional'],
  ])('a gateway with %s, which is almost %s', (name, meant) => {
    const make = makeRouter({ ...good, flags: { ...gateway, [name]: () => null } })
    expect(make).toThrow(
      new TypeError(
        `createChangeRequestRouter: option "flags.${name}" must be left out, or named "${meant}"; see docs/flag-gateway.md.`,
      ),
    )
  })

  it.each([
    [
      'a property',
      new (class Flags {
        readonly outcomes = () => null
        current() {}
        apply() {}
      })(),
      ['outcomes', 'outcome'],
    ],
    [
      'an inherited method',
      new (class Flags extends class {
        current() {}
        apply() {}
        Actions() {}
      } {})(),
      ['Actions', 'actions'],
    ],
    [
      'nothing, because it also has the right one',
      new (class Flags {
        readonly outcomes = []
        current() {}
        apply() {}
        outcome() {}
      })(),
      undefined,
    ],
  ])('warns of a gateway class with %s', (_name, flags, typo) => {
    const lines: string[] = []
    const logger = { ...console, warn: (_: object, message: string) => void lines.push(message) }
    makeRouter({ ...good, logger, flags })()
    const expected = `The flag gateway has "${typo?.[0]}", but no "${typo?.[1]}". If that is what it should be, rename it: see docs/flag-gateway.md.`
    expect(lines.filter((line) => line.includes('rename'))).toEqual(typo === undefined ? [] : [expected])
  })

  it('warns once of a field of a rule that no action of the gateway can alter', () => {
    const lines: string[] = []
    const logger = { ...console, warn: (_: object, message: string) => void lines.push(message) }
    const flags = { ...gateway, outcome: () => null, actions: ['updateEnabled'] }
    const fields = [{ path: '/enabled' }, { path: '/parameters/rollout', by: 25 }]
    makeRouter({ ...good, logger, flags, approvalRules: [{ name: 'big steps', approvals: 1, when: { fields } }] })()
    makeRouter({ ...good, logger, flags, checks: [{ name: 'ci', when: { fields: [{ path: '/paramters' }] } }] })()
    expect(lines).toEqual([
      'No change can alter the field "/parameters/rollout" of the approval rule "big steps".',
      'No change can alter the field "/paramters" of the check "ci".',
    ])
  })

  it('accepts other properties of a gateway, and any of a class', () => {
    class Flags {
      readonly outcomes = []
      current() {}
      apply() {}
    }
    const flags = { ...gateway, outcome: () => null, table: 'flags', reactions: [] }
    for (const one of [flags, new Flags()]) expect(makeRouter({ ...good, logger: false, flags: one })).not.toThrow()
  })

  it('accepts a gateway with known actions', () => {
    expect(
      makeRouter({ ...good, logger: false, flags: { ...gateway, actions: ['archiveFeature', 'updateEnabled'] } }),
    ).not.toThrow()
  })
})
