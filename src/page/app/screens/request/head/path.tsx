import type { StateName } from '../../../../../generated'
import * as times from '../../../core/tools/times'
import { Said } from '../../../parts/changes/said'
import { Icon } from '../../../parts/marks/icon'
import { shownState } from '../../../parts/marks/shown-state'
import { StateMark, stateIcon } from '../../../parts/marks/state-mark'
import { isClosed, stateTraits } from '../../../parts/marks/state-traits'
import { isMet, waitsWords } from '../../../words/waits'
import { useRequestContext } from '../model/context'
import { needsAcknowledgement } from '../model/steps'

/** The states that it went through, the present one and what comes. */
export function Path() {
  const { latest } = useRequestContext()
  const { request, review } = latest
  const shown = shownState(review.state, {
    schedule: 'schedule' in request ? request.schedule : null,
    afterReview: needsAcknowledgement(review),
  })
  const states = statesOf(review.state, request.stateTimestamps ?? {})
  const now = states.indexOf(review.state)
  return (
    <div class="req-path">
      <ol class="path" aria-label="State">
        {states.map((state, index) => (
          <li
            key={state}
            class={index < now ? 'done' : index === now ? 'now' : undefined}
            aria-current={index === now ? 'step' : undefined}
          >
            {index === now ? (
              <StateMark state={shown} pill />
            ) : (
              <>
                <Icon name={state === 'Applied' ? 'met' : stateIcon(state)} />
                <b>{state}</b>
              </>
            )}
            <small>{index <= now ? <Moment state={state} /> : <Ahead state={state} />}</small>
          </li>
        ))}
      </ol>
      <p class="waits">
        <Waits />
      </p>
    </div>
  )
}

/** Ends other than Applied take the place of what did not happen. */
function statesOf(state: StateName, stamps: { readonly [name in StateName]?: string }): StateName[] {
  const open = (Object.keys(stateTraits) as StateName[]).filter((one) => !isClosed(one))
  if (isClosed(state)) return [...open.filter((one) => stamps[one]), state]
  return [...open.filter((one) => one === state || !stateTraits[one].isDetour), 'Applied']
}

function Moment({ state }: { readonly state: StateName }) {
  const { latest } = useRequestContext()
  const { request } = latest
  const stamp = request.stateTimestamps?.[state]
  if (state === 'Scheduled' && 'schedule' in request) return times.dayAndTime(request.schedule.scheduledAt)
  return stamp ? times.dayAndTime(stamp) : ''
}

function Ahead({ state }: { readonly state: StateName }) {
  const { latest } = useRequestContext()
  const { requirements, state: present } = latest.review
  const minimum = requirements.find(({ name }) => name === 'minimum')
  if (state === 'Approved' && minimum) return `${minimum.given} of ${minimum.approvals}`
  return state === 'Applied' && present !== 'Scheduled' ? 'or scheduled' : 'not yet'
}

/** What it waits for, in a few words; never only the state. */
export function Waits() {
  const { latest } = useRequestContext()
  const { request, review } = latest
  const { state, requirements } = review
  if (state === 'Draft') return 'not submitted yet'
  if (state === 'Scheduled' && 'schedule' in request) {
    const { status, scheduledAt } = request.schedule
    if (status === 'suspended') return <b>will not run</b>
    if (status === 'failed') return <b>nothing was applied</b>
    return <b>Runs in {times.until(scheduledAt)}</b>
  }
  if (state === 'Approved' && requirements.every(isMet)) return <b>not applied yet</b>
  if (!isClosed(state)) return <Said words={waitsWords(requirements)} />
  if (needsAcknowledgement(review)) return <b>live without approval</b>
  if (review.revertedBy !== null) return `reverted by #${review.revertedBy}`
  return state === 'Applied' ? 'done' : 'nothing was applied'
}
