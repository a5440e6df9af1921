import { useMemo, useRef, useState } from 'preact/hooks'
import type { ChangeRequestPlace, WriteOptions } from '../../../../client'
import type { ReviewView, SubmittedChange } from '../../../../generated'
import { useAction } from '../../core/api/action'
import { authoring } from '../../core/api/authoring'
import { useQuery } from '../../core/api/query'
import { client } from '../../core/api/session'
import { Link } from '../../core/places/link'
import { requestPath } from '../../core/places/navigation'
import { RichText } from '../../parts/changes/rich-text'
import { Button } from '../../parts/controls/button'
import { Dialog } from '../../parts/controls/dialog'
import { PlaceMark } from '../../parts/marks/environment-mark'
import { Icon } from '../../parts/marks/icon'
import { RequestName } from '../../parts/marks/request-name'
import { NotLoaded } from '../../parts/messages/load-failed'
import { OutcomeNotice } from '../../parts/messages/outcome-notice'
import { say } from '../../parts/messages/status-line'
import { voidedBy } from '../../reviews/voids'
import { changeWords, type ProposedChange } from '../../words/changes'
import { type ChangeItem, type TargetItem, toTargets } from '../../words/content/items'
import { effectWords } from '../../words/effects/effects'
import { isOutdatedBase, revisionOf } from '../authoring/model/answers'
import { cancel, create, type EditPlace, lostWith } from '../now/own-open'
import { type OwnStep, stepsInstead, stepsInto } from './own-steps'
import type { Edited } from './use-edit'

interface OwnRequestProps {
  /** The caller's open change request. */
  readonly place: ChangeRequestPlace
  readonly changes: readonly SubmittedChange[]
  /** What the changes do. */
  readonly targets: readonly TargetItem[]
  /** Sends changes; if their flag was edited meanwhile, once more as they are then. */
  readonly send: Edited['send']
  /** All is sent; to a new change request if the open one was cancelled. */
  readonly onDone: (id: number, isNew: boolean) => void
  readonly onClose: () => void
}

/** The caller has an open change request there: puts the changes into it, or proposes them instead of it. */
export function OwnRequest(props: OwnRequestProps) {
  const { place, onClose } = props
  const { project, id } = place
  const loaded = useQuery(['own request', project, id], (options) => client.review(place, options))
  const review = loaded.data
  if (review !== undefined) return <Choice {...props} review={review} refresh={loaded.refresh} />
  return (
    <Dialog title={`#${id} is open`} onClose={onClose} actions={<Button onClick={onClose}>Close</Button>}>
      <NotLoaded loaded={loaded} subject={`#${id}`} />
    </Dialog>
  )
}

interface ChoiceProps extends OwnRequestProps {
  readonly review: ReviewView
  readonly refresh: () => Promise<ReviewView | undefined>
}

