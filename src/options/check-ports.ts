import { refuseUnknownOptions } from '../check-options'
import { allActions } from '../domain/actions/actions'
import { requiredStorageMethods, storagePortVersion } from '../ports/storage'
import { check, owner } from './check'
import type { ResolvedOptions } from './router-options'

/** @throws TypeError that names the option when a port of the host is not an object with the needed methods. */
export function checkPorts(options: ResolvedOptions): void {
  const { storage, authenticate, authorize, directory, users, flags, validate, playground, logger, clock } = options
  checkStorage(storage)
  check(
    'authenticate',
    typeof authenticate === 'function',
    'a function that returns the caller, such as apiKeys([...])',
  )
  check('authorize', typeof authorize === 'function', 'a function')
  if (users !== null) checkPort('users', users, ['find', 'reviewers'], 'a user directory with find and reviewers')
  if (flags !== null) checkPort('flags', flags, ['current', 'apply'], 'a flag gateway with current and apply')
  if (flags?.actions !== undefined) checkActions(flags.actions)
  checkHook('validate', validate, 'a function that returns what is wrong, such as unleashRules()')
  checkHook('playground', playground, 'a function that evaluates flags')
  const shareable = flags?.transactional !== true || typeof storage.transaction === 'function'
  check('flags', shareable, 'without transactional: this storage has no transactions to share')
  check('logger', hasMethods(logger, ['debug', 'info', 'warn', 'error']), 'a logger with debug, info, warn and error')
  check('clock', typeof clock === 'function', 'a function that returns a Date')
  refuseUnknownOptions(`${owner}.directory`, directory, ['hasProject', 'knownFeatures', 'environments'])
  check(
    'directory',
    Object.values(directory).every((hook) => typeof hook === 'function'),
    'an object of functions',
  )
}

function checkHook(name: string, hook: unknown, expected: string): void {
  check(name, hook === null || typeof hook === 'function', expected)
}

function checkActions(actions: unknown): void {
  const listed = Array.isArray(actions) && actions.length > 0
  check('flags.actions', listed, 'a list of actions, or left out for all actions')
  for (const action of actions as unknown[]) {
    const known = (allActions as readonly unknown[]).includes(action)
    const named = typeof action === 'string' ? `"${action}"` : 'what is no text'
    check('flags.actions', known, `a list of ${allActions.join(', ')}, without ${named}`)
  }
}

/** A wrong version is reported before missing methods, because it explains them. */
function checkStorage(storage: unknown): void {
  const { portVersion } = (storage ?? {}) as { readonly portVersion?: unknown }
  const found = portVersion === undefined ? 'none' : `portVersion ${String(portVersion)}`
  const expected =
    `a storage with portVersion ${storagePortVersion}, not ${found}: update the storage to this version of the package, ` +
    'or install the version that the storage was made for'
  const isCurrent = portVersion === storagePortVersion
  check('storage', isCurrent || portVersion === undefined, expected)
  checkPort('storage', storage, requiredStorageMethods, 'a storage, such as knexStorage({ knex })')
  check('storage', isCurrent, expected)
}

/** The error says which mistake was made: a promise, a factory, a Knex, or missing methods. */
function checkPort(name: string, port: unknown, methods: readonly string[], expected: string): void {
  const mistake = mistakeIn(port, methods)
  check(name, mistake === undefined, `${expected}${mistake}`)
}

function mistakeIn(port: unknown, methods: readonly string[]): string | undefined {
  const candidate = port as Record<string, unknown> | null | undefined
  if (candidate == null || (typeof port !== 'object' && typeof port !== 'function')) return ''
  const missing = methods.filter((method) => typeof candidate[method] !== 'function')
  if (missing.length === 0) return undefined
  if (typeof candidate.then === 'function') return '; this is a promise: await it first'
  if (typeof port === 'function') {
    const isKnex = typeof candidate.raw === 'function' && 'client' in candidate
    return isKnex
      ? '; this is a Knex: pass knexStorage({ knex }) from express-change-requests/knex'
      : '; this is a function: call it, and pass what it returns'
  }
  return `; ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing`
}

function hasMethods(value: unknown, methods: readonly string[]): boolean {
  const candidate = value as Record<string, unknown> | null | undefined
  return candidate != null && methods.every((method) => typeof candidate[method] === 'function')
}
