const express = require('express')
const { ClientError, createClient } = require('express-change-requests/client')
const { fetchFrom } = require('./in-process')
const { linkMember } = require('./link-member')
const { toModal } = require('./message')
const { isFromSlack } = require('./signature')

const rememberMs = 10 * 60_000

/** What each button does, as the user who clicked. The digest is that of what the message showed. */
const steps = {
  approve: (client, place, { digest }) => client.setState(place, { state: 'Approved', digest }),
  object: (client, place, { digest, text }) => client.object(place, { text, digest }),
  reject: (client, place, { digest, text }) =>
    client.setState(place, { state: 'Rejected', digest, ...(text && { comment: text }) }),
}

/** `POST /slack/interactions`: clicks and modals. Mount it before the parsers of your app, because it verifies the raw body. */
function createInteractions({ router, api, project, slack, call, findUsers, show, logger }) {
  const seen = new Map()
  const routes = express.Router()
  const raw = express.raw({ type: () => true, limit: '1mb', inflate: false })
  routes.post('/slack/interactions', raw, (req, res) => {
    const isSigned = Buffer.isBuffer(req.body) && isFromSlack(slack.signingSecret, req.headers, req.body)
    if (!isSigned) return res.sendStatus(401)
    const payload = JSON.parse(new URLSearchParams(req.body.toString()).get('payload'))
    if (payload?.team?.id !== slack.team || payload.user.team_id !== slack.team) return res.sendStatus(403)
    // Slack waits for three seconds, so the result follows through response_url.
    res.status(200).end()
    if (isRepeated(payload.trigger_id ?? payload.view?.id)) return
    handle(payload).catch((err) => logger.error({ err }, 'Slack could not be reached.'))
  })
  return routes

  function isRepeated(id) {
    for (const [old, at] of seen) if (at < Date.now() - rememberMs) seen.delete(old)
    if (seen.has(id)) return true
    seen.set(id, Date.now())
    return false
  }

  async function handle(payload) {
    const decision = toDecision(payload)
    if (decision === null) return
    try {
      const user = await linkMember(call, slack.team, payload.user.id, findUsers)
      if (user === null) return await reply(decision, 'Use the same email address in Slack and here.')
      if (decision.step !== 'approve' && decision.text === undefined) {
        return await call('views.open', { trigger_id: payload.trigger_id, view: toModal(decision) })
      }
      await decide(user, decision)
    } catch (error) {
      if (!(error instanceof ClientError)) {
        logger.error({ err: error }, 'A click in Slack could not be handled.')
        return await reply(decision, 'Something went wrong. Try again later.')
      }
      await reply(decision, error.details.map(({ message }) => message).join(' ') || error.message)
    }
    // Also after a rejection: the message may show outdated content, and an objection writes no event.
    await show(decision.id)
  }

  function decide(user, decision) {
    const client = createClient({ api, fetch: fetchFrom(router, user) })
    return steps[decision.step](client, { project, id: decision.id }, decision)
  }

  /** Only the user who clicked sees it. */
  async function reply({ responseUrl }, text) {
    const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    const body = JSON.stringify({ response_type: 'ephemeral', replace_original: false, text: escaped })
    const headers = { 'Content-Type': 'application/json' }
    const signal = AbortSignal.timeout(10_000)
    const { ok, status } = await fetch(responseUrl, { method: 'POST', headers, body, signal })
    if (!ok) logger.warn({ status }, 'Slack did not accept a response to a click.')
  }
}

/** What the user decided: `text` is undefined until a modal was sent. Null for clicks that decide nothing. */
function toDecision({ type, actions, view, response_url: responseUrl }) {
  if (type === 'view_submission') {
    const { text } = view.state.values.text
    return { ...JSON.parse(view.private_metadata), text: text.value ?? '' }
  }
  const [{ action_id: step, value }] = actions ?? [{}]
  return Object.hasOwn(steps, step ?? '') ? { step, ...JSON.parse(value), responseUrl } : null
}

module.exports = { createInteractions }
