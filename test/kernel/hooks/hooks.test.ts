import {
  findContextFields,
  findPlaces,
  searchFlags,
  searchSegments,
} from '../../../src/capabilities/authoring/directory'
import { findFlag } from '../../../src/capabilities/authoring/flags'
import { preview } from '../../../src/capabilities/authoring/preview'
import { comment, rename, requestApprovers } from '../../../src/capabilities/discussion/discussion'
import { describeSummaries } from '../../../src/capabilities/lists/describe-summaries'
import { countActionable, listPending } from '../../../src/capabilities/lists/lists'
import { search } from '../../../src/capabilities/lists/search'
import { listEventCreators } from '../../../src/capabilities/log/event-creators'
import { addChanges, editChange } from '../../../src/capabilities/proposals/changes'
import { review } from '../../../src/capabilities/review/review'
import { changeSettings } from '../../../src/capabilities/settings/change-settings'
import { summarize } from '../../../src/domain/content/summary'
import { rulesInForce } from '../../../src/kernel/facts/policy'
import { availableReviewers } from '../../../src/kernel/host/find-users'
import { listSettings } from '../../../src/kernel/host/settings'
import { describeAll, describeOne } from '../../../src/kernel/view/describe'
import type { StoredChangeRequest } from '../../../src/ports/storage/change-requests'
import { actors, by, collect, createFixture, enable, type Fixture, production } from '../support/fixture'
import { HostFlags, never } from '../support/flags'

const people = [1, 2, 3, 4].map((id) => ({ id, username: `user ${id}` }))

/** A hook that works until the test breaks it, and how it then fails. */
class Hooks {
  broken: { readonly hook: string; readonly fault: 'hangs' | 'throws' } | null = null

  run<Value>(hook: string, value: Value): Value | Promise<never> {
    if (this.broken?.hook !== hook) return value
    if (this.broken.fault === 'hangs') return never()
    throw new Error('secret')
  }
}

/** A change request of Ann's in review, and hooks that can be broken. */
async function open(hooks: Hooks) {
  const flags = new HostFlags()
  const fixture = createFixture({
    approvalRules: () => hooks.run('approvalRules', []),
    freezes: () => hooks.run('freezes', []),
    changeRequestsEnabled: () => hooks.run('changeRequestsEnabled', true),
    requiredApprovals: () => hooks.run('requiredApprovals', 1),
    flags: {
      current: async (subjects) => (await hooks.run('flags.current', null)) ?? flags.current(subjects),
      apply: (changes, context) => flags.apply(changes, context),
      outcome: (applyId) => flags.outcome(applyId),
    },
    users: {
      find: () => hooks.run('users.find', people),
      reviewers: () => hooks.run('users.reviewers', people),
    },
    directory: {
      knownFeatures: (_, features) => hooks.run('directory.knownFeatures', features),
      searchFeatures: () => hooks.run('directory.searchFeatures', ['checkout']),
      environments: () => hooks.run('directory.environments', [{ name: 'production', type: 'production' }]),
      projects: () => hooks.run('directory.projects', ['shop']),
      searchSegments: () => hooks.run('directory.searchSegments', [{ id: 4, name: 'beta' }]),
      contextFields: () => hooks.run('directory.contextFields', [{ name: 'country' }]),
    },
  })
  const { allows } = fixture.host
  fixture.host.allows = (...all) => hooks.run('authorize', allows(...all)) as boolean
  await fixture.reviewed()
  return fixture
}

const here = { project: 'shop', id: 1 }
const stored = async ({ storage }: Fixture) => (await storage.find({ project: 'shop' }, 1)) as StoredChangeRequest
const own = { actor: actors.ann, project: 'shop' }
const everywhere = {
  actor: actors.ann,
  createdBy: null,
  requestedApproverId: null,
  state: null,
  afterReview: false,
  offset: 0,
  limit: 9,
}

/** What the settings of an environment without stored ones need. */
const settings = ['directory.environments', 'changeRequestsEnabled', 'requiredApprovals']

