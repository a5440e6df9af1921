import fc from 'fast-check'
import type { InboxSearch } from '../../src/capabilities/lists/reviews'
import type { ChangeRequest, Objection } from '../../src/domain/change-request'
import { isOwn } from '../../src/domain/content/authors'
import { searchText, stateSince, summarize } from '../../src/domain/content/summary'
import { needsAcknowledgement } from '../../src/domain/decisions/review'
import { becauseOf } from '../../src/domain/steps/inbox'
import { states } from '../../src/generated/lists'
import { inboxOf } from '../capabilities/support/inbox'
import { actors, createFixture, enable, noon } from '../kernel/support/fixture'
import { random } from '../support/random'
import { changeRequest, fewStores } from './fixtures'

const person = (id: number) => ({ id, username: `user-${id}`, imageUrl: null })
const anyone = fc.integer({ min: 1, max: 4 })
const some = fc.uniqueArray(anyone, { maxLength: 2 })
const minutesLater = (minutes: number) => new Date(Date.parse(noon) + minutes * 60_000).toISOString()
const archive = { action: 'archiveFeature', feature: 'checkout', payload: {} } as const

const samples = fc.array(
  fc.record({
    state: fc.constantFrom(...states, 'In review' as const, 'In review' as const, 'Approved' as const),
    since: fc.integer({ min: 0, max: 5 }),
    author: anyone,
    project: fc.constantFrom('shop', 'shop', 'bank'),
    environment: fc.constantFrom('production', 'staging'),
    feature: fc.constantFrom('checkout', 'search'),
    title: fc.constantFrom(null, 'Dark mode'),
    wholeProject: fc.boolean(),
    minApprovals: fc.constantFrom(1, 1, 2),
    approvedBy: some,
    voidedFor: some,
    voidedBy: fc.constantFrom('edit' as const, 'objected' as const, 'taken-back' as const),
    objectedBy: fc.oneof(fc.constant<number[]>([]), some),
    outdated: fc.boolean(),
    otherAuthors: some,
    requested: some,
    status: fc.constantFrom('pending' as const, 'failed' as const, 'suspended' as const),
    scheduledBy: anyone,
    emergency: fc.constantFrom('none', 'open', 'acknowledged'),
    appliedBy: anyone,
  }),
  { maxLength: 30 },
)

const permissions = fc.uniqueArray(
  fc.constantFrom(
    ...['APPROVE_CHANGE_REQUEST', 'APPLY_CHANGE_REQUEST'].flatMap((name) =>
      ['shop production', 'shop staging', 'bank production', 'bank staging'].map((place) => `${name} ${place}`),
    ),
  ),
  { minLength: 4 },
)
const unreadable = fc.subarray(['bank'])

const moments = [0, 1, 2].map((seconds) => new Date(Date.parse(noon) + seconds * 1_000).toISOString())
const optional = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: undefined, freq: 2 })
const filters = fc.record({
  project: optional(fc.constantFrom('shop', 'bank', 'none')),
  environment: optional(fc.constantFrom('production', 'staging')),
  state: optional(fc.constantFrom(...states)),
  author: optional(anyone),
  feature: optional(fc.constantFrom('checkout', 'search')),
  requested: optional(fc.constant('me' as const)),
  afterReview: optional(fc.constant('open' as const)),
  query: optional(fc.constantFrom('DARK', 'check', '#3', '2', 'nothing')),
  createdFrom: optional(fc.constantFrom(...moments)),
  createdTo: optional(fc.constantFrom(...moments)),
  order: fc.constantFrom('newest' as const, 'waiting' as const, 'recent' as const),
})

/** Filters leave few change requests. */
const unfiltered: Filter & Pick<InboxSearch, 'order'> = { order: 'newest' }

type Sample = typeof samples extends fc.Arbitrary<(infer One)[]> ? One : never

function toChangeRequest(id: number, sample: Sample): ChangeRequest {
  const { state, since, author, feature, wholeProject, requested, emergency, ...rest } = sample
  const {
    minApprovals,
    approvedBy,
    voidedFor,
    voidedBy,
    objectedBy,
    outdated,
    otherAuthors,
    status,
    scheduledBy,
    appliedBy,
    project,
    environment,
    title,
  } = rest
  const change = { ...(wholeProject ? { ...archive, feature } : enable(feature)), id, createdBy: person(author) }
  const at = new Date(Date.parse(noon) + since * 1_000).toISOString()
  const scheduled = state === 'Scheduled'
  const by = { person: person(scheduledBy), signature: 'user@example.com', ip: null }
  const acknowledgement = emergency === 'acknowledged' ? { createdBy: person(4), createdAt: at } : null
  const applied = { reason: 'It could not wait.', missing: [], appliedBy: person(appliedBy), acknowledgement }
  return changeRequest(id, {
    ...{ state, author, project, environment, title, minApprovals, requestedApprovers: requested, otherAuthors },
    createdAt: new Date(Date.parse(noon) + (since % 3) * 1_000).toISOString(),
    changes: [{ ...change, createdAt: noon }],
    approvals: approvedBy.map((voter) => ({ createdBy: person(voter), createdAt: minutesLater(voter), digest: 'd' })),
    voidedApprovals: voidedFor.map((voter) => ({
      ...{ by: person(voter), at: noon, cause: voidedBy, causedBy: person(author) },
    })),
    ...(['In review', 'Approved', 'Scheduled'].includes(state) && {
      objections: objectedBy.map(objectionBy(outdated)),
    }),
    stateTimestamps: { [state]: at },
    schedule: scheduled ? { scheduledAt: noon, status, reason: status === 'pending' ? null : 'why' } : null,
    ...(scheduled ? { scheduling: { by, targets: {} } } : {}),
    ...(state === 'Applied' && emergency !== 'none' ? { emergency: applied } : {}),
  })
}

