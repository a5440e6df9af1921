import type { Services } from '../../kernel/services'
import type { InterruptedApply } from '../../ports/storage/change-requests'

const pageSize = 100

/** The apply attempts that have had no result for `limits.applyTimeoutMs`, oldest first. */
export async function* readInterrupted({
  storage,
  clock,
  options,
}: Pick<Services, 'storage' | 'clock' | 'options'>): AsyncGenerator<InterruptedApply[]> {
  const before = new Date(clock().getTime() - options.limits.applyTimeoutMs).toISOString()
  let after: InterruptedApply | undefined
  do {
    const page = await storage.interrupted(before, { limit: pageSize, ...(after && { after }) })
    yield page
    after = page.length < pageSize ? undefined : page.at(-1)
  } while (after !== undefined)
}

export async function countInterrupted(services: Pick<Services, 'storage' | 'clock' | 'options'>): Promise<number> {
  let count = 0
  for await (const page of readInterrupted(services)) count += page.length
  return count
}
