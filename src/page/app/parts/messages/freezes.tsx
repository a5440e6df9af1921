import type { FreezeView, ReviewView } from '../../../../generated'
import * as times from '../../core/tools/times'
import { Notice } from './notice'

interface FreezesProps {
  /** Those that are in force. */
  readonly now: readonly FreezeView[]
  /** Those at the time of the schedule. */
  readonly scheduled?: ReviewView['freezes']['scheduled']
}

const onTrial = 'A freeze on trial, which does not block,'

/** Nothing is applied in a freeze, except in an emergency. */
export function Freezes({ now, scheduled = [] }: FreezesProps) {
  const later = { hold: 'It will be applied after a freeze', suspend: 'A freeze will suspend it at its time' } as const
  return (
    <>
      {now.map((freeze) => (
        <Notice
          key={freeze.name}
          tone="care"
          icon="paused"
          title={`${freeze.mode === 'trial' ? onTrial : 'Frozen'} ${untilWords(freeze)}`}
        >
          <bdi>{freeze.name}</bdi>: <bdi>{freeze.reason}</bdi>
        </Notice>
      ))}
      {scheduled.map((freeze) => (
        <Notice
          key={freeze.name}
          tone="care"
          icon="scheduled"
          title={freeze.mode === 'trial' ? onTrial : later[freeze.scheduled]}
        >
          <bdi>{freeze.name}</bdi>, {untilWords(freeze)}: <bdi>{freeze.reason}</bdi>
        </Notice>
      ))}
    </>
  )
}

function untilWords({ until }: FreezeView): string {
  return until === null ? 'without an end yet' : `until ${times.dayAndTime(until)}`
}
