import type { FreezeView } from '../../../../../generated'
import { useLoaded } from '../../../core/api/load'
import { client } from '../../../core/api/session'
import * as times from '../../../core/tools/times'
import { Notice } from '../../../parts/messages/notice'
import { useRequestContext } from '../model/context'
import { freezesAt, matchingFreezes } from '../model/freezes'

/** The freezes that match the change request. Those of other environments are known to the server only, which checks them. */
export function useFreezes(): readonly FreezeView[] {
  const { request } = useRequestContext().content
  const { project, environment } = request
  const { data } = useLoaded(`freezes ${project} ${environment}`, async (options) => ({
    body: (await client.freezes(project, environment, options)).body.freezes,
  }))
  return matchingFreezes(data ?? [], request)
}

interface FrozenProps {
  readonly freezes: readonly FreezeView[]
  readonly moment: Date | null
}

/** The times that cannot be chosen. */
export function Frozen({ freezes, moment }: FrozenProps) {
  if (freezes.length === 0) return null
  const isFrozen = moment !== null && freezesAt(freezes, moment).length > 0
  return (
    <Notice
      tone={isFrozen ? 'stop' : 'plain'}
      icon="paused"
      title={isFrozen ? 'That time is in a freeze. Choose another.' : 'Nothing is applied in a freeze'}
    >
      <ul id="frozen">
        {freezes.map(({ name, reason, from, until }) => (
          <li key={name}>
            {times.dayAndTime(from)} – {until === null ? 'no end yet' : times.dayAndTime(until)}: <bdi>{name}</bdi> (
            <bdi>{reason}</bdi>)
          </li>
        ))}
      </ul>
    </Notice>
  )
}
