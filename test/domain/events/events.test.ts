import { eventJson, label, summary } from '../../../src/domain/events/event-json'
import type { EventDraft } from '../../../src/domain/events/events'
import type { EventType } from '../../../src/generated'
import { eventTypes } from '../../../src/generated/lists'

const event: EventDraft = {
  type: 'change-added',
  createdAt: '2026-03-04T12:00:00.000Z',
  createdBy: 'ann',
  createdByUserId: 1,
  environment: 'production',
  project: 'shop',
  featureName: null,
  data: { changeRequestId: 7 },
  preData: null,
  tags: [],
  ip: null,
  groupType: null,
  groupId: null,
}

const ann = '**ann**'
const request = '**[#7](/projects/shop/change-requests/7)**'
const place = 'in environment **production**, project **[shop](/projects/shop)**'

/** Links have the paths of Unleash. */
const unleash = { pageUrl: '', links: {} }

describe('label(type)', () => {
  it.each([
    ['change-request-created', 'Change request created'],
    ['change-added', 'Change added'],
    ['pat-created', 'Pat created'],
    ['remote-mcp-server-settings-updated', 'Remote mcp server settings updated'],
  ] as const)('%s: %s', (type, words) => {
    expect(label(type)).toBe(words)
  })
})

describe('summary(event)', () => {
  it.each<[EventType, string]>([
    ['change-request-created', `${ann} created ${request} ${place}`],
    ['change-added', `${ann} added a change to ${request} ${place}`],
    ['change-edited', `${ann} edited a change in ${request} ${place}`],
    ['change-discarded', `${ann} removed a change from ${request} ${place}`],
    ['change-request-discarded', `${ann} discarded the draft ${request} ${place}`],
    ['change-request-sent-to-review', `${ann} requested a review of ${request} ${place}`],
    ['change-request-approval-added', `${ann} approved ${request} ${place}`],
    ['change-request-approved', `${ann} gave the last required approval for ${request} ${place}`],
    ['change-request-rejected', `${ann} rejected ${request} ${place}`],
    ['change-request-cancelled', `${ann} cancelled ${request} ${place}`],
    ['change-request-applied', `${ann} applied ${request} ${place}`],
    ['change-request-scheduled', `${ann} scheduled ${request} for 2026-04-01T00:00:00.000Z ${place}`],
    ['change-request-schedule-suspended', `${request} will not be applied as scheduled: gone \\& done ${place}`],
    [
      'change-request-scheduled-application-success',
      `${request} was applied as scheduled ${place} scheduled by ${ann}`,
    ],
    [
      'change-request-scheduled-application-failure',
      `${request} could not be applied as scheduled: gone \\& done ${place} scheduled by ${ann}`,
    ],
    ['change-request-requested-approvers-updated', `${ann} changed the requested approvers of ${request} ${place}`],
    ['feature-archived', `${ann} archived a flag through change request ${request} ${place}`],
  ])('%s', (type, expected) => {
    const data = { changeRequestId: 7, scheduledDate: '2026-04-01T00:00:00.000Z', reason: 'gone & done' }
    expect(summary({ ...event, type, data }, unleash)).toBe(expected)
  })

  it('change-request-configuration-updated has no change request', () => {
    const settings = {
      ...event,
      type: 'change-request-configuration-updated',
      data: { changeRequestsEnabled: true },
    } as const
    expect(summary(settings, unleash)).toBe(`${ann} changed the change request settings ${place}`)
  })

  it('finds the change request in preData if data has none', () => {
    const discarded = { ...event, type: 'change-discarded', data: null, preData: { changeRequestId: 7 } } as const
    expect(summary(discarded, unleash)).toBe(`${ann} removed a change from ${request} ${place}`)
  })

  it('omits unknown values', () => {
    const type = 'setting-updated'
    const nothing = { ...event, type, environment: null, project: null, data: null } as const
    expect(summary(nothing, unleash)).toBe('**ann** updated a setting')
    expect(summary({ ...nothing, environment: 'production' }, unleash)).toBe(
      '**ann** updated a setting in environment **production**',
    )
    expect(summary({ ...nothing, data: { changeRequestId: 7 } }, unleash)).toBe('**ann** updated a setting')
    expect(summary({ ...nothing, featureName: 'checkout' }, unleash)).toBe(
      '**ann** updated a setting in flag **checkout**',
    )
  })

  it('links the review page, and the flag first', () => {
    const page = { pageUrl: 'https://flags.example/review', links: {} }
    expect(summary({ ...event, featureName: 'checkout' }, page)).toBe(
      '**ann** added a change to **[#7](https://flags.example/review/projects/shop/change-requests/7)** in ' +
        'flag **[checkout](https://flags.example/review/projects/shop/flags/checkout?environment=production)**, ' +
        'environment **production**, project **[shop](https://flags.example/review/?needs=all&project=shop)**',
    )
  })

  it('links flags and projects by the templates of the app, with names that are URL-encoded', () => {
    const links = { flag: 'https://app.example/{project}/{flag}?tab=flags#{flag}', project: '/teams/{project}' }
    const named = { ...event, project: 'a b', featureName: 'x/{project}' }
    expect(summary(named, { pageUrl: '/review', links })).toBe(
      '**ann** added a change to **[#7](/review/projects/a%20b/change-requests/7)** in ' +
        'flag **[x/\\{project\\}](https://app.example/a%20b/x%2F%7Bproject%7D?tab=flags#x%2F%7Bproject%7D)**, ' +
        'environment **production**, project **[a b](/teams/a%20b)**',
    )
    const nowhere = { ...event, project: null, environment: null, featureName: 'checkout' }
    expect(summary(nowhere, { pageUrl: '', links })).toContain('flag **checkout**')
    expect(summary(nowhere, { pageUrl: '', links: { flag: '/flags/{flag}' } })).toContain(
      'flag **[checkout](/flags/checkout)**',
    )
  })

  it.each([
    ['[x](javascript:alert(1))', '\\[x\\]\\(javascript:alert\\(1\\)\\)'],
    ['<script>alert(1)</script>', '\\<script\\>alert\\(1\\)\\</script\\>'],
    ['**bold** _soft_ ~~gone~~ `code`', '\\*\\*bold\\*\\* \\_soft\\_ \\~\\~gone\\~\\~ \\`code\\`'],
    ['![x](//y)', '\\!\\[x\\]\\(//y\\)'],
    ['a\\*b', 'a\\\\\\*b'],
    ['one\r\n\r\n# two\t|three|', 'one \\# two \\|three\\|'],
    ['&lt;', '\\&lt;'],
  ])('escapes markdown in a name: %j', (createdBy, escaped) => {
    expect(summary({ ...event, createdBy }, unleash)).toBe(`**${escaped}** added a change to ${request} ${place}`)
  })

  it('keeps a link valid for any names of project and flag', () => {
    const odd = "a-b_c.d!~*'()"
    const path = 'a-b_c.d%21%7E%2A%27%28%29'
    const text = "a-b\\_c.d\\!\\~\\*'\\(\\)"
    expect(summary({ ...event, environment: null, project: odd, featureName: odd }, unleash)).toBe(
      `**ann** added a change to **[#7](/projects/${path}/change-requests/7)** in ` +
        `flag **[${text}](/projects/${path}/features/${path})**, project **[${text}](/projects/${path})**`,
    )
  })

  it('does not accept a text as the id of a change request', () => {
    const forged = { ...event, type: 'feature-archived', data: { changeRequestId: '7](//evil)' } } as const
    expect(summary(forged, unleash)).toBe(`${ann} archived a flag ${place}`)
  })
})

