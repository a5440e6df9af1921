import type { ErrorDetail } from '../errors'
import type { Constraint } from '../generated/index'
import type { ApplicableChange } from '../ports/flags'
import type { Validate } from '../ports/validate'
import { checkConstraints } from './constraints'
import { type Check, expectThat } from './detail'
import { type AnyParameters, checkPercentages } from './percentages'
import { type AnyVariant, checkVariants } from './variants'

const maxConstraints = 30
const maxSegments = 5

/**
 * Creates the rules of Unleash that can be checked without reading flags, for the option `validate`.
 *
 * - constraints: 1 to 250 values of 1 to 100 characters for `IN`, `NOT_IN` and `STR_*`; a number for `NUM_*`, a date for
 *   `DATE_*`, a strict version for `SEMVER_*`; for `REGEX` a pattern that compiles, not inverted
 * - variants: unique names, at least one variable weight, fixed weights of at most 1000 in total, valid JSON in payloads of the
 *   type `json`
 * - strategies: at most 30 constraints and 5 segments; the parameters `rollout` and `percentage` are the text of a whole number
 *   from 0 to 100, without a sign or leading zeros
 * - dependencies: a flag does not depend on itself
 *
 * Supported patterns are those that both RE2 and JavaScript compile: no look-around, back references, octal escapes, `\C` and
 * `\Q...\E`.
 *
 * @example
 * ```ts
 * const router = createChangeRequestRouter({ storage: memoryStorage(), authenticate, validate: unleashRules() })
 * ```
 */
export function unleashRules(): Validate {
  return (changes) => changes.flatMap((change, index) => checkChange(change, `/body/${index}`))
}

const checkChange: Check<ApplicableChange> = (change, path) => {
  switch (change.action) {
    case 'addStrategy':
    case 'updateStrategy':
    case 'updateMilestoneStrategy':
      return checkStrategy(change.payload, `${path}/payload`)
    case 'updateSegment':
      return checkConstraints(change.payload.constraints, `${path}/payload/constraints`)
    case 'patchVariant':
      return checkVariants(change.payload.variants, `${path}/payload/variants`)
    case 'addDependency':
      return expectThat(
        change.payload.feature !== change.feature,
        `${path}/payload/feature`,
        'a flag cannot depend on itself',
      )
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

const checkStrategy: Check<AnyStrategy> = (
  { constraints = [], parameters = {}, segments = [], variants = [] },
  path,
): ErrorDetail[] => [
  ...expectThat(
    constraints.length <= maxConstraints,
    `${path}/constraints`,
    `a strategy can have at most ${maxConstraints} constraints, got ${constraints.length}`,
  ),
  ...checkConstraints(constraints, `${path}/constraints`),
  ...expectThat(
    segments.length <= maxSegments,
    `${path}/segments`,
    `a strategy can have at most ${maxSegments} segments, got ${segments.length}`,
  ),
  ...checkPercentages(parameters, `${path}/parameters`),
  ...checkVariants(variants, `${path}/variants`),
]
