import type { ComponentChildren } from 'preact'
import type { ObjectionView } from '../../../../generated'
import { client, useMe } from '../../core/api/session'
import { Link } from '../../core/places/link'
import { requestPath } from '../../core/places/navigation'
import { RichText } from '../../parts/changes/rich-text'
import { Icon } from '../../parts/marks/icon'
import { Mark } from '../../parts/marks/mark'
import { PersonName } from '../../parts/marks/person'
import { Notice } from '../../parts/messages/notice'
import { OutcomeNotice } from '../../parts/messages/outcome-notice'
import { usePrinting } from '../../parts/printing'
import { notReleasedWords } from '../../words/follows'
import { counted } from '../../words/numbers'
import { endingWords, takeBackWords } from '../../words/objections'
import { Linked, When } from './comment'
import { appliesWords, endsLastObstacle, isAllowed, openObjections, presetWords } from './review'
import { StepButton } from './step-button'
import type { RequestProps } from './use-request'
import { useStep } from './use-step'

type ObjectionsProps = Pick<RequestProps, 'request' | 'review' | 'actions'>

/** The open objections, with how they end; folded, those that ended, and those of the change request that this one copies. */
export function Objections(props: ObjectionsProps) {
  const { request, review } = props
  const open = openObjections(review)
  const ended = review.objections?.filter((one) => one.ended !== null) ?? []
  const { copiedFrom } = review
  const ofOriginal = copiedFrom?.objections ?? []
  if (open.length + ended.length + ofOriginal.length === 0) return null
  return (
    <section class="panel side decide edge" aria-labelledby="objections">
      <h2 id="objections">
        Objections {open.length > 0 && <small class="muted small thin">{open.length} open</small>}
      </h2>
      {open.map((objection) => (
        <OpenObjection key={objection.id} {...props} objection={objection} />
      ))}
      {ended.length > 0 && <Ended objections={ended} title={counted(ended.length, 'ended objection')} />}
      {copiedFrom && ofOriginal.length > 0 && (
        <Ended objections={ofOriginal} title={`Objections of #${copiedFrom.id}`}>
          <Link to={requestPath(request.project, copiedFrom.id)}>#{copiedFrom.id}</Link>
        </Ended>
      )}
    </section>
  )
}

function OpenObjection({ request, review, actions, objection }: ObjectionsProps & { objection: ObjectionView }) {
  const me = useMe()
  const { id, person, outdated } = objection
  const isMine = person.id === me.id
  const isLast = endsLastObstacle(review)
  const lift = useStep(actions, {
    run: (write) => client.liftObjection(request, write),
    doneMessage: 'You lifted your objection.',
    isDone: ({ review }) => !openObjections(review).some((one) => one.id === id),
  })
  const mayLift = isMine && (isAllowed(review, 'liftObjection') || lift.busy)
  const mayDismiss = !isMine && isAllowed(review, 'dismissObjection')
  const applies = appliesWords(review, isLast)
  return (
    <Notice
      tone="stop"
      icon="stop"
      title={
        isMine ? (
          'You objected'
        ) : (
          <>
            <PersonName person={person} /> objected
          </>
        )
      }
      actions={
        (mayLift || mayDismiss) && (
          <>
            {mayLift && (
              <StepButton off={actions.off} icon="undo" busy={lift.busy && 'Lifting…'} onPress={lift.press}>
                {applies ? `Lift and ${applies}` : 'Lift my objection'}
              </StepButton>
            )}
            {isMine && isAllowed(review, 'object') && (
              <StepButton off={actions.off} kind="quiet" icon="pencil" onPress={() => actions.open('object')}>
                Replace…
              </StepButton>
            )}
            {mayDismiss && (
              <StepButton off={actions.off} icon="x" onPress={() => actions.open('dismissObjection', id)}>
                Dismiss…
              </StepButton>
            )}
          </>
        )
      }
    >
      <Said objection={objection} />
      {outdated && (
        <p>
          <Mark tone="care" icon="warn">
            Outdated
          </Mark>{' '}
          The content has changed since. It still blocks applying.
        </p>
      )}
      <p class="small">{notReleasedWords(review)}</p>
      {mayLift && <p class="small">{presetWords(review, ['Lifting it', 'lifting the last objection'], isLast)}</p>}
      <OutcomeNotice action={lift} verb="lift it" />
    </Notice>
  )
}

/** The text of an objection, and when it was raised. */
function Said({ objection: { text, at } }: { readonly objection: ObjectionView }) {
  return (
    <>
      <p class="said" dir="auto">
        <Linked text={text} />
      </p>
      <When at={at} />
    </>
  )
}

interface EndedProps {
  readonly objections: readonly ObjectionView[]
  readonly title: string
  readonly children?: ComponentChildren
}

function Ended({ objections, title, children }: EndedProps) {
  const isPrinting = usePrinting()
  return (
    <details class="others" open={isPrinting || undefined}>
      <summary class="soft small">
        <Icon name="chevronRight" class="fold" />
        {title}
      </summary>
      {children}
      <ul>
        {objections.map((objection) => (
          <li key={objection.id} class="small">
            <p>
              <PersonName person={objection.person} strong /> objected
              {objection.ended && (
                <>
                  {' · '}
                  <RichText words={endingWords(objection.ended)} /> · <When at={objection.ended.at} />
                </>
              )}
            </p>
            <Said objection={objection} />
          </li>
        ))}
      </ul>
    </details>
  )
}

/** Takes the approval of the viewer back. */
export function TakeBackStep({ request, review, actions }: ObjectionsProps) {
  const me = useMe()
  const step = useStep(actions, {
    run: (write) => client.takeBackApproval(request, write),
    doneMessage: 'You took your approval back.',
    isDone: (latest) => latest.request.approvals.every(({ createdBy }) => createdBy.id !== me.id),
  })
  return (
    <>
      {(isAllowed(review, 'takeBackApproval') || step.busy) && (
        <>
          <StepButton
            off={actions.off}
            icon="undo"
            kind="quiet"
            busy={step.busy && 'Taking back…'}
            aria-describedby={takingBackId}
            onPress={step.press}
          >
            Take back my approval
          </StepButton>
          <p class="fine" id={takingBackId}>
            {takeBackWords(review)}
          </p>
        </>
      )}
      <OutcomeNotice action={step} verb="take it back" />
    </>
  )
}

const takingBackId = 'taking-back'
