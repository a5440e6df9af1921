import type { ComponentChildren, Ref } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks'
import { Virtualizer } from './virtualizer'

/** Scrolls a list, and returns its position. */
export interface Virtual {
  /** Brings an item into the middle of the window. */
  scrollTo(index: number): void
  /** The item below this number of pixels of the window. */
  firstBelow(pixels: number): number
}

interface VirtualListProps {
  readonly count: number
  /** The height of an item before it is measured, in pixels. */
  readonly estimate: (index: number) => number
  readonly keyOf: (index: number) => string | number
  readonly render: (index: number) => ComponentChildren
  /** Called with the items in sight, and some around them, whenever they change. */
  readonly onRange?: ((first: number, last: number) => void) | undefined
  /** Takes what scrolls the list. */
  readonly control?: Ref<Virtual> | undefined
  /** An item that stays in the document although it is out of sight: the one that has the focus. */
  readonly keep?: number | undefined
  readonly label?: string | undefined
  readonly class?: string | undefined
}

/** A list of any length that scrolls with the window: only what is in sight stands in the document. */
export function VirtualList(props: VirtualListProps) {
  const { count, keyOf, render, onRange, control, keep, label, class: own } = props
  const list = useRef<HTMLUListElement>(null)
  const { virtualizer, observer, range } = useVirtualizer(props, list)
  const [first, last] = range
  useEffect(() => {
    if (count > 0) onRange?.(first, last)
  }, [first, last, count, onRange])
  useLayoutEffect(() => {
    const virtual: Virtual = {
      scrollTo: (index) => virtualizer.scrollTo(index),
      firstBelow: (pixels) => virtualizer.indexAt(window.scrollY + pixels - virtualizer.margin),
    }
    if (typeof control === 'function') control(virtual)
    else if (control) control.current = virtual
  }, [control, virtualizer])
  useLayoutEffect(() => {
    list.current?.style.setProperty('height', `${virtualizer.height}px`)
    virtualizer.applyShift()
  })
  return (
    <ul ref={list} class={own === undefined ? 'virtual' : `virtual ${own}`} aria-label={label}>
      {drawnIndexes(range, keep, count).map((index) => (
        <Item key={keyOf(index)} {...{ index, count, observer }} top={virtualizer.topOf(index)}>
          {render(index)}
        </Item>
      ))}
    </ul>
  )
}

interface ItemProps {
  readonly index: number
  readonly top: number
  readonly count: number
  readonly observer: ResizeObserver
  readonly children: ComponentChildren
}

function Item({ index, top, count, observer, children }: ItemProps) {
  const element = useRef<HTMLLIElement>(null)
  useLayoutEffect(() => element.current?.style.setProperty('transform', `translateY(${top}px)`), [top])
  useLayoutEffect(() => {
    const { current } = element
    if (current === null) return
    observer.observe(current)
    return () => observer.unobserve(current)
  }, [observer])
  return (
    <li ref={element} data-index={index} aria-posinset={index + 1} aria-setsize={count}>
      {children}
    </li>
  )
}

function useVirtualizer(items: VirtualListProps, list: { current: HTMLElement | null }) {
  const [, draw] = useReducer<number, void>((times) => times + 1, 0)
  const [virtualizer] = useState(() => new Virtualizer())
  virtualizer.setItems(items)
  const range = virtualizer.range()
  const rendered = useRef(range)
  rendered.current = range
  const observer = useMemo(() => createObserver(virtualizer, draw), [virtualizer])
  useLayoutEffect(() => {
    const scrolled = () => {
      const [first, last] = virtualizer.range()
      if (first !== rendered.current[0] || last !== rendered.current[1]) draw()
    }
    window.addEventListener('scroll', scrolled, { passive: true })
    window.addEventListener('resize', scrolled)
    return () => {
      window.removeEventListener('scroll', scrolled)
      window.removeEventListener('resize', scrolled)
      observer.disconnect()
    }
  }, [virtualizer, observer])
  useLayoutEffect(() => {
    const margin = Math.round((list.current?.getBoundingClientRect().top ?? 0) + window.scrollY)
    if (margin === virtualizer.margin) return
    virtualizer.margin = margin
    draw()
  })
  return { virtualizer, observer, range }
}

/** Measures heights as items are rendered. What grows above the window moves nothing in it. */
function createObserver(virtualizer: Virtualizer, draw: () => void): ResizeObserver {
  return new ResizeObserver((entries) => {
    const before = virtualizer.indexAt(window.scrollY - virtualizer.margin)
    const top = virtualizer.topOf(before)
    const altered = entries.filter(({ target, borderBoxSize: [size] }) =>
      virtualizer.measure(Number(target.getAttribute('data-index')), size?.blockSize ?? 0),
    )
    if (altered.length === 0) return
    const moved = virtualizer.topOf(before) - top
    draw()
    if (moved !== 0 && window.scrollY > virtualizer.margin) window.scrollBy(0, moved)
  })
}

function drawnIndexes([first, last]: readonly [number, number], keep = -1, count: number): number[] {
  const indexes = Array.from({ length: Math.max(last - first + 1, 0) }, (_, at) => first + at)
  if (keep < 0 || keep >= count || (keep >= first && keep <= last)) return indexes
  return [...indexes, keep].sort((one, other) => one - other)
}
