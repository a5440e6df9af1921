import type { ChangeOfTest } from '../../examples/support/flag-host'
import { type PageHost, startHost } from './host'

export const enable = (feature: string, enabled = true): ChangeOfTest => ({
  action: 'updateEnabled',
  feature,
  payload: { enabled },
})

export const roll = (feature: string, id: string, rollout: string): ChangeOfTest => ({
  action: 'updateStrategy',
  feature,
  payload: { id, parameters: { rollout, stickiness: 'default', groupId: 'demo' } },
})

/** Ids of change requests, one for each state of a screen. */
export interface Showcase {
  readonly host: PageHost
  readonly review: number
  readonly overwrite: number
  readonly conflict: number
  readonly scheduled: number
  readonly suspended: number
  readonly approved: number
  readonly applied: number
  readonly emergency: number
  readonly rejected: number
  readonly objected: number
  readonly draft: number
}

/** A host with change requests in all states and with all problems. */
export async function startShowcase(): Promise<Showcase> {
  const host = await startHost({ objections: true })
  const { propose, inReview, approved, setState, comment } = host
  const tomorrow = { scheduledAt: new Date(Date.now() + 24 * 3_600_000).toISOString() }
  const schedule = async (id: number) => {
    await setState('ben', id, 'Scheduled', tomorrow)
    return id
  }
  const reject = async (id: number) => {
    await setState('ben', id, 'Rejected', { comment: 'Not on a Friday.' })
    return id
  }
  const apply = async (id: number) => {
    await setState('ben', id, 'Applied')
    return id
  }
  const rejected = await reject(await inReview(enable('dark-mode'), 'Dark for all'))
  const overwrite = await inReview(roll('checkout', 'checkout-half', '30'), 'Fewer see the new checkout', 'fay')
  const conflict = await inReview(roll('new-search', 'new-search-few', '50'), 'Half of all searches', 'gus')
  const suspended = await schedule(await approved(roll('dark-mode', 'dark-mode-off', '40'), 'Dark for some', 'hal'))
  await host.changeFlags(
    roll('checkout', 'checkout-half', '60'),
    { action: 'deleteStrategy', feature: 'new-search', payload: { id: 'new-search-few' } },
    roll('dark-mode', 'dark-mode-off', '70'),
  )
  const emergency = await host.propose(enable('new-search', false), 'Search is down', 'cara')
  await setState('cara', emergency, 'Applied', { emergency: { reason: 'Nobody finds anything since 10:40.' } })
  const applied = await apply(await approved(roll('checkout', 'checkout-half', '65'), 'A little more checkout'))
  const review = await inReview([enable('pay-by-card'), roll('pay-by-card', 'pay-by-card-few', '75')], 'Cards for many')
  await setState('ben', review, 'Approved', { comment: 'Fine with me.' })
  await comment('ann', review, 'Support knows of it.')
  const objected = await approved(enable('new-search'), 'The search again', 'noa')
  await host.object('cara', objected, 'Not before noon.')
  await host.call('cara', 'DELETE', `/projects/default/change-requests/${objected}/objection`)
  await host.object('dan', objected, 'The load test of the search still fails at 200 requests per second.')
  return {
    host,
    rejected,
    objected,
    overwrite,
    conflict,
    suspended,
    emergency,
    applied,
    review,
    approved: await approved(enable('checkout'), 'The new checkout', 'ida'),
    scheduled: await schedule(await approved(roll('dark-mode', 'dark-mode-off', '10'), 'A tenth in the dark', 'jon')),
    draft: await propose(enable('dark-mode'), 'Dark, later', 'kim'),
  }
}
