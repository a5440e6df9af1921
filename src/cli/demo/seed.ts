import { type Client, createClient } from '../../client/create-client'
import { production, project } from './flags'

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
const enable = (feature: string): SubmittedChange => {
  return { action: 'updateEnabled', feature, payload: { enabled: true } }
}

export async function seedChangeRequests(address: string, sessionOf: (username: string) => string): Promise<void> {
  const clientOf = (username: string) =>
    createClient({ api: `${address}/api/admin`, headers: { Cookie: sessionOf(username) } })
  const [ann, ben, cara, dan] = [clientOf('ann'), clientOf('ben'), clientOf('cara'), clientOf('dan')] as const

  async function propose(calls: Client, title: string, changes: readonly SubmittedChange[]) {
    const { body } = await calls.propose({ project, environment: production }, changes)
    const place = { project, id: body.id }
    await calls.setTitle(place, title)
    await calls.setState(place, { state: 'In review' })
    return place
  }

  const search = await propose(ann, 'Turn the new search on', [enable('new-search')])
  await ben.setState(search, { state: 'Approved', comment: 'The dashboards are ready.' })
  await ben.setState(search, { state: 'Applied' })

  const checkout = [enable('checkout'), updateRollout('checkout', '75')]
  const place = await propose(ann, 'Turn the new checkout on for 75 %', checkout)
  await ann.comment(place, { text: 'Support knows about it.' })

  const cards = await propose(cara, 'Accept cards', [enable('pay-by-card')])
  await ben.setState(cards, { state: 'Approved' })
  await ann.object(cards, { text: 'Support is not trained yet.' })

  const dark = await propose(dan, 'Turn dark mode on tomorrow', [enable('dark-mode')])
  await ann.setState(dark, { state: 'Approved' })
  const scheduledAt = new Date(Date.now() + dayMs).toISOString()
  await ben.setState(dark, { state: 'Scheduled', scheduledAt })
}
