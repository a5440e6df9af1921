const states = ['Applied', 'Applied', 'Cancelled', 'In review', 'Draft', 'Rejected', 'Applied', 'Scheduled']
const environments = ['production', 'staging', 'development']
const project = 'shop'
/** The user who requests the lists. */
const caller = 7
const person = (id) => ({ id, username: `user-${id}`, imageUrl: null })

/**
 * The n-th of many change requests: the first `actionable` are open ones of one project, which has nothing else; the rest are
 * in all states, of 20 other projects and 50 authors.
 */
function listed(id, n, actionable) {
  const createdAt = new Date(1_750_000_000_000 + n * 60_000).toISOString()
  const here = n < actionable
  const state = here ? (n % 5 === 0 ? 'Approved' : 'In review') : states[n % states.length]
  const isOpen = ['Draft', 'In review', 'Approved'].includes(state)
  // An author has at most one open change request for each project and environment.
  const author = isOpen ? 1_000 + n : 1 + (n % 50)
  const change = { id, action: 'updateEnabled', feature: `flag-${n % 500}`, payload: { enabled: true } }
  const approvals = here && n % 10 === 1 ? [{ createdBy: person(caller), createdAt, digest: 'd' }] : []
  return {
    ...{ id, project: here ? project : `project-${n % 20}`, environment: environments[n % environments.length] },
    ...{ title: n % 3 === 0 ? `Release ${n}` : null, state, minApprovals: 2, approvals, rejections: [], comments: [] },
    changes: [{ ...change, createdBy: person(author), createdAt }],
    ...{ requestedApprovers: [], createdBy: person(author), createdAt, stateTimestamps: { [state]: createdAt } },
    schedule:
      state === 'Scheduled' ? { scheduledAt: '2999-01-01T00:00:00.000Z', status: 'pending', reason: null } : null,
  }
}

/**
 * The n-th of many open change requests of 20 projects and as many authors: in review, drafts and approved ones, two thirds of
 * them with a title. The caller has approved each tenth and is a requested approver of each thousandth.
 */
function open(id, n) {
  const createdAt = new Date(1_750_000_000_000 + n * 60_000).toISOString()
  const state = ['In review', 'In review', 'Approved', 'In review', 'Draft'][n % 5]
  const author = n % 1_000 === 999 ? caller + 1_000_000 * (n % 3) : 1_000 + n
  const change = { id, action: 'updateEnabled', feature: `flag-${n % 5_000}`, payload: { enabled: true } }
  const approvals = n % 10 === 1 ? [{ createdBy: person(caller), createdAt, digest: 'd' }] : []
  return {
    ...{ id, project: `${project}-${n % 20}`, environment: environments[n % environments.length] },
    ...{ title: n % 7 === 0 ? null : `Release ${n}`, state, minApprovals: 2, approvals, rejections: [], comments: [] },
    changes: [{ ...change, createdBy: person(author), createdAt }],
    requestedApprovers: n % 1_000 === 3 ? [caller] : [],
    ...{ createdBy: person(author), createdAt, stateTimestamps: { [state]: createdAt }, schedule: null },
  }
}

/** A scheduled change request of the same project with its own flag. */
function scheduled(id) {
  const createdAt = new Date(1_750_000_000_000 + id * 60_000).toISOString()
  const change = { id, action: 'archiveFeature', feature: `scheduled-${id}`, payload: {} }
  return {
    ...{ id, project, environment: 'production', title: null, state: 'Scheduled', minApprovals: 1, approvals: [] },
    changes: [{ ...change, createdBy: person(1), createdAt }],
    ...{ rejections: [], comments: [], requestedApprovers: [], createdBy: person(1), createdAt },
    stateTimestamps: { Scheduled: createdAt },
    schedule: { scheduledAt: '2999-01-01T00:00:00.000Z', status: 'pending', reason: null },
  }
}

module.exports = { caller, listed, open, project, scheduled }
