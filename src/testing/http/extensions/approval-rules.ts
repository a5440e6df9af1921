import { type Api, errorOf, type Json, succeeded } from '../api'
import { type Check, must, type RuleGroup } from '../rule'

type Ruled = NonNullable<Api['ruled']>

/** Without an approval rule of the host app, checks that the review shows only the minimum. */
function withRule(check: (api: Api, expect: Parameters<Check>[1], ruled: Ruled) => Promise<void>): Check {
  return async (api, expect) => {
    if (api.ruled !== undefined) return check(api, expect, api.ruled)
    const { id } = await api.inReview()
    expect((await requirements(api, id)).map(({ name }: Json) => name)).toEqual(['minimum'])
  }
}

/** Creates a change request in review that the rule covers. */
async function ruledInReview(api: Api, { feature }: Ruled): Promise<Json> {
  const { id } = succeeded(await api.propose({ ...api.change(), feature })).body
  return succeeded(await api.move('author', id, 'In review')).body
}

const requirements = async (api: Api, id: number): Promise<Json[]> => (await api.review(id)).requirements

const typesOf = async (api: Api, id: number): Promise<string[]> =>
  (await api.eventsOf(id)).map(({ type }: Json) => type)

/** @see contract 14 */
export const approvalRules: RuleGroup = {
  title: 'approval rules',
  rules: [
    must(
      'CR-431',
      'keep a change request in review while a rule is not met, even if the minimum is reached',
      withRule(async (api, expect, ruled) => {
        const { id } = await ruledInReview(api, ruled)
        const first = succeeded(await api.move('reviewer', id, 'Approved')).body
        expect([first.state, first.minApprovals, first.approvals.length]).toEqual(['In review', 1, 1])
        const second = succeeded(await api.move('reviewer2', id, 'Approved')).body
        expect([second.state, second.approvals.length]).toEqual(['Approved', 2])
        expect((await typesOf(api, id)).filter((type) => type.startsWith('change-request-app'))).toEqual([
          'change-request-approval-added',
          'change-request-approval-added',
          'change-request-approved',
        ])
      }),
    ),

    must(
      'CR-432',
      'count one vote for the minimum and for a rule',
      withRule(async (api, expect, ruled) => {
        const { id } = await ruledInReview(api, ruled)
        expect(succeeded(await api.move('reviewer2', id, 'Approved')).body.state).toBe('Approved')
        const listed = await requirements(api, id)
        expect(listed.map(({ given }: Json) => given)).toEqual([1, 1])
        expect(listed[1].approvedBy).toEqual(listed[0].approvedBy)
      }),
    ),

    must(
      'CR-433',
      'reject applying while a rule is not met, and name the rule',
      withRule(async (api, expect, ruled) => {
        const { id } = await ruledInReview(api, ruled)
        succeeded(await api.move('reviewer', id, 'Approved'))
        const response = await api.move('reviewer', id, 'Applied')
        expect(errorOf(response)).toEqual([409, 'ConflictError'])
        const [{ code, message }] = response.body.details
        expect([response.body.details.length, code, message.includes(ruled.rule)]).toEqual([
          1,
          'missing-approvals',
          true,
        ])
        expect((await api.read(id)).state).toBe('In review')
      }),
    ),

    must(
      'CR-434',
      'list a rule only among the requirements of change requests that it covers, in the environment where it applies',
      withRule(async (api, expect, ruled) => {
        const { id } = await ruledInReview(api, ruled)
        const [, rule, ...others] = await requirements(api, id)
        expect([rule.name, rule.approvals, rule.given, others]).toEqual([ruled.rule, 1, 0, []])
        expect(rule.from === null).toBe(false)
        const { rules } = succeeded(await api.get(`${api.proposals}/rules`)).body
        expect(rules.map(({ name }: Json) => name).includes(ruled.rule)).toBe(true)
        succeeded(await api.move('author', id, 'Cancelled'))
        const other = await api.inReview()
        expect((await requirements(api, other.id)).length).toBe(1)
      }),
    ),

    must(
      'CR-435',
      'void approvals for a rule with every edit',
      withRule(async (api, expect, ruled) => {
        const { id } = await ruledInReview(api, ruled)
        succeeded(await api.move('reviewer2', id, 'Approved'))
        succeeded(await api.propose({ ...api.change(1), feature: ruled.feature }))
        expect((await requirements(api, id)).map(({ given }: Json) => given)).toEqual([0, 0])
        const { reviews } = succeeded(await api.get(`/reviews?project=${api.project}&query=${id}`)).body
        expect(reviews[0].waitsFor.map(({ name }: Json) => name)).toEqual(['minimum', ruled.rule])
      }),
    ),
  ],
}
