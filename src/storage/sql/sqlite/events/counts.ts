/** Sums up what new events add to the counts of the log. */
export class EventCounts {
  /** By project; '' is the whole instance. */
  readonly #counts = new Map<string, { added: number; lastId: number }>()

  add(project: string | null, id: number): void {
    this.#raise('', id)
    if (project !== null && project !== '') this.#raise(project, id)
  }

  /** @param add adds to the count of a project */
  write(add: (project: string, added: number, lastId: number) => unknown): void {
    for (const [project, { added, lastId }] of this.#counts) add(project, added, lastId)
  }

  #raise(project: string, lastId: number): void {
    const { added = 0 } = this.#counts.get(project) ?? {}
    this.#counts.set(project, { added: added + 1, lastId })
  }
}