function Choice({ place, changes, send, review, refresh, onDone, onClose, ...props }: ChoiceProps) {
  const { id, project } = place
  const { changeRequest, state, steps } = review
  const { environment, title } = changeRequest
  const into = useMemo(() => stepsInto(targetsOf(review), changes), [review, changes])
  // After the first call, the others belong to it.
  const [left, setLeft] = useState<readonly OwnStep[]>()
  const result = useRef({ id, isNew: false, revision: '' })
  const sending = useAction(async (attempt, step: OwnStep) => {
    const write = { ...attempt, ifMatch: result.current.revision }
    const answer = await call(step, { ...place, environment }, write).catch((error) => {
      outdated.current = isOutdatedBase(error) ? error : undefined
      throw error
    })
    result.current.revision = revisionOf(answer.etag) ?? ''
    if (step.kind === 'propose') result.current = { ...result.current, id: answer.body?.id ?? id, isNew: true }
  })
  const outdated = useRef<unknown>(undefined)
  const start = async (all: readonly OwnStep[], on = review, isAgain = false): Promise<void> => {
    result.current.revision = on.revision
    for (const [index, step] of all.entries()) {
      outdated.current = undefined
      const outcome = await sending.start(step)
      if (outcome?.kind !== 'done') {
        const fresh = await refresh()
        const now = isAgain || !fresh ? undefined : await followed()
        if (now === undefined || fresh === undefined) return
        return start(
          step.kind === 'propose' ? [{ ...step, changes: now }] : stepsInto(targetsOf(fresh), now),
          fresh,
          true,
        )
      }
      setLeft(all.slice(index + 1))
    }
    say(result.current.isNew ? 'A draft was created.' : `#${id} was edited.`)
    onDone(result.current.id, result.current.isNew)
  }
  /** The changes on the flag as it is now, if it was edited meanwhile and there is nothing to choose. */
  const followed = async () => {
    const error = outdated.current
    if (error === undefined) return undefined
    const first = async (now: typeof changes) => {
      if (now === changes) throw error
      return now
    }
    return send(changes, first).catch(() => undefined)
  }
  const canEdit = steps.some(({ step, offered }) => step === 'edit' && offered)
  const canCancel = steps.some(({ step, allowed }) => step === 'cancel' && allowed)
  const lost = lostWith(review)
  const previewed = props.targets.flatMap((target) => target.changes)
  const wordsOf = (change: SubmittedChange) => previewed.find(({ id }) => id === changes.indexOf(change))
  const actions =
    left === undefined ? (
      <>
        <Button onClick={onClose}>Close</Button>
        {canCancel && (
          <Button kind="quiet" off={sending.busy} onClick={() => void start(stepsInstead(changes))}>
            Cancel #{id} and propose only this
          </Button>
        )}
        {canEdit && (
          <Button kind="primary" busy={sending.busy && 'Sending…'} onClick={() => void start(into)}>
            {labelOf(into)} #{id}
          </Button>
        )}
      </>
    ) : (
      <>
        <Button onClick={onClose}>Close</Button>
        <Button kind="primary" busy={sending.busy && 'Sending…'} onClick={() => void start(left)}>
          Try again
        </Button>
      </>
    )
  return (
    <Dialog
      title={`You have an open change request in ${environment}`}
      above={<PlaceMark project={project} name={environment} />}
      onClose={onClose}
      actions={actions}
    >
      <p>
        <Link to={requestPath(project, id)}>
          <RequestName id={id} title={title} />
        </Link>{' '}
        is {state}. {left === undefined && 'Nothing was changed yet.'}
      </p>
      {canEdit || left !== undefined ? (
        <StepList steps={left ?? into} words={wordsOf} />
      ) : (
        <p>It takes no changes any more: propose again.</p>
      )}
      {left === undefined && (
        <>
          {canEdit && voidedBy(review) !== '' && (
            <p>
              <b>{labelOf(into)}:</b> {voidedBy(review)}
            </p>
          )}
          {canCancel && (
            <p class="muted small">
              If you cancel #{id}, only this is proposed. {lost} You can propose #{id} again afterwards.
            </p>
          )}
        </>
      )}
      <OutcomeNotice action={sending} verb="edit it" keptMessage="What you edited is kept." />
    </Dialog>
  )
}

function call(step: OwnStep, open: ChangeRequestPlace & EditPlace, write: WriteOptions) {
  switch (step.kind) {
    case 'replace':
      return authoring.editChange(open, step.item.id, step.change, write)
    case 'discard':
      return client.discardChange(open, step.item.id, write)
    case 'add':
      return authoring.propose(open, step.changes, write)
    case 'cancel':
      return cancel(open, write)
    case 'propose':
      return create({ kind: 'propose', changes: step.changes }, open, write)
  }
}

/** `Replace it in`, before the number of the change request. */
function labelOf(steps: readonly OwnStep[]): string {
  const adds = steps.some(({ kind }) => kind === 'add')
  const replaces = steps.some(({ kind }) => kind === 'replace')
  return replaces ? (adds ? 'Replace and add to' : 'Replace it in') : 'Add to'
}

interface StepListProps {
  readonly steps: readonly OwnStep[]
  readonly words: (change: SubmittedChange) => ChangeItem | undefined
}

/** What is still to be sent. */
function StepList({ steps, words }: StepListProps) {
  return (
    <ul class="does">
      {steps.map((step) => {
        switch (step.kind) {
          case 'replace':
          case 'discard': {
            const item = step.kind === 'replace' ? words(step.given) : undefined
            return (
              <li key={step.item.id}>
                <Icon name="refresh" /> Replaces <Described change={step.item} />
                {item && (
                  <>
                    {' '}
                    by <RichText words={effectWords([item])} />
                  </>
                )}
              </li>
            )
          }
          case 'cancel':
            return <li key="cancel">Cancels it</li>
          default:
            return step.changes.map((change, index) => (
              <li key={index}>
                <Icon name="plus" /> Adds <Described change={words(change) ?? { payload: null, ...change }} />
              </li>
            ))
        }
      })}
    </ul>
  )
}

/** `checkout: Strategy “Nordics” edited (50 % → 60 % of everybody)` */
function Described({ change }: { readonly change: ChangeItem | (ProposedChange & { readonly feature?: unknown }) }) {
  const item = 'fields' in change ? change : undefined
  const { what, how } = changeWords(change, item?.before ?? item?.after)
  return (
    <>
      {typeof change.feature === 'string' && (
        <>
          <bdi class="flag">{change.feature}</bdi>:{' '}
        </>
      )}
      <bdi>{`${what} ${how}`.trim()}</bdi>
      {item && (
        <>
          {' '}
          (<RichText words={effectWords([item])} />)
        </>
      )}
    </>
  )
}

const targetsOf = ({ changes, changeRequest, segmentNames }: ReviewView) =>
  toTargets(changes, changeRequest, segmentNames)
