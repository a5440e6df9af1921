import { useEffect, useState } from 'preact/hooks'

/** The text, a moment after the last key. */
export function usePaused(text: string): string {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(setPaused, 200, text)
    return () => clearTimeout(timer)
  }, [text])
  return paused
}
