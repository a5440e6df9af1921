import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { createStore, useStore } from './store'

const prefix = 'ecr-draft:'

let author: number | null = null

/** Drafts belong to a user: no other user who signs in in this tab sees them. */
export function setDraftAuthor(id: number | null): void {
  author = id
}

/**
 * A text that is being written. It stays in the tab for its author, also when the session ends or the page is loaded again,
 * until its author signs out.
 */
export function useDraft(name: string): [text: string, write: (text: string) => void, clear: () => void] {
  const key = ownPrefix() + name
  const [draft, setDraft] = useState(() => ({ key, text: readDraft(key) }))
  const write = useCallback((text: string) => keep(key, text), [key])
  const text = draft.key === key ? draft.text : readDraft(key)
  const latest = useRef(text)
  latest.current = text
  const clear = useCallback(() => {
    // Its author may have left the screen, come back, and be writing another text.
    if ([latest.current, ''].includes(readDraft(key))) write('')
  }, [write])
  // It may have been sent from a screen that was left.
  useLayoutEffect(() => writes.follow((written) => written.key === key && setDraft(written)), [key])
  return [text, write, clear]
}

/** Texts that a full or forbidden storage did not take: they live until the page is loaded again. */
const inMemory = new Map<string, string>()

function readDraft(key: string): string {
  const text = inMemory.get(key)
  if (text !== undefined) return text
  try {
    return sessionStorage.getItem(key) ?? ''
  } catch {
    return ''
  }
}

/** Whether a text of the user is kept. */
export const hasDrafts = (): boolean => ownKeys().length > 0

/** The texts of the user whose names begin like this, by name. */
export function useDrafts(start: string): ReadonlyMap<string, string> {
  useStore(writes)
  const names = ownKeys().map((key) => key.slice(ownPrefix().length))
  return new Map(names.filter((name) => name.startsWith(start)).map((name) => [name, readDraft(ownPrefix() + name)]))
}

export const keepDraft = (name: string, text: string): void => keep(ownPrefix() + name, text)

export const dropDraft = (name: string): void => keepDraft(name, '')

/** The drafts of a user end when they sign out. */
export function forgetDrafts(): void {
  for (const key of ownKeys()) keep(key, '')
}

function ownKeys(): readonly string[] {
  const keys = new Set([...storedKeys(), ...inMemory.keys()])
  return [...keys].filter((key) => key.startsWith(ownPrefix()))
}

function storedKeys(): readonly string[] {
  try {
    return Object.keys(sessionStorage)
  } catch {
    return []
  }
}

const ownPrefix = (): string => `${prefix}${author} `

/** The latest write, so that what shows drafts follows. */
const writes = createStore({ key: '', text: '' })

function keep(key: string, text: string): void {
  inMemory.delete(key)
  try {
    sessionStorage.removeItem(key)
    if (text !== '') sessionStorage.setItem(key, text)
  } catch {
    if (text !== '') inMemory.set(key, text)
  }
  writes.set({ key, text })
}
