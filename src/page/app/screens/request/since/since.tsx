import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks'
import type { ChangedSinceView, VoidedApprovalView } from '../../../../../generated'
import { createStore, useStore } from '../../../core/tools/store'
import { dayAndTime } from '../../../core/tools/times'
import { ChangedMark } from '../../../parts/changes/field-table'
import { Person, PersonName } from '../../../parts/marks/person'
import { changedSince, type Digests, sinceWords } from '../../../words/content/since'
import { useRequestContext } from '../model/context'
import { approvalsOf } from '../model/people'
import { digestsOf, keepSeen, readSeen } from './seen'

/** What the parts of each change show. */
interface Marks {
  /** Since the viewer last opened it; empty if they have voted. */
  readonly statuses: ReadonlyMap<number, ChangedSinceView['status']>
  readonly viewed: ReadonlySet<number>
  /** Undefined where nothing can be marked as viewed. */
  readonly onView?: (id: number, isViewed: boolean) => void
}

const noMarks: Marks = { statuses: new Map(), viewed: new Set() }
const shownMarks = createStore(noMarks)

/** What differs from what the viewer approved or last opened, and how much they have viewed. */
export function Since() {
  const { place, me } = useRequestContext()
  return me.id === null ? null : <SinceSeen key={`${me.id} ${place.project} ${place.id}`} user={me.id} />
}

function SinceSeen({ user }: { readonly user: number }) {
  const { place, content, events } = useRequestContext()
  const { review } = content
  const [opened] = useState(() => readSeen(user, place))
  const [kept, setKept] = useState<Digests>(opened?.viewed ?? {})
  const now = useMemo(() => digestsOf(review), [review])
  const viewed = useMemo(
    () => Object.fromEntries(Object.entries(kept).filter(([id, digest]) => now[+id] === digest)),
    [kept, now],
  )
  useEffect(() => {
    keepSeen(user, place, { at: new Date().toISOString(), changes: now, viewed })
  }, [review.digest, viewed])

  const vote = review.votes.find(({ person }) => person.id === user)
  const isStored = vote !== undefined && approvalsOf(content).includes(vote)
  const voided = review.voidedApprovals.findLast(
    ({ by, causedBy }) => by.id === user && (causedBy === null) === isStored,
  )
  const hasVoted = vote !== undefined || voided !== undefined
  const changes = useMemo(() => {
    if (hasVoted) return vote?.changes ?? null
    return opened && events.length > 0 ? changedSince(opened.changes, now, events) : []
  }, [vote, hasVoted, opened, now, events])

  useLayoutEffect(() => {
    shownMarks.set({
      statuses: new Map(hasVoted ? [] : changes?.map(({ id, status }) => [id, status])),
      viewed: new Set(Object.keys(viewed).map(Number)),
      onView(id, isViewed) {
        const { [id]: _, ...others } = viewed
        setKept(isViewed ? { ...viewed, [id]: now[id] as string } : others)
      },
    })
  }, [changes, hasVoted, viewed, now])
  useLayoutEffect(() => () => shownMarks.set(noMarks), [])

  const words = sinceWords(changes ?? [])
  return (
    <p class="small">
      <span role="status">{`${Object.keys(viewed).length} of ${review.changes.length} viewed`}</span>
      {vote && words && ` · ${words} since you approved on ${dayAndTime(vote.at)}.`}
      {vote && !words && changes && !isStored && ` · The changes are as you approved them on ${dayAndTime(vote.at)}.`}
      {!changes && !isStored && ' · It is not known what changed: the vote was stored by an earlier version.'}
      {voided && <Voided approval={voided} />}
      {opened && !hasVoted && words && ` · ${words} since you last opened it on ${dayAndTime(opened.at)}.`}
    </p>
  )
}

/** Who or what voided the approval of the viewer. */
function Voided({ approval: { at, cause, causedBy } }: { readonly approval: VoidedApprovalView }) {
  if (cause === 'expired') return ` Your approval expired on ${dayAndTime(at ?? '')}.`
  if (causedBy === null) return ' Your approval no longer counts: the implied changes differ.'
  return (
    <>
      {' '}
      <VoidingEdit cause={cause} causedBy={causedBy} at={at} />, which voided your approval.
    </>
  )
}

function VoidingEdit({ cause, causedBy, at }: Omit<VoidedApprovalView, 'by'>) {
  return (
    <>
      {causedBy && <PersonName person={causedBy} />} {cause === 'edit' ? 'edited' : 'rebased'} the changes
      {at && ` on ${dayAndTime(at)}`}
    </>
  )
}

/** The approvals that an edit or a rebase removed, of people who have not approved again. */
export function VoidedVotes() {
  const { latest, me } = useRequestContext()
  const { votes, voidedApprovals } = latest.review
  const stored = approvalsOf(latest)
  return votes
    .filter((vote) => !stored.includes(vote))
    .map(({ person, at }) => {
      const voided = voidedApprovals.findLast(({ by, causedBy }) => by.id === person.id && causedBy !== null)
      return (
        <li key={`voided ${person.id}`}>
          <Person person={person} />
          <span>
            <b>{person.id === me.id ? 'You' : <PersonName person={person} />}</b> approved
            {voided && (
              <small class="muted">
                {' · '}
                <VoidingEdit {...voided} />
              </small>
            )}
          </span>
          <span class="end">{dayAndTime(at)}</span>
        </li>
      )
    })
}

/** What happened to a change since the viewer last opened it, or since they looked. */
export function SinceMark({ id, isNew }: { readonly id: number; readonly isNew: boolean }) {
  const status = useStore(shownMarks).statuses.get(id)
  if (status === 'edited') return <ChangedMark>Edited since you last opened it</ChangedMark>
  if (status === 'new') return <ChangedMark>New since you last opened it</ChangedMark>
  return isNew ? <ChangedMark>New since you looked</ChangedMark> : null
}

/** The viewer's mark on a change, which folds it. */
export function Viewed({ id, label }: { readonly id: number; readonly label: string }) {
  const { viewed, onView } = useStore(shownMarks)
  if (onView === undefined) return null
  return (
    <label>
      <input
        type="checkbox"
        data-key="v"
        aria-label={`Viewed: ${label}`}
        checked={viewed.has(id)}
        onChange={({ currentTarget }) => onView(id, currentTarget.checked)}
      />
      <span class="txt">Viewed</span>
    </label>
  )
}
