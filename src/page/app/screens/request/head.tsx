import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { StateName } from '../../../../generated'
import { useMe } from '../../core/api/session'
import { PageTitle } from '../../core/places/title'
import { isProduction, reachOf } from '../../core/tools/production'
import * as times from '../../core/tools/times'
import { Button } from '../../parts/controls/button'
import { DialogFallback, lazy } from '../../parts/lazy'
import { EnvironmentMark, ProductionBand } from '../../parts/marks/environment-mark'
import { Icon } from '../../parts/marks/icon'
import { MachineMark } from '../../parts/marks/machine-mark'
import { Mark } from '../../parts/marks/mark'
import { PersonName } from '../../parts/marks/person'
import { isClosed, shownState, stateTraits } from '../../parts/marks/state'
import { StateMark, stateIcon } from '../../parts/marks/state-mark'
import { missingChecks } from '../../words/checks'
import { counted } from '../../words/numbers'
import { ownTitle, requestName } from '../../words/request-name'
import type { RenameFormProps } from './dialogs/rename'
import { needsAcknowledgement, openObjections } from './review'
import type { RequestProps } from './use-request'

type HeadProps = Pick<RequestProps, 'request' | 'review' | 'actions'>

/** Project, environment, title, author and state. */
export function Head({ request, review, actions }: HeadProps) {
  const { project, title, id } = request
  const reach = reachOf(request)
  const objections = openObjections(review).length
  const failed = isClosed(review.state) ? 0 : missingChecks(review).filter(({ status }) => status === 'failed').length
  return (
    <header class="panel req-head edge">
      {!isClosed(request.state) && <ProductionBand name={reach} />}
      <div class="req-head-in">
        <div class="flow">
          <EnvironmentMark name={reach} big />
          <span>
            of <bdi class="strong">{project}</bdi>
            {isProduction(reach) && ' · live for all users'}
          </span>
          <Byline request={request} review={review} />
        </div>
        <EditTitle request={request} actions={actions}>
          <PageTitle title={requestName(request)}>
            <bdi>{title}</bdi>
          </PageTitle>
          {ownTitle(request) !== '' && <span class="id">#{id}</span>}
          {failed > 0 && (
            <Mark tone="stop" icon="stop">
              {counted(failed, 'failed check')}
            </Mark>
          )}
          {objections > 0 && (
            <Mark tone="stop" icon="stop">
              {counted(objections, 'objection')}
            </Mark>
          )}
        </EditTitle>
        {(review.follows || review.followedBy) && <Follows request={request} review={review} />}
        {review.customFields && <CustomFields {...{ request, review, actions }} />}
      </div>
      <div class="req-path">
        <Path request={request} review={review} />
      </div>
    </header>
  )
}

function Byline({ request, review }: Omit<HeadProps, 'actions'>) {
  const { state, stateTimestamps, createdBy, createdAt } = request
  const since = stateTimestamps?.[state]
  return (
    <p class="byline flow end soft small">
      <span>
        by <PersonName person={createdBy} strong />
        <MachineMark author={review.author} />, {times.day(createdAt)}
      </span>
      {review.ended && (
        <span>
          {state.toLowerCase()} by <PersonName person={review.ended.by} strong />
        </span>
      )}
      {since && state === 'Scheduled' && <span>scheduled {times.ago(since)}</span>}
      {since && state !== 'Scheduled' && !isClosed(state) && (
        <span>
          {state === 'Draft' ? 'a draft' : state.toLowerCase()} for{' '}
          {Date.now() - Date.parse(since) < 60_000 ? 'less than a minute' : times.age(since)}
        </span>
      )}
    </p>
  )
}

/** The title, which the author can change. */
function EditTitle({
  request,
  actions,
  children,
}: Pick<RequestProps, 'request' | 'actions'> & { readonly children: ComponentChildren }) {
  const me = useMe()
  const [isOpen, setOpen] = useState(false)
  if (isOpen) {
    return (
      <RenameForm {...{ request, actions }} onClose={() => setOpen(false)}>
        {children}
      </RenameForm>
    )
  }
  return (
    <div class="req-title flow">
      {children}
      {me.id === request.createdBy.id && !isClosed(request.state) && (
        <Button kind="quiet" size="tiny" icon="pencil" onClick={() => setOpen(true)}>
          Rename
        </Button>
      )}
    </div>
  )
}

// Host apps without custom fields load nothing.
const CustomFields = lazy(
  async () => (await import('./custom-fields')).CustomFields,
  () => null,
)

const Follows = lazy(
  async () => (await import('./follows')).Follows,
  () => null,
)

const RenameForm = lazy(async () => (await import('./dialogs')).RenameForm, RenameFallback)

/** The title stays while its form is loaded. */
function RenameFallback({ failed, onClose, children }: RenameFormProps & { readonly failed: boolean }) {
  return (
    <>
      <div class="req-title flow">{children}</div>
      <DialogFallback {...{ failed, onClose }} />
    </>
  )
}

/** The previous, current and next states. */
function Path({ request, review }: Omit<HeadProps, 'actions'>) {
  const shown = shownState(review.state, {
    schedule: 'schedule' in request ? request.schedule : null,
    afterReview: needsAcknowledgement(review),
  })
  const states = statesOf(review.state, request.stateTimestamps ?? {})
  const now = states.indexOf(review.state)
  return (
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
              <span>{state}</span>
            </>
          )}
          <small>{index <= now ? reachedWords(state, request) : comingWords(state, review)}</small>
        </li>
      ))}
    </ol>
  )
}

/** A change request that ends in another state than Applied shows only the states that it had. */
function statesOf(state: StateName, stamps: { readonly [name in StateName]?: string }): StateName[] {
  const open = (Object.keys(stateTraits) as StateName[]).filter((one) => !isClosed(one))
  if (isClosed(state)) return [...open.filter((one) => stamps[one]), state]
  return [...open.filter((one) => one === state || !stateTraits[one].isDetour), 'Applied']
}

function reachedWords(state: StateName, request: HeadProps['request']): string {
  const stamp = request.stateTimestamps?.[state]
  if (state === 'Scheduled' && 'schedule' in request) return times.dayAndTime(request.schedule.scheduledAt)
  return stamp ? times.dayAndTime(stamp) : ''
}

function comingWords(state: StateName, { requirements, state: current }: HeadProps['review']): string {
  const minimum = requirements.find(({ name }) => name === 'minimum')
  if (state === 'Approved' && minimum) return `${minimum.given ?? '?'} of ${minimum.approvals}`
  return state === 'Applied' && current !== 'Approved' && current !== 'Scheduled' ? 'or scheduled' : 'not yet'
}
