import { useMemo, useRef, useState } from 'preact/hooks'
import type { EventView, ReviewListItemView, ReviewView } from '../../../../generated'
import { useOffline } from '../../core/api/network'
import { queries } from '../../core/api/query'
import { useMe } from '../../core/api/session'
import { type Place, useLocation } from '../../core/places/navigation'
import { PageTitle } from '../../core/places/title'
import { reachOf } from '../../core/tools/production'
import { RichText } from '../../parts/changes/rich-text'
import { Button } from '../../parts/controls/button'
import { Crumbs } from '../../parts/controls/crumbs'
import { DialogFallback, lazy, PartFallback, ScreenFallback } from '../../parts/lazy'
import { EnvironmentMark } from '../../parts/marks/environment-mark'
import { StateMark } from '../../parts/marks/state-mark'
import { Bar, ScreenBar } from '../../parts/messages/bar'
import { NotLoaded } from '../../parts/messages/load-failed'
import { Notice } from '../../parts/messages/notice'
import { useFollowUps } from '../../reviews/follow-ups'
import { useCanPropose } from '../../reviews/places'
import { currentWalk } from '../../reviews/walk'
import { isEdit } from '../../words/content/entries'
import type { TargetItem } from '../../words/content/items'
import { followEdits } from '../../words/content/since'
import { objectOf } from '../../words/json'
import { counted } from '../../words/numbers'
import { requestName } from '../../words/request-name'
import { Changes, Effects } from './changes'
import { Aside, Dock } from './decision'
import { Discussion } from './discussion'
import { useFocusOnMarks, useRequestKeys } from './focus'
import { Head } from './head'
import { nextOf } from './next'
import type { NoticesProps } from './notices'
import { hasNotices, isUnusual } from './review'
import { useSince } from './since'
import { useTakes } from './takes'
import {
  type Actions,
  type DialogName,
  type LoadedRequest,
  type Names,
  type Snapshot,
  useNames,
  useRequest,
  useTimeline,
} from './use-request'
import { useApproval } from './vote'
import { useWalking } from './walking'
import './screen.css'
import './changes.css'
import './panels.css'

interface PlaceProps {
  readonly project: string
  readonly id: number
}

/** One change request: what it changes, which approvals are missing, and what the viewer can do now. */
export function Request({ place: { project, id } }: { readonly place: Extract<Place, { screen: 'request' }> }) {
  return <AnyRequest key={`${project} ${id}`} project={project} id={id} />
}

function AnyRequest({ project, id }: PlaceProps) {
  const me = useMe()
  const state = useRequest({ project, id }, loadUnusual)
  const { loaded, shown } = state
  const timeline = useTimeline({ project, id }, loaded.data?.review.revision)
  const names = useNames(loaded.data, me, timeline.data ?? [])
  if (shown) return <OpenedRequest key={me.id} {...{ shown, state, timeline, names }} />
  const row = rowOf(project, id)
  return (
    <>
      <Crumbs project={project} current={`#${id}`} />
      <div class="page-head">
        <PageTitle title={row ? requestName(row) : `#${id}`}>{row && <bdi>{row.title}</bdi>}</PageTitle>
        {row && <StateMark state={row.state} pill />}
        {row && <EnvironmentMark name={reachOf(row)} />}
      </div>
      <NotLoaded
        loaded={loaded}
        subject="the change request"
        ifGone="Drafts of other users are visible once they are submitted."
      />
    </>
  )
}

/** The row of the inbox, which is shown until the change request is loaded. */
function rowOf(project: string, id: number): ReviewListItemView | undefined {
  const lists = queries.getQueriesData<{ readonly reviews: readonly ReviewListItemView[] }>({ queryKey: ['inbox'] })
  return lists.flatMap(([, list]) => list?.reviews ?? []).find((row) => row.project === project && row.id === id)
}

interface OpenedRequestProps {
  readonly shown: Snapshot
  readonly state: LoadedRequest
  readonly timeline: ReturnType<typeof useTimeline>
  readonly names: Names
}

