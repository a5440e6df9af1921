import { featureSubject } from '../../domain/content/grouping'
import { listEventCreators } from '../../operations/events/event-creators'
import { visibleProjects } from '../../operations/events/event-visibility'
import { searchEvents } from '../../operations/events/search-events'
import type { EventScope } from '../../ports/storage'
import { exportParameters } from '../../validation/queries/event-export'
import { eventLogParameters } from '../../validation/queries/event-log'
import { parseEventPage } from '../../validation/queries/event-page'
import { eventSearchParameters, parseEventSearch } from '../../validation/queries/event-search'
import { isName } from '../../validation/queries/names'
import { singleValue } from '../../validation/queries/query-reader'
import { answerEvents } from '../events/negotiate'
import { searchReply } from '../events/search'
import { jsonReply } from '../pipeline/reply'
import { pathScope, queryOf } from '../pipeline/request-context'
import { exportMediaTypes } from './event-exports'
import { type Parameter, type Route, readErrors } from './route'

/** Without a project the log answers so many events; with one it answers all (contract 9.2). */
const instanceEvents = 100

const ifNoneMatch: Readonly<Record<string, Parameter>> = {
  'If-None-Match': {
    description: 'The entity tag of an earlier answer; 304 while there is nothing new.',
    schema: { type: 'string' },
  },
}

const lastEventId: Readonly<Record<string, Parameter>> = {
  'Last-Event-ID': {
    description: 'With `Accept: text/event-stream`: the stream begins behind this id; 0: with the oldest event.',
    schema: { type: 'string', pattern: '^\\d{1,16}$' },
  },
}

const otherMediaTypes = {
  ...exportMediaTypes,
  'text/event-stream': {
    schema: {
      type: 'string',
      description: 'The events as they come, each a message with its id, and blocks that only move the last event id.',
    },
  },
}

/** The event log. */
export const eventRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/events',
    operationId: 'getEvents',
    summary: 'Read the event log',
    description:
      'The newest 100 events of the instance, or with `project` all events of that project, newest first. An unknown ' +
      'project has none. The answer is sent as it is read, whatever its size. An export without `project` has all events ' +
      'of the instance.',
    permissions: ['READ_EVENTS'],
    query: eventLogParameters,
    headers: { ...ifNoneMatch, ...lastEventId },
    answer: { status: 200, schema: 'event-list', description: 'The events, newest first.', also: otherMediaTypes },
    errors: [400, 401, 403, 500, 503],
    scope: (req) => {
      const project = singleValue(queryOf(req), 'project')
      return project === undefined ? {} : { project }
    },
    run(call, services) {
      const { project } = call.scope
      // What can be no name is not even asked for: Postgres refuses a text with NUL.
      const scope: EventScope = project === undefined ? {} : { projects: isName(project) ? [project] : [] }
      const list = project === undefined ? { scope, most: instanceEvents } : { scope }
      return answerEvents(call, services, {
        filter: scope,
        json: () => services.eventLists(list, call.ifNoneMatch),
      })
    },
  },
  {
    method: 'get',
    path: '/events/:featureName',
    operationId: 'getEventsForFeature',
    summary: 'Read the log of a flag',
    description: 'All events of the flag that the caller may read, newest first. An unknown flag has none.',
    permissions: [],
    query: exportParameters,
    headers: { ...ifNoneMatch, ...lastEventId },
    answer: {
      status: 200,
      schema: 'feature-event-list',
      description: 'The events, newest first.',
      also: otherMediaTypes,
    },
    errors: [400, 401, 500, 503],
    scope: pathScope,
    async run(call, services) {
      const toggleName = call.name('featureName')
      const projects = await visibleProjects(services, call.actor)
      const scope: EventScope = { features: [toggleName], ...(projects && { projects }) }
      return answerEvents(call, services, {
        filter: scope,
        json: () => services.eventLists({ scope, facts: { toggleName } }, call.ifNoneMatch),
      })
    },
  },
  {
    method: 'get',
    path: '/search/events',
    operationId: 'searchEvents',
    summary: 'Search the event log',
    description:
      'Events that the caller may read and that fit all parameters, newest first. A search by flag also finds the events ' +
      'of the change requests that have a change of it. A text is looked for in a limited number of events; the link ' +
      '`next` of the answer goes on from there.',
    permissions: [],
    query: eventSearchParameters,
    headers: lastEventId,
    answer: {
      status: 200,
      schema: 'event-search',
      description: 'One page of what was found, and how much.',
      also: otherMediaTypes,
    },
    errors: [400, 401, 403, 500, 503],
    scope: () => ({}),
    async run(call, services) {
      const query = parseEventSearch(call.query)
      const projects = await visibleProjects(services, call.actor, query.projects)
      const features = query.features && { features: query.features, subjects: query.features.map(featureSubject) }
      const filter = { ...query.filter, ...(features && { history: features }), ...(projects && { projects }) }
      return answerEvents(call, services, {
        filter,
        grouped: true,
        async json() {
          const search = { filter, ...parseEventPage(call.query) }
          return searchReply(await searchEvents(services.storage, search, services.searchedEvents), call.queryString())
        },
      })
    },
  },
  {
    method: 'get',
    path: '/event-creators',
    operationId: 'getEventCreators',
    summary: 'List who has written events',
    description: 'Everybody who has written an event that the caller may read, by id.',
    permissions: [],
    answer: { status: 200, schema: 'event-creators', description: 'Ids and names.' },
    errors: readErrors,
    scope: () => ({}),
    run: async ({ actor }, services) => jsonReply(await listEventCreators(services, actor)),
  },
]
