import type { Appended } from '../../appended'
import type { Database } from './database'

/** Listens to other processes only while there is a subscriber. */
export function listenWhileSubscribed({ listen }: Pick<Database<unknown>, 'listen'>, appended: Appended) {
  let subscribers = 0
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
      const unsubscribe = appended.subscribe(listener)
      if (subscribers === 0) end = listen?.(appended.notify)
      subscribers += 1
      return () => {
        unsubscribe()
        subscribers -= 1
        if (subscribers === 0) void stop()
      }
    },
  }
}
