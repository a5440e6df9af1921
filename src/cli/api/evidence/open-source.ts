import { type Client, ClientError } from '../../../client/index'
import type { EventListView } from '../../../generated/index'
import type { ProcessIo } from '../../command'
import type { Api } from '../api'
import { isTrailer, readRows } from '../export/rows'
import type { Source } from './source'

/** After this many, a line reports the progress. */
const progressStep = 100_000

/** @throws ClientError with the status 403 if the key cannot read all of it */
export async function requireAccess({ client, sender }: Api, projects: readonly string[], wholeLog: boolean) {
  for (const project of projects) await requireReadable(client, project)
  // Without a project, this log needs READ_EVENTS for the instance. The search leaves out what the key cannot read.
  if (projects.length === 0 || wholeLog) await sender.json<EventListView>('/events', { property: 'events' })
}

async function requireReadable(client: Client, project: string): Promise<void> {
  const { permissions = [] } = (await client.me({ project })).body
  const missing = ['READ_EVENTS', 'READ_CHANGE_REQUEST'].filter((permission) => !permissions.includes(permission))
  if (missing.length === 0) return
  const message = `The key lacks ${missing.join(' and ')} in the project ${project}.`
  throw new ClientError({ status: 403, name: 'PermissionError', message, permissions: missing })
}

/** Reads projects, or with none the whole instance. */
export function openSource(client: Client, projects: readonly string[], signal: AbortSignal, io: ProcessIo): Source {
  const filter = projects.length === 0 ? {} : { project: projects }
  const done = { requests: 0, events: 0 }
  return {
    ...{ client, filter, format: 'ndjson', signal },
    async *requests({ after, changedFrom }) {
      const bytes = await client.exportChangeRequests({ ...filter, changedFrom }, { after, signal })
      for await (const row of readRows(bytes as unknown as AsyncIterable<Uint8Array>, 'ndjson')) {
        if (!isTrailer(row, 'ndjson')) yield row.bytes
      }
    },
    async newestEvent() {
      const { body } = await client.searchEvents(filter, { limit: 1 }, { signal })
      return body.events[0]?.id ?? 0
    },
    async firstEventSince(instant) {
      const { body } = await client.searchEvents({ ...filter, from: instant }, { after: 0, limit: 1 }, { signal })
      return body.events[0]?.id
    },
    requireReadable: (project) => requireReadable(client, project),
    progress(part) {
      done[part] += 1
      if (done[part] % progressStep === 0) io.error(`Reading ${names[part]}: ${done[part]}\n`)
    },
  }
}

const names = { requests: 'change requests', events: 'events' }
