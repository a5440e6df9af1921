import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { ClientError } from '../../../../client/client-error'
import type { EventView } from '../../../../generated'
import { createStore, useStore } from '../tools/store'
import { toRefusal } from './answers'
import { followOnline, pause, reportAnswer, useOffline } from './network'
import { client, followSession, isReachable, isSignedIn, takeLastEventId } from './session'

export type LiveStatus =
  /** It is being opened for the first time. */
  | 'starting'
  /** Events come as they happen. */
  | 'live'
  /** The caller cannot follow the log: everything is requested again every 15 s. */
  | 'polling'
  /** The stream is lost, and is being opened again. */
  | 'reconnecting'
  | 'offline'

/** Events of the stream. None means that events may have been lost: read again. */
export type ReceivedEvents = readonly EventView[]

/** Between two polls. */
export const pollMs = 15_000
const statuses = createStore<Exclude<LiveStatus, 'offline'>>('starting')
const resets = createStore(0)
const listeners = new Set<(events: ReceivedEvents) => void>()
let running: AbortController | undefined

export function useLiveStatus(): LiveStatus {
  const offline = useOffline() !== undefined
  const status = useStore(statuses)
  return offline ? 'offline' : status
}

/** How often the log turned out to be without its latest events. */
export const useLogResets = (): number => useStore(resets)

/** Calls back with the events of each moment, and with none where a part should read again. One connection serves the whole tab. */
export function useLive(listener: (events: ReceivedEvents) => void): void {
  const latest = useRef(listener)
  latest.current = listener
  // In the layout phase, so that no event right after it is missed.
  useLayoutEffect(() => {
    const call = (events: ReceivedEvents) => latest.current(events)
    listeners.add(call)
    return () => {
      listeners.delete(call)
    }
  }, [])
}

/** Reads again what is shown, as if events may have been lost. */
export const readAgain = (): void => notify([])

/** Calls back every so often in a visible tab: some changes are no events, and not every caller may read events. */
export function usePolling(listener: () => void, everyMs: number | null = pollMs): void {
  const latest = useRef(listener)
  latest.current = listener
  useEffect(() => {
    if (everyMs === null) return
    const timer = setInterval(() => isSeen() && latest.current(), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
}

/** Opens the connection while a user is signed in and the tab is visible; none in a hidden tab. */
export function startLive(): void {
  const update = () => {
    if (isSeen()) begin()
    else end()
  }
  document.addEventListener('visibilitychange', update)
  followSession(update)
  window.addEventListener('offline', () => running && void isReachable(running.signal))
  // What could not be read meanwhile.
  followOnline(readAgain)
  update()
}

const isSeen = (): boolean => isSignedIn() && document.visibilityState === 'visible'

function begin(): void {
  if (running !== undefined) return
  running = new AbortController()
  void keepFollowing(running.signal)
}

function end(): void {
  takeLastEventId()
  running?.abort()
  running = undefined
  statuses.set('starting')
}

async function keepFollowing(signal: AbortSignal): Promise<void> {
  const lastEventId = takeLastEventId()
  // A stream without a position, or that was lost, doesn't return the events before it opens.
  let missed = lastEventId === undefined
  let mayRead = true
  const firstEvent = new AbortController()
  if (missed) {
    // Another user may have signed in meanwhile.
    void isReachable(signal)
    void followEmptyLog(AbortSignal.any([signal, firstEvent.signal]), () => {
      mayRead = false
      if (statuses.get() === 'live') statuses.set('polling')
    })
  }
  const onStatus = (status: 'open' | 'lost') => {
    if (signal.aborted) return
    statuses.set(status === 'lost' ? 'reconnecting' : mayRead ? 'live' : 'polling')
    if (status === 'lost') void isReachable(signal)
    else reportAnswer()
    if (status === 'open' && missed) notify([])
    missed = status === 'lost'
  }
  try {
    for await (const event of client.follow({}, { lastEventId, signal, onStatus })) {
      if (!mayRead) statuses.set('live')
      mayRead = true
      firstEvent.abort()
      gather(event)
    }
  } catch (error) {
    if (signal.aborted) return
    if (error instanceof ClientError && error.isPositionLost) return continueFromHead()
    if (toRefusal(error).kind !== 'signedOut') await keepPolling(signal)
  }
}

/** A stream without a position opens at the head, and then everything is read again. */
function continueFromHead(): void {
  resets.set(resets.get() + 1)
  end()
  begin()
}

/**
 * Until the stream returns its first event. The stream opens for any caller, and returns nothing to those who can't read the
 * log. The server chooses the projects of a stream when it opens, from those that have events or change requests: when
 * the first event that the caller can read is in another project, a new stream is opened.
 */
async function followEmptyLog(signal: AbortSignal, onDenied: () => void): Promise<void> {
  if (await hasEvents(signal)) return
  if (!(await mayReadEvents(signal)) && !signal.aborted) onDenied()
  while (!signal.aborted) {
    await pause(pollMs, signal)
    if (signal.aborted || !(await hasEvents(signal)) || signal.aborted) continue
    end()
    begin()
  }
}

async function hasEvents(signal: AbortSignal): Promise<boolean> {
  try {
    return (await client.searchEvents({}, { limit: 1 }, { signal })).body.total > 0
  } catch {
    return false
  }
}

/** An empty log doesn't mean that the permission is missing. Permissions for all projects are listed for any name of a project. */
async function mayReadEvents(signal: AbortSignal): Promise<boolean> {
  try {
    const { permissions } = (await client.me({ project: 'name-of-no-project' }, { signal })).body
    return permissions?.includes('READ_EVENTS') ?? false
  } catch {
    return false
  }
}

async function keepPolling(signal: AbortSignal): Promise<void> {
  statuses.set('polling')
  while (!signal.aborted) {
    await pause(pollMs, signal)
    if (!signal.aborted) notify([])
  }
}

let gathered: EventView[] = []

/** Events of one moment are passed on together: an apply writes many. */
function gather(event: EventView): void {
  gathered.push(event)
  if (gathered.length > 1) return
  setTimeout(() => {
    const events = gathered
    gathered = []
    notify(events)
  }, 50)
}

function notify(events: ReceivedEvents): void {
  for (const listener of [...listeners]) listener(events)
}
