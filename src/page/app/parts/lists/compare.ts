type Mark = ' ' | '+' | '-'

/** A line of a comparison: `+` came, `-` went. */
export interface Line {
  readonly mark: Mark
  readonly text: string
}

/** Beyond this many pairs of lines the middle is shown as removed and added as a whole. */
const tooMany = 1_000_000

/** The words of both, with neighbours of one mark together. */
export function compareWords(from: string, to: string): Line[] {
  const found: Line[] = []
  for (const { mark, text } of compare(wordsOf(from), wordsOf(to))) {
    const last = found.at(-1)
    if (last?.mark === mark) found[found.length - 1] = { mark, text: last.text + text }
    else found.push({ mark, text })
  }
  return found
}

const wordsOf = (text: string): string[] => text.match(/\s+|[\p{L}\p{N}_]+|./gu) ?? []

/** The lines of both, with a longest common part found between an equal start and an equal end. */
export function compare(from: readonly string[], to: readonly string[]): Line[] {
  let start = 0
  while (start < from.length && start < to.length && from[start] === to[start]) start++
  let end = 0
  while (end < from.length - start && end < to.length - start && from.at(-1 - end) === to.at(-1 - end)) end++
  const same = (lines: readonly string[]) => marked(' ', lines)
  const [gone, come] = [from.slice(start, from.length - end), to.slice(start, to.length - end)]
  return [...same(from.slice(0, start)), ...middle(gone, come), ...same(from.slice(from.length - end))]
}

const marked = (mark: Mark, lines: readonly string[]): Line[] => lines.map((text) => ({ mark, text }))

function middle(from: readonly string[], to: readonly string[]): Line[] {
  const removed = marked('-', from)
  const added = marked('+', to)
  if (from.length * to.length > tooMany) return [...removed, ...added]
  const width = to.length + 1
  const common = new Uint16Array((from.length + 1) * width)
  for (let i = from.length - 1; i >= 0; i--) {
    for (let j = to.length - 1; j >= 0; j--) {
      const [down, right] = [common[(i + 1) * width + j] ?? 0, common[i * width + j + 1] ?? 0]
      common[i * width + j] = from[i] === to[j] ? (common[(i + 1) * width + j + 1] ?? 0) + 1 : Math.max(down, right)
    }
  }
  const lines: Line[] = []
  let [i, j] = [0, 0]
  while (i < from.length || j < to.length) {
    if (i < from.length && j < to.length && from[i] === to[j]) {
      lines.push({ mark: ' ', text: from[i] as string })
      i++
      j++
    } else if (
      j >= to.length ||
      (i < from.length && (common[(i + 1) * width + j] ?? 0) >= (common[i * width + j + 1] ?? 0))
    ) {
      lines.push(removed[i++] as Line)
    } else lines.push(added[j++] as Line)
  }
  return lines
}
