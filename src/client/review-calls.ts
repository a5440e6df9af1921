import type {
  ApprovalRulesView,
  MeView,
  RevertPreviewView,
  ReviewsView,
  ReviewView,
  StateName,
  TimelineView,
} from '../generated/index'
import type { Answer, CallOptions } from './client-options'
import { path, type Sender } from './send'

/**
 * A change request, by its project and number.
 *
 * @example
 * ```ts
 * const place: ChangeRequestPlace = { project: 'shop', id: 42 }
 * ```
 */
export interface ChangeRequestPlace {
  /** The project it is in. */
  readonly project: string
  /** Its number. */
  readonly id: number
}

/**
 * Which reviews are listed.
 *
 * @example
 * ```ts
 * const filter: ReviewFilter = { needs: 'me', environment: 'production' }
 * ```
 */
export interface ReviewFilter {
  /** `me`: what waits for the caller; `mine`: what the caller made. @defaultValue 'all' */
  readonly needs?: 'me' | 'mine' | 'all' | undefined
  /** Of this project alone. */
  readonly project?: string | undefined
  /** Of this environment alone. */
  readonly environment?: string | undefined
  /** In this state alone. */
  readonly state?: StateName | undefined
  /** A text of the title or of the name of a flag or segment, or the number. */
  readonly query?: string | undefined
  /** `next` of the page before. */
  readonly cursor?: string | undefined
  /** How many a page has at most. */
  readonly limit?: number | undefined
}

export function changeRequestPath({ project, id }: ChangeRequestPlace, ...rest: string[]): string {
  return path('projects', project, 'change-requests', id, ...rest)
}

/** What is read for a review. */
export function reviewCalls({ json }: Sender) {
  return {
    /** Who the caller is and, with a project and environment, what they hold there. */
    me(place: { project?: string; environment?: string } = {}, options?: CallOptions): Promise<Answer<MeView>> {
      return json('/me', { query: place, ...options })
    },
    /** Change requests, the newest first, with what each waits for. */
    reviews(filter: ReviewFilter = {}, options?: CallOptions): Promise<Answer<ReviewsView>> {
      return json('/reviews', { query: { ...filter }, ...options })
    },
    /** What a change request is missing, and what the caller may do with it now. */
    review(place: ChangeRequestPlace, options?: CallOptions): Promise<Answer<ReviewView>> {
      return json(changeRequestPath(place, 'review'), options)
    },
    /** Its events, oldest first. */
    timeline(place: ChangeRequestPlace, cursor?: string | null, options?: CallOptions): Promise<Answer<TimelineView>> {
      return json(changeRequestPath(place, 'timeline'), { query: { cursor }, ...options })
    },
    /** The approval rules in force in an environment. */
    rules(project: string, environment: string, options?: CallOptions): Promise<Answer<ApprovalRulesView>> {
      return json(path('projects', project, 'environments', environment, 'change-requests', 'rules'), options)
    },
    /** What a revert would do, and what it could not take back. */
    revertPreview(place: ChangeRequestPlace, options?: CallOptions): Promise<Answer<RevertPreviewView>> {
      return json(changeRequestPath(place, 'revert'), options)
    },
  }
}
