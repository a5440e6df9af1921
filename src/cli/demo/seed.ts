import { type Client, createClient } from '../../client/create-client'
import { production, project } from './flags'
import { ann, ben, cara, type DemoPerson, dan } from './people'

type SubmittedChange = Exclude<Parameters<Client['propose']>[1], readonly unknown[]>

const dayMs = 24 * 60 * 60 * 1000
const updateRollout = (feature: string, rollout: string): SubmittedChange => ({
  action: 'updateStrategy',
  feature,
  payload: {
    id: `${feature}-${production}`,
    name: 'flexibleRollout',
    constraints: [],
    parameters: { rollout, stickiness: 'default', groupId: feature },
    segments: [],
  },
})
const enable = (feature: string): SubmittedChange => ({
  action: 'updateEnabled',
  feature,
  payload: { enabled: true },
})

/** Creates change requests in different states, through the HTTP interface. */
export async function seedChangeRequests(address: string, sessionOf: (person: DemoPerson) => string): Promise<void> {
  const clientOf = (person: DemoPerson) =>
    createClient({ api: `${address}/api/admin`, headers: { Cookie: sessionOf(person) } })
  const [annCalls, benCalls, caraCalls, danCalls] = [clientOf(ann), clientOf(ben), clientOf(cara), clientOf(dan)]

  async function propose(calls: typeof annCalls, title: string, changes: readonly SubmittedChange[]) {
    const { body } = await calls.propose({ project, environment: production }, changes)
    const place = { project, id: body.id }
    await calls.setTitle(place, title)
    await calls.setState(place, { state: 'In review' })
    return place
  }

  const search = await propose(annCalls, 'Turn the new search on', [enable('new-search')])
  await benCalls.setState(search, { state: 'Approved', comment: 'The dashboards are ready.' })
  await benCalls.setState(search, { state: 'Applied' })

  const checkout = [enable('checkout'), updateRollout('checkout', '75')]
  const place = await propose(annCalls, 'Turn the new checkout on for 75 %', checkout)
  await annCalls.comment(place, { text: 'Support knows about it.' })

  const cards = await propose(caraCalls, 'Accept cards', [enable('pay-by-card')])
  await benCalls.setState(cards, { state: 'Approved' })

  const dark = await propose(danCalls, 'Turn dark mode on tomorrow', [enable('dark-mode')])
  await annCalls.setState(dark, { state: 'Approved' })
  const scheduledAt = new Date(Date.now() + dayMs).toISOString()
  await benCalls.setState(dark, { state: 'Scheduled', scheduledAt })
}
