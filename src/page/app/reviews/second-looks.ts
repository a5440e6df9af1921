import { useEffect } from 'preact/hooks'
import type { EventView, ReviewListItemView } from '../../../generated'
import { type Loaded, useLoaded } from '../core/api/load'
import { client } from '../core/api/session'
import { createStore, useStore } from '../core/tools/store'
import { listOf, objectOf } from '../words/json'
import { loadTimeline } from './timeline'

/** A change request that was applied in an emergency, and that nobody looked at since. */
export interface SecondLook {
  readonly item: Omit<ReviewListItemView, 'waitsFor'>
  /** Whether the caller may have the second look. */
  readonly mayLook: boolean
  /** Who applied it, and what was missing then; undefined where its events do not tell. */
  readonly applied: { readonly by: string; readonly at: string; readonly missing: readonly MissingThen[] } | undefined
}

interface MissingThen {
  readonly name: string
  readonly approvals: number
  readonly given: number
}

/** More are not asked for: emergencies are rare. */
const most = 20

type Looks = Pick<Loaded<SecondLook[]>, 'data' | 'error'>

const known = createStore<Looks>({ data: undefined, error: undefined })

/** What waits for a second look of anybody, newest first. */
export const useSecondLooks = (): Looks => useStore(known)

/** Asks for them; the frame does it for all screens. */
export function useLoadedLooks(): Loaded<SecondLook[]> {
  const loaded = useLoaded('second looks', async (options) => {
    const { body } = await client.searchChangeRequests({ afterReview: 'IS:open', limit: most }, options)
    const found = await Promise.all(body.changeRequests.map((one) => toSecondLook(one, options)))
    return { body: found }
  })
  const { data, error } = loaded
  useEffect(() => known.set({ data, error }), [data, error])
  return loaded
}

type Found = Awaited<ReturnType<typeof client.searchChangeRequests>>['body']['changeRequests'][number]

async function toSecondLook(found: Found, options: { signal: AbortSignal }): Promise<SecondLook> {
  const [{ body: review }, events] = await Promise.all([client.review(found, options), loadTimeline(found, options)])
  const { id, project, environment, title, createdBy, createdAt, features, segments } = found
  const applied = events.find(({ type }) => type === 'change-request-applied')
  return {
    item: {
      id,
      project,
      environment,
      title: title ?? `Change request #${id}`,
      createdBy: { imageUrl: null, username: null, ...createdBy },
      createdAt,
      updatedAt: applied?.createdAt ?? createdAt,
      features,
      segments,
      state: review.state,
      stateSince: applied?.createdAt ?? createdAt,
      revision: review.revision,
    },
    mayLook: review.steps.some(({ step, allowed }) => step === 'acknowledge' && allowed),
    applied: applied && { by: signedBy(applied, createdBy), at: applied.createdAt, missing: missingThen(applied) },
  }
}

/** Events are signed with what identifies somebody, such as an e-mail address; of the author the name is known. */
function signedBy({ createdBy, createdByUserId }: EventView, author: Found['createdBy']): string {
  return (createdByUserId === author.id && author.username) || createdBy
}

function missingThen({ data }: EventView): readonly MissingThen[] {
  return listOf(objectOf(objectOf(data).emergency).missing) as readonly MissingThen[]
}
