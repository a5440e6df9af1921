import { useMemo, useRef } from 'preact/hooks'
import type { PreviewView, SubmittedChange } from '../../../../generated'
import { type Missing, problemsOf } from '../../core/api/answers'
import { authoring } from '../../core/api/authoring'
import { type Loaded, useQuery } from '../../core/api/query'
import { usePaused } from '../../core/tools/use-paused'
import type { TargetItem } from '../../words/content/items'
import { toPreviewed } from '../../words/content/previewed'
import type { SegmentNames } from '../../words/fields/labels'
import type { EditPlace } from '../now/own-open'
import { errorsByField } from './errors'
import type { FlagEdit } from './model/edit'

export interface FlagPlace extends EditPlace {
  readonly feature: string
}

/** What the changes of an edit would do. */
export interface Preview extends Pick<PreviewView, 'freezes' | 'requirements' | 'checks' | 'customFields'> {
  readonly targets: readonly TargetItem[]
}

export interface PreviewState {
  /** The latest answer, kept until there is a newer one; undefined while nothing is edited. */
  readonly shown: Preview | undefined
  /** Whether it is about the changes as they are now, as far as they can be previewed. */
  readonly isCurrent: boolean
  readonly loaded: Loaded<PreviewView>
  /** What is wrong with the changes that were sent, and these changes. */
  readonly problems: readonly Missing[]
  readonly sent: readonly SubmittedChange[]
}

/** After the last key. */
const pauseMs = 300

/** Asks what changes would do, while they are being written. An answer to older changes never replaces a newer one. */
export function usePreview(
  { project, environment }: EditPlace,
  changes: readonly SubmittedChange[],
  names: SegmentNames,
): PreviewState {
  // The edit follows the flag by itself, so the preview is always about the current one.
  const written = JSON.stringify(changes.map(({ expected: _, ...change }) => change))
  const isNone = changes.length === 0
  const paused = usePaused(written, isNone ? 0 : pauseMs)
  const text = isNone ? written : paused
  const sent: readonly SubmittedChange[] = useMemo(() => JSON.parse(text), [text])
  const loaded = useQuery<PreviewView>(
    ['preview', project, environment, text],
    sent.length === 0 ? undefined : (options) => authoring.preview({ project, environment }, sent, options),
    { changedBy: (events) => events.some((event) => event.project === project) },
  )
  const latest = useRef<Preview>(undefined)
  const { data } = loaded
  const found = useMemo(() => data && { ...data, targets: toPreviewed(data, sent, names) }, [data, sent, names])
  if (found) latest.current = found
  if (isNone) latest.current = undefined
  const isCurrent = text === written && (data !== undefined || loaded.error !== undefined)
  return { shown: latest.current, isCurrent, loaded, problems: problemsOf(loaded.error), sent }
}

const noErrors: ReadonlyMap<string, string> = new Map()

/** What is wrong with what was typed, by its field. */
export function useErrors({ problems, sent }: PreviewState, edit: FlagEdit | undefined): ReadonlyMap<string, string> {
  return useMemo(() => (edit ? errorsByField(problems, sent, edit) : noErrors), [problems, edit])
}
