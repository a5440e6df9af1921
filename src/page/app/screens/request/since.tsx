import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { ChangedSinceView, EventView, VoidedApprovalView } from '../../../../generated'
import { useMe } from '../../core/api/session'
import { digestsOf, keepSeen, readSeen } from '../../core/tools/seen'
import { dayAndTime } from '../../core/tools/times'
import { PersonName } from '../../parts/marks/person'
import { isClosed } from '../../parts/marks/state'
import { changedSince, type Digests, sinceWords } from '../../words/content/since'
import { approvalsOf } from './review'
import type { RequestProps } from './use-request'

/** What the viewer has seen of an open change request. */
export interface Since {
  /** How changes differ from what the viewer last opened; empty for users who have voted. */
  readonly statuses: ReadonlyMap<number, ChangedSinceView['status']>
  readonly viewed: ReadonlySet<number>
  readonly onView: (id: number, isViewed: boolean) => void
  /** What happened to the changes since the viewer voted or was here; nothing if they are the same. */
  readonly news: ComponentChildren
}

type SinceProps = Pick<RequestProps, 'request' | 'review'> & { readonly events: readonly EventView[] }

/** Undefined for a closed change request, and for callers without a user id. */
export function useSince({ request, review, events }: SinceProps): Since | undefined {
  const { id: user } = useMe()
  const [opened] = useState(() => (user === null ? undefined : readSeen(user, request)))
  const [kept, setKept] = useState<Digests>(opened?.viewed ?? {})
  const now = useMemo(() => digestsOf(review), [review])
  const viewed = useMemo(
    () => Object.fromEntries(Object.entries(kept).filter(([id, digest]) => now[+id] === digest)),
    [kept, now],
  )
  const isOpen = !isClosed(review.state)
  useEffect(() => {
    if (user !== null && isOpen) keepSeen(user, request, { at: new Date().toISOString(), changes: now, viewed })
  }, [user, isOpen, review.digest, viewed])
  const vote = review.votes.find(({ person }) => person.id === user)
  const isStored = vote !== undefined && approvalsOf(review).includes(vote)
  const voided = review.voidedApprovals.findLast(
    ({ by, causedBy }) => by.id === user && (causedBy === null) === isStored,
  )
  const hasVoted = vote !== undefined || voided !== undefined
  const changes = useMemo(() => {
    if (hasVoted) return vote?.changes ?? null
    return opened && events.length > 0 ? changedSince(opened.changes, now, events) : []
  }, [vote, hasVoted, opened, now, events])
  if (user === null || !isOpen) return undefined
  const words = sinceWords(changes ?? [])
  const news = [
    vote && words && `${words} since you approved on ${dayAndTime(vote.at)}.`,
    vote && !words && changes && !isStored && `The changes are as you approved them on ${dayAndTime(vote.at)}.`,
    !changes && !isStored && 'It is not known what changed: the vote was stored by an earlier version.',
    voided && <Voided approval={voided} />,
    opened && !hasVoted && words && `${words} since you last opened it on ${dayAndTime(opened.at)}.`,
  ]
  return {
    statuses: new Map(hasVoted ? [] : changes?.map(({ id, status }) => [id, status])),
    viewed: new Set(Object.keys(viewed).map(Number)),
    onView(id, isViewed) {
      const { [id]: _, ...others } = viewed
      setKept(isViewed ? { ...viewed, [id]: now[id] as string } : others)
    },
    news: news.some(Boolean) && news,
  }
}

/** Who or what voided the approval of the viewer. */
function Voided({ approval: { at, cause, causedBy } }: { readonly approval: VoidedApprovalView }) {
  if (cause === 'expired') return ` Your approval expired on ${dayAndTime(at ?? '')}.`
  if (causedBy === null) return ' Your approval no longer counts: the implied changes differ.'
  if (cause === 'taken-back') return ` You took your approval back on ${dayAndTime(at ?? '')}.`
  if (cause === 'objected') return ` Your objection on ${dayAndTime(at ?? '')} ended your approval.`
  return (
    <>
      {' '}
      <Voiding cause={cause} causedBy={causedBy} at={at} />, which voided your approval.
    </>
  )
}

/** What ended an approval. */
export function Voiding({ cause, causedBy, at }: Omit<VoidedApprovalView, 'by'>) {
  return (
    <>
      {causedBy && <PersonName person={causedBy} />} {voidings[cause]}
      {at && ` on ${dayAndTime(at)}`}
    </>
  )
}

const voidings: Readonly<Partial<Record<VoidedApprovalView['cause'], string>>> = {
  edit: 'edited the changes',
  rebase: 'rebased the changes',
  objected: 'objected',
  'taken-back': 'took it back',
}
