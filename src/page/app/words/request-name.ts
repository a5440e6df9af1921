interface Titled {
  readonly id: number
  readonly title: string | null
}

/** The title that a user gave; of one without, the API says `Change request #11`. */
export const ownTitle = ({ id, title }: Titled): string => (title === `Change request #${id}` ? '' : (title ?? ''))

/** `#11 Half of all searches`, and `#11` of one without a title. */
export const requestName = (request: Titled): string => `#${request.id} ${ownTitle(request)}`.trim()
