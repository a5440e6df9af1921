import type { ApprovalRule } from '../../../src'
import { listReviews } from '../../../src/capabilities/lists/reviews'
import { review } from '../../../src/capabilities/review/review'
import { changeState } from '../../../src/capabilities/state/change-state'
import { rulesInForce } from '../../../src/kernel/facts/policy'
import { HostFlags } from '../../kernel/support/flags'
import {
  actors,
  by,
  createWorld,
  enable,
  production,
  rejection,
  type Who,
  type World,
} from '../../kernel/support/world'

const payments: ApprovalRule = {
  name: 'payments owners',
  when: { features: ['pay*'] },
  approvals: 1,
  from: { groups: ['payments'] },
}
const forTag: ApprovalRule = { name: 'core', when: { tags: [{ type: 'team', value: 'core' }] }, approvals: 2 }

const approveAs = ({ services }: World, who: Who, groups: readonly string[] = []) =>
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

const requirements = async ({ services }: World, who: Who = 'ann') =>
  (await review(services, { actor: actors[who], project: 'shop', id: 1 })).requirements

const names = (rules: readonly { readonly name: string }[]) => rules.map(({ name }) => name)

describe('a change request that a rule is for', () => {
  it('is approved by a vote of the group, and no earlier', async () => {
    const world = createWorld({ approvalRules: [payments], recordOnly: true })
    await world.reviewed([enable('payments')])
    expect((await approveAs(world, 'ben', ['search'])).changeRequest.state).toBe('In review')
    expect((await rejection(world.to('ben', 'Applied'))).details).toEqual([
      {
        code: 'missing-approvals',
        message: 'The approval rule "payments owners" has 0 of 1 approvals from members of "payments".',
      },
    ])
    expect((await approveAs(world, 'cleo', ['payments'])).changeRequest.state).toBe('Approved')
    expect((await world.to('ben', 'Applied')).changeRequest.state).toBe('Applied')
  })

  it('waits for it in the list of reviews', async () => {
    const world = createWorld({ approvalRules: [payments, { ...payments, name: 'none', when: { features: ['x'] } }] })
    await world.reviewed([enable('payments')])
    const filters = { project: undefined, environment: undefined, state: undefined, text: undefined, after: undefined }
    const { items } = await listReviews(world.services, { actor: actors.ann, needs: 'all', limit: 10, ...filters })
    expect(items.map(({ waitsFor }) => names(waitsFor))).toEqual([['minimum', 'payments owners']])
  })

  it('is checked again on apply, and accepts votes until the rule is met', async () => {
    const rules: ApprovalRule[] = []
    const world = createWorld({ approvalRules: () => rules, recordOnly: true })
    await world.approved([enable('payments')])
    rules.push(payments)
    expect((await rejection(world.to('ben', 'Applied'))).message).toMatch(/"payments owners" has 0 of 1/)
    expect((await approveAs(world, 'cleo', ['payments'])).changeRequest.state).toBe('Approved')
    expect((await world.eventTypes()).filter((type) => type === 'change-request-approved')).toHaveLength(1)
    expect((await world.to('ben', 'Applied')).changeRequest.state).toBe('Applied')
  })

  it('is so by the tags that the flag has when it is applied', async () => {
    const flags = new HostFlags()
    const world = createWorld({ approvalRules: [forTag], flags })
    await world.approved()
    flags.tags = [{ type: 'team', value: 'core' }]
    expect((await rejection(world.to('ben', 'Applied'))).message).toBe('The approval rule "core" has 1 of 2 approvals.')
    expect(flags.applied).toEqual([])
  })
})

describe('the option approvalRules as a function', () => {
  it('is called with the project and environment of the decision', async () => {
    const asked: object[] = []
    const approvalRules = (place: object) => {
      asked.push(place)
      return []
    }
    const world = createWorld({ approvalRules, recordOnly: true })
    await world.approved()
    await world.to('ben', 'Applied')
    expect(asked).toEqual([production, production])
  })

  it('answers 503 when it throws, and 500 with its rule in the log when it answers what is no rule', async () => {
    const down = createWorld({ approvalRules: () => Promise.reject(new Error('down')) })
    await down.reviewed()
    expect((await rejection(approveAs(down, 'ben'))).name).toBe('UnavailableError')
    const wrong = createWorld({ approvalRules: () => [{ ...payments, approvals: 0 }] })
    await wrong.reviewed()
    const { name, cause } = await rejection(approveAs(wrong, 'ben'))
    expect([name, (cause as Error).message]).toEqual([
      'UnknownError',
      expect.stringMatching(/^approvalRules .*"payments owners": approvals/),
    ])
  })
})

describe('recheckApprovers', () => {
  it('on apply counts only approvals of users who can still approve', async () => {
    const reviewers = [{ id: 2 }, { id: 3 }]
    const users = { find: () => [], reviewers: () => reviewers }
    const world = createWorld({ users, recheckApprovers: true, recordOnly: true })
    await world.approved()
    reviewers.shift()
    expect((await rejection(world.to('ben', 'Applied'))).message).toBe(
      'The change request has 0 of 1 approvals from users who can still approve.',
    )
    await approveAs(world, 'cleo')
    expect((await world.to('ben', 'Applied')).changeRequest.state).toBe('Applied')
  })

  it('asks for nobody while it is off', async () => {
    const users = { find: () => [], reviewers: () => Promise.reject(new Error('Nobody asks.')) }
    const world = createWorld({ users, recordOnly: true })
    await world.approved()
    expect((await world.to('ben', 'Applied')).changeRequest.state).toBe('Applied')
  })
})

describe('the requirements of a review', () => {
  it('say whether enough others could meet a rule', async () => {
    const users = {
      find: () => [],
      reviewers: () => [
        { id: 1, groups: ['payments'] },
        { id: 2, groups: [] },
      ],
    }
    const world = createWorld({ approvalRules: [payments], users })
    await world.reviewed([enable('payments')])
    expect((await requirements(world)).map(({ satisfiable }) => satisfiable)).toEqual([true, false])
  })

  it('do not say it where nobody knows the users', async () => {
    const world = createWorld({ approvalRules: [payments] })
    await world.reviewed([enable('payments')])
    expect((await requirements(world)).map(({ satisfiable }) => satisfiable)).toEqual([null, null])
  })
})

describe('rulesInForce(services, place)', () => {
  it('names the rules of the place, whatever they are for there', async () => {
    const elsewhere: ApprovalRule = { ...payments, name: 'elsewhere', when: { projects: ['blog'] } }
    const { services } = createWorld({ approvalRules: [payments, elsewhere] })
    expect(names(await rulesInForce(services, production))).toEqual(['payments owners'])
  })
})
