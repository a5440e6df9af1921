/** Results of queries with longer keys are not cached: a flag may have thousands of change requests. */
const maxKeyLength = 2_000

/** Caches results that never change; the least recently used ones are dropped first. */
export class ResultCache<Result> {
  readonly #results = new Map<string, Result>()
  readonly #max: number

  constructor(max: number) {
    this.#max = max
  }

  async get(query: unknown, find: () => Promise<Result>): Promise<Result> {
    const key = JSON.stringify(query)
    if (key.length > maxKeyLength) return find()
    const result = this.#results.get(key) ?? (await find())
    this.#results.delete(key)
    this.#results.set(key, result)
    if (this.#results.size > this.#max) this.#results.delete(this.#results.keys().next().value as string)
    return result
  }
}
