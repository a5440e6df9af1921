import type { ConsumerView } from '../../../../generated'
import { useAction } from '../../core/api/action'
import { useOffline } from '../../core/api/network'
import { useQuery } from '../../core/api/query'
import { client } from '../../core/api/session'
import { ago, until } from '../../core/tools/times'
import { Button } from '../../parts/controls/button'
import { GridTable } from '../../parts/controls/grid-table'
import { Mark } from '../../parts/marks/mark'
import { LoadFailed } from '../../parts/messages/load-failed'
import { OutcomeNotice } from '../../parts/messages/outcome-notice'
import { say } from '../../parts/messages/status-line'

/** Some states change without an event. */
const pollMs = 10_000

/** The durable consumers of the log; only for admins, and only if there are any. */
export function Consumers({ project }: { readonly project: string }) {
  const { data } = useQuery(['me', project], (options) => client.me({ project }, options))
  return data?.permissions?.includes('ADMIN') ? <List /> : null
}

function List() {
  const loaded = useQuery(['consumers'], client.consumers, { pollMs })
  const offline = useOffline() !== undefined
  const action = useAction(async ({ signal }, name: string) => {
    await client.retryConsumer(name, { signal })
    await loaded.refresh()
    say(`Retrying ${name} now.`)
  })
  // An admin of the project alone cannot see consumers.
  const isEmpty = loaded.data === undefined ? loaded.error === undefined : loaded.data.consumers.length === 0
  if (isEmpty || loaded.error?.kind === 'forbidden') return null
  return (
    <section aria-labelledby="consumers">
      <div class="sec-head">
        <h2 id="consumers">Consumers</h2>
        <span class="muted small">Programs that receive the events of the log</span>
      </div>
      {loaded.error !== undefined && <LoadFailed loaded={loaded} subject="the consumers" />}
      {loaded.data !== undefined && (
        <GridTable headings={['Consumer', 'State', 'Position', 'Last error']}>
          {loaded.data.consumers.map((one) => (
            <Row
              key={one.name}
              consumer={one}
              off={offline || action.busy}
              onRetry={() => void action.start(one.name)}
            />
          ))}
        </GridTable>
      )}
      <OutcomeNotice action={action} verb="retry a consumer" />
    </section>
  )
}

const words = { running: 'Running', waiting: 'Waiting', retrying: 'Retrying', stopped: 'Stopped' } as const
const tones = { running: 'plain', waiting: 'plain', retrying: 'care', stopped: 'stop' } as const

interface RowProps {
  readonly consumer: ConsumerView
  readonly off: boolean
  readonly onRetry: () => void
}

function Row({ consumer, off, onRetry }: RowProps) {
  const { name, state, position, lag, delay, lastError, reason, skipped } = consumer
  const canRetry = state === 'retrying' || state === 'stopped'
  return (
    <tr>
      <th scope="row">
        <bdi>{name}</bdi>
      </th>
      <td data-l="State">
        <Mark tone={tones[state]}>{words[state]}</Mark>
        <p>{progressOf(consumer)}</p>
      </td>
      <td data-l="Position">
        Event {position}
        <p>
          {lag === 0 ? 'Nothing waits.' : `At most ${lag} behind; the first waits since ${ago(Date.now() - delay)}.`}
          {skipped && ` Events ${skipped.from} to ${skipped.to} were removed before they were read.`}
        </p>
      </td>
      <td data-l="Last error">
        <bdi>{reason === 'position-lost' ? positionLost : (reason ?? lastError ?? 'None')}</bdi>
        {canRetry && (
          <p>
            <Button size="tiny" icon="refresh" off={off} onClick={onRetry} aria-label={`Retry ${name} now`}>
              Retry now
            </Button>
          </p>
        )}
      </td>
    </tr>
  )
}

const positionLost =
  'The log does not have the event at its position, as after a restore of the database. Move the consumer with seek.'

function progressOf({ state, attempt, failingSince, nextAttemptAt }: ConsumerView): string {
  if (state === 'waiting') return 'No process runs it.'
  if (failingSince === null) return ''
  const next = state === 'retrying' && nextAttemptAt !== null ? `; attempt ${attempt} in ${until(nextAttemptAt)}` : ''
  return `Failing since ${ago(failingSince)}${next}.`
}
