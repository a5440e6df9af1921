import { config } from '../tools/config'
import { attempt, createStore, useStore } from '../tools/store'
import { restoreTop, saveTop, stopRestoring } from './scroll'

/** The screen that an address of the page shows. */
export type Place =
  | { readonly screen: 'inbox' | 'schedule' | 'log' | 'settings' | 'new' | 'unknown' }
  | { readonly screen: 'request'; readonly project: string; readonly id: number }
  | { readonly screen: 'flag'; readonly project: string; readonly name: string }
  | { readonly screen: 'segment'; readonly project: string; readonly id: number }

export interface Location {
  /** The path below the mount, such as `/log`. */
  readonly path: string
  readonly query: URLSearchParams
  readonly place: Place
  /** How it was reached: the first one, by a link, or by the buttons of the browser. */
  readonly by: 'load' | 'link' | 'history'
}

const addressKey = 'ecr-address'

/** Keeps the hash, which no server receives, until the host sends the viewer back from its sign-in. */
export const keepAddress = (): unknown => attempt(() => sessionStorage.setItem(addressKey, window.location.href))

attempt(() => {
  const kept = sessionStorage.getItem(addressKey)
  sessionStorage.removeItem(addressKey)
  if (kept?.split('#', 1)[0] === window.location.href) history.replaceState(history.state, '', kept)
})

const locations = createStore<Location>(readLocation('load'))
window.addEventListener('popstate', () => {
  locations.set(readLocation('history'))
  restoreTop()
})
// After a reload.
restoreTop()

export const useLocation = (): Location => useStore(locations)

export const currentLocation = (): Location => locations.get()

/** The path of a change request, below the mount. */
export function requestPath(project: string, id: number): string {
  return pathIn(project, 'change-requests', id)
}

/** The path of a flag, below the mount; without an environment, the screen chooses one. */
export function flagPath(project: string, name: string, environment?: string): string {
  return withEnvironment(pathIn(project, 'flags', name), environment)
}

/** The path of a segment, below the mount; it is proposed in an environment, and takes effect in all. */
export function segmentPath(project: string, id: number, environment?: string): string {
  return withEnvironment(pathIn(project, 'segments', id), environment)
}

const pathIn = (...names: readonly (string | number)[]): string =>
  `/projects/${names.map(encodeURIComponent).join('/')}`

function withEnvironment(path: string, environment: string | undefined): string {
  return environment === undefined ? path : `${path}?${new URLSearchParams({ environment })}`
}

/** Where a change is proposed, in a place as far as it is known. */
export function newPath({ project, environment }: NewPlace): string {
  const given = Object.entries({ project, environment }).filter((one): one is [string, string] => one[1] !== undefined)
  return given.length === 0 ? '/new' : `/new?${new URLSearchParams(given)}`
}

interface NewPlace {
  readonly project: string | undefined
  readonly environment: string | undefined
}

/** The address in the browser of a path below the mount. */
export const toAddress = (path: string): string => `${config.base}${path}`

/** Goes to a path below the mount, with or without a query. The address that is shown gets no second entry of the history. */
export function navigate(path: string, { replace = false }: { replace?: boolean } = {}): void {
  saveTop()
  stopRestoring()
  const address = toAddress(path)
  const { href, hash } = new URL(address, window.location.href)
  if (replace || href === window.location.href) {
    // A link to a part of the screen goes there again.
    history.replaceState(hash === '' ? history.state : null, '', address)
  } else history.pushState(null, '', address)
  const from = locations.get()
  locations.set(readLocation('link'))
  if (hash !== '') restoreTop()
  else if (!replace && locations.get().path !== from.path) window.scrollTo(0, 0)
  saveTop()
}

/** Goes on from a screen, unless the viewer has left it. */
export function navigateFrom(from: string, path: string): void {
  if (locations.get().path === from) navigate(path)
}

/** Sets or, with undefined, removes parameters of the query; the rest stays. */
export function setQuery(
  changes: Record<string, string | readonly string[] | undefined>,
  options?: { replace?: boolean },
): void {
  const { path, query } = locations.get()
  const next = new URLSearchParams(query)
  for (const [name, value] of Object.entries(changes)) {
    next.delete(name)
    for (const one of value === undefined ? [] : [value].flat()) next.append(name, one)
  }
  const text = next.toString()
  navigate(text === '' ? path : `${path}?${text}`, options)
}

export function parsePath(path: string): Place {
  const trimmed = path.replace(/\/+$/, '')
  if (trimmed === '') return { screen: 'inbox' }
  if (trimmed === '/schedule') return { screen: 'schedule' }
  if (trimmed === '/log') return { screen: 'log' }
  if (trimmed === '/settings') return { screen: 'settings' }
  if (trimmed === '/new') return { screen: 'new' }
  const [, ...names] = /^\/projects\/([^/]+)\/(change-requests|flags|segments)\/([^/]+)$/.exec(trimmed) ?? []
  try {
    const [project = '', kind, name = ''] = names.map(decodeURIComponent)
    if (kind === 'flags') return { screen: 'flag', project, name }
    if (!/^\d{1,16}$/.test(name)) return { screen: 'unknown' }
    return { screen: kind === 'segments' ? 'segment' : 'request', project, id: Number(name) }
  } catch {
    return { screen: 'unknown' }
  }
}

function readLocation(by: Location['by']): Location {
  const { pathname, search } = window.location
  const path = pathname.startsWith(config.base) ? pathname.slice(config.base.length) : pathname
  // With two slashes at its start, the path would be an address of another host.
  return { path: path.replace(/^\/*/, '/'), query: new URLSearchParams(search), place: parsePath(path), by }
}
