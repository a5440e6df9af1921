const project = 'shop'
const types = ['feature-strategy-update', 'feature-strategy-add', 'feature-environment-enabled', 'feature-updated']

function draft(n) {
  const featureName = `checkout-${n % 500}`
  return {
    type: types[n % types.length],
    createdAt: new Date(1_700_000_000_000 + n * 1_000).toISOString(),
    createdBy: `person${n % 40}@example.com`,
    createdByUserId: 1 + (n % 40),
    environment: n % 3 === 0 ? 'production' : 'development',
    project,
    featureName,
    data: strategy(n, 300 + ((n * 37) % 200)),
    preData: strategy(n + 1, 280 + ((n * 53) % 180)),
    tags: [{ type: 'simple', value: `team-${n % 12}` }],
    ip: '127.0.0.1',
    groupType: null,
    groupId: null,
  }
}

const searchTypes = ['feature-created', 'feature-updated', 'feature-archived', 'feature-strategy-update']
const projects = ['shop', 'blog', 'pay', 'core', 'labs']
/** The searched texts: one occurs in few events, one in almost all, one in none. */
const texts = { rare: 'a needle', common: 'flexibleRollout', absent: 'no such text' }

/** This number of events are changes of one of 500 flags. */
const changeRequests = 400

/** The same for a search: several projects, and one of ten events belongs to a change request. */
function searchDraft(n) {
  const event = { ...draft(n), project: projects[(n % 7) % projects.length] }
  const type = searchTypes[(n % 11) % searchTypes.length]
  if (n % 10 === 0) {
    const data = { changeRequestId: 1 + (Math.floor(n / 50) % changeRequests), ...event.data }
    return { ...event, type: 'change-added', featureName: null, data, preData: null }
  }
  return n % 5_003 === 1 ? { ...event, type, data: { ...event.data, title: texts.rare } } : { ...event, type }
}

/** An event as a host records it, of one of several projects. */
function recordedEvent(n) {
  const { createdAt, ip, groupType, groupId, tags, ...event } = draft(n)
  return { ...event, type: searchTypes[(n % 11) % searchTypes.length], project: projects[(n % 7) % projects.length] }
}

/** A strategy of about `size` bytes as JSON; one of ten has characters outside ASCII. */
function strategy(n, size) {
  const facts = {
    id: `9f0c${String(n).padStart(12, '0')}`,
    name: 'flexibleRollout',
    title: n % 10 === 0 ? 'für Köln – 日本' : 'gradual rollout',
    parameters: { groupId: `checkout-${n % 500}`, rollout: String(n % 101), stickiness: 'default' },
    constraints: [{ contextName: 'userId', operator: 'IN', values: [], inverted: false, caseInsensitive: false }],
    disabled: false,
  }
  const values = facts.constraints[0].values
  for (let length = JSON.stringify(facts).length; length < size; length += 12) {
    values.push(`user-${(n * 7919 + values.length * 104_729) % 10_000}`)
  }
  return facts
}

module.exports = { draft, project, recordedEvent, searchDraft, texts, changeRequests }
