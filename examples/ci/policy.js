const { createClient } = require('express-change-requests/client')
const { serve } = require('./receiver')

const maxPoints = 25

/** Whether no rollout moves by more than 25 points, by the effect of the whole change request: four steps of 10 are 40. */
function verdictOf({ changes, changeRequest }) {
  const rollouts = new Map()
  for (const { id, feature, before, after } of changes) {
    if (!isStrategy(before) && !isStrategy(after)) continue
    const key = `${feature} ${before?.id ?? after?.id ?? id}`
    rollouts.set(key, { feature, from: rollouts.get(key)?.from ?? rolloutOf(before), to: rolloutOf(after) })
  }
  // An implied change, such as the default strategy of a flag that is switched on.
  for (const { name, defaultChange } of changeRequest.features) {
    if (isStrategy(defaultChange?.payload)) {
      rollouts.set(`${name} default`, { feature: name, from: 0, to: rolloutOf(defaultChange.payload) })
    }
  }
  // A number that cannot be read is too much.
  const tooMuch = [...rollouts.values()].filter(({ from, to }) => !(Math.abs(to - from) <= maxPoints))
  const summary = tooMuch.map(({ feature, from, to }) => `${feature}: from ${from} % to ${to} %.`).join(' ')
  if (tooMuch.length === 0) return { status: 'passed', summary: `No rollout moves by more than ${maxPoints} points.` }
  return { status: 'failed', summary: `${summary} At most ${maxPoints} points in one change request.`.slice(-1_000) }
}

const isStrategy = (part) => part?.parameters !== undefined

/** Without a rollout, a strategy is for everybody. */
function rolloutOf(strategy) {
  if (!strategy || strategy.disabled) return 0
  return Number(strategy.parameters?.rollout ?? 100)
}

if (require.main === module) {
  const client = createClient({ api: process.env.CHANGE_REQUESTS_URL, key: process.env.CHANGE_REQUESTS_KEY })
  serve({ client, check: 'policy', decide: async (review) => verdictOf(review) })
}

module.exports = { verdictOf }
