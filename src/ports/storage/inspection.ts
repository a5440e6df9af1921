import type { ChangeRequest } from '../../domain/change-request'
import type { Write } from './change-requests'
import type { ConsumerPosition } from './consumers'
import type { EventRow } from './events'

/** The values that a storage compares in lists and searches, stored next to each change request. */
export interface ChangeRequestColumns
  extends Pick<ChangeRequest, 'project' | 'environment' | 'state' | 'createdAt' | 'updatedAt'>,
    Pick<Write, 'open' | 'dueAt' | 'applyingSince'> {
  /** The id of its author. */
  readonly createdBy: number
  /** When it entered its state. */
  readonly stateSince: string
  /** It needs acknowledgement. */
  readonly afterReview: boolean
  /** One of its changes takes effect in every environment of the project. */
  readonly wholeProject: boolean
  /** The time of its schedule, in whose order those with the same `dueAt` are applied. */
  readonly scheduledAt: string | null
  /** A freeze delays it. */
  readonly held: boolean
}

/** The columns of a write. A storage writes them, and `verifyStorage` compares them with what the document gives. */
export function columnsOf(
  write: Pick<Write, 'changeRequest' | 'summary' | 'open' | 'afterReview' | 'dueAt' | 'applyingSince'>,
): ChangeRequestColumns {
  const { changeRequest, summary, open, afterReview = false, dueAt, applyingSince } = write
  const { project, environment, createdBy, createdAt, updatedAt, state } = changeRequest
  return {
    ...{ project, environment, createdBy: createdBy.id, createdAt, updatedAt, state, open },
    ...{ afterReview, dueAt, applyingSince },
    stateSince: summary.stateSince,
    wholeProject: summary.scope === 'project',
    scheduledAt: summary.schedule?.scheduledAt ?? dueAt,
    held: summary.held !== undefined,
  }
}

/** What a page of an inspection begins after, and its bounds, as in {@link ListPage}. */
export interface InspectionPage<After> {
  /** The `next` of the previous page; null for the first page. */
  readonly after: After | null
  /** Maximum number of items: 1 or more. */
  readonly limit: number
  /** Maximum size of the page in bytes of stored text. A single item may be larger. */
  readonly bytes: number
}

/** A page of an inspection. */
export interface Inspected<Item, After> {
  /** In the order of the key that `next` continues with. */
  readonly items: readonly Item[]
  /** Where the next page begins; null if nothing is left. */
  readonly next: After | null
}

/** A change request and everything that is stored about it, read in one statement. Nothing in it is checked. */
export interface InspectedChangeRequest {
  /** The key of the row. */
  readonly id: number
  /** The version of the row. */
  readonly version: number
  /** The stored document; null if the stored text is not JSON. */
  readonly changeRequest: ChangeRequest | null
  /** The SHA-256 that was stored with the document and its version, and that of what is stored now. */
  readonly sha256: { readonly stored: string | null; readonly computed: string }
  /** The columns as they are stored. */
  readonly columns: { readonly [Name in keyof ChangeRequestColumns]: unknown }
  /** The JSON text of the stored {@link Write.summary}. */
  readonly summary: string
  /** The stored {@link Write.searchText}; null if there is none. */
  readonly searchText: string | null
  /** The stored {@link Write.subjects}, in any order. */
  readonly subjects: readonly string[]
  /** The newest event with its id; 0 if there is none. */
  readonly lastEventId: number
}

/** An event as it is stored. Nothing in it is checked. */
export interface InspectedEvent {
  /** Its id. */
  readonly id: number
  /** The columns as they are stored; `createdByKind` is null for a person. */
  readonly columns: { readonly [Name in keyof Omit<EventRow, 'json' | 'trace'>]-?: unknown }
  /** The stored text of {@link EventRow.json}. */
  readonly json: string
}

/** Stored counts of a project, and what they count. */
export interface InspectedCounts {
  /** The project; an empty name for the events of the whole log. */
  readonly project: string
  /** The newest id of the whole log, from the same moment. */
  readonly newestId: number
  /**
   * Stored counts of events. The `term` is empty for all events of the project, `day:<yyyy-mm-dd>` for those of a day, and
   * `creator:<id>` for those of a user. `firstId` is null where it is not stored.
   */
  readonly events: readonly {
    readonly term: string
    readonly total: number
    readonly firstId: number | null
    readonly lastId: number
  }[]
  /** Stored counts of change requests, and what counting gave in the same statement. */
  readonly changeRequests: readonly { readonly name: string; readonly stored: number; readonly counted: number }[]
}

/** The position of a consumer as it is stored. */
export interface InspectedConsumer extends ConsumerPosition {
  /** Its name. */
  readonly name: string
}

/** The parts of an inspection that read tables. */
export type InspectionPart = 'changeRequests' | 'events' | 'counts' | 'consumers'

/** A table or column of the release that the database lacks. */
export interface MissingTable {
  /** The name of the table, or of the table and the column, with a dot between them. */
  readonly name: string
  /** The parts that cannot be read without it. */
  readonly parts: readonly InspectionPart[]
}

/**
 * The optional part of a {@link Storage} for `verifyStorage`: reads what is stored as it is stored, in pages of bounded size.
 * Works on a read-only connection, and must not write. Each method is one statement, or several that are each consistent.
 */
export interface StorageInspection {
  /** The tables and columns of the release that the database lacks; those that an operator has added do not matter. */
  missing(): Promise<readonly MissingTable[]>
  /** By id. */
  changeRequests(page: InspectionPage<number>): Promise<Inspected<InspectedChangeRequest, number>>
  /** By id. */
  events(page: InspectionPage<number>): Promise<Inspected<InspectedEvent, number>>
  /** By project, the whole log first. */
  counts(page: Pick<InspectionPage<string>, 'after'>): Promise<Inspected<InspectedCounts, string>>
  /** By name. */
  consumers(page: InspectionPage<string>): Promise<Inspected<InspectedConsumer, string>>
}
