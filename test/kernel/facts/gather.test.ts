import type { FlagState, UserDirectory } from '../../../src'
import { changeSettings } from '../../../src/capabilities/settings/change-settings'
import type { ChangeRequest } from '../../../src/domain/change-request'
import type { FeatureState } from '../../../src/domain/flag-state'
import { findDefaultChanges } from '../../../src/domain/flags/default-changes'
import { type Fact, wellFormedCall } from '../../../src/domain/steps/facts'
import { needsOf, type Step } from '../../../src/domain/steps/steps'
import { stepTable } from '../../../src/domain/steps/table'
import { stepNames } from '../../../src/generated/lists'
import { digestOf } from '../../../src/kernel/digest'
import type { FactContext } from '../../../src/kernel/facts/fact-context'
import { FactGatherer, type Gatherable } from '../../../src/kernel/facts/gather'
import { placeFactNames } from '../../../src/kernel/facts/place'
import { createPermissionCheck } from '../../../src/kernel/host/permissions'
import { change, changeRequest, by as voter } from '../../domain/support/change-requests'
import { actors, by, createFixture, enable, type FixtureOptions, production } from '../support/fixture'

const steps = Object.keys(stepTable) as Step[]

type Name = keyof Gatherable
type GatheredFact = Extract<Fact, Name>

/** Facts that only the call and the commit know. A proposal is also decided on the settings that the commit loads. */
const knownLater = (step: Step): readonly string[] => [
  ...['revision', 'expiry', ...Object.keys(wellFormedCall)],
  ...(step === 'add' ? placeFactNames : []),
]

/** The gathered facts of a step: all other facts that it needs. */
const gatheredFor = (step: Step) =>
  needsOf(step, 'caller', 'revision', 'input', 'state', 'decision').filter(
    (fact): fact is GatheredFact => !knownLater(step).includes(fact),
  )
const gathered = [...new Set(steps.flatMap(gatheredFor))]

const s1 = { id: 's1', name: 'default', disabled: false }
const payments = { type: 'team', value: 'payments' }
const checkout = { archived: false, enabled: true, strategies: [{ ...s1, title: 'all' }], tags: [payments] }
const current: FlagState = {
  features: new Map<string, FeatureState>([
    ['checkout', checkout],
    ['sale', { archived: false, enabled: false, strategies: [] }],
  ]),
  segments: new Map([[4, { name: 'beta users', project: 'blog' }]]),
}
/** Everything that depends on the flags is different. */
const locked: FlagState = {
  features: new Map<string, FeatureState>([
    ['checkout', { ...checkout, enabled: false, strategies: [], tags: [] }],
    ['search', { ...checkout, tags: [] }],
    ['sale', { archived: false, enabled: true, strategies: [] }],
  ]),
  segments: new Map([[4, { name: 'testers', project: 'shop' }]]),
}

/** A change request of Ann with a value for every fact. */
const draft: ChangeRequest = changeRequest({
  state: 'Draft',
  applying: { applyId: 'a', startedAt: '2026-03-04T11:00:00.000Z', digest: 'sha256:0', by: voter('ann').author },
  changes: [
    change(1, { action: 'updateStrategy', payload: { id: 's1', title: 'few' }, base: { ...s1, title: 'everybody' } }),
    change(2, { action: 'archiveFeature', feature: 'search', payload: {} }),
    change(3, { action: 'updateSegment', feature: null, payload: { id: 4, name: 'beta', constraints: [] } }),
    change(4, { payload: { enabled: true } }),
    // A flag without strategies gets one by default.
    change(5, { feature: 'sale', payload: { enabled: true } }),
  ],
})
const scheduled: ChangeRequest = { ...draft, state: 'Scheduled' }
const applied: ChangeRequest = changeRequest({
  state: 'Applied',
  changes: [
    change(1, { action: 'archiveFeature', payload: {} }),
    change(2, { action: 'addDependency', payload: { feature: 'login' }, snapshot: { dependencies: [] } }),
  ],
})

/** The change requests of steps that do not act on a draft. */
const subjects: { readonly [step in Step]?: ChangeRequest } = {
  rebase: scheduled,
  revert: applied,
  copy: applied,
  previewRevert: applied,
}

const possibleRevert = {
  changes: [
    {
      action: 'deleteDependency',
      feature: 'checkout',
      payload: { feature: 'login' },
      restores: { dependencies: [] },
    },
  ],
  irreversible: [{ id: 1, action: 'archiveFeature', feature: 'checkout', phrase: 'Archiving checkout' }],
}
const freeze = { name: 'Sale', reason: 'Sales', from: '2026-03-04T12:00:00+01:00' }
const rule = { name: 'owners', approvals: 1, when: { tags: [payments] } }
const because = [1, 4].map((id) => ({ change: id, feature: 'checkout', path: null }))
const check = { name: 'ci', when: { tags: [payments] } }

