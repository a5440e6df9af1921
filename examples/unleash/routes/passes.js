/**
 * The writing routes that change no flag, no strategy and no segment in any environment, and no permission. They go to
 * the server as they are.
 * What is neither here nor in `gated.js` is refused.
 */
const passes = [
  // Sign-in and the account of the caller.
  'POST /auth/simple/login',
  'POST /auth/reset/password',
  'POST /auth/reset/password-email',
  'POST /auth/reset/validate-password',
  'POST /invite/:token/signup',
  'POST /logout',
  'POST /api/admin/user/change-password',
  'POST /api/admin/user/tokens',
  'DELETE /api/admin/user/tokens/:id',
  // What the page remembers for the caller, and its reports.
  'POST /api/admin/projects/:project/favorites',
  'DELETE /api/admin/projects/:project/favorites',
  'POST /api/admin/projects/:project/features/:feature/favorites',
  'DELETE /api/admin/projects/:project/features/:feature/favorites',
  'POST /api/admin/splash/:id',
  'POST /api/admin/feedback',
  'PUT /api/admin/feedback/:id',
  'POST /api/admin/record-ui-error',
  // Questions that are sent as a POST.
  'POST /api/admin/features/validate',
  'POST /api/admin/context/validate',
  'POST /api/admin/projects/:project/context/validate',
  'POST /api/admin/tag-types/validate',
  'POST /api/admin/segments/validate',
  'POST /api/admin/constraints/validate',
  'POST /api/admin/features-batch/export',
  'POST /api/admin/features-batch/validate',
  'POST /api/admin/projects/:project/archive/validate',
  'POST /api/admin/user-admin/validate-password',
  'POST /api/admin/events/search',
  'POST /api/admin/playground',
  'POST /api/admin/playground/advanced',
  // What SDKs send, and what they ask by POST.
  'POST /api/client/metrics',
  'POST /api/client/metrics/bulk',
  'POST /api/client/metrics/custom',
  'POST /api/client/register',
  'POST /api/frontend',
  'POST /api/frontend/client/metrics',
  'POST /api/frontend/client/register',
  'POST /edge/validate',
  'POST /api/admin/metrics/applications/:application',
  'DELETE /api/admin/metrics/applications/:application',
  // Texts beside a flag: tags, links, the stage of its life.
  'POST /api/admin/tags',
  'DELETE /api/admin/tags/:type/:value',
  'POST /api/admin/tag-types',
  'PUT /api/admin/tag-types/:name',
  'DELETE /api/admin/tag-types/:name',
  'POST /api/admin/features/:feature/tags',
  'PUT /api/admin/features/:feature/tags',
  'DELETE /api/admin/features/:feature/tags/:type/:value',
  'PUT /api/admin/projects/:project/tags',
  'POST /api/admin/projects/:project/features/:feature/link',
  'PUT /api/admin/projects/:project/features/:feature/link/:link',
  'DELETE /api/admin/projects/:project/features/:feature/link/:link',
  'POST /api/admin/projects/:project/features/:feature/lifecycle/complete',
  'POST /api/admin/projects/:project/features/:feature/lifecycle/uncomplete',
  'PUT /api/admin/feature-types/:id/lifetime',
  // What can be chosen when a strategy is written; SDKs get none of it.
  'POST /api/admin/strategies',
  'PUT /api/admin/strategies/:name',
  'DELETE /api/admin/strategies/:name',
  'POST /api/admin/strategies/:name/deprecate',
  'POST /api/admin/strategies/:name/reactivate',
  'POST /api/admin/context',
  'PUT /api/admin/context/:field',
  'DELETE /api/admin/context/:field',
  'POST /api/admin/context/:field/legal-values',
  'DELETE /api/admin/context/:field/legal-values/:value',
  'POST /api/admin/projects/:project/context',
  'PUT /api/admin/projects/:project/context/:field',
  'DELETE /api/admin/projects/:project/context/:field',
  'POST /api/admin/projects/:project/context/:field/legal-values',
  'DELETE /api/admin/projects/:project/context/:field/legal-values/:value',
  // A new segment has no effect before a strategy names it.
  'POST /api/admin/segments',
  // An integration that is gone calls nobody.
  'DELETE /api/admin/addons/:id',
  // Settings of the instance, which the server leaves to its admins.
  'POST /api/admin/ui-config',
  'POST /api/admin/ui-config/cors',
  'POST /api/admin/maintenance',
  'PUT /api/admin/environments/sort-order',
]

module.exports = { passes }
