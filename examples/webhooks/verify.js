const { createHmac, timingSafeEqual } = require('node:crypto')

const toleranceSeconds = 5 * 60
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/**
 * Whether a request was signed with the secret in the last five minutes. Never throws for what a sender controls, and is
 * false for a secret that is not base64.
 *
 * @param {string} secret whsec_…
 * @param {Record<string, string>} headers with lower-case names
 * @param {Buffer} body the bytes as they were received, before any parser
 */
function isSigned(secret, headers, body) {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
  const [id, timestamp, signatures] = names.map((name) => String(headers[name] ?? ''))
  if (id === '' || !/^[0-9]{1,12}$/.test(timestamp)) return false
  if (Math.abs(Date.now() / 1_000 - Number(timestamp)) > toleranceSeconds) return false
  const text = String(secret ?? '').replace(/^whsec_/, '')
  if (text === '' || !base64.test(text)) return false
  const digest = createHmac('sha256', Buffer.from(text, 'base64'))
    .update(`${id}.${timestamp}.`)
    .update(body)
    .digest('base64')
  const expected = Buffer.from(`v1,${digest}`)
  return signatures.split(' ').some((one) => {
    const given = Buffer.from(one)
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}

module.exports = { isSigned }
