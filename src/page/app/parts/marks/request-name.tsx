import { ownTitle } from '../../words/request-name'

/** `#11 Half of all searches`, with the title isolated in any direction. */
export function RequestName(request: Parameters<typeof ownTitle>[0]) {
  return (
    <>
      #{request.id} <bdi>{ownTitle(request)}</bdi>
    </>
  )
}