/** Each use case with the hooks that it needs. It is 503 if one of them fails, and works if any other fails. */
const useCases: readonly (readonly [string, readonly string[], (fixture: Fixture) => Promise<unknown>])[] = [
  [
    'addChanges',
    ['directory.knownFeatures', 'flags.current', 'authorize', ...settings],
    ({ services }) => addChanges(services, { ...by('ann'), ...production, changes: [enable()] }),
  ],
  [
    'editChange',
    ['directory.knownFeatures', 'flags.current', 'authorize'],
    ({ services }) => editChange(services, { ...by('ann'), ...here, changeId: 1, change: enable() }),
  ],
  [
    'searchFlags',
    ['directory.searchFeatures'],
    ({ services }) => searchFlags(services, { ...production, query: 'check' }),
  ],
  [
    'findFlag',
    ['authorize', 'directory.knownFeatures', 'directory.environments', 'flags.current'],
    ({ services }) => findFlag(services, { ...production, actor: actors.ann, name: 'checkout' }),
  ],
  [
    'searchSegments',
    ['directory.searchSegments'],
    ({ services }) => searchSegments(services, { project: 'shop', query: 'beta' }),
  ],
  ['findContextFields', ['directory.contextFields'], ({ services }) => findContextFields(services, 'shop')],
  [
    'findPlaces',
    ['authorize', 'directory.projects', ...settings],
    ({ services }) => findPlaces(services, { actor: actors.ann, query: undefined }),
  ],
  [
    'preview',
    [
      'authorize',
      'directory.knownFeatures',
      'flags.current',
      'users.reviewers',
      'approvalRules',
      'freezes',
      ...settings,
    ],
    ({ services }) => preview(services, { ...by('ann'), ...production, changes: [enable()] }),
  ],
  ['rename', ['authorize'], ({ services }) => rename(services, { ...by('ann'), ...here }, 'Sale')],
  ['comment', ['authorize'], ({ services }) => comment(services, { ...by('ben'), ...here }, 'Well?')],
  [
    'requestApprovers',
    ['authorize', 'users.reviewers'],
    ({ services }) => requestApprovers(services, { ...by('ann'), ...here }, [2]),
  ],
  ['to Approved', ['authorize', 'flags.current', 'approvalRules'], ({ to }) => to('ben', 'Approved')],
  ['to Rejected', ['authorize'], ({ to }) => to('ben', 'Rejected')],
  ['to Cancelled', ['authorize'], ({ to }) => to('ann', 'Cancelled')],
  ['to Applied', ['authorize', 'flags.current', 'approvalRules', 'freezes'], ({ to }) => to('ben', 'Applied')],
  [
    'review',
    ['authorize', 'users.find', 'users.reviewers', 'approvalRules', 'freezes'],
    ({ services }) => review(services, { actor: actors.ben, ...here }),
  ],
  ['rulesInForce', ['approvalRules'], ({ services }) => rulesInForce(services, production)],
  [
    'changeSettings',
    settings,
    ({ services }) =>
      changeSettings(services, { ...by('dora'), ...production, changeRequestsEnabled: true, requiredApprovals: 2 }),
  ],
  ['listSettings', settings, ({ services }) => listSettings(services, 'shop')],
  ['listPending', settings, ({ services }) => collect(listPending(services, own))],
  ['countActionable', ['authorize'], ({ services }) => countActionable(services, { ...own, actor: actors.ben })],
  ['search', ['authorize', 'users.find'], async ({ services }) => collect((await search(services, everywhere)).pages)],
  ['availableReviewers', ['users.reviewers'], ({ services }) => availableReviewers(services, 'shop', 'production')],
  ['listEventCreators', ['authorize', 'users.find'], ({ services }) => listEventCreators(services, actors.ann)],
  [
    'describeAll',
    ['users.find', 'flags.current'],
    async (fixture) => describeAll(fixture.services, [await stored(fixture)]),
  ],
  ['describeOne after a write', [], async (fixture) => describeOne(fixture.services, await stored(fixture), 'write')],
  [
    'describeSummaries',
    ['users.find'],
    async (fixture) => describeSummaries(fixture.services, [summarize((await stored(fixture)).changeRequest)]),
  ],
]

const names = [
  'authorize',
  'directory.knownFeatures',
  'directory.searchFeatures',
  'directory.environments',
  'directory.projects',
  'directory.searchSegments',
  'directory.contextFields',
  'users.find',
  'users.reviewers',
  'flags.current',
  'approvalRules',
  'freezes',
  'changeRequestsEnabled',
  'requiredApprovals',
]
const cells = useCases.flatMap(([name, needs, run]) =>
  names.flatMap((hook) =>
    // A hook that is not called cannot hang.
    (needs.includes(hook) ? (['throws', 'hangs'] as const) : (['throws'] as const)).map(
      (fault) => [name, hook, fault, needs.includes(hook), run] as const,
    ),
  ),
)

describe('a use case while a hook of the host app fails', () => {
  beforeEach(() => {
    jest.useFakeTimers()
  })
  afterEach(() => {
    jest.useRealTimers()
  })

  it.each(cells)('%s, while %s %s: 503 %s', async (name, hook, fault, isNeeded, run) => {
    const hooks = new Hooks()
    const fixture = await open(hooks)
    if (name === 'to Applied') await fixture.to('ben', 'Approved')
    const before = (await stored(fixture)).version
    hooks.broken = { hook, fault }
    const settled = run(fixture).then(
      () => 'done',
      ({ name: error, message }: Error) => `${error}: ${message}`,
    )
    await jest.advanceTimersByTimeAsync(5_000)
    const what = hook === 'flags.current' ? 'The current flags could not be read' : 'The request could not be checked'
    const text = `UnavailableError: ${what} (${hook}). Try again.`
    expect(await settled).toBe(isNeeded ? text : 'done')
    if (isNeeded) expect((await stored(fixture)).version).toBe(before)

    // A hook that hangs does not block later calls.
    hooks.broken = null
    await comment(fixture.services, { ...by('cleo'), ...here }, 'Go on.')
    expect(jest.getTimerCount()).toBe(0)
  })
})
