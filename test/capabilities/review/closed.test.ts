import type { ApprovalRule } from '../../../src'
import { review } from '../../../src/capabilities/review/review'
import { viewReview } from '../../../src/capabilities/review/view'
import type { ReviewView } from '../../../src/generated/index'
import { settleFirst } from '../../../src/kernel/step/settle'
import type { StoredChangeRequest } from '../../../src/ports/storage/change-requests'
import { actors, createFixture, type Fixture, type FixtureOptions, rejection } from '../../kernel/support/fixture'
import { HostFlags } from '../../kernel/support/flags'

const here = { project: 'shop', id: 1 }

/** The flag has no strategy, so switching it on implies one. */
function open(options: FixtureOptions = {}) {
  const flags = new HostFlags()
  flags.strategies = []
  return { ...createFixture({ flags, emergency: true, ...options }), flags }
}

async function judged({ services }: Fixture): Promise<unknown> {
  const { body } = viewReview(await review(services, { actor: actors.ann, ...here }), services)
  const { requirements, votes, voidedApprovals } = JSON.parse(String(body)) as ReviewView
  return {
    needed: requirements.map(({ name, approvals, given }) => `${name} ${given}/${approvals}`),
    current: votes.map(({ current }) => current),
    voided: voidedApprovals.length,
  }
}

const approvedOnce = { needed: ['minimum 1/1'], current: [true], voided: 0 }

/** @see contract 12 */
describe('the review of a closed change request judges approvals by what was stored then', () => {
  it('with the implied changes that were applied', async () => {
    const fixture = open()
    await fixture.approved()
    await fixture.to('ben', 'Applied')
    fixture.flags.strategies = [{ id: 's1', name: 'default', disabled: false }]
    expect(await judged(fixture)).toEqual(approvedOnce)
  })

  it('with those that an emergency applied without its second approval', async () => {
    const fixture = open({ requiredApprovals: 2 })
    await fixture.reviewed()
    await fixture.to('ben', 'Approved')
    await fixture.to('cleo', 'Applied', { reason: 'Payments fail.' })
    expect(await judged(fixture)).toEqual({ ...approvedOnce, needed: ['minimum 1/2'] })
  })

  it('with those of an interrupted apply that had succeeded', async () => {
    const fixture = open()
    await fixture.approved()
    fixture.flags.apply = async (_, { applyId }) => {
      fixture.flags.outcomes.set(applyId, [])
      throw new Error('down')
    }
    const { outcome } = fixture.flags
    fixture.flags.outcome = () => Promise.reject(new Error('down'))
    await rejection(fixture.to('ben', 'Applied'))
    fixture.flags.outcome = outcome
    fixture.host.now += 3_600_000
    expect(await judged(fixture)).toEqual(approvedOnce)
    await settleFirst(fixture.services, (await fixture.storage.find(here, 1)) as StoredChangeRequest)
    expect((await fixture.stored())?.state).toBe('Applied')
    expect(await judged(fixture)).toEqual(approvedOnce)
  })

  it.each([
    ['Rejected', 'cleo', false],
    ['Cancelled', 'ann', false],
    ['Cancelled', 'ann', true],
  ] as const)(
    'with those that it would have had: %s by %s, while the gateway fails: %s',
    async (state, who, failing) => {
      const fixture = open({ requiredApprovals: 2 })
      await fixture.reviewed()
      await fixture.to('ben', 'Approved')
      if (failing) fixture.flags.instead = () => Promise.reject(new Error('down'))
      await fixture.to(who, state)
      fixture.flags.instead = null
      expect(await judged(fixture)).toEqual({ ...approvedOnce, needed: ['minimum 1/2'] })
    },
  )

  it('does not count an approval of other implied changes than those that were applied', async () => {
    const fixture = open({ requiredApprovals: 2 })
    await fixture.reviewed()
    await fixture.to('ben', 'Approved')
    fixture.flags.strategies = [{ id: 's1', name: 'default', disabled: false }]
    await fixture.to('cleo', 'Approved')
    await fixture.to('dora', 'Applied', { reason: 'Payments fail.' })
    expect(await judged(fixture)).toEqual({ needed: ['minimum 1/2'], current: [false, true], voided: 0 })
  })

  it.each([
    ['Applied', 'ben'],
    ['Cancelled', 'ann'],
  ] as const)('one that an earlier version closed: %s', async (state, who) => {
    const fixture = open()
    await fixture.approved()
    await fixture.to(who, state)
    const { find } = fixture.memory
    fixture.services.storage.find = async (scope, id) => {
      const found = (await find.call(fixture.memory, scope, id)) as StoredChangeRequest
      const { by } = found.changeRequest.ended as { by: never }
      return { ...found, changeRequest: { ...found.changeRequest, ended: { by } } }
    }
    expect(await judged(fixture)).toEqual(approvedOnce)
  })
})

describe('the requirements of an applied change request', () => {
  const tagged: ApprovalRule = { name: 'core', when: { tags: [{ type: 'team', value: 'core' }] }, approvals: 1 }

  it('are those that it met: of tags that the flag had, and of rules that were in force', async () => {
    const rules = [tagged]
    const fixture = open({ approvalRules: () => rules })
    fixture.flags.tags = [{ type: 'team', value: 'core' }]
    await fixture.approved()
    await fixture.to('ben', 'Applied')
    fixture.flags.tags = []
    rules.splice(0, 1, { name: 'since then', approvals: 2 })
    expect(await judged(fixture)).toEqual({ ...approvedOnce, needed: ['minimum 1/1', 'core 1/1'] })
  })

  it('count approvals of users who can no longer approve, and those that have expired since', async () => {
    const reviewers = [{ id: 2 }, { id: 3 }]
    const users = { find: () => [], reviewers: () => reviewers }
    const fixture = open({ users, recheckApprovers: true, approvalsExpireAfterMs: 60_000 })
    await fixture.approved()
    await fixture.to('ben', 'Applied')
    reviewers.shift()
    fixture.host.now += 120_000
    expect(await judged(fixture)).toEqual(approvedOnce)
  })

  it('do not count an approval that had expired when an emergency applied it', async () => {
    const fixture = open({ approvalsExpireAfterMs: 60_000 })
    await fixture.approved()
    fixture.host.now += 120_000
    await fixture.to('ben', 'Applied', { reason: 'Payments fail.' })
    expect(await judged(fixture)).toEqual({ needed: ['minimum 0/1'], current: [false], voided: 0 })
  })
})
