import type { Appended } from '../../appended'
import type { Database } from './database'

/** Other processes are listened to only while somebody wants to know. */
export function listenWhileWanted({ listen }: Database, appended: Appended) {
  let wanted = 0
  let end: (() => Promise<void>) | undefined
  let ended: Promise<void> | undefined
  const stop = () => {
    ended = end?.() ?? ended
    end = undefined
    return ended
  }
  return {
    stop,
    subscribe(listener: () => void): () => void {
      const deafen = appended.subscribe(listener)
      if (wanted === 0) end = listen?.(appended.tell)
      wanted += 1
      return () => {
        deafen()
        wanted -= 1
        if (wanted === 0) void stop()
      }
    },
  }
}
