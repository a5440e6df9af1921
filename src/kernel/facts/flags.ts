import type { FlagState } from '../../domain/flag-state'
import { currentFlagsOf } from '../host/flag-state'
import { isClosed } from '../host/places'
import type { FactContext } from './fact-context'

/** The current flags. Closed change requests are never applied, so the gateway is not called for them. */
export async function gatherFlags(context: FactContext): Promise<FlagState | undefined> {
  const { services, changeRequest, flagsAreOptional } = context
  if (isClosed(changeRequest)) return undefined
  try {
    return await currentFlagsOf(services, [changeRequest])
  } catch (err) {
    if (flagsAreOptional !== true) throw err
    services.logger.warn(
      { err, id: changeRequest.id },
      'A change request was closed without a snapshot of its flags, because the flag gateway failed.',
    )
    return undefined
  }
}
