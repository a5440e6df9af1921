import { useMemo, useRef, useState } from 'preact/hooks'
import type { ChangeRequestPlace } from '../../../../client'
import type { ReviewView, SubmittedChange } from '../../../../generated'
import { useAction } from '../../core/api/action'
import { useQuery } from '../../core/api/query'
import { client } from '../../core/api/session'
import { Link } from '../../core/places/link'
import { navigateFrom, requestPath, useLocation } from '../../core/places/navigation'
import { PageTitle } from '../../core/places/title'
import { Button } from '../../parts/controls/button'
import { NotLoaded } from '../../parts/messages/load-failed'
import { Notice } from '../../parts/messages/notice'
import { OutcomeNotice } from '../../parts/messages/outcome-notice'
import { say } from '../../parts/messages/status-line'
import { useProjects, useSettings } from '../../reviews/projects'
import { voidedBy } from '../../reviews/voids'
import { ChangeForm } from './change-form'
import { Suggested } from './fields'
import { openRequestIn, problemsOf } from './model/answers'
import { untyped } from './model/draft'
import { authoring, useChange } from './model/use-change'
import './authoring.css'

export { Editor, type EditorProps } from './editor'

/** Proposes a first change. The address can name its project, environment and flag, for links from an editor of flags. */
export function NewRequest() {
  const { path, query } = useLocation()
  const address = query.toString()
  const initial = useMemo(() => {
    const of = (name: string) => query.get(name) ?? ''
    return { project: of('project'), environment: of('environment'), feature: of('feature'), action: '' }
  }, [address])
  const form = useChange(`proposal ${address}`, initial)
  const { draft, write, change } = form
  const { project, environment } = draft
  const projects = useProjects()
  const environments = useSettings(project).data?.map(({ environment }) => environment) ?? []
  const [open, setOpen] = useState<ChangeRequestPlace>()
  const [attempt, setAttempt] = useState(0)
  const made = useRef(0)
  const proposal = useAction(async ({ idempotencyKey, signal }, change: SubmittedChange, onto?: ReviewView) => {
    const guard = onto === undefined ? { ifNoneMatch: '*' as const } : { ifMatch: onto.revision }
    try {
      const answer = await form.send(() =>
        authoring.propose({ project, environment }, change, { ...guard, idempotencyKey, signal }),
      )
      made.current = answer.body.id
    } catch (error) {
      // A second 412 names no change request: it is still the one that is shown.
      const found = openRequestIn(error)
      if (found !== undefined) setOpen(found)
      throw error
    }
  })
  const propose = async (onto?: ReviewView) => {
    if (change === undefined) return
    if (onto === undefined) setOpen(undefined)
    const outcome = await proposal.start(change, onto)
    setAttempt((count) => count + 1)
    if (outcome?.kind !== 'done') return
    form.clear()
    say(onto === undefined ? 'A draft was created.' : 'The change was added.')
    navigateFrom(path, requestPath(project, made.current))
  }
  const place = (next: { project: string } | { environment: string }) => {
    setOpen(undefined)
    proposal.stop()
    write({ ...next, ...untyped })
  }
  const { outcome } = proposal
  const isShown = open !== undefined && (outcome?.kind === 'changed' || outcome?.kind === 'unsure')
  return (
    <>
      <div class="page-head">
        <PageTitle title="Propose a change" />
      </div>
      <form
        class="panel side dlg-fields edge"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void propose()
        }}
      >
        <Suggested
          label="Project"
          value={project}
          options={projects ?? []}
          onChoose={(next) => place({ project: next })}
        />
        <Suggested
          label="Environment"
          value={environment}
          options={environments}
          onChoose={(next) => place({ environment: next })}
        />
        {project !== '' && environment !== '' && (
          <ChangeForm
            key={`${project} ${environment}`}
            form={form}
            problems={problemsOf(outcome)}
            isBusy={proposal.busy}
          />
        )}
        <p>
          <Button submit kind="primary" off={change === undefined} busy={proposal.busy && 'Sending…'}>
            Propose
          </Button>
        </p>
        {!isShown && <OutcomeNotice action={proposal} verb="propose this" keptMessage="What you typed is kept." />}
        <div role="status">
          {open !== undefined && (
            <OpenRequest place={open} attempt={attempt} busy={proposal.busy} onAdd={(review) => void propose(review)} />
          )}
        </div>
      </form>
    </>
  )
}

interface OpenRequestProps {
  readonly place: ChangeRequestPlace
  /** Counts the attempts, so that each one is followed by a new look. */
  readonly attempt: number
  readonly busy: boolean
  readonly onAdd: (review: ReviewView) => void
}

/** The caller has an open change request there: what adding to it means. Nothing is added before this is shown. */
function OpenRequest({ place, attempt, busy, onAdd }: OpenRequestProps) {
  const { project, id } = place
  const loaded = useQuery(['open request', project, id, attempt], (options) => client.review(place, options))
  const review = loaded.data
  if (review === undefined) return <NotLoaded loaded={loaded} subject={`#${id}`} />
  const { environment, title } = review.changeRequest
  const isTaking = review.steps.some(({ step, offered }) => step === 'edit' && offered)
  return (
    <Notice
      tone="care"
      icon="info"
      title={
        <>
          You have an open change request in <bdi>{environment}</bdi>
        </>
      }
      actions={
        <>
          {isTaking && (
            <Button icon="plus" busy={busy && 'Adding…'} onClick={() => onAdd(review)}>
              Add to #{id}
            </Button>
          )}
          <Link class="btn" to={requestPath(project, id)}>
            Open #{id}
          </Link>
        </>
      }
    >
      #{id} <bdi>{title}</bdi> is {review.state}.{' '}
      {isTaking
        ? `Add your change to it, or finish it first. ${voidedBy(review)}`
        : 'It takes no changes any more: propose again.'}{' '}
      Nothing was changed yet.
    </Notice>
  )
}
