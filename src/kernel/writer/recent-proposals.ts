import type { ChangeRequest } from '../../domain/change-request'
import type {
  CommittedProposal,
  OpenKey,
  RememberedProposal,
  StoredChangeRequest,
  Write,
} from '../../ports/storage/change-requests'
import type { Storage } from '../../ports/storage/storage'
import type { Loaded } from './decide-all'

const limits = { count: 1_000, characters: 2 * 1024 * 1024 }

interface Recent extends RememberedProposal, CommittedProposal {
  readonly stored: StoredChangeRequest
}

/**
 * Loads open change requests for proposals. Of those that this process wrote last by a proposal it remembers the document, so
 * that the next proposal of the author takes one round trip: the commit itself compares what is stored. A change request that
 * was decided here shares no object with the host app, so nothing can alter it.
 */
export class RecentProposals {
  readonly #storage: Storage
  /** The one that was written last is the last. */
  readonly #recent = new Map<string, Recent>()
  #characters = 0
  /** The only one whose ids are not allocated: with the ids of an older one, a write would lose. */
  #unallocated: string | undefined

  constructor(storage: Storage) {
    this.#storage = storage
  }

  /** Remembered content is returned once: if its commit fails, the next call reads. */
  async load(key: OpenKey, changeIds: number): Promise<Loaded> {
    const name = nameOf(key)
    const recent = this.#take(name)
    if (recent !== undefined && recent.changeIds.length >= changeIds) {
      const { stored, document, settings } = recent
      const ids = recent.changeIds.slice(0, changeIds)
      return {
        current: stored,
        ids: { changeRequest: 0, changes: ids },
        settings,
        isRemembered: true,
        commit: (write) =>
          this.#commit(name, { ...write, remembered: { document, settings, changeIds: ids } }, changeIds, settings),
      }
    }
    this.#takeUnallocated()
    const { open, settings, ...fresh } = await this.#storage.loadProposal(key, changeIds)
    return {
      current: open,
      ids: { changeRequest: fresh.changeRequestId, changes: fresh.changeIds },
      settings,
      commit: (write) => this.#commit(name, write, changeIds, settings),
    }
  }

  /** Called for other writes, after which the remembered content is outdated. */
  forget({ project, environment, createdBy }: ChangeRequest): void {
    this.#take(nameOf({ project, environment, userId: createdBy.id }))
  }

  async #commit(name: string, write: Write, nextChangeIds: number, settings: Recent['settings']): Promise<boolean> {
    const committed = await this.#storage.commit({ ...write, nextChangeIds })
    if (committed === true || !committed) return committed
    const { version, changeRequest } = write
    this.#remember(name, { ...committed, stored: { version, changeRequest }, settings })
    return true
  }

  #remember(name: string, recent: Recent): void {
    this.#take(name)
    if (!recent.areAllocated) {
      this.#takeUnallocated()
      this.#unallocated = name
    }
    this.#recent.set(name, recent)
    this.#characters += recent.document.length
    for (const oldest of this.#recent.keys()) {
      if (this.#recent.size <= limits.count && this.#characters <= limits.characters) break
      this.#take(oldest)
    }
  }

  #takeUnallocated(): void {
    if (this.#unallocated !== undefined) this.#take(this.#unallocated)
  }

  #take(name: string): Recent | undefined {
    const recent = this.#recent.get(name)
    if (recent === undefined) return undefined
    this.#recent.delete(name)
    if (name === this.#unallocated) this.#unallocated = undefined
    this.#characters -= recent.document.length
    return recent
  }
}

function nameOf({ project, environment, userId }: OpenKey): string {
  return JSON.stringify([project, environment, userId])
}
