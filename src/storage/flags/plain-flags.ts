import { checkOption, must, type OptionTable, refuseUnknownOptions } from '../../check-options'
import type { FlagState, Subjects } from '../../domain/flag-state'
import { ChangeRequestError } from '../../errors'
import type { Action } from '../../generated/index'
import type { Directory } from '../../ports/directory'
import type { ApplicableChange, ApplyContext, FlagEvent, FlagGateway, SyncFlagGateway } from '../../ports/flags'
import type { Validate, ValidationContext } from '../../ports/validate'
import { aTable, isColumnName } from '../sql/database/names'
import {
  type Flag,
  type FlagTable,
  type FlagWrite,
  findRolloutProblems,
  flagRows,
  type PlainFlagsColumns,
  rolloutId,
  type SyncFlagTable,
  toStrategy,
  usedColumns,
} from './flag-rows'

/**
 * The options that `plainFlags` has for every database: your table, and the one project and environment that its flags belong
 * to.
 */
export interface PlainFlagsTable {
  /** The name of the table, with or without a schema. */
  readonly table: string
  /** Its columns. */
  readonly columns: PlainFlagsColumns
  /** The project of the flags; any other is 404. */
  readonly project: string
  /** Their environment; any other is 404. */
  readonly environment: string
}

/**
 * The result of `plainFlags`: options of the router. Pass all three.
 *
 * @typeParam Transaction The transaction of the storage.
 */
export interface PlainFlags<Transaction = unknown> {
  /** Reads and writes the table, in the transaction of an apply. */
  readonly flags: FlagGateway<Transaction>
  /** Rejects a change of a strategy that the table cannot store. */
  readonly validate: Validate
  /** The project, its environment, and the flags of the table that are not archived. */
  readonly directory: Directory
}

const owner = 'plainFlags'
const columnNames = ['name', 'enabled', 'rollout', 'archived'] as const satisfies readonly (keyof PlainFlagsColumns)[]

const aBoolean = { type: 'boolean' }
const id = { description: 'The only strategy of a flag.', enum: [rolloutId] }
const rollout = { description: 'The percentage of users, 0 to 100.', type: 'string' }
const parameters = closed({ rollout })

function closed(properties: object, required = Object.keys(properties)) {
  return { type: 'object', properties, required, additionalProperties: false }
}

/** The schema of a change; without a payload if no properties are given. */
function ofPayload(action: Action, properties?: object, required?: string[]) {
  const change = { action: { const: action }, feature: { type: 'string' } }
  return properties === undefined
    ? { type: 'object', properties: change, required: ['action', 'feature'] }
    : {
        ...{ type: 'object', properties: { ...change, payload: closed(properties, required) } },
        required: ['action', 'feature', 'payload'],
      }
}

/** What does not depend on the database: which flags are read, and what changes do to them. */
function flagRules(options: PlainFlagsTable) {
  const { project, environment, columns } = options
  const rows = flagRows(options)
  const supported = {
    updateEnabled: ofPayload('updateEnabled', { enabled: aBoolean, shouldActivateDisabledStrategies: aBoolean }, [
      'enabled',
    ]),
    ...(columns.archived !== undefined && { archiveFeature: ofPayload('archiveFeature') }),
    ...(columns.rollout !== undefined && { updateStrategy: ofPayload('updateStrategy', { id, parameters }) }),
  }
  const actions = Object.keys(supported) as Action[]
  const isHere = (place: { readonly project: string; readonly environment: string }) =>
    place.project === project && place.environment === environment

  return {
    ...rows,
    isHere,
    supported,
    wanted: (subjects: Subjects): readonly string[] => (isHere(subjects) ? subjects.features : []),
    changedNames: (changes: readonly ApplicableChange[], context: ApplyContext): string[] =>
      isHere(context) ? [...new Set(changes.flatMap(({ feature }) => feature ?? []))] : [],
    toState(found: ReadonlyMap<string, Flag>): FlagState {
      const states = [...found.values()].map(({ name, enabled, archived, rollout }) => {
        const strategies = columns.rollout === undefined ? {} : { strategies: [toStrategy(rollout)] }
        return [name, { enabled, archived, ...strategies }] as const
      })
      return { features: new Map(states), segments: new Map() }
    },
    /** What is to be written for the changes, in their order. @throws ConflictError for a change that is not possible */
    toWrites(changes: readonly ApplicableChange[], found: Map<string, Flag>) {
      const writes: FlagWrite[] = []
      const events: FlagEvent[] = []
      for (const change of changes) {
        const flag = found.get(change.feature ?? '')
        if (flag === undefined) throw refused(`The flag ${JSON.stringify(change.feature)} does not exist.`)
        const result = changed(change, flag, actions)
        if (result === undefined) continue
        writes.push(rows.toWrite(flag, result.after))
        found.set(flag.name, { ...flag, ...result.after })
        events.push({ ...result.event, featureName: flag.name, changeId: change.id })
      }
      return { writes, events }
    },
    result: <Gateway>(
      flags: Gateway,
      known: (names: readonly string[]) => string[] | Promise<string[]>,
      search: (prefix: string) => string[] | Promise<string[]>,
    ) => ({
      flags,
      validate: (changes: readonly ApplicableChange[], { current }: ValidationContext) =>
        changes.flatMap((change, index) => findRolloutProblems(change, `/body/${index}`, current?.[index] ?? {})),
      directory: {
        hasProject: (wanted: string, place = environment) => isHere({ project: wanted, environment: place }),
        knownFeatures: (_project: string, names: readonly string[]) => known(names),
        searchFeatures: search,
        environments: () => [{ name: environment, type: 'production' as const }],
        projects: () => [project],
        searchSegments: () => [],
        contextFields: () => [],
      },
    }),
  }
}

