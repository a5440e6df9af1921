import type { AnswerKey, KeyedAnswer } from '../ports/storage'
import { answerCutoff } from './kept-answers'

/** The answers that a memory storage keeps, as text, so that nobody holds a reference into the store. */
export class MemoryAnswers {
  readonly #answers = new Map<string, { readonly createdAt: string; readonly text: string }>()

  find(key: AnswerKey, since: string): KeyedAnswer | undefined {
    const kept = this.#answers.get(toText(key))
    return kept !== undefined && kept.createdAt >= since ? (JSON.parse(kept.text) as KeyedAnswer) : undefined
  }

  /** True when one of the keys cannot be used for a new answer. */
  refuses(fresh: readonly KeyedAnswer[]): boolean {
    const repeated = new Set(fresh.map(toText)).size < fresh.length
    return repeated || fresh.some((answer) => this.find(answer, answerCutoff(answer.createdAt)) !== undefined)
  }

  keep(fresh: readonly KeyedAnswer[]): void {
    for (const answer of fresh) {
      const { createdAt } = answer
      for (const [key, kept] of this.#answers) if (kept.createdAt < answerCutoff(createdAt)) this.#answers.delete(key)
      this.#answers.set(toText(answer), { createdAt, text: JSON.stringify(answer) })
    }
  }
}

function toText({ userId, key }: AnswerKey): string {
  return `${userId} ${key}`
}
