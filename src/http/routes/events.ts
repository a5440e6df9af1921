import { singleQueryValue } from '../call'
import type { Route } from './route'

/** The event log. */
export const eventRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/events',
    operationId: 'getEvents',
    summary: 'Read the event log',
    description:
      'The newest 100 events of the instance, or with `project` all events of that project, newest first. An unknown ' +
      'project has none. The answer is sent as it is read, whatever its size.',
    permissions: ['READ_EVENTS'],
    query: {
      project: { description: 'Only events of this project, and all of them.', schema: { type: 'string' } },
    },
    headers: {
      'If-None-Match': {
        description: 'The entity tag of an earlier answer; 304 while there is nothing new.',
        schema: { type: 'string' },
      },
    },
    answer: { status: 200, schema: 'event-list', description: 'The events, newest first.' },
    errors: [400, 401, 403, 500, 503],
    scope: (req) => {
      const project = singleQueryValue(req, 'project')
      return project === undefined ? {} : { project }
    },
    run: ({ scope, ifNoneMatch }, { eventLists }) => eventLists(scope, ifNoneMatch),
  },
]