/** The facts about these change requests. */
const expected: { readonly [fact in GatheredFact]: unknown } = {
  READ_CHANGE_REQUEST: true,
  CREATE_CHANGE_REQUEST: true,
  APPROVE_CHANGE_REQUEST: true,
  APPLY_CHANGE_REQUEST: true,
  SKIP_CHANGE_REQUEST: true,
  REPORT_CHECK: true,
  ADMIN: false,
  'APPROVE_CHANGE_REQUEST elsewhere': ['staging'],
  'APPLY_CHANGE_REQUEST elsewhere': ['staging'],
  'SKIP_CHANGE_REQUEST elsewhere': ['staging'],
  'REPORT_CHECK elsewhere': ['staging'],
  approvesSomewhere: true,
  editsDetails: true,
  userId: 1,
  callerKind: 'person',
  callerGroups: [],
  callerFor: null,
  commentId: undefined,
  customFields: undefined,
  checkName: undefined,
  predecessor: undefined,
  options: expect.objectContaining({ detailsByAnyone: true, canApply: true, knowsOutcome: false }),
  flags: current,
  digest: digestOf(draft, findDefaultChanges(draft, current)),
  votedChanges: draft.changes.map(({ id }) => ({ id, digest: expect.stringMatching(/^[0-9a-f]{32}$/) })),
  rules: [
    { ...rule, environment: 'production', because },
    { ...rule, environment: 'staging', because },
  ],
  placeChecks: [check, check],
  checks: [{ name: 'ci', required: true }],
  approvers: new Set([2, 3]),
  freezes: [{ ...freeze, environment: 'production', from: '2026-03-04T11:00:00.000Z' }],
  preset: undefined,
  targets: Object.fromEntries(draft.changes.map(({ id }) => [id, expect.stringMatching(/^sha256:/)])),
  conflicts: ['search: Feature has been deleted'],
  overwrites: [expect.stringContaining('the title of “everybody” of checkout was “everybody”, is “all” now')],
  overwritten: new Map([[1, [expect.objectContaining({ path: '/title', base: 'everybody', current: 'all' })]]]),
  policyDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
  foreignSegments: [{ code: 'invalid', message: expect.stringContaining('Segment 4 is not limited to') }],
  proposal: { rejected: undefined, invalid: [{ code: 'invalid', message: 'Not to propose.' }], flags: current },
  enabled: false,
  otherOpen: 1,
  invalidOnSubmit: [{ code: 'invalid', message: 'Not to submit.' }],
  invalidOnApply: [{ code: 'invalid', message: 'Not to apply.' }],
  interrupted: true,
  possibleRevert,
  revert: { ...possibleRevert, invalid: [{ code: 'invalid', message: 'Not to propose.' }], excess: undefined },
  revertOrigin: { flags: current, gatedMinimum: 5 },
  copy: { rejected: undefined, invalid: [{ code: 'invalid', message: 'Not to propose.' }], excess: undefined },
  copyOrigin: { flags: current, gatedMinimum: 5 },
  gatedMinimum: 5,
  requiredApprovals: 4,
  reviewers: [2, 3],
}

/** The same for Ben, who is an admin without any other permission, without a running apply. */
const ofBen: { readonly [fact in GatheredFact]?: unknown } = {
  READ_CHANGE_REQUEST: false,
  CREATE_CHANGE_REQUEST: false,
  APPROVE_CHANGE_REQUEST: false,
  APPLY_CHANGE_REQUEST: false,
  SKIP_CHANGE_REQUEST: false,
  REPORT_CHECK: false,
  ADMIN: true,
  editsDetails: false,
  userId: 2,
  interrupted: false,
}

