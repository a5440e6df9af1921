import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { isPlain } from '../../../core/places/link'
import { navigate, useLocation } from '../../../core/places/navigation'
import { Notice } from '../../../parts/messages/notice'
import { say } from '../../../parts/messages/status-line'
import { changeId, focusOnceLoaded } from '../focus'
import type { RequestProps } from '../use-request'

interface PermalinkProps extends Pick<RequestProps, 'review'> {
  /** The id that a change has now. Undefined until it is known. */
  readonly currentId: ((id: number) => number) | undefined
}

/**
 * Goes to the part that the address names, also when a link to it is pressed again. An edit gives a change a new id; the
 * address then becomes that of the change that replaced it. Shown is only that a change or comment does not exist.
 */
export function Permalink({ review: { changes, discussion }, currentId }: PermalinkProps) {
  const location = useLocation()
  const followed = useRef<unknown>(undefined)
  const [gone, setGone] = useState<{ readonly location: unknown; readonly title: string }>()
  useLayoutEffect(() => {
    if (followed.current === location || currentId === undefined) return
    followed.current = location
    const hash = window.location.hash.slice(1)
    const [, kind, number] = /^(change|comment)-(\d+)$/.exec(hash) ?? []
    const id = kind === 'change' ? currentId(Number(number)) : Number(number)
    if (kind !== undefined && !(kind === 'change' ? changes : discussion).some((one) => one.id === id)) {
      const title = `The linked ${kind} no longer exists`
      setGone({ location, title })
      return say(`${title}.`)
    }
    const current = kind === 'change' ? changeId(id) : hash
    if (current !== hash) history.replaceState(history.state, '', `#${current}`)
    focusOnceLoaded(current)
  })
  useLayoutEffect(() => {
    const follow = (event: MouseEvent) => {
      const address = event.target instanceof Element && event.target.closest('a[href^="#"]')?.getAttribute('href')
      if (!address || !isPlain(event)) return
      event.preventDefault()
      navigate(location.path + window.location.search + address)
    }
    document.addEventListener('click', follow)
    return () => document.removeEventListener('click', follow)
  }, [location])
  if (gone?.location !== location) return null
  return (
    <Notice tone="plain" icon="info" title={gone.title}>
      It was removed, or the address is not complete.
    </Notice>
  )
}
