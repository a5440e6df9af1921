import { join } from 'node:path'
import { type FlagState, memoryStorage, type Subjects } from '../../src'
import { createClient } from '../../src/client'
import type { SubmittedChange } from '../../src/generated'
import { openHost } from '../cli/support'
import { startServer, stopAll } from '../package/support/child'
import { removeFolders, root, temporaryFolder } from '../package/support/folders'
import { ticketField } from '../support/app'
import { until } from '../support/consumers/consumer-app'
import { databases } from '../support/databases'
import { enable, keyOf, memberOf, type Name, openSlackApp, users } from './support/slack-app'
import {
  type Block,
  buttonsOf,
  type Forgery,
  type Member,
  payloadBody,
  type SlackMessage,
  sendSigned,
  slackApp,
  startSlack,
} from './support/slack-server'

const { toMessage } = require('../../examples/slack/message')
const { isFromSlack } = require('../../examples/slack/signature')

let app: Awaited<ReturnType<typeof openSlackApp>>

/** Waits until the newest message has this text, and returns it. */
async function shown(text: string): Promise<SlackMessage> {
  const newest = () => [...app.slack.messages.values()].at(-1)
  await until(() => textsOf(newest()?.blocks ?? []).some((one) => one.includes(text)))
  return newest() as SlackMessage
}

const textsOf = (blocks: readonly Block[]) => blocks.flatMap(({ text }) => (text ? [text.text] : []))

const actionsOf = (message: SlackMessage) => buttonsOf(message).map(({ action_id }) => action_id)

const callsOf = (method: string) => app.slack.calls.filter((one) => one === method).length

const consumer = async () => (await app.router.health()).consumers.items[0]

/** Waits for the response to a click that only the user who clicked sees. */
async function reply(index = 0): Promise<string> {
  await until(() => app.slack.replies.length > index)
  const { response_type, replace_original, text } = app.slack.replies[index]?.body ?? {}
  expect([response_type, replace_original]).toEqual(['ephemeral', false])
  return String(text)
}

/** Clicks on a button that opens a modal, and sends it with a text. */
async function clickAndWrite(name: Name, message: SlackMessage, action: string, text: string | null) {
  const before = app.slack.views.length
  await app.click(name, message, action)
  await until(() => app.slack.views.length > before)
  const view = app.slack.views.at(-1)
  if (view === undefined) throw new Error('No modal was opened.')
  expect(await app.slack.interact(app.url, memberOf(name), app.slack.submissionOf(view, text))).toBe(200)
}

const asks = 'Ann Lee waits for approvals: 0 of 1'
const unlinked = 'Use the same email address in Slack and here.'

describe.each(databases)('a message on $name', (database) => {
  beforeEach(async () => {
    app = await openSlackApp(database)
  })
  afterEach(() => app.close())

  it('shows who waits for whom and for what, and is rewritten until the change request is closed', async () => {
    await app.submit()
    const first = await shown(asks)
    expect(textsOf(first.blocks)).toEqual([
      'Change request #1',
      `In review in production\n${asks}`,
      'checkout: update enabled\n  /enabled false → true',
    ])
    expect(actionsOf(first)).toEqual(['approve', 'object', 'reject'])
    expect(await app.click('ben', first, 'approve')).toBe(200)
    const second = await shown('Approved by Ben Ode')
    expect([second.ts, actionsOf(second)]).toEqual([first.ts, ['object']])
    await app.as('cara').setState(app.place(), { state: 'Applied' })
    const third = await shown('Applied in production, by Cara Diaz')
    expect([third.ts, actionsOf(third), app.slack.messages.size]).toEqual([first.ts, [], 1])
    expect(await app.events()).toEqual([
      'change-request-created by ann@example.com',
      'change-added by ann@example.com',
      'change-request-sent-to-review by ann@example.com',
      'change-request-approval-added by ben@example.com',
      'change-request-approved by ben@example.com',
      'feature-environment-enabled by cara@example.com',
      'change-request-applied by cara@example.com',
    ])
    expect(app.slack.replies).toEqual([])
  })

  it('is stored: events that come again update it, and the ones of other change requests have their own', async () => {
    await app.submit()
    const { ts } = await shown(asks)
    await app.as('ben').setState(app.place(), { state: 'Rejected' })
    await shown('Rejected in production, by Ben Ode')
    await app.submit(enable('new-search', false))
    expect((await shown('new-search')).ts).not.toBe(ts)
    const before = callsOf('chat.update')
    await app.router.events.seek('slack', 'beginning')
    await until(() => callsOf('chat.update') >= before + 2)
    expect([callsOf('chat.postMessage'), app.slack.messages.size]).toEqual([2, 2])
  })
})

