import { conditionWords, isAlike, pairConstraints } from '../fields/constraints'
import { type SegmentNames, segmentWords } from '../fields/labels'
import { isBlank, type Json, type JsonObject, listOf, objectOf, textIn } from '../json'
import { brief, joined, plainText, strong, type Words } from '../spans'

/** What narrows the audience of a strategy, and what no longer does. */
export interface Restrictions {
  readonly now: readonly Words[]
  readonly gone: readonly Words[]
}

/** The constraints and segments of a strategy in words. Against the strategy before, values that come and go are marked. */
export function restrictionsOf(strategy: Json, before: Json = null, names?: SegmentNames): Restrictions {
  const [old, next] = [objectOf(before), objectOf(strategy)]
  const isCompared = !isBlank(before)
  const constraints = pairConstraints(old.constraints, next.constraints).map(([was, is]) => {
    const isEdited = was !== undefined && is !== undefined && isAlike(was, is)
    // In an edited strategy all values of a new constraint are new.
    const base = isEdited ? was : isCompared ? {} : undefined
    return { now: is && userWords(is, base), gone: isEdited ? undefined : was && userWords(was) }
  })
  const [hadSegments, hasSegments] = [listOf(old.segments), listOf(next.segments)]
  const inSegment = (id: Json): Words => [`in ${segmentWords(id, names)}`]
  const nowIn = (id: Json): Words =>
    isCompared && !hadSegments.includes(id) ? ['in ', { text: segmentWords(id, names), as: 'added' }] : inSegment(id)
  return {
    now: [...constraints.flatMap(({ now }) => (now ? [now] : [])), ...hasSegments.map(nowIn)],
    gone: [
      ...constraints.flatMap(({ gone }) => (gone ? [gone] : [])),
      ...hadSegments.filter((id) => !hasSegments.includes(id)).map(inSegment),
    ],
  }
}

/** `everybody`, or `users in NO, SE + DK and in segment “Beta”`. */
export function audienceWords({ now, gone }: Restrictions): Words {
  if (now.length > 0) return ['users ', ...joined(now, ' and ')]
  return [gone.length > 0 ? strong('everybody') : 'everybody']
}

/** `no longer only those in segment “Beta”`, as a part of a list; none if nothing is gone. */
export function goneWords({ gone }: Restrictions): readonly Words[] {
  return gone.length === 0 ? [] : [['no longer only those ', ...joined(gone, ' and ')]]
}

const places: ReadonlySet<string> = new Set(['country', 'region', 'city', 'market', 'locale', 'continent'])

/** `in NO, SE`, `whose email ends with @example.com`; no boxes around the values that stay. */
function userWords(constraint: JsonObject, before?: JsonObject): Words {
  const name = textIn(constraint, 'contextName')
  const [operator = '', ...values] = brief(conditionWords(constraint, before))
  if (places.has(name) && operator === 'is one of') return ['in', ...values]
  return ['whose ', plainText(name), ' ', operator, ...values]
}
