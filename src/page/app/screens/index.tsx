import type { ComponentType } from 'preact'
import type { Place } from '../core/places/navigation'
import { lazy, ScreenFallback } from '../parts/lazy'

type Screen = ComponentType<{ readonly place: Place }>

const screen = (load: () => Promise<ComponentType | Screen>) => lazy(load as () => Promise<Screen>, ScreenFallback)

/** Each screen is a file of its own, loaded when it is first shown. */
export const screens: Readonly<Record<Place['screen'], ReturnType<typeof screen>>> = {
  inbox: screen(async () => (await import('./inbox')).Inbox),
  schedule: screen(async () => (await import('./schedule')).Schedule),
  log: screen(async () => (await import('./log/log')).Log),
  settings: screen(async () => (await import('./settings')).Settings),
  request: screen(async () => (await import('./request')).Request as Screen),
  flag: screen(async () => (await import('./flag')).Flag as Screen),
  segment: screen(async () => (await import('./segment')).Segment as Screen),
  new: screen(async () => (await import('./new')).New),
  unknown: screen(async () => (await import('./unknown')).Unknown),
}

export const SignIn = lazy(
  async () => (await import('./sign-in')).SignIn,
  ({ failed }) => (
    <main class="sign">
      <ScreenFallback failed={failed} />
    </main>
  ),
)
