import { maxTitleLength } from '../../domain/content/title'
import type { TitleUpdate } from '../../generated/index'
import { checkBody } from '../../validation/check-body'
import { badData } from '../../validation/core/problems'
import { trimText } from '../../validation/trim-text'

/**
 * Reads the body with the title of a change request, after `guardBody`.
 *
 * @throws BadDataError with the first problem
 */
export function parseTitle(body: unknown): string {
  const title = trimText(checkBody<TitleUpdate>('title', body).title, 'title', maxTitleLength)
  const [unsafe] = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/u.exec(title) ?? []
  if (unsafe === undefined) return title
  const name = unsafe.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
  throw badData([{ path: '/body/title', message: `the character U+${name} is not allowed` }])
}
