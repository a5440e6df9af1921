import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { FlagView, OfferedActionsView, SubmittedChange } from '../../../../generated'
import { authoring } from '../../core/api/authoring'
import { pollMs } from '../../core/api/live'
import { type Loaded, useQuery } from '../../core/api/query'
import { currentUser, useMe } from '../../core/api/session'
import { flagPath } from '../../core/places/navigation'
import { useDraft } from '../../core/tools/drafts'
import { useOtherTabs } from '../../core/tools/tabs'
import { useSettings } from '../../reviews/projects'
import type { JsonObject } from '../../words/json'
import { isOutdatedBase } from '../authoring/model/answers'
import { type EditedField, editedFields } from '../authoring/model/merge'
import type { Offered } from '../authoring/model/payload'
import type { EditPlace } from '../now/own-open'
import { changesOf } from './model/changes'
import { beginEdit, type FlagEdit, follow, isEdited, type ReadState, withoutPlaces } from './model/edit'
import type { FlagPlace } from './use-preview'

/** The edit of a flag or segment. */
export interface Edited {
  /** Change requests are disabled there. */
  readonly isOff: boolean
  readonly actions: Loaded<OfferedActionsView>
  readonly offered: readonly Offered[]
  /** Undefined until the flag or segment is read. */
  readonly edit: FlagEdit | undefined
  /** What the edit would send. */
  readonly changes: readonly SubmittedChange[]
  /** What both sides edited; nothing is to be sent until each is chosen. */
  readonly conflicts: readonly EditedField[]
  /** What followed an edit of another user since the screen was opened, or since it was last noted. */
  readonly followed: readonly EditedField[]
  noteFollowed(): void
  /** Another tab of the user shows the same. */
  readonly isElsewhere: boolean
  write(edit: FlagEdit): void
  /** The flag as it is now; also once all is sent. */
  startOver(): void
  /**
   * Sends the changes. If the flag was edited meanwhile, nothing is stored: it is read again, and the edit follows and is sent
   * once more, unless there is a conflict.
   */
  send<T>(changes: readonly SubmittedChange[], call: (changes: readonly SubmittedChange[]) => Promise<T>): Promise<T>
}

export interface EditedFlag extends Edited {
  readonly flag: Loaded<FlagView>
}

/** The edit of a flag. */
export function useEdit({ project, environment, feature }: FlagPlace): EditedFlag {
  const flag = useQuery<FlagView>(
    ['flag', project, environment, feature],
    (options) => authoring.flag(project, environment, feature, options),
    // Polls, because the host app can edit a flag without an event.
    { changedBy: (events) => events.some((one) => one.project === project && one.featureName === feature), pollMs },
  )
  const isArchived = flag.data?.state?.archived === true
  const toChanges = (edit: FlagEdit, offered: readonly Offered[]) => changesOf(edit, offered, feature)
  const path = flagPath(project, feature, environment)
  return { flag, ...useEditOf(flag, { project, environment }, path, isArchived ? undefined : toChanges) }
}

/**
 * An edit of what was loaded. It is kept in the tab for its user, with the state that it began with, and follows that.
 *
 * @param path Of its screen: the edit is kept for it.
 * @param toChanges Undefined where nothing can be edited.
 */
export function useEditOf(
  target: Loaded<ReadState>,
  { project, environment }: EditPlace,
  path: string,
  toChanges: ((edit: FlagEdit, offered: readonly Offered[]) => readonly SubmittedChange[]) | undefined,
): Edited {
  const name = `edit ${path}`
  const [text, keep] = useDraft(name)
  const actions = useQuery<OfferedActionsView>(['actions', project, environment], (options) =>
    authoring.actions(project, environment, options),
  )
  const isOff =
    useSettings(project).data?.some((one) => one.environment === environment && !one.changeRequestEnabled) === true
  const read = target.data
  const offered = (toChanges && !isOff ? (actions.data?.actions ?? nothing) : nothing) as readonly Offered[]
  const written = useRef<{ readonly text: string; readonly edit: FlagEdit }>(undefined)
  const kept = useMemo<FlagEdit | undefined>(() => {
    // What is equal stays the same object, so that only what was edited is rendered.
    if (written.current?.text === text) return written.current.edit
    return text === '' ? undefined : JSON.parse(text)
  }, [text])
  const { edit, conflicts } = useMemo(() => followed(kept, read), [kept, read])
  const changes = useMemo(() => (edit && !isOff && toChanges?.(edit, offered)) || [], [edit, offered, path])
  const [noted, note] = useState<{ readonly name: string; readonly state: JsonObject }>()
  const seen = noted?.name === name ? noted.state : (kept ?? edit)?.base
  useLayoutEffect(() => {
    if (noted?.name !== name && seen) note({ name, state: seen })
  }, [name, noted, seen])
  const now = edit?.base
  const write = (next: FlagEdit) => {
    const text = JSON.stringify(next)
    written.current = { text, edit: next }
    keep(isEdited(next) ? text : '')
  }
  useUnsent(text !== '')
  const latest = useRef({ edit, offered })
  latest.current = { edit, offered }
  return {
    ...{ isOff, actions, offered, edit, changes, conflicts, write },
    followed: useMemo(() => (edit && seen ? othersEdits(seen, edit) : []), [edit, seen]),
    noteFollowed: () => now && note({ name, state: now }),
    isElsewhere: useOtherTabs(`${useMe().id} ${name}`),
    startOver() {
      keep('')
      if (now) note({ name, state: now })
    },
    async send(changes, call) {
      try {
        return await call(changes)
      } catch (error) {
        const { edit, offered } = latest.current
        const read = isOutdatedBase(error) ? await target.refresh() : undefined
        if (read === undefined || edit === undefined) throw error
        const next = follow(edit, read)
        write(next.edit)
        const merged = toChanges?.(next.edit, offered) ?? []
        if (next.conflicts.length > 0 || merged.length === 0) throw error
        return call(merged)
      }
    },
  }
}

const nothing: readonly Offered[] = []

function followed(kept: FlagEdit | undefined, read: ReadState | undefined) {
  if (read === undefined) return { edit: undefined, conflicts: [] }
  return kept ? follow(kept, read) : { edit: beginEdit(read), conflicts: [] }
}

/** Without what is no field of the flag, and what is a conflict. */
function othersEdits(seen: JsonObject, { base, own }: FlagEdit): readonly EditedField[] {
  return editedFields(withoutPlaces(seen), withoutPlaces(base), own).filter(
    ({ path, isOwn }) => !isOwn && !path.startsWith('/possibleParents'),
  )
}

/** Closing the tab asks while something is unsent. */
function useUnsent(isUnsent: boolean): void {
  const user = currentUser()
  useLayoutEffect(() => {
    if (!isUnsent) return
    // The page is loaded again for another user, who must not be asked.
    const ask = (event: BeforeUnloadEvent) => currentUser() === user && event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isUnsent, user])
}
