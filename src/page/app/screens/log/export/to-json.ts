const newline = 0x0a

/**
 * Turns NDJSON of the log into one document `{"events":[…],"total":…}`, line by line: the memory stays the same however long
 * it is. The last line is the trailer, which only `end` can know.
 */
export function jsonWriter(): { add(chunk: Uint8Array): Uint8Array[]; end(): Uint8Array[] } {
  const text = new TextEncoder()
  let pending: Uint8Array[] = []
  let held: Uint8Array[] | undefined
  let count = 0
  const endLine = (): Uint8Array[] => {
    const line = pending
    pending = []
    const out = held
    held = line
    if (out === undefined) return [text.encode('{"events":[\n')]
    count += 1
    return count === 1 ? out : [text.encode(',\n'), ...out]
  }
  return {
    add(chunk) {
      const out: Uint8Array[] = []
      let from = 0
      for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
        pending.push(chunk.subarray(from, at))
        out.push(...endLine())
        from = at + 1
      }
      if (from < chunk.length) pending.push(chunk.slice(from))
      return out
    },
    end: () => [text.encode(`${held === undefined ? '{"events":[' : ''}\n],"total":${count}}\n`)],
  }
}
