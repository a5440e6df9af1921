import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Text {
  readonly type: 'plain_text' | 'mrkdwn'
  readonly text: string
}

interface Button {
  readonly type: 'button'
  readonly action_id: string
  readonly text: Text
  readonly value: string
}

export interface Block {
  readonly type: 'header' | 'section' | 'context' | 'actions' | 'input'
  readonly text?: Text
  readonly elements?: readonly (Button | Text)[]
}

export interface SlackMessage {
  readonly channel: string
  readonly ts: string
  readonly text: string
  readonly blocks: readonly Block[]
}

export interface View {
  readonly id: string
  readonly private_metadata: string
  readonly title: Text
  readonly blocks: readonly { readonly block_id: string; readonly element: { readonly action_id: string } }[]
}

/** What `users.info` returns of a user, as far as the documentation of Slack names it. */
export interface Member {
  readonly id: string
  readonly team_id: string
  readonly name: string
  readonly deleted: boolean
  readonly is_bot: boolean
  readonly is_restricted: boolean
  readonly is_ultra_restricted: boolean
  readonly is_stranger?: boolean
  readonly is_email_confirmed?: boolean
  readonly profile: { readonly email?: string; readonly display_name: string }
}

/** How a request is signed and sent, where it differs from Slack. */
export interface Forgery {
  readonly secret?: string
  readonly at?: Date
  readonly team?: string | null
  readonly userTeam?: string
}

export const slackApp = {
  token: 'xoxb-a-token-of-this-test',
  signingSecret: '8f742231b10e8888abcd99yyyzzz85a5',
  team: 'T012AB3C4',
  channel: 'C0SHOP',
}

/** A response of the Web API instead of the usual one. */
type Answer = { readonly status?: number; readonly headers?: Record<string, string>; readonly body: object | string }

