import type { EventView } from '../../../../../generated'
import { isObject, textIn } from '../../../words/json'

/** The facts of an event that identify its subject. */
export type LoggedFacts = Pick<EventView, 'data' | 'preData'> & { readonly type: string }

/** How an event got past the review. */
export interface PastReview {
  readonly kind: 'emergency' | 'skipped'
  /** The comment in the event; empty without one. */
  readonly reason: string
  /** Approvals that were not given, such as `minimum, 0 of 1`, and freezes. */
  readonly missing: readonly string[]
}

/** The change request of an event, if it has one. */
export function changeRequestOf({ data, preData }: LoggedFacts): number | undefined {
  const id = (data ?? preData)?.changeRequestId
  return typeof id === 'number' && Number.isSafeInteger(id) ? id : undefined
}

/** The change that an event added to a request, edited or took out. */
export function proposedChange({ type, data, preData }: LoggedFacts): Facts | undefined {
  if (type.startsWith('change-request') || !type.startsWith('change-')) return undefined
  return (type === 'change-discarded' ? preData : data) ?? undefined
}

/** Applied in emergency, or a write that skipped the review; undefined for what was reviewed. */
export function pastReview({ data }: LoggedFacts): PastReview | undefined {
  const { emergency, skippedChangeRequest: skipped } = data ?? {}
  if (isObject(emergency)) return { kind: 'emergency', reason: reasonIn(emergency), missing: missingIn(emergency) }
  return isObject(skipped) ? { kind: 'skipped', reason: reasonIn(skipped), missing: [] } : undefined
}

function missingIn({ missing }: Facts): string[] {
  if (!Array.isArray(missing)) return []
  return missing
    .filter(isObject)
    .map(({ code, name, given, approvals }) =>
      code === 'frozen' ? `the freeze ${name}` : `${name}, ${given} of ${approvals}`,
    )
}

/** Facts that are shown elsewhere: in the sentence, as a link, or in the mark. */
const shownElsewhere = new Set(['changeRequestId', 'changeId', 'digest', 'emergency', 'skippedChangeRequest', 'actor'])

/** The state before and after, if the event has them, without what is shown elsewhere. */
export function sidesOf({ data, preData }: LoggedFacts): { before: Facts | null; after: Facts | null } {
  return { before: own(preData), after: own(data) }
}

type Facts = Readonly<Record<string, unknown>>

function own(facts: Facts | null | undefined): Facts | null {
  const entries = Object.entries(facts ?? {}).filter(([name]) => !shownElsewhere.has(name))
  return entries.length === 0 ? null : Object.fromEntries(entries)
}

const reasonIn = (facts: Facts): string => (textIn(facts, 'reason').trim() === '' ? '' : textIn(facts, 'reason'))
