const { path } = require('../server/client')

const texts = ['description', 'type']

/** True for a new flag, which is disabled, if the body only describes it. */
const describesNew = ({ body }) => hasOnly(body, ['name', ...texts, 'impressionData', 'tags'])

/** True for a body that changes only texts. The server sets missing booleans to false. */
async function replacesTexts({ params: { project, feature }, body, client }) {
  if (!hasOnly(body, ['name', ...texts, 'impressionData', 'stale'])) return false
  const present = await client.find(path`projects/${project}/features/${feature}`)
  return ['impressionData', 'stale'].every((key) => (body[key] ?? false) === present?.[key])
}

/** True for a JSON Patch of the texts. */
const patchesTexts = ({ body }) =>
  Array.isArray(body) &&
  body.every((operation) => {
    const { op, path } = operation ?? {}
    return ['add', 'replace', 'test'].includes(op) && texts.some((key) => path === `/${key}`)
  })

const hasOnly = (body, keys) =>
  typeof body === 'object' &&
  body !== null &&
  !Array.isArray(body) &&
  Object.keys(body).every((key) => keys.includes(key))

module.exports = { describesNew, patchesTexts, replacesTexts }
