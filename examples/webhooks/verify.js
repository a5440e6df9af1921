const { createHmac, timingSafeEqual } = require('node:crypto')

const toleranceSeconds = 5 * 60

/**
 * Whether a request was signed with the secret in the last five minutes.
 *
 * @param {string} secret whsec_…
 * @param {Record<string, string>} headers with lower-case names
 * @param {Buffer} body the bytes as they were received, before any parser
 */
function isSigned(secret, headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers
  if (!id || !(Math.abs(Date.now() / 1_000 - Number(timestamp)) <= toleranceSeconds)) return false
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()
  return signatures.split(' ').some((one) => {
    const [version, text = ''] = one.split(',')
    const given = Buffer.from(text, 'base64')
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
  })
}

module.exports = { isSigned }
