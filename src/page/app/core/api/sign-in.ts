import { createStore, useStore } from '../tools/store'
import { useSession } from './session'

/** Whether the sign-in form covers the page. */
const open = createStore(true)

export const useSignInOpen = (): boolean => useStore(open)

/** Whether it is shown now, because no user is signed in. */
export function useSigningIn(): boolean {
  const isOpen = useSignInOpen()
  return useSession().status === 'out' && isOpen
}

export const openSignIn = (): void => open.set(true)

/** Leaves the form to look at what is loaded already. */
export const closeSignIn = (): void => open.set(false)