describe('the names in a summary', () => {
  const nowhere: EventDraft = { ...event, environment: null, project: null, data: { name: 'beta' } }
  const inProject: EventDraft = { ...event, data: null }
  /** Without its markdown. */
  const plain = (of: EventDraft, type: EventType) =>
    summary({ ...of, type }, unleash).replace(/\*\*|\[|\]\([^)]*\)/g, '')

  it.each<[EventType, EventDraft, string]>([
    [
      'feature-project-change',
      { ...inProject, featureName: 'checkout' },
      'moved flag checkout to project shop in environment production',
    ],
    ['release-plan-added', { ...nowhere, featureName: 'checkout' }, 'added release plan beta to flag checkout'],
    ['project-environment-added', inProject, 'added environment production to project shop'],
    ['environment-created', inProject, 'created environment production in project shop'],
    ['segment-deleted', { ...nowhere, data: null, preData: { name: ' beta ' } }, 'deleted segment beta'],
    ['role-created', { ...nowhere, data: { name: 'x'.repeat(100) } }, `created role ${'x'.repeat(100)}`],
    ...['feature-created', 'environment-created', 'project-created'].map(
      (type) =>
        [
          type,
          nowhere,
          `created ${type === 'environment-created' ? 'an' : 'a'} ${type.replace('feature', 'flag').split('-')[0]}`,
        ] as [EventType, EventDraft, string],
    ),
    ...[7, '', '  ', null, { name: 'x' }, 'x'.repeat(101)].map(
      (name) => ['role-created', { ...nowhere, data: { name } }, 'created a role'] as [EventType, EventDraft, string],
    ),
  ])('of %s %j: %s', (type, of, expected) => {
    expect(plain(of, type)).toBe(`ann ${expected}`)
  })

  it.each(eventTypes.filter((type) => !type.startsWith('change-')))('%s has words for unknown values', (type) => {
    expect(summary({ ...nowhere, type, data: null }, unleash)).toMatch(
      /^\*\*ann\*\*(?: (?!undefined|null)[-a-zA-Z]+){2,}$/,
    )
  })

  it.each(['made-up', 'constructor', '__proto__'])('of an unknown type has it in bold: %s', (type) => {
    const name = type.replaceAll('_', '\\_')
    expect(summary({ ...inProject, type: type as EventType }, unleash)).toBe(`**ann** **${name}** ${place}`)
  })
})

describe('eventJson(event)', () => {
  it('is the text in the log without the id, in the order of its fields', () => {
    expect(
      eventJson({ ...event, featureName: 'checkout', tags: [{ type: 'simple', value: 'now' }], ip: '::1' }, unleash),
    ).toBe(
      '{"createdAt":"2026-03-04T12:00:00.000Z","type":"change-added","createdBy":"ann","createdByUserId":1,' +
        '"environment":"production","project":"shop","featureName":"checkout","data":{"changeRequestId":7},' +
        '"preData":null,"tags":[{"type":"simple","value":"now"}],"label":"Change added","summary":' +
        '"**ann** added a change to **[#7](/projects/shop/change-requests/7)** in flag ' +
        '**[checkout](/projects/shop/features/checkout)**, environment **production**, project ' +
        '**[shop](/projects/shop)**","ip":"::1"}',
    )
  })

  it('has null for missing values, and no group', () => {
    const empty = { ...event, createdByUserId: null, environment: null, project: null, data: null }
    expect(JSON.parse(eventJson({ ...empty, groupType: 'transaction', groupId: 'x' }, unleash))).toEqual({
      createdAt: event.createdAt,
      type: 'change-added',
      createdBy: 'ann',
      createdByUserId: null,
      environment: null,
      project: null,
      featureName: null,
      data: null,
      preData: null,
      tags: [],
      label: 'Change added',
      summary: '**ann** added a change to',
      ip: null,
    })
  })
})
