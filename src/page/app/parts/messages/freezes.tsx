import type { FreezeView, ReviewView } from '../../../../generated'
import * as times from '../../core/tools/times'
import { isEnforced, onTrial } from '../../words/waits'
import { Notice } from './notice'

interface FreezesProps {
  /** Those that are in force. */
  readonly now: readonly FreezeView[]
  /** Those at the time of the schedule. */
  readonly scheduled?: ReviewView['freezes']['scheduled']
}

/** Nothing is applied in a freeze, except in an emergency. One on trial blocks nothing. */
export function Freezes({ now, scheduled = [] }: FreezesProps) {
  const later = { hold: 'It will be applied after a freeze', suspend: 'A freeze will suspend it at its time' } as const
  return (
    <>
      {now.map((freeze) => (
        <Notice key={freeze.name} {...lookOf(freeze, 'paused')} title={titleOf(freeze, `Frozen ${untilWords(freeze)}`)}>
          <bdi>{freeze.name}</bdi>
          {!isEnforced(freeze) && `, ${untilWords(freeze)}`}: <bdi>{freeze.reason}</bdi>
        </Notice>
      ))}
      {scheduled.map((freeze) => (
        <Notice key={freeze.name} {...lookOf(freeze, 'scheduled')} title={titleOf(freeze, later[freeze.scheduled])}>
          <bdi>{freeze.name}</bdi>, {untilWords(freeze)}: <bdi>{freeze.reason}</bdi>
        </Notice>
      ))}
    </>
  )
}

function lookOf(freeze: FreezeView, icon: 'paused' | 'scheduled') {
  return { icon, tone: isEnforced(freeze) ? 'care' : 'plain' } as const
}

function titleOf(freeze: FreezeView, words: string): string {
  return isEnforced(freeze) ? words : `Freeze ${onTrial}`
}

function untilWords({ until }: FreezeView): string {
  return until === null ? 'without an end yet' : `until ${times.dayAndTime(until)}`
}