describe('a message', () => {
  beforeEach(async () => {
    app = await openSlackApp()
  })
  afterEach(() => app.close())

  it('is not posted about a draft', async () => {
    await app.as('ann').propose({ project: 'default', environment: 'production' }, enable('new-search', false))
    const { body } = await app.as('cara').propose({ project: 'default', environment: 'production' }, enable())
    await app.as('cara').setState(app.place(body.id), { state: 'In review' })
    await shown('Cara Diaz waits for approvals: 0 of 1')
    expect(app.slack.messages.size).toBe(1)
  })

  it('is not posted about a closed change request', async () => {
    await app.submit()
    await until(async () => (await consumer())?.lag === 0)
    await app.knex('slack_messages').delete()
    await app.as('ann').setState(app.place(), { state: 'Cancelled' })
    await app.submit(enable('new-search', false))
    await shown('new-search')
    expect(callsOf('chat.postMessage')).toBe(2)
  })

  it('mentions and links nothing that a user wrote', async () => {
    await app.as('ann').propose({ project: 'default', environment: 'production' }, enable())
    await app.as('ann').setTitle(app.place(), `<!channel> *now* <https://evil.example|Approve> ${'x'.repeat(140)}`)
    await app.as('ann').setState(app.place(), { state: 'In review' })
    const { text, blocks } = await shown('<!channel>')
    const marked = blocks.flatMap(({ text: one, elements = [] }) => [one, ...elements]).filter(isMarked)
    const link = 'https://flags.example/review/projects/default/change-requests/1'
    expect([text, marked]).toEqual([
      'Change request #1: In review',
      [{ type: 'mrkdwn', text: `<${link}|Open the change request>` }],
    ])
  })

  it('has no button to approve more than it shows', async () => {
    const names = Array.from({ length: 80 }, (_, index) => `flag-${index}`)
    await app.knex('flags').insert(names.map((name) => ({ name, enabled: false, rollout: 100 })))
    await app.submit(...names.map((name) => enable(name)))
    const message = await shown('There is more to see before you can approve it.')
    expect(actionsOf(message)).toEqual(['object', 'reject'])
  })

  it('that is too old to be updated is followed by another one, which is updated from then on', async () => {
    await app.submit()
    const old = await shown(asks)
    app.slack.tooOld.add(old.ts)
    await app.click('ben', old, 'approve')
    const next = await shown('Approved by Ben Ode')
    expect([next.ts === old.ts, app.slack.messages.get(old.ts)]).toEqual([false, old])
    await app.as('ann').setState(app.place(), { state: 'Cancelled' })
    expect((await shown('Cancelled in production, by Ann Lee')).ts).toBe(next.ts)
    expect(app.slack.messages.size).toBe(2)
  })

  it.each([
    ['the connection breaks', 'hang up'],
    ['Slack fails', { status: 500, body: 'down' }],
    ['Slack responds with an error', { body: { ok: false, error: 'internal_error' } }],
  ] as const)('is posted later if %s', async (_, failure) => {
    app.slack.fail('chat.postMessage', failure)
    await app.submit()
    await shown(asks)
    expect([callsOf('chat.postMessage'), app.slack.messages.size]).toEqual([2, 1])
    expect(app.lines.filter(({ level }) => level !== 'info')).toMatchObject([{ level: 'warn' }])
  })

  it('is posted after the pause that Slack requires after too many calls', async () => {
    const answer = { status: 429, headers: { 'Retry-After': '2' }, body: { ok: false, error: 'ratelimited' } }
    app.slack.fail('chat.postMessage', answer)
    const start = performance.now()
    await app.submit()
    await shown(asks)
    expect([performance.now() - start >= 2_000, callsOf('chat.postMessage')]).toEqual([true, 2])
  })

  it('is updated once the flags can be read again', async () => {
    await app.submit()
    await shown(asks)
    await app.knex.schema.renameTable('flags', 'away')
    await app.router.events.seek('slack', 'beginning')
    await until(async () => (await consumer())?.lastError === 'The flags cannot be read at the moment.')
    expect(callsOf('chat.update')).toBe(0)
    await app.knex.schema.renameTable('away', 'flags')
    await until(() => callsOf('chat.update') > 0)
    expect(actionsOf(await shown(asks))).toEqual(['approve', 'object', 'reject'])
  })

  it('is updated later if Slack fails after the decision', async () => {
    await app.submit()
    const message = await shown(asks)
    for (const answer of ['hang up', { status: 429, body: '' }] as const) app.slack.fail('chat.update', answer)
    await app.click('ben', message, 'approve')
    expect((await shown('Approved by Ben Ode')).ts).toBe(message.ts)
    expect(app.slack.replies).toEqual([])
  })
})

