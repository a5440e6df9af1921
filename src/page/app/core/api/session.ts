import { callsOf } from '../../../../client/calls'
import { createSender } from '../../../../client/send'
import type { MeView } from '../../../../generated'
import { config } from '../tools/config'
import { forgetDrafts, setDraftAuthor } from '../tools/drafts'
import { createStore, useStore } from '../tools/store'

export type Session =
  /** It is being found out who calls. */
  | { readonly status: 'unknown'; readonly me?: undefined }
  | { readonly status: 'in'; readonly me: MeView }
  /** Nobody, or no longer; `me` is the last user, and with `byKey` the API accepts API keys only. */
  | { readonly status: 'out'; readonly me?: MeView | undefined; readonly byKey?: boolean }

const stored = 'ecr-key'
const sessions = createStore<Session>({ status: 'unknown' })

export const useSession = (): Session => useStore(sessions)

/** Who is signed in; only for what is shown to somebody who is. */
export function useMe(): MeView {
  const session = useStore(sessions)
  return session.me ?? { id: null, username: null, imageUrl: null, groups: [], kind: 'person', onBehalfOf: null }
}

export const followSession = sessions.follow

export const isSignedIn = (): boolean => sessions.get().status === 'in'

/** Sends what the page asks. An answer 401 ends the session. */
export const sender = createSender({ api: config.api, fetch: sessionFetch })

/** The one client of the page. */
export const client = callsOf(sender)

/** Asks who calls, with the key that is kept or the cookies of the host. */
export async function resumeSession(): Promise<void> {
  if (config.signIn === 'key' && readKey() === null) return sessions.set({ status: 'out' })
  enter((await client.me()).body)
}

/** Signs in by key; throws what the API answers, and then keeps the session as it was. */
export async function signIn(key: string): Promise<void> {
  const before = readKey()
  keepKey(key)
  try {
    enter((await client.me()).body)
  } catch (error) {
    keepKey(before)
    throw error
  }
}

function enter(me: MeView): void {
  setDraftAuthor(me.id)
  sessions.set({ status: 'in', me })
}

export function signOut(): void {
  keepKey(null)
  forgetDrafts()
  sessions.set({ status: 'out' })
}

async function sessionFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const headers = new Headers(init?.headers)
  const key = config.signIn === 'key' ? readKey() : null
  if (key !== null) headers.set('Authorization', key)
  const response = await window.fetch(input, { ...init, headers, credentials: key === null ? 'same-origin' : 'omit' })
  // An answer to an older key says nothing about the one that is kept now.
  if (response.status === 401 && (config.signIn === 'host' || readKey() === key)) endSession(response)
  return response
}

function endSession({ headers }: Response): void {
  const { status, me } = sessions.get()
  if (status !== 'out')
    sessions.set({ status: 'out', me, byKey: headers.get('www-authenticate')?.startsWith('Bearer') ?? false })
}

let inMemory: string | null = null

function readKey(): string | null {
  try {
    return sessionStorage.getItem(stored)
  } catch {
    return inMemory
  }
}

function keepKey(key: string | null): void {
  inMemory = key
  try {
    if (key === null) sessionStorage.removeItem(stored)
    else sessionStorage.setItem(stored, key)
  } catch {
    // Without a storage the key lasts until the page is loaded again.
  }
}
