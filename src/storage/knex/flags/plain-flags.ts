import type { Knex } from 'knex'
import { checkOption, refuseUnknownOptions } from '../../../check-options'
import { ChangeRequestError } from '../../../errors'
import type { Action } from '../../../generated/index'
import type { Directory } from '../../../ports/directory'
import type { ApplicableChange, FlagEvent, FlagGateway } from '../../../ports/flags'
import type { Validate } from '../../../ports/validate'
import { checkTable, isColumnName } from './identifiers'
import { type Flag, flagTable, type PlainFlagsColumns, toStrategy } from './plain-flags-table'
import { findRolloutProblems } from './rollout-change'

/**
 * Options of {@link plainFlags}: your table, and the one project and environment that its flags belong to.
 *
 * @example
 * ```ts
 * const options: PlainFlagsOptions = {
 *   knex,
 *   table: 'flags',
 *   columns: { name: 'name', enabled: 'enabled' },
 *   project: 'default',
 *   environment: 'production',
 * }
 * ```
 */
export interface PlainFlagsOptions {
  /** The same Knex as that of {@link knexStorage}: flags, change requests and events are written in one transaction. */
  readonly knex: Knex
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
 * The result of {@link plainFlags}: options of the router. Pass all three.
 *
 * @example
 * ```ts
 * const { flags, validate, directory }: PlainFlags = plainFlags({
 *   knex,
 *   table: 'flags',
 *   columns: { name: 'name', enabled: 'enabled' },
 *   project: 'default',
 *   environment: 'production',
 * })
 * ```
 */
export interface PlainFlags {
  /** Reads and writes the table, in the transaction of an apply. */
  readonly flags: FlagGateway<Knex.Transaction>
  /** Rejects a change of a strategy that the table cannot store. */
  readonly validate: Validate
  /** The project, its environment, and the flags of the table that are not archived. */
  readonly directory: Directory
}

const owner = 'plainFlags'
const optionNames = [
  'knex',
  'table',
  'columns',
  'project',
  'environment',
] as const satisfies readonly (keyof PlainFlagsOptions)[]
const columnNames = ['name', 'enabled', 'rollout', 'archived'] as const satisfies readonly (keyof PlainFlagsColumns)[]

/**
 * A gateway for flags in one table of your app, in the database of the change requests: on or off, with a percentage if
 * `columns.rollout` is set. The percentage is the parameter `rollout` of the only strategy, whose id is `rollout`.
 *
 * @example
 * ```ts
 * const router = createChangeRequestRouter({
 *   storage: knexStorage({ knex }),
 *   authenticate,
 *   ...plainFlags({
 *     knex,
 *     table: 'flags',
 *     columns: { name: 'name', enabled: 'enabled', rollout: 'rollout', archived: 'archived' },
 *     project: 'default',
 *     environment: 'production',
 *   }),
 * })
 * ```
 *
 * @throws TypeError that names the option when one is missing, unknown or not a name.
 */
export function plainFlags(options: PlainFlagsOptions): PlainFlags {
  checkOptions(options)
  const { knex, project, environment, columns } = options
  const table = flagTable(options)
  const isHere = (place: { readonly project: string; readonly environment: string }) =>
    place.project === project && place.environment === environment
  /** The flags that `current` locked for the apply that follows in the transaction. Nobody else can change them meanwhile. */
  const locked = new WeakMap<Knex.Transaction, ReadonlyMap<string, Flag>>()
  const actions: Action[] = ['updateEnabled']
  if (columns.archived !== undefined) actions.push('archiveFeature')
  if (columns.rollout !== undefined) actions.push('updateStrategy')

  return {
    flags: {
      transactional: true,
      actions,
      async current(subjects, options) {
        const names = isHere(subjects) ? subjects.features : []
        const found = await table.read(options?.transaction ?? knex, names, options?.forUpdate)
        if (options?.forUpdate) locked.set(options.transaction, found)
        const states = [...found.values()].map(({ name, enabled, archived, rollout }) => {
          const strategies = columns.rollout === undefined ? {} : { strategies: [toStrategy(rollout)] }
          return [name, { enabled, archived, ...strategies }] as const
        })
        return { features: new Map(states), segments: new Map() }
      },
      async apply(changes, context) {
        const { transaction } = context
        const names = isHere(context) ? [...new Set(changes.flatMap(({ feature }) => feature ?? []))] : []
        const known = locked.get(transaction)
        // Only for this apply, which writes them.
        locked.delete(transaction)
        const unread = names.filter((name) => !known?.has(name))
        const found = await table.read(transaction, unread, true)
        for (const name of names) {
          const flag = known?.get(name)
          if (flag !== undefined) found.set(name, flag)
        }
        const events: FlagEvent[] = []
        for (const change of changes) {
          const flag = found.get(change.feature ?? '')
          if (flag === undefined) throw refused(`The flag ${JSON.stringify(change.feature)} does not exist.`)
          const { after, event } = changed(change, flag, actions)
          if (event === undefined) continue
          await table.write(transaction, flag, after)
          found.set(flag.name, { ...flag, ...after })
          events.push({ ...event, featureName: flag.name, changeId: change.id })
        }
        return events
      },
    },
    validate: (changes) => changes.flatMap((change, index) => findRolloutProblems(change, `/body/${index}`)),
    directory: {
      hasProject: (wanted, place = environment) => isHere({ project: wanted, environment: place }),
      async knownFeatures(_project, names) {
        const found = await table.read(knex, names)
        return [...found.values()].filter(({ archived }) => !archived).map(({ name }) => name)
      },
      environments: () => [{ name: environment, type: 'production' }],
    },
  }
}

function checkOptions(options: PlainFlagsOptions): void {
  refuseUnknownOptions(owner, options, optionNames)
  const { knex, columns, project, environment } = options
  checkTable(owner, options)
  const isSupported = ['pg', 'better-sqlite3'].includes(knex.client.driverName)
  checkOption(owner, 'knex', isSupported, 'a Knex with the client "pg" or "better-sqlite3"')
  refuseUnknownOptions(`${owner}: columns`, columns, columnNames)
  for (const name of columnNames) {
    const isLeftOut = columns[name] === undefined && (name === 'rollout' || name === 'archived')
    checkOption(owner, `columns.${name}`, isLeftOut || isColumnName(columns[name]), 'the name of a column')
  }
  const used = Object.values(columns).filter((column) => column !== undefined)
  checkOption(owner, 'columns', new Set(used).size === used.length, 'different columns')
  for (const [name, value] of Object.entries({ project, environment })) {
    checkOption(owner, name, typeof value === 'string' && value !== '', 'a name')
  }
}

interface Changed {
  /** The columns to write. */
  readonly after: Partial<Flag>
  /** Undefined if nothing changes. */
  readonly event?: FlagEvent
}

/** What the change does to the flag. @throws ConflictError for a change that was stored although it is not supported. */
function changed(change: ApplicableChange, flag: Flag, actions: readonly Action[]): Changed {
  const { action, feature } = change
  if (!actions.includes(action)) throw unsupported(change)
  if (action === 'archiveFeature') {
    return flag.archived ? { after: {} } : { after: { archived: true }, event: { type: 'feature-archived' } }
  }
  if (flag.archived) throw refused(`The flag ${JSON.stringify(feature)} is archived.`)
  switch (action) {
    case 'updateEnabled': {
      const { enabled } = change.payload
      if (flag.enabled === enabled) return { after: {} }
      return {
        after: { enabled },
        event: { type: enabled ? 'feature-environment-enabled' : 'feature-environment-disabled' },
      }
    }
    case 'updateStrategy': {
      const [problem] = findRolloutProblems(change, '')
      if (problem !== undefined) throw refused(`The flag ${JSON.stringify(feature)}: ${problem.message}.`)
      const rollout = change.payload.parameters?.rollout as string
      if (flag.rollout === rollout) return { after: {} }
      return {
        after: { rollout },
        event: { type: 'feature-strategy-update', data: toStrategy(rollout), preData: toStrategy(flag.rollout) },
      }
    }
    default:
      throw unsupported(change)
  }
}

function unsupported({ action, feature }: ApplicableChange): ChangeRequestError {
  return refused(`${action} is not supported for the flag ${JSON.stringify(feature)}.`)
}

function refused(message: string): ChangeRequestError {
  return new ChangeRequestError('ConflictError', message)
}
