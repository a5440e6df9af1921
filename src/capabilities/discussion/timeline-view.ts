import { type Reply, uncachedJson } from '../../http/reply'
import { entityTag } from '../../kernel/etag'
import type { TimelinePage } from './timeline'

/** Events are sent as they are stored. */
export function viewTimeline({ stored, page, next }: TimelinePage): Reply {
  const start = Buffer.from('{"events":[')
  const end = Buffer.from(`],"next":${next === null ? 'null' : `"${next}"`}}`)
  return { ...uncachedJson({ ETag: entityTag(stored) }), body: Buffer.concat([start, page.json, end]) }
}