function OpenedRequest({ shown, state, timeline, names }: OpenedRequestProps) {
  const { change, marks, refresh, showChange } = state
  const isOffline = useOffline() !== undefined
  const [dialog, setDialog] = useState<{ readonly name: DialogName; readonly id: number | undefined } | null>(null)
  const actions: Actions = {
    shown,
    latest: state.loaded.data ?? shown,
    off: change !== null ? 'changed' : isOffline ? 'offline' : null,
    showChange: change === null ? undefined : showChange,
    marks,
    refresh,
    open: (name, id) => setDialog({ name, id }),
  }
  const events = timeline.data ?? []
  const currentId = useMemo(() => followEdits(shown.review.changes, events), [shown.review, timeline.data])
  const review = useMemo(() => withCurrentIds(shown.review, currentId), [shown.review, currentId])
  const props = { ...shown, review, actions }
  const approval = useApproval(props)
  const takes = useTakes(props)
  const [left] = useFollowUps(shown.request)
  const canPropose = useCanPropose()
  const next = nextOf(review, useMe(), names.nameOf)
  const since = useSince({ ...props, events })
  useFocusOnMarks(marks)
  useRequestKeys(props)
  useWalking(shown.request)
  useLocation()
  const hasTimeline = timeline.data !== undefined || timeline.error !== undefined
  const { request, targets } = shown
  const isRead = review.flags === 'current'
  return (
    <>
      <ScreenBar>
        <ChangedBar {...{ change, events, names, showChange }} />
      </ScreenBar>
      <Crumbs project={request.project} current={`#${request.id}`} inbox={currentWalk()?.path} />
      <Head {...props} />
      <div class="cols">
        <div class="stack">
          {Object.keys(left).length > 0 && <FollowUpSteps {...props} />}
          <UnusualNotices {...props} events={events} />
          {window.location.hash !== '' && <Permalink review={review} currentId={hasTimeline ? currentId : undefined} />}
          {!isRead && (
            <Notice
              tone="care"
              icon="refresh"
              title="Flags can't be read now"
              actions={<Button onClick={() => void refresh()}>Try again</Button>}
            >
              The changes are shown as proposed. It can be rejected and discussed, but not approved or applied.
            </Notice>
          )}
          {isLarge(targets) ? (
            <LargeChanges {...props} {...{ since, takes, canPropose }} />
          ) : (
            <>
              {isRead && <Effects {...shown} />}
              <Changes {...props} {...{ since, takes, canPropose }} />
            </>
          )}
        </div>
        <Aside {...props} {...{ approval, next }} nameOf={names.nameOf} />
        <Discussion {...props} timeline={timeline} names={names} />
        <Printed {...props} timeline={timeline} />
      </div>
      <Dock {...props} {...{ approval, next }} />
      {dialog && <RequestDialog {...props} {...dialog} reverts={revertedIn(events)} onClose={() => setDialog(null)} />}
    </>
  )
}

/** The change request that this one reverts. */
function revertedIn([created]: readonly EventView[]): number | undefined {
  const { reverts } = objectOf(created?.data)
  return typeof reverts === 'number' ? reverts : undefined
}

/** Comments on a change that was edited are about the change that replaced it. */
function withCurrentIds(review: ReviewView, currentId: (id: number) => number): ReviewView {
  const discussion = review.discussion.map((comment) => {
    const { changeId } = comment
    return changeId === null ? comment : { ...comment, changeId: currentId(changeId) }
  })
  return { ...review, discussion }
}

/** What is unusual about the state. Most requests load nothing; once shown it stays, with the outcome of its step. */
function UnusualNotices(props: NoticesProps) {
  const isNeeded = useRef(false)
  const { review, events } = props
  isNeeded.current ||= hasNotices(review) || revertedIn(events) !== undefined
  return isNeeded.current ? <Notices {...props} /> : null
}

/**
 * Loads what most requests do not show, so that nothing moves when it appears. All of it is in the file of the notices. If that
 * fails, each part shows that in its place.
 */
async function loadUnusual(review: ReviewView): Promise<void> {
  if (isUnusual(review)) await import('./notices').catch(() => undefined)
}

const Notices = lazy(async () => (await import('./notices')).Notices, PartFallback)
// Loaded before it is printed: what is printed cannot wait.
const Printed = lazy(
  async () => (await import('./printed')).Printed,
  () => null,
)
const Permalink = lazy(async () => (await import('./dialogs')).Permalink, PartFallback)
const FollowUpSteps = lazy(async () => (await import('./dialogs')).FollowUpSteps, PartFallback)
// Most viewers open none.
const RequestDialog = lazy(async () => (await import('./dialogs')).RequestDialog, DialogFallback)
const LargeChanges = lazy(async () => (await import('./large-changes')).LargeChanges, ScreenFallback)

/** More changes would be a long list, so equal ones are grouped. */
function isLarge(targets: readonly TargetItem[]): boolean {
  return targets.flatMap(({ changes }) => changes).length > 20
}

interface ChangedBarProps extends Pick<LoadedRequest, 'change' | 'showChange'>, Pick<OpenedRequestProps, 'names'> {
  readonly events: readonly EventView[]
}

/** The content changed while the viewer looked at it. Nothing on the screen moves until they show the change. */
function ChangedBar({ change, events, names, showChange }: ChangedBarProps) {
  if (change === null) return null
  const { isEdit: isEdited, voidedApprovals, words } = change
  const edit = events.findLast(isEdit)
  return (
    <Bar
      tone="care"
      icon="warn"
      title={
        isEdited && edit ? (
          <>
            <bdi>{names.actorOf(edit)}</bdi> changed the content while you looked.
          </>
        ) : (
          `The ${isEdited ? 'content' : 'flags'} changed while you looked.`
        )
      }
      actions={
        <Button kind="primary" onClick={showChange}>
          Show what changed
        </Button>
      }
    >
      <RichText words={words} />.
      {voidedApprovals > 0 &&
        ` ${voidedApprovals === 1 ? 'The 1 approval given is' : `${counted(voidedApprovals, 'approval')} are`} void.`}
    </Bar>
  )
}
