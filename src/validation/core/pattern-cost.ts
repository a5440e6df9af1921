/** A text of 50,000 characters, about half of the longest body. */
const longestText = 50_000
const maxMs = 20
const shortest = 8
const growth = 1.2

/** Whether a pattern takes more than 20 ms on a text of that number of equal characters at most that does not match. */
export function isSlow(pattern: string, maxLength = longestText): boolean {
  const regex = new RegExp(pattern, 'u')
  const repeated = new Set([...'a0A -_.', ...pattern])
  for (const character of repeated) {
    // A pattern that takes exponential time is found before it takes long.
    for (let length = shortest; length <= maxLength; length = Math.ceil(length * growth)) {
      const text = `${character.repeat(length)}\n`
      // Another process may have delayed the first run.
      if (timeOf(regex, text) > maxMs && timeOf(regex, text) > maxMs) return true
    }
  }
  return false
}

function timeOf(regex: RegExp, text: string): number {
  const start = performance.now()
  regex.test(text)
  return performance.now() - start
}
