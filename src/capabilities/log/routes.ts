import { featureSubject } from '../../domain/content/grouping'
import { jsonReply } from '../../http/reply'
import { queryOf } from '../../http/request-context'
import { type Route, readErrors, route } from '../../http/route'
import { visibleProjects } from '../../kernel/view/event-visibility'
import type { EventScope } from '../../ports/storage/events'
import { isName, placeNames } from '../../validation/core/names'
import { eventActivityParameters, parseEventActivity } from '../../validation/queries/events/event-days'
import { exportParameters, exportTable, parseEventPage } from '../../validation/queries/events/event-page'
import { eventSearchParameters, parseEventSearch } from '../../validation/queries/events/event-search'
import { describeParameters, text } from '../../validation/queries/query-parameter'
import { singleValue } from '../../validation/queries/query-reader'
import { listEventCreators } from './event-creators'
import { eventRoute } from './event-route'
import { createEventLists } from './list'
import { ifNoneMatch, lastEventId, otherMediaTypes } from './media-types'
import { readEvents, readShort } from './read-events'
import { searchEvents, viewSearch } from './search'

/** Maximum number of events in the log of the instance; the log of a project returns all (contract 9.2). */
const instanceEvents = 100

export function createEventRoutes(): readonly Route[] {
  const lists = createEventLists()
  return [
    eventRoute(
      {
        method: 'get',
        path: '/events',
        operationId: 'getEvents',
        summary: 'Read the event log',
        description:
          'Returns the newest 100 events of the instance, or with `project` all events of that project, newest first. An ' +
          'unknown project has none. The response is streamed, whatever its size. An export without `project` has all ' +
          'events of the instance.',
        permissions: ['READ_EVENTS'],
        query: describeParameters({
          project: text('Return all events of this project only.'),
          ...exportTable,
        }),
        headers: { ...ifNoneMatch, ...lastEventId },
        answer: { status: 200, schema: 'event-list', description: 'The events, newest first.', also: otherMediaTypes },
        errors: [400, 401, 403, 409, 500, 503],
        scope(req) {
          const project = singleValue(queryOf(req), 'project')
          return project === undefined ? {} : { project }
        },
      },
      {
        parse: ({ scope: { project } }) => project,
        parsePage: ({ isFresh }) => ({ isFresh }),
        // Postgres rejects a text with NUL, so a malformed name must not reach the storage.
        select: (project) => ({
          filter: project === undefined ? {} : { projects: isName(placeNames, project) ? [project] : [] },
          requested: project === undefined ? {} : { project: [project] },
        }),
        async find(page, { filter: scope }, { storage }, project) {
          const max = project === undefined ? instanceEvents : Number.POSITIVE_INFINITY
          return { ...page, scope, list: await lists.read(storage, scope, max) }
        },
        view: lists.view,
      },
    ),
    eventRoute(
      {
        method: 'get',
        path: '/events/:featureName',
        operationId: 'getEventsForFeature',
        summary: 'Read the log of a flag',
        description: 'Returns all events of the flag that the caller can read, newest first. An unknown flag has none.',
        permissions: [],
        query: exportParameters,
        headers: { ...ifNoneMatch, ...lastEventId },
        answer: {
          status: 200,
          schema: 'feature-event-list',
          description: 'The events, newest first.',
          also: otherMediaTypes,
        },
        errors: [400, 401, 409, 500, 503],
      },
      {
        parse: (context) => ({ actor: context.caller.actor, toggleName: context.name('featureName') }),
        parsePage: ({ isFresh, isConditional }) => ({ isFresh, isConditional }),
        async select({ actor, toggleName }, services) {
          const projects = await visibleProjects(services, actor)
          const scope: EventScope = { features: [toggleName], ...(projects && { projects }) }
          return { filter: scope, requested: { featureName: [toggleName] } }
        },
        async find(page, { filter: scope }, { storage }, { toggleName }) {
          // The head alone decides whether the list has changed.
          const list = page.isConditional
            ? await readEvents(storage, scope, Number.POSITIVE_INFINITY)
            : await readShort(storage, scope)
          return { ...page, scope, facts: { toggleName }, list }
        },
        view: lists.view,
      },
    ),
    eventRoute(
      {
        method: 'get',
        path: '/search/events',
        operationId: 'searchEvents',
        summary: 'Search the event log',
        description:
          'Returns the events that the caller can read and that match all parameters, newest first. A search by flag also ' +
          'returns the events of change requests that currently change the flag. A search for a text reads a limited ' +
          'number of events. The link `next` of the response continues from there.',
        permissions: [],
        query: eventSearchParameters,
        headers: lastEventId,
        answer: {
          status: 200,
          schema: 'event-search',
          description: 'One page of matches, and the number of all matches.',
          also: otherMediaTypes,
        },
        errors: [400, 401, 403, 409, 500, 503],
      },
      {
        parse: ({ caller: { actor }, query }) => ({ actor, ...parseEventSearch(query) }),
        parsePage: ({ query, search }) => ({ ...parseEventPage(query), address: search }),
        async select({ actor, filter, features, projects: named, requested }, services) {
          const projects = await visibleProjects(services, actor, named)
          const history = features && { features, subjects: features.map(featureSubject) }
          return {
            ...{ grouped: true, requested },
            filter: { ...filter, ...(history && { history }), ...(projects && { projects }) },
          }
        },
        async find({ address, ...page }, { filter }, { storage, options }) {
          return { address, ...(await searchEvents(storage, { filter, ...page }, options.limits)) }
        },
        view: viewSearch,
      },
    ),
    route({
      method: 'get',
      path: '/search/events/activity',
      operationId: 'getEventActivity',
      summary: 'Count the events of each day',
      description:
        'Returns the number of events of each day that the caller can read. Days without events are left out.',
      permissions: [],
      query: eventActivityParameters,
      answer: { status: 200, schema: 'event-activity', description: 'The days, oldest first.' },
      errors: [400, 401, 403, 500, 503],
      parse: ({ caller: { actor }, query }) => ({ actor, ...parseEventActivity(query) }),
      async run({ actor, days, project }, services) {
        const projects = await visibleProjects(services, actor, project === undefined ? undefined : [project])
        return { days: await services.storage.eventsPerDay(days, projects) }
      },
      view: (activity) => jsonReply(activity),
    }),
    route({
      method: 'get',
      path: '/event-creators',
      operationId: 'getEventCreators',
      summary: 'List the event creators',
      description: 'Returns all users who have written an event that the caller can read, by id.',
      permissions: [],
      answer: { status: 200, schema: 'event-creators', description: 'Ids and names.' },
      errors: readErrors,
      parse: ({ caller: { actor } }) => actor,
      run: (actor, services) => listEventCreators(services, actor),
      view: (creators) => jsonReply(creators),
    }),
  ]
}
