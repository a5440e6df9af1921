import type { Request } from 'express'
import { addChanges } from '../operations/add-changes'
import { entityTag } from '../operations/entity-tag'
import type { Services } from '../operations/services'
import type { Permission, Scope } from '../ports/access'
import { parseChanges } from '../validation/parse'
import { type Call, pathScope, singleQueryValue } from './call'
import type { createEventLists } from './event-list'
import { jsonReply, type Reply } from './reply'
import { toChangeRequestView, type ViewOptions } from './views'

/** What the routes answer from. */
export interface RouteServices extends Services {
  readonly eventLists: ReturnType<typeof createEventLists>
  readonly views: ViewOptions
  readonly changesPerRequest: number
}

interface Parameter {
  readonly description: string
  readonly schema: object
}

/** One operation: what `openapi.json` says of it, who may call it, and what it does. */
export interface Route {
  readonly method: 'get' | 'post' | 'put' | 'delete'
  /** Below the base path. */
  readonly path: string
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly permission: Permission
  readonly query?: Readonly<Record<string, Parameter>>
  readonly headers?: Readonly<Record<string, Parameter>>
  /** The schema of the body in `schemas/`; a route without one reads no body. */
  readonly body?: string
  readonly answer: { readonly status: 200 | 204; readonly schema?: string; readonly description: string }
  /** The statuses that carry the error schema. */
  readonly errors: readonly number[]
  /** Where the permission is asked for. */
  readonly scope: (req: Request) => Scope
  readonly run: (call: Call, services: RouteServices) => Promise<Reply>
}

/** Every route there is. Literal segments stand before parameters in the same place. */
export const routes: readonly Route[] = [
  {
    method: 'post',
    path: '/projects/:projectId/environments/:environment/change-requests',
    operationId: 'addChanges',
    summary: 'Propose changes',
    description:
      "Adds one change or a list of changes, all or nothing, to the caller's open change request of the project and " +
      'environment, or to a new one in the state Draft. Answers the whole change request.',
    permission: 'CREATE_CHANGE_REQUEST',
    headers: {
      'If-Match': {
        description: 'The entity tag of the change request that is to take the changes; any other is refused with 412.',
        schema: { type: 'string' },
      },
    },
    body: 'change-submission',
    answer: { status: 200, schema: 'change-request', description: 'The change request with all of its changes.' },
    errors: [400, 401, 403, 404, 409, 412, 413, 415, 500, 503],
    scope: pathScope,
    async run({ actor, ip, scope, body, header }, services) {
      const { project = '', environment = '' } = scope
      const changes = parseChanges(body, services)
      const ifMatch = header('if-match')
      const stored = await addChanges(services, { actor, ip, project, environment, changes, ifMatch })
      return jsonReply(toChangeRequestView(stored.changeRequest, services.views), { ETag: entityTag(stored) })
    },
  },
  {
    method: 'get',
    path: '/events',
    operationId: 'getEvents',
    summary: 'Read the event log',
    description:
      'The newest 100 events of the instance, or with `project` all events of that project, newest first. An unknown ' +
      'project has none. The answer is sent as it is read, whatever its size.',
    permission: 'READ_EVENTS',
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
    run: ({ scope, header }, { eventLists }) => eventLists(scope, header('if-none-match')),
  },
]
