import { type ReportInput, reportCheck } from '../../../src/capabilities/checks/routes'
import { review } from '../../../src/capabilities/review/review'
import { viewReview } from '../../../src/capabilities/review/view'
import type { CheckView, ReviewView } from '../../../src/generated/index'
import type { Actor } from '../../../src/ports/access'
import { actors, type Fixture, type Who } from '../../kernel/support/fixture'

/** The key of a CI server, which is involved in no change request. */
export const ci: Actor = { id: 9, username: 'ci', kind: 'service', groups: ['ci'] }

const actorOf = (who: Who | Actor): Actor => (typeof who === 'string' ? actors[who] : who)

export async function reviewOf({ services }: Fixture, id = 1, who: Who | Actor = 'dora'): Promise<ReviewView> {
  const reply = viewReview(await review(services, { actor: actorOf(who), project: 'shop', id }), services)
  return JSON.parse(String(reply.body))
}

export async function checksOf(fixture: Fixture, id = 1): Promise<Pick<CheckView, 'name' | 'status'>[]> {
  return ((await reviewOf(fixture, id)).checks ?? []).map(({ name, status }) => ({ name, status }))
}

interface Report extends Partial<Omit<ReportInput['report'], 'name'>> {
  readonly id?: number
  readonly name?: string
  readonly who?: Who | Actor
  /** By default that of the review. */
  readonly digest?: string
  readonly ifMatch?: string
}

/** Reports that a check has passed, by default `ci` by the CI server. */
export async function report(fixture: Fixture, given: Report = {}) {
  const { id = 1, name = 'ci', who = ci, ifMatch, digest, ...rest } = given
  return reportCheck(fixture.services, {
    ...{ actor: actorOf(who), ip: undefined, ifMatch, project: 'shop', id },
    digest: digest ?? (await reviewOf(fixture, id)).digest ?? 'unknown',
    report: { name, status: 'passed', ...rest },
  })
}
