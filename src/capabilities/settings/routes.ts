import { toApprovalCount } from '../../domain/approval/check-rules'
import type { EnvironmentSettingsView, SettingsUpdate } from '../../generated'
import { emptyReply, jsonReply } from '../../http/reply'
import { ifMatch, type Route, readErrors, route, writeErrors } from '../../http/route'
import { type EnvironmentSettings, listSettings } from '../../kernel/host/settings'
import { checkBody } from '../../validation/check-body'
import { changeSettings } from './change-settings'

export function parseSettings(body: unknown) {
  const { changeRequestsEnabled, requiredApprovals = null } = checkBody<SettingsUpdate>('settingsUpdate', body)
  return {
    changeRequestsEnabled,
    requiredApprovals: requiredApprovals === null ? null : toApprovalCount(requiredApprovals),
  }
}

export const settingsRoutes: readonly Route[] = [
  route({
    method: 'get',
    path: '/projects/:projectId/change-requests/config',
    operationId: 'getSettings',
    summary: 'Read the settings',
    description:
      'Returns for each environment of the project whether change requests are enabled, and how many approvals they need.',
    permissions: ['READ_CHANGE_REQUEST', 'PROJECT_CHANGE_REQUEST_READ'],
    answer: { status: 200, schema: 'settings-list', description: 'The settings of all environments.' },
    errors: readErrors,
    parse: ({ project }) => project,
    run: (project, services) => listSettings(services, project),
    view: (settings) => jsonReply(settings.map(toSettingsView)),
  }),
  route({
    method: 'put',
    path: '/projects/:projectId/environments/:environment/change-requests/config',
    operationId: 'changeSettings',
    summary: 'Change the settings',
    description: 'Enables or disables change requests in the environment, and sets the approvals that new ones need.',
    permissions: ['PROJECT_CHANGE_REQUEST_WRITE'],
    headers: ifMatch,
    body: 'settings-update',
    answer: { status: 204, description: 'The settings were changed.' },
    errors: writeErrors,
    parse: ({ caller, project, environment, body }) => ({ ...caller, project, environment, ...parseSettings(body) }),
    run: (input, services) => changeSettings(services, input),
    view: () => emptyReply(204),
  }),
]

/** The settings of an environment (contract 3.2); if change requests are disabled, no approvals are required. */
function toSettingsView(settings: EnvironmentSettings): EnvironmentSettingsView {
  const { environment, type, changeRequestsEnabled, requiredApprovals } = settings
  return {
    environment,
    type,
    changeRequestEnabled: changeRequestsEnabled,
    requiredApprovals: changeRequestsEnabled ? requiredApprovals : null,
  }
}
