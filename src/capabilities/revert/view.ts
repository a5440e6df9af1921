import type { Revert } from '../../domain/diff/revert'
import type { RevertPreviewView } from '../../generated'
import { jsonReply, type Reply } from '../../http/reply'

/** What a revert would propose. */
export function viewRevert({ changes, irreversible }: Revert): Reply {
  const view: RevertPreviewView = { changes: [...changes], irreversible: [...irreversible] }
  return jsonReply(view)
}
