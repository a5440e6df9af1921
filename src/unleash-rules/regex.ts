import { broken, CharacterReader } from './regex-characters'

const maxLength = 1000
/** The limit of RE2, for nested repetitions together. */
const maxRepetitions = 1000
const maxNesting = 50

/**
 * Why a pattern is not valid in RE2; undefined if it is. The pattern is read once, from left to right, and never compiled:
 * V8 needs a second to compile 16,000 `\p{L}`. Not accepted are the octal escapes, `\C` and `\Q...\E` of RE2, which
 * JavaScript does not have.
 */
export function problemOfRegex(pattern: string): string | undefined {
  if (pattern.length > maxLength && [...pattern].length > maxLength) {
    return `more than ${maxLength} characters are not supported`
  }
  return new PatternReader(pattern).findProblem()
}

const assertions = new Set('AbBz')

// Sticky: each is tried at one position only, so that the whole pattern is read once.
const counts = /\{(0|[1-9]\d*)(?:,(0|[1-9]\d*)?)?\}/y
const groupStart = /\(\?(?:P?<(\w+)>|(?:[imsU]+(?:-[imsU]+)?|-[imsU]+)?:|([imsU]+(?:-[imsU]+)?|-[imsU]+)\))/y
const lookAround = /\(\?<?[=!]/y

class PatternReader extends CharacterReader {
  readonly #names = new Set<string>()
  /** For each open group, the highest product of nested repetitions in it. The first stands for the whole pattern. */
  readonly #groups: number[] = [1]
  /** The product of nested repetitions in what was read last; 0 if it cannot be repeated. */
  #repeatable = 0

  findProblem(): string | undefined {
    while (this.problem === undefined && this.position < this.pattern.length) this.#readPart()
    return this.problem ?? (this.#groups.length === 1 ? undefined : broken)
  }

  #readPart(): void {
    const character = this.pattern[this.position]
    if (character === '(') this.#openGroup()
    else if (character === ')') this.#closeGroup()
    else if (character === '|') {
      this.position += 1
      this.#repeatable = 0
    } else if (character === '*' || character === '+' || character === '?') {
      this.position += 1
      this.#repeat(1)
    } else if (character !== '{' || !this.#readCounts()) {
      if (character === '\\') this.readEscape(assertions)
      else if (character === '[') this.readClass()
      else this.position += 1
      this.#repeatable = 1
    }
  }

  /** False for a brace that begins no repetition: it is a literal. */
  #readCounts(): boolean {
    const [match, least = '', most] = this.take(counts) ?? []
    if (match === undefined) return false
    const low = Number(least)
    const high = most === undefined ? undefined : Number(most)
    if (Math.max(low, high ?? 0) > maxRepetitions) {
      this.problem = `a repetition of more than ${maxRepetitions} is not supported`
    } else if (high !== undefined && high < low) this.problem = broken
    else this.#repeat(Math.max(1, high ?? low))
    return true
  }

  /** Repetitions cannot be stacked: `a**`. */
  #repeat(times: number): void {
    const product = this.#repeatable * times
    if (product === 0) this.problem = broken
    if (product > maxRepetitions) {
      this.problem = `nested repetitions of more than ${maxRepetitions} in total are not supported`
    }
    if (this.pattern[this.position] === '?') this.position += 1
    this.#contain(product)
    this.#repeatable = 0
  }

  #contain(product: number): void {
    const innermost = this.#groups.length - 1
    this.#groups[innermost] = Math.max(this.#groups[innermost] ?? 1, product)
  }

  #openGroup(): void {
    if (this.take(lookAround)) {
      this.problem = 'look-around is not supported'
      return
    }
    const [special, name, flags] = this.take(groupStart) ?? []
    if (special === undefined) this.position += 1
    // Flags alone, such as `(?i)`, open no group.
    if (flags !== undefined) return
    const isUnknown = special === undefined && this.pattern[this.position] === '?'
    if (isUnknown || (name !== undefined && this.#names.has(name))) this.problem = broken
    if (name !== undefined) this.#names.add(name)
    this.#groups.push(1)
    this.#repeatable = 0
    if (this.#groups.length - 1 > maxNesting) this.problem = `more than ${maxNesting} nested groups are not supported`
  }

  #closeGroup(): void {
    const product = this.#groups.pop() ?? 1
    if (this.#groups.length === 0) {
      this.problem = broken
      return
    }
    this.position += 1
    this.#repeatable = product
    this.#contain(product)
  }
}
