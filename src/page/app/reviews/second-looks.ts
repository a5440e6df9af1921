import { useEffect } from 'preact/hooks'
import type { ReviewEmergencyView, ReviewListItemView } from '../../../generated'
import { type Loaded, useLoaded } from '../core/api/load'
import { client } from '../core/api/session'
import { createStore, useStore } from '../core/tools/store'

/** A change request that was applied in an emergency, and that nobody looked at since. */
export interface SecondLook {
  readonly item: Omit<ReviewListItemView, 'waitsFor'>
  /** Whether the caller may have the second look. */
  readonly mayLook: boolean
  /** Who applied it, and what was missing then. */
  readonly applied: {
    readonly by: string
    readonly at: string
    readonly missing: ReviewEmergencyView['missing']
  } | null
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
  const { body: review } = await client.review(found, options)
  const { id, project, environment, title, createdAt, features, segments } = found
  const { ended, emergency } = review
  return {
    item: {
      id,
      project,
      environment,
      title: title ?? `Change request #${id}`,
      createdBy: review.author,
      createdAt,
      updatedAt: ended?.at ?? createdAt,
      features,
      segments,
      state: review.state,
      stateSince: ended?.at ?? createdAt,
      revision: review.revision,
    },
    mayLook: review.steps.some(({ step, allowed }) => step === 'acknowledge' && allowed),
    applied: ended && {
      by: ended.by.username ?? 'a user',
      at: ended.at,
      missing: emergency?.missing ?? [],
    },
  }
}
