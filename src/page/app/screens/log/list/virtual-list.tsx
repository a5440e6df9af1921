import {
  observeWindowOffset,
  observeWindowRect,
  type Range,
  type VirtualItem,
  Virtualizer,
  windowScroll,
} from '@tanstack/virtual-core'
import type { ComponentChildren, Ref } from 'preact'
import { useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from 'preact/hooks'

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
  /** Called with the first and last rendered item when they change. */
  readonly onRange: (first: number, last: number) => void
  readonly control: Ref<Virtual>
  /** An item that stays in the document outside the window: the one that has the focus. */
  readonly keep?: number | undefined
  readonly label: string
  readonly class: string
}

/** The heights of the items that were rendered before: going back shows the list at the same position. */
let left: VirtualItem[] = []

/** A list of any length that scrolls with the window: only the items in the window are in the document. */
export function VirtualList({
  count,
  estimate,
  keyOf,
  render,
  onRange,
  control,
  keep,
  label,
  ...rest
}: VirtualListProps) {
  const list = useRef<HTMLUListElement>(null)
  const [, draw] = useState({})
  const [margin, setMargin] = useState(0)
  const options = {
    count,
    estimateSize: estimate,
    getItemKey: keyOf,
    scrollMargin: margin,
    // Items that are added above the window move nothing in it.
    anchorTo: window.scrollY > margin ? ('end' as const) : ('start' as const),
    overscan: 8,
    rangeExtractor: (range: Range) => rendered(range, keep),
    initialMeasurementsCache: left,
    initialOffset: () => window.scrollY,
    initialRect: { width: window.innerWidth, height: window.innerHeight },
    getScrollElement: () => window,
    observeElementRect: observeWindowRect,
    observeElementOffset: observeWindowOffset,
    scrollToFn: windowScroll,
    onChange: () => draw({}),
  }
  const [virtualizer] = useState(() => new Virtualizer<Window, HTMLLIElement>(options))
  virtualizer.setOptions(options)
  const items = virtualizer.getVirtualItems()
  const { startIndex: first = 0, endIndex: last = -1 } = virtualizer.range ?? {}
  useLayoutEffect(() => list.current?.style.setProperty('height', `${virtualizer.getTotalSize()}px`))
  useLayoutEffect(() => {
    const unmount = virtualizer._didMount()
    return () => {
      left = virtualizer.takeSnapshot()
      unmount()
    }
  }, [virtualizer])
  useLayoutEffect(() => {
    virtualizer._willUpdate()
    setMargin(Math.round((list.current?.getBoundingClientRect().top ?? 0) + window.scrollY))
  })
  useEffect(() => {
    if (count > 0) onRange(first, last)
  }, [first, last, count, onRange])
  useImperativeHandle(control, () => ({
    scrollTo: (index) => virtualizer.scrollToIndex(index, { align: 'center' }),
    firstBelow: (pixels) => virtualizer.getVirtualItemForOffset(window.scrollY + pixels)?.index ?? 0,
  }))
  return (
    <ul ref={list} class={`virtual ${rest.class}`} aria-label={label}>
      {items.map(({ index, key, start }) => (
        <li
          key={key}
          ref={virtualizer.measureElement}
          style={{ transform: `translateY(${start - margin}px)` }}
          data-index={index}
          aria-posinset={index + 1}
          aria-setsize={count}
        >
          {render(index)}
        </li>
      ))}
    </ul>
  )
}

function rendered({ startIndex, endIndex, overscan, count }: Range, keep = -1): number[] {
  const first = Math.max(startIndex - overscan, 0)
  const last = Math.min(endIndex + overscan, count - 1)
  const indexes = Array.from({ length: last - first + 1 }, (_, at) => first + at)
  if (keep < 0 || keep >= count || (keep >= first && keep <= last)) return indexes
  return [...indexes, keep].sort((one, other) => one - other)
}