/** A host app that counts the calls of its hooks. In production no change requests are accepted any more. */
async function createHost(options: FixtureOptions = {}) {
  const calls: string[] = []
  const count = <Value>(hook: string, value: Value): Value => {
    calls.push(hook)
    return value
  }
  let findings = false
  const users: UserDirectory = {
    find: () => count('users.find', []),
    reviewers: (_, environment) => count(`users.reviewers ${environment}`, [{ id: 2 }, { id: 3 }]),
  }
  const environments = ['production', 'staging'].map((name) => ({ name, type: name }))
  const fixture = createFixture({
    directory: {
      environments: () => count('directory.environments', environments),
      knownFeatures: (_, features) => count('directory.knownFeatures', features),
    },
    flags: { current: async () => count('flags.current', current), apply: async () => [] },
    approvalRules: ({ environment }) => count(`approvalRules ${environment}`, [rule]),
    checks: ({ environment }) => count(`checks ${environment}`, [check]),
    freezes: ({ environment }) => count(`freezes ${environment}`, [freeze]),
    users,
    validate: (_, { when }) => count(`validate ${when}`, findings ? [{ message: `Not to ${when}.` }] : []),
    authorize: (_, permission, { environment }) =>
      count(`authorize ${permission} ${environment ?? ''}`, permission !== 'ADMIN' && environment !== 'staging'),
    recheckApprovers: true,
    editDetails: 'anyone',
    ...options,
  })
  const { services } = fixture
  await fixture.propose('ann', [enable()])
  findings = true
  for (const [environment, requiredApprovals] of [
    ['production', 4],
    ['staging', 5],
  ] as const) {
    const changeRequestsEnabled = environment === 'staging'
    await changeSettings(services, {
      ...{ ...by('dora'), ...production, environment, requiredApprovals, changeRequestsEnabled },
    })
  }
  calls.length = 0
  const questionAbout = (subject: ChangeRequest, more: Partial<FactContext> = {}): FactContext => ({
    ...{
      services,
      actor: actors.ann,
      hasPermission: createPermissionCheck(services, actors.ann),
      changeRequest: subject,
    },
    proposal: { changes: [enable()], listed: true },
    ...more,
  })
  return { services, calls, questionAbout }
}

/** A gatherer that cannot obtain one of the facts. */
class IncompleteGatherer extends FactGatherer {
  readonly #lacking: Name

  constructor(question: FactContext, lacking: Name) {
    super(question)
    this.#lacking = lacking
  }

  override get<Wanted extends Name>(name: Wanted): Promise<Gatherable[Wanted]> {
    return name === this.#lacking ? Promise.reject(new Error(`There is no ${name}.`)) : super.get(name)
  }
}

/** Gathers them like a step. */
const gatherFor = (gatherer: FactGatherer, step: Step) =>
  gatherer.forStep(step, ...(step === 'add' ? placeFactNames : []))

const rejects = (work: Promise<unknown>) => work.then(() => false).catch(() => true)

describe('what is gathered for a step', () => {
  it.each(steps)('%s: each fact, and nothing else', async (step) => {
    const { questionAbout } = await createHost()
    const facts = await gatherFor(new FactGatherer(questionAbout(subjects[step] ?? draft)), step)
    expect(facts).toEqual(Object.fromEntries(gatheredFor(step).map((fact) => [fact, expected[fact]])))
    expect(Object.keys(facts).toSorted()).toEqual(gatheredFor(step).toSorted())
  })

  it.each(steps)('%s: the facts of another caller', async (step) => {
    const { questionAbout } = await createHost()
    const { applying: _, ...subject } = subjects[step] ?? draft
    const question = questionAbout(subject, {
      actor: actors.ben,
      hasPermission: async (permission) => permission === 'ADMIN',
    })
    const facts = (await gatherFor(new FactGatherer(question), step)) as Gatherable
    for (const fact of gatheredFor(step)) if (fact in ofBen) expect([fact, facts[fact]]).toEqual([fact, ofBen[fact]])
  })

  it.each(gathered)(
    'without %s only the steps fail that need it or a fact that is derived from it',
    async (lacking) => {
      const { questionAbout } = await createHost()
      for (const step of steps) {
        const without = () => new IncompleteGatherer(questionAbout(subjects[step] ?? draft), lacking)
        const gatherer = without()
        const derived = await Promise.all(gatheredFor(step).map((fact) => rejects(gatherer.get(fact))))
        expect([step, await rejects(gatherFor(without(), step))]).toEqual([step, derived.includes(true)])
      }
    },
  )
})

