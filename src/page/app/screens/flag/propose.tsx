import { useRef, useState } from 'preact/hooks'
import type { ChangeRequestPlace } from '../../../../client'
import { maxTitleLength } from '../../../../domain/content/title'
import type { CustomFieldsSchemaView, CustomFieldsUpdate, SubmittedChange } from '../../../../generated'
import { type Attempt, useAction } from '../../core/api/action'
import { problemsOf } from '../../core/api/answers'
import { authoring } from '../../core/api/authoring'
import { client, useMe } from '../../core/api/session'
import { navigateFrom, requestPath, useLocation } from '../../core/places/navigation'
import { useDraft } from '../../core/tools/drafts'
import { reachOfTargets } from '../../core/tools/production'
import { Button } from '../../parts/controls/button'
import { CustomFieldsForm } from '../../parts/controls/custom-fields-form'
import { Dialog } from '../../parts/controls/dialog'
import { CommentField, TextField } from '../../parts/controls/field'
import { maxApprovers, ReviewersField, useReviewers } from '../../parts/controls/reviewers-field'
import { PlaceMark, ProductionBand } from '../../parts/marks/environment-mark'
import { Icon } from '../../parts/marks/icon'
import { OutcomeNotice } from '../../parts/messages/outcome-notice'
import { say } from '../../parts/messages/status-line'
import { type FollowUps, keepFollowUps } from '../../reviews/follow-ups'
import type { TargetItem } from '../../words/content/items'
import { titleOf } from '../../words/effects/effects'
import { emptyRequired, fieldErrors, type Typed, typedOf, valuesOf } from '../../words/typed-fields'
import { openRequestIn } from '../authoring/model/answers'
import { EffectList } from '../now/effect-list'
import type { EditPlace } from '../now/own-open'
import { OwnRequest } from './own-request'
import type { Edited } from './use-edit'

interface ProposeProps {
  readonly place: EditPlace
  /** The name under which the reason is kept until it is sent. */
  readonly draftName: string
  readonly targets: readonly TargetItem[]
  /** Whether the targets are those of the changes. */
  readonly isReady: boolean
  readonly changes: readonly SubmittedChange[]
  /** The custom fields of the host app; null for none. */
  readonly schema: CustomFieldsSchemaView | null
  readonly send: Edited['send']
  /** The edit is sent, and not needed any more. */
  readonly onSent: () => void
  readonly onClose: () => void
}

/** Proposes the changes as a new change request, with a title, a reason and reviewers. Each of these is a later call. */
export function Propose({ place, draftName, targets, isReady, changes, schema, send, onSent, onClose }: ProposeProps) {
  const { project, environment } = place
  const { path } = useLocation()
  const me = useMe()
  const suggested = titleOf(targets)
  const [title, setTitle] = useState<string>()
  const [typed, setTyped] = useState<Typed>(() => (schema ? typedOf(schema) : {}))
  const [isComplete, setComplete] = useState(true)
  const [why, setWhy, clearWhy] = useDraft(`why ${draftName}`)
  const [chosen, setChosen] = useState<readonly number[]>([])
  const reviewers = useReviewers(place)
  /** The open change request of the caller there: nothing was added to it. */
  const [open, setOpen] = useState<ChangeRequestPlace>()
  const sent = useRef<readonly SubmittedChange[]>([])
  const created = useRef<number>(undefined)
  // A retry sends what was sent first, also if the flag was edited meanwhile.
  const proposal = useAction(async (attempt: Attempt, first: typeof changes, values: CustomFieldsUpdate) => {
    const { idempotencyKey, signal } = attempt
    // It may have been created before its fields were refused.
    if (created.current === undefined) await create(first, attempt)
    if (created.current === undefined || Object.keys(values).length === 0) return
    await client.setCustomFields({ project, id: created.current }, values, { idempotencyKey, signal })
  })
  const create = (first: typeof changes, { idempotencyKey, signal }: Attempt) =>
    send(first, async (changes) => {
      sent.current = changes
      try {
        const write = { ifNoneMatch: '*', idempotencyKey, signal } as const
        created.current = (await authoring.propose(place, changes, write)).body.id
      } catch (error) {
        const found = openRequestIn(error)
        if (found) setOpen(found)
        throw error
      }
    })
  const named = (title ?? suggested).trim()
  const isSubmitted = useRef(false)
  const finish = (id: number, isNew: boolean) => {
    const followUps: FollowUps = {
      ...(isNew && named !== '' && { title: named }),
      ...(chosen.length > 0 && { reviewers: chosen }),
      ...(isSubmitted.current && { submit: true }),
    }
    keepFollowUps({ project, id }, followUps, why)
    clearWhy()
    onSent()
    onClose()
    navigateFrom(path, requestPath(project, id))
  }
  const propose = async (submits: boolean) => {
    const isFilled = !submits || !schema || emptyRequired(schema, typed).length === 0
    setComplete(isFilled)
    if (!isFilled) return
    isSubmitted.current = submits
    setOpen(undefined)
    const outcome = await proposal.start(changes, schema ? valuesOf(schema, typed) : {})
    if (outcome?.kind !== 'done' || created.current === undefined) return
    say('The change request was created.')
    finish(created.current, true)
  }
  if (open) {
    return <OwnRequest {...{ targets, send, onClose }} place={open} changes={sent.current} onDone={finish} />
  }
  const close = () => {
    if (created.current === undefined) return onClose()
    isSubmitted.current = false
    finish(created.current, true)
  }
  const errors = new Map(fieldErrors(problemsOf(proposal.outcome)))
  if (schema && !isComplete) for (const name of emptyRequired(schema, typed)) errors.set(name, 'Needed for the review.')
  const isOff = !isReady || chosen.length > maxApprovers
  const reach = reachOfTargets(environment, targets)
  return (
    <Dialog
      title="Propose"
      wide
      band={<ProductionBand name={reach} />}
      above={<PlaceMark project={project} name={reach} />}
      subtitle={<EffectList targets={targets} />}
      onClose={close}
      onSubmit={() => isOff || void propose(true)}
      actions={
        <>
          <Button onClick={close}>Close</Button>
          <Button off={isOff || proposal.busy} onClick={() => void propose(false)}>
            Save as draft
          </Button>
          <Button submit icon="review" kind="primary" off={isOff} busy={proposal.busy && 'Sending…'}>
            Send to review
          </Button>
        </>
      }
    >
      <div class="dlg-fields">
        <TextField label="Title" maxLength={maxTitleLength} value={title ?? suggested} onText={setTitle} />
        {schema && <CustomFieldsForm {...{ schema, typed, errors }} onType={setTyped} />}
        <CommentField
          label="Why"
          help="Optional. Everyone who can see the change request can read it."
          comment={why}
          onComment={setWhy}
        />
        <details class="others">
          <summary>
            <Icon name="chevronRight" class="fold" />
            Ask reviewers <span class="muted">(optional{chosen.length > 0 && `, ${chosen.length} chosen`})</span>
          </summary>
          <ReviewersField environment={environment} author={me.id} {...{ reviewers, chosen }} onChoose={setChosen} />
        </details>
      </div>
      <OutcomeNotice action={proposal} verb="propose this" keptMessage="Your edit is kept." />
    </Dialog>
  )
}
