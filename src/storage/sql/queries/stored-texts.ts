import type { Change, ChangeRequest, Comment } from '../../../domain/change-request'
import type { StoredChangeRequest, Write } from '../../../ports/storage/change-requests'

export interface DocumentRow {
  readonly version: number
  readonly document: string
  readonly content: string
}

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
    const rest: ChangeRequest = JSON.parse(document)
    const { changes, comments }: Content = JSON.parse(content)
    this.#read.set(changes, { id: rest.id, version, changes, comments })
    return { version, changeRequest: { ...rest, changes, comments: [...comments, ...rest.comments] } }
  }

  /** `content` is empty if it is the same as in the version that the write replaces. */
  of(changeRequest: ChangeRequest, replaced: number): Pick<DocumentRow, 'document' | 'content'> {
    const { id, changes, comments } = changeRequest
    const recent = comments.length % groupSize
    const older = comments.slice(0, comments.length - recent)
    const document = JSON.stringify({ ...changeRequest, changes: [], comments: comments.slice(older.length) })
    const read = this.#read.get(changes)
    const isRead = read !== undefined && read.id === id && read.version === replaced
    const isSame = isRead && read.comments.length === older.length && older.every((one, n) => one === read.comments[n])
    return { document, content: isSame ? '' : JSON.stringify({ changes, comments: older }) }
  }
}
