import type { Route } from '../http/route'
import { changeRoutes } from '../capabilities/proposals/routes'
import { eventRoutes } from '../capabilities/log/routes'
import { extensionRoutes } from '../capabilities/review/extension-routes'
import { listRoutes } from '../capabilities/lists/routes'
import { playgroundRoutes } from '../capabilities/playground/routes'
import { reviewRoutes } from '../capabilities/review/routes'
import { settingsRoutes } from '../capabilities/settings/routes'

/** Every route there is, in the order in which Express tries them: `config` or `pending` is no `:id`. */
export const routes: readonly Route[] = [
  ...settingsRoutes,
  ...listRoutes,
  ...reviewRoutes,
  ...changeRoutes,
  ...eventRoutes,
  ...extensionRoutes,
  ...playgroundRoutes,
]