/** The gateway, validator and directory for a table that is read and written asynchronously. */
export function createPlainFlags<Transaction>(
  table: FlagTable<Transaction>,
  options: PlainFlagsTable,
): PlainFlags<Transaction> {
  const { supported, wanted, changedNames, toFlags, toState, toWrites, result } = flagRules(options)
  /** The flags that `current` locked for the apply that follows in the transaction. Nobody else can change them meanwhile. */
  const locked = new WeakMap<object, ReadonlyMap<string, Flag>>()
  const read = async (names: readonly string[], transaction?: Transaction, lock?: boolean) =>
    names.length === 0 ? new Map<string, Flag>() : toFlags(await table.read(names, transaction, lock))

  const flags: FlagGateway<Transaction> = {
    transactional: true,
    actions: supported,
    async current(subjects, options) {
      const found = await read(wanted(subjects), options?.transaction, options?.forUpdate)
      if (options?.forUpdate) locked.set(options.transaction as object, found)
      return toState(found)
    },
    async apply(changes, context) {
      const { transaction } = context
      const names = changedNames(changes, context)
      const known = locked.get(transaction as object)
      // Only for this apply, which writes them.
      locked.delete(transaction as object)
      const unread = names.filter((name) => !known?.has(name))
      const found = await read(unread, transaction, true)
      for (const name of names) {
        const flag = known?.get(name)
        if (flag !== undefined) found.set(name, flag)
      }
      const { writes, events } = toWrites(changes, found)
      for (const write of writes) await table.write(transaction, write)
      return events
    },
  }
  return result(
    flags,
    async (names) => activeNames(await read(names)),
    async (prefix) => activeNames(toFlags(await table.search(prefix))),
  )
}

/**
 * The result of `plainFlags` on a storage in whose transactions nothing may wait.
 *
 * @typeParam Transaction The transaction of the storage.
 */
export interface SyncPlainFlags<Transaction = unknown> extends Omit<PlainFlags, 'flags'> {
  /** Reads and writes the table, in the transaction of an apply. */
  readonly flags: SyncFlagGateway<Transaction>
}

/** The same for a table that is read and written synchronously; in a transaction it is locked as a whole. */
export function createSyncPlainFlags<Transaction>(
  table: SyncFlagTable,
  options: PlainFlagsTable,
): SyncPlainFlags<Transaction> {
  const { supported, wanted, changedNames, toFlags, toState, toWrites, result } = flagRules(options)
  const read = (names: readonly string[]) => (names.length === 0 ? new Map<string, Flag>() : toFlags(table.read(names)))

  const flags: SyncFlagGateway<Transaction> = {
    transactional: true,
    actions: supported,
    current: (subjects) => toState(read(wanted(subjects))),
    apply(changes, context) {
      const { writes, events } = toWrites(changes, read(changedNames(changes, context)))
      for (const write of writes) table.write(write)
      return events
    },
  }
  return result(
    flags,
    (names) => activeNames(read(names)),
    (prefix) => activeNames(toFlags(table.search(prefix))),
  )
}

function activeNames(found: ReadonlyMap<string, Flag>): string[] {
  return [...found.values()].filter(({ archived }) => !archived).map(({ name }) => name)
}

const aName = must((value) => typeof value === 'string' && value !== '', 'a name')

export const plainFlagsTable: OptionTable<PlainFlagsTable> = {
  table: aTable,
  columns(columns) {
    refuseUnknownOptions(`${owner}: columns`, columns, columnNames)
    for (const name of columnNames) {
      const isLeftOut = columns[name] === undefined && (name === 'rollout' || name === 'archived')
      checkOption(owner, `columns.${name}`, isLeftOut || isColumnName(columns[name]), 'the name of a column')
    }
    const used = usedColumns(columns).map(([, column]) => column)
    return new Set(used).size === used.length ? undefined : 'different columns'
  },
  project: aName,
  environment: aName,
}

/**
 * What the change does to the flag; undefined if nothing changes.
 *
 * @throws ConflictError for a change that was stored although it is not supported
 */
function changed(
  change: ApplicableChange,
  flag: Flag,
  actions: readonly Action[],
): { readonly after: Partial<Flag>; readonly event: FlagEvent } | undefined {
  const name = JSON.stringify(change.feature)
  const isSupported = actions.includes(change.action)
  if (isSupported && change.action === 'archiveFeature') {
    return flag.archived ? undefined : { after: { archived: true }, event: { type: 'feature-archived' } }
  }
  if (isSupported && flag.archived) throw refused(`The flag ${name} is archived.`)
  if (isSupported && change.action === 'updateEnabled') {
    const { enabled } = change.payload
    if (flag.enabled === enabled) return undefined
    const type = enabled ? 'feature-environment-enabled' : 'feature-environment-disabled'
    return { after: { enabled }, event: { type } }
  }
  if (isSupported && change.action === 'updateStrategy') {
    const [problem] = findRolloutProblems(change, '', change.payload)
    if (problem !== undefined) throw refused(`The flag ${name}: ${problem.message}.`)
    const rollout = change.payload.parameters?.rollout as string
    if (flag.rollout === rollout) return undefined
    const [data, preData] = [toStrategy(rollout), toStrategy(flag.rollout)]
    return { after: { rollout }, event: { type: 'feature-strategy-update', data, preData } }
  }
  throw refused(`${change.action} is not supported for the flag ${name}.`)
}

function refused(message: string): ChangeRequestError {
  return new ChangeRequestError('ConflictError', message)
}
