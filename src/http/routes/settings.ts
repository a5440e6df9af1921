import { changeSettings, listSettings } from '../../operations/change-requests/settings'
import { parseSettings } from '../../validation/bodies/settings'
import { jsonReply } from '../pipeline/reply'
import { pathScope } from '../pipeline/request-context'
import { emptyReply } from './replies'
import { ifMatch, projectOf, type Route, readErrors, writeErrors } from './route'

/** Whether environments take change requests, and how many approvals they need. */
export const settingsRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/projects/:projectId/change-requests/config',
    operationId: 'getSettings',
    summary: 'Read the settings',
    description: 'Whether each environment of the project takes change requests, and how many approvals they need.',
    permissions: ['READ_CHANGE_REQUEST', 'PROJECT_CHANGE_REQUEST_READ'],
    answer: { status: 200, schema: 'settings-list', description: 'The settings of all environments.' },
    errors: readErrors,
    scope: pathScope,
    async run(call, services) {
      const settings = await listSettings(services, projectOf(call))
      return jsonReply(
        settings.map(({ environment, type, changeRequestsEnabled, requiredApprovals }) => ({
          environment,
          type,
          changeRequestEnabled: changeRequestsEnabled,
          requiredApprovals: changeRequestsEnabled ? requiredApprovals : null,
        })),
      )
    },
  },
  {
    method: 'put',
    path: '/projects/:projectId/environments/:environment/change-requests/config',
    operationId: 'changeSettings',
    summary: 'Change the settings',
    description: 'Switches change requests on or off in the environment, and sets how many approvals new ones need.',
    permissions: ['PROJECT_CHANGE_REQUEST_WRITE'],
    headers: ifMatch,
    body: 'settings-update',
    answer: { status: 200, description: 'The settings hold.' },
    errors: writeErrors,
    scope: pathScope,
    async run(call, services) {
      const { actor, ip, scope } = call
      const { environment = '' } = scope
      const wanted = parseSettings(call.body)
      const input = { actor, ip, ifMatch: call.ifMatch, project: projectOf(call), environment, ...wanted }
      await changeSettings(services, input)
      return emptyReply(200)
    },
  },
]
