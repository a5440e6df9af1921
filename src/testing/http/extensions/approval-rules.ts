import { type Check, must, type RuleGroup } from '../rule'
import { granted, type Json, refusal, type World } from '../world'

type Ruled = NonNullable<World['ruled']>

/** Where the host has no rule, the review shows the minimum alone. */
function withRule(check: (world: World, expect: Parameters<Check>[1], ruled: Ruled) => Promise<void>): Check {
  return async (world, expect) => {
    if (world.ruled !== undefined) return check(world, expect, world.ruled)
    const { id } = await world.inReview()
    expect((await requirements(world, id)).map(({ name }: Json) => name)).toEqual(['minimum'])
  }
}

/** A change request in review that the rule is for. */
async function ruledInReview(world: World, { feature }: Ruled): Promise<Json> {
  const { id } = granted(await world.propose({ ...world.change(), feature })).body
  return granted(await world.move('author', id, 'In review')).body
}

const requirements = async (world: World, id: number): Promise<Json[]> =>
  granted(await world.get(world.path(`${id}/review`))).body.requirements

const typesOf = async (world: World, id: number): Promise<string[]> =>
  (await world.eventsOf(id)).map(({ type }: Json) => type)

/** @see extensions 3 */
export const approvalRules: RuleGroup = {
  title: 'approval rules',
  rules: [
    must(
      'CR-431',
      'keep a change request in review while a rule is not met, whatever the minimum',
      withRule(async (world, expect, ruled) => {
        const { id } = await ruledInReview(world, ruled)
        const first = granted(await world.move('reviewer', id, 'Approved')).body
        expect([first.state, first.minApprovals, first.approvals.length]).toEqual(['In review', 1, 1])
        const second = granted(await world.move('reviewer2', id, 'Approved')).body
        expect([second.state, second.approvals.length]).toEqual(['Approved', 2])
        expect((await typesOf(world, id)).filter((type) => type.startsWith('change-request-app'))).toEqual([
          'change-request-approval-added',
          'change-request-approval-added',
          'change-request-approved',
        ])
      }),
    ),

    must(
      'CR-432',
      'count one vote for the minimum and for a rule',
      withRule(async (world, expect, ruled) => {
        const { id } = await ruledInReview(world, ruled)
        expect(granted(await world.move('reviewer2', id, 'Approved')).body.state).toBe('Approved')
        const listed = await requirements(world, id)
        expect(listed.map(({ given }: Json) => given)).toEqual([1, 1])
        expect(listed[1].approvedBy).toEqual(listed[0].approvedBy)
      }),
    ),

    must(
      'CR-433',
      'refuse to apply while a rule is not met, and name the rule',
      withRule(async (world, expect, ruled) => {
        const { id } = await ruledInReview(world, ruled)
        granted(await world.move('reviewer', id, 'Approved'))
        const answer = await world.move('reviewer', id, 'Applied')
        expect(refusal(answer)).toEqual([409, 'ConflictError'])
        const [{ code, message }] = answer.body.details
        expect([answer.body.details.length, code, message.includes(ruled.rule)]).toEqual([1, 'missing-approvals', true])
        expect((await world.read(id)).state).toBe('In review')
      }),
    ),

    must(
      'CR-434',
      'list a rule among the requirements of what it is for alone, and where it is in force',
      withRule(async (world, expect, ruled) => {
        const { id } = await ruledInReview(world, ruled)
        const [, rule, ...others] = await requirements(world, id)
        expect([rule.name, rule.approvals, rule.given, others]).toEqual([ruled.rule, 1, 0, []])
        expect(rule.from === null).toBe(false)
        const { rules } = granted(await world.get(`${world.proposals}/rules`)).body
        expect(rules.map(({ name }: Json) => name).includes(ruled.rule)).toBe(true)
        granted(await world.move('author', id, 'Cancelled'))
        const other = await world.inReview()
        expect((await requirements(world, other.id)).length).toBe(1)
      }),
    ),

    must(
      'CR-435',
      'void an approval for a rule with any edit',
      withRule(async (world, expect, ruled) => {
        const { id } = await ruledInReview(world, ruled)
        granted(await world.move('reviewer2', id, 'Approved'))
        granted(await world.propose({ ...world.change(1), feature: ruled.feature }))
        expect((await requirements(world, id)).map(({ given }: Json) => given)).toEqual([0, 0])
        const { reviews } = granted(await world.get(`/reviews?project=${world.project}&query=${id}`)).body
        expect(reviews[0].waitsFor.map(({ name }: Json) => name)).toEqual(['minimum', ruled.rule])
      }),
    ),
  ],
}
