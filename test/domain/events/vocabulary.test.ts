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
change-request-discarded                     | ann discarded the draft #7 in environment production, project shop
change-added                                 | ann added a change to #7 in environment production, project shop
change-discarded                             | ann removed a change from #7 in environment production, project shop
change-edited                                | ann edited a change in #7 in environment production, project shop
change-request-rejected                      | ann rejected #7 in environment production, project shop
change-request-approved                      | ann gave the last required approval for #7 in environment production, project shop
change-request-approval-added                | ann approved #7 in environment production, project shop
change-request-cancelled                     | ann cancelled #7 in environment production, project shop
change-request-sent-to-review                | ann requested a review of #7 in environment production, project shop
change-request-schedule-suspended            | #7 will not be applied as scheduled: gone in environment production, project shop
change-request-applied                       | ann applied #7 in environment production, project shop
change-request-scheduled                     | ann scheduled #7 for 2026-04-01T00:00:00.000Z in environment production, project shop
change-request-scheduled-application-success | #7 was applied as scheduled in environment production, project shop scheduled by ann
change-request-scheduled-application-failure | #7 could not be applied as scheduled: gone in environment production, project shop scheduled by ann
change-request-configuration-updated         | ann changed the change request settings in environment production, project shop
change-request-requested-approvers-updated   | ann changed the requested approvers of #7 in environment production, project shop
`

/** Flag checkout of project shop, in environment production. */
const ofFlags = `
feature-created                      | ann created flag checkout in environment production, project shop
feature-deleted                      | ann deleted flag checkout in environment production, project shop
feature-updated                      | ann updated flag checkout in environment production, project shop
feature-metadata-updated             | ann updated the metadata of flag checkout in environment production, project shop
feature-archived                     | ann archived flag checkout in environment production, project shop
feature-revived                      | ann revived flag checkout in environment production, project shop
feature-import                       | ann imported flag checkout in environment production, project shop
feature-project-change               | ann moved flag checkout to project shop in environment production
feature-type-updated                 | ann changed the type of flag checkout in environment production, project shop
feature-completed                    | ann marked flag checkout as completed in environment production, project shop
feature-uncompleted                  | ann marked flag checkout as not completed in environment production, project shop
feature-variants-updated             | ann changed the variants of flag checkout in environment production, project shop
feature-environment-variants-updated | ann changed the variants of flag checkout in environment production, project shop
feature-stale-on                     | ann marked flag checkout as stale in environment production, project shop
feature-stale-off                    | ann marked flag checkout as no longer stale in environment production, project shop
feature-potentially-stale-on         | ann marked flag checkout as potentially stale in environment production, project shop
feature-environment-enabled          | ann enabled flag checkout in environment production, project shop
feature-environment-disabled         | ann disabled flag checkout in environment production, project shop
feature-strategy-update              | ann updated a strategy of flag checkout in environment production, project shop
feature-strategy-add                 | ann added a strategy to flag checkout in environment production, project shop
feature-strategy-remove              | ann removed a strategy from flag checkout in environment production, project shop
strategy-order-changed               | ann reordered the strategies of flag checkout in environment production, project shop
feature-tagged                       | ann added a tag to flag checkout in environment production, project shop
feature-untagged                     | ann removed a tag from flag checkout in environment production, project shop
feature-tag-import                   | ann imported a tag of flag checkout in environment production, project shop
feature-favorited                    | ann added flag checkout to their favorites in environment production, project shop
feature-unfavorited                  | ann removed flag checkout from their favorites in environment production, project shop
feature-dependency-added             | ann added a dependency to flag checkout in environment production, project shop
feature-dependency-removed           | ann removed a dependency from flag checkout in environment production, project shop
feature-dependencies-removed         | ann removed all dependencies of flag checkout in environment production, project shop
release-plan-added                   | ann added release plan beta to flag checkout in environment production, project shop
release-plan-removed                 | ann removed release plan beta from flag checkout in environment production, project shop
release-plan-milestone-started       | ann started a milestone of the release plan of flag checkout in environment production, project shop
feature-link-added                   | ann added a link to flag checkout in environment production, project shop
feature-link-removed                 | ann removed a link from flag checkout in environment production, project shop
feature-link-updated                 | ann updated a link of flag checkout in environment production, project shop
safeguard-changed                    | ann changed a safeguard of flag checkout in environment production, project shop
safeguard-deleted                    | ann deleted a safeguard of flag checkout in environment production, project shop
safeguard-triggered                  | ann triggered a safeguard of flag checkout in environment production, project shop
release-plan-progressions-resumed    | ann resumed the progressions of the release plan of flag checkout in environment production, project shop
release-plan-progressions-paused     | ann paused the progressions of the release plan of flag checkout in environment production, project shop
milestone-progression-created        | ann created a milestone progression for flag checkout in environment production, project shop
milestone-progression-updated        | ann updated a milestone progression of flag checkout in environment production, project shop
milestone-progression-deleted        | ann deleted a milestone progression of flag checkout in environment production, project shop
milestone-progression-changed        | ann changed a milestone progression of flag checkout in environment production, project shop
`

/** Project shop, with environment production. */
const ofPlaces = `
default-strategy-updated           | ann changed the default strategy of project shop in environment production
project-created                    | ann created project shop in environment production
project-updated                    | ann updated project shop in environment production
project-deleted                    | ann deleted project shop in environment production
project-archived                   | ann archived project shop in environment production
project-revived                    | ann revived project shop in environment production
project-import                     | ann imported project shop in environment production
project-favorited                  | ann added project shop to their favorites in environment production
project-unfavorited                | ann removed project shop from their favorites in environment production
project-environment-added          | ann added environment production to project shop
project-environment-removed        | ann removed environment production from project shop
project-access-added               | ann gave access to project shop in environment production
project-access-updated             | ann changed the access to project shop in environment production
project-access-user-roles-updated  | ann changed the roles of a user in project shop in environment production
project-access-group-roles-updated | ann changed the roles of a group in project shop in environment production
project-access-user-roles-deleted  | ann removed the roles of a user in project shop in environment production
project-access-group-roles-deleted | ann removed the roles of a group in project shop in environment production
project-user-added                 | ann added a user to project shop in environment production
project-user-removed               | ann removed a user from project shop in environment production
project-user-role-changed          | ann changed the role of a user in project shop in environment production
project-group-role-changed         | ann changed the role of a group in project shop in environment production
project-group-added                | ann added a group to project shop in environment production
project-group-removed              | ann removed a group from project shop in environment production
environment-created                | ann created environment production in project shop
environment-updated                | ann updated environment production in project shop
environment-deleted                | ann deleted environment production in project shop
environment-import                 | ann imported environment production in project shop
`

/** Only a name in the facts. */
const ofOthers = `
drop-feature-tags                  | ann removed the tags of all flags
drop-features                      | ann removed all flags
features-exported                  | ann exported flags
features-imported                  | ann imported flags
strategy-created                   | ann created strategy type beta
strategy-deleted                   | ann deleted strategy type beta
strategy-deprecated                | ann deprecated strategy type beta
strategy-reactivated               | ann reactivated strategy type beta
strategy-updated                   | ann updated strategy type beta
strategy-import                    | ann imported strategy type beta
drop-strategies                    | ann removed all strategy types
context-field-created              | ann created context field beta
context-field-updated              | ann updated context field beta
context-field-deleted              | ann deleted context field beta
drop-projects                      | ann removed all projects
role-created                       | ann created role beta
role-updated                       | ann updated role beta
role-deleted                       | ann deleted role beta
tag-created                        | ann created a tag
tag-deleted                        | ann deleted a tag
tag-import                         | ann imported a tag
drop-tags                          | ann removed all tags
tag-type-created                   | ann created tag type beta
tag-type-deleted                   | ann deleted tag type beta
tag-type-updated                   | ann updated tag type beta
tag-type-import                    | ann imported tag type beta
drop-tag-types                     | ann removed all tag types
addon-config-created               | ann created an addon configuration
addon-config-updated               | ann updated an addon configuration
addon-config-deleted               | ann deleted an addon configuration
drop-environments                  | ann removed all environments
segment-created                    | ann created segment beta
segment-updated                    | ann updated segment beta
segment-deleted                    | ann deleted segment beta
segment-import                     | ann imported segment beta
group-created                      | ann created group beta
group-updated                      | ann updated group beta
group-deleted                      | ann deleted group beta
group-user-added                   | ann added a user to a group
group-user-removed                 | ann removed a user from a group
user-created                       | ann created user beta
user-updated                       | ann updated user beta
user-deleted                       | ann deleted user beta
user-preference-updated            | ann updated their preferences
service-account-created            | ann created service account beta
service-account-updated            | ann updated service account beta
service-account-deleted            | ann deleted service account beta
scim-users-deleted                 | ann deleted all users that SCIM manages
scim-groups-deleted                | ann deleted all groups that SCIM manages
pat-created                        | ann created a personal access token
pat-deleted                        | ann deleted a personal access token
api-token-created                  | ann created an API token
api-token-updated                  | ann updated an API token
api-token-deleted                  | ann deleted an API token
public-signup-token-created        | ann created a public sign-up token
public-signup-token-user-added     | ann added a user through a public sign-up token
public-signup-token-updated        | ann updated a public sign-up token
setting-created                    | ann created a setting
setting-updated                    | ann updated a setting
setting-deleted                    | ann deleted a setting
banner-created                     | ann created a banner
banner-updated                     | ann updated a banner
banner-deleted                     | ann deleted a banner
application-created                | ann registered application beta
client-metrics                     | ann sent metrics of a client
client-register                    | ann registered a client
db-pool-update                     | ann updated the database pool
signal-endpoint-created            | ann created signal endpoint beta
signal-endpoint-updated            | ann updated signal endpoint beta
signal-endpoint-deleted            | ann deleted signal endpoint beta
signal-endpoint-token-created      | ann created a token for a signal endpoint
signal-endpoint-token-updated      | ann updated a token of a signal endpoint
signal-endpoint-token-deleted      | ann deleted a token of a signal endpoint
actions-created                    | ann created action set beta
actions-updated                    | ann updated action set beta
actions-deleted                    | ann deleted action set beta
release-plan-template-created      | ann created release plan template beta
release-plan-template-updated      | ann updated release plan template beta
release-plan-template-deleted      | ann deleted release plan template beta
release-plan-template-archived     | ann archived release plan template beta
service-account-token-created      | ann created a token for a service account
service-account-token-deleted      | ann deleted a token of a service account
cdn-token-created                  | ann created a CDN token
impact-metric-created              | ann created impact metric beta
impact-metric-updated              | ann updated impact metric beta
impact-metric-deleted              | ann deleted impact metric beta
user-access-request-registered     | ann registered an access request
user-access-request-approved       | ann approved an access request
user-access-request-rejected       | ann rejected an access request
remote-mcp-server-settings-updated | ann changed the settings of the remote MCP server
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
  it('is there, each once', () => {
    expect(rows.map(([type]) => type).sort()).toEqual([...types].sort())
  })

  it.each(rows)('%s: %s', (type, sentence, event) => {
    const data = type === 'change-request-configuration-updated' ? {} : event.data
    expect(plain(summary({ ...event, type, data }, ''))).toBe(sentence)
  })

  const withoutRequest = rows.map(([type]) => type).filter((type) => !ofRequests.includes(`${type} `))

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
