import type { StepOptions } from '../../domain/steps/facts'
import type { FactContext } from './fact-context'

/** The options that the rules depend on: those of the router by their names, and what follows from others. */
export function stepOptions({
  services: { options, flags, acceptsSchedules },
}: Pick<FactContext, 'services'>): StepOptions {
  return {
    ...options,
    detailsByAnyone: options.editDetails === 'anyone',
    scheduler: acceptsSchedules(),
    presetsSchedules: options.schedule !== 'off',
    overwrites: options.overwrites === 'allow',
    canApply: flags !== null || options.recordOnly,
    knowsOutcome: flags?.outcome !== undefined,
  }
}
