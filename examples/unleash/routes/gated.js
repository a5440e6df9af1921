const changes = require('./changes')
const exceptions = require('./exceptions')

const P = '/api/admin/projects/:project'
const F = `${P}/features/:feature`
const E = `${F}/environments/:environment`

/**
 * The writing routes that change the effect of a flag, or permissions to change it. `touches` is where: the environment of the
 * path (`environment`), environments in the body (`named environments`), the whole project (`project`), the environment in all
 * projects (`environment everywhere`), the projects that can use a segment (`segment`), or anywhere, also because the server does not check the path (`everywhere`).
 *
 * `toChanges` converts the write to changes for a draft. If it is missing or returns null, the write cannot be proposed, and only
 * callers with SKIP_CHANGE_REQUEST can do it. A write for which `except` returns true passes.
 */
const gated = [
  // One flag in one environment.
  { route: `POST ${E}/on`, touches: 'environment', toChanges: changes.switchOn },
  { route: `POST ${E}/off`, touches: 'environment', toChanges: changes.switchOff },
  { route: `POST ${E}/strategies/set-sort-order`, touches: 'environment', toChanges: changes.reorderStrategies },
  { route: `POST ${E}/strategies`, touches: 'environment', toChanges: changes.addStrategy },
  { route: `PUT ${E}/strategies/:strategy`, touches: 'environment', toChanges: changes.updateStrategy },
  { route: `PATCH ${E}/strategies/:strategy`, touches: 'environment', toChanges: changes.patchStrategy },
  { route: `DELETE ${E}/strategies/:strategy`, touches: 'environment', toChanges: changes.deleteStrategy },
  { route: `PUT ${E}/variants`, touches: 'environment', toChanges: changes.replaceVariants },
  { route: `PATCH ${E}/variants`, touches: 'environment', toChanges: changes.patchVariants },
  // Several flags or environments.
  {
    route: `POST ${P}/bulk_features/environments/:environment/on`,
    touches: 'environment',
    toChanges: changes.switchAllOn,
  },
  {
    route: `POST ${P}/bulk_features/environments/:environment/off`,
    touches: 'environment',
    toChanges: changes.switchAllOff,
  },
  { route: `PUT ${F}/variants-batch`, touches: 'named environments', toChanges: changes.replaceVariantsOfOne },
  { route: `PUT ${F}/variants`, touches: 'project' },
  { route: `PATCH ${F}/variants`, touches: 'project' },
  { route: 'POST /api/admin/features-batch/import', touches: 'everywhere' },
  // A flag in all environments.
  { route: `POST ${P}/features`, touches: 'project', except: exceptions.describesNew },
  { route: `PUT ${F}`, touches: 'project', except: exceptions.replacesTexts },
  { route: `PATCH ${F}`, touches: 'project', except: exceptions.patchesTexts },
  { route: `POST ${F}/clone`, touches: 'project' },
  { route: `DELETE ${F}`, touches: 'project', toChanges: changes.archive },
  { route: `POST ${F}/dependencies`, touches: 'project', toChanges: changes.addDependency },
  { route: `DELETE ${F}/dependencies/:parent`, touches: 'project', toChanges: changes.deleteDependency },
  { route: `DELETE ${F}/dependencies`, touches: 'project', toChanges: changes.deleteDependency },
  { route: `POST ${P}/archive`, touches: 'project', toChanges: changes.archiveAll },
  { route: `POST ${P}/stale`, touches: 'everywhere' },
  { route: `POST ${P}/delete`, touches: 'everywhere' },
  { route: `POST ${P}/revive`, touches: 'everywhere' },
  { route: 'DELETE /api/admin/archive/:feature', touches: 'everywhere' },
  { route: 'POST /api/admin/archive/revive/:feature', touches: 'everywhere' },
  // Segments, which strategies of any flag may use.
  { route: 'POST /api/admin/segments/strategies', touches: 'everywhere' },
  { route: 'PUT /api/admin/segments/:segment', touches: 'segment', toChanges: changes.updateSegment },
  { route: 'DELETE /api/admin/segments/:segment', touches: 'segment', toChanges: changes.deleteSegment },
  // The server calls the URL of an integration with a header and a body that its author chooses. The URL may be the server's own.
  { route: 'POST /api/admin/addons', touches: 'everywhere' },
  { route: 'PUT /api/admin/addons/:id', touches: 'everywhere' },
  // Accounts with their roles and passwords, and tokens: anyone who can create an admin, or sign in as one, can bypass the review.
  // An app whose token is deleted gets no flags. What users do to their own account is in `passes.js`.
  { route: 'POST /api/admin/user-admin', touches: 'everywhere' },
  { route: 'PUT /api/admin/user-admin/:id', touches: 'everywhere' },
  { route: 'DELETE /api/admin/user-admin/scim-users', touches: 'everywhere' },
  { route: 'DELETE /api/admin/user-admin/:id', touches: 'everywhere' },
  { route: 'POST /api/admin/user-admin/inactive/delete', touches: 'everywhere' },
  { route: 'POST /api/admin/user-admin/reset-password', touches: 'everywhere' },
  { route: 'POST /api/admin/user-admin/:id/change-password', touches: 'everywhere' },
  { route: 'POST /api/admin/invite-link/tokens', touches: 'everywhere' },
  { route: 'PUT /api/admin/invite-link/tokens/:token', touches: 'everywhere' },
  { route: 'POST /api/admin/api-tokens', touches: 'everywhere' },
  { route: 'PUT /api/admin/api-tokens/:token', touches: 'everywhere' },
  { route: 'DELETE /api/admin/api-tokens/:token', touches: 'everywhere' },
  { route: `POST ${P}/api-tokens`, touches: 'everywhere' },
  { route: `DELETE ${P}/api-tokens/:token`, touches: 'everywhere' },
  { route: 'POST /edge/issue-token', touches: 'everywhere' },
  // The environments themselves, and the strategy that new flags get there.
  { route: `POST ${P}/environments`, touches: 'project' },
  { route: `DELETE ${P}/environments/:environment`, touches: 'environment' },
  { route: `POST ${P}/environments/:environment/default-strategy`, touches: 'environment' },
  { route: 'POST /api/admin/environments/:environment/on', touches: 'environment everywhere' },
  { route: 'POST /api/admin/environments/:environment/off', touches: 'environment everywhere' },
]

module.exports = { gated }
