/**
 * Disables change requests in environments without a setting that the server does not call production. Everywhere else they
 * are enabled from the start, also in environments that are added later.
 *
 * @param {import('express-change-requests').Storage} storage
 * @param {object} onServer See `directory.js`.
 */
async function leaveOthersOpen(storage, onServer) {
  for (const project of await onServer.projects()) {
    for (const { name: environment, type } of (await onServer.environments(project)) ?? []) {
      if (type === 'production' || (await storage.findSettings({ project, environment })) !== undefined) continue
      const settings = { changeRequestsEnabled: false, requiredApprovals: 1 }
      await storage.commitSettings({ project, environment, settings, expectedVersion: 0, events: [] })
    }
  }
}

module.exports = { leaveOthersOpen }
