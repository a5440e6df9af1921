import type {
  ChangeRequestView,
  ContextFieldsView,
  FlagNamesView,
  FlagView,
  OfferedActionsView,
  PreviewView,
  SegmentNamesView,
  SegmentView,
  SubmittedChange,
} from '../generated/index'
import type { Answer, CallOptions, WriteOptions } from './client-options'
import { type ChangeRequestPlace, changeRequestPath } from './review-calls'
import { changeRequest, path, type Sender } from './send'

type Written = Promise<Answer<ChangeRequestView>>

/** Proposes and edits changes. */
export function authoringCalls({ json }: Sender) {
  return {
    /** Adds changes to the caller's open change request there, or to a new draft. */
    propose(
      place: { readonly project: string; readonly environment: string },
      changes: SubmittedChange | readonly SubmittedChange[],
      options?: WriteOptions,
    ): Written {
      const address = path('projects', place.project, 'environments', place.environment, 'change-requests')
      return json(address, changeRequest, { method: 'POST', body: changes, ...options })
    },
    /** Replaces a change; the new one gets a new id. */
    editChange(place: ChangeRequestPlace, changeId: number, change: SubmittedChange, options?: WriteOptions): Written {
      const address = changeRequestPath(place, 'changes', String(changeId))
      return json(address, changeRequest, { method: 'PUT', body: change, ...options })
    },
    /** Names of flags, at most 20; null if the host app cannot search its flags. */
    searchFlags(
      project: string,
      environment: string,
      query: string,
      options?: CallOptions,
    ): Promise<Answer<FlagNamesView>> {
      const address = path('projects', project, 'environments', environment, 'flags')
      return json(address, { property: 'flags' }, { query: { query }, ...options })
    },
    /** Segments, at most 20; null if the host app cannot search its segments. */
    searchSegments(
      project: string,
      environment: string,
      query: string,
      options?: CallOptions,
    ): Promise<Answer<SegmentNamesView>> {
      const address = path('projects', project, 'environments', environment, 'segments')
      return json(address, { property: 'segments' }, { query: { query }, ...options })
    },
    /** The fields that constraints can name; null if the host app does not return them. */
    contextFields(project: string, options?: CallOptions): Promise<Answer<ContextFieldsView>> {
      return json(path('projects', project, 'context-fields'), { property: 'fields' }, options)
    },
    /** What changes would do, and which approvals they would need. Nothing is stored. */
    preview(
      place: { readonly project: string; readonly environment: string },
      changes: readonly SubmittedChange[],
      options?: CallOptions,
    ): Promise<Answer<PreviewView>> {
      const address = path('projects', place.project, 'environments', place.environment, 'change-requests', 'preview')
      return json(address, { property: 'implied' }, { method: 'POST', body: { changes }, ...options })
    },
    /** The current state of a flag, and the digests that a change of it can send as `expected`. */
    flag(project: string, environment: string, name: string, options?: CallOptions): Promise<Answer<FlagView>> {
      const address = path('projects', project, 'environments', environment, 'flags', name)
      return json(address, { property: 'targets' }, options)
    },
    /** The current state of a segment, its digest, and the flags that use it. */
    segment(project: string, environment: string, id: number, options?: CallOptions): Promise<Answer<SegmentView>> {
      const address = path('projects', project, 'environments', environment, 'segments', String(id))
      return json(address, { property: 'targets' }, options)
    },
    /** The actions that can be proposed, each with the JSON Schema of its change. */
    actions(project: string, environment: string, options?: CallOptions): Promise<Answer<OfferedActionsView>> {
      const address = path('projects', project, 'environments', environment, 'change-requests', 'actions')
      return json(address, { property: 'actions' }, options)
    },
  }
}
