import { affectsProject } from '../actions/table'
import type { ChangeRequest, Hold, Person, Schedule } from '../change-request'
import type { State } from '../lifecycle'
import { groupByFeature, namedSegment, notToReview, segmentChanges } from './grouping'
import { openObjections } from './objections'

/**
 * The data of a change request for searches and counts: small, whatever the size of the change request. A {@link Storage}
 * stores it next to the change request.
 */
export interface ChangeRequestSummary {
  /** The id of the change request. */
  readonly id: number
  /** The project that its flags belong to. */
  readonly project: string
  /** The environment that it changes. */
  readonly environment: string
  /** Null until a user sets a title. */
  readonly title: string | null
  /** Its state. */
  readonly state: State
  /** When it entered the state: UTC, ISO 8601 with milliseconds. */
  readonly stateSince: string
  /** Its author. */
  readonly createdBy: Person
  /** UTC, ISO 8601 with milliseconds. */
  readonly createdAt: string
  /** Null unless the state is Scheduled. */
  readonly schedule: Schedule | null
  /** The freeze that delays its pending schedule; absent for none. */
  readonly held?: Hold
  /** The flags that it changes, each once, by their lowest change id. */
  readonly features: readonly string[]
  /** The segments that it changes, one for each change, by change id; with the name that the change gives them. */
  readonly segments: readonly { readonly id: number; readonly name: string | null }[]
  /** The ids of the users who have approved it or object to it, and of its authors besides its creator: they are not to review it. */
  readonly reviewedBy: readonly number[]
  /** How many objections to it are open; absent for none. */
  readonly objections?: number
  /** `project` if one of its changes takes effect in every environment of the project. */
  readonly scope: 'environment' | 'project'
  /** The value of the custom field that the inbox finds; absent for none. */
  readonly searchable?: string
}

/** Each write needs the summary of the version that it replaces, which the write before it has made. */
const summaries = new WeakMap<ChangeRequest, ChangeRequestSummary>()

export function summarize(changeRequest: ChangeRequest): ChangeRequestSummary {
  const known = summaries.get(changeRequest)
  if (known !== undefined) return known
  const { id, project, environment, title, state, createdBy, createdAt, schedule, changes } = changeRequest
  const objections = openObjections(changeRequest).length
  const held = changeRequest.scheduling?.held
  const searchable = changeRequest.customFields?.find((one) => one.searchable)?.value
  const summary: ChangeRequestSummary = {
    id,
    project,
    environment,
    title,
    state,
    stateSince: stateSince(changeRequest),
    createdBy,
    createdAt,
    schedule,
    ...(held && schedule?.status === 'pending' && { held }),
    features: [...groupByFeature(changes).keys()],
    segments: segmentChanges(changes).map(namedSegment),
    reviewedBy: notToReview(changeRequest),
    ...(objections > 0 && { objections }),
    scope: affectsProject(changes) ? 'project' : 'environment',
    ...(typeof searchable === 'string' && { searchable }),
  }
  summaries.set(changeRequest, summary)
  return summary
}

export function stateSince({ state, stateTimestamps, createdAt }: ChangeRequest): string {
  return stateTimestamps[state] ?? createdAt
}

/** The facts of a version that its next write replaces. */
export function listedFacts(changeRequest: ChangeRequest) {
  const summary = summarize(changeRequest)
  const { state, scope, reviewedBy } = summary
  return { state, scope, reviewedBy, searchText: searchText(summary) }
}

/** The text in which the inbox finds a part: the title, the names of flags and segments, and the searchable custom field. */
export function searchText({ title, features, segments, searchable }: ChangeRequestSummary): string {
  const names = [...features, ...segments.map(({ name }) => name ?? '')]
  return toSearchText([title ?? '', ...names, ...(searchable === undefined ? [] : [searchable])].join('\n'))
}

/** Texts are compared in lower case, without the characters that Postgres cannot store. */
export function toSearchText(text: string): string {
  return text.toLowerCase().replace(/[\0\p{Surrogate}]/gu, '')
}

export function subjectsOfSummary({ id, project, features, segments }: ChangeRequestSummary): string[] {
  const subjects = [...features.map((name) => `${project} ${name}`), ...segments.map((segment) => `${segment.id}`)]
  // Its own id, so that it is not applied twice concurrently.
  return [...subjects, `change request ${id}`]
}
