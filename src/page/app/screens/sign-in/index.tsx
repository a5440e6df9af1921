import { useSession } from '../../core/api/session'
import { config } from '../../core/tools/config'
import { HostSignIn } from './host-sign-in'
import { KeySignIn } from './key-sign-in'
import './sign-in.css'

/** Stands over the page while nobody is signed in. */
export function SignIn() {
  const session = useSession()
  const { me } = session
  const wants = session.status === 'out' ? session.wants : undefined
  return config.signIn === 'key' && wants !== 'proxy' ? <KeySignIn me={me} /> : <HostSignIn me={me} wants={wants} />
}
