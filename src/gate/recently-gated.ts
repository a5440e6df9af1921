import type { WritePlace } from './review-required'

/** After a place was disabled by another process, events may name the caller as one who skipped the review for this long. */
const rememberedMs = 1_000
const maxPlaces = 1_000

/** The environments in which change requests were enabled at the last read. Disabled ones are never remembered. */
export class RecentlyGated {
  /** When each is forgotten. */
  readonly #until = new Map<string, number>()
  readonly #now: () => number

  /** @param now in milliseconds; it never runs backwards. */
  constructor(now = () => performance.now()) {
    this.#now = now
  }

  /** False for a whole project: its list of environments may have grown. */
  has(place: WritePlace): boolean {
    return place.environment !== undefined && (this.#until.get(nameOf(place)) ?? 0) > this.#now()
  }

  /** Records the settings that were read. */
  record(place: WritePlace, isGated: boolean): void {
    const name = nameOf(place)
    if (!isGated) {
      this.#until.delete(name)
    } else if (place.environment !== undefined) {
      if (this.#until.size >= maxPlaces) this.#until.clear()
      this.#until.set(name, this.#now() + rememberedMs)
    }
  }
}

function nameOf({ project, environment }: WritePlace): string {
  return JSON.stringify([project, environment])
}
