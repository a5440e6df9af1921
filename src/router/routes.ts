import { applyRoutes } from '../capabilities/apply/routes'
import { authoringRoutes } from '../capabilities/authoring/routes'
import { customFieldRoutes } from '../capabilities/checks/custom-fields'
import { checkRoutes } from '../capabilities/checks/routes'
import { consumerRoutes } from '../capabilities/consumers/routes'
import { copyRoutes } from '../capabilities/copy/routes'
import { discussionRoutes } from '../capabilities/discussion/routes'
import { listRoutes } from '../capabilities/lists/routes'
import { createEventRoutes } from '../capabilities/log/routes'
import { objectionRoutes } from '../capabilities/objections/routes'
import { playgroundRoutes } from '../capabilities/playground/routes'
import { proposalRoutes } from '../capabilities/proposals/routes'
import { rebaseRoutes } from '../capabilities/rebase/routes'
import { revertRoutes } from '../capabilities/revert/routes'
import { reviewRoutes } from '../capabilities/review/routes'
import { scheduleRoutes } from '../capabilities/schedule/routes'
import { settingsRoutes } from '../capabilities/settings/routes'
import { stateRoutes } from '../capabilities/state/routes'
import type { Route } from '../http/route'

/** All routes in the order in which Express tries them: a literal segment wins over a parameter (contract 2.1). */
export function createRoutes(): readonly Route[] {
  const all = [
    ...settingsRoutes,
    ...scheduleRoutes,
    ...listRoutes,
    ...proposalRoutes,
    ...stateRoutes,
    ...applyRoutes,
    ...discussionRoutes,
    ...customFieldRoutes,
    ...authoringRoutes,
    ...reviewRoutes,
    ...checkRoutes,
    ...objectionRoutes,
    ...rebaseRoutes,
    ...revertRoutes,
    ...copyRoutes,
    ...createEventRoutes(),
    ...playgroundRoutes,
    ...consumerRoutes,
  ]
  return all.sort((one, other) => Number(rankOf(one) > rankOf(other)) - Number(rankOf(one) < rankOf(other)))
}

/** One character per segment, so that literal segments sort before parameters. */
function rankOf({ path }: Route): string {
  const ranks = path.split('/').map((segment) => (segment.startsWith(':') ? '1' : '0'))
  return ranks.join('')
}