const objectionBy =
  (outdated: boolean) =>
  (by: number, index: number): Objection => ({
    ...{ id: index + 1, by: person(by), at: noon, text: 'Not yet.' },
    ...(outdated && { outdated }),
  })

/** Compared with the facts of each change request, one by one. */
describe.each(fewStores)('the inbox on $name', ({ open }) => {
  it('lists and counts exactly what each user must see, for any filters, page by page', async () => {
    await fc.assert(
      fc.asyncProperty(
        samples,
        permissions,
        unreadable,
        fc.constantFrom(null, 120_000, 180_000),
        fc.array(filters, { minLength: 1, maxLength: 4 }),
        async (sampled, granted, hidden, afterMs, searches) => {
          const store = await open()
          try {
            const fixture = createFixture({ storage: () => store.storage, approvalsExpireAfterMs: afterMs })
            const { services, host } = fixture
            host.now = Date.parse(minutesLater(5))
            host.allows = (_, permission, { project = '', environment }) =>
              permission === 'READ_CHANGE_REQUEST'
                ? !hidden.includes(project)
                : granted.includes(environment === undefined ? permission : `${permission} ${project} ${environment}`)
            const everything: ChangeRequest[] = []
            for (const sample of sampled) {
              const [id = 0] = await store.storage.nextIds('changeRequest', 1)
              const one = toChangeRequest(id, sample)
              // Returns undefined if the author has an open one there.
              const stored = await services.writer.commit(undefined, { changeRequest: one, events: [] })
              if (stored !== undefined) everything.push(one)
            }
            // What affects the whole project affects all environments, those without a name too, for which nobody has a permission.
            const may = (name: string, one: ChangeRequest) =>
              summarize(one).scope === 'environment' && granted.includes(`${name} ${one.project} ${one.environment}`)
            for (const actor of Object.values(actors)) {
              const needsThem = (one: ChangeRequest) =>
                becauseOf(one, {
                  userId: actor.id,
                  mayApprove: may('APPROVE_CHANGE_REQUEST', one),
                  mayApply: may('APPLY_CHANGE_REQUEST', one),
                  conflict: false,
                  overwrites: false,
                  expiry: afterMs === null ? undefined : { afterMs, at: minutesLater(5) },
                }).length > 0
              for (const { order, ...filter } of [unfiltered, ...searches]) {
                const visible = everything
                  .filter((one) => !hidden.includes(one.project))
                  .filter((one) => one.state !== 'Draft' || one.createdBy.id === actor.id)
                  .filter((one) => fits(one, filter, actor.id))
                const parts = {
                  me: visible.filter(needsThem),
                  mine: visible.filter((one) => isOwn(one, actor.id)),
                  all: visible,
                }
                for (const needs of ['me', 'mine', 'all'] as const) {
                  const search = { ...filter, order, needs, limit: 3 } as const
                  const { ids, totals } = await allPages(fixture, actor, search)
                  const expected = [...parts[needs]].sort(sorts[order])
                  expect([search, actor.id, ids]).toEqual([search, actor.id, expected.map(({ id }) => id)])
                  expect([search, totals]).toEqual([
                    search,
                    { me: parts.me.length, mine: parts.mine.length, all: parts.all.length, toFix: 0 },
                  ])
                }
              }
            }
          } finally {
            await store.close()
          }
        },
      ),
      random(5),
    )
  })
})

type Filter = Partial<Omit<InboxSearch, 'actor' | 'order'>>

function fits(one: ChangeRequest, filter: Filter, viewer: number | null): boolean {
  const { project, environment, state, author, feature, requested, afterReview, createdFrom, createdTo, query } = filter
  if (project !== undefined && one.project !== project) return false
  if (environment !== undefined && one.environment !== environment) return false
  if (state !== undefined && one.state !== state) return false
  if (author !== undefined && one.createdBy.id !== author) return false
  if (feature !== undefined && one.changes.every((change) => change.feature !== feature)) return false
  if (createdFrom !== undefined && one.createdAt < createdFrom) return false
  if (createdTo !== undefined && one.createdAt >= createdTo) return false
  if (requested !== undefined && (viewer === null || !one.requestedApprovers.includes(viewer))) return false
  if (afterReview !== undefined && !needsAcknowledgement(one)) return false
  if (query === undefined || searchText(summarize(one)).includes(query.toLowerCase())) return true
  return `${one.id}` === query.replace('#', '')
}

function newestFirst(one: ChangeRequest, other: ChangeRequest): number {
  if (one.createdAt === other.createdAt) return other.id - one.id
  return one.createdAt < other.createdAt ? 1 : -1
}

function longestFirst(one: ChangeRequest, other: ChangeRequest): number {
  if (stateSince(one) === stateSince(other)) return one.id - other.id
  return stateSince(one) < stateSince(other) ? -1 : 1
}

const sorts: Readonly<Record<InboxSearch['order'], (one: ChangeRequest, other: ChangeRequest) => number>> = {
  newest: newestFirst,
  waiting: longestFirst,
  recent: (one, other) => longestFirst(other, one),
}

async function allPages(
  fixture: ReturnType<typeof createFixture>,
  actor: InboxSearch['actor'],
  search: Partial<InboxSearch>,
) {
  const first = await inboxOf(fixture, actor, search)
  const ids = first.items.map(({ described }) => described.changeRequest.id)
  let { next } = first
  while (next !== null) {
    const page = await inboxOf(fixture, actor, { ...search, after: next })
    expect(page.totals).toBeNull()
    ids.push(...page.items.map(({ described }) => described.changeRequest.id))
    next = page.next
  }
  return { ids, totals: first.totals }
}
