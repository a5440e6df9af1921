import { config, useMe } from '../core'
import { signOut } from '../core/api/session'
import { Button, Person, PersonName } from '../parts'

/** Who is signed in, and the way out where the page itself signed them in. */
export function Me() {
  const me = useMe()
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
