import { hash } from 'node:crypto'
import type { Change, ChangeRequest, Comment } from '../../../domain/change-request'
import type { StoredChangeRequest, Write } from '../../../ports/storage/change-requests'

export interface DocumentRow {
  readonly version: number
  readonly document: string
  readonly content: string
}

/** The texts of a write, and their hashes in hexadecimal digits. */
export interface WrittenTexts extends Pick<DocumentRow, 'document' | 'content'> {
  readonly documentSha256: string
  readonly contentSha256: string
}

/** Sets the texts and their hashes, in the order of {@link WrittenTexts}. */
export const textAssignments = `document = ?, document_sha256 = ?, content = coalesce(nullif(?, ''), content),
  content_sha256 = coalesce(nullif(?, ''), content_sha256)`

/** The size of a change request in bytes. */
export const documentSize = 'octet_length(document) + octet_length(content)'

/** Comments move from the document to the content in groups of this size. */
const groupSize = 50

interface Content {
  readonly changes: readonly Change[]
  readonly comments: readonly Comment[]
}

/**
 * A change request is stored as two texts: `content` has the changes and the older comments, `document` has the rest. Most
 * writes alter only the document. To write 500 changes again would take ten times as long as the rest of a vote or a comment.
 */
export class StoredTexts {
  /** The contents that were read, by the object of their changes, with the change request and version that have them. */
  readonly #read = new WeakMap<readonly Change[], Content & Pick<Write, 'version'> & Pick<ChangeRequest, 'id'>>()

  toStored({ version, document, content }: DocumentRow): StoredChangeRequest {
    const older: Content = JSON.parse(content)
    const changeRequest = joined(JSON.parse(document), older)
    this.#read.set(older.changes, { id: changeRequest.id, version, ...older })
    return { version, changeRequest }
  }

  /** `content` and its hash are empty if they are the same as in the version that the write replaces. */
  of({ changeRequest, version }: StoredChangeRequest, replaced: number): WrittenTexts {
    const { id, changes, comments } = changeRequest
    const recent = comments.length % groupSize
    const older = comments.slice(0, comments.length - recent)
    const document = JSON.stringify({ ...changeRequest, changes: [], comments: comments.slice(older.length) })
    const read = this.#read.get(changes)
    const isRead = read !== undefined && read.id === id && read.version === replaced
    const isSame = isRead && read.comments.length === older.length && older.every((one, n) => one === read.comments[n])
    const documentSha256 = documentHash(version, document)
    if (isSame) return { document, documentSha256, content: '', contentSha256: '' }
    const content = JSON.stringify({ changes, comments: older })
    return { document, documentSha256, content, contentSha256: contentHash(id, content) }
  }
}

/** The change request of two stored texts, without remembering them for a write. */
export function toChangeRequest({ document, content }: DocumentRow): ChangeRequest {
  return joined(JSON.parse(document), JSON.parse(content))
}

function joined(rest: ChangeRequest, { changes, comments }: Content): ChangeRequest {
  return { ...rest, changes, comments: [...comments, ...rest.comments] }
}

/** The hash of a document and its version, which `verifyStorage` compares. Reads do not. */
export function documentHash(version: number, document: string): string {
  return hash('sha256', `${version}\n${document}`, 'hex')
}

/** The hash of a content and the id of its change request: unlike the document, it has no id. */
export function contentHash(id: number, content: string): string {
  return hash('sha256', `${id}\n${content}`, 'hex')
}
