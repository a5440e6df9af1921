import { useEffect, useState } from 'preact/hooks'

/** `in 4 s`, counting down; it is not read out each second. */
export function Countdown({ to }: { readonly to: number }) {
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const left = Math.ceil((to - now) / 1_000)
  return <span aria-live="off">{left > 0 ? `in ${left} s` : 'now'}</span>
}
