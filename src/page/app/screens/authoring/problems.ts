import type { Outcome } from '../../core/api/action'
import type { Missing } from '../../core/api/answers'

const none: readonly Missing[] = []

/** What the server found wrong with the input. */
export function problemsOf(outcome: Outcome | undefined): readonly Missing[] {
  return outcome !== undefined && 'missing' in outcome ? outcome.missing : none
}

/** The revision of an entity tag. */
export function revisionOf(etag: string | null | undefined): string | undefined {
  return etag?.slice(1, -1)
}
