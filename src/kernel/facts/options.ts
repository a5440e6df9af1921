import type { StepOptions } from '../../domain/steps/facts'
import type { FactContext } from './fact-context'

/** The options of the router that the rules of the steps depend on. */
export function stepOptions({
  services: { options, flags, acceptsSchedules },
}: Pick<FactContext, 'services'>): StepOptions {
  return {
    adminSelfApproval: options.adminSelfApproval,
    detailsByAnyone: options.editDetails === 'anyone',
    scheduler: acceptsSchedules(),
    presetsSchedules: options.schedule !== 'off',
    emergency: options.emergency,
    overwrites: options.overwrites === 'allow',
    canApply: flags !== null || options.recordOnly,
    knowsOutcome: flags?.outcome !== undefined,
    globalSegments: options.globalSegments,
    requireRevision: options.requireRevision,
  }
}
