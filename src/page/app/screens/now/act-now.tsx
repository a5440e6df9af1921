import type { ComponentChildren, ComponentProps } from 'preact'
import { useId, useRef, useState } from 'preact/hooks'
import type { PreviewView, ReviewView, SubmittedChange } from '../../../../generated'
import { type Outcome, useAction } from '../../core/api/action'
import { authoring } from '../../core/api/authoring'
import { useQuery } from '../../core/api/query'
import { Link } from '../../core/places/link'
import { navigate, requestPath } from '../../core/places/navigation'
import { useDraft } from '../../core/tools/drafts'
import { reachOfTargets } from '../../core/tools/production'
import { Button } from '../../parts/controls/button'
import { Dialog } from '../../parts/controls/dialog'
import { CommentField } from '../../parts/controls/field'
import { CheckNames } from '../../parts/marks/check-names'
import { PlaceMark, ProductionBand } from '../../parts/marks/environment-mark'
import { RequestName } from '../../parts/marks/request-name'
import { Requirements } from '../../parts/marks/requirement'
import { StateMark } from '../../parts/marks/state-mark'
import { Freezes } from '../../parts/messages/freezes'
import { MissingList, NotLoaded } from '../../parts/messages/load-failed'
import { Notice } from '../../parts/messages/notice'
import { OutcomeNotice } from '../../parts/messages/outcome-notice'
import { say } from '../../parts/messages/status-line'
import { type FollowUps, keepFollowUps } from '../../reviews/follow-ups'
import { toPreviewed } from '../../words/content/previewed'
import { titleOf } from '../../words/effects/effects'
import type { SegmentNames } from '../../words/fields/labels'
import { EffectList } from './effect-list'
import { type CreatingStep, cancel, create, type EditPlace, lostWith, useOwnOpen } from './own-open'
import { ProposeAgain } from './propose-again'
import { isReason, minReason } from './reason'
import { SkippedReview } from './skipped-review'

interface ActNowProps {
  readonly title: ComponentChildren
  readonly place: EditPlace
  /** The name under which the reason is kept until it is sent. */
  readonly draftName: string
  /** What will be proposed; undefined until it is known. */
  readonly changes: readonly SubmittedChange[] | undefined
  readonly names: SegmentNames
  readonly step: CreatingStep
  /** It is for a later time, so it cannot be applied in an emergency. */
  readonly isLater?: boolean
  /** Reads again what the changes are made of, after it was not possible. */
  readonly refresh?: () => unknown
  readonly children?: ComponentChildren
  readonly onClose: () => void
}

type Next = 'emergency' | 'submit' | 'draft'

/** Nothing was done by any attempt of the press. */
const isRejection = (outcome: Outcome) =>
  !('isRepeat' in outcome) && outcome.kind !== 'unknown' && outcome.kind !== 'unsure'

/**
 * One window for what cannot wait: what will be different, the reason, and the way into effect. It cancels the open change request
 * of the caller, if there is one, and creates another one; the other calls are follow-ups on the screen of that.
 */
