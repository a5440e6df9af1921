import { useLayoutEffect, useRef } from 'preact/hooks'
import { createKeptStore, useStore } from './store'

export interface Key {
  /** What it does, as the list of keys says it. */
  readonly label: string
  readonly run: (event: KeyboardEvent) => void
}

/** Keys as they are pressed: `j`, `?`, `g i` for one after the other, `Escape`. */
export type KeyMap = Readonly<Record<string, Key | undefined>>

const maps = new Set<{ current: KeyMap }>()

/** Whether single keys do something (WCAG 2.1.4). */
export const singleKeys = createKeptStore('ecr-single-keys', ['on', 'off'])

export const useSingleKeys = (): boolean => useStore(singleKeys) === 'on'

/** Keys of a screen or part, while it is shown. The last one that registers a key has it. */
export function useKeys(map: KeyMap): void {
  const ref = useRef(map)
  ref.current = map
  // In the layout phase: what is visible can be used.
  useLayoutEffect(() => {
    maps.add(ref)
    return () => {
      maps.delete(ref)
    }
  }, [])
}

/** All keys that do something now, for the list. */
export function listKeys(): { readonly keys: string; readonly label: string }[] {
  const all = new Map<string, string>()
  for (const { current } of maps) {
    for (const [keys, key] of Object.entries(current)) if (key !== undefined) all.set(keys, key.label)
  }
  return [...all].map(([keys, label]) => ({ keys, label }))
}

/** The key before, for two that are pressed one after the other, however slowly; a press of the pointer ends that. */
let before: string | undefined

window.addEventListener('pointerdown', () => {
  before = undefined
})

window.addEventListener('keydown', (event) => {
  const { key } = event
  if (event.defaultPrevented || event.isComposing || !isTyped(event) || key === 'Shift' || key === 'AltGraph') return
  if (
    key !== 'Escape' &&
    (singleKeys.get() === 'off' || isField(event.target) || document.querySelector('dialog[open]'))
  )
    return
  const sequence = before === undefined ? undefined : `${before} ${key}`
  const found = (sequence && findKey(sequence)) || findKey(key)
  before = found === undefined ? key : undefined
  if (found === undefined) return
  if (key !== 'Escape') event.preventDefault()
  found.run(event)
})

/**
 * Whether the press types its key. Many keyboards have `[`, `]` and other marks behind AltGr, which is Ctrl and Alt on Windows,
 * or behind Option.
 */
function isTyped(event: KeyboardEvent): boolean {
  const { key, altKey, ctrlKey, metaKey } = event
  if (event.getModifierState('AltGraph')) return true
  return !metaKey && (altKey ? /^[^\p{L}\d]$/u.test(key) : !ctrlKey)
}

function findKey(keys: string): Key | undefined {
  for (const { current } of [...maps].reverse()) if (current[keys] !== undefined) return current[keys]
  return undefined
}

function isField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement)
    return true
  return target instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'submit'].includes(target.type)
}
