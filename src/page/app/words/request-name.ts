import { defaultTitle } from '../../../domain/content/title'

interface Titled {
  readonly id: number
  readonly title?: string | null | undefined
}

/** The title that a user gave; of one without, the API says `Change request #11`. */
export const ownTitle = ({ id, title }: Titled): string => (title === defaultTitle(id) ? '' : (title ?? ''))

/** `#11 Half of all searches`, and `#11` of one without a title. */
export function requestName(request: Titled): string {
  const title = ownTitle(request)
  return title === '' ? `#${request.id}` : `#${request.id} ${title}`
}
