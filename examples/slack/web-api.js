const { ConsumerRetry } = require('express-change-requests')

const timeoutMs = 10_000

/**
 * Calls methods of Slack's Web API: `call('chat.update', { channel, ts, text })`.
 *
 * @throws Error with the `code` that Slack returned, or ConsumerRetry after too many calls
 */
function createWebApi({ token, url }) {
  return async function call(method, args) {
    const text = (value) => (typeof value === 'string' ? value : JSON.stringify(value))
    const response = await fetch(`${url}/${method}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
      body: new URLSearchParams(Object.entries(args).map(([name, value]) => [name, text(value)])),
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (response.status === 429) {
      const afterMs = Number(response.headers.get('retry-after') ?? 1) * 1_000
      throw new ConsumerRetry({ afterMs }, `Slack: ${method} was called too often.`)
    }
    const body = response.ok ? await response.json() : { error: `status ${response.status}` }
    if (body.ok) return body
    throw Object.assign(new Error(`Slack: ${method} returned ${body.error}.`), { code: body.error })
  }
}

module.exports = { createWebApi }