/** Responds, signs and checks as the documentation of Slack says, for one workspace and one app. */
export async function startSlack() {
  const members = new Map<string, Member>()
  const messages = new Map<string, SlackMessage>()
  const tooOld = new Set<string>()
  const triggers = new Map<string, 'open' | 'used'>()
  const replies: { readonly url: string; readonly body: Readonly<Record<string, unknown>> }[] = []
  const views: View[] = []
  const calls: string[] = []
  const failures: { readonly method: string; readonly answer: Answer | 'hang up' }[] = []
  let counter = 0
  let address = ''

  const methods: Record<string, (args: Record<string, string>) => object> = {
    'users.info': ({ user = '' }) => {
      const found = members.get(user)
      return found ? { ok: true, user: found } : failed('user_not_found')
    },
    'chat.postMessage': ({ channel, text = '', blocks = '[]' }) => {
      if (channel !== slackApp.channel) return failed('channel_not_found')
      counter += 1
      return write({ channel, ts: `1700000000.${`${counter}`.padStart(6, '0')}`, text, blocks: JSON.parse(blocks) })
    },
    'chat.update': ({ channel = '', ts = '', text = '', blocks = '[]' }) => {
      if (!messages.has(ts)) return failed('message_not_found')
      if (tooOld.has(ts)) return failed('edit_window_closed')
      return write({ channel, ts, text, blocks: JSON.parse(blocks) })
    },
    'views.open': ({ trigger_id = '', view = '{}' }) => {
      const trigger = triggers.get(trigger_id)
      if (trigger === undefined) return failed('invalid_trigger_id')
      if (trigger === 'used') return failed('exchanged_trigger_id')
      triggers.set(trigger_id, 'used')
      const opened: View = { id: `V${randomUUID()}`, ...JSON.parse(view) }
      if (opened.private_metadata.length > 3_000 || opened.title.text.length > 24) return failed('invalid_arguments')
      views.push(opened)
      return { ok: true, view: opened }
    },
  }

  function write(message: SlackMessage) {
    const problems = message.blocks.flatMap(problemsOf)
    if (problems.length > 0 || message.blocks.length > 50) return { ...failed('invalid_blocks'), errors: problems }
    messages.set(message.ts, message)
    return { ok: true, channel: message.channel, ts: message.ts, message: { text: message.text } }
  }

  const server: Server = createServer(async (req, res) => {
    const body = await bodyOf(req)
    const path = req.url ?? ''
    if (path.startsWith('/actions/')) {
      replies.push({ url: address + path, body: JSON.parse(body) })
      res.end('ok')
      return
    }
    const method = path.replace('/api/', '')
    calls.push(method)
    const planned = failures.findIndex((one) => one.method === method)
    const [failure] = planned === -1 ? [] : failures.splice(planned, 1)
    if (failure?.answer === 'hang up') {
      res.destroy()
      return
    }
    const isAllowed = req.headers.authorization === `Bearer ${slackApp.token}`
    const known = isAllowed ? methods[method] : () => failed('invalid_auth')
    const args = Object.fromEntries(new URLSearchParams(body))
    const answer = failure?.answer ?? { body: known?.(args) ?? failed('unknown_method') }
    const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
    res.writeHead(answer.status ?? 200, { 'Content-Type': 'application/json', ...answer.headers }).end(text)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    url: `${address}/api`,
    messages,
    tooOld,
    replies,
    views,
    calls,
    /** Makes the next call of a method fail. */
    fail: (method: string, answer: Answer | 'hang up') => void failures.push({ method, answer }),
    addMember(id: string, email: string | undefined, more: Partial<Member> = {}) {
      const flags = { deleted: false, is_bot: false, is_restricted: false, is_ultra_restricted: false }
      const profile = { display_name: 'Ben Ode', ...(email !== undefined && { email }) }
      const member = { id, team_id: slackApp.team, name: id.toLowerCase(), ...flags, profile }
      members.set(id, { is_email_confirmed: true, ...member, ...more })
    },
    /** The payload of a click on a button of a message, as the message was then. */
    clickOn(message: SlackMessage, action: string) {
      const button = buttonsOf(message).find(({ action_id }) => action_id === action)
      if (button === undefined) throw new Error(`The message has no button ${action}.`)
      const trigger_id = randomUUID()
      triggers.set(trigger_id, 'open')
      return {
        type: 'block_actions',
        trigger_id,
        response_url: `${address}/actions/${randomUUID()}`,
        container: { type: 'message', message_ts: message.ts, channel_id: message.channel },
        channel: { id: message.channel },
        actions: [{ type: 'button', action_id: action, block_id: 'b', value: button.value, action_ts: message.ts }],
      }
    },
    /** The payload of a modal that was sent with a text; Slack sends null for a field without one, and not always a `trigger_id`. */
    submissionOf({ id, private_metadata, blocks }: View, text: string | null) {
      const values = Object.fromEntries(
        blocks.map(({ block_id, element }) => [
          block_id,
          { [element.action_id]: { type: 'plain_text_input', value: text } },
        ]),
      )
      return { type: 'view_submission', view: { id, private_metadata, state: { values } } }
    },
    /** Sends an interaction to the app, and returns the status of its response. */
    interact: (appUrl: string, member: string, payload: object, forgery: Forgery = {}) =>
      sendSigned(appUrl, payloadBody(member, payload, forgery), forgery),
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** The form that Slack sends for an interaction. */
export function payloadBody(member: string, payload: object, forgery: Forgery = {}): string {
  const { team = slackApp.team, userTeam = slackApp.team } = forgery
  const user = { id: member, username: member.toLowerCase(), team_id: userTeam }
  const whole = { team: team === null ? null : { id: team, domain: 'shop' }, user, api_app_id: 'A1', ...payload }
  return new URLSearchParams({ payload: JSON.stringify(whole) }).toString()
}

/** Signs as Slack does: v0, over the bytes of the body. */
export async function sendSigned(appUrl: string, body: string, { secret, at = new Date() }: Forgery = {}) {
  const timestamp = `${Math.floor(at.getTime() / 1_000)}`
  const hmac = createHmac('sha256', secret ?? slackApp.signingSecret).update(`v0:${timestamp}:${body}`)
  const headers = {
    'Content-Type': 'application/x-www-form-urlencoded',
    'X-Slack-Request-Timestamp': timestamp,
    'X-Slack-Signature': `v0=${hmac.digest('hex')}`,
  }
  const response = await fetch(`${appUrl}/slack/interactions`, { method: 'POST', headers, body })
  return response.status
}

export function buttonsOf({ blocks }: SlackMessage): readonly Button[] {
  return blocks.flatMap(({ type, elements = [] }) => (type === 'actions' ? (elements as readonly Button[]) : []))
}

function failed(error: string) {
  return { ok: false, error }
}

const maxTexts = { header: 150, section: 3_000, context: 3_000, actions: 75, input: 2_000 }

function problemsOf({ type, text, elements = [] }: Block): string[] {
  const texts = [...(text ? [text] : []), ...elements.map((one) => (one.type === 'button' ? one.text : one))]
  return [
    ...texts.filter((one) => one.text.length === 0 || one.text.length > maxTexts[type]).map(() => `text of ${type}`),
    ...elements.filter((one) => one.type === 'button' && one.value.length > 2_000).map(() => 'value'),
    ...(type === 'actions' && elements.length === 0 ? ['no elements'] : []),
  ]
}

async function bodyOf(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
