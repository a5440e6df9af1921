import { types } from 'node:util'
import {
  aBoolean,
  checkOption,
  checkOptions,
  must,
  optional,
  refuseTyposIn,
  refuseUnknownOptions,
  typoIn,
} from '../check-options'
import { allActions } from '../domain/actions/table'
import { unalterableFields } from '../domain/rules/check-condition'
import type { Directory } from '../ports/directory'
import type { FlagGateway, SyncFlagGateway } from '../ports/flags'
import { requiredStorageMethods, storagePortVersion } from '../ports/storage/requirements'
import type { TelemetryMeter, TelemetryOptions } from '../ports/telemetry'
import type { ResolvedOptions } from './router-options'

/** The name of the function in error messages. */
export const owner = 'createChangeRequestRouter'

/** A wrong version is reported before missing methods, because it is their cause. */
export function problemInStorage(storage: unknown): string | undefined {
  const { portVersion } = (storage ?? {}) as { readonly portVersion?: unknown }
  const found = portVersion === undefined ? 'none' : `portVersion ${String(portVersion)}`
  const expected =
    `a storage with portVersion ${storagePortVersion}, not ${found}: update the storage to this version of the package, ` +
    'or install the version that the storage was written for'
  if (portVersion === storagePortVersion || portVersion === undefined) {
    const problem = problemInPort(storage, requiredStorageMethods, 'a storage, such as knexStorage({ knex })')
    if (problem !== undefined) return problem
  }
  return portVersion === storagePortVersion ? undefined : expected
}

export function problemInGateway(
  flags: FlagGateway | SyncFlagGateway,
  { storage }: ResolvedOptions,
): string | undefined {
  const problem = problemInPort(flags, ['current', 'apply'], 'a flag gateway with current and apply')
  if (problem !== undefined) return problem
  refuseTypos(flags)
  if (flags.actions !== undefined) checkActions(flags.actions)
  if (flags.transactional !== true) return undefined
  if (storage.transactionSync !== undefined) {
    const isAsync = [flags.current, flags.apply].some((method) => types.isAsyncFunction(method))
    return isAsync
      ? 'a SyncFlagGateway, or without transactional: nothing may wait in a transaction of this storage'
      : undefined
  }
  return storage.transaction === undefined ? 'without transactional: this storage has no transactions' : undefined
}

const gatewayProperties: readonly (keyof FlagGateway)[] = ['transactional', 'actions', 'current', 'apply', 'outcome']

/**
 * A property such as `outcomes`, which would silently mean that the gateway lacks the optional one. A class can have such a
 * property for itself. @throws TypeError that names the property, for an object literal
 */
function refuseTypos(flags: object): void {
  if (Object.getPrototypeOf(flags) === Object.prototype)
    refuseTyposIn(owner, 'flags', flags, gatewayProperties, gatewayGuide)
}

const gatewayGuide = 'docs/flag-gateway.md'

/** What to log about a property of a gateway class that looks like a typo; undefined if there is none. */
export function typoInGateway(flags: object): string | undefined {
  const typo = typoIn(namesOf(flags), flags, gatewayProperties)
  return (
    typo &&
    `The flag gateway has "${typo.name}", but no "${typo.meant}". If that is what it should be, rename it: see ${gatewayGuide}.`
  )
}

/** With those of its classes. */
function namesOf(object: object): string[] {
  const parent = Object.getPrototypeOf(object) as object | null
  const inherited = parent === null || parent === Object.prototype ? [] : namesOf(parent)
  return [...Object.getOwnPropertyNames(object), ...inherited]
}

/** @throws TypeError that names the hook that does not exist. */
export function problemInDirectory(directory: Directory): string | undefined {
  const hooks = [
    ...['hasProject', 'projects', 'environments'],
    ...['knownFeatures', 'searchFeatures', 'searchSegments', 'contextFields'],
  ]
  refuseUnknownOptions(`${owner}.directory`, directory, hooks)
  return Object.values(directory).every((hook) => typeof hook === 'function') ? undefined : 'an object of functions'
}

/** @throws TypeError that names the part that is unknown or wrong. */
export function problemInTelemetry(telemetry: boolean | TelemetryOptions): string | undefined {
  if (typeof telemetry === 'boolean') return undefined
  if (typeof telemetry !== 'object' || telemetry === null)
    return 'a boolean, or an object with meter, tracer and byProject'
  const meter = must(
    (value) => problemInPort(value, meterMethods, '') === undefined,
    'a Meter of @opentelemetry/api 1.9 or later',
  )
  const tracer = must(
    (value) => problemInPort(value, ['startSpan'], '') === undefined,
    'a Tracer of @opentelemetry/api',
  )
  const table = { meter: optional(meter), tracer: optional(tracer), byProject: optional(aBoolean) }
  checkOptions(`${owner}.telemetry`, telemetry, table)
  return undefined
}

const meterMethods: readonly (keyof TelemetryMeter)[] = [
  ...(['createCounter', 'createHistogram', 'createObservableGauge', 'createObservableUpDownCounter'] as const),
  ...(['addBatchObservableCallback', 'removeBatchObservableCallback'] as const),
]

/** @throws TypeError that names the action that does not exist. */
function checkActions(actions: unknown): void {
  const isMap = typeof actions === 'object' && actions !== null && !Array.isArray(actions)
  const given: unknown = isMap ? Object.keys(actions) : actions
  const expected = 'a list of actions, a map from actions to JSON Schemas, or left out for all actions'
  checkOption(owner, 'flags.actions', Array.isArray(given) && given.length > 0, expected)
  for (const action of given as unknown[]) {
    const known = (allActions as readonly unknown[]).includes(action)
    const named = typeof action === 'string' ? `"${action}"` : 'values that are not strings'
    checkOption(owner, 'flags.actions', known, `a list of ${allActions.join(', ')}, without ${named}`)
    const schema = isMap ? (actions as Readonly<Record<string, unknown>>)[action as string] : {}
    const isSchema = typeof schema === 'object' && schema !== null && !Array.isArray(schema)
    checkOption(owner, `flags.actions.${action}`, isSchema, 'a JSON Schema of the change')
  }
}

/** A field of a rule that no action of the gateway can alter is probably a typing error. A function is not called for this. */
export function warningsOfFields(
  { approvalRules, checks }: Pick<ResolvedOptions, 'approvalRules' | 'checks'>,
  actions: typeof allActions = allActions,
): readonly string[] {
  const found = (what: string, rules: unknown) =>
    unalterableFields(Array.isArray(rules) ? rules : [], actions).map(
      ({ name, path }) => `No change can alter the field "${path}" of the ${what} "${name}".`,
    )
  return [...found('approval rule', approvalRules), ...found('check', checks)]
}

/** Describes the mistake: a promise, a factory, a Knex, or missing methods. */
export function problemInPort(port: unknown, methods: readonly string[], expected: string): string | undefined {
  const candidate = port as Record<string, unknown> | null | undefined
  if (candidate == null || (typeof port !== 'object' && typeof port !== 'function')) return expected
  const missing = methods.filter((method) => typeof candidate[method] !== 'function')
  if (missing.length === 0) return undefined
  if (typeof candidate.then === 'function') return `${expected}; this is a promise: await it first`
  if (typeof port === 'function') {
    const isKnex = typeof candidate.raw === 'function' && 'client' in candidate
    return isKnex
      ? `${expected}; this is a Knex: pass knexStorage({ knex }) from express-change-requests/knex`
      : `${expected}; this is a function: call it, and pass what it returns`
  }
  return `${expected}; ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing`
}
