import { ChangeRequestError } from '../../errors'
import type { PlaygroundRequest, PlaygroundView } from '../../generated/index'
import { gathererFor } from '../../kernel/facts/gather'
import { callHook, describeValue, invalidHookResult } from '../../kernel/hooks'
import type { Services } from '../../kernel/services'
import { visible } from '../../kernel/visible'
import type { Actor } from '../../ports/access'

export interface Trial {
  readonly actor: Actor
  /** Undefined: the id in the path can name nothing. */
  readonly id: number | undefined
  readonly body: PlaygroundRequest
}

/** The flags as they would be with the changes. The host tries them and rolls them back (contract 3.9). */
export async function tryInPlayground(services: Services, { actor, id, body }: Trial): Promise<PlaygroundView> {
  const { playground, storage } = services
  if (playground === null) throw new ChangeRequestError('NotFoundError', 'This app has no playground.')
  const found = id === undefined ? undefined : await storage.find({}, id)
  const isReadable =
    found !== undefined && (await gathererFor(services, actor, found.changeRequest).get('READ_CHANGE_REQUEST'))
  // One answer for all three, so that nobody learns what exists: none, one they may not read, the draft of another.
  const { changeRequest } = visible(isReadable ? found : undefined, actor.id, id)
  const { state } = changeRequest
  if (state !== 'In review' && state !== 'Approved' && state !== 'Scheduled') {
    const message = `A change request in the state ${state} cannot be tried in the playground.`
    throw new ChangeRequestError('ConflictError', message)
  }
  const call = () => playground(structuredClone(changeRequest), body, actor)
  const answer: unknown = await callHook(services, 'playground', call)
  if (typeof answer === 'object' && answer !== null && !Array.isArray(answer)) return answer as PlaygroundView
  throw invalidHookResult('playground', describeValue(answer), 'an object { input, features, warnings? }')
}
