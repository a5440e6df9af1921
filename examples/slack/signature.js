const { createHmac, timingSafeEqual } = require('node:crypto')

const toleranceSeconds = 5 * 60

/**
 * Whether Slack signed a request in the last five minutes. Never throws for what a sender controls.
 *
 * @param {string} secret the signing secret of the Slack app
 * @param {Record<string, string>} headers with lower-case names
 * @param {Buffer} body the bytes as they were received, before any parser
 */
function isFromSlack(secret, headers, body) {
  const timestamp = String(headers['x-slack-request-timestamp'] ?? '')
  if (!/^[0-9]{1,12}$/.test(timestamp)) return false
  if (Math.abs(Date.now() / 1_000 - Number(timestamp)) > toleranceSeconds) return false
  const digest = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest('hex')
  const expected = Buffer.from(`v0=${digest}`)
  const given = Buffer.from(String(headers['x-slack-signature'] ?? ''))
  return given.length === expected.length && timingSafeEqual(given, expected)
}

module.exports = { isFromSlack }
