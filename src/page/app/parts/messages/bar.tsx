import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { createStore, useStore } from '../../core/tools/store'
import { Icon, type IconName } from '../marks/icon'
import type { Tone } from './notice'

interface BarProps {
  readonly tone: Tone
  readonly icon: IconName
  readonly title: ComponentChildren
  readonly actions?: ComponentChildren
  readonly children?: ComponentChildren
}

/** A bar below the top one, put into `<Bars>`. */
export function Bar({ tone, icon, title, actions, children }: BarProps) {
  return (
    <div class={`notice n-${tone}`}>
      <div class="notice-in">
        <Icon name={icon} />
        <div>
          <strong>{title}</strong> {children && <span>{children}</span>}
        </div>
        {actions && <p class="acts flow">{actions}</p>}
      </div>
    </div>
  )
}

/** The place of bars, below the top one. When one comes or goes, the page scrolls by its height: nothing moves under the pointer. */
export function Bars({ children }: { readonly children?: ComponentChildren }) {
  const element = useRef<HTMLDivElement>(null)
  const height = useRef<number>(undefined)
  useLayoutEffect(() => {
    const next = element.current?.offsetHeight ?? 0
    const before = height.current ?? next
    // Where it is scrolled, most browsers do this themselves (scroll anchoring).
    const isAnchored = scrollY > 0 && CSS.supports('overflow-anchor', 'auto')
    if (next !== before && !isAnchored) scrollBy(0, next - before)
    height.current = next
  })
  return (
    <div class="bars" role="status" ref={element}>
      {children}
    </div>
  )
}

const ofScreen = createStore<ComponentChildren>(null)

/** A bar that a screen puts next to those of the frame. */
export function ScreenBar({ children }: { readonly children: ComponentChildren }) {
  useLayoutEffect(() => {
    ofScreen.set(children)
    return () => ofScreen.set(null)
  })
  return null
}

export const ScreenBars = () => <Bars>{useStore(ofScreen)}</Bars>
