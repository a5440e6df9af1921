import { phraseOf } from '../../domain/content/phrases'
import { closedStates } from '../../domain/lifecycle'
import type { Missing } from '../../domain/steps/codes'
import type { CopyFacts } from '../../domain/steps/facts'
import type { FactContext } from './fact-context'
import { draftFacts } from './new-draft'
import { unknownFeaturesError } from './unknown-flags'

/** A copy of the changes, validated. */
export async function copyFacts(context: FactContext): Promise<CopyFacts | undefined> {
  const { services, changeRequest } = context
  const { state, project, changes } = changeRequest
  if (!closedStates.includes(state)) return undefined
  const rejected = await unknownFeaturesError(services, project, changes)
  if (rejected !== undefined) return { rejected, invalid: [], excess: undefined }
  const copies = changes.map(({ action, feature, payload }) => ({ action, feature, payload }))
  const { invalid, excess } = await draftFacts(context, copies)
  const unsupported = changes.filter((change) => !services.accepts(change)).map(toUnsupported)
  return { rejected, invalid: [...unsupported, ...invalid], excess }
}

function toUnsupported(change: Parameters<typeof phraseOf>[0]): Missing {
  return { code: 'invalid', message: `${phraseOf(change)} can no longer be proposed.` }
}
