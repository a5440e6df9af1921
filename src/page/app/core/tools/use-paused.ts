import { useEffect, useState } from 'preact/hooks'

/** The text, a moment after the last key. */
export function usePaused(text: string, pauseMs = 200): string {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(setPaused, pauseMs, text)
    return () => clearTimeout(timer)
  }, [text])
  return paused
}