const isMarked = (one: { readonly type: string } | undefined) => one?.type === 'mrkdwn'

describe('a click', () => {
  let message: SlackMessage

  beforeEach(async () => {
    app = await openSlackApp()
    await app.submit()
    message = await shown(asks)
  })
  afterEach(() => app.close())

  const stateOf = async () => (await app.review()).state

  it('on Object opens a modal for the reason, and blocks the change request', async () => {
    await clickAndWrite('ben', message, 'object', 'The shop closes & <reopens>.')
    const { ts, blocks } = await shown('Ben Ode objects: The shop closes & <reopens>.')
    expect([ts, actionsOf({ ...message, blocks })]).toEqual([message.ts, ['approve', 'object', 'reject']])
    const { objections } = await app.review()
    expect(objections).toMatchObject([{ person: { id: 2 }, text: 'The shop closes & <reopens>.', outdated: false }])
    await app.click('cara', message, 'approve')
    await shown('Approved by Cara Diaz')
    const applied = app.as('ben').setState(app.place(), { state: 'Applied' })
    await expect(applied).rejects.toMatchObject({ details: [{ code: 'objection' }] })
  })

  it.each([
    ['a comment', 'Not on a Friday.', ['Not on a Friday.']],
    ['none', null, []],
  ])('on Reject opens a modal for a comment, and rejects with %s', async (_, text, comments) => {
    await clickAndWrite('ben', message, 'reject', text)
    const last = await shown('Rejected in production, by Ben Ode')
    expect([actionsOf(last), textsOf(last.blocks)[1]?.includes('Friday')]).toEqual([[], text !== null])
    expect((await app.review()).discussion.map((one) => one.text)).toEqual(comments)
  })

  it('that is sent again does nothing, also to another process or after ten minutes', async () => {
    const body = payloadBody(memberOf('ben'), app.slack.clickOn(message, 'approve'))
    expect(await sendSigned(app.url, body)).toBe(200)
    await shown('Approved by Ben Ode')
    const approved = await app.events()
    expect(await sendSigned(app.url, body)).toBe(200)
    await app.click('eve', message, 'approve')
    await reply()
    expect(callsOf('users.info')).toBe(2)
    expect(await sendSigned(await app.startAnother(), body)).toBe(200)
    expect(await reply(1)).toContain('already')
    const now = Date.now()
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now + 11 * 60_000)
    try {
      expect(await sendSigned(app.url, body, { at: new Date(Date.now()) })).toBe(200)
      expect(await reply(2)).toContain('already')
    } finally {
      clock.mockRestore()
    }
    expect(await app.events()).toEqual(approved)
  })

  it('that comes twice is one approval', async () => {
    await Promise.all([app.click('ben', message, 'approve'), app.click('ben', message, 'approve')])
    expect(await reply()).toContain('already')
    expect((await app.events()).slice(3)).toEqual([
      'change-request-approval-added by ben@example.com',
      'change-request-approved by ben@example.com',
    ])
    expect((await app.review()).votes).toHaveLength(1)
  })

  it.each<[string, () => Forgery]>([
    ['older than five minutes', () => ({ at: new Date(Date.now() - 6 * 60_000) })],
    ['from the future', () => ({ at: new Date(Date.now() + 6 * 60_000) })],
    ['signed with another secret', () => ({ secret: 'another-secret' })],
  ])('%s is 401', async (_, forge) => {
    const click = app.slack.clickOn(message, 'approve')
    expect(await app.slack.interact(app.url, memberOf('ben'), click, forge())).toBe(401)
    expect([callsOf('users.info'), await stateOf()]).toEqual([0, 'In review'])
  })

  it('without a body or a payload is refused', async () => {
    const { status } = await fetch(`${app.url}/slack/interactions`, { method: 'POST' })
    const statuses = [status, await sendSigned(app.url, ''), await sendSigned(app.url, 'ssl_check=1')]
    expect(statuses).toEqual([401, 403, 403])
  })

  it.each<[string, Forgery]>([
    ['another workspace', { team: 'T0OTHER' }],
    ['no workspace', { team: null }],
    ['a user of another workspace', { userTeam: 'T0OTHER' }],
  ])('from %s is 403', async (_, forgery) => {
    const click = app.slack.clickOn(message, 'approve')
    expect(await app.slack.interact(app.url, memberOf('ben'), click, forgery)).toBe(403)
    expect([callsOf('users.info'), await stateOf()]).toEqual([0, 'In review'])
  })

  const ben = 'ben@example.com'
  it.each<[string, string | undefined, Partial<Member>]>([
    ['a bot', ben, { is_bot: true }],
    ['a deleted account', ben, { deleted: true }],
    ['a guest', ben, { is_restricted: true }],
    ['a guest of one channel', ben, { is_ultra_restricted: true }],
    ['a stranger', ben, { is_stranger: true }],
    ['a member of another workspace', ben, { team_id: 'T0OTHER' }],
    ['a member with an unconfirmed e-mail address', ben, { is_email_confirmed: false }],
    ['a member of whose e-mail address nothing is known', ben, { is_email_confirmed: undefined as never }],
    ['a member without an e-mail address', undefined, {}],
    ['a member with an empty e-mail address', '', {}],
    ['a member who only has the name of a user', 'other@example.com', {}],
    ['a member whose e-mail address only has the same lower case', '\u212aim@example.com', {}],
    ['a member whose e-mail address two users have', 'team@example.com', {}],
    ['a member with the e-mail address of a machine', 'bot@example.com', {}],
  ])('by %s is no vote', async (_, email, more) => {
    app.slack.addMember('U0MEMBER', email, more)
    await app.slack.interact(app.url, 'U0MEMBER', app.slack.clickOn(message, 'approve'))
    expect([await reply(), await stateOf()]).toEqual([unlinked, 'In review'])
    await app.slack.interact(app.url, 'U0MEMBER', app.slack.clickOn(message, 'object'))
    expect([await reply(1), app.slack.views]).toEqual([unlinked, []])
  })

  it('by a user whose app has the e-mail address in capitals is theirs', async () => {
    app.slack.addMember('U0MEMBER', 'Ben@Example.com')
    await app.slack.interact(app.url, 'U0MEMBER', app.slack.clickOn(message, 'approve'))
    await shown('Approved by Ben Ode')
  })

  it('needs the permission of the user, and nobody approves their own change', async () => {
    await app.click('eve', message, 'approve')
    expect(await reply()).toContain('APPROVE_CHANGE_REQUEST')
    await app.click('ann', message, 'approve')
    expect(await reply(1)).toBe("You can't approve a change request that you created or edited.")
    expect((await app.review()).votes).toEqual([])
  })

  it('is for what the message showed: after an edit it is rejected', async () => {
    await app.as('ann').propose({ project: 'default', environment: 'production' }, enable('new-search', false))
    const edited = await shown('new-search')
    await app.click('ben', message, 'approve')
    expect(await reply()).toContain('changed')
    expect([await stateOf(), (await app.review()).votes]).toEqual(['In review', []])
    await clickAndWrite('cara', message, 'reject', null)
    expect(await reply(1)).toContain('changed')
    await clickAndWrite('kim', message, 'object', 'Why?')
    await shown('kim@example.com objects: Why?')
    expect((await app.review()).objections).toMatchObject([{ person: { id: 8 }, outdated: true }])
    await app.click('ben', edited, 'approve')
    await shown('Approved by Ben Ode')
  })

  it('is answered if Slack fails, and can be repeated', async () => {
    app.slack.fail('users.info', 'hang up')
    await app.click('ben', message, 'approve')
    expect([await reply(), await stateOf()]).toEqual(['Something went wrong. Try again later.', 'In review'])
    app.slack.fail('views.open', { body: { ok: false, error: 'expired_trigger_id' } })
    await app.click('ben', message, 'reject')
    expect(await reply(1)).toBe('Something went wrong. Try again later.')
    await app.click('ben', message, 'approve')
    await shown('Approved by Ben Ode')
  })

  it('is no way in for HTTP: no header and no key stands for a user of Slack', async () => {
    const url = `${app.url}/api/admin/projects/default/change-requests/1/state`
    const headers = {
      'Content-Type': 'application/json',
      caller: JSON.stringify(users[1]?.user),
      Authorization: slackApp.signingSecret,
    }
    const body = JSON.stringify({ state: 'Approved', caller: users[1]?.user })
    const response = await fetch(url, { method: 'PUT', headers, body })
    expect([response.status, await stateOf()]).toEqual([401, 'In review'])
  })
})

