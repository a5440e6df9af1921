import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useOffline } from '../../core/api/network'
import { useMe } from '../../core/api/session'
import { Link } from '../../core/places/link'
import type { Place } from '../../core/places/navigation'
import { PageTitle } from '../../core/places/title'
import { Icon } from '../../parts/marks/icon'
import { Bars } from '../../parts/messages/bar'
import { LoadFailed } from '../../parts/messages/load-failed'
import { Loading } from '../../parts/messages/notice'
import type { TargetItem } from '../../words/content/items'
import { ChangedBar } from './changed-bar'
import { Changes } from './changes/changes'
import { Effects } from './changes/effects'
import { focusOnFirst } from './changes/places'
import { ApprovalProvider } from './decision/approval'
import { Aside } from './decision/aside'
import { Dock } from './decision/dock'
import { Head } from './head/head'
import { Standing } from './head/standing'
import { type DialogName, type RequestContext, RequestProvider } from './model/context'
import { useNames } from './model/people'
import { useHistory } from './model/use-history'
import { useRequest } from './model/use-request'
import { RequestKeys } from './request-keys'
import './style/index.css'

interface RequestProps {
  readonly place: Extract<Place, { screen: 'request' }>
}

/** One change request: what will be different, who still has to say yes, and what one can do now. */
export function Request({ place: { project, id } }: RequestProps) {
  const place = useMemo(() => ({ project, id }), [project, id])
  const me = useMe()
  const isOffline = useOffline() !== undefined
  const { loaded, content, change, marks, showChange, refresh } = useRequest(place)
  const latest = loaded.data
  const timeline = useHistory(place, latest?.review.revision)
  const events = timeline.data ?? []
  const names = useNames(latest, me, events)
  const [dialog, setDialog] = useState<DialogName | null>(null)
  const later = useLater(dialog)
  const shown = useRef(marks)
  useLayoutEffect(() => {
    if (marks !== null && marks !== shown.current) focusOnFirst(marks)
    shown.current = marks
  }, [marks])
  if (content === undefined || latest === undefined) {
    return (
      <>
        <Crumbs project={project} id={id} />
        <div class="page-head">
          <PageTitle title={`#${id}`} />
        </div>
        {loaded.error ? (
          <LoadFailed
            loaded={loaded}
            what="the change request"
            ifGone="Drafts of others are found once they are submitted."
          />
        ) : (
          <Loading what="the change request" />
        )}
      </>
    )
  }
  const context: RequestContext = {
    place,
    me,
    content,
    latest,
    events,
    change,
    marks,
    off: change !== null ? 'changed' : isOffline ? 'offline' : null,
    refresh,
    showChange,
    later,
    open: setDialog,
    ...names,
  }
  return (
    <RequestProvider value={context}>
      <ApprovalProvider>
        <Bars>
          <ChangedBar />
        </Bars>
        <Crumbs project={project} id={id} />
        <Head />
        <div class="cols">
          <div class="stack">
            <Standing />
            {isLarge(content.targets) && later !== null ? (
              later ? (
                <later.LargeChanges />
              ) : (
                <Loading what="the changes" />
              )
            ) : (
              <>
                <Effects />
                <Changes />
              </>
            )}
          </div>
          <Aside />
          {later && <later.Discussion timeline={timeline} />}
        </div>
        <Dock />
        {dialog !== null && later && <later.ShownDialog name={dialog} />}
        <RequestKeys />
      </ApprovalProvider>
    </RequestProvider>
  )
}

/** More changes would be a long list: equal ones are grouped. */
function isLarge(targets: readonly TargetItem[]): boolean {
  return targets.flatMap(({ changes }) => changes).length > 20
}

function Crumbs({ project, id }: { readonly project: string; readonly id: number }) {
  return (
    <nav class="crumbs" aria-label="You are here">
      <Link to="/">Inbox</Link>
      <Icon name="chevronRight" />
      <bdi>{project}</bdi>
      <Icon name="chevronRight" />
      <span>#{id}</span>
    </nav>
  )
}

/** Dialogs, the discussion and the list of many changes, without their code until it is loaded; null if it cannot be. */
function useLater(dialog: DialogName | null) {
  const [later, setLater] = useState<typeof import('./later') | null>()
  useEffect(() => {
    if (later) return
    // What could not be loaded is requested again when the next dialog is opened.
    import('./later').then(setLater, () => setLater(null))
  }, [dialog])
  return later
}
