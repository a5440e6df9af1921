import { hash, timingSafeEqual } from 'node:crypto'
import { checkOption, refuseTyposIn, refuseUnknownOptions } from '../check-options'
import { ChangeRequestError } from '../errors'
import { type Actor, type Authenticate, type Grant, grantable, problemOfKind } from '../ports/access'

/** A key for {@link apiKeys}, with its user and grants. Set either `key` or `sha256`. */
export interface ApiKey {
  /** The key as the caller sends it; only its digest is stored. Use 256 random bits. */
  readonly key?: string
  /** Instead of `key`: its SHA-256 as 64 hexadecimal digits, so that your configuration does not contain the key. */
  readonly sha256?: string
  /** The user of the key. */
  readonly user: Omit<Actor, 'grants'>
  /**
   * The permissions of the user.
   * @defaultValue none
   */
  readonly grants?: readonly Grant[]
}

/** `project:environment.secret`: a key of the client or frontend API, which is rejected (contract 2.3). */
const clientKey = /^[^:\s]+:[^.\s]+\.[0-9a-f]{64}$/

/**
 * Creates an {@link Authenticate} for keys in the header `Authorization`, as `<key>` or `Bearer <key>`. It stores only
 * their digests, and compares them in constant time. An unknown key is rejected with 401 UnauthorizedError, a key of the
 * client or frontend API with 403 ForbiddenError.
 *
 * @example
 * ```ts
 * const router = createChangeRequestRouter({
 *   storage,
 *   authenticate: apiKeys([
 *     { key: process.env['ANN_KEY'] ?? '', user: { id: 1, username: 'ann' }, grants: [{ permission: 'READ_EVENTS' }] },
 *   ]),
 * })
 * ```
 *
 * @throws TypeError that names the entry and the option, when a key is missing, malformed or a duplicate, or when a grant
 * has an unknown permission.
 */
export function apiKeys(keys: readonly ApiKey[]): Authenticate {
  if (!Array.isArray(keys)) throw new TypeError('apiKeys: pass a list of keys.')
  const actors = new Map<string, { digest: Buffer; actor: Actor }>()
  keys.forEach((entry: ApiKey, index) => {
    const digest = checkedDigest(`apiKeys[${index}]`, entry)
    const name = digest.toString('hex')
    if (actors.has(name)) throw new TypeError(`apiKeys[${index}]: this key is already in the list.`)
    actors.set(name, { digest, actor: { ...entry.user, grants: [...(entry.grants ?? [])] } })
  })

  const authenticate: Authenticate = ({ headers }) => {
    const key = headers.authorization?.replace(/^Bearer +/i, '')
    if (key === undefined || key === '') return null
    const digest = sha256(key)
    const known = actors.get(digest.toString('hex'))
    if (known !== undefined && timingSafeEqual(known.digest, digest)) return known.actor
    if (clientKey.test(key) && !key.startsWith('*:*.')) {
      throw new ChangeRequestError(
        'ForbiddenError',
        'Keys of the client and frontend API are not accepted. Use the key of a user or service account.',
      )
    }
    return null
  }
  apiKeyAuthenticators.add(authenticate)
  return authenticate
}

const apiKeyAuthenticators = new WeakSet<Authenticate>()

/** True for what {@link apiKeys} returns. */
export function isApiKeys(authenticate: Authenticate): boolean {
  return apiKeyAuthenticators.has(authenticate)
}

function checkedDigest(owner: string, entry: ApiKey): Buffer {
  refuseUnknownOptions(owner, entry, ['key', 'sha256', 'user', 'grants'])
  const { key, sha256: digest, user, grants = [] } = entry
  checkOption(owner, 'user', typeof user === 'object' && user !== null, 'an object')
  refuseTyposIn(owner, 'user', user, decisiveProperties, 'docs/permissions.md')
  const { id, groups } = user
  const isId = id === null || (Number.isSafeInteger(id) && id > 0)
  checkOption(owner, 'user.id', isId, 'a positive whole number, or null for a key without a user')
  const listed = groups === undefined || (Array.isArray(groups) && groups.every((group) => typeof group === 'string'))
  checkOption(owner, 'user.groups', listed, 'a list of names, or left out')
  const problem = problemOfKind(user)
  if (problem !== undefined) checkOption(owner, `user.${problem.property}`, false, problem.expected)
  checkOption(owner, 'grants', Array.isArray(grants), 'a list of objects with a permission')
  for (const [index, grant] of grants.entries()) checkGrant(`${owner}.grants[${index}]`, grant)
  if (digest !== undefined) {
    const fits = key === undefined && /^[0-9a-f]{64}$/i.test(digest)
    checkOption(owner, 'sha256', fits, '64 hexadecimal digits, without key')
    return Buffer.from(digest, 'hex')
  }
  checkOption(owner, 'key', typeof key === 'string' && key.length > 0, 'a non-empty string')
  return sha256(key as string)
}

/** What rules depend on: a machine whose `kind` is misspelt would count as a person. */
const decisiveProperties: readonly (keyof Actor)[] = ['groups', 'kind', 'onBehalfOf']

function checkGrant(owner: string, grant: Grant): void {
  refuseUnknownOptions(owner, grant, ['permission', 'project', 'environment'])
  const { permission, project, environment } = grant
  checkOption(owner, 'permission', grantable.includes(permission), `one of ${grantable.join(', ')}`)
  const isName = (name: unknown) => name === undefined || (typeof name === 'string' && name !== '')
  checkOption(owner, 'project', isName(project), 'a name, or left out for all projects and the instance')
  checkOption(owner, 'environment', isName(environment), 'a name, or left out for all environments')
}

function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}
