import { preview } from '../../../src/capabilities/authoring/preview'
import { review } from '../../../src/capabilities/review/review'
import type { ProposedChange } from '../../../src/domain/change-request'
import {
  actors,
  by,
  createFixture,
  enable,
  type FixtureOptions,
  production,
  renameSegment,
  type Who,
} from '../../kernel/support/fixture'
import { HostFlags } from '../../kernel/support/flags'

const place = { ...production }
const disable: ProposedChange = { action: 'updateEnabled', feature: 'checkout', payload: { enabled: false } }
const update: ProposedChange = { action: 'updateStrategy', feature: 'checkout', payload: { id: 's1', disabled: true } }
const changeSets: readonly (readonly [name: string, changes: readonly ProposedChange[]])[] = [
  ['a switch', [enable()]],
  ['changes of one flag that depend on each other', [enable(), update]],
  ['a switch that a later one replaces', [enable(), disable, enable('search')]],
  ['a conflict', [{ action: 'deleteStrategy', feature: 'search', payload: { id: 'gone' } }, update]],
  ['a segment, which affects the project', [renameSegment(4, 'beta'), enable()]],
  ['a flag that is archived', [{ action: 'archiveFeature', feature: 'checkout', payload: {} }]],
]

function open(options: FixtureOptions = {}) {
  const flags = new HostFlags()
  const freeze = { name: 'holidays', reason: 'Few people are here.', from: '2026-03-01T00:00:00Z' }
  const fixture = createFixture({
    flags,
    requiredApprovals: 2,
    freezes: [freeze, { ...freeze, name: 'over', until: '2026-03-02T00:00:00Z' }],
    approvalRules: [
      { name: 'switches', when: { actions: ['updateEnabled'] }, approvals: 1, from: { users: [2] } },
      { name: 'core', when: { tags: [{ type: 'team', value: 'core' }] }, approvals: 1 },
    ],
    users: { find: (ids) => ids.map((id) => ({ id })), reviewers: () => [{ id: 1 }, { id: 2 }] },
    ...options,
  })
  const show = (changes: readonly ProposedChange[], who: Who = 'ann') =>
    preview(fixture.services, { ...by(who), ...place, changes })
  return { ...fixture, flags, show }
}

