import type { ServerResponse } from 'node:http'
import { Agent } from 'node:https'
import type { EventView, ReviewListItemView } from '../../src/generated/index'
import { ConsumerStop } from '../../src/index'
import { attempt, consumerOf, eventOf } from './support/driver'
import { certificate, type Respond, startReceiver } from './support/receiver'

const url = 'https://flags.example/review/projects/shop/change-requests/42'

const row: ReviewListItemView = {
  id: 42,
  project: 'shop',
  environment: 'production',
  title: 'Checkout for everybody',
  state: 'In review',
  stateSince: '2026-11-20T11:05:30.112Z',
  revision: '42-7',
  url,
  createdBy: { id: 1, username: 'Ann Lee', imageUrl: null },
  author: { id: 1, username: 'Ann Lee', imageUrl: null, kind: 'person', onBehalfOf: null },
  createdAt: '2026-11-20T10:52:09.870Z',
  updatedAt: '2026-11-20T11:05:30.112Z',
  features: ['checkout', 'search', 'cart'],
  segments: [],
  waitsFor: [
    {
      name: 'minimum',
      environment: null,
      mode: 'enforce',
      because: [],
      approvals: 2,
      given: 1,
      from: null,
      approvedBy: [],
      satisfiable: null,
    },
    {
      name: 'payments',
      environment: 'production',
      mode: 'enforce',
      because: [],
      approvals: 1,
      given: null,
      from: null,
      approvedBy: [],
      satisfiable: null,
    },
  ],
  because: [],
  approvedBy: [],
  endedBy: null,
  effects: [
    {
      name: 'checkout',
      changes: [
        { action: 'updateEnabled', before: { enabled: false }, after: { enabled: true } },
        { action: 'addStrategy', before: null, after: { name: 'default' } },
      ],
    },
    {
      name: 'search',
      changes: [
        {
          action: 'updateStrategy',
          before: { name: 'flexibleRollout', parameters: { rollout: '10', groupId: 'a' }, constraints: [] },
          after: { name: 'flexibleRollout', parameters: { rollout: '50', groupId: 'a' }, constraints: [] },
        },
      ],
    },
  ],
  conflict: false,
  overwrites: true,
  needsAcknowledgement: false,
}

const event = (more: Partial<EventView> = {}) =>
  eventOf(1, {
    type: 'change-request-sent-to-review',
    summary: `**ann\\_lee** requested a review of **[#42](${url})** in environment **production**, project **[shop](/projects/shop)**`,
    ...more,
  })

/** Sends an event to a receiver over a socket, and returns the body that it got and the error of the attempt. */
async function send(
  format: 'slack' | 'teams',
  {
    sent = event(),
    described = row,
    respond = (res) => void res.end('ok'),
    isTls = false,
  }: { sent?: EventView; described?: ReviewListItemView | null; respond?: Respond; isTls?: boolean } = {},
) {
  const receiver = await startReceiver(respond, isTls)
  const agent = isTls ? { agent: new Agent({ ca: certificate }) } : {}
  const consumer = consumerOf({ url: receiver.url, format, secrets: [], ...agent })
  const asked: unknown[] = []
  const describe = async (...place: unknown[]) => {
    asked.push(place)
    return described
  }
  const { done, error } = await attempt(consumer, [sent], { describe })
  await consumer.close?.()
  agent.agent?.destroy()
  await receiver.close()
  const [request] = receiver.requests
  return { done, error, asked, headers: request?.headers, body: JSON.parse(request?.body ?? 'null') }
}

const withTitle = (title: string): ReviewListItemView => ({ ...row, title })

