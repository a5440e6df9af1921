/** A list of any length: its items are known by index and key, and have a height once they are rendered. */
interface Items {
  readonly count: number
  /** The height of an item before it is measured, in pixels. */
  readonly estimate: (index: number) => number
  readonly keyOf: (index: number) => string | number
}

/** Items rendered above and below the visible ones. */
const overscan = 8

/** Knows where each item of a list stands that scrolls with the window, and which ones are in sight. */
export class Virtualizer {
  /** Distance from the top of the document to that of the list, in pixels. */
  margin = 0
  private items: Items = { count: 0, estimate: () => 0, keyOf: (index) => index }
  private readonly heights = new Map<string | number, number>()
  /** The top of each item, and the end of the last one. */
  private tops = new Float64Array(1)
  /** Below this item, tops are right. */
  private rightBelow = 0
  private firstKeys: unknown
  /** How far the window must be scrolled, so that what is in sight stays where it is. */
  private shift = 0

  setItems(items: Items): void {
    const firstKeys = [0, 1].map((index) => (index < items.count ? items.keyOf(index) : '')).join('\n')
    if (items.count === this.items.count && firstKeys === this.firstKeys) {
      this.items = items
      return
    }
    const inSight = window.scrollY - this.margin
    const index = this.indexAt(inSight)
    const [key, top] = inSight > 0 && this.items.count > 0 ? [this.items.keyOf(index), this.topOf(index)] : []
    this.items = items
    this.firstKeys = firstKeys
    this.tops = new Float64Array(items.count + 1)
    this.rightBelow = 0
    const now = key === undefined ? -1 : this.indexOf(key, index)
    if (top !== undefined && now >= 0) this.shift += this.topOf(now) - top
    this.forgetHeights()
  }

  /** Call it when the list has its height. */
  applyShift(): void {
    const { shift } = this
    this.shift = 0
    if (shift !== 0) window.scrollBy(0, shift)
  }

  /** Most often the item is where it was. */
  private indexOf(key: string | number, at: number): number {
    const { count, keyOf } = this.items
    if (at < count && keyOf(at) === key) return at
    for (let index = 0; index < count; index += 1) if (keyOf(index) === key) return index
    return -1
  }

  /** The heights of items that are gone, once they are many. */
  private forgetHeights(): void {
    const { count, keyOf } = this.items
    if (this.heights.size <= 2 * count + 500) return
    const present = new Set(Array.from({ length: count }, (_, index) => keyOf(index)))
    for (const key of this.heights.keys()) if (!present.has(key)) this.heights.delete(key)
  }

  /** Stores the height that an item was rendered with. Returns whether it differs from the known one. */
  measure(index: number, height: number): boolean {
    if (index >= this.items.count || height === 0 || this.heightOf(index) === height) return false
    this.heights.set(this.items.keyOf(index), height)
    this.rightBelow = Math.min(this.rightBelow, index)
    return true
  }

  /** The height of the whole list. */
  get height(): number {
    return this.topOf(this.items.count)
  }

  /** The top of an item, from that of the list. */
  topOf(index: number): number {
    const { tops } = this
    for (let at = this.rightBelow; at < index; at += 1) tops[at + 1] = (tops[at] ?? 0) + this.heightOf(at)
    this.rightBelow = Math.max(this.rightBelow, index)
    return tops[index] ?? 0
  }

  /** The item at a distance from the top of the list. */
  indexAt(distance: number): number {
    this.topOf(this.items.count)
    let [low, high] = [0, Math.max(this.items.count - 1, 0)]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((this.tops[middle] ?? 0) <= distance) low = middle
      else high = middle - 1
    }
    return low
  }

  /** The first and the last item to draw. */
  range(): readonly [first: number, last: number] {
    const top = window.scrollY + this.shift - this.margin
    const first = this.indexAt(top) - overscan
    const last = this.indexAt(top + window.innerHeight) + overscan
    return [Math.max(first, 0), Math.min(last, this.items.count - 1)]
  }

  /** Brings an item into the middle of the window. */
  scrollTo(index: number): void {
    const middle = this.topOf(index) + this.heightOf(index) / 2
    window.scrollTo(0, this.margin + middle - window.innerHeight / 2)
  }

  private heightOf(index: number): number {
    return this.heights.get(this.items.keyOf(index)) ?? this.items.estimate(index)
  }
}
