import { changeRoutes } from './routes/changes'
import { eventRoutes } from './routes/events'
import { listRoutes } from './routes/lists'
import { reviewRoutes } from './routes/review'
import type { Route } from './routes/route'
import { settingsRoutes } from './routes/settings'

/** Every route there is, in the order in which Express tries them: `config` or `pending` is no `:id`. */
export const routes: readonly Route[] = [
  ...settingsRoutes,
  ...listRoutes,
  ...reviewRoutes,
  ...changeRoutes,
  ...eventRoutes,
]