describe('the format slack', () => {
  const textsOf = (body: { blocks: { text: { text: string } }[] }) => body.blocks.map(({ text }) => text.text)

  it('posts the sentence, the title with a link, and what it waits for and does', async () => {
    const { done, error, asked, headers, body } = await send('slack', { isTls: true })
    expect([done, error, asked]).toEqual([[1], undefined, [['shop', 42]]])
    expect(headers).toMatchObject({ 'content-type': 'application/json' })
    expect(headers).not.toHaveProperty('webhook-signature')
    expect(body.text).toBe('ann_lee requested a review of #42 in environment production, project shop')
    expect(textsOf(body)).toEqual([
      `*ann_lee* requested a review of *<${url}|#42>* in environment *production*, project *shop*`,
      `*<${url}|#42 Checkout for everybody>*`,
      [
        'Approvals: 1 of 2, ? of 1 by payments',
        'checkout: enabled: false → true; add strategy',
        'search: parameters.rollout: "10" → "50"',
        '1 more flag or segment',
        'It would overwrite newer changes.',
      ].join('\n'),
    ])
    expect(body.blocks[0]).toMatchObject({ type: 'section', text: { type: 'mrkdwn', verbatim: true } })
  })

  it.each([
    ['<!channel> & <@U123>', '&lt;!channel&gt; &amp; &lt;@U123&gt;'],
    ['<https://evil.example|#42>', '&lt;https://evil.example|#42&gt;'],
    ['@here @Channel @everyone @ann', '@\u2060here @\u2060Channel @\u2060everyone @ann'],
    ['one\n\ntwo', 'one two'],
  ])('escapes the title %j, also in a link', async (title, escaped) => {
    const { body } = await send('slack', { described: withTitle(title) })
    expect(textsOf(body)[1]).toBe(`*<${url}|#42 ${escaped}>*`)
    const summary = `**<!here> @here** requested a review of **[#42](${url})**`
    const { body: second } = await send('slack', { sent: event({ summary }) })
    for (const text of [second.text, ...textsOf(second)]) expect(text).not.toMatch(/<!|@here/)
  })

  it('keeps each block below 3,000 characters, with whole escapes', async () => {
    const long = '&<>'.repeat(2_000)
    const many = {
      ...withTitle(long),
      waitsFor: Array.from({ length: 500 }, () => ({ ...row.waitsFor[1], name: long })),
    }
    const summary = `**ann** rejected it: ${long}`
    const { body, done } = await send('slack', { described: many as ReviewListItemView, sent: event({ summary }) })
    expect(done).toEqual([1])
    for (const text of [body.text, ...textsOf(body)]) {
      expect(text.length).toBeLessThanOrEqual(3_000)
      expect(text.replace(/&(?:amp|lt|gt);/g, '')).not.toContain('&')
    }
  })

  it('posts the sentence alone about a draft, and about what has no change request', async () => {
    const draft = await send('slack', { described: null })
    expect(textsOf(draft.body)).toHaveLength(1)
    const sent = event({ type: 'feature-archived', data: null, summary: '**ann** archived flag **x**' })
    const { asked, body } = await send('slack', { sent })
    expect([asked, textsOf(body)]).toEqual([[], ['*ann* archived flag *x*']])
  })

  it('says that the flags cannot be read while the gateway fails', async () => {
    const { body } = await send('slack', { described: { ...row, effects: null, conflict: null, overwrites: null } })
    expect(textsOf(body)[2]).toBe('Approvals: 1 of 2, ? of 1 by payments\nThe flags cannot be read at the moment.')
  })

  it.each<[string, (res: ServerResponse) => void]>([
    ['another body', (res) => void res.end('{"ok":true}')],
    ['no body', (res) => void res.writeHead(204).end()],
    ['a long body', (res) => void res.end('ok'.repeat(2_000))],
  ])('is done after a success with %s', async (_, respond) => {
    const { done, error } = await send('slack', { respond })
    expect([done, error]).toEqual([[1], undefined])
  })

  it('stops if the channel is gone', async () => {
    const { error } = await send('slack', { respond: (res) => void res.writeHead(410).end('channel_is_archived') })
    expect(error).toBeInstanceOf(ConsumerStop)
  })

  it('retries if the change request cannot be read', async () => {
    const describe = async () => {
      throw new Error('s3cret')
    }
    const { error } = await attempt(consumerOf({ url: 'http://127.0.0.1:9/', format: 'slack' }), [event()], {
      describe,
    })
    expect(error?.message).toBe('audit: event 1 was not delivered: the change request could not be read.')
  })

  it('signs the request if it has secrets', async () => {
    const receiver = await startReceiver((res) => void res.end('ok\n'))
    const consumer = consumerOf({ url: receiver.url, format: 'slack' })
    expect((await attempt(consumer, [event()])).done).toEqual([1])
    expect(receiver.requests[0]?.headers['webhook-signature']).toMatch(/^v1,/)
    await consumer.close?.()
    await receiver.close()
  })
})

describe('the format teams', () => {
  const cardOf = (body: {
    attachments: { content: { body: { type: string; inlines: { text: string }[] }[]; actions?: object[] } }[]
  }) => body.attachments[0]?.content as NonNullable<(typeof body.attachments)[0]>['content']
  const linesOf = (body: Parameters<typeof cardOf>[0]) =>
    cardOf(body).body.map(({ inlines }) => inlines.map(({ text }) => text).join(''))
  const accepted = (res: ServerResponse) => void res.writeHead(202).end()

  it('posts an Adaptive Card with a button that opens the change request', async () => {
    const { done, body } = await send('teams', { respond: accepted })
    expect(done).toEqual([1])
    expect(body).toMatchObject({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          content: { type: 'AdaptiveCard', version: '1.4' },
        },
      ],
    })
    expect(linesOf(body)).toEqual([
      'ann_lee requested a review of #42 in environment production, project shop',
      '#42 Checkout for everybody',
      'Approvals: 1 of 2, ? of 1 by payments',
      'checkout: enabled: false → true; add strategy',
      'search: parameters.rollout: "10" → "50"',
      '1 more flag or segment',
      'It would overwrite newer changes.',
    ])
    expect(cardOf(body).actions).toEqual([{ type: 'Action.OpenUrl', title: 'Open the change request', url }])
    expect(cardOf(body).body[0]?.inlines).toContainEqual({
      type: 'TextRun',
      text: '#42',
      weight: 'Bolder',
      selectAction: { type: 'Action.OpenUrl', url },
    })
  })

  it('has no link and no button without the address of the page', async () => {
    const { url: _, ...without } = row
    for (const described of [without, { ...row, url: '/review/projects/shop/change-requests/42' }]) {
      const { body } = await send('teams', { described: described as never, respond: accepted })
      expect(cardOf(body)).not.toHaveProperty('actions')
      expect(cardOf(body).body[1]?.inlines).toEqual([
        { type: 'TextRun', text: '#42 Checkout for everybody', weight: 'Bolder' },
      ])
    }
  })

  it('does not interpret a title', async () => {
    const title = '[x](https://evil.example) <at>all</at> **bold**'
    const { body } = await send('teams', { described: withTitle(title), respond: accepted })
    expect(linesOf(body)[1]).toBe(`#42 ${title}`)
    expect(new Set(cardOf(body).body.map(({ type }) => type))).toEqual(new Set(['RichTextBlock']))
  })

  it('keeps the message below 28 kB', async () => {
    const long = '🚀é"'.repeat(5_000)
    const effects = Array.from({ length: 2 }, () => ({ name: long, changes: row.effects?.[0]?.changes ?? [] }))
    const described = { ...withTitle(long), effects }
    const { body } = await send('teams', { described, respond: accepted, sent: event({ summary: long.repeat(3) }) })
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThanOrEqual(28_000)
    expect(linesOf(body)[1]).toMatch(/…$/)
  })
})
