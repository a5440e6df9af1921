import { ownTitle } from '../../words/request-name'

/** `#11 Half of all searches`, with the title isolated in any direction. */
export function RequestName(request: Parameters<typeof ownTitle>[0]) {
  const title = ownTitle(request)
  return (
    <>
      #{request.id}
      {title !== '' && (
        <>
          {' '}
          <bdi>{title}</bdi>
        </>
      )}
    </>
  )
}
