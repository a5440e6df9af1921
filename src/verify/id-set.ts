const bitsOfChunk = 1 << 16

/** A set of positive ids that grew one by one, with one bit for each. */
export class IdSet {
  readonly #chunks = new Map<number, Uint32Array>()

  add(id: number): void {
    const [chunk, word, bit] = placeOf(id)
    const words = this.#chunks.get(chunk) ?? new Uint32Array(bitsOfChunk / 32)
    this.#chunks.set(chunk, words)
    words[word] = (words[word] ?? 0) | bit
  }

  delete(id: number): void {
    const [chunk, word, bit] = placeOf(id)
    const words = this.#chunks.get(chunk)
    if (words !== undefined) words[word] = (words[word] ?? 0) & ~bit
  }

  /** In ascending order. */
  *values(): Generator<number> {
    for (const chunk of [...this.#chunks.keys()].sort((one, other) => one - other)) {
      const words = this.#chunks.get(chunk) ?? []
      for (const [at, word] of words.entries()) {
        if (word === 0) continue
        for (let bit = 0; bit < 32; bit += 1) {
          if ((word & (1 << bit)) !== 0) yield chunk * bitsOfChunk + at * 32 + bit
        }
      }
    }
  }
}

function placeOf(id: number): [chunk: number, word: number, bit: number] {
  const within = id % bitsOfChunk
  return [Math.floor(id / bitsOfChunk), within >> 5, 1 << (within & 31)]
}
