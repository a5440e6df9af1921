import type { ChangeRequest, Person, Schedule } from '../change-request'
import type { State } from '../lifecycle'
import { groupByFeature, namedSegment, segmentChanges } from './grouping'
import { affectsProject } from './scope'

/**
 * What a search shows of a change request, and what counts what waits for somebody: small, whatever the change request
 * holds. A {@link Storage} keeps it beside the change request.
 *
 * @example
 * ```ts
 * const summary: ChangeRequestSummary = {
 *   id: 42,
 *   project: 'shop',
 *   environment: 'production',
 *   title: null,
 *   state: 'In review',
 *   createdBy: { id: 1, username: 'Ann Lee', imageUrl: null },
 *   createdAt: '2026-11-20T10:52:09.870Z',
 *   schedule: null,
 *   features: ['checkout'],
 *   segments: [{ id: 4, name: 'Beta testers' }],
 *   approvedBy: [2],
 *   scope: 'environment',
 * }
 * ```
 */
export interface ChangeRequestSummary {
  /** Number of the change request. */
  readonly id: number
  /** The project that its flags belong to. */
  readonly project: string
  /** The environment that it changes. */
  readonly environment: string
  /** Null until somebody gives it a title of its own. */
  readonly title: string | null
  /** Its state. */
  readonly state: State
  /** Its author. */
  readonly createdBy: Person
  /** UTC, ISO 8601 with milliseconds. */
  readonly createdAt: string
  /** Null unless the state is Scheduled. */
  readonly schedule: Schedule | null
  /** The flags that it changes, each once, by their lowest change id. */
  readonly features: readonly string[]
  /** The segments that it changes, one for each change, by change id; with the name that the change gives them. */
  readonly segments: readonly { readonly id: number; readonly name: string | null }[]
  /** User ids of its approvals, oldest first. */
  readonly approvedBy: readonly number[]
  /** `project` if one of its changes takes effect in every environment of the project. */
  readonly scope: 'environment' | 'project'
}

/** What is stored beside the change request. */
export function summarize(changeRequest: ChangeRequest): ChangeRequestSummary {
  const { id, project, environment, title, state, createdBy, createdAt, schedule, changes, approvals } = changeRequest
  return {
    id,
    project,
    environment,
    title,
    state,
    createdBy,
    createdAt,
    schedule,
    features: [...groupByFeature(changes).keys()],
    segments: segmentChanges(changes).map(namedSegment),
    approvedBy: approvals.map((vote) => vote.createdBy.id),
    scope: affectsProject(changes) ? 'project' : 'environment',
  }
}

/** The flags and segments that it changes. */
export function subjectsOfSummary({ id, project, features, segments }: ChangeRequestSummary): string[] {
  const subjects = [...features.map((name) => `${project} ${name}`), ...segments.map((segment) => `${segment.id}`)]
  // Itself, so that it does not run twice.
  return [...subjects, `change request ${id}`]
}
