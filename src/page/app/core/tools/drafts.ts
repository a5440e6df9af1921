import { useCallback, useState } from 'preact/hooks'

const prefix = 'ecr-draft:'

let author: number | null = null

/** Drafts belong to a user: nobody else who signs in in this tab sees them. */
export function setDraftAuthor(id: number | null): void {
  author = id
}

/**
 * A text that is being written. It stays in the tab for its author, also when the session ends or the page is loaded again,
 * until its author signs out.
 */
export function useDraft(name: string): [text: string, write: (text: string) => void, clear: () => void] {
  const key = `${prefix}${author} ${name}`
  const [draft, setDraft] = useState(() => ({ key, text: readDraft(key) }))
  const write = useCallback(
    (text: string) => {
      keep(key, text)
      setDraft({ key, text })
    },
    [key],
  )
  const clear = useCallback(() => write(''), [write])
  return [draft.key === key ? draft.text : readDraft(key), write, clear]
}

function readDraft(key: string): string {
  try {
    return sessionStorage.getItem(key) ?? ''
  } catch {
    return ''
  }
}

/** Whether a text of the user is kept. */
export function hasDrafts(): boolean {
  try {
    return Object.keys(sessionStorage).some(isOwn)
  } catch {
    return false
  }
}

/** The drafts of a user end when they sign out. */
export function forgetDrafts(): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (isOwn(key)) sessionStorage.removeItem(key)
  } catch {
    // Without a storage nothing is kept.
  }
}

function isOwn(key: string): boolean {
  return key.startsWith(`${prefix}${author} `)
}

function keep(key: string, text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, text)
  } catch {
    // A full or forbidden storage: the text lives as long as the form.
  }
}
