import type {
  ApprovalRulesView,
  FreezesView,
  MeView,
  PlacesView,
  RevertPreviewView,
  ReviewsView,
  ReviewView,
  StateName,
  TimelineView,
} from '../generated/index'
import type { Answer, CallOptions } from './client-options'
import { path, type Sender } from './send'

/** Identifies a change request. */
export interface ChangeRequestPlace {
  /** The project of the change request. */
  readonly project: string
  /** The id of the change request. */
  readonly id: number
}

/** Filters of the list of reviews. */
export interface ReviewFilter {
  /** `me`: it needs the caller; `mine`: the caller created it. @defaultValue 'all' */
  readonly needs?: 'me' | 'mine' | 'all' | undefined
  /** Only this project. */
  readonly project?: string | undefined
  /** Only this environment. */
  readonly environment?: string | undefined
  /** Only this state. */
  readonly state?: StateName | undefined
  /** Only of this author, by user id. */
  readonly author?: number | undefined
  /** Only those that change this flag. */
  readonly feature?: string | undefined
  /** Only those for which the caller is a requested approver. */
  readonly requested?: 'me' | undefined
  /** Only those that need acknowledgement. */
  readonly afterReview?: 'open' | undefined
  /** Only those created at this instant or later: UTC, ISO 8601. */
  readonly createdFrom?: string | undefined
  /** Only those created before this instant: UTC, ISO 8601. */
  readonly createdTo?: string | undefined
  /** Only those scheduled for this instant or later, whatever the status: UTC, ISO 8601. */
  readonly scheduledFrom?: string | undefined
  /** Only those scheduled for a time before this instant: UTC, ISO 8601. */
  readonly scheduledTo?: string | undefined
  /** Only those that this check matches and that have no report of it for their current content; see the guide to checks. */
  readonly check?: string | undefined
  /**
   * `waiting`: those first that have been in their state the longest; `recent`: those whose state changed last.
   * @defaultValue 'newest'
   */
  readonly order?: 'newest' | 'waiting' | 'recent' | undefined
  /** Text in the title or in the name of a flag or segment, or the id. */
  readonly query?: string | undefined
  /** `next` of the previous page. */
  readonly cursor?: string | undefined
  /** Maximum number of reviews in a page. */
  readonly limit?: number | undefined
}

export function changeRequestPath({ project, id }: ChangeRequestPlace, ...rest: string[]): string {
  return path('projects', project, 'change-requests', id, ...rest)
}

/** Reads for a review. */
export function reviewCalls({ json }: Sender) {
  return {
    /** The caller and, with a project and environment, their permissions there. */
    me(place: { project?: string; environment?: string } = {}, options?: CallOptions): Promise<Answer<MeView>> {
      return json('/me', { property: 'groups' }, { query: place, ...options })
    },
    /** Change requests, newest first, with the missing approvals of each. */
    reviews(filter: ReviewFilter = {}, options?: CallOptions): Promise<Answer<ReviewsView>> {
      return json('/reviews', { property: 'reviews' }, { query: { ...filter }, ...options })
    },
    /** The missing requirements of a change request, and what the caller can do with it now. */
    review(place: ChangeRequestPlace, options?: CallOptions): Promise<Answer<ReviewView>> {
      return json(changeRequestPath(place, 'review'), { hasTag: true, property: 'steps' }, options)
    },
    /** The events of a change request, oldest first. */
    timeline(place: ChangeRequestPlace, cursor?: string | null, options?: CallOptions): Promise<Answer<TimelineView>> {
      const success = { hasTag: true, property: 'events' } as const
      return json(changeRequestPath(place, 'timeline'), success, { query: { cursor }, ...options })
    },
    /** The approval rules and checks of an environment. */
    rules(project: string, environment: string, options?: CallOptions): Promise<Answer<ApprovalRulesView>> {
      const address = path('projects', project, 'environments', environment, 'change-requests', 'rules')
      return json(address, { property: 'rules' }, options)
    },
    /** The freezes of an environment that have not ended. */
    freezes(project: string, environment: string, options?: CallOptions): Promise<Answer<FreezesView>> {
      const address = path('projects', project, 'environments', environment, 'change-requests', 'freezes')
      return json(address, { property: 'freezes' }, options)
    },
    /** What a revert would change, and which changes are irreversible. */
    revertPreview(place: ChangeRequestPlace, options?: CallOptions): Promise<Answer<RevertPreviewView>> {
      return json(changeRequestPath(place, 'revert'), { property: 'irreversible' }, options)
    },
    /** The projects and environments in which the caller can propose changes; with `query`, only projects with this text. */
    places(options?: CallOptions & { readonly query?: string }): Promise<Answer<PlacesView>> {
      const { query, ...others } = options ?? {}
      return json(path('places'), { property: 'places' }, { query: { query }, ...others })
    },
  }
}