export function ActNow({ title, place, draftName, changes, names, step, isLater = false, ...props }: ActNowProps) {
  const { refresh, children, onClose } = props
  const { project, environment } = place
  const id = useId()
  const [reason, setReason, clearReason] = useDraft(`reason ${draftName}`)
  // Also known if the session ends in between.
  const [cancelled, keepCancelled] = useDraft(`cancelled ${project} ${environment}`)
  const [chosen, choose] = useState<Next>()
  const preview = useQuery<PreviewView>(
    ['preview', project, environment, JSON.stringify(changes)],
    changes && ((options) => authoring.preview(place, changes, options)),
    { changedBy: (events) => events.some((event) => event.project === project) },
  )
  const own = useOwnOpen(place)
  const sent = useRef({ key: '', cancelled: Number(cancelled), made: { project, id: 0 } })
  const sending = useAction(async ({ idempotencyKey, signal }, step: CreatingStep, open: ReviewView | null) => {
    const { current } = sent
    if (open && current.key === '') {
      await cancel({ project, id: open.id }, { ifMatch: open.revision, signal })
      current.cancelled = open.id
      keepCancelled(String(open.id))
    }
    // Until it is known that nothing was created, a further press has the same key, and cancels nothing.
    current.key ||= idempotencyKey
    current.made = (await create(step, place, { idempotencyKey: current.key, signal })).body
  })
  const { data } = preview
  const targets = data && changes ? toPreviewed(data, changes, names) : []
  const open = own.data
  const emergency = isLater ? undefined : data?.steps.find((one) => one.step === 'applyInEmergency')
  const mayApply = emergency?.allowed === true
  const canCancel = open?.steps.some((one) => one.step === 'cancel' && !one.allowed) !== true
  const isLeft = cancelled !== '' && !open
  // What was before an apply can be restored even where it could not be proposed.
  const isKnown = data !== undefined || (step.kind === 'revert' && preview.error?.kind === 'failed')
  const isOff = sending.busy || !isKnown || open === undefined || !canCancel
  const act = async (next: Next) => {
    if (open === undefined) return
    choose(next)
    const outcome = await sending.start(step, open)
    const { made, cancelled: again } = sent.current
    if (outcome?.kind !== 'done') {
      if (outcome && isRejection(outcome)) sent.current.key = ''
      void own.refresh()
      refresh?.()
      return
    }
    const followUps: FollowUps = {
      ...(step.kind === 'propose' && targets.length > 0 && { title: titleOf(targets) }),
      ...(next === 'submit' && { submit: true }),
      ...(next === 'emergency' && { emergency: reason.trim() }),
      ...(again > 0 && { again }),
    }
    keepFollowUps(made, followUps, next === 'emergency' ? '' : reason)
    keepCancelled('')
    clearReason()
    say('The change request was created.')
    onClose()
    navigate(requestPath(made.project, made.id))
  }
  const leave = () => {
    keepCancelled('')
    onClose()
  }
  const button = (next: Next, label: string, props: ComponentProps<typeof Button> = {}) => (
    <Button off={isOff} busy={chosen === next && sending.busy && 'Sending…'} onClick={() => void act(next)} {...props}>
      {isLeft && chosen === next ? 'Try again' : label}
    </Button>
  )
  const reach = reachOfTargets(environment, targets)
  return (
    <Dialog
      title={title}
      wide
      band={<ProductionBand name={reach} />}
      above={<PlaceMark project={project} name={reach} />}
      subtitle={data ? <EffectList targets={targets} /> : <NotLoaded loaded={preview} subject="what it will do" />}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Close</Button>
          {step.kind === 'revert' && button('draft', 'Save as draft')}
          {button('submit', 'Send to review', mayApply ? {} : { kind: 'primary' })}
          {mayApply &&
            button('emergency', 'Apply in emergency', {
              ...{ kind: 'danger', icon: 'bolt', off: isOff || !isReason(reason) },
              'aria-describedby': id,
            })}
        </>
      }
    >
      {children}
      {data && <Freezes now={data.freezes} />}
      {open === undefined && <NotLoaded loaded={own} subject="your open change request" />}
      {open && sent.current.key === '' && <OwnOpen review={open} />}
      {isLeft && !sending.busy && (
        <Notice
          tone="care"
          icon="cancelled"
          title={`#${cancelled} is cancelled, and nothing else was done yet`}
          actions={<ProposeAgain place={{ project, id: Number(cancelled) }} onDone={leave} />}
        >
          <Link to={requestPath(project, Number(cancelled))}>#{cancelled}</Link> is closed. Try again, or propose it
          again.
        </Notice>
      )}
      <CommentField
        label="Reason"
        help={`${mayApply ? `At least ${minReason} characters in an emergency.` : 'Optional.'} Everyone who can see the change request can read it.`}
        comment={reason}
        onComment={setReason}
      />
      {data && mayApply && (
        <SkippedReview
          title="In an emergency, nobody else reviews it"
          requirements={data.requirements}
          checks={data.checks}
        >
          <p id={id}>
            It takes effect immediately, and then needs acknowledgement by anyone who can approve, except you. It needs
            a reason.
          </p>
        </SkippedReview>
      )}
      {data && !mayApply && (
        <section aria-labelledby={id}>
          <h3 id={id}>It will need</h3>
          <Requirements requirements={data.requirements} targets={targets} />
          <CheckNames checks={data.checks} />
        </section>
      )}
      {emergency?.offered && !mayApply && (
        <>
          <p class="soft">Missing to apply it in an emergency</p>
          <MissingList missing={emergency.missing} />
        </>
      )}
      <OutcomeNotice action={sending} verb="propose this" keptMessage="Your reason is kept." />
    </Dialog>
  )
}

/** The open change request of the caller there has to go first. */
function OwnOpen({ review }: { readonly review: ReviewView }) {
  const { changeRequest, state, steps } = review
  const { project, id, title } = changeRequest
  const cancel = steps.find((one) => one.step === 'cancel')
  return (
    <Notice tone="care" icon="warn" title={`Your open change request #${id} is cancelled first`}>
      <p class="flow">
        <StateMark state={state} />
        <Link to={requestPath(project, id)}>
          <RequestName id={id} title={title} />
        </Link>
      </p>
      Only one of yours can be open here. {lostWith(review)} You can propose it again afterwards.
      {cancel && !cancel.allowed && (
        <>
          <p>Missing before it can be cancelled</p>
          <MissingList missing={cancel.missing} />
        </>
      )}
    </Notice>
  )
}
