import { signOut, useSession } from '../core/api/session'
import { config } from '../core/tools/config'
import { Button } from '../parts/controls/button'
import { Person, PersonName } from '../parts/marks/person'

/** Who is signed in, and the way out where the page itself signed them in. */
export function Me() {
  const { me } = useSession()
  if (me === undefined) return null
  return (
    <>
      <span class="me">
        <Person person={me} />
        <PersonName person={me} />
      </span>
      {config.signIn === 'key' && (
        <Button kind="quiet" class="hide-s" onClick={signOut}>
          Sign out
        </Button>
      )}
    </>
  )
}
