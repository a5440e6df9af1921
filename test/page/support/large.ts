import type { ChangeOfTest } from '../../examples/support/flag-host'
import type { PageHost } from './host'
import { enable, roll } from './showcase'

const kinds: readonly { readonly flags: number; readonly change: (name: string) => ChangeOfTest }[] = [
  { flags: 180, change: (name) => enable(name) },
  { flags: 150, change: (name) => roll(name, `${name}-some`, '75') },
  {
    flags: 100,
    change: (feature) => ({
      action: 'addStrategy',
      feature,
      payload: {
        name: 'flexibleRollout',
        constraints: [],
        parameters: { rollout: '10', stickiness: 'default', groupId: feature },
      },
    }),
  },
  {
    flags: 70,
    change: (feature) => ({ action: 'deleteStrategy', feature, payload: { id: `${feature}-some` } }),
  },
]

const nameOf = (kind: number, index: number) => `flag-${'abcd'[kind]}-${String(index).padStart(3, '0')}`

/**
 * A change request in review with 500 changes of four kinds, each of a flag of its own: `flag-a-000` and so on are switched
 * on, `flag-b` has another rollout, `flag-c` a new strategy, and `flag-d` one less. One of `flag-b` conflicts, another
 * overwrites, and `flag-a-007` has a comment.
 *
 * @param share how many of them, at least 0.15
 */
export async function proposeMany(host: PageHost, share = 1): Promise<number> {
  const named = kinds.flatMap(({ flags, change }, kind) =>
    Array.from({ length: flags * share }, (_, index) => ({ name: nameOf(kind, index), change })),
  )
  await host.addFlags(named.map(({ name }) => name))
  const changes = named.map(({ name, change }) => change(name))
  let id = 0
  // The maximum number in one request.
  for (let from = 0; from < changes.length; from += 100) id = await host.propose(changes.slice(from, from + 100))
  await host.call('ann', 'PUT', `/projects/default/change-requests/${id}/title`, { title: 'Many flags' })
  await host.changeFlags(roll('flag-b-010', 'flag-b-010-some', '60'), {
    action: 'deleteStrategy',
    feature: 'flag-b-020',
    payload: { id: 'flag-b-020-some' },
  })
  await host.setState('ann', id, 'In review')
  const { features } = await host.call<{ features: { name: string; changes: { id: number }[] }[] }>(
    'ann',
    'GET',
    `/projects/default/change-requests/${id}`,
  )
  const changeId = features.find(({ name }) => name === 'flag-a-007')?.changes[0]?.id
  await host.call('ann', 'POST', `/projects/default/change-requests/${id}/comments`, { text: 'Is it ready?', changeId })
  return id
}