describe('the changes in a message', () => {
  it('are all that an approval stands for, with their names, payloads and implied changes, in visible characters', async () => {
    const flags = {
      // Only the strategies of checkout are known.
      current: async ({ features, segments }: Subjects): Promise<FlagState> => ({
        features: new Map(
          features.map((name) => [
            name,
            { ...{ archived: false, enabled: false }, ...(name === 'checkout' && { strategies: [] }) },
          ]),
        ),
        segments: new Map(segments.map((id) => [id, { name: `segment ${id}`, constraints: [] }])),
      }),
      apply: async () => [],
    }
    const host = await openHost(memoryStorage(), {
      flags,
      recordOnly: false,
      objections: true,
      customFields: ticketField,
    })
    const [bot, place] = [host.as('bot'), { project: 'shop', id: 1 }]
    await bot.propose({ project: 'shop', environment: 'production' }, [
      {
        action: 'addStrategy',
        feature: 'basket',
        payload: { name: 'default', constraints: [], parameters: {}, title: 'a\u202eb' },
      },
      { action: 'updateEnabled', feature: 'checkout', payload: { enabled: true } },
      { action: 'updateSegment', payload: { id: 4, name: 'beta', constraints: [] } },
      { action: 'archiveFeature', feature: 'old', payload: {} },
      {
        action: 'updateStrategy',
        feature: 'basket',
        payload: { id: 's1', name: 'default', constraints: [], parameters: {} },
      },
      { action: 'reorderStrategy', feature: 'basket', payload: [{ id: 's1', sortOrder: 1 }] },
    ] as unknown as SubmittedChange[])
    await bot.setCustomFields(place, { ticket: 'SHOP-1' })
    await bot.setState(place, { state: 'In review' })
    const { body } = await host.as('ben').review(place)
    const { blocks }: { blocks: Block[] } = toMessage(body)
    expect(textsOf(blocks)[2]?.split('\n')).toEqual([
      'basket: add strategy',
      ...['  /name null → "default"', '  /constraints null → []', '  /parameters null → {}'],
      '  /title null → "a\\u{202e}b"',
      'checkout: update enabled',
      '  /enabled false → true',
      'Segment segment 4: update segment in all environments',
      '  /name "segment 4" → "beta"',
      'old: archive feature in all environments',
      '  /archived false → true',
      'basket: update strategy',
      '  {"id":"s1","name":"default","constraints":[],"parameters":{}}',
      'basket: reorder strategy',
      '  [{"id":"s1","sortOrder":1}]',
      expect.stringMatching(/^checkout: also add strategy \{.*"rollout":"100"/),
      'ticket: "SHOP-1"',
    ])
    await host.down()
  })
})

describe('a list of Slack ids instead of e-mail addresses', () => {
  it('decides who a member is', async () => {
    const actors = users.map(({ user, grants }) => ({ ...user, grants }))
    const findUsers = ({ id }: { readonly id: string }) => actors.filter(({ username }) => id === `W${username}`)
    app = await openSlackApp(databases[0], { findUsers })
    await app.submit()
    const message = await shown(asks)
    await app.click('ben', message, 'approve')
    expect(await reply()).toBe(unlinked)
    app.slack.addMember('Wben', 'another@example.com')
    await app.slack.interact(app.url, 'Wben', app.slack.clickOn(message, 'approve'))
    await shown('Approved by Ben Ode')
    await app.close()
  })
})

describe('the signature', () => {
  // The example in "Verifying requests from Slack".
  const body = Buffer.from(
    'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar' +
      '&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com' +
      '%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121' +
      '.803a0bc887a14d10d2c447fce8b6703c',
  )
  const timestamp = '1531420618'
  const signature = 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503'
  const signed = { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': signature }

  beforeEach(() => void jest.spyOn(Date, 'now').mockReturnValue(1_531_420_700_000))
  afterEach(() => jest.restoreAllMocks())

  it('is the documented one', () => {
    expect(isFromSlack(slackApp.signingSecret, signed, body)).toBe(true)
  })

  it.each([
    ['another body', signed, Buffer.from(`${body} `)],
    ['another secret', signed, body, 'another-secret'],
    ['another time', { ...signed, 'x-slack-request-timestamp': '1531420619' }],
    ['no headers', {}],
    ['no signature', { 'x-slack-request-timestamp': timestamp }],
    ['no time', { 'x-slack-signature': signature }],
    ['another version', { ...signed, 'x-slack-signature': signature.replace('v0', 'v1') }],
    ['a longer signature', { ...signed, 'x-slack-signature': `${signature}0` }],
    ['a short signature', { ...signed, 'x-slack-signature': 'v0=' }],
    ['characters of two bytes', { ...signed, 'x-slack-signature': 'é'.repeat(67) }],
    ['a list of times', { ...signed, 'x-slack-request-timestamp': [timestamp, timestamp] }],
    ['a time in other digits', { ...signed, 'x-slack-request-timestamp': '١٥٣١٤٢٠٦١٨' }],
    ['NaN', { ...signed, 'x-slack-request-timestamp': 'NaN' }],
  ] as [string, object, Buffer?, string?][])('of %s is refused', (_, headers, bytes = body, secret = undefined) => {
    expect(isFromSlack(secret ?? slackApp.signingSecret, headers, bytes)).toBe(false)
  })
})

describe('examples/slack/server.js', () => {
  const script = join(root, 'examples/slack/server.js')
  afterEach(async () => {
    await stopAll()
    removeFolders()
  })

  it('runs with the settings of its environment, and needs them', async () => {
    const slack = await startSlack()
    const { url: SLACK_API_URL } = slack
    const own = { SLACK_BOT_TOKEN: slackApp.token, SLACK_SIGNING_SECRET: slackApp.signingSecret, SLACK_API_URL }
    const env = { ...own, SLACK_TEAM: slackApp.team, SLACK_CHANNEL: slackApp.channel, API_KEYS: JSON.stringify(users) }
    const server = await startServer([script], { cwd: temporaryFolder(), env })
    const ann = createClient({ api: `${server.url}/api/admin`, key: keyOf('ann') })
    await ann.propose({ project: 'default', environment: 'production' }, enable())
    await ann.setState({ project: 'default', id: 1 }, { state: 'In review' })
    await until(() => slack.messages.size === 1)
    const [message] = slack.messages.values()
    slack.addMember('UBEN', 'ben@example.com')
    expect(await slack.interact(server.url, 'UBEN', slack.clickOn(message as SlackMessage, 'approve'))).toBe(200)
    await until(() => [...slack.messages.values()][0]?.text === 'Change request #1: Approved')
    expect(await server.stop()).toMatchObject({ status: 0, stderr: '' })
    await slack.stop()
    const missing = startServer([script], { cwd: temporaryFolder(), env: { ...env, SLACK_SIGNING_SECRET: '' } })
    await expect(missing).rejects.toThrow('Set SLACK_SIGNING_SECRET')
    const noJson = startServer([script], { cwd: temporaryFolder(), env: { ...env, API_KEYS: 'secret-key' } })
    const error = await noJson.catch((reason: Error) => reason.message)
    expect(error).toMatch(/API_KEYS is no JSON(?!.*secret-key)/s)
  })
})
