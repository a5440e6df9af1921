import { useRef } from 'preact/hooks'
import { signOut, useSession } from '../core/api/session'
import { config } from '../core/tools/config'
import { forgetDrafts } from '../core/tools/drafts'
import { Menu } from '../parts/controls/menu'
import { Icon } from '../parts/marks/icon'
import { MachineMark } from '../parts/marks/machine-mark'
import { Person, PersonName } from '../parts/marks/person'
import { listed } from '../words/spans'

/** Who is signed in, and the way out: of the page with a key, else of the host. */
export function Me() {
  const { me } = useSession()
  const menu = useRef<HTMLDetailsElement>(null)
  if (me === undefined) return null
  return (
    <Menu
      menu={menu}
      class="quiet me"
      button={
        <>
          <span class="vh">Account: </span>
          <Person person={me} />
          <PersonName person={me} />
          <Icon name="chevronDown" />
        </>
      }
    >
      <p>
        <b>
          <PersonName person={me} />
        </b>
        <MachineMark author={me} />
        {me.groups.length > 0 && (
          <>
            <br />
            Groups: <bdi>{listed(me.groups)}</bdi>
          </>
        )}
      </p>
      {config.signIn === 'key' ? (
        <button type="button" onClick={signOut}>
          Sign out
        </button>
      ) : (
        config.signOutUrl && (
          <a href={config.signOutUrl} onClick={forgetDrafts}>
            Sign out
          </a>
        )
      )}
    </Menu>
  )
}
