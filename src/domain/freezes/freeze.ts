import type { Hold } from '../change-request'
import type { ChangeRequestSummary } from '../content/summary'
import { byInstant, instantOf } from '../instants'
import { isEnforced, matchesTarget, type Place, type RuleCondition, type RuleMode } from '../rules/condition'

/**
 * A time during which change requests are not applied. It lasts from `from` up to, but not including, `until`. An emergency
 * can be applied nevertheless.
 *
 * @example
 * ```ts
 * const blackFriday: Freeze = {
 *   name: 'Black Friday',
 *   reason: 'No changes to checkout',
 *   from: '2026-11-27T00:00:00Z',
 *   until: '2026-12-01T00:00:00Z',
 *   when: { environments: ['production'], features: ['checkout*'] },
 * }
 * ```
 */
export interface Freeze {
  /** Shown to users; unique. */
  readonly name: string
  /** Shown to users. */
  readonly reason: string
  /** When it begins: ISO 8601 with `Z` or an offset. */
  readonly from: string
  /** When it ends. Absent: when the option no longer lists it. */
  readonly until?: string
  /**
   * The change requests that it is for: one of their changes matches all given keys. Without it the freeze is for every change
   * request.
   */
  readonly when?: Pick<RuleCondition, 'projects' | 'environments' | 'features' | 'segments'>
  /**
   * What happens to change requests that become due during the freeze: `hold` applies them after it, `suspend` stops them
   * until a user schedules them again.
   * @defaultValue `'hold'`
   */
  readonly scheduled?: 'hold' | 'suspend'
  /**
   * `trial`: the freeze is shown, and delays nothing. The log then has what was applied during it.
   * @defaultValue `'enforce'`
   */
  readonly mode?: RuleMode
}

/** The freezes of a router: a list, or a function that returns those of a project and environment. */
export type Freezes =
  | readonly Freeze[]
  | ((place: {
      readonly project: string
      readonly environment: string
    }) => readonly Freeze[] | Promise<readonly Freeze[]>)

/** A freeze with the environment in which it holds. Its times are in UTC, if their years have four digits there. */
export interface PlacedFreeze extends Freeze {
  readonly environment: string
}

export function placedFreezes(freezes: readonly Freeze[], { environment }: Place): readonly PlacedFreeze[] {
  return freezes.map(({ until, ...freeze }) => ({
    ...freeze,
    environment,
    from: inUtc(freeze.from),
    ...(until !== undefined && { until: inUtc(until) }),
  }))
}

/** As the option has it if its year in UTC has not four digits, such as `9999-12-31T23:59:59-01:00`. */
function inUtc(time: string): string {
  const utc = new Date(time).toISOString()
  return /^\d{4}-/.test(utc) ? utc : time
}

type ChangedTargets = Pick<ChangeRequestSummary, 'features' | 'segments'>

/** The freezes that match a change request with these targets; a freeze of several environments once. */
export function matchingFreezes(freezes: readonly PlacedFreeze[], targets: ChangedTargets): readonly PlacedFreeze[] {
  const found = new Map<string, PlacedFreeze>()
  for (const freeze of freezes) {
    const key = JSON.stringify([freeze.name, freeze.from, freeze.until, freeze.mode])
    if (!found.has(key) && matches(freeze, targets)) found.set(key, freeze)
  }
  return [...found.values()]
}

function matches({ when = {} }: Freeze, targets: ChangedTargets): boolean {
  const { features, segments } = when
  if (features === undefined && segments === undefined) return true
  return (
    targets.features.some((feature) => matchesTarget(when, { feature })) ||
    targets.segments.some(({ id }) => matchesTarget(when, { segment: id }))
  )
}

/** The freezes that are in force at the time, the latest end first. */
export function freezesAt<Found extends Freeze>(freezes: readonly Found[], at: string): readonly Found[] {
  return freezes
    .filter((freeze) => instantOf(freeze.from) <= instantOf(at) && !hasEnded(freeze, at))
    .sort(latestEndFirst)
}

/** Those of them that block: a freeze on trial never does. */
export function blockingFreezesAt<Found extends Freeze>(freezes: readonly Found[], at: string): readonly Found[] {
  return freezesAt(freezes.filter(isEnforced), at)
}

export function hasEnded({ until }: Freeze, at: string): boolean {
  return until !== undefined && instantOf(until) <= instantOf(at)
}

function latestEndFirst({ until: one }: Freeze, { until: other }: Freeze): number {
  if (one === undefined || other === undefined) return Number(other === undefined) - Number(one === undefined)
  return byInstant(other, one)
}

export function freezeSentence({ name, reason, environment, until }: PlacedFreeze): string {
  const what = `The freeze "${name}" in ${environment}`
  return until === undefined
    ? `${what} has no end yet (${reason}). Try again when it is over.`
    : `${what} lasts until ${until} (${reason}). Schedule the change request for a later time.`
}

/** What the freezes in force do to a change request that is due; undefined without any. One that suspends takes precedence. */
export function effectOf(
  freezes: readonly PlacedFreeze[],
  at: string,
): { readonly suspendedBy?: PlacedFreeze; readonly hold?: Hold } | undefined {
  const inForce = blockingFreezesAt(freezes, at)
  const suspendedBy = inForce.find(({ scheduled }) => scheduled === 'suspend')
  if (suspendedBy !== undefined) return { suspendedBy }
  const [first] = inForce
  return first && { hold: { by: first.name, until: first.until ?? null } }
}

const checkMs = 5 * 60_000

/** When the freezes of a held change request are checked again: at the end of the hold, or at the next full five minutes. */
export function nextCheck({ until }: Hold, now: string): string {
  const full = (Math.floor(instantOf(now) / checkMs) + 1) * checkMs
  const end = until === null ? full : instantOf(until)
  return new Date(end > instantOf(now) ? Math.min(end, full) : full).toISOString()
}

/**
 * When nothing delayed it any more, for a change request that no freeze delays now: the end of the last freeze, whether a run
 * stored the hold (`held`) or none saw it. The grace period counts from then. Where the end is unknown, because the freeze had none or was
 * removed early, it is now.
 */
export function endOfHold(
  freezes: readonly Freeze[],
  { dueAt, held }: { readonly dueAt: string; readonly held: Hold | undefined },
  now: string,
): string {
  if (held === undefined) return endOfFreezes(freezes, dueAt)
  // The option may have another end by now, or the next freeze of this name, which is not over.
  const ends = [freezes.find(({ name }) => name === held.by)?.until, held.until]
  return endOfFreezes(freezes, ends.find((end) => end != null && instantOf(end) <= instantOf(now)) ?? now)
}

/** The end of the freezes that were in force one after the other from the time on; the time itself if there are none. */
function endOfFreezes(freezes: readonly Freeze[], from: string): string {
  const [latest] = blockingFreezesAt(freezes, from)
  return latest?.until === undefined ? from : endOfFreezes(freezes, latest.until)
}
