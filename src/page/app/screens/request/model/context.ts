import { type ComponentType, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { ChangeRequestPlace } from '../../../../../client'
import type { EventView, MeView } from '../../../../../generated'
import type { ContentChange } from '../../../words/content/compare'
import type { LoadedRequest, Snapshot } from './use-request'

/** A window over the screen. */
export type DialogName =
  | 'askReviewers'
  | 'reject'
  | 'cancel'
  | 'discard'
  | 'schedule'
  | 'emergency'
  | 'acknowledge'
  | 'revert'
  | { readonly discardChange: number }
  | { readonly deleteComment: number }
  /** A change, or null to add one. */
  | { readonly edit: number | null }

/** The parts that are loaded once the screen is shown. */
export interface LaterParts {
  readonly Since: ComponentType
  readonly SinceMark: ComponentType<{ readonly id: number; readonly isNew: boolean }>
  readonly Thread: ComponentType<{ readonly about: number; readonly label: string; readonly onClose: () => void }>
  readonly Viewed: ComponentType<{ readonly id: number; readonly label: string }>
  readonly VoidedVotes: ComponentType
}

/** What all parts of the screen share. */
export interface RequestContext {
  readonly place: ChangeRequestPlace
  readonly me: MeView
  /** The content on the screen. */
  readonly content: Snapshot
  /** What is known of people and steps. */
  readonly latest: Snapshot
  /** Its events, oldest first; empty until they are loaded. */
  readonly events: readonly EventView[]
  readonly change: ContentChange | null
  readonly marks: ContentChange | null
  /** Steps are off: there is something to look at, or no network. */
  readonly off: 'changed' | 'offline' | null
  readonly refresh: LoadedRequest['refresh']
  readonly showChange: () => void
  /** Undefined until they are loaded, null if they cannot be. */
  readonly later: LaterParts | null | undefined
  readonly open: (dialog: DialogName | null) => void
  /** The name of a user, where it is known. */
  readonly nameOf: (id: number) => string | undefined
  /** The name of the user behind an event, else as the event has it. */
  readonly actorOf: (event: Pick<EventView, 'createdBy' | 'createdByUserId'>) => string
}

const context = createContext<RequestContext | null>(null)

export const RequestProvider = context.Provider

export function useRequestContext(): RequestContext {
  const found = useContext(context)
  if (found === null) throw new Error('No change request is shown.')
  return found
}
