import { useCallback, useState } from 'preact/hooks'

const prefix = 'ecr-draft:'

/** A text that is being written; it stays in the tab, also when the session ends or the page is loaded again. */
export function useDraft(name: string): [text: string, write: (text: string) => void, clear: () => void] {
  const [draft, setDraft] = useState(() => ({ name, text: readDraft(name) }))
  const write = useCallback(
    (text: string) => {
      keep(name, text)
      setDraft({ name, text })
    },
    [name],
  )
  const clear = useCallback(() => write(''), [write])
  return [draft.name === name ? draft.text : readDraft(name), write, clear]
}

export function readDraft(name: string): string {
  try {
    return sessionStorage.getItem(prefix + name) ?? ''
  } catch {
    return ''
  }
}

/** Whether any text is kept. */
export function hasDrafts(): boolean {
  try {
    return Object.keys(sessionStorage).some((key) => key.startsWith(prefix))
  } catch {
    return false
  }
}

/** Whoever signs in next does not see what was written before. */
export function forgetDrafts(): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key)
  } catch {
    // Without a storage nothing is kept.
  }
}

function keep(name: string, text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(prefix + name)
    else sessionStorage.setItem(prefix + name, text)
  } catch {
    // A full or forbidden storage: the text lives as long as the form.
  }
}
