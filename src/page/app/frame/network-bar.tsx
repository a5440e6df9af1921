import { times, useOffline } from '../core'
import { Bar, Bars } from '../parts'

/** Says on every screen that there is no network, and until when what is shown was true. */
export function NetworkBar() {
  const since = useOffline()
  return (
    <Bars>
      {since !== undefined && (
        <Bar tone="plain" icon="offline" title="No network.">
          You see what was true at {times.time(since)}. Steps are off until the connection is back; what you write is
          kept.
        </Bar>
      )}
    </Bars>
  )
}
