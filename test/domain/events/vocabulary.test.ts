import { summary } from '../../../src/domain/events/event-json'
import type { EventDraft } from '../../../src/domain/events/events'
import type { EventType } from '../../../src/generated'
import { eventTypes } from '../../../src/generated/lists'

const types: readonly EventType[] = eventTypes

const nowhere: EventDraft = {
  type: 'feature-created',
  createdAt: '2026-03-04T12:00:00.000Z',
  createdBy: 'ann',
  createdByUserId: 1,
  environment: null,
  project: null,
  featureName: null,
  data: { name: 'beta', reason: 'gone', scheduledDate: '2026-04-01T00:00:00.000Z' },
  preData: null,
  tags: [],
  ip: null,
  groupType: null,
  groupId: null,
}
const inProject = { ...nowhere, environment: 'production', project: 'shop' }

/** The sentences without their markdown, which other tests cover. */
const plain = (markdown: string) => markdown.replace(/\*\*|\[|\]\([^)]*\)/g, '')

/** Change request 7 of project shop, environment production. */
const ofRequests = `
change-request-created                       | ann created #7 in environment production, project shop
change-request-schedule-suspended            | #7 will not be applied as scheduled: gone in environment production, project shop
change-request-scheduled                     | ann scheduled #7 for 2026-04-01T00:00:00.000Z in environment production, project shop
change-request-scheduled-application-failure | #7 could not be applied as scheduled: gone in environment production, project shop scheduled by ann
change-request-configuration-updated         | ann changed the change request settings in environment production, project shop
`

/** Flag checkout of project shop, in environment production. */
const ofFlags = `
feature-created                      | ann created flag checkout in environment production, project shop
feature-project-change               | ann moved flag checkout to project shop in environment production
feature-environment-enabled          | ann enabled flag checkout in environment production, project shop
release-plan-added                   | ann added release plan beta to flag checkout in environment production, project shop
`

/** Project shop, with environment production. */
const ofPlaces = `
default-strategy-updated           | ann changed the default strategy of project shop in environment production
project-created                    | ann created project shop in environment production
project-environment-added          | ann added environment production to project shop
environment-created                | ann created environment production in project shop
`

/** Only a name in the facts. */
const ofOthers = `
features-exported                  | ann exported flags
role-deleted                       | ann deleted role beta
tag-created                        | ann created a tag
segment-created                    | ann created segment beta
public-signup-token-user-added     | ann added a user through a public sign-up token
`

const groups: readonly [string, EventDraft, string][] = [
  ['a change request', { ...inProject, data: { ...nowhere.data, changeRequestId: 7 } }, ofRequests],
  ['a flag', { ...inProject, featureName: 'checkout' }, ofFlags],
  ['a project or an environment', inProject, ofPlaces],
  ['something else', nowhere, ofOthers],
]

const rows = groups.flatMap(([, event, table]) =>
  table
    .trim()
    .split('\n')
    .map((line) => {
      const [type = '', sentence = ''] = line.split(' | ')
      return [type.trim() as EventType, sentence, event] as const
    }),
)

describe('the sentence of each type of event', () => {
  it.each(rows)('%s: %s', (type, sentence, event) => {
    const data = type === 'change-request-configuration-updated' ? {} : event.data
    expect(plain(summary({ ...event, type, data }, ''))).toBe(sentence)
  })

  const withoutRequest = types.filter((type) => !type.startsWith('change-'))

  it.each(withoutRequest)('%s has words for unknown values', (type) => {
    const sentence = summary({ ...nowhere, type, data: null }, '')
    expect(sentence).toMatch(/^\*\*ann\*\*(?: [-a-zA-Z]+){2,}$/)
    expect(sentence).not.toMatch(/undefined|null/)
  })

  it('links flag and project, and sets names in bold', () => {
    const event = { ...inProject, featureName: 'checkout' }
    expect(summary({ ...event, type: 'feature-environment-enabled' }, '/base')).toBe(
      '**ann** enabled flag **[checkout](/base/projects/shop/features/checkout)** in environment **production**, ' +
        'project **[shop](/base/projects/shop)**',
    )
    expect(summary({ ...inProject, type: 'segment-created' }, '')).toBe(
      '**ann** created segment **beta** in environment **production**, project **[shop](/projects/shop)**',
    )
    expect(summary({ ...nowhere, featureName: 'a*b', type: 'feature-created' }, '')).toBe(
      '**ann** created flag **a\\*b**',
    )
  })

  it('finds the name of a deleted one in the previous state', () => {
    const gone = { ...nowhere, type: 'segment-deleted', data: null, preData: { name: ' <b> ' } } as const
    expect(summary(gone, '')).toBe('**ann** deleted segment **\\<b\\>**')
  })

  it.each([[7], [''], ['  '], [null], [{ name: 'x' }], ['x'.repeat(101)]])('treats %j as no name', (name) => {
    expect(summary({ ...nowhere, type: 'role-created', data: { name } }, '')).toBe('**ann** created a role')
  })

  it('accepts a name of 100 characters', () => {
    const name = 'x'.repeat(100)
    expect(summary({ ...nowhere, type: 'role-created', data: { name } }, '')).toContain(name)
  })

  it.each(['feature-created', 'environment-created', 'project-created'] as const)(
    '%s names its place only from the fields of the event',
    (type) => {
      expect(summary({ ...nowhere, type, data: { name: 'forged' } }, '')).not.toContain('forged')
    },
  )

  it('names the change request of the event', () => {
    const event = { ...inProject, featureName: 'checkout', type: 'feature-archived' } as const
    expect(plain(summary({ ...event, data: { changeRequestId: 7 } }, ''))).toBe(
      'ann archived flag checkout through change request #7 in environment production, project shop',
    )
  })

  it.each(['made-up', 'constructor', '__proto__'])('of an unknown type has it in bold: %s', (type) => {
    const name = type.replaceAll('_', '\\_')
    expect(summary({ ...inProject, type: type as EventType }, '')).toBe(
      `**ann** **${name}** in environment **production**, project **[shop](/projects/shop)**`,
    )
  })
})
