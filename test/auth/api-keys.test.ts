import { createHash } from 'node:crypto'
import { type ApiKey, apiKeys, type Grant } from '../../src'

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

  it('distinguishes callers, and rejects the digest itself, an absent key and any other key', () => {
    const other = { key: `${key}!`, user: { id: 2 } }
    expect(ask(other.key, { key, user, grants }, other)).toEqual({ id: 2, grants: [] })
    for (const header of [sha256, undefined, '', 'Bearer ', `${key}?`, `Basic ${key}`, `${key} `]) {
      expect(ask(header, { key, user, grants }, other)).toBeNull()
    }
  })

  it('copies the list and the grants: a later change allows nothing', () => {
    const none: Grant[] = []
    const list: ApiKey[] = [{ key, user, grants: none }]
    const authenticateByKey = apiKeys(list)
    list.push({ key: `${key}!`, user })
    none.push({ permission: 'ADMIN' })
    expect(authenticateByKey({ headers: { authorization: key } } as never)).toEqual({ ...user, grants: [] })
    expect(authenticateByKey({ headers: { authorization: `${key}!` } } as never)).toBeNull()
  })

  it('rejects everybody with an empty list', () => {
    expect(ask(key)).toBeNull()
  })

  it.each([
    ['key', [{ user }]],
    ['key', [{ key: '', user }]],
    ['key', [{ key: 1234567890123456, user }]],
    ['sha256', [{ sha256: `${sha256.slice(1)}g`, user }]],
    ['sha256', [{ key, sha256, user }]],
    ['user', [{ key }]],
    ['user', [{ key, user: 'ann' }]],
    ['user.id', [{ key, user: { id: '1' } }]],
    ['user.groups', [{ key, user: { id: 1, groups: 'payments' } }]],
    ['user.id', [{ key, user: { id: -42 } }]],
    ['user.kind', [{ key, user: { id: 1, kind: 'robot' } }]],
    ['user.knd', [{ key, user: { id: 1, knd: 'service' } }]],
    ['user.group', [{ key, user: { id: 1, group: ['owners'] } }]],
    ['user.onBehalfOf', [{ key, user: { id: 1, onBehalfOf: { id: 2 } } }]],
    ['user.onBehalfOf', [{ key, user: { id: 1, kind: 'person', onBehalfOf: { id: 2 } } }]],
    ['user.onBehalfOf', [{ key, user: { id: 1, kind: 'agent', onBehalfOf: { id: 1 } } }]],
    ['user.onBehalfOf', [{ key, user: { id: 1, kind: 'agent', onBehalfOf: { id: '2' } } }]],
    ['user.onBehalfOf', [{ key, user: { id: 1, kind: 'agent', onBehalfOf: 2 } }]],
    ['user.onBehalfOf', [{ key, user: { id: 1, kind: 'agent', onBehalfOf: { id: 2, username: 7 } } }]],
    ['grants', [{ key, user, grants: 'ADMIN' }]],
    ['permission', [{ key, user, grants: [{ permission: 'READ_EVENT' }] }]],
    ['permission', [{ key, user, grants: [{ permission: 'toString' }] }]],
    ['project', [{ key, user, grants: [{ permission: 'ADMIN', project: '' }] }]],
    ['project', [{ key, user, grants: [{ permission: 'ADMIN', project: null }] }]],
    ['environment', [{ key, user, grants: [{ permission: 'ADMIN', project: 'shop', environment: '' }] }]],
    ['environment', [{ key, user, grants: [{ permission: 'ADMIN', environment: ['production'] }] }]],
    ['projects', [{ key, user, grants: [{ permission: 'ADMIN', projects: ['shop'] }] }]],
    ['keys', [{ keys: key, user }]],
  ])('rejects a wrong %s (%j) with a TypeError that names the entry and the option', (option, keys) => {
    const fine = { key: 'key-of-ben', user }
    const make = () => apiKeys([fine, ...(keys as ApiKey[])])
    expect(make).toThrow(TypeError)
    expect(make).toThrow('apiKeys[1]')
    expect(make).toThrow(`"${option}"`)
  })

  it('knows machines, and the people for whom they act', () => {
    const bot = { id: 9, kind: 'service', onBehalfOf: { id: 1, username: 'ann' } } as const
    expect(ask(key, { key, user: bot })).toEqual({ ...bot, grants: [] })
  })

  it('names the invalid grant and the known permissions', () => {
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
  ])('rejects %s', (_name, keys) => {
    expect(() => apiKeys(keys)).toThrow('apiKeys[1]: this key is already in the list.')
    expect(() => apiKeys(keys)).not.toThrow(key)
  })

  it('rejects what is not a list', () => {
    expect(() => apiKeys({ key, user } as never)).toThrow(TypeError)
  })
})
