import { useLayoutEffect, useRef } from 'preact/hooks'
import type { ChangeRequestPlace } from '../../../../client'
import type { ReviewListItemView, ReviewView } from '../../../../generated'
import { queries, useQuery } from '../../core/api/query'
import { client } from '../../core/api/session'
import { Link } from '../../core/places/link'
import { currentLocation, navigateFrom, requestPath } from '../../core/places/navigation'
import { RichText } from '../../parts/changes/rich-text'
import { Icon } from '../../parts/marks/icon'
import { RequestName } from '../../parts/marks/request-name'
import { say } from '../../parts/messages/status-line'
import { currentWalk, decided, startWalk } from '../../reviews/walk'
import { listedWords } from '../../words/effects/listed'
import { requestName } from '../../words/request-name'
import { decisionWords } from './decision-words'
import { arriving, decisionId } from './focus'

type NextRequestProps = { readonly request: ChangeRequestPlace }

/** The next change request that needs the viewer, with what it does. */
export function NextRequest({ request: { project, id } }: NextRequestProps) {
  const { data: next } = useQuery(['next', project, id], async (options) => ({ body: await findNext(id, options) }))
  const part = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const { activeElement } = document
    // The button of the decision is off or gone.
    if (next && (activeElement === document.body || document.getElementById(decisionId)?.contains(activeElement))) {
      part.current?.querySelector('a')?.focus({ preventScroll: true })
    }
  }, [next])
  return (
    <div class="next" role="status" ref={part}>
      {next && (
        <Link class="btn wide" to={requestPath(next.project, next.id)}>
          <span>
            Next:{' '}
            <span class="strong">
              <RequestName {...next} />
            </span>
            {next.effects?.map(({ name, changes }) => (
              <small key={name} class="soft small">
                <bdi class="flag">{name}</bdi> <RichText words={listedWords(changes)} />
              </small>
            ))}
          </span>
          <Icon name="chevronRight" />
        </Link>
      )}
      {next === null && <p class="soft">Nothing else needs you.</p>}
    </div>
  )
}

type Options = { readonly signal?: AbortSignal }

/** From the list that the viewer left, in its order; at its end, or without one, from the current list. */
async function findNext(id: number, options: Options): Promise<ReviewListItemView | null> {
  const walk = currentWalk()
  const rows = walk?.isMine ? walk.rows : []
  const at = rows.findIndex((row) => row.id === id)
  const isOpen = (row: ReviewListItemView) => row.id !== id && !decided.get().has(row.id)
  const left = [...rows.slice(at + 1), ...rows.slice(0, at + 1)].find(isOpen)
  return left ?? (await readMine(options)).find((row) => row.id !== id) ?? null
}

async function readMine(options: Options): Promise<readonly ReviewListItemView[]> {
  return (await client.reviews({ needs: 'me', order: 'waiting', limit: 50 }, options)).body.reviews
}

/** Goes to the next or previous one of the list from which the viewer opened this one, else of those that need them. */
export async function goBy(id: number, by: 1 | -1): Promise<void> {
  const { path } = currentLocation()
  if (currentWalk() === undefined) startWalk({ key: '', path: '/', isMine: true, rows: await readMine({}) })
  const rows = currentWalk()?.rows ?? []
  const at = rows.findIndex((row) => row.id === id)
  const row = at < 0 && by < 0 ? rows.at(-1) : rows[at + by]
  if (row === undefined) return say(`This is the ${by > 0 ? 'last' : 'first'} one of the list.`)
  arriving.atSteps = document.getElementById(decisionId)?.contains(document.activeElement) === true
  say(requestName(row))
  navigateFrom(path, requestPath(row.project, row.id))
}

/** Keeps what a step of the viewer led to, if it decided anything. */
export function noteDecision(before: ReviewView, now: ReviewView, user: number | null | undefined): void {
  const words = decisionWords(before, now, user)
  if (words === undefined) return
  decided.set(new Map([...decided.get(), [now.id, words]]))
  // Without the event stream, the count would be read again after 15 s.
  void queries.refetchQueries({ queryKey: ['needs me'] })
}
