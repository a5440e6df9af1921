const { copyEvents } = require('./copy-events')

/** This number of events is recorded; the others of a larger log are copies of them. */
const recorded = 20_000
const listSize = 1_000
const types = ['feature-created', 'feature-updated', 'feature-archived', 'feature-strategy-update']
const projects = ['shop', 'blog', 'pay', 'core', 'labs']
/** The searched texts: one occurs in few events, one in almost all, one in none. */
const texts = { rare: 'a needle', common: 'flexibleRollout', absent: 'no such text' }

/** Fills the log with `rows` events of several projects, each about 1.3 KB as JSON. */
async function fillLog({ knex, router, rows }) {
  const first = Math.min(rows, recorded)
  for (let from = 0; from < first; from += listSize) {
    const count = Math.min(listSize, first - from)
    await router.events.record(Array.from({ length: count }, (_, index) => recordedEvent(from + index)))
  }
  if (rows > first) {
    await copyEvents(knex, 'ffcr_events', { first, rows })
    // A recount does not lower the newest id of the instance, because it must not fall when events are removed.
    await knex('ffcr_event_counts')
      .update({ last_id: knex('ffcr_events').max('id') })
      .where({ project: '' })
    await router.events.recount()
  }
}

/** An event as a host records it. */
function recordedEvent(n) {
  const data = strategy(n, 300 + ((n * 37) % 200))
  return {
    type: types[(n % 11) % types.length],
    createdBy: `person${n % 40}@example.com`,
    createdByUserId: 1 + (n % 40),
    environment: n % 3 === 0 ? 'production' : 'development',
    project: projects[(n % 7) % projects.length],
    featureName: `checkout-${n % 500}`,
    data: n % 5_003 === 1 ? { ...data, title: texts.rare } : data,
    preData: strategy(n + 1, 280 + ((n * 53) % 180)),
  }
}

/** A strategy of about `size` bytes as JSON; one of ten has characters outside ASCII. */
function strategy(n, size) {
  const values = []
  const facts = {
    id: `9f0c${String(n).padStart(12, '0')}`,
    name: texts.common,
    title: n % 10 === 0 ? 'für Köln – 日本' : 'gradual rollout',
    parameters: { groupId: `checkout-${n % 500}`, rollout: String(n % 101), stickiness: 'default' },
    constraints: [{ contextName: 'userId', operator: 'IN', values, inverted: false, caseInsensitive: false }],
    disabled: false,
  }
  for (let length = JSON.stringify(facts).length; length < size; length += 12) {
    values.push(`user-${(n * 7919 + values.length * 104_729) % 10_000}`)
  }
  return facts
}

module.exports = { fillLog, recordedEvent, texts }
