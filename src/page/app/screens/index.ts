import type { ComponentType } from 'preact'
import type { Place } from '../core/places/navigation'

export type Screen = ComponentType<{ readonly place: Place }>

type Name = 'inbox' | 'log' | 'settings' | 'request'

/** Each screen is a file of its own, loaded when it is first shown. */
export const screens: Readonly<Record<Name, () => Promise<Screen>>> = {
  inbox: async () => (await import('./inbox')).Inbox,
  log: async () => (await import('./log')).Log as Screen,
  settings: async () => (await import('./settings')).Settings,
  request: async () => (await import('./request')).Request as Screen,
}
