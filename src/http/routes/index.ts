import type { Route } from '../pipeline/route'
import { changeRoutes } from './changes'
import { eventRoutes } from './events'
import { extensionRoutes } from './extensions'
import { listRoutes } from './lists'
import { playgroundRoutes } from './playground'
import { reviewRoutes } from './review'
import { settingsRoutes } from './settings'

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
