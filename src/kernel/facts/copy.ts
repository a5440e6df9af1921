import { phraseOf } from '../../domain/content/phrases'
import type { FlagState } from '../../domain/flag-state'
import { currentPart } from '../../domain/flags/base'
import { closedStates } from '../../domain/lifecycle'
import type { Missing } from '../../domain/steps/codes'
import type { CopyFacts } from '../../domain/steps/facts'
import { unknownFeaturesError } from '../host/unknown-flags'
import type { FactContext } from './fact-context'
import { draftFacts } from './new-draft'

/**
 * A copy of the changes, validated.
 *
 * @param readFlags reads the flags that the copies are compared with; only called for a closed change request
 */
export async function copyFacts(
  context: FactContext,
  readFlags: () => Promise<FlagState | undefined>,
): Promise<CopyFacts | undefined> {
  const { services, changeRequest } = context
  const { state, project, changes } = changeRequest
  if (!closedStates.includes(state)) return undefined
  const rejected = await unknownFeaturesError(services, project, changes)
  if (rejected !== undefined) return { rejected, invalid: [], excess: undefined }
  const flags = await readFlags()
  const current = flags && changes.map((change) => currentPart(change, flags))
  const copies = changes.map(({ action, feature, payload }) => ({ action, feature, payload }))
  const { invalid, excess } = await draftFacts(context, copies, current)
  const unsupported = changes.filter((change) => !services.accepts(change)).map(toUnsupported)
  return { rejected, invalid: [...unsupported, ...invalid], excess }
}

function toUnsupported(change: Parameters<typeof phraseOf>[0]): Missing {
  return { code: 'invalid', message: `${phraseOf(change)} can no longer be proposed.` }
}