describe('FactGatherer', () => {
  it('obtains each fact once, however many steps and facts need it', async () => {
    const { calls, questionAbout } = await createHost()
    const { hasPermission } = questionAbout(draft)
    const asked: string[] = []
    const gatherer = new FactGatherer(
      questionAbout(draft, {
        hasPermission(permission, scope) {
          asked.push(`${permission} ${scope.environment ?? ''}`)
          return hasPermission(permission, scope)
        },
      }),
    )
    await Promise.all([
      gatherer.forCaller('apply'),
      gatherer.forRules(...stepNames),
      // A revert and a copy propose other changes.
      ...stepNames.filter((step) => step !== 'revert' && step !== 'copy').map((step) => gatherer.forStep(step)),
      gatherer.get('policy'),
    ])
    await gatherer.forStep('apply')
    expect(calls.toSorted()).toEqual([
      'approvalRules production',
      'approvalRules staging',
      'authorize ADMIN ',
      'authorize APPLY_CHANGE_REQUEST production',
      'authorize APPLY_CHANGE_REQUEST staging',
      'authorize APPROVE_CHANGE_REQUEST production',
      'authorize APPROVE_CHANGE_REQUEST staging',
      'authorize CREATE_CHANGE_REQUEST production',
      'authorize READ_CHANGE_REQUEST ',
      'authorize SKIP_CHANGE_REQUEST production',
      'authorize SKIP_CHANGE_REQUEST staging',
      'checks production',
      'checks staging',
      'directory.environments',
      'directory.knownFeatures',
      // Once for the stored changes, and once for the proposed ones.
      'flags.current',
      'flags.current',
      'freezes production',
      'freezes staging',
      'users.reviewers production',
      'users.reviewers staging',
      'validate apply',
      'validate propose',
      'validate submit',
    ])
    expect(asked.toSorted()).toEqual([...new Set(asked)].toSorted())
  })

  it('calls only authorize for the caller, and the checks for one who reports', async () => {
    const { calls, questionAbout } = await createHost()
    const single = { ...draft, changes: [change(1)] }
    for (const step of steps) {
      calls.length = 0
      await new FactGatherer(questionAbout(single)).forCaller(step)
      const others = calls.filter((hook) => !hook.startsWith('authorize'))
      expect([step, others]).toEqual([step, step === 'reportCheck' ? ['checks production'] : []])
    }
  })

  it.each([
    ['author', ['CREATE_CHANGE_REQUEST production', 'ADMIN ']],
    ['anyone', ['CREATE_CHANGE_REQUEST production', 'APPROVE_CHANGE_REQUEST production']],
  ] as const)('checks permissions for renaming, with editDetails %s: %j', async (editDetails, permissions) => {
    const { calls, questionAbout } = await createHost({ editDetails })
    await new FactGatherer(questionAbout(draft)).forCaller('rename')
    expect(calls).toEqual(permissions.map((permission) => `authorize ${permission}`))
  })

  it('does not call the gateway for closed change requests', async () => {
    const { calls, questionAbout } = await createHost()
    for (const state of ['Applied', 'Cancelled', 'Rejected'] as const) {
      const gatherer = new FactGatherer(questionAbout({ ...draft, state }))
      expect(await gatherer.get('flags')).toBeUndefined()
      expect(await gatherer.get('conflicts')).toEqual([])
    }
    expect(calls).toEqual([])
  })

  it('does not call a hook a second time after it failed', async () => {
    let calls = 0
    const { questionAbout } = await createHost()
    const failing = createFixture({
      flags: {
        async current() {
          calls += 1
          throw new Error('out of order')
        },
        apply: async () => [],
      },
    })
    const gatherer = new FactGatherer(questionAbout(draft, { services: failing.services }))
    for (const fact of ['flags', 'conflicts', 'overwrites'] as const) {
      await expect(gatherer.get(fact)).rejects.toMatchObject({ name: 'UnavailableError' })
    }
    expect(calls).toBe(1)
  })

  describe('with flags locked in a transaction', () => {
    const dependent: readonly Name[] = [
      'flags',
      'digest',
      'rules',
      'checks',
      'targets',
      'conflicts',
      'overwrites',
      'foreignSegments',
    ]

    it('derives the facts that depend on them again, keeps the rest, and calls no hook', async () => {
      const { calls, questionAbout } = await createHost()
      const gatherer = new FactGatherer(questionAbout(draft))
      const before = (await Promise.all(gathered.map((fact) => gatherer.get(fact)))) as unknown[]
      calls.length = 0
      const after = gatherer.onFlags(locked)
      const fresh = new FactGatherer(questionAbout(draft), { flags: locked })
      const again = await Promise.all(gathered.map((fact) => after.get(fact)))
      expect(calls).toEqual([])
      expect(await after.get('flags')).toBe(locked)
      expect(again).toEqual(await Promise.all(gathered.map((fact) => fresh.get(fact))))
      const differing = gathered.filter((_, index) => JSON.stringify(before[index]) !== JSON.stringify(again[index]))
      expect(differing.toSorted()).toEqual(dependent.toSorted().filter((fact) => fact !== 'flags'))
      expect(await gatherer.get('flags')).toBe(current)
    })

    it('does not treat missing flags as locked flags', async () => {
      const { questionAbout } = await createHost()
      const after = new FactGatherer(questionAbout(draft)).onFlags(undefined)
      expect([await after.get('flags'), await after.get('conflicts'), await after.get('targets')]).toEqual([
        undefined,
        [],
        {},
      ])
    })
  })

  it('keeps only the named facts for other content', async () => {
    const { calls, questionAbout } = await createHost()
    const gatherer = new FactGatherer(questionAbout(draft))
    const proposal = await gatherer.get('proposal')
    await gatherer.get('conflicts')
    calls.length = 0
    const other = gatherer.about(questionAbout({ ...draft, changes: [change(6)] }), 'proposal')
    expect(await other.get('proposal')).toBe(proposal)
    expect(await other.get('conflicts')).toEqual([])
    expect(calls).toEqual(['flags.current'])
  })
})
