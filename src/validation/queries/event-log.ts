import { exportTable } from './event-export'
import { describeParameters, text } from './query-parameter'

/** The parameters of the log of the instance or of one project. */
export const eventLogParameters = describeParameters({
  project: text('Only events of this project, and all of them.'),
  ...exportTable,
})
