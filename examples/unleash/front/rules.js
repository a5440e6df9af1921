const { unleashRules } = require('express-change-requests')

const rules = unleashRules()

/**
 * `unleashRules()` without what the server does not check. The front refuses no write that the server takes: it is proposed, and
 * the review page marks a percentage that is none.
 *
 * @type {import('express-change-requests').Validate}
 */
function serverRules(changes, context) {
  return rules(changes, context).filter(({ path }) => !isTaken(path.split('/').slice(2), changes))
}

/** @param {string[]} names The names in the path behind `/body`. */
function isTaken([index, , part, position], changes) {
  const { action, payload } = changes[index]
  // Unleash 6 does not check the constraints of a segment.
  if (action === 'updateSegment' || part === 'parameters') return true
  const { operator, value } = (part === 'constraints' && payload.constraints[position]) || {}
  return /^DATE_/.test(operator) && !Number.isNaN(Date.parse(value))
}

module.exports = { serverRules }
