import type { ErrorDetail } from '../errors'
import type { Constraint } from '../generated/index'
import type { ApplicableChange } from '../ports/flags'
import type { Validate } from '../ports/validate'
import { checkConstraints, checkCount } from './constraints'
import { type CurrentPart, expectThat } from './existing'
import { type AnyParameters, checkPercentages } from './values'
import { type AnyVariant, checkVariants } from './variants'

const maxSegments = 5

/**
 * Creates the rules of Unleash that can be checked without reading flags, for the option `validate`.
 *
 * - constraints: 1 to 250 values of 1 to 100 characters for `IN`, `NOT_IN`, `STR_*` and `IN_CIDR`, there IP addresses or ranges;
 *   a number for `NUM_*`, a date for `DATE_*`, a strict version for `SEMVER_*`; for `REGEX` a pattern, not inverted
 * - variants: unique names, whole weights, at least one variable one, fixed ones of at most 1000 in total, valid JSON in payloads
 *   of the type `json`
 * - strategies: at most 30 constraints and 5 segments; the parameters `rollout` and `percentage` are the text of a whole number
 *   from 0 to 100, without a sign or leading zeros
 * - dependencies: a flag does not depend on itself
 *
 * Supported patterns are those of RE2 without octal escapes, `\C` and `\Q...\E`, with at most 1,000 characters, 50 nested groups
 * and 1,000 repetitions, nested ones multiplied.
 *
 * What the target of a change already has is accepted, as far as the change does not alter it: see
 * `current` of {@link ValidationContext}.
 *
 * @example
 * ```ts
 * const router = createChangeRequestRouter({ storage: memoryStorage(), authenticate, validate: unleashRules() })
 * ```
 */
export function unleashRules(): Validate {
  return (changes, { current }) =>
    changes.flatMap((change, index) => checkChange(change, `/body/${index}`, current?.[index] ?? {}))
}

function checkChange(change: ApplicableChange, path: string, current: CurrentPart): readonly ErrorDetail[] {
  switch (change.action) {
    case 'addStrategy':
    case 'updateStrategy':
    case 'updateMilestoneStrategy':
      return checkStrategy(change.payload, `${path}/payload`, current)
    case 'updateSegment':
      return checkConstraints(change.payload.constraints, `${path}/payload/constraints`, current.constraints)
    case 'patchVariant':
      return checkVariants(change.payload.variants, `${path}/payload/variants`, current.variants)
    case 'addDependency':
      if (change.payload.feature !== change.feature) return []
      return [{ message: 'a flag cannot depend on itself', path: `${path}/payload/feature` }]
    default:
      return []
  }
}

interface AnyStrategy {
  readonly constraints?: readonly Constraint[]
  readonly parameters?: AnyParameters
  readonly segments?: readonly number[]
  readonly variants?: readonly AnyVariant[]
}

function checkStrategy(
  { constraints = [], parameters = {}, segments = [], variants = [] }: AnyStrategy,
  path: string,
  current: CurrentPart,
): readonly ErrorDetail[] {
  return [
    ...checkCount(constraints, `${path}/constraints`, current.constraints),
    ...checkConstraints(constraints, `${path}/constraints`, current.constraints),
    ...checkSegments(segments, `${path}/segments`, current.segments),
    ...checkPercentages(parameters, `${path}/parameters`, (current.parameters ?? {}) as AnyParameters),
    ...checkVariants(variants, `${path}/variants`, current.variants),
  ]
}

/** A list that was too long before the change can stay so, but get no other segment. */
function checkSegments(segments: readonly number[], path: string, current: unknown): readonly ErrorDetail[] {
  const existing = Array.isArray(current) ? current : []
  const isExisting = segments.length <= existing.length && segments.every((id) => existing.includes(id))
  const message = `a strategy can have at most ${maxSegments} segments, got ${segments.length}`
  return expectThat(segments.length <= maxSegments || isExisting, path, message)
}
