import { useSession } from '../../core/api/session'
import { config } from '../../core/tools/config'
import { HostSignIn } from './host-sign-in'
import { KeySignIn } from './key-sign-in'
import './sign-in.css'

/** Stands over the page while nobody is signed in. */
export function SignIn() {
  const session = useSession()
  const { me } = session
  return config.signIn === 'key' ? (
    <KeySignIn me={me} />
  ) : (
    <HostSignIn me={me} byKey={session.status === 'out' && session.byKey} />
  )
}
