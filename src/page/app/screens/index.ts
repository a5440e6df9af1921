import type { ComponentType } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'
import type { Place } from '../core/places/navigation'

type Screen = ComponentType<{ readonly place: Place }>

type Name = Place['screen'] | 'signIn'

/** Each screen is a file of its own, loaded when it is first shown. */
const screens: Readonly<Record<Name, () => Promise<Screen>>> = {
  inbox: async () => (await import('./inbox')).Inbox,
  log: async () => (await import('./log/log')).Log as Screen,
  settings: async () => (await import('./settings')).Settings,
  request: async () => (await import('./request')).Request as Screen,
  new: async () => (await import('./authoring')).NewRequest,
  unknown: async () => (await import('./unknown')).Unknown,
  signIn: async () => (await import('./sign-in')).SignIn,
}

const loaded = new Map<string, Screen>()

/** A screen, once its code is there; `failed` where it cannot be loaded, most likely since the page was replaced. */
export function useScreen(name: Name) {
  const [, setLoaded] = useState(0)
  const [failed, setFailed] = useState<string>()
  useLayoutEffect(() => {
    if (loaded.has(name)) return
    setFailed(undefined)
    screens[name]().then(
      (screen) => {
        loaded.set(name, screen)
        setLoaded((count) => count + 1)
      },
      // Another screen may be shown by then.
      () => setFailed(name),
    )
  }, [name])
  return { Screen: loaded.get(name), failed: failed === name }
}
