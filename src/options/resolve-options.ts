import { checkOption, checkOptions, maxTimerMs, type OptionTable, refuseUnknownOptions } from '../check-options'
import type { Actor } from '../ports/access'
import { owner } from './check-ports'
import { silentLogger } from './console-logger'
import { defaultLimits, highestLimits, type Limits, lowestLimits } from './limits'
import { type OptionRow, optionTable, required } from './option-table'
import type { ChangeRequestRouterOptions, ResolvedOptions } from './router-options'

/**
 * Checks the options and adds the defaults. The actor type of the host app is not needed from here on: `authorize` only
 * receives what `authenticate` returned. @throws TypeError that names an option: missing, unknown or out of its range
 */
export function resolveOptions<HostActor extends Actor, Transaction>(
  options: ChangeRequestRouterOptions<HostActor, Transaction>,
): ResolvedOptions {
  refuseUnknownOptions(owner, options, [...Object.keys(optionTable), 'limits'])
  const rows = Object.entries(optionTable) as [string, OptionRow<unknown>][]
  const logger = options.logger === false ? silentLogger : options.logger
  const given: Readonly<Record<string, unknown>> = { ...options, logger }
  const fallbackOf = (row: OptionRow<unknown>) => (row.default === required ? undefined : row.default)
  const values = rows.map(([name, row]) => [name, given[name] === undefined ? fallbackOf(row) : given[name]])
  const limits = { ...defaultLimits, ...options.limits }
  const resolved = { ...Object.fromEntries(values), limits } as ResolvedOptions
  refuseUnknownOptions(`${owner}.limits`, limits, Object.keys(defaultLimits))
  for (const [name, value] of Object.entries(limits)) {
    const lowest = lowestLimits[name as keyof Limits]
    const highest = highestLimits[name as keyof Limits] ?? (name.endsWith('Ms') ? maxTimerMs : Number.MAX_SAFE_INTEGER)
    checkOption(owner, `limits.${name}`, Number.isSafeInteger(value) && value > 0, 'a positive whole number')
    checkOption(owner, `limits.${name}`, value >= (lowest ?? 1), `at least ${lowest}`)
    checkOption(owner, `limits.${name}`, value <= highest, `at most ${highest}`)
  }
  const checks = rows.map(([name, row]) => [name, row.check])
  const table = { ...Object.fromEntries(checks), limits: () => undefined } as OptionTable<ResolvedOptions>
  checkOptions(owner, resolved, table)
  return resolved
}
