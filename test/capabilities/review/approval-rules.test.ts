import type { ApprovalRule } from '../../../src'
import { changeState } from '../../../src/capabilities/state/change-state'
import { actors, by, createFixture, enable, type Fixture, rejection, type Who } from '../../kernel/support/fixture'
import { HostFlags } from '../../kernel/support/flags'

const payments: ApprovalRule = {
  name: 'payments owners',
  when: { features: ['pay*'] },
  approvals: 1,
  from: { groups: ['payments'] },
}
const forTag: ApprovalRule = { name: 'core', when: { tags: [{ type: 'team', value: 'core' }] }, approvals: 2 }

const approveAs = ({ services }: Fixture, who: Who, groups: readonly string[] = []) =>
  changeState(services, {
    ...by(who),
    actor: { ...actors[who], groups },
    project: 'shop',
    id: 1,
    state: 'Approved',
    comment: null,
    digest: null,
    scheduledAt: null,
  })

describe('a change request that a rule applies to', () => {
  it('is approved only by a vote of the group', async () => {
    const fixture = createFixture({ approvalRules: [payments], recordOnly: true })
    await fixture.reviewed([enable('payments')])
    expect((await approveAs(fixture, 'ben', ['search'])).changeRequest.state).toBe('In review')
    expect((await rejection(fixture.to('ben', 'Applied'))).details).toEqual([
      {
        code: 'missing-approvals',
        message: 'The approval rule "payments owners" has 0 of 1 approvals from members of "payments".',
      },
    ])
    expect((await approveAs(fixture, 'cleo', ['payments'])).changeRequest.state).toBe('Approved')
    expect((await fixture.to('ben', 'Applied')).changeRequest.state).toBe('Applied')
  })

  it('is checked again on apply, and accepts votes until the rule is met', async () => {
    const rules: ApprovalRule[] = []
    const fixture = createFixture({ approvalRules: () => rules, recordOnly: true })
    await fixture.approved([enable('payments')])
    rules.push(payments)
    expect((await rejection(fixture.to('ben', 'Applied'))).message).toMatch(/"payments owners" has 0 of 1/)
    expect((await approveAs(fixture, 'cleo', ['payments'])).changeRequest.state).toBe('Approved')
    expect((await fixture.eventTypes()).filter((type) => type === 'change-request-approved')).toHaveLength(1)
    expect((await fixture.to('ben', 'Applied')).changeRequest.state).toBe('Applied')
  })

  it('matches the rule by the tags of the flag at the apply', async () => {
    const flags = new HostFlags()
    const fixture = createFixture({ approvalRules: [forTag], flags })
    await fixture.approved()
    flags.tags = [{ type: 'team', value: 'core' }]
    expect((await rejection(fixture.to('ben', 'Applied'))).message).toBe(
      'The approval rule "core" has 1 of 2 approvals.',
    )
    expect(flags.applied).toEqual([])
  })
})

describe('the option approvalRules as a function', () => {
  it('returns 503 when it throws, and 500 with the rule in the log when the rule is invalid', async () => {
    const down = createFixture({ approvalRules: () => Promise.reject(new Error('down')) })
    await down.reviewed()
    expect((await rejection(approveAs(down, 'ben'))).name).toBe('UnavailableError')
    const wrong = createFixture({ approvalRules: () => [{ ...payments, approvals: 0 }] })
    await wrong.reviewed()
    const { name, cause } = await rejection(approveAs(wrong, 'ben'))
    expect([name, (cause as Error).message]).toEqual([
      'UnknownError',
      expect.stringMatching(/^approvalRules .*"payments owners": approvals/),
    ])
  })
})
