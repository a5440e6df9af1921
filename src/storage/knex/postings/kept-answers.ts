/** Longer questions are not kept: a flag may have thousands of change requests. */
const longestKey = 2_000

/** Keeps the latest used answers to questions about what never changes. */
export class KeptAnswers<Answer> {
  readonly #answers = new Map<string, Answer>()
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  async get(question: unknown, find: () => Promise<Answer>): Promise<Answer> {
    const key = JSON.stringify(question)
    if (key.length > longestKey) return find()
    const answer = this.#answers.get(key) ?? (await find())
    this.#answers.delete(key)
    this.#answers.set(key, answer)
    if (this.#answers.size > this.#most) this.#answers.delete(this.#answers.keys().next().value as string)
    return answer
  }
}
