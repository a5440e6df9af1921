import { describeParameters, text } from '../query-parameter'
import { exportTable } from './event-export'

/** The parameters of the log of the instance or of one project. */
export const eventLogParameters = describeParameters({
  project: text('Only events of this project, and all of them.'),
  ...exportTable,
})
