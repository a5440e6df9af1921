import type { ErrorDetail } from '../../errors'
import type { ApplicableChange } from '../../ports/flags'
import { type AnyParameters, checkPercentages } from '../../unleash-rules/percentages'

/** The id of the only strategy of a plain flag. */
export const rolloutId = 'rollout'

/**
 * Why a table with a percentage cannot store the change: it has one strategy, with one parameter.
 *
 * @param current the strategy before the change
 */
export function findRolloutProblems(
  change: ApplicableChange,
  path: string,
  current: { readonly [property: string]: unknown },
): readonly ErrorDetail[] {
  if (change.action !== 'updateStrategy') return []
  const { id, parameters, ...others } = change.payload
  const place = `${path}/payload`
  if (id !== rolloutId) {
    return [{ message: `id must be "${rolloutId}", the only strategy of a flag here`, path: `${place}/id` }]
  }
  const { rollout, ...otherParameters } = parameters ?? {}
  // A table can hold 33.5, which nobody can propose. It can be restored.
  const isStorable = /^\d+(?:\.\d+)?$/.test(rollout ?? '') && Number(rollout) <= 100
  const existing = (isStorable ? (current.parameters ?? {}) : {}) as AnyParameters
  const unsupported = [...Object.keys(others), ...Object.keys(otherParameters).map((name) => `parameters/${name}`)].map(
    (name) => ({
      message: `only parameters.rollout can be changed, leave out ${name.replace('/', '.')}`,
      path: `${place}/${name}`,
    }),
  )
  const missing = { message: 'parameters.rollout is required', path: `${place}/parameters/rollout` }
  return [
    ...unsupported,
    ...(rollout === undefined ? [missing] : checkPercentages({ rollout }, `${place}/parameters`, existing)),
  ]
}
