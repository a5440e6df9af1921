import * as times from '../../../core/tools/times'
import { list } from '../../../parts/marks/from'
import { Icon } from '../../../parts/marks/icon'
import { nameOf } from '../../../parts/marks/person'
import { useRequestContext } from '../model/context'

interface RunsProps {
  readonly moment: Date | null
  readonly onApproval: boolean
  readonly now: number
}

/** When it runs, in both zones, and as whom. */
export function Runs({ moment, onApproval, now }: RunsProps) {
  const { me } = useRequestContext()
  return (
    <dl class="run-at" id="runs" aria-live="polite">
      <dt>Runs</dt>
      <dd>
        {onApproval ? (
          <b>With the last approval</b>
        ) : moment && moment.getTime() > now ? (
          <>
            <b>{times.dayAndTime(moment)}</b> · in {times.until(moment, now)}
          </>
        ) : (
          <b class="stop-words">{moment ? 'That time has passed' : 'Choose a day and a time'}</b>
        )}
      </dd>
      <dt>UTC</dt>
      <dd>{moment ? times.dayAndTime(moment, 'UTC') : '–'}</dd>
      <dt>As</dt>
      <dd>
        you, <bdi>{nameOf(me)}</bdi>
      </dd>
    </dl>
  )
}

/** What would prevent the apply. */
export function Conditions() {
  const { content } = useRequestContext()
  return (
    <ul class="checks">
      <li>
        <Icon name="paused" />
        <span>
          If{' '}
          {list(
            content.targets.slice(0, 3).map(({ key, name }) => (
              <span key={key} class="flag">
                <bdi>{name}</bdi>
              </span>
            )),
            'or',
          )}
          {content.targets.length > 3 && ' or another of its flags'} is changed by anybody before that, this is
          suspended and not applied.
        </span>
      </li>
    </ul>
  )
}