describe('preview', () => {
  it.each(changeSets)('returns what the review of a new change request with %s does', async (_name, changes) => {
    const fixture = open()
    fixture.flags.tags = [{ type: 'team', value: 'core' }]
    fixture.flags.strategies = [{ id: 's1', name: 'default', disabled: true }]
    const shown = await fixture.show(changes)
    const { changeRequest } = await fixture.propose('ann', changes)
    const reviewed = await review(fixture.services, { actor: actors.ann, project: 'shop', id: changeRequest.id })
    const withIndex = reviewed.diffs.map((diff, id) => ({ ...diff, id }))
    expect(shown.diffs).toEqual(withIndex)
    expect([...shown.endsAtEverybody.values()]).toEqual([...reviewed.endsAtEverybody.values()])
    const indexOf = (id: number) => changeRequest.changes.findIndex((change) => change.id === id)
    const byIndex = reviewed.requirements.map(({ because, ...one }) => ({
      ...one,
      because: because.map((cause) => ({ ...cause, change: cause.change && indexOf(cause.change) })),
    }))
    expect(shown.requirements).toEqual(byIndex)
    expect(shown.freezes).toEqual(reviewed.freezes.now)
    expect(shown.steps).toEqual(reviewed.steps.filter(({ step }) => step === 'applyInEmergency'))
    const { defaultChanges } = reviewed.described
    expect(shown.implied.map(({ action, feature, payload }) => ({ action, feature, payload }))).toEqual([
      ...defaultChanges.values(),
    ])
  })

  it('says what an emergency is missing for the caller, before there is a change request', async () => {
    const emergencies = async ({ host, show }: ReturnType<typeof open>, denied?: string, changes = [enable()]) => {
      host.allows = (_, permission) => permission !== denied
      const [step] = (await show(changes)).steps
      return [step?.offered, step?.missing.map(({ code, message }) => `${code}: ${message}`)]
    }
    const emergency = true
    expect(await emergencies(open({ emergency }))).toEqual([true, []])
    expect(await emergencies(open({ emergency }), 'SKIP_CHANGE_REQUEST')).toEqual([
      true,
      [expect.stringMatching(/^missing-permission: You need the permission SKIP_CHANGE_REQUEST in project shop/)],
    ])
    expect(await emergencies(open())).toEqual([false, [expect.stringMatching(/^emergencies-disabled: /)]])
    const gone: ProposedChange = { action: 'deleteStrategy', feature: 'search', payload: { id: 'gone' } }
    expect(await emergencies(open({ emergency }), undefined, [gone])).toEqual([
      true,
      [expect.stringMatching(/^conflict: /)],
    ])
    const validate = (_: unknown, { when }: { readonly when: string }) =>
      when === 'apply' ? [{ message: 'Not on Fridays.' }] : []
    expect(await emergencies(open({ emergency, validate }))).toEqual([true, ['invalid: Not on Fridays.']])
  })

  it('stores nothing, uses no id and calls the gateway once', async () => {
    const fixture = open()
    let calls = 0
    const { current } = fixture.flags
    fixture.flags.current = (subjects) => {
      calls += 1
      return current.call(fixture.flags, subjects)
    }
    await fixture.show([enable(), update])
    expect([calls, await fixture.events()]).toEqual([1, []])
    const { changeRequest } = await fixture.propose('ann')
    expect([changeRequest.id, changeRequest.changes.map(({ id }) => id)]).toEqual([1, [1]])
  })

  it('is rejected like the proposal, in every stage', async () => {
    const invalid = open({ validate: () => [{ message: 'no', path: '/body/0/payload' }] })
    const unknown = open({ directory: { knownFeatures: () => [] } })
    const disabled = open({ changeRequestsEnabled: false })
    const tooMany = open({ limits: { changesPerChangeRequest: 1 } })
    const expected = `sha256:${'0'.repeat(64)}`
    const cases = [
      [invalid, [enable()], 'ann'],
      [unknown, [enable()], 'ann'],
      [disabled, [enable()], 'ann'],
      [tooMany, [enable(), update], 'ann'],
      [open(), [enable(), { ...update, expected }], 'ann'],
      [open(), [enable()], 'robot'],
    ] as const
    const names = []
    for (const [fixture, changes, who] of cases) {
      const reject = (error: unknown) => error as Error & { details?: unknown }
      const shown = await fixture.show(changes, who).then(() => undefined, reject)
      const proposed = await fixture.propose(who, changes).then(() => undefined, reject)
      expect([shown?.name, shown?.message, shown?.details]).toEqual([
        proposed?.name,
        proposed?.message,
        proposed?.details,
      ])
      names.push(shown?.name)
    }
    expect(names).toEqual([
      ...[
        'BadDataError',
        'NotFoundError',
        'BadDataError',
        'ExceedsLimitError',
        'PreconditionFailedError',
        'OperationDeniedError',
      ],
    ])
  })

  it('lists other open change requests of the same targets that the caller can see', async () => {
    const fixture = open()
    await fixture.reviewed()
    await fixture.propose('cleo')
    await fixture.propose('ben', [enable('search')])
    await fixture.propose('ben', [enable()], { environment: 'development' })
    const others = async (who: Who) => (await fixture.show([enable()], who)).otherRequests.map(({ id }) => id)
    expect([await others('ann'), await others('cleo')]).toEqual([[1], [2, 1]])
    fixture.host.allows = (_, permission) => permission === 'CREATE_CHANGE_REQUEST'
    expect(await others('ann')).toEqual([])
  })
})
