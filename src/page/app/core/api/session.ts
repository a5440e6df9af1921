import { callsOf } from '../../../../client/calls'
import { asksToSignIn } from '../../../../client/client-error'
import { createSender } from '../../../../client/send'
import type { MeView } from '../../../../generated'
import { config } from '../tools/config'
import { forgetDrafts, setDraftAuthor } from '../tools/drafts'
import { createStore, useStore } from '../tools/store'
import { type Refusal, toRefusal } from './answers'
import { reportAnswer, reportOffline } from './network'

export type Session =
  /** It is being found out who calls. */
  | { readonly status: 'unknown'; readonly me?: undefined }
  | { readonly status: 'in'; readonly me: MeView }
  /** No user is signed in; `me` is the last user. */
  | { readonly status: 'out'; readonly me?: MeView | undefined; readonly wants?: SignInOf }

/** What requires the sign-in, if not the host app: the API accepts API keys only, or a proxy in front of the app. */
export type SignInOf = 'key' | 'proxy' | undefined

const stored = 'ecr-key'
const sessions = createStore<Session>({ status: 'unknown' })

export const useSession = (): Session => useStore(sessions)

/** The user who is signed in; only for parts that are shown to signed-in users. */
export function useMe(): MeView {
  const session = useStore(sessions)
  return session.me ?? { id: null, username: null, imageUrl: null, groups: [], kind: 'person', onBehalfOf: null }
}

export const followSession = sessions.follow

/** The id of the user who is signed in, or was. */
export const currentUser = (): number | null | undefined => sessions.get().me?.id

export const isSignedIn = (): boolean => sessions.get().status === 'in'

let lastEventId: number | undefined

/**
 * The newest event that the caller could read before the session began, and so before the page read anything else. Only
 * for the first event stream of a session; undefined afterwards, or if there was no event.
 */
export function takeLastEventId(): number | undefined {
  const id = lastEventId
  lastEventId = undefined
  return id
}

/** Sends the requests of the page. A response with status 401, or one of a sign-in proxy, ends the session. */
export const sender = createSender({ api: config.api, fetch: sessionFetch })

/** The one client of the page. */
export const client = callsOf(sender)

/** Reads who the caller is, with the stored key or the cookies of the host. */
export async function resumeSession(): Promise<void> {
  if (config.signIn === 'key' && readKey() === null) return sessions.set({ status: 'out' })
  await enter()
}

/** Signs in by key; throws what the API answers, and then keeps the session as it was. */
export async function signIn(key: string): Promise<void> {
  const before = readKey()
  keepKey(key)
  try {
    await enter()
  } catch (error) {
    keepKey(before)
    throw error
  }
}

async function enter(): Promise<void> {
  const [{ body: me }, id] = await Promise.all([client.me(), readLastEventId()])
  lastEventId = id
  begin(me)
}

function begin(me: MeView): void {
  setDraftAuthor(me.id)
  sessions.set({ status: 'in', me })
}

/** What an error means: without a response, a second request shows whether it is the network, or this request alone. */
export async function refusalOf(error: unknown, signal: AbortSignal): Promise<Refusal> {
  const refusal = toRefusal(error)
  return refusal.kind === 'offline' && (await isReachable(signal)) ? { kind: 'busy' } : refusal
}

/**
 * Whether the API answers at all: many networks end without an event of the browser, or with a wrong one. With the cookies of
 * the host, it may answer to a user who signed in in another tab; then the page is loaded again, as theirs.
 */
export async function isReachable(signal: AbortSignal): Promise<boolean> {
  try {
    const { body: me } = await client.me({}, { signal: AbortSignal.any([signal, AbortSignal.timeout(20_000)]) })
    reportAnswer()
    if (config.signIn === 'host' && isSignedIn() && me.id !== currentUser()) {
      begin(me)
      window.location.reload()
    }
    return true
  } catch (error) {
    const isOffline = toRefusal(error).kind === 'offline'
    if (isOffline) reportOffline()
    return !isOffline
  }
}

/** Waits at most 1 s: without the id, the page reads everything again when the event stream opens. */
async function readLastEventId(): Promise<number | undefined> {
  try {
    const { body } = await client.searchEvents({}, { limit: 1 }, { signal: AbortSignal.timeout(1_000) })
    return body.events[0]?.id
  } catch {
    return undefined
  }
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
  if (asksToSignIn(response)) endSession('proxy')
  // A response to an older key does not apply to the stored one.
  else if (response.status === 401 && (config.signIn === 'host' || readKey() === key))
    endSession(response.headers.get('www-authenticate')?.startsWith('Bearer') ? 'key' : undefined)
  return response
}

function endSession(wants: SignInOf): void {
  const before = sessions.get()
  if (before.status !== 'out' || before.wants !== wants) sessions.set({ status: 'out', me: before.me, wants })
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

/** Whether the sign-in form covers the page. */
const isFormOpen = createStore(true)

export const useSignInOpen = (): boolean => useStore(isFormOpen)

/** Whether it is shown now, because no user is signed in. */
export function useSigningIn(): boolean {
  const isOpen = useSignInOpen()
  return useSession().status === 'out' && isOpen
}

export const openSignIn = (): void => isFormOpen.set(true)

/** Closes the form, to show what is already loaded. */
export const closeSignIn = (): void => isFormOpen.set(false)
