import type { ChangeRequest } from '../domain/change-request'
import type { PlaygroundRequest, PlaygroundView } from '../generated/index'
import type { Actor } from './access'

/**
 * Your hook for the playground: evaluates the flags as if the changes were applied, without changing them. It gets a copy
 * of the change request, the context to evaluate for, and the caller. It is called for change requests in review, approved
 * or scheduled that the caller can read.
 *
 * @throws ChangeRequestError which becomes the response. For any other error the response is 503 UnavailableError.
 *
 * @example
 * ```ts
 * const playground: Playground = async ({ project, environment, changes }, { context }) => {
 *   const trial = await knex.transaction()
 *   try {
 *     for (const { action, feature, payload } of changes) await trial('trial').insert({ action, feature, payload })
 *     const features = await trial('evaluated').where({ project, environment, app: context.appName })
 *     return { input: { context, projects: [project], environments: [environment] }, features }
 *   } finally {
 *     await trial.rollback()
 *   }
 * }
 * ```
 */
export type Playground<HostActor extends Actor = Actor> = (
  changeRequest: ChangeRequest,
  body: PlaygroundRequest,
  actor: HostActor,
) => PlaygroundView | Promise<PlaygroundView>
